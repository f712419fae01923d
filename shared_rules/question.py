"""The question: the one thing a game asks at a time, and the one place that says what is legal.

An answer is one small integer. A number is itself (0 to 2047); a word is ``WORD`` plus the word's
place in the game's ``WORDS``. The first nine words are the same in every game, so that a screen can
draw seats, sides, "none", "pass" and "count" without knowing the game.
"""


def const(value):
    """Return the value; MicroPython folds calls of this name when it compiles."""
    return value


NUMBER = const(0)  # a number, perhaps with words beside it
CHOICE = const(1)  # one of a few words
SEAT = const(2)  # a player, perhaps with words beside it
SIDE = const(3)  # a partnership, perhaps "none"
MASK = const(4)  # a set of cards, one bit each
OVER = const(5)  # nothing: the match is over
WAIT = const(6)  # nothing yet: the rules still reckon (Rules.work) what comes next

TABLE = const(-1)  # the seat of a question put to the whole table
NO_ASK = const(255)  # the ask of OVER and WAIT, which no recorded answer has

WORD = const(0x1000)
COUNT = const(0x1000)
SEAT_0 = const(0x1001)  # N (P1), and after it clockwise
SIDE_0 = const(0x1005)  # A, and after it B
NONE = const(0x1007)
PASS = const(0x1008)
OWN_0 = const(0x1009)  # the first of the game's own words

COMMON_WORDS = ("count", "N", "E", "S", "W", "A", "B", "none", "pass")

SEATS_MASK = const(0x1E)  # bits of `words` for the four seats
SIDES_MASK = const(0x60)
COUNT_BIT = const(0x01)
NONE_BIT = const(0x80)
PASS_BIT = const(0x100)
OWN_BIT = const(0x200)  # the first own word; shift left for the next ones


class Question:
    """What is asked now. Filled in place by ``Rules.ask``, so that asking allocates nothing.

    kind     one of NUMBER, CHOICE, SEAT, SIDE, MASK, OVER, WAIT
    ask      place of the question's id in the game's QUESTIONS
    seat     0.. for a player, TABLE for the table
    lo, hi   the numbers accepted, both ends included; none when lo > hi
    words    bit i set: the word WORD + i is accepted
    default  the answer offered first; always one that is accepted
    """

    __slots__ = ("ask", "default", "hi", "kind", "lo", "seat", "words")

    def __init__(self):
        self.set(OVER, NO_ASK, TABLE, 1, 0, 0, 0)

    def set(self, kind, ask, seat, lo, hi, words, default):
        """Make this the question described; see the class for the fields."""
        self.kind = kind
        self.ask = ask
        self.seat = seat
        self.lo = lo
        self.hi = hi
        self.words = words
        self.default = default

    def copy(self, other):
        """Take over all fields of another question."""
        self.set(other.kind, other.ask, other.seat, other.lo, other.hi, other.words, other.default)

    def over(self):
        """Ask nothing: the match is over and no answer is accepted."""
        self.set(OVER, NO_ASK, TABLE, 1, 0, 0, 0)

    def wait(self):
        """Ask nothing yet: ``Rules.work`` has to be called until it is done."""
        self.set(WAIT, NO_ASK, TABLE, 1, 0, 0, 0)

    def accepts(self, answer):
        """Tell whether the answer is legal now. This is the only test of legality."""
        if answer < WORD:
            return self.lo <= answer <= self.hi
        return (self.words >> (answer - WORD)) & 1 == 1

    def count(self):
        """Return how many answers are accepted."""
        total = self.hi - self.lo + 1 if self.hi >= self.lo else 0
        mask = self.words
        while mask:
            total += mask & 1
            mask >>= 1
        return total

    def at(self, place):
        """Return the accepted answer at a place (0-based) of the order of LOG.md, or -1.

        The order: common words, then the numbers upwards, then the game's own words.
        """
        word = WORD
        mask = self.words
        while mask and word < OWN_0:
            if mask & 1:
                if place == 0:
                    return word
                place -= 1
            mask >>= 1
            word += 1
        if self.hi >= self.lo:
            if place <= self.hi - self.lo:
                return self.lo + place
            place -= self.hi - self.lo + 1
        while mask:
            if mask & 1:
                if place == 0:
                    return word
                place -= 1
            mask >>= 1
            word += 1
        return -1

    def place(self, answer):
        """Return the place of an accepted answer in the order of ``at``, or -1."""
        if not self.accepts(answer):
            return -1
        mask = self.words & (OWN_BIT - 1 if answer < WORD else (1 << (answer - WORD)) - 1)
        place = answer - self.lo if answer < WORD else 0
        if answer >= OWN_0 and self.hi >= self.lo:
            place = self.hi - self.lo + 1
        while mask:
            place += mask & 1
            mask >>= 1
        return place
