"""The table menu and what it opens: the adjustment of a score, the counting aid, renaming."""

from shared_rules.question import WORD

from .. import fonts
from ..canvas import BIG
from ..keys import DOWN, RIGHT, UP
from ..pen import CENTER, SMALL, TEXT, WIDTH
from ..rare_words import rare_words
from .base import ListScreen, Screen
from .confirm import DO_END, DO_REDEAL

_MENU_COUNT = 0
_MENU_UNDO = 1
_MENU_HISTORY = 2
_MENU_REDEAL = 3
_MENU_ADJUST = 4
_MENU_RENAME = 5
_MENU_OPTIONS = 6
_MENU_ASIDE = 7
_MENU_END = 8
_MENU_REMATCH = 9
_MENU_HOME = 10
_MENU_IDS = (
    "menu.count",
    "menu.undo",
    "menu.history",
    "menu.redeal",
    "menu.adjust",
    "menu.rename",
    "menu.options",
    "menu.aside",
    "menu.end",
    "menu.rematch",
    "menu.home",
)

EN = {
    "menu.title": "Match",
    "menu.count": "Count up",
    "menu.undo": "Take back",
    "menu.history": "Deals, correct",
    "menu.redeal": "Throw in this deal",
    "menu.adjust": "Adjust score",
    "menu.rename": "Rename",
    "menu.options": "House rules",
    "menu.aside": "Put aside",
    "menu.end": "End the match",
    "menu.rematch": "Rematch",
    "menu.home": "Home",
    "aid.hint": "OK mark  hold: done",
    "aid.side": "BACK side  hold: leave",
    "adjust.title": "Adjust: in favour of",
    "adjust.hint": "OK: next  BACK: leave",
    "redeal.title": "Throw this deal in?",
    "redeal.sure": "Sure? All of it is void.",
    "end.title": "End without a winner?",
    "end.sure": "Sure? It is over then.",
}


class Part:
    """The screens of this module, loaded together when one is needed."""

    def __init__(self, app):
        self.EN = rare_words(EN, app.session.rules.GAME, app.board)
        self.menu = MenuScreen(app)
        self.adjusting = AdjustScreen(app)
        self.counting = AidScreen(app)
        self.renaming = RenameScreen(app)


