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
            count = question.count()
            by = 1 if key == RIGHT or key == UP else -1
            if (key == UP or key == DOWN) and count > _FEW:
                by *= 10
            self.place = (self.place + by) % count
            self.app.dirty = True

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
        pen.parts(0, 0, pen.texts.prompts[question.ask], pen.say, TEXT)
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
        if question.accepts(NONE):
            self._draw_ok(pen, NONE)
        else:
            self._draw_hints(pen, 6, 8)

    def _draw_ok(self, pen, answer, page=6):
        """Draw what OK answers, on the last page, and hints above it from a page down."""
        pen.id(0, 7, "ask.ok", SMALL)
        pen.text(20, 7, pen.word(answer), SMALL)
        self._draw_hints(pen, page, 7)

    def _draw_choices(self, pen, question):
        count = question.count()
        chosen = question.default
        if self.step >= 0:
            chosen = self.app.session.value(self.step)
        if chosen == COUNT and (self.step < 0 or count == 1):
            # What ends nearly every hand is OK; beside it, small, what hardly ever happens.
            page = 2
            for place in range(1, count):
                self._draw_choice(pen, question, place, 0, page, SMALL)
                page += 1
            self._draw_ok(pen, COUNT, page)
            return
        columns = 2 if count == 4 and self._fits(pen, question, WIDTH // 2, False) else 1
        double = columns == 2 or (count <= 3 and self._fits(pen, question, WIDTH, True))
        pages = 2 if double else 1
        page = 2
        for place in range(count):
            left = place % columns * (WIDTH // 2)
            x = self._draw_choice(pen, question, place, left, page, TEXT if double else SMALL, columns == 1)
            if question.at(place) == chosen:
                pen.canvas.invert(left, page, x + 1 - left, pages)
            if left or columns == 1:
                page += pages
        self._draw_hints(pen, page, 8)

    def _draw_choice(self, pen, question, place, x, page, font, detailed=True):
        """Draw a choice and its arrow; returns the x after its word."""
        answer = question.at(place)
        pen.canvas.icon(x, page, _ARROWS[place])
        x = pen.text(x + 12, page, pen.word(answer), font)
        if detailed and self.app.session.rules.detail(answer, pen.say):
            pen.said(x + 6, page, pen.say, SMALL)
        return x

    def _fits(self, pen, question, room, details):
        """Tell whether all choices have room in large letters, with what they mean beside them."""
        for place in range(question.count()):
            answer = question.at(place)
            width = 12 + pen.canvas.text_width(pen.word(answer), TEXT)
            if details and self.app.session.rules.detail(answer, pen.say):
                width += 6 + pen.parts_width(pen.texts.get(pen.say.id), pen.say, SMALL)
            if width > room:
                return False
        return True

    def _draw_number(self, pen, question, rules):
        answer = question.at(self.place)
        canvas = pen.canvas
        if answer < WORD:
            width = canvas.number_width(answer, BIG)
            canvas.number((WIDTH - width) // 2, 2, answer, BIG)
        else:
            pen.text(12, 2, pen.word(answer), TEXT, CENTER, WIDTH - 12)
        canvas.icon(0, 3, fonts.ICON_LEFT)
        canvas.icon(WIDTH - 8, 3, fonts.ICON_RIGHT)
        page = 5
        if rules.detail(answer, pen.say):
            pen.said(0, page, pen.say, SMALL)
            page += 1
        self._draw_hints(pen, page, 8)

    def _draw_hints(self, pen, page, end):
        """Draw the game's lines of advice that have room from a page on, the last of them before ``end``.

        So they stand where those of the question before stood, and hardly more than letters changes. Where a
        page is left, the last says what holding OK would do.
        """
        rules = self.app.session.rules
        count = 0
        while page + count < end and rules.hint(count, pen.say):
            count += 1
        if page + count < end and self.app.aid(self.app.session.question) >= 0:
            end -= 1
            pen.id(0, end, "ask.count", SMALL)
        for place in range(count):
            rules.hint(place, pen.say)
            pen.said(0, end - count + place, pen.say, SMALL)
