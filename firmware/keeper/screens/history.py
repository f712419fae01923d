"""The deals so far, the answers of one of them, and the correction of an old answer."""

from array import array

from shared_rules.question import NO_ASK
from shared_rules.rules import (
    CELL_NUMBER,
    CELL_RUN,
    CELL_SEAT,
    CELL_SIDE,
    CELL_SIGNED,
    CELL_WORD,
    NO_CELL,
)
from shared_rules.session import ANSWER, Listener

from .. import fonts
from ..pen import CENTER, RIGHT, SMALL, TEXT, WIDTH
from ..rare_words import rare_words
from .base import ListScreen, Screen
from .confirm import draw_answer, draw_value

_ROWS = 6
_RUN_PX = 17  # a column that holds a run, "1-9"
_BRIEF = 6  # columns a row of the list has room for


EN = {
    "history.title": "Deals",
    "history.none": "No deal finished yet",
    "history.hint": "OK: open",
    "history.answers": "all answers",
    "history.now": "now",
    "deal.title": "Deal",
    "deal.hint": "OK: correct",
    "amend.title": "Correct?",
    "amend.refused": "No: deal {n} is in the way",
    "amend.over": "No: over before deal {n}",
    "amend.wrong": "Not possible there",
}


class Part:
    """The screens of this module, loaded together when one is needed."""

    def __init__(self, app):
        self.EN = rare_words(EN, app.session.rules.GAME, app.board)
        self.deals = HistoryScreen(app)
        self.deal = DealScreen(app, self.deals)
        self.deals.deal = self.deal
        self.proposal = ProposeScreen(app)


class Window(Listener):
    """Keeps the cells of the few deals that are on the screen, while the match is reckoned."""

    def __init__(self):
        self.first = 0  # the first deal kept, from 0
        self.cells = array("i", [NO_CELL] * (_ROWS * _BRIEF))  # adjustments can make a score as large as they like
        self.dealers = bytearray(_ROWS)
        self.voids = array("h", [-1] * _ROWS)
        self.count = 0
        self.starts = array("H", [0] * (_ROWS + 1))  # step of each deal's first answer, and past the last
        self._seen = 0
        self._next = 0

    def restart(self):
        self.count = 0
        self._seen = 0
        self._next = 0

    def deal(self, session, step):
        rules = session.rules
        line = self._seen - self.first
        if 0 <= line < _ROWS:
            self.starts[line] = self._next
            self.starts[line + 1] = step + 1
            self.dealers[line] = rules.dealer
            self.voids[line] = rules.void
            self._take(rules, 0, line)
            self.count = line + 1
        self._seen += 1
        self._next = step + 1


    def take_rows(self, rules):
        """Keep the rows of the deal just closed, one a player; the deals before have none then."""
        self.count = min(_ROWS, rules.rows())
        for row in range(self.count):
            self.voids[row] = -1
            self._take(rules, row, row)

    def _take(self, rules, row, line):
        for column in range(min(_BRIEF, len(rules.BRIEF))):
            self.cells[line * _BRIEF + column] = rules.cell(row, rules.BRIEF[column])


def draw_cell(pen, column, value, x, page, right):
    """Draw a cell of the sheet, right-aligned between x and ``right``."""
    if value == NO_CELL:
        return
    kind = column.kind
    if kind == CELL_NUMBER or kind == CELL_SIGNED:
        pen.canvas.number_right(right, page, value, SMALL, kind == CELL_SIGNED)
    elif kind == CELL_RUN:
        canvas = pen.canvas
        canvas.number_right(right, page, value & 15, SMALL)
        if value >> 4 != value & 15:
            canvas.text_right(right - 6, page, "-", SMALL)
            canvas.number_right(right - 11, page, value >> 4, SMALL)
    elif kind == CELL_SEAT:
        pen.text(x, page, pen.names[value], SMALL, RIGHT, right)
    elif kind == CELL_SIDE:
        pen.text(x, page, pen.texts.words[5 + value], SMALL, RIGHT, right)
    elif kind == CELL_WORD:
        draw_value(pen, value, x, page, SMALL, RIGHT, right)
    else:
        pen.id(x, page, column.texts[value], SMALL, RIGHT, right)


