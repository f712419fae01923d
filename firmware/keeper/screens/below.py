"""The questions of a game of partners, below the far side of the table: names and score stay where they are.

The prompt begins on page 4. What has no room on the last page takes turns there.
"""

from shared_rules.question import COUNT, NONE, SIDE, WORD

from .. import fonts
from ..pen import SMALL, TEXT, WIDTH
from .base import ARROWS, draw_choice
from .table import draw_far_side

_TOP = 4
_LAST = 7
_CELL_PX = 32  # four choices stand side by side
_GAP_PX = 24  # between a prompt and an answer: the two arrows and some air
# How a number is drawn: with a small prompt, below it, and with what it would mean.
_SMALL = 1
_LOWER = 2
_DETAILED = 4


def draw_below(pen, ask):
    """Draw what the asking screen asks: a number, a choice or a side."""
    session = ask.app.session
    question = session.question
    rules = session.rules
    draw_far_side(pen, rules, ask.app, rules.dealer, rules.deals + 1, TEXT)
    if question.kind == SIDE:
        _draw_prompt(pen, ask, question, rules, TEXT)
        x = _draw_ok(pen, NONE) + 12 if question.accepts(NONE) else 0
        for icon in ARROWS:  # a press towards a player is one for the side
            x = pen.canvas.icon(x, _TOP + 2, icon)
        _draw_hints(pen, ask, rules, _LAST, _LAST)
    elif ask.arrows_choose(question):
        _draw_choices(pen, ask, question, rules)
    else:
        _draw_number(pen, ask, question, rules)


def retouch_below(pen, ask):
    """Draw a number anew that the arrows changed; False: all of the screen has to be."""
    session = ask.app.session
    question = session.question
    shape = ask.shape
    if _shape(pen, ask, question, session.rules) != shape:
        return False
    if shape & _LOWER:
        pen.canvas.take_back(ask.before, _TOP + 1, ask.end - _TOP - 1)
    else:
        pen.canvas.take_back(ask.before, _TOP, 2, ask.edge)
        pen.canvas.take_back(ask.before, _TOP + 2, ask.end - _TOP - 2)
    _draw_answer(pen, ask, question, session.rules, shape)
    return True


def _draw_prompt(pen, ask, question, rules, font):
    """Draw the prompt; returns the x after it."""
    rules.about(question, pen.say)
    x = pen.parts(0, _TOP, pen.texts.prompts[question.ask], pen.say, font)
    if ask.step >= 0:  # a correction: not what is asked now
        pen.canvas.invert(0, _TOP, x, font.pages)
    return x


def _draw_ok(pen, answer):
    """Draw what OK answers below a large prompt; returns the x after it."""
    x = pen.id(0, _TOP + 2, "ask.ok", SMALL)
    return pen.text(x + 6, _TOP + 2, pen.word(answer), SMALL)


def _draw_hints(pen, ask, rules, page, last, room=WIDTH):
    """Draw the game's lines of advice from a page on; returns the page after them."""
    total = 0
    while rules.hint(total, pen.say):
        total += 1
    place = 0
    while place < total and page <= last:
        if page == last:
            place += ask.advice.place % (total - place)
        rules.hint(place, pen.say)
        pen.said(0, page, pen.say, SMALL, right=WIDTH if page == _LAST else room)
        place += 1
        page += 1
    return page


def _wide(pen, answer, font):
    """Return the pixels that an answer takes."""
    if answer >= WORD:
        return pen.canvas.text_width(pen.word(answer), font)
    return pen.canvas.number_width(answer, font)


def _shape(pen, ask, question, rules):
    """Return how the number asked is drawn: bits _SMALL, _LOWER, _DETAILED."""
    answer = question.at(ask.place)
    shape = _DETAILED if rules.detail(answer, pen.say) else 0
    wide = _wide(pen, answer, TEXT)
    if wide <= ask.room:
        return shape
    return shape | _SMALL if wide <= ask.small_room else shape | _SMALL | _LOWER


def _draw_number(pen, ask, question, rules):
    """Draw the answer at the right of the prompt; where both have no room, a page lower, a word small.

    What the arrows change comes last: right of ``ask.edge``, and on pages before ``ask.end``.
    """
    rules.about(question, pen.say)
    prompt = pen.texts.prompts[question.ask]
    ask.room = WIDTH - _GAP_PX - pen.parts_width(prompt, pen.say, TEXT)
    ask.small_room = WIDTH - _GAP_PX - pen.parts_width(prompt, pen.say, SMALL)
    shape = _shape(pen, ask, question, rules)
    ask.shape = shape
    ask.edge = _draw_prompt(pen, ask, question, rules, SMALL if shape & _SMALL else TEXT)
    ask.end = _LAST + 1
    if not shape & (_LOWER | _DETAILED):
        ask.end = _TOP + 2
        _draw_hints(pen, ask, rules, ask.end, _LAST)
    elif not rules.hint(0, pen.say) and ask.app.aid(question) >= 0:
        ask.end = _LAST
        pen.id(0, _LAST, "ask.count", SMALL)
    ask.before = pen.canvas.used
    _draw_answer(pen, ask, question, rules, shape)


def _draw_answer(pen, ask, question, rules, shape):
    canvas = pen.canvas
    answer = question.at(ask.place)
    page = _TOP + 1 if shape & _LOWER else _TOP
    font = SMALL if shape & _LOWER and answer >= WORD else TEXT
    x = WIDTH - 10 - _wide(pen, answer, font)
    if answer >= WORD:
        canvas.text(x, page, pen.word(answer), font)
    else:
        canvas.number(x, page, answer, font)
    canvas.icon(x - 10, page, fonts.ICON_LEFT)
    canvas.icon(WIDTH - 8, page, fonts.ICON_RIGHT)
    if not shape & (_LOWER | _DETAILED):
        return
    room = x - 12 if page + font.pages > _TOP + 2 else WIDTH
    page = _draw_hints(pen, ask, rules, _TOP + 2, _LAST - 1 if shape & _DETAILED else _LAST, room)
    if rules.detail(answer, pen.say):
        pen.said(0, page, pen.say, SMALL, right=WIDTH if page == _LAST else room)


def _draw_choices(pen, ask, question, rules):
    count = question.count()
    chosen = question.default
    if ask.step >= 0:
        chosen = ask.app.session.value(ask.step)
    if count == 1:
        _draw_prompt(pen, ask, question, rules, TEXT)
        _draw_ok(pen, chosen)
        _draw_hints(pen, ask, rules, _LAST, _LAST)
        return
    _draw_prompt(pen, ask, question, rules, SMALL)
    page = _TOP + 1
    if count == 4 and _side_by_side(pen, question):
        for place in range(count):
            draw_choice(pen, rules, question, place, place * _CELL_PX, page, TEXT, chosen, False)
        page += 2
    else:
        # What ends nearly every hand is OK's and leaves its row to what hardly ever happens.
        apart = chosen == COUNT and ask.step < 0
        for place in range(1 if apart else 0, count):
            draw_choice(pen, rules, question, place, 0, page, SMALL, chosen, True)
            page += 1
        if apart and page <= _LAST:
            ask.advice.draw(pen, page, 1)
            return
    _draw_hints(pen, ask, rules, page, _LAST)


def _side_by_side(pen, question):
    """Tell whether four choices have room in large letters beside each other."""
    for place in range(4):
        if 12 + pen.canvas.text_width(pen.word(question.at(place)), TEXT) > _CELL_PX - 2:
            return False
    return True
