"""Seep, for score keeping (RULES.md 1; the log's questions in LOG.md).

Partners sit opposite; deal and play go counter-clockwise; the running difference decides bazzis.
"""

from ..question import (
    CHOICE,
    COMMON_WORDS,
    COUNT,
    COUNT_BIT,
    NONE,
    NONE_BIT,
    NUMBER,
    OWN_0,
    OWN_BIT,
    SEAT,
    SEAT_0,
    SEATS_MASK,
    TABLE,
    WORD,
    const,
)
from ..rules import (
    CELL_NUMBER,
    CELL_SEAT,
    CELL_SIDE,
    CELL_SIGNED,
    CELL_WORD,
    NO_CELL,
    Column,
    Option,
    Rules,
    partner,
    right,
    side_of,
    side_word,
    sides,
)

DEAL = const(0)
BID = const(1)
PLAY = const(2)
SWEEP = const(3)
CARDS = const(4)

OPENING = const(0)  # kinds of sweep, in the order of the words
ORDINARY = const(1)
LAST = const(2)

MAX_SWEEPS = const(24)
CARD_POINTS = const(100)  # both sides together, RULES.md 1.1.5
ORDINARY_POINTS = const(50)


class Game(Rules):
    """A Seep match."""

    GAME = "seep"
    WORDS = COMMON_WORDS + ("opening", "ordinary", "last")
    QUESTIONS = ("deal", "bid", "play", "sweep", "cards")
    CLOCKWISE = False
    LEAD = True
    PRESSES = 12
    VOIDS = ("table", "no_bid")
    OPTIONS = (
        Option("match_bazzis", 1, None, 0, 99, True),
        Option("match_mode", "play_all", ("play_all", "first_to_majority"), first=True),
        Option("losing_basis", "running", ("running", "last_deal"), first=True),
        Option("level_dealer", "same", ("same", "first_of_match", "first_of_bazzi"), first=True),
        Option("opening_sweep", 25, (0, 25, 50), first=True),
        Option("min9_basis", "total", ("total", "cards"), first=True),
        Option("last_sweep", 0, (0, 50)),
        Option("min_score", 9, None, 0, 50),
        Option("target_lead", 100, None, 1, 999),
    )
    COLUMNS = (
        Column("bidder", CELL_SEAT),
        Column("bid", CELL_WORD),
        Column("cards", CELL_NUMBER, 0),
        Column("cards", CELL_NUMBER, 1),
        Column("sweeps", CELL_NUMBER, 0),
        Column("sweeps", CELL_NUMBER, 1),
        Column("total", CELL_NUMBER, 0),
        Column("total", CELL_NUMBER, 1),
        Column("difference", CELL_SIGNED),
        Column("bazzi", CELL_SIDE),
    )
    BRIEF = (6, 7, 8)
    AIDS = (
        (
            CARDS,
            (
                ("card.KS", 13, 1),
                ("card.QS", 12, 1),
                ("card.JS", 11, 1),
                ("card.10S", 10, 1),
                ("card.9S", 9, 1),
                ("card.8S", 8, 1),
                ("card.7S", 7, 1),
                ("card.6S", 6, 1),
                ("card.5S", 5, 1),
                ("card.4S", 4, 1),
                ("card.3S", 3, 1),
                ("card.2S", 2, 1),
                ("card.AS", 1, 1),
                ("card.AH", 1, 1),
                ("card.AD", 1, 1),
                ("card.AC", 1, 1),
                ("card.10D", 6, 1),
            ),
            CARD_POINTS,
        ),
    )

    EN = {
        "card.KS": "K♠",
        "card.QS": "Q♠",
        "card.JS": "J♠",
        "card.10S": "10♠",
        "card.9S": "9♠",
        "card.8S": "8♠",
        "card.7S": "7♠",
        "card.6S": "6♠",
        "card.5S": "5♠",
        "card.4S": "4♠",
        "card.3S": "3♠",
        "card.2S": "2♠",
        "card.AS": "A♠",
        "card.AH": "A♥",
        "card.AD": "A♦",
        "card.AC": "A♣",
        "card.10D": "10♦",
        "q.deal": "Who deals?",
        "q.bid": "{seat} bids",
        "q.play": "Who swept?",
        "q.sweep": "Which sweep?",
        "q.cards": "Cards of {side}",
        "n.bid": "Bid of {seat}",
        "n.play": "Sweep",
        "n.sweep": "Kind",
        "n.cards": "{side}",
        "w.count": "played out",
        "w.none": "none above 8",
        "w.opening": "opening play",
        "w.ordinary": "ordinary",
        "w.last": "last play",
        "c.bidder": "bidder",
        "c.bid": "bid",
        "c.cards": "cards",
        "c.sweeps": "sweeps",
        "c.total": "total",
        "c.difference": "lead",
        "c.bazzi": "bazzi",
        "score.minor": "bazzis",
        "o.match_bazzis": "Bazzis (0: no end)",
        "o.match_mode": "Match ends",
        "v.match_mode.play_all": "all played",
        "v.match_mode.first_to_majority": "at majority",
        "o.losing_basis": "Loser deals by",
        "v.losing_basis.running": "the lead",
        "v.losing_basis.last_deal": "last deal",
        "o.level_dealer": "Level: dealer",
        "v.level_dealer.same": "same again",
        "v.level_dealer.first_of_match": "match's first",
        "v.level_dealer.first_of_bazzi": "bazzi's first",
        "o.opening_sweep": "Opening sweep",
        "o.min9_basis": "Minimum counts",
        "v.min9_basis.total": "with sweeps",
        "v.min9_basis.cards": "cards only",
        "o.last_sweep": "Last-play sweep",
        "o.min_score": "Minimum (0: off)",
        "o.target_lead": "Lead for a bazzi",
        "void.no_bid": "Nothing above 8",
        "seep.cut": "{seat} cuts",
        "seep.first": "4 to {seat}, 4 to floor",
        "seep.floor": "4 to floor, face down",
        "seep.must": "a 9-13 held, or none",
        "seep.open": "Floor up: {seat} opens",
        "seep.with": "with {word}; then by fours:",
        "seep.rest": "{seat} 11, others 12",
        "seep.next": "then {seat} plays",
        "seep.cards": "{side} {n}",
        "seep.side": "{side} {n}+{m}",
        "seep.lead": "{side} {+n}",
        "seep.level": "Level",
        "seep.bazzi": "Bazzi: {side}",
        "seep.under": "{side} under {n}",
        "seep.other": "the others {n}",
        "seep.points": "{+n}",
        "seep.bazzis": "Bazzis {n} : {m}",
    }

    def __init__(self, options, seats=4):
        Rules.__init__(self, options, seats)
        self.match_bazzis = self.option("match_bazzis")
        self.to_majority = self.option("match_mode") == 1
        self.last_deal_basis = self.option("losing_basis") == 1
        self.level_dealer = self.option("level_dealer")
        self.opening_points = self.option("opening_sweep")
        self.cards_basis = self.option("min9_basis") == 1
        self.last_points = self.option("last_sweep")
        self.min_score = self.option("min_score")
        self.target_lead = self.option("target_lead")
        self.sweep_seat = bytearray(MAX_SWEEPS)
        self.sweep_kind = bytearray(MAX_SWEEPS)
        self.reset()

    def reset(self):
        self.step = DEAL
        self.difference = 0  # A - B, RULES.md 1.6
        self.before = 0  # the difference before the deal just closed
        self.bazzis_a = 0
        self.bazzis_b = 0
        self.match_dealer = -1  # who dealt the first deal of the match, -1 before it
        self.bazzi_dealer = -1  # who dealt the first deal of this bazzi, -1 before it
        self.bid = 0
        self.sweeps = 0
        self.swept_a = 0  # points for sweeps in this deal
        self.swept_b = 0
        self.cards = 0  # of side A
        self.under = False  # it was won because the other side stayed under the minimum

    def ask(self, question):
        if self.over:
            question.over()
        elif self.dealing:
            self.ask_deal(question)
        elif self.step == BID:
            question.set(NUMBER, BID, right(self.dealer), 9, 13, NONE_BIT, 11)
        elif self.step == PLAY:
            words = COUNT_BIT | SEATS_MASK
            if self.sweeps == MAX_SWEEPS or (self.sweeps and self.sweep_kind[self.sweeps - 1] == LAST):
                words = COUNT_BIT
            question.set(SEAT, PLAY, TABLE, 1, 0, words, COUNT)
        elif self.step == SWEEP:
            words = OWN_BIT << ORDINARY
            if self.sweep_seat[self.sweeps] == self.dealer:
                words |= OWN_BIT << LAST
            else:
                words |= OWN_BIT << OPENING
            question.set(CHOICE, SWEEP, TABLE, 1, 0, words, OWN_0 + ORDINARY)
        else:
            question.set(NUMBER, CARDS, TABLE, 0, CARD_POINTS, 0, 50)

    def answer(self, answer):
        self.closed = False
        step = self.step
        if self.dealing:
            self.open_deal(answer)
            if self.match_dealer < 0:
                self.match_dealer = self.dealer
            if self.bazzi_dealer < 0:
                self.bazzi_dealer = self.dealer
            self.step = BID
            self.sweeps = 0
            self.swept_a = 0
            self.swept_b = 0
            self.bazzi = -1
        elif step == BID:
            if answer == NONE:
                self.close_deal(1, self.dealer)
            else:
                self.bid = answer
                self.step = PLAY
        elif step == PLAY:
            if answer == COUNT:
                self.step = CARDS
            else:
                seat = answer - SEAT_0
                self.sweep_seat[self.sweeps] = seat
                if seat == self.dealer or (seat == right(self.dealer) and not self.sweeps):
                    self.step = SWEEP
                else:
                    self.sweep(ORDINARY)
        elif step == SWEEP:
            self.sweep(answer - OWN_0)
        else:
            self.cards = answer
            self.score_deal()

    def sweep_points(self, kind):
        """Return what a sweep of a kind is worth (RULES.md 1.5.3)."""
        if kind == ORDINARY:
            return ORDINARY_POINTS
        return self.opening_points if kind == OPENING else self.last_points

    def sweep(self, kind):
        """Record a sweep of the player chosen (RULES.md 1.5.3)."""
        self.sweep_kind[self.sweeps] = kind
        if side_of(self.sweep_seat[self.sweeps]):
            self.swept_b += self.sweep_points(kind)
        else:
            self.swept_a += self.sweep_points(kind)
        self.sweeps += 1
        self.step = PLAY

    def score_deal(self):
        """Score the deal: minimum, lead, bazzi, next dealer (RULES.md 1.6 and 1.7)."""
        cards = self.cards
        deal = 2 * cards - CARD_POINTS + self.swept_a - self.swept_b
        least_a = cards
        least_b = CARD_POINTS - cards
        if not self.cards_basis:
            least_a += self.swept_a
            least_b += self.swept_b
        self.before = self.difference
        self.difference += deal
        basis = deal if self.last_deal_basis else self.difference
        self.under = True
        if least_a < self.min_score:
            self.bazzi = 1
        elif least_b < self.min_score:
            self.bazzi = 0
        else:
            self.under = False
            self.bazzi = self.leader()
        dealer = self.dealer
        if basis == 0:  # RULES.md 5.1 A-S5
            if self.level_dealer == 1:
                dealer = self.match_dealer
            elif self.level_dealer == 2:
                dealer = self.bazzi_dealer
        elif (basis < 0) == (side_of(dealer) == 1):
            dealer = right(dealer)  # the dealer's side leads: the deal goes to the losing side
        if self.bazzi >= 0:
            dealer = partner(dealer)
            self.take_bazzi()
        self.close_deal(-1, dealer)

    def leader(self):
        """Return the side whose lead wins a bazzi now, or -1."""
        if self.difference >= self.target_lead:
            return 0
        return 1 if -self.difference >= self.target_lead else -1

    def take_bazzi(self):
        """Count a bazzi won, begin the next, and end the match where it is long enough (RULES.md 1.6.6)."""
        if self.bazzi:
            self.bazzis_b += 1
        else:
            self.bazzis_a += 1
        self.difference = 0
        self.bazzi_dealer = -1
        length = self.match_bazzis
        a = self.bazzis_a
        b = self.bazzis_b
        if length and (a + b >= length or (self.to_majority and 2 * max(a, b) > length)):
            self.over = True
            self.winners = (1 if a >= b else 0) | (2 if b >= a else 0)

    def adjust(self, side, points):
        """Move the difference in a side's favour, then test the lead only (LOG.md)."""
        self.closed = False
        self.difference += -points if side else points
        self.bazzi = self.leader()
        if self.bazzi >= 0:
            self.take_bazzi()

    # -- what a screen shows ------------------------------------------------------------------

    def figure(self, side):
        return -self.difference if side else self.difference

    def minor(self, side):
        return self.bazzis_b if side else self.bazzis_a

    def hint(self, place, say):
        if self.over:
            return False
        if self.dealing:
            if place == 0:
                if self.difference == 0:
                    return say.put("seep.level")
                return say.put("seep.lead", -1, 1 if self.difference < 0 else 0, abs(self.difference))
            bidder = right(self.to_deal)
            if place == 1:
                return say.put("seep.cut", bidder)
            if place == 2:
                return say.put("seep.first", bidder)
            return place == 3 and say.put("seep.floor")
        bidder = right(self.dealer)
        if self.step == BID:
            return place == 0 and say.put("seep.must")
        if self.step != PLAY:
            return False
        if place == 0:
            return say.put("seep.open", bidder)
        if place == 1:
            return say.put("seep.with", word=self.bid)
        if place == 2:
            return say.put("seep.rest", bidder)
        return place == 3 and say.put("seep.next", partner(self.dealer))

    def result(self, place, say):
        if place == 0:
            return say.put("seep.side" if self.swept_a else "seep.cards", -1, 0, self.cards, self.swept_a)
        if place == 1:
            cards = CARD_POINTS - self.cards
            return say.put("seep.side" if self.swept_b else "seep.cards", -1, 1, cards, self.swept_b)
        if self.bazzi < 0:  # the lead is the score, which is seen with the result
            return False
        if place == 2:
            return say.put("seep.bazzi", -1, self.bazzi)
        if place == 3:
            return say.put("seep.bazzis", n=self.bazzis_a, m=self.bazzis_b)
        return place == 4 and self.under and say.put("seep.under", -1, 1 - self.bazzi, self.min_score)

    def detail(self, answer, say):
        if not self.dealing and self.step == CARDS:
            return say.put("seep.other", n=CARD_POINTS - answer)
        if not self.dealing and self.step == SWEEP:
            return say.put("seep.points", n=self.sweep_points(answer - OWN_0))
        return False

    def cell(self, row, column):
        if column == 0:
            return right(self.dealer)
        if column == 1:
            return self.bid
        if column == 2:
            return self.cards
        if column == 3:
            return CARD_POINTS - self.cards
        if column == 4:
            return self.swept_a
        if column == 5:
            return self.swept_b
        if column == 6:
            return self.cards + self.swept_a
        if column == 7:
            return CARD_POINTS - self.cards + self.swept_b
        if column == 8:
            return self.difference
        return self.bazzi if self.bazzi >= 0 else NO_CELL

    def suggest(self, ask, first, second):
        return first

    # -- JSON of LOG.md -------------------------------------------------------------------------

    def score(self):
        return {"difference": self.difference, "bazzis": sides(self.bazzis_a, self.bazzis_b)}

    def report(self):
        swept = []
        for place in range(self.sweeps):
            kind = self.sweep_kind[place]
            swept.append(
                {
                    "seat": self.SEAT_WORDS[self.sweep_seat[place]],
                    "kind": self.WORDS[OWN_0 - WORD + kind],
                    "points": self.sweep_points(kind),
                }
            )
        other = CARD_POINTS - self.cards
        return {
            "bidder": self.SEAT_WORDS[right(self.dealer)],
            "bid": self.bid,
            "cards": sides(self.cards, other),
            "sweeps": swept,
            "total": sides(self.cards + self.swept_a, other + self.swept_b),
            "difference": self.difference,
            "bazzi": side_word(self.bazzi),
            "reason": None if self.bazzi < 0 else "under_9" if self.under else "lead",
        }
