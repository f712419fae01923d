"""Setting a match up: game, players, house rules, who is to deal first. May allocate: no match runs yet."""

from shared_rules import catalog
from shared_rules.text import Texts

from ..keys import DOWN, RIGHT, UP
from ..pen import CENTER, SMALL, TEXT, WIDTH
from ..pen import RIGHT as RIGHT_ALIGNED
from ..settings import judge
from .base import ListScreen, Screen
from .table import draw_seat

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ -'.0123456789ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ"
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
    "names.title": "Who sits where?",
    "names.hint": "OK: change",
    "roster.title": "Who is it?",
    "roster.type": "Type a name",
    "type.hint": "OK done  hold: capital",
    "type.keys": "UP DOWN letter  LEFT erase",
    "options.hint": "LEFT RIGHT: change",
    "options.clash": "These two exclude each other",
    "options.more": "More...",
    "draw.running": "Drawing...",
    "draw.done": "{seat} begins",
    "draw.ok": "OK: start",
    "name.empty": "A name needs a letter",
    "name.long": "Too long",
    "name.sign": "Sign not possible",
    "roster.full": "24 names are known",
}


class Part:
    """What has been chosen so far, and the screens that choose it."""

    EN = EN

    def __init__(self, app):
        self.app = app
        self.game = ""
        self.rules = None
        self.texts = None
        self.codes = []
        self.names = []
        self.dealer = -1  # -1: drawn by lot
        self.first = FirstScreen(app, self)
        self.games = GameScreen(app, self)
        self.players = CountScreen(app, self)
        self.summary = SummaryScreen(app, self)
        self.seats = NamesScreen(app, self)
        self.roster = RosterScreen(app, self)
        self.typing = TypeScreen(app, self)
        self.options = OptionsScreen(app, self)

    def begin(self):
        """Choose the game."""
        self.app.go(self.games)

    def choose_game(self, game):
        """Take the game, with its house rules as remembered."""
        app = self.app
        self.game = game
        self.rules = catalog.load(game)
        self.texts = Texts(self.rules, app.catalogues)
        self.codes = app.settings.house_codes(self.rules)
        self.dealer = -1
        if self.rules.MIN_SEATS != self.rules.MAX_SEATS:
            app.go(self.players)
        else:
            self.seat(self.rules.MIN_SEATS)

    def seat(self, count):
        """Take the number of players, called as in the last match of so many."""
        roster = self.app.settings.roster
        self.names = []
        for place in range(count):
            if place < len(roster):
                self.names.append(roster[place])
            else:
                self.names.append(self.texts.get("seat." + self.rules.SEAT_WORDS[place]))
        self.app.go(self.summary)

    def start(self, dealer):
        """Begin the match."""
        app = self.app
        if not app.new_match(self.game, self.codes, self.names, dealer):
            app.tell("save.full", app.home)

    def choose_name(self, seat, running):
        """Choose who sits in a seat: of the match to come, or (``running``) of the one under way."""
        self.roster.choose(seat, running)
        self.app.go(self.roster)

    def take_name(self, name):
        """Take the name chosen for the seat, and remember a new one in the roster."""
        app = self.app
        settings = app.settings
        if name not in settings.roster and not settings.add_name(name)[1]:
            settings.save()
        seat = self.roster.seat
        if self.roster.running:
            app.rename(seat, name)
        else:
            self.names[seat] = name
            app.go(self.seats)

    def show_options(self):
        """Show the options of the match under way, which it keeps for life."""
        rules = self.app.session.rules
        self.rules = rules
        self.texts = self.app.pen.texts
        self.codes = rules.options
        self.options.fixed = True
        self.app.go(self.options)


class GameScreen(ListScreen):
    """Chooses the game."""

    title = "game.title"

    def __init__(self, app, setup):
        ListScreen.__init__(self, app)
        self.setup = setup

    def count(self):
        return len(catalog.GAMES)

    def row(self, pen, place, page):
        pen.text(2, page, self.app.game_titles[catalog.GAMES[place]], TEXT)

    def ok(self):
        self.setup.choose_game(catalog.GAMES[self.at])


class CountScreen(ListScreen):
    """Chooses how many play."""

    title = "count.title"

    def __init__(self, app, setup):
        ListScreen.__init__(self, app)
        self.setup = setup

    def enter(self):
        self.at = min(3, self.count() - 1)

    def count(self):
        rules = self.setup.rules
        return rules.MAX_SEATS - rules.MIN_SEATS + 1

    def row(self, pen, place, page):
        pen.canvas.number(2, page, self.setup.rules.MIN_SEATS + place, TEXT)

    def ok(self):
        self.setup.seat(self.setup.rules.MIN_SEATS + self.at)

    def back(self):
        self.setup.begin()


