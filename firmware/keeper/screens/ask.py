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
)

from ..keys import DOWN, RIGHT, UP
from ..pen import CENTER, TEXT, WIDTH
from .base import Screen
from .below import draw_below, retouch_below
from .table import Advice, draw_table

_FEW = 12  # so few answers are stepped through one by one by every arrow


class AskScreen(Screen):
    """Asks the session's question, or (``step`` >= 0) the question of an old answer to correct it."""

    match = True

    def __init__(self, app):
        Screen.__init__(self, app)
        self.step = -1
        self.place = 0  # of the answer shown, in the question's order
        self.grid = None  # made for a game that has MASK questions
        self._draw = draw_below  # draws numbers, choices and sides
        self._retouch = retouch_below
        self.advice = Advice(app)
        # Of the picture of a number:
        self.shape = 0  # how it is drawn
        self.room = 0  # px for the answer beside a large prompt
        self.small_room = 0  # beside a small one
        self.before = 0  # what the canvas had used before what the arrows change
        self.edge = 0  # where that begins
        self.end = 0  # the page after it

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
        """Get ready for a game: load what draws its questions. Allocates."""
        self.drop()
        if rules.LABELS:
            from .grid import Grid

            self.grid = Grid(self.app)
        if not rules.SIDES:
            from .alone import draw_alone, retouch_alone

            self._draw = draw_alone
            self._retouch = retouch_alone

    def drop(self):
        """Let go of what the last game brought along."""
        self.grid = None
        self._draw = draw_below
        self._retouch = retouch_below
        for name in ("grid", "alone"):
            self.app.board.forget("keeper.screens." + name)

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
        self._draw(pen, self)

    def retouch(self, pen):
        return self._retouch(pen, self)
