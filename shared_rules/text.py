"""Words for the table: text ids to words, one catalogue per language, and a game's own words from its module.

A text may hold places: {seat} {side} {n} {+n} {m} {+m} {word}. They are split off once, when a game is
loaded, so that drawing a text builds no strings.
"""

from .question import COMMON_WORDS, const

PLACE_SEAT = const(0)
PLACE_SIDE = const(1)
PLACE_N = const(2)
PLACE_SIGNED = const(3)
PLACE_M = const(4)
PLACE_WORD = const(5)
PLACE_M_SIGNED = const(6)

_PLACES = ("seat", "side", "n", "+n", "m", "word", "+m")


def split(text):
    """Return a text as a tuple of strings and places (small integers)."""
    parts = []
    while text:
        start = text.find("{")
        if start < 0:
            parts.append(text)
            break
        if start:
            parts.append(text[:start])
        end = text.find("}", start)
        parts.append(_PLACES.index(text[start + 1 : end]))
        text = text[end + 1 :]
    return tuple(parts)


SPLIT = ""  # an id that a catalogue has when its texts are split: those of a board are when it is built


def split_all(catalogue):
    """Put the parts in the place of each text of a catalogue that has places."""
    if SPLIT not in catalogue:
        for id in catalogue:
            text = catalogue[id]
            if "{" in text:
                catalogue[id] = split(text)
        catalogue[SPLIT] = SPLIT


class Texts:
    """The words of one language for one game.

    ``prompts`` has the text that asks each question and ``names`` what a list calls it, ``words`` the text
    of each answer word, ``voids`` of each reason to throw a deal in. ``get`` gives any text by its id.
    ``rules`` is the Rules class whose words they are.
    """

    def __init__(self, rules, catalogues):
        """Load the words for a Rules class: its own, then those of ``catalogues``, a list of dicts of id to text.

        The list may change later; ``split`` has to be called for a catalogue that is added.
        """
        self.rules = rules
        self._own = rules.EN
        self._catalogues = catalogues
        split_all(self._own)
        for catalogue in catalogues:
            split_all(catalogue)
        self.prompts = [self.get("q." + id) for id in rules.QUESTIONS]
        self.names = [self.get("n." + id if self.has("n." + id) else "q." + id) for id in rules.QUESTIONS]
        self.words = [self.get("w." + word) for word in COMMON_WORDS]
        for word in rules.WORDS[len(COMMON_WORDS) :]:  # a suit S is not the seat S
            self.words.append(self.get(("w.own." if word in COMMON_WORDS else "w.") + word))
        self.voids = [self.get("void." + void) for void in rules.VOIDS]

    def has(self, id):
        """Tell whether there is a text of this id."""
        if id in self._own:
            return True
        for catalogue in self._catalogues:
            if id in catalogue:
                return True
        return False

    def get(self, id):
        """Return a text: a string, or where it has places a tuple of its parts. Raises KeyError."""
        if id in self._own:
            return self._own[id]
        for catalogue in self._catalogues:
            if id in catalogue:
                return catalogue[id]
        raise KeyError(id)

    def option(self, option, code):
        """Return the words for an option's value, or "" where the value is a number."""
        value = option.value(code)
        if type(value) is int:
            return ""
        return self.get("v." + option.id + "." + value)


# Words every game shares. The application's own words are in keeper.words.
EN = {
    "game.seep": "Seep",
    "game.smear": "Smear",
    "game.euchre": "Bid Euchre",
    "game.ten": "Ten",
    "seat.N": "North",
    "seat.E": "East",
    "seat.S": "South",
    "seat.W": "West",
    "n.deal": "Dealer",
    "value": "{word}",
    "w.count": "played",
    "w.N": "N",
    "w.E": "E",
    "w.S": "S",
    "w.W": "W",
    "w.A": "A",
    "w.B": "B",
    "w.none": "none",
    "w.pass": "pass",
    "void.table": "Thrown in by the table",
}

LANGUAGES = {"en": EN}
