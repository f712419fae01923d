"""The questions of a game in which everybody plays alone, on the whole screen: there is no table to show.

In memory only while such a game is.
"""

from shared_rules.question import WORD

from .. import fonts
from ..canvas import BIG
from ..pen import CENTER, SMALL, TEXT, WIDTH
from .base import draw_choice

_TOP = 2  # below the prompt
_END = 8


def draw_alone(pen, ask):
    """Draw what the asking screen asks: a number or a choice."""
    session = ask.app.session
    question = session.question
    rules = session.rules
    rules.about(question, pen.say)
    pen.parts(0, 0, pen.texts.prompts[question.ask], pen.say, TEXT)
    if ask.step >= 0:  # a correction: not what is asked now
        pen.canvas.invert(0, 0, WIDTH, 2)
    if ask.arrows_choose(question):
        _draw_hints(pen, ask, rules, _draw_choices(pen, ask, question, rules))
    else:
        ask.shape = rules.detail(question.at(ask.place), pen.say)
        _draw_hints(pen, ask, rules, _TOP + 4 if ask.shape else _TOP + 3)
        ask.before = pen.canvas.used
        _draw_number(pen, ask, question, rules)


def retouch_alone(pen, ask):
    """Draw a number anew that the arrows changed; False: all of the screen has to be."""
    session = ask.app.session
    question = session.question
    if session.rules.detail(question.at(ask.place), pen.say) != ask.shape:
        return False
    pen.canvas.take_back(ask.before, _TOP, 4 if ask.shape else 3)
    _draw_number(pen, ask, question, session.rules)
    return True


def _draw_choices(pen, ask, question, rules):
    count = question.count()
    chosen = question.default
    if ask.step >= 0:
        chosen = ask.app.session.value(ask.step)
    font = TEXT if count <= 3 and _fits(pen, question, rules) else SMALL
    page = _TOP
    for place in range(count):
        draw_choice(pen, rules, question, place, 0, page, font, chosen, True)
        page += font.pages
    return page


def _fits(pen, question, rules):
    """Tell whether all choices have room in large letters, with what they mean beside them."""
    for place in range(question.count()):
        answer = question.at(place)
        width = 12 + pen.canvas.text_width(pen.word(answer), TEXT)
        if rules.detail(answer, pen.say):
            width += 6 + pen.parts_width(pen.texts.get(pen.say.id), pen.say, SMALL)
        if width > WIDTH:
            return False
    return True


def _draw_number(pen, ask, question, rules):
    answer = question.at(ask.place)
    canvas = pen.canvas
    if answer < WORD:
        canvas.number_center(0, WIDTH, _TOP, answer, BIG)
    else:
        pen.text(12, _TOP, pen.word(answer), TEXT, CENTER, WIDTH - 12)
    canvas.icon(0, _TOP + 1, fonts.ICON_LEFT)
    canvas.icon(WIDTH - 8, _TOP + 1, fonts.ICON_RIGHT)
    if rules.detail(answer, pen.say):
        pen.said(0, _TOP + 3, pen.say, SMALL)


def _draw_hints(pen, ask, rules, page):
    """Draw the game's lines of advice that have room from a page on, the last of them on the last page.

    So they stand where those of the question before stood, and hardly more than letters changes. Where a
    page is left, the last says what holding OK would do.
    """
    end = _END
    count = 0
    while page + count < end and rules.hint(count, pen.say):
        count += 1
    if page + count < end and ask.app.aid(ask.app.session.question) >= 0:
        end -= 1
        pen.id(0, end, "ask.count", SMALL)
    for place in range(count):
        rules.hint(place, pen.say)
        pen.said(0, end - count + place, pen.say, SMALL)
