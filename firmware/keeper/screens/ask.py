"""The one screen that asks any question of any game."""

from shared_rules.question import (
    CHOICE,
    COUNT,
    MASK,
    NONE,
    NUMBER,
    OVER,
    SEAT,
    SEAT_0,
    SIDE,
    SIDE_0,
    WAIT,
    WORD,
)

from .. import fonts
from ..canvas import BIG
from ..keys import DOWN, RIGHT, UP
from ..pen import CENTER, SMALL, TEXT, WIDTH
from .base import Screen
from .table import Advice, draw_table

_FEW = 12  # so few answers are stepped through one by one by every arrow
_ARROWS = (fonts.ICON_UP, fonts.ICON_RIGHT, fonts.ICON_DOWN, fonts.ICON_LEFT)  # by key


class AskScreen(Screen):
    """Asks the session's question, or (``step`` >= 0) the question of an old answer to correct it."""

    match = True

    def __init__(self, app):
        Screen.__init__(self, app)
        self.step = -1
        self.place = 0  # of the answer shown, in the question's order
        self.grid = None  # made for a game that has MASK questions
        self.advice = Advice(app)
        self._detailed = False  # the picture of a number says what it would mean
        self._before = 0  # what the canvas had used before the number was drawn

    def enter(self):
        question = self.app.session.question
        self.advice.restart()
        answer = question.default
        if self.step >= 0:
            answer = self.app.session.value(self.step)
        self.place = max(0, question.place(answer))
        if question.kind == MASK:
            self.grid.open(question, self.step >= 0, answer)

    def prepare(self, rules):
        """Get ready for a game: load the grid where it has MASK questions. Allocates."""
        self.grid = None
        self.app.board.forget("keeper.screens.grid")
        if rules.LABELS:
            from .grid import Grid

            self.grid = Grid(self.app)

    def correct(self, step):
        """Ask the question of an old answer: rules and question are put back to that moment."""
        self.step = step
        self.app.session.play_to(step)

    def leave(self):
        """Put rules and question back to now."""
        if self.step >= 0:
            self.step = -1
            self.app.session.play_to(self.app.session.steps)

    def arrows_choose(self, question):
        """Tell whether each of at most four own words has an arrow of its own."""
        return question.kind == CHOICE and question.lo > question.hi and question.count() <= 4

    # -- keys -------------------------------------------------------------------------------------

    def arrow(self, key, repeat):
        question = self.app.session.question
        kind = question.kind
        if kind == MASK:
            self.grid.arrow(key, repeat)
        elif kind == SEAT:
            if not repeat:
                self.give(SEAT_0 + key)
        elif kind == SIDE:
            if not repeat:
                self.give(SIDE_0 + (key & 1))
        elif self.arrows_choose(question):
            if not repeat and key < question.count():
                self.give(question.at(key))
        elif kind == NUMBER or kind == CHOICE:
            self._turn(question.count(), key)

    def _turn(self, count, key):
        """Go on to another answer of so many."""
        by = 1 if key == RIGHT or key == UP else -1
        if (key == UP or key == DOWN) and count > _FEW:
            by *= 10
        self.place = (self.place + by) % count
        self.app.retouch = True

    def ok(self):
        question = self.app.session.question
        kind = question.kind
        if kind == MASK:
            self.grid.ok()
        elif kind == SIDE and question.accepts(NONE):
            self.give(NONE)
        elif kind == SEAT or kind == SIDE or self.arrows_choose(question):
            self.give(self.app.session.value(self.step) if self.step >= 0 else question.default)
        elif kind != OVER and kind != WAIT:
            self.give(question.at(self.place))

    def ok_held(self):
        if self.app.session.question.kind == MASK:
            self.grid.done(self)
        elif self.step < 0:
            self.app.open_menu()

    def back(self):
        if self.step >= 0:
            self.leave()
            self.app.go(self.app.part("history").deal)
        elif self.app.session.question.kind == MASK and self.grid.back():
            self.app.dirty = True
        else:
            self.app.go_home()

    def back_held(self):
        if self.step < 0:
            self.app.offer_undo()

    def give(self, answer):
        """Answer the question, or propose the correction."""
        if not self.app.session.question.accepts(answer):
            return
        if self.step >= 0:
            step = self.step
            self.leave()
            self.app.propose(step, answer)
        else:
            self.app.give(answer)

    def tick(self, now):
        self.advice.tick(now)

    # -- picture -----------------------------------------------------------------------------------

    def draw(self, pen):
        session = self.app.session
        question = session.question
        rules = session.rules
        if question.kind == WAIT:
            pen.id(0, 3, "ask.wait", TEXT, CENTER)
            return
        if question.kind == MASK:
            self.grid.draw(pen)
            return
        if question.kind == SEAT:
            marked = question.default - SEAT_0 if question.default != COUNT else -1
            dealer = question.seat if rules.dealing else rules.dealer
            draw_table(pen, rules, self.app, dealer, marked)
            self.advice.draw(pen, 5)
            if self.step >= 0:
                pen.canvas.invert(0, 5, WIDTH, 1)
            return
        rules.about(question, pen.say)
        pen.parts(0, 0, pen.texts.prompts[question.ask], pen.say, TEXT, CENTER)
        if self.step >= 0:  # a correction: not what is asked now
            pen.canvas.invert(0, 0, WIDTH, 2)
        if question.kind == SIDE:
            self._draw_sides(pen, question)
        elif self.arrows_choose(question):
            self._draw_choices(pen, question)
        else:
            self._draw_number(pen, question, rules)

    def _draw_sides(self, pen, question):
        for side in range(2):
            page = 2 + 2 * side
            pen.canvas.icon(0, page, _ARROWS[side])
            pen.canvas.icon(9, page, _ARROWS[side + 2])
            pen.text(20, page, pen.sides[side], TEXT)
        page = 6
        if question.accepts(NONE):
            x = pen.id(0, 6, "ask.ok", SMALL)
            pen.text(x + 6, 6, pen.word(NONE), SMALL)
            page = 7
        self._draw_hints(pen, page)

    def _draw_choices(self, pen, question):
        count = question.count()
        double = count <= 3 and self._fits(pen, question)
        chosen = question.default
        if self.step >= 0:
            chosen = self.app.session.value(self.step)
        for place in range(count):
            answer = question.at(place)
            page = 2 + place * (2 if double else 1)
            font = TEXT if double else SMALL
            pen.canvas.icon(0, page, _ARROWS[place])
            x = pen.text(12, page, pen.word(answer), font)
            if self.app.session.rules.detail(answer, pen.say):
                pen.said(x + 6, page, pen.say, SMALL)
            if answer == chosen:
                pen.canvas.invert(0, page, WIDTH, 2 if double else 1)
        self._draw_hints(pen, 2 + count * (2 if double else 1))

    def _fits(self, pen, question):
        """Tell whether all choices have room in large letters, with what they mean beside them."""
        for place in range(question.count()):
            answer = question.at(place)
            width = 12 + pen.canvas.text_width(pen.word(answer), TEXT)
            if self.app.session.rules.detail(answer, pen.say):
                width += 6 + pen.parts_width(pen.texts.get(pen.say.id), pen.say, SMALL)
            if width > WIDTH:
                return False
        return True

    def _draw_number(self, pen, question, rules):
        answer = question.at(self.place)
        self._detailed = rules.detail(answer, pen.say)
        self._draw_hints(pen, 6 if self._detailed else 5)
        self._before = pen.canvas.used
        self._draw_answer(pen, rules, answer)

    def retouch(self, pen):
        rules = self.app.session.rules
        answer = self.app.session.question.at(self.place)
        if rules.detail(answer, pen.say) != self._detailed:
            return False
        pen.canvas.take_back(self._before, 2, 4 if self._detailed else 3)
        self._draw_answer(pen, rules, answer)
        return True

    def _draw_answer(self, pen, rules, answer):
        """Draw what the arrows change: the answer shown, and what it would mean."""
        canvas = pen.canvas
        if answer < WORD:
            canvas.number_center(0, WIDTH, 2, answer, BIG)
        else:
            pen.text(12, 2, pen.word(answer), TEXT, CENTER, WIDTH - 12)
        canvas.icon(0, 3, fonts.ICON_LEFT)
        canvas.icon(WIDTH - 8, 3, fonts.ICON_RIGHT)
        if self._detailed:
            rules.detail(answer, pen.say)
            pen.said(0, 5, pen.say, SMALL, CENTER)

    def _draw_hints(self, pen, page):
        """Draw the game's lines of advice from a page down, and what holding OK would do."""
        rules = self.app.session.rules
        place = 0
        while page < 8 and rules.hint(place, pen.say):
            pen.said(0, page, pen.say, SMALL, CENTER)
            page += 1
            place += 1
        if page < 8 and self.app.aid(self.app.session.question) >= 0:
            pen.foot("ask.count")