class AdjustScreen(Screen):
    """Corrects a score: which side, then by how much, from -999 to 999."""

    def __init__(self, app):
        Screen.__init__(self, app)
        self.side = -1
        self.points = 0

    def enter(self):
        self.side = -1
        self.points = 0

    def arrow(self, key, repeat):
        if self.side < 0:
            if not repeat:
                self.side = key & 1
                self.app.keys.swallow()
        else:
            by = 1 if key == RIGHT or key == UP else -1
            if key == UP or key == DOWN:
                by *= 10
            self.points = max(-999, min(999, self.points + by))
        self.app.dirty = True

    def ok(self):
        if self.side >= 0:
            self.app.adjust(self.side, self.points)

    def back(self):
        if self.side < 0:
            self.app.go_match()
        else:
            self.side = -1
            self.app.dirty = True

    def draw(self, pen):
        canvas = pen.canvas
        pen.title("adjust.title")
        if self.side < 0:
            for side in range(2):
                canvas.icon(0, 2 + 2 * side, fonts.ICON_UP + side)
                canvas.icon(9, 2 + 2 * side, fonts.ICON_DOWN + side)
                pen.text(20, 2 + 2 * side, pen.sides[side], TEXT)
            return
        pen.text(0, 1, pen.sides[self.side], TEXT, CENTER)
        width = canvas.number_width(self.points, BIG, True)
        canvas.number((WIDTH - width) // 2, 3, self.points, BIG, True)
        canvas.icon(0, 4, fonts.ICON_LEFT)
        canvas.icon(WIDTH - 8, 4, fonts.ICON_RIGHT)
        pen.foot("adjust.hint")


class AidScreen(Screen):
    """Counts what each side captured and suggests the answer; the answer alone is recorded.

    Where one side's points give the other's (a total is known), the list is ticked off for one side.
    """

    def __init__(self, app):
        Screen.__init__(self, app)
        self._counts = [bytearray(24), bytearray(24)]
        self._rows = ()
        self._total = 0
        self.side = 0
        self.at = 0
        self.first = 0

    def enter(self):
        app = self.app
        aid = app.session.rules.AIDS[app.aid(app.session.question)]
        self._rows = aid[1]
        self._total = aid[2]
        self.side = 0
        self.at = 0
        self.first = 0
        for side in range(2):
            for place in range(24):
                self._counts[side][place] = 0

    def points(self, side):
        """Return the points counted for a side; where a total is known, the rest is the other side's."""
        if self._total and side != self.side:
            return self._total - self.points(self.side)
        points = 0
        for place in range(len(self._rows)):
            points += self._rows[place][1] * self._counts[side][place]
        return points

    def arrow(self, key, repeat):
        count = len(self._rows)
        if key == UP or key == DOWN:
            self.at = (self.at + (1 if key == DOWN else -1)) % count
        else:
            self._add(1 if key == RIGHT else -1)
        self.app.dirty = True

    def _add(self, by):
        most = self._rows[self.at][2]
        if not self._total:
            most -= self._counts[1 - self.side][self.at]
        counts = self._counts[self.side]
        counts[self.at] = (counts[self.at] + by) % (most + 1)

    def ok(self):
        self._add(1)
        self.app.dirty = True

    def ok_held(self):
        app = self.app
        rules = app.session.rules
        question = app.session.question
        answer = rules.suggest(question.ask, self.points(0), self.points(1))
        app.go(app.ask)
        if question.accepts(answer):
            app.ask.place = max(0, question.place(answer))
            if app.ask.arrows_choose(question) or answer >= WORD:
                app.give(answer)

    def back(self):
        if self._total:  # what one side does not have the other has
            for place in range(len(self._rows)):
                self._counts[1 - self.side][place] = self._rows[place][2] - self._counts[self.side][place]
        self.side = 1 - self.side
        self.app.dirty = True

    def back_held(self):
        self.app.go_match()

    def draw(self, pen):
        canvas = pen.canvas
        x = pen.text(2, 0, pen.sides[self.side], SMALL, right=WIDTH - 26)
        canvas.number_right(WIDTH - 2, 0, self.points(self.side), SMALL)
        canvas.invert(0, 0, WIDTH, 1)
        shown = 5
        count = len(self._rows)
        if self.at < self.first:
            self.first = self.at
        elif self.at >= self.first + shown:
            self.first = self.at - shown + 1
        for line in range(min(shown, count - self.first)):
            place = self.first + line
            page = 1 + line
            row = self._rows[place]
            got = self._counts[self.side][place]
            if row[2] == 1:
                canvas.icon(0, page, fonts.ICON_CHECKED if got else fonts.ICON_UNCHECKED)
            else:
                canvas.number(2, page, got, SMALL)
            x = pen.id(14, page, row[0], SMALL)
            canvas.number(max(x + 6, 60), page, row[1], SMALL, True)
            if place == self.at:
                canvas.invert(0, page, WIDTH - 4, 1)
        canvas.scrollbar(WIDTH - 3, 1, 5, self.first, shown, count)
        pen.id(0, 6, "aid.side", SMALL, CENTER)
        pen.foot("aid.hint")


class RenameScreen(ListScreen):
    """Chooses who is to be called otherwise."""

    title = "menu.rename"

    def count(self):
        return len(self.app.pen.names)

    def row(self, pen, place, page):
        pen.text(2, page, pen.names[place], TEXT)

    def ok(self):
        self.app.plan.choose_name(self.at, True)

    def back(self):
        self.app.go_match()


class MenuScreen(ListScreen):
    """What the table can do besides answering; only what is possible now is listed."""

    title = "menu.title"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self._items = bytearray(len(_MENU_IDS))
        self._count = 0

    def enter(self):
        self.at = 0
        self.first = 0
        self._count = 0
        session = self.app.session
        over = session.rules.over
        if over:
            self._add(_MENU_REMATCH)
        if not over and self.app.aid(session.question) >= 0:
            self._add(_MENU_COUNT)
        if session.steps:
            self._add(_MENU_UNDO)
        self._add(_MENU_HISTORY)
        if session.can_redeal():
            self._add(_MENU_REDEAL)
        if session.can_adjust():
            self._add(_MENU_ADJUST)
        if not over:
            self._add(_MENU_RENAME)
        self._add(_MENU_OPTIONS)
        if not over:
            self._add(_MENU_ASIDE)
            self._add(_MENU_END)
        else:
            self._add(_MENU_HOME)

    def _add(self, item):
        self._items[self._count] = item
        self._count += 1

    def count(self):
        return self._count

    def row(self, pen, place, page):
        pen.id(2, page, _MENU_IDS[self._items[place]], TEXT)

    def back(self):
        self.app.go_match()

    def ok(self):
        app = self.app
        item = self._items[self.at]
        if item == _MENU_COUNT:
            app.go(app.part("tools").counting)
        elif item == _MENU_UNDO:
            app.offer_undo()
        elif item == _MENU_HISTORY:
            app.go(app.part("history").deals)
        elif item == _MENU_REDEAL:
            app.confirm.ask("redeal.title", "redeal.sure", DO_REDEAL)
        elif item == _MENU_ADJUST:
            app.go(app.part("tools").adjusting)
        elif item == _MENU_RENAME:
            app.go(app.part("tools").renaming)
        elif item == _MENU_OPTIONS:
            app.look_at_options()
        elif item == _MENU_ASIDE:
            app.put_aside()
            app.go_home()
        elif item == _MENU_END:
            app.confirm.ask("end.title", "end.sure", DO_END)
        elif item == _MENU_REMATCH:
            app.rematch()
        else:
            app.go_home()
