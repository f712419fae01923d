"""What the box remembers besides matches: its settings, the options each game was last played with, the roster."""

from shared_rules import catalog
from shared_rules.question import const
from shared_rules.rules import Option

from . import store

# Seconds; 0 switches dimming or blanking off. The display's are for the installer's "settings" too.
TABLE = (
    Option("brightness", 4, None, 1, 5),
    Option("flip", "off", ("off", "on")),
    Option("dim_s", 60, None, 0, 3600),
    Option("blank_s", 300, None, 0, 7200),
    Option("blank_match_s", 1800, None, 0, 7200),
    Option("sound", "on", ("on", "off")),
    Option("display", "ssd1306", ("ssd1306", "sh1106")),
    Option("column_offset", 0, (0, 2)),
    Option("language", "en", ("en",)),
)

MOST_NAMES = const(24)
MOST_NAME_BYTES = const(24)  # UTF-8; three records of the journal

EMPTY = "name.empty"  # text ids of the reasons why a name is refused
LONG = "name.long"
SIGN = "name.sign"
FULL = "roster.full"

FILE = "settings"


def _space(sign):
    """Tell whether a character shows as nothing but room."""
    code = ord(sign)
    return code in (0x20, 0xA0, 0x1680, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


def _hidden(code):
    """Tell whether a character controls instead of showing: controls, line ends, directions, halves of pairs."""
    return (
        code < 0x20
        or 0x7F <= code < 0xA0
        or 0x2028 <= code <= 0x202E
        or 0x2066 <= code <= 0x2069
        or 0xD800 <= code < 0xE000
        or code == 0xFEFF
    )


def judge(name):
    """Return (name without spaces around it, "") for a possible name of a player, else ("", reason's text id).

    Possible is a string that shows something, without control characters, at most 24 bytes long in UTF-8.
    """
    if type(name) is not str:
        return "", SIGN
    start = 0
    end = len(name)
    while start < end and _space(name[start]):
        start += 1
    while start < end and _space(name[end - 1]):
        end -= 1
    if start == end:
        return "", EMPTY
    name = name[start:end]
    for sign in name:
        if _hidden(ord(sign)):
            return "", SIGN
    if len(name.encode()) > MOST_NAME_BYTES:
        return "", LONG
    return name, ""


def _place(id):
    for place in range(len(TABLE)):
        if TABLE[place].id == id:
            return place
    return -1


class Settings:
    """The settings kept in a folder. Changing any of them is rare and may allocate; looking at one does not.

    warnings  short lines about damage found by ``load``
    roster    the names of players, in the order they were added
    """

    def __init__(self, folder, files=store.FILES):
        self._path = folder + "/" + FILE
        self._files = files
        self.warnings = []
        self._forget()

    def _forget(self):
        self._codes = [option.default for option in TABLE]
        self._houses = {}
        self.roster = []

    def load(self):
        """Read the file; what is missing or impossible in it gets its default."""
        self._forget()
        kept = store.load(self._path, {}, self.warnings, self._files)
        if type(kept) is not dict:
            kept = {}
        values = kept.get("settings", {})
        for id in values:
            if _place(id) >= 0 and not self.set(id, values[id]):
                self.warnings.append("setting %s cannot be %s; default taken" % (id, values[id]))
        houses = kept.get("houses", {})
        for game in houses:  # judged when they are used: loading every game here would fill the memory
            if game in catalog.GAMES and type(houses[game]) is dict:
                self._houses[game] = houses[game]
        for name in kept.get("roster", []):
            self.add_name(name)

    def save(self):
        """Keep everything; False: the disk is full or failing, and the former file stands."""
        values = {}
        for place in range(len(TABLE)):
            if self._codes[place] != TABLE[place].default:
                values[TABLE[place].id] = TABLE[place].value(self._codes[place])
        try:
            store.save(self._path, {"settings": values, "houses": self._houses, "roster": self.roster}, self._files)
        except OSError:
            return False
        return True

    # -- the table ----------------------------------------------------------------------------------

    def get(self, id):
        """Return a setting's value, a number or a word; raises KeyError for an unknown id."""
        return TABLE[self._find(id)].value(self.code(id))

    def code(self, id):
        """Return a setting as an integer: the number, or the word's place; raises KeyError."""
        return self._codes[self._find(id)]

    def _find(self, id):
        place = _place(id)
        if place < 0:
            raise KeyError(id)
        return place

    def set(self, id, value):
        """Change a setting; False: there is no such setting or value, and nothing changed."""
        place = _place(id)
        if place < 0:
            return False
        code = TABLE[place].code(value)
        if code < 0:
            return False
        self._codes[place] = code
        return True

    def step(self, id, by):
        """Move a setting ``by`` values on, wrapping; raises KeyError."""
        place = self._find(id)
        self._codes[place] = TABLE[place].step(self._codes[place], by)

    # -- house rules -------------------------------------------------------------------------------

    def house(self, game):
        """Return the remembered options of a game, option id -> value; those not in it have their default."""
        return self._houses.get(game, {})

    def house_codes(self, rules):
        """Return one code for each of the options of a Rules class: the remembered ones, where still possible."""
        kept = self.house(rules.GAME)
        codes = []
        for option in rules.OPTIONS:
            code = option.code(kept[option.id]) if option.id in kept else -1
            codes.append(option.default if code < 0 else code)
        if rules.conflict(codes):
            return [option.default for option in rules.OPTIONS]
        return codes

    def set_house(self, game, options):
        """Remember options of a game, id -> value; False: one is impossible or two exclude each other.

        Loads the game's module.
        """
        if game not in catalog.GAMES or type(options) is not dict:
            return False
        rules = catalog.load(game)
        codes = [option.default for option in rules.OPTIONS]
        found = 0
        for place in range(len(rules.OPTIONS)):
            option = rules.OPTIONS[place]
            if option.id in options:
                codes[place] = option.code(options[option.id])
                found += 1
                if codes[place] < 0:
                    return False
        if found != len(options) or rules.conflict(codes):
            return False
        self._houses[game] = dict(options)
        return True

    # -- roster ----------------------------------------------------------------------------------------

    def add_name(self, name):
        """Put a name on the roster (once); returns (name as kept, "") or ("", reason's text id)."""
        name, reason = judge(name)
        if reason or name in self.roster:
            return name, reason
        if len(self.roster) >= MOST_NAMES:
            return "", FULL
        self.roster.append(name)
        return name, ""

    def remove_name(self, name):
        """Take a name off the roster; False: it is not there."""
        if name not in self.roster:
            return False
        self.roster.remove(name)
        return True

    def set_roster(self, names):
        """Replace the roster; returns "" or the reason's text id, and then nothing changed."""
        former = self.roster
        self.roster = []
        for name in names:
            reason = self.add_name(name)[1]
            if reason:
                self.roster = former
                return reason
        return ""