class SummaryScreen(ListScreen):
    """Start, or change names, house rules, and who is to deal first."""

    title = "setup.start"
    hint = "setup.hint"

    def __init__(self, app, setup):
        ListScreen.__init__(self, app)
        self.setup = setup

    def head(self, pen):
        pen.text(2, 0, self.app.game_titles[self.setup.game], SMALL)

    def count(self):
        return 4

    def row(self, pen, place, page):
        if place == 0:
            pen.id(2, page, "setup.start", TEXT)
        elif place == 1:
            pen.id(2, page, "setup.names", TEXT)
        elif place == 2:
            x = pen.id(2, page, "setup.dealer", TEXT)
            dealer = self.setup.dealer
            if dealer < 0:
                pen.id(x + 5, page + 1, "setup.draw", SMALL)
            else:
                pen.text(x + 5, page, self.setup.names[dealer], TEXT, right=WIDTH - 5)
        else:
            pen.id(2, page, "setup.options", TEXT)

    def ok(self):
        setup = self.setup
        if self.at == 0:
            if setup.dealer < 0:
                setup.first.draw_lot()
            else:
                setup.start(setup.dealer)
        elif self.at == 1:
            self.app.go(setup.seats)
        elif self.at == 2:
            self.change(1)
        else:
            setup.options.fixed = False
            self.app.go(setup.options)

    def change(self, by):
        if self.at == 2:
            count = len(self.setup.names) + 1
            self.setup.dealer = (self.setup.dealer + 1 + by) % count - 1
            self.app.dirty = True

    def back(self):
        self.setup.begin()


class FirstScreen(Screen):
    """Draws by lot who is to deal first, for everybody to see; an arrow still chooses."""

    def __init__(self, app, setup):
        Screen.__init__(self, app)
        self.setup = setup
        self.at = 0
        self.left = 0  # places still to go
        self._since = 0
        self._wait_ms = 0

    def draw_lot(self):
        """Let the mark run round the table and stop somewhere."""
        count = len(self.setup.names)
        self.at = self.app.board.random(count)
        self.left = _TURNS * count + self.app.board.random(count)
        self._since = self.app.now
        self._wait_ms = _FIRST_MS
        self.app.pen.names = list(self.setup.names)
        self.app.go(self)

    def tick(self, now):
        if self.left and self.app.since(self._since) >= self._wait_ms:
            self._since = now
            self._wait_ms += self._wait_ms // 5
            self.at = (self.at + 1) % len(self.setup.names)
            self.left -= 1
            self.app.dirty = True

    def arrow(self, key, repeat):
        if len(self.setup.names) == 4 and not repeat:
            self.left = 0
            self.at = key
            self.app.dirty = True

    def ok(self):
        if self.left:
            return  # the lot has not fallen yet
        self.setup.start(self.at)

    def back(self):
        self.app.go(self.setup.summary)

    def draw(self, pen):
        names = self.setup.names
        if len(names) == 4:
            for seat in range(4):
                draw_seat(pen, seat, -1, seat == self.at)
        else:
            for seat in range(len(names)):
                pen.text(20, seat, names[seat], SMALL)
                if seat == self.at:
                    pen.canvas.invert(18, seat, 90, 1)
        page = 4 if len(names) == 4 else 6
        if self.left:
            pen.id(0, page, "draw.running", SMALL, CENTER)
        else:
            pen.say.put("draw.done", self.at)
            pen.said(0, page, pen.say, SMALL, CENTER)
            pen.id(0, page + 1, "draw.ok", SMALL, CENTER)


class NamesScreen(ListScreen):
    """Who sits where."""

    title = "names.title"
    hint = "names.hint"

    def __init__(self, app, setup):
        ListScreen.__init__(self, app)
        self.setup = setup

    def count(self):
        return len(self.setup.names)

    def row(self, pen, place, page):
        pen.text(2, page, self.setup.rules.SEAT_WORDS[place], SMALL)
        pen.text(20, page, self.setup.names[place], TEXT, right=WIDTH - 5)

    def ok(self):
        self.setup.choose_name(self.at, False)

    def back(self):
        self.app.go(self.setup.summary)