class HistoryScreen(ListScreen):
    """The deals, newest first, with the columns that the game calls its brief ones."""

    title = "history.title"
    hint = "history.hint"
    small = True

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.window = Window()
        self.deal = None  # the screen of one deal

    def enter(self):
        self.at = 0
        self.first = 0
        self.app.reckon()

    def players(self):
        """Return how many rows of players stand below the list's only deal, 0 where a deal makes one row."""
        rules = self.app.session.rules
        return 0 if rules.DEALS or not rules.deals else rules.rows()

    def under_way(self):
        """Tell whether a deal is open, which is listed first."""
        rules = self.app.session.rules
        return not rules.over and not (rules.DEALS and rules.dealing)

    def count(self):
        return self.app.session.rules.deals + (1 if self.under_way() else 0) + self.players()

    def back(self):
        self.app.go_match()

    def deal_at(self, place):
        """Return the deal (from 0) in a row of the list."""
        return max(0, self.count() - self.players() - 1 - place)

    def look(self, deal):
        """Reckon the match so that the window holds the deals around one; returns its line."""
        session = self.app.session
        self.window.first = max(0, deal - _ROWS + 1)
        session.play_to(session.steps, self.window)
        return deal - self.window.first

    def ok(self):
        if self.count():
            self.deal.open(self.deal_at(self.at))

    def draw(self, pen):
        if not self.count():
            pen.title(self.title)
            pen.id(0, 3, "history.none", SMALL, CENTER)
            return
        if self.at < self.first:
            self.first = self.at
        elif self.at >= self.first + _ROWS:
            self.first = self.at - _ROWS + 1
        self.look(self.deal_at(self.first))
        if self.players():
            self.window.take_rows(self.app.session.rules)
        ListScreen.draw(self, pen)

    def head(self, pen):
        rules = self.app.session.rules
        pen.id(2, 0, self.title, SMALL)
        width = self._width(rules)
        x = WIDTH - 6 - width * min(_BRIEF, len(rules.BRIEF))
        for place in range(min(_BRIEF, len(rules.BRIEF))):
            column = rules.COLUMNS[rules.BRIEF[place]]
            x += width
            pen.text(x - width - 4, 0, self._head_of(pen, column), SMALL, RIGHT, x)

    def _head_of(self, pen, column):
        if column.side >= 0:
            return pen.texts.words[5 + column.side]
        short = "h." + column.id
        return pen.texts.get(short if pen.texts.has(short) else "c." + column.id)

    def _width(self, rules):
        if not rules.DEALS:
            return _RUN_PX
        return 68 // max(1, len(rules.BRIEF))

    def row(self, pen, place, page):
        rules = self.app.session.rules
        deal = self.deal_at(place)
        player = place - self.count() + self.players()
        if player >= 0:
            self._cells(pen, rules, player, page)
            return
        x = pen.canvas.number(2, page, deal + 1, SMALL)
        if deal >= rules.deals:
            pen.id(40, page, "history.now", SMALL)
            return
        if self.players():
            pen.id(40, page, "history.answers", SMALL)
            return
        window = self.window
        line = deal - window.first
        if not 0 <= line < window.count:
            return
        if window.voids[line] >= 0:
            pen.text(x + 6, page, pen.texts.voids[window.voids[line]], SMALL, right=WIDTH - 5)
            return
        if rules.DEALS:
            right = WIDTH - 8 - self._width(rules) * min(_BRIEF, len(rules.BRIEF))
            pen.text(max(x + 5, 12), page, pen.names[window.dealers[line]], SMALL, right=right)
        self._cells(pen, rules, line, page)

    def _cells(self, pen, rules, line, page):
        """Draw the cells kept of a line, the columns as wide as the head has them."""
        width = self._width(rules)
        x = WIDTH - 6 - width * min(_BRIEF, len(rules.BRIEF))
        for column in range(min(_BRIEF, len(rules.BRIEF))):
            x += width
            value = self.window.cells[line * _BRIEF + column]
            if rules.COLUMNS[rules.BRIEF[column]].kind == CELL_SEAT:
                pen.text(2, page, pen.names[value], SMALL, right=x)  # the first column has the room that is left
            else:
                draw_cell(pen, rules.COLUMNS[rules.BRIEF[column]], value, x - width + 2, page, x)


