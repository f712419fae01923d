"""Who sits where: names from the roster, or typed with the keys. May allocate."""

from ..keys import DOWN, RIGHT, UP
from ..pen import CENTER, SMALL, TEXT, WIDTH
from ..settings import LONG, judge
from .base import ListScreen, Screen

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ -'.0123456789ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ"

EN = {
    "names.title": "Who sits where?",
    "names.hint": "OK: change",
    "roster.title": "Who is it?",
    "roster.type": "Type a name",
    "type.hint": "OK done  hold: capital",
    "type.letters": "UP DOWN: letter",
    "type.keys": "RIGHT next  LEFT erase",
    "name.empty": "A name needs a letter",
    "name.long": "Too long",
    "name.sign": "Sign not possible",
    "roster.full": "24 names are known",
}


class Part:
    """The screens of this module, loaded together when one is needed."""

    EN = EN

    def __init__(self, app):
        self.seats = NamesScreen(app)
        self.roster = RosterScreen(app)
        self.typing = TypeScreen(app)


class NamesScreen(ListScreen):
    """Who sits where."""

    title = "names.title"
    hint = "names.hint"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.plan = app.plan

    def count(self):
        return len(self.plan.names)

    def row(self, pen, place, page):
        pen.text(2, page, self.plan.rules.SEAT_WORDS[place], SMALL)
        pen.text(20, page, self.plan.names[place], TEXT, right=WIDTH - 5)

    def ok(self):
        self.plan.choose_name(self.at, False)

    def back(self):
        self.app.go(self.app.part("setup").summary)


class RosterScreen(ListScreen):
    """Chooses a name from the roster, or a new one to type."""

    title = "roster.title"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.plan = app.plan
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
            self.plan.take_name(roster[self.at], self.seat, self.running)
        else:
            self.app.part("names").typing.open(self.seat, self.running)

    def back(self):
        if self.running:
            self.app.go(self.app.part("tools").renaming)
        else:
            self.app.go(self.app.part("names").seats)


class TypeScreen(Screen):
    """Types a name with the keys."""

    def __init__(self, app):
        Screen.__init__(self, app)
        self.plan = app.plan
        self.seat = 0
        self.running = False
        self.name = ""
        self.letter = 0
        self.small = False
        self.refused = ""

    def open(self, seat, running):
        """Type the name of a seat."""
        self.seat = seat
        self.running = running
        self.name = ""
        self.letter = 0
        self.small = False
        self.refused = ""
        self.app.go(self)

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
        elif key == RIGHT and judge(self.name + self._current() + ".")[1] == LONG:
            self.refused = LONG
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
            self.plan.take_name(name, self.seat, self.running)

    def ok_held(self):
        self.small = not self.small

    def back(self):
        self.app.go(self.app.part("names").roster)

    def draw(self, pen):
        pen.title("roster.type")
        shown = self.name
        while pen.canvas.text_width(shown, TEXT) > WIDTH - 20:  # the end is what is being typed
            shown = shown[1:]
        x = pen.text(2, 2, shown, TEXT)
        pen.text(x + 1, 2, self._current(), TEXT)
        pen.canvas.invert(x, 2, 10, 2)
        if self.refused:
            pen.id(0, 4, self.refused, SMALL, CENTER)
        pen.id(0, 5, "type.letters", SMALL, CENTER)
        pen.id(0, 6, "type.keys", SMALL, CENTER)
        pen.foot("type.hint")
