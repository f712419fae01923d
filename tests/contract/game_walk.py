"""Random matches of any game of the catalogue, and all that can be seen of a match.

Runs on CPython and on MicroPython; knows no game. ``Look.take`` allocates nothing.
"""

from array import array

from shared_rules.question import MASK, NO_ASK, WORD
from shared_rules.rules import Say

SEAT_NAMES = ("Agnes", "Bruno", "Clara", "David", "Emily")  # of five letters
MOST_LINES = 8  # more than any screen shows
MOST_DETAILS = 24  # answers of a question whose meaning is looked at


class Dice:
    """Random numbers that are the same on both interpreters."""

    def __init__(self, seed):
        self.state = seed * 7919 % 2147483646 + 1
        for _ in range(3):
            self.roll(2)

    def roll(self, count):
        """Return a number from 0 to count - 1."""
        self.state = self.state * 48271 % 2147483647
        return (self.state >> 7) % count


def random_code(option, dice):
    """Return a random code of an option; small numbers of a range are likelier, so that matches end."""
    if option.values is not None:
        return option.code(option.values[dice.roll(len(option.values))])
    throw = dice.roll(8)
    if throw < 3:
        return option.default
    if throw == 3:
        return option.lo
    if throw == 4:
        return option.hi
    top = min(option.hi, option.lo + 6 if throw < 7 else 2 * option.default)
    return option.lo + dice.roll(top - option.lo + 1) if top > option.lo else option.lo


def random_options(game, dice):
    """Return random codes of all options that do not exclude each other; about half of them the defaults."""
    while True:
        codes = [random_code(option, dice) if dice.roll(2) else option.default for option in game.OPTIONS]
        if not game.conflict(codes):
            return codes


def nth_word(words, place):
    """Return the answer of the place-th word of a question's ``words``."""
    word = WORD
    while True:
        if words & 1:
            if place == 0:
                return word
            place -= 1
        words >>= 1
        word += 1


def bits(words):
    """Return how many bits are set."""
    count = 0
    while words:
        count += words & 1
        words >>= 1
    return count


def choose(question, dice, dull=3):
    """Return a random legal answer: words and numbers as often, low numbers often, one in ``dull`` the default."""
    if dull and dice.roll(dull) == 0:
        return question.default
    numbers = max(0, question.hi - question.lo + 1)
    words = bits(question.words)
    if numbers and (not words or dice.roll(2)):
        if question.kind == MASK and dice.roll(2):
            return dice.roll(numbers) & dice.roll(numbers)
        few = min(numbers, 1 + dice.roll(4)) if words and dice.roll(2) else numbers
        return question.lo + dice.roll(few)
    return nth_word(question.words, dice.roll(words))


class Look:
    """What can be seen of a match: the question, and all that a screen may ask of the rules.

    scored   integers: the legal answers, figures, deals, cells, who deals, who won
    told     integers of the lines for the table
    ids      text ids of these lines
    """

    def __init__(self):
        self.say = Say()
        self.scored = array("i", [0] * 400)
        self.told = array("i", [0] * 600)
        self.ids = [""] * 120
        self.scores = 0
        self.tells = 0
        self.lines = 0

    def _score(self, value):
        self.scored[self.scores] = value
        self.scores += 1

    def _line(self, what, place):
        say = self.say
        self.ids[self.lines] = say.id
        self.lines += 1
        told = self.told
        at = self.tells
        told[at] = what
        told[at + 1] = place
        told[at + 2] = say.seat
        told[at + 3] = say.side
        told[at + 4] = say.n
        told[at + 5] = say.m
        told[at + 6] = say.word
        self.tells = at + 7

    def take_scores(self, session):
        """Look at what the score comes from, and at nothing that only tells the table."""
        self.scores = 0
        self.tells = 0
        self.lines = 0
        self.ask(session)
        self.figures(session)
        self.cells(session)

    def take(self, session):
        """Look at everything."""
        self.take_scores(session)
        self.hints(session)
        self.results(session)
        self.details(session)
        self.about(session)

    def ask(self, session):
        """Look at the question and at who deals."""
        question = session.question
        self._score(question.kind)
        self._score(question.ask)
        self._score(question.seat)
        self._score(question.lo)
        self._score(question.hi)
        self._score(question.words)
        rules = session.rules
        self._score(1 if rules.over else 0)
        self._score(rules.winners)
        self._score(rules.deals)
        self._score(rules.whose_deal())
        self._score(rules.bazzi)
        self.told[self.tells] = question.default
        self.tells += 1

    def figures(self, session):
        """Look at the scores."""
        rules = session.rules
        for side in range(rules.SIDES if rules.SIDES else rules.seats):
            self._score(rules.figure(side))
            self._score(rules.minor(side))

    def cells(self, session):
        """Look at the sheet's rows of the deal just closed."""
        rules = session.rules
        if rules.closed:
            self._score(rules.void)
            if rules.void < 0:
                for row in range(rules.rows()):
                    for column in range(len(rules.COLUMNS)):
                        self._score(rules.cell(row, column))

    def hints(self, session):
        """Look at the lines of what to do now."""
        for place in range(MOST_LINES):
            if not session.rules.hint(place, self.say):
                break
            self._line(1, place)

    def results(self, session):
        """Look at the lines about the deal just closed, and what is odd about the last answer."""
        rules = session.rules
        if rules.closed:
            for place in range(MOST_LINES):
                if not rules.result(place, self.say):
                    break
                self._line(2, place)
        if rules.warning(self.say):
            self._line(3, 0)

    def details(self, session):
        """Look at what answers would mean: the default, the first and the last ones."""
        question = session.question
        if question.ask == NO_ASK:
            return
        rules = session.rules
        if rules.detail(question.default, self.say):
            self._line(4, -1)
        count = question.count()
        most = MOST_DETAILS // 2
        for place in range(count):
            if place < most or place >= count - most:
                if rules.detail(question.at(place), self.say):
                    self._line(4, place)

    def about(self, session):
        """Look at whom the prompt speaks of."""
        question = session.question
        if question.ask != NO_ASK:
            session.rules.about(question, self.say)
            self._line(5, question.ask)

    def seen(self):
        """Return it all, to be compared. Allocates."""
        return self.seen_scored(), self.seen_told()

    def seen_scored(self):
        """Return what the score comes from, to be compared. Allocates."""
        return tuple(self.scored[: self.scores])

    def seen_told(self):
        """Return what the table is told, to be compared. Allocates."""
        return tuple(self.told[: self.tells]), tuple(self.ids[: self.lines])


def plain(value):
    """Return a value of the log as a string that is the same on both interpreters."""
    if isinstance(value, dict):
        return "{" + ",".join([str(key) + ":" + plain(value[key]) for key in sorted(value)]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([plain(item) for item in value]) + "]"
    return str(value)