class DealScreen(ListScreen):
    """The answers of one deal; OK corrects the one chosen."""

    hint = "deal.hint"
    small = True

    def __init__(self, app, deals):
        ListScreen.__init__(self, app)
        self.deals = deals
        self.deal = 0
        self._first_step = 0
        self._end_step = 0

    def open(self, deal):
        """Show a deal (from 0)."""
        self.deal = deal
        self.at = 0
        self.first = 0
        history = self.deals
        session = self.app.session
        if deal < session.rules.deals:
            line = history.look(deal)
            self._first_step = history.window.starts[line]
            self._end_step = history.window.starts[line + 1]
        else:
            line = history.look(max(0, deal - 1)) if deal else -1
            self._first_step = history.window.starts[line + 1] if line >= 0 else 0
            self._end_step = session.steps
        self.app.go(self)

    def count(self):
        session = self.app.session
        count = 0
        for step in range(self._first_step, self._end_step):
            if session.kind(step) == ANSWER:
                count += 1
        return count

    def step_at(self, place):
        """Return the step of an answer in the list."""
        session = self.app.session
        for step in range(self._first_step, self._end_step):
            if session.kind(step) == ANSWER:
                if not place:
                    return step
                place -= 1
        return -1

    def back(self):
        self.app.go(self.deals)

    def ok(self):
        step = self.step_at(self.at)
        if step >= 0:
            self.app.ask.correct(step)
            self.app.go(self.app.ask)

    def head(self, pen):
        x = pen.id(2, 0, "deal.title", SMALL)
        pen.canvas.number(x + 4, 0, self.deal + 1, SMALL)

    def row(self, pen, place, page):
        session = self.app.session
        step = self.step_at(place)
        ask = session.ask(step)
        if ask == NO_ASK:
            return
        pen.say.put("", session.seat(step), 0)
        x = pen.parts(2, page, pen.texts.names[ask], pen.say, SMALL)
        draw_value(pen, session.value(step), x + 3, page, SMALL, RIGHT, WIDTH - 5)


class ProposeScreen(Screen):
    """Shows the old and the new answer; only Yes (No is chosen) corrects it."""

    def __init__(self, app):
        Screen.__init__(self, app)
        self.step = 0
        self.answer = 0
        self.yes = False

    def propose(self, step, answer):
        """Set the step and its new answer."""
        self.step = step
        self.answer = answer
        self.yes = False

    def arrow(self, key, repeat):
        if not repeat:
            self.yes = not self.yes
            self.app.dirty = True

    def ok(self):
        if self.yes:
            self.app.amend(self.step, self.answer)
        else:
            self.back()

    def back(self):
        self.app.go(self.app.part("history").deal)

    def draw(self, pen):
        pen.title("amend.title")
        draw_answer(pen, self.app.session, self.step, 1)
        pen.canvas.icon(0, 4, fonts.ICON_RIGHT)
        draw_value(pen, self.answer, 12, 4, TEXT, CENTER)
        no = pen.id(8, 6, "no", TEXT)
        x = WIDTH - 12 - pen.canvas.text_width(pen.texts.get("yes"), TEXT)
        pen.id(x, 6, "yes", TEXT)
        if self.yes:
            pen.canvas.invert(x - 4, 6, WIDTH - x, 2)
        else:
            pen.canvas.invert(4, 6, no, 2)