class RosterScreen(ListScreen):
    """Chooses a name from the roster, or a new one to type."""

    title = "roster.title"

    def __init__(self, app, setup):
        ListScreen.__init__(self, app)
        self.setup = setup
        self.seat = 0
        self.running = False

    def choose(self, seat, running):
        """Set whose name is chosen."""
        self.seat = seat
        self.running = running
        self.at = 0

    def count(self):
        return len(self.app.settings.roster) + 1

    def row(self, pen, place, page):
        roster = self.app.settings.roster
        if place < len(roster):
            pen.text(2, page, roster[place], TEXT, right=WIDTH - 5)
        else:
            pen.id(2, page, "roster.type", TEXT)

    def ok(self):
        roster = self.app.settings.roster
        if self.at < len(roster):
            self.setup.take_name(roster[self.at])
        else:
            self.app.go(self.setup.typing)

    def back(self):
        if self.running:
            self.app.go(self.app.part("tools").renaming)
        else:
            self.app.go(self.setup.seats)


class TypeScreen(Screen):
    """Types a name with the keys."""

    def __init__(self, app, setup):
        Screen.__init__(self, app)
        self.setup = setup
        self.name = ""
        self.letter = 0
        self.small = False
        self.refused = ""

    def enter(self):
        self.name = ""
        self.letter = 0
        self.small = False
        self.refused = ""

    def _current(self):
        letter = LETTERS[self.letter]
        if not self.small or letter in " -'.0123456789":
            return letter
        code = ord(letter)
        return chr(code + 32)  # ASCII and Latin-1 alike

    def arrow(self, key, repeat):
        self.refused = ""
        if key == UP or key == DOWN:
            self.letter = (self.letter + (1 if key == UP else -1)) % len(LETTERS)
        elif key == RIGHT:
            self.name += self._current()
            self.small = self._current() not in " -'"
        elif self.name:
            self.name = self.name[:-1]
            self.small = bool(self.name)
        self.app.dirty = True

    def ok(self):
        name, reason = judge(self.name)
        if reason:
            self.refused = reason
            self.app.dirty = True
        else:
            self.setup.take_name(name)

    def ok_held(self):
        self.small = not self.small

    def back(self):
        self.app.go(self.setup.roster)

    def draw(self, pen):
        pen.title("roster.type")
        x = pen.text(2, 2, self.name, TEXT, right=WIDTH - 16)
        pen.text(x + 1, 2, self._current(), TEXT)
        pen.canvas.invert(x, 2, 10, 2)
        if self.refused:
            pen.id(0, 5, self.refused, SMALL, CENTER)
        pen.id(0, 6, "type.keys", SMALL, CENTER)
        pen.foot("type.hint")


class OptionsScreen(ListScreen):
    """The options of the game: LEFT and RIGHT change them; a running match only shows its own."""

    title = "setup.options"
    hint = "options.hint"

    def __init__(self, app, setup):
        ListScreen.__init__(self, app)
        self.setup = setup
        self.fixed = False
        self.all = False  # the options further off are shown too

    def enter(self):
        self.at = 0
        self.first = 0
        self.all = self.fixed

    def _firsts(self):
        count = 0
        for option in self.setup.rules.OPTIONS:
            if option.first:
                count += 1
        return count

    def count(self):
        return len(self.setup.rules.OPTIONS) if self.all else self._firsts() + 1

    def row(self, pen, place, page):
        setup = self.setup
        if not self.all and place == self._firsts():
            pen.id(2, page, "options.more", TEXT)
            return
        option = setup.rules.OPTIONS[place]
        code = setup.codes[place]
        pen.text(2, page, setup.texts.get("o." + option.id), SMALL)
        value = setup.texts.option(option, code)
        if value:
            pen.text(2, page + 1, value, SMALL, RIGHT_ALIGNED, WIDTH - 8)
        else:
            pen.canvas.number_right(WIDTH - 8, page, code, TEXT)

    def change(self, by):
        setup = self.setup
        if self.fixed or (not self.all and self.at == self._firsts()):
            return
        option = setup.rules.OPTIONS[self.at]
        former = setup.codes[self.at]
        setup.codes[self.at] = option.step(former, by)
        if setup.rules.conflict(setup.codes):
            setup.codes[self.at] = former
            self.app.tell("options.clash", self)
            return
        remembered = {}
        for place in range(len(setup.codes)):
            option = setup.rules.OPTIONS[place]
            if setup.codes[place] != option.default:
                remembered[option.id] = option.value(setup.codes[place])
        self.app.settings.set_house(setup.game, remembered)
        self.app.settings.save()
        self.app.dirty = True

    def ok(self):
        if not self.all and self.at == self._firsts():
            self.all = True
            self.app.dirty = True
        else:
            self.change(1)

    def back(self):
        if self.fixed:
            self.app.go_match()
        else:
            self.app.go(self.setup.summary)
