"""What all games share: seats, sides, directions, options, the deal, and what a screen may ask of a game.

A game is a subclass in ``shared_rules/games``. It keeps its whole state in attributes made in
``__init__`` and set by ``start``, so that a match can be played again from its answers at any time
and nothing is allocated while it is played. Integers stay below 2**30.
"""

from .question import SEAT, SEAT_0, SEATS_MASK, WORD


def left(seat):
    """Return the next seat clockwise of four (RULES.md 0: left of N is E)."""
    return (seat + 1) & 3


def right(seat):
    """Return the next seat counter-clockwise of four (RULES.md 0: right of N is W)."""
    return (seat + 3) & 3


def partner(seat):
    """Return the seat across of four."""
    return seat ^ 2


def side_of(seat):
    """Return the side of a seat of four: 0 (A) for N and S, 1 (B) for E and W."""
    return seat & 1


class Option:
    """One option of a game: its id, default and what else it may be (LOG.md's table).

    ``values`` is a tuple of words or integers to choose from, or None for a range ``lo`` to ``hi``.
    A match holds an option as one integer: a number as itself, a word as its place in ``values``.
    ``first`` marks those that set-up offers first.
    """

    __slots__ = ("default", "first", "hi", "id", "lo", "values")

    def __init__(self, id, default, values=None, lo=0, hi=0, first=False):
        self.id = id
        self.values = values
        self.lo = lo
        self.hi = hi
        self.first = first
        self.default = self.code(default)

    def code(self, value):
        """Return the integer that stands for a value of the log, or -1 if it is not possible."""
        if self.values is None:
            if type(value) is int and self.lo <= value <= self.hi:
                return value
            return -1
        for place in range(len(self.values)):
            if type(value) is type(self.values[place]) and value == self.values[place]:
                return value if type(value) is int else place
        return -1

    def value(self, code):
        """Return the value of the log that an integer stands for."""
        if self.values is None or type(self.values[0]) is int:
            return code
        return self.values[code]

    def step(self, code, by):
        """Return the code ``by`` steps on, wrapping: the next value in a list, the next number in a range."""
        if self.values is None:
            return self.lo + (code - self.lo + by) % (self.hi - self.lo + 1)
        count = len(self.values)
        place = 0
        while place < count and self.code(self.values[place]) != code:
            place += 1
        return self.code(self.values[(place + by) % count])

    def possible(self):
        """Return the possible values in words, for an error message."""
        if self.values is None:
            return "%d to %d" % (self.lo, self.hi)
        return ", ".join([str(value) for value in self.values])


class Say:
    """One line for the table, as a text id and what to put into it. Reused, never allocated in play.

    seat, side   0.. or -1 where the text speaks of no player or side
    n, m         numbers in the text
    word         an answer word (WORD + place) in the text, or 0
    """

    __slots__ = ("id", "m", "n", "seat", "side", "word")

    def __init__(self):
        self.put("")

    def put(self, id, seat=-1, side=-1, n=0, m=0, word=0):
        """Set the line; returns True, so that a game can end with it."""
        self.id = id
        self.seat = seat
        self.side = side
        self.n = n
        self.m = m
        self.word = word
        return True


# Kinds of a column of the sheet: what the integer of a cell stands for. NO_CELL is an empty cell.
CELL_NUMBER = 0
CELL_SIGNED = 1  # shown with + or -
CELL_SEAT = 2
CELL_SIDE = 3
CELL_WORD = 4  # an answer: a number or WORD + place
CELL_TEXT = 5  # place in the column's own tuple of text ids
CELL_RUN = 6  # a run of numbers: lowest * 16 + highest
NO_CELL = -9999


class Column:
    """A column of a game's sheet. ``id`` is its text id; ``side`` the side it belongs to, or -1."""

    __slots__ = ("id", "kind", "side", "texts")

    def __init__(self, id, kind, side=-1, texts=()):
        self.id = id
        self.kind = kind
        self.side = side
        self.texts = texts


