"""Setting a match up: which game, how many players, who is to deal first. May allocate: no match runs yet."""

from shared_rules import catalog

from ..pen import CENTER, SMALL, TEXT, WIDTH
from .base import ListScreen, Screen
from .table import draw_seat

_TURNS = 2  # rounds of the table that a draw makes at least
_FIRST_MS = 70  # between the first places of a draw; it slows down

EN = {
    "game.title": "Which game?",
    "count.title": "How many players?",
    "setup.start": "Start",
    "setup.names": "Names",
    "setup.options": "House rules",
    "setup.dealer": "First:",
    "setup.draw": "drawn by lot",
    "setup.hint": "OK: choose",
    "draw.running": "Drawing...",
    "draw.done": "{seat} begins",
    "draw.ok": "OK: start",
}


class Part:
    """The screens of this module, loaded together when one is needed."""

    EN = EN

    def __init__(self, app):
        self.games = GameScreen(app)
        self.players = CountScreen(app)
        self.summary = SummaryScreen(app)
        self.first = FirstScreen(app)


class GameScreen(ListScreen):
    """Chooses the game."""

    title = "game.title"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.plan = app.plan

    def count(self):
        return len(catalog.GAMES)

    def row(self, pen, place, page):
        pen.text(2, page, self.app.game_titles[catalog.GAMES[place]], TEXT)

    def ok(self):
        self.plan.choose_game(catalog.GAMES[self.at])


class CountScreen(ListScreen):
    """Chooses how many play."""

    title = "count.title"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.plan = app.plan

    def enter(self):
        self.at = min(3, self.count() - 1)

    def count(self):
        rules = self.plan.rules
        return rules.MAX_SEATS - rules.MIN_SEATS + 1

    def row(self, pen, place, page):
        pen.canvas.number(2, page, self.plan.rules.MIN_SEATS + place, TEXT)

    def ok(self):
        self.plan.seat(self.plan.rules.MIN_SEATS + self.at)

    def back(self):
        self.app.go(self.app.part("setup").games)


class SummaryScreen(ListScreen):
    """Start, or change names, house rules, and who is to deal first."""

    title = "setup.start"
    hint = "setup.hint"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.plan = app.plan

    def enter(self):
        self.at = self.plan.row

    def head(self, pen):
        pen.text(2, 0, self.app.game_titles[self.plan.game], SMALL)

    def count(self):
        return 4

    def row(self, pen, place, page):
        if place == 0:
            pen.id(2, page, "setup.start", TEXT)
        elif place == 1:
            pen.id(2, page, "setup.names", TEXT)
        elif place == 2:
            x = pen.id(2, page, "setup.dealer", TEXT)
            dealer = self.plan.dealer
            if dealer < 0:
                pen.id(x + 5, page + 1, "setup.draw", SMALL)
            else:
                pen.text(x + 5, page, self.plan.names[dealer], TEXT, right=WIDTH - 5)
        else:
            pen.id(2, page, "setup.options", TEXT)

    def ok(self):
        plan = self.plan
        plan.row = self.at
        if self.at == 0:
            if plan.dealer < 0:
                self.app.part("setup").first.draw_lot()
            else:
                plan.start(plan.dealer)
        elif self.at == 1:
            self.app.go(self.app.part("names").seats)
        elif self.at == 2:
            self.change(1)
        else:
            self.app.part("options").options.open(False)

    def change(self, by):
        if self.at == 2:
            count = len(self.plan.names) + 1
            self.plan.dealer = (self.plan.dealer + 1 + by) % count - 1
            self.app.dirty = True

    def back(self):
        self.app.go(self.app.part("setup").games)


class FirstScreen(Screen):
    """Draws by lot who is to deal first, for everybody to see; an arrow still chooses."""

    def __init__(self, app):
        Screen.__init__(self, app)
        self.plan = app.plan
        self.at = 0
        self.left = 0  # places still to go
        self._since = 0
        self._wait_ms = 0

    def draw_lot(self):
        """Let the mark run round the table and stop somewhere."""
        count = len(self.plan.names)
        self.at = self.app.board.random(count)
        self.left = _TURNS * count + self.app.board.random(count)
        self._since = self.app.now
        self._wait_ms = _FIRST_MS
        self.app.pen.names = list(self.plan.names)
        self.app.go(self)

    def tick(self, now):
        if self.left and self.app.since(self._since) >= self._wait_ms:
            self._since = now
            self._wait_ms += self._wait_ms // 5
            self.at = (self.at + 1) % len(self.plan.names)
            self.left -= 1
            self.app.dirty = True

    def arrow(self, key, repeat):
        if self._table() and not repeat:
            self.left = 0
            self.at = key
            self.app.dirty = True

    def _table(self):
        """Tell whether the players sit at the four sides of a table."""
        return self.plan.rules is not None and self.plan.rules.SIDES and len(self.plan.names) == 4

    def ok(self):
        if self.left:
            return  # the lot has not fallen yet
        self.plan.start(self.at)

    def back(self):
        self.app.go(self.app.part("setup").summary)

    def draw(self, pen):
        names = self.plan.names
        if self._table():
            for seat in range(4):
                draw_seat(pen, seat, -1, seat == self.at)
        else:
            for seat in range(len(names)):
                pen.text(20, seat, names[seat], SMALL)
                if seat == self.at:
                    pen.canvas.invert(18, seat, 90, 1)
        page = 4 if self._table() else 6
        if self.left:
            pen.id(0, page, "draw.running", SMALL, CENTER)
        else:
            pen.say.put("draw.done", self.at)
            pen.said(0, page, pen.say, SMALL, CENTER)
            pen.id(0, page + 1, "draw.ok", SMALL, CENTER)