class Rules:
    """A game as a list of questions; see the module. One instance keeps one match."""

    GAME = ""  # the id
    WORDS = ()  # COMMON_WORDS and the game's own
    QUESTIONS = ()  # ids; where the game has deals, "deal" is the first
    OPTIONS = ()
    SEAT_WORDS = ("N", "E", "S", "W")
    MIN_SEATS = 4
    MAX_SEATS = 4
    SIDES = 2  # partnerships; 0 where everybody plays alone
    CLOCKWISE = True  # how deal and play go round
    ASK_DECIDES = False  # whether ``ask`` may have to go on by itself, so that it may not be left out
    DEALS = True  # whether there are deals to throw in and scores to adjust
    PRESSES = 0  # an ordinary deal should take no more key presses on average; the bench prints it
    LEAD = False  # the score is one lead (Seep) instead of a total for each side
    VOIDS = ("table",)  # reasons of thrown-in deals; the first is the table's own
    COLUMNS = ()
    BRIEF = ()  # places in COLUMNS of what the box's list of deals shows, at most six
    LABELS = ()  # by question: the labels of a MASK's bits, lowest first; None for other kinds
    COPIES = ()  # by question: how many cards there are of each bit of a MASK; None for other kinds
    ROWS = ()  # by question: what a MASK is called beside its row of the grid; None for other kinds
    AIDS = ()  # (ask, rows of (text id, value, how many), total of both sides or 0)
    EN = {}  # the game's words, by text id

    def __init__(self, options, seats=4):
        """Make the rules of a match: ``options`` one code for each of OPTIONS, ``seats`` players."""
        self.options = options
        self.seats = seats
        self.sliced = False  # long reckoning is done by the caller, in slices (``work``); else at once
        self.first_dealer = 0
        self.dealer = 0  # who dealt the deal under way or the last one
        self.to_deal = 0  # who is to deal next
        self.dealing = True  # "deal" is asked
        self.over = False
        self.winners = 0  # bit s: side s (where SIDES is 0: seat s) won or shares
        self.deals = 0  # finished and thrown-in deals
        self.void = -1  # place in VOIDS of the reason the deal just closed was thrown in, or -1
        self.closed = False  # the step just made closed a deal
        self.bazzi = -1  # the side that the step just made won a bazzi for, or -1 (Seep only)

    def option(self, id):
        """Return the code of an option of this match."""
        for place in range(len(self.OPTIONS)):
            if self.OPTIONS[place].id == id:
                return self.options[place]
        raise KeyError(id)

    @classmethod
    def conflict(cls, options):
        """Return two option ids that exclude each other as set here, or None. May allocate."""
        return None

    # -- the match, step by step -------------------------------------------------------------

    def start(self, dealer):
        """Begin the match anew with the one who is to deal first (Ten: the starting player)."""
        self.first_dealer = dealer
        self.dealer = dealer
        self.to_deal = dealer
        self.dealing = True
        self.over = False
        self.winners = 0
        self.deals = 0
        self.void = -1
        self.closed = False
        self.bazzi = -1
        self.reset()

    def reset(self):
        """Set the game's own state to that of a new match."""
        raise NotImplementedError

    def ask(self, question):
        """Fill in what is asked now."""
        raise NotImplementedError

    def answer(self, answer):
        """Take an answer that the question accepts."""
        raise NotImplementedError

    def work(self):
        """Do a short slice of the reckoning that a WAIT question waits for, or that was wanted; True when done.

        Most games reckon at once and never ask WAIT.
        """
        return True

    def want(self, owner):
        """Have ``work`` reckon the figure of a side (where SIDES is 0, a seat); True when it is there.

        A figure of -1 is not reckoned yet, and neither are that owner's cells (NO_CELL); only where
        ``sliced`` is set and a game takes long.
        """
        return True

    def ask_deal(self, question):
        """Ask who deals; expected is whose deal it is."""
        question.set(SEAT, 0, self.to_deal, 1, 0, SEATS_MASK, SEAT_0 + self.to_deal)

    def open_deal(self, answer):
        """Take the answer to "deal"."""
        self.dealer = answer - SEAT_0
        self.dealing = False

    def close_deal(self, void, to_deal):
        """End the deal under way: ``void`` -1 or its reason in VOIDS, and who is to deal next."""
        self.deals += 1
        self.void = void
        self.closed = True
        self.dealing = True
        self.to_deal = to_deal

    def redeal(self):
        """The table throws the deal in; the same dealer deals (LOG.md, commands)."""
        self.close_deal(0, self.dealer)

    def adjust(self, side, points):
        """The table corrects a score in a side's favour; see the games."""
        raise NotImplementedError

    def end(self):
        """The table stops the match; nobody wins."""
        self.over = True
        self.winners = 0

    def whose_deal(self):
        """Return the "dealer" of LOG.md: who deals, is to deal, or dealt last when it is over."""
        if self.dealing and not self.over:
            return self.to_deal
        return self.dealer

    # -- what a screen shows; nothing here allocates ------------------------------------------

    def figure(self, side):
        """Return the score of a side (where SIDES is 0, of a seat); with LEAD, its lead."""
        raise NotImplementedError

    def minor(self, side):
        """Return the smaller score beside the figure (Seep: bazzis), or -1 where there is none."""
        return -1

    def about(self, question, say):
        """Fill in whom the prompt of a question speaks of: the seat asked and a side."""
        say.put("", question.seat, 0)

    def hint(self, place, say):
        """Say the place-th line of what the table has to do now; False where there is none."""
        return False

    def result(self, place, say):
        """Say the place-th line about the deal just closed; False where there is none."""
        return False

    def detail(self, answer, say):
        """Say what an answer to the question asked would mean; False where there is nothing to add."""
        return False

    def warning(self, say):
        """Say what is odd about the answer just given though it was accepted; False where nothing is."""
        return False

    def rows(self):
        """Return how many rows of the sheet the deal just closed makes."""
        return 1

    def cell(self, row, column):
        """Return the integer in a cell of the deal just closed, or NO_CELL."""
        raise NotImplementedError

    def suggest(self, ask, first, second):
        """Return the answer that the points counted with an aid suggest."""
        raise NotImplementedError

    # -- JSON of LOG.md; for the laptop, may allocate -------------------------------------------

    def score(self):
        """Return the "score" of LOG.md."""
        raise NotImplementedError

    def report(self):
        """Return the entry of "deals" of LOG.md for the deal just closed, without n, dealer, void."""
        raise NotImplementedError

    def winner(self):
        """Return the "winner" of LOG.md: None while the match runs, else a list of sides."""
        if not self.over:
            return None
        names = ("A", "B") if self.SIDES else self.SEAT_WORDS
        return [names[i] for i in range(len(names)) if self.winners >> i & 1]

    def word(self, answer):
        """Return an answer as the log writes it: a number, or the word."""
        return answer if answer < WORD else self.WORDS[answer - WORD]

    @classmethod
    def code(cls, ask, word):
        """Return the answer that a word of the log stands for in a question, or -1.

        A suit S is not the seat S: where a word is both, it is the seat only when who dealt is asked.
        """
        found = -1
        for place in range(len(cls.WORDS)):
            if cls.WORDS[place] == word:
                found = WORD + place
                if cls.DEALS and ask == 0:
                    break
        return found


def sides(first, second):
    """Return the log's object of two sides' values."""
    return {"A": first, "B": second}


def side_word(side):
    """Return "A", "B", or None for -1."""
    return None if side < 0 else "AB"[side]
