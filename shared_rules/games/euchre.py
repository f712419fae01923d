"""Bid Euchre, for score keeping (RULES.md 3; the log's questions in LOG.md).

Partners sit opposite; everything goes clockwise; both sides score their tricks, and the bidding side
loses its bid when it takes fewer.
"""

from ..question import (
    CHOICE,
    COMMON_WORDS,
    COUNT,
    COUNT_BIT,
    NUMBER,
    OWN_0,
    OWN_BIT,
    PASS,
    PASS_BIT,
    TABLE,
    const,
)
from ..rules import (
    CELL_NUMBER,
    CELL_SEAT,
    CELL_SIGNED,
    CELL_WORD,
    NO_CELL,
    Column,
    Option,
    Rules,
    left,
    partner,
    right,
    side_of,
    sides,
)

DEAL = const(0)
BID = const(1)
TRUMP = const(2)
PLAY = const(3)
TRICKS = const(4)

HELP = OWN_0
MOON = OWN_0 + 1
ACE_NO_FACE = OWN_0 + 2
SPADES = OWN_0 + 3  # then hearts, diamonds, clubs
RENEGE_A = OWN_0 + 7

HELP_BIT = OWN_BIT
MOON_BIT = OWN_BIT << 1
ACE_NO_FACE_BIT = OWN_BIT << 2
SUITS_MASK = OWN_BIT * 15 << 3
RENEGE_A_BIT = OWN_BIT << 7
RENEGE_B_BIT = OWN_BIT << 8

LEAST_BID = const(3)
RENEGE_POINTS = const(2)  # RULES.md 3.4.2
HELP_POINTS = const(2)  # for each trick of the hand, RULES.md 3.5
MOON_POINTS = const(4)

ALL_PASSED = const(1)  # places in VOIDS
NO_FACE = const(2)

# The trumps from the highest, by suit: both jacks of the colour first (RULES.md 3.1.2, 5.3 A-E15)
RANKS = ("euchre.rank.S", "euchre.rank.H", "euchre.rank.D", "euchre.rank.C")
JOKER_RANKS = ("euchre.joker.S", "euchre.joker.H", "euchre.joker.D", "euchre.joker.C")


class Game(Rules):
    """A Bid Euchre match."""

    GAME = "euchre"
    WORDS = COMMON_WORDS + ("help", "moon", "ace_no_face", "S", "H", "D", "C", "renege_A", "renege_B")
    QUESTIONS = ("deal", "bid", "trump", "play", "tricks")
    VOIDS = ("table", "all_pass", "ace_no_face")
    PRESSES = 13
    OPTIONS = (
        Option("target", 32, None, 1, 199, True),
        Option("auction", "once", ("once", "until_three_pass"), first=True),
        Option("plain_six", "off", ("off", "on")),
        Option("moon_over_help", "on", ("on", "off"), first=True),
        Option("lone_fail", "bid", ("bid", "value"), first=True),
        Option("defenders_score_when_set", "on", ("on", "off"), first=True),
        Option("both_reach", "higher", ("higher", "bidder"), first=True),
        Option("joker", "off", ("off", "on")),
        Option("double_deck", "off", ("off", "on"), first=True),
        Option("stick_dealer", "off", ("off", "on")),
        Option("ace_no_face", "off", ("off", "on")),
        Option("win_on_defence", "on", ("on", "off")),
        Option("anf_aces", "at_least_one", ("at_least_one", "exactly_one")),
        Option("dd_lone", "scaled", ("scaled", "same")),
    )
    COLUMNS = (
        Column("bidder", CELL_SEAT),
        Column("bid", CELL_WORD),
        Column("trump", CELL_WORD),
        Column("tricks", CELL_NUMBER, 0),
        Column("tricks", CELL_NUMBER, 1),
        Column("reneges", CELL_NUMBER, 0),
        Column("reneges", CELL_NUMBER, 1),
        Column("points", CELL_SIGNED, 0),
        Column("points", CELL_SIGNED, 1),
        Column("score", CELL_NUMBER, 0),
        Column("score", CELL_NUMBER, 1),
    )

    BRIEF = (7, 8, 9, 10)
    EN = {
        "q.deal": "Who deals?",
        "q.bid": "Bid: {seat}",
        "q.trump": "{seat}: trump?",
        "q.play": "Play or renege",
        "q.tricks": "{side} took",
        "n.bid": "Bid of {seat}",
        "n.trump": "Trump",
        "n.play": "Play",
        "n.tricks": "{side}",
        "w.count": "played out",
        "w.help": "help",
        "w.moon": "moon",
        "w.ace_no_face": "ace no face",
        "w.own.S": "♠",
        "w.H": "♥",
        "w.D": "♦",
        "w.C": "♣",
        "w.renege_A": "-2 A",
        "w.renege_B": "-2 B",
        "c.bidder": "bidder",
        "c.bid": "bid",
        "c.trump": "trump",
        "c.tricks": "tricks",
        "c.reneges": "reneges",
        "c.points": "points",
        "c.score": "score",
        "o.auction": "Bidding",
        "v.auction.once": "once round",
        "v.auction.until_three_pass": "3 passes end",
        "o.plain_six": "Plain all-trick bid",
        "v.plain_six.off": "no",
        "v.plain_six.on": "yes",
        "o.moon_over_help": "Moon beats help",
        "v.moon_over_help.on": "yes",
        "v.moon_over_help.off": "equal",
        "o.lone_fail": "Failed alone costs",
        "v.lone_fail.bid": "the tricks",
        "v.lone_fail.value": "the value",
        "o.defenders_score_when_set": "Set: others score",
        "v.defenders_score_when_set.on": "yes",
        "v.defenders_score_when_set.off": "no",
        "o.both_reach": "Both get there",
        "v.both_reach.higher": "higher",
        "v.both_reach.bidder": "bidder",
        "o.joker": "Joker",
        "v.joker.off": "no",
        "v.joker.on": "yes",
        "o.double_deck": "Two decks",
        "v.double_deck.off": "no",
        "v.double_deck.on": "yes",
        "o.stick_dealer": "Stick the dealer",
        "v.stick_dealer.off": "no",
        "v.stick_dealer.on": "yes",
        "o.ace_no_face": "Ace no face",
        "v.ace_no_face.off": "no",
        "v.ace_no_face.on": "yes",
        "o.win_on_defence": "Win on defence",
        "v.win_on_defence.on": "yes",
        "v.win_on_defence.off": "no",
        "o.anf_aces": "Aces for it",
        "v.anf_aces.at_least_one": "one or more",
        "v.anf_aces.exactly_one": "just one",
        "o.dd_lone": "Two decks, alone",
        "v.dd_lone.scaled": "24 and 48",
        "v.dd_lone.same": "12 and 24",
        "o.target": "Target",
        "void.all_pass": "All passed",
        "void.ace_no_face": "Ace, no face",
        "euchre.cut": "{seat} cuts",
        "euchre.each": "{n} cards each, singly",
        "euchre.joker_deal": "{seat} 7, drops 1",
        "euchre.twins": "First of twins wins",
        "euchre.first": "{seat} bids first",
        "euchre.bid": "{seat} bid {word}",
        "euchre.must": "Dealer must bid",
        "euchre.aces": "No face: ace, no K Q J",
        "euchre.one_ace": "No face: 1 ace, no KQJ",
        "euchre.offers": "{seat} offers 1 card",
        "euchre.gives": "{seat} gives the best",
        "euchre.no_swap": "No exchange",
        "euchre.out": "{seat} sits out",
        "euchre.any": "leads any card",
        "euchre.leads": "{seat} leads",
        "euchre.rank.S": "J♠ J♣ A K Q 10 9",
        "euchre.rank.H": "J♥ J♦ A K Q 10 9",
        "euchre.rank.D": "J♦ J♥ A K Q 10 9",
        "euchre.rank.C": "J♣ J♠ A K Q 10 9",
        "euchre.joker.S": "Joker J♠ J♣ A K Q 10 9",
        "euchre.joker.H": "Joker J♥ J♦ A K Q 10 9",
        "euchre.joker.D": "Joker J♦ J♥ A K Q 10 9",
        "euchre.joker.C": "Joker J♣ J♠ A K Q 10 9",
        "euchre.renege": "{side}",
        "euchre.worth": "{+n}, or -{m}",
        "euchre.makes": "{+n}, others {m}",
        "euchre.fails": "set: {+n}, others {m}",
        "euchre.made": "{seat} made {word}",
        "euchre.set": "{seat} is set, bid {word}",
        "euchre.gain": "{+n} : {+m}",
        "euchre.side": "{side} {+n}",
        "euchre.reneged": "Renege A {n}, B {m}",
        "euchre.again": "Level: another hand",
    }

    def __init__(self, options, seats=4):
        Rules.__init__(self, options, seats)
        self.round_once = self.option("auction") == 0
        self.moon_over_help = self.option("moon_over_help") == 0
        self.fail_value = self.option("lone_fail") == 1
        self.set_scores = self.option("defenders_score_when_set") == 0
        self.reach_bidder = self.option("both_reach") == 1
        self.joker = self.option("joker") == 1
        self.double_deck = self.option("double_deck") == 1
        self.stick_dealer = self.option("stick_dealer") == 1
        self.ace_no_face = self.option("ace_no_face") == 1
        self.win_on_defence = self.option("win_on_defence") == 0
        self.one_ace = self.option("anf_aces") == 1
        self.target = self.option("target")
        self.all_tricks = 12 if self.double_deck else 6
        scale = 12 if self.double_deck and self.option("dd_lone") == 0 else 6
        self.help_value = HELP_POINTS * scale
        self.moon_value = MOON_POINTS * scale
        self.most_bid = self.all_tricks - 1 + self.option("plain_six")
        self.reset()

    @classmethod
    def conflict(cls, options):
        on = []
        for place in range(len(cls.OPTIONS)):
            if cls.OPTIONS[place].values == ("off", "on") and options[place]:
                on.append(cls.OPTIONS[place].id)
        for other in ("double_deck", "ace_no_face"):
            if "joker" in on and other in on:
                return ("joker", other)
        return None

    def reset(self):
        self.step = DEAL
        self.score_a = 0
        self.score_b = 0
        self.calls = 0
        self.turn = 0  # the seat that bids now
        self.passed = 0  # bit s: seat s has passed
        self.stuck = False  # three passes reached a dealer who has to bid, RULES.md 5.3 A-E13
        self.bid = 0  # the highest bid so far (an answer), 0 before any
        self.needed = 0  # the tricks it needs
        self.value = 0  # what it is worth where it is help or moon, else 0 (RULES.md 3.5, 5.3 A-E16)
        self.bidder = 0
        self.trump = 0  # an answer word
        self.reneges_a = 0
        self.reneges_b = 0
        self.tricks = 0  # of the bidding side
        self.made = False
        self.points_a = 0  # how the deal just closed changed the scores
        self.points_b = 0

    def ask(self, question):
        step = self.step
        if self.over:
            question.over()
        elif self.dealing:
            self.ask_deal(question)
        elif step == BID:
            least = LEAST_BID
            words = HELP_BIT | MOON_BIT
            if self.bid >= HELP:
                least = self.most_bid + 1
                words = MOON_BIT
            elif self.bid:
                least = self.bid + 1
            if self.ace_no_face and self.calls < 4:
                words |= ACE_NO_FACE_BIT
            if self.stuck:
                question.set(NUMBER, BID, self.turn, least, self.most_bid, words, least)
            else:
                question.set(NUMBER, BID, self.turn, least, self.most_bid, words | PASS_BIT, PASS)
        elif step == TRUMP:
            question.set(CHOICE, TRUMP, self.bidder, 1, 0, SUITS_MASK, SPADES)
        elif step == PLAY:
            words = COUNT_BIT
            if self.reneges_a < self.all_tricks:
                words |= RENEGE_A_BIT
            if self.reneges_b < self.all_tricks:
                words |= RENEGE_B_BIT
            question.set(CHOICE, PLAY, TABLE, 1, 0, words, COUNT)
        else:
            question.set(NUMBER, TRICKS, TABLE, 0, self.all_tricks, 0, self.needed)

    def answer(self, answer):
        self.closed = False
        step = self.step
        if self.dealing:
            self.open_deal(answer)
            self.step = BID
            self.calls = 0
            self.turn = left(self.dealer)
            self.passed = 0
            self.stuck = False
            self.bid = 0
            self.reneges_a = 0
            self.reneges_b = 0
        elif step == BID:
            self.call(answer)
        elif step == TRUMP:
            self.trump = answer
            self.step = PLAY
        elif step == PLAY:
            if answer == COUNT:
                self.step = TRICKS
            elif answer == RENEGE_A:
                self.reneges_a += 1
            else:
                self.reneges_b += 1
        else:
            self.tricks = answer
            self.score_deal()

    def call(self, answer):
        """Take a call of the auction (RULES.md 3.3, 5.3 A-E2 to A-E4)."""
        self.calls += 1
        if answer == ACE_NO_FACE:
            self.close_deal(NO_FACE, left(self.dealer))
            return
        if answer == PASS:
            self.passed |= 1 << self.turn
        else:
            self.bid = answer
            self.bidder = self.turn
            self.value = 0
            self.needed = answer
            if answer >= HELP:
                self.value = self.help_value if answer == HELP else self.moon_value
                self.needed = self.all_tricks
            if answer == MOON or (answer == HELP and not self.moon_over_help):
                self.step = TRUMP  # no legal bid is left
                return
        if self.passed == 15:
            self.close_deal(ALL_PASSED, left(self.dealer))
        elif self.round_once and self.calls == 4:
            self.step = TRUMP
        else:
            turn = left(self.turn)
            while self.passed >> turn & 1:  # nobody in the first round; a pass is final
                turn = left(turn)
            self.turn = turn
            if not self.bid:
                self.stuck = self.stick_dealer and self.calls == 3
            elif turn == self.bidder:  # all others have passed
                self.step = TRUMP

    def own_points(self, tricks):
        """Return what so many tricks bring or cost the bidding side (RULES.md 3.5, 5.3 A-E7)."""
        if tricks >= self.needed:
            return self.value or tricks
        return -(self.value if self.value and self.fail_value else self.needed)

    def others_points(self, tricks):
        """Return what so many tricks of the bidding side leave the others (RULES.md 3.5, 5.3 A-E8)."""
        return self.all_tricks - tricks if self.set_scores or tricks >= self.needed else 0

    def score_deal(self):
        """Score the deal, see whether it wins the match, and pass the deal to the left (RULES.md 3.5, 3.6)."""
        side = side_of(self.bidder)
        self.made = self.tricks >= self.needed
        own = self.own_points(self.tricks)
        others = self.others_points(self.tricks)
        # penalties before the test for the win, RULES.md 5.3 A-E12
        self.points_a = (others if side else own) - RENEGE_POINTS * self.reneges_a
        self.points_b = (own if side else others) - RENEGE_POINTS * self.reneges_b
        self.score_a += self.points_a
        self.score_b += self.points_b
        self.close_deal(-1, left(self.dealer))
        self.find_winner(side)

    def find_winner(self, side):
        """End the match if the hand won it; ``side`` has bid (RULES.md 3.6, 5.3 A-E10 and A-E11)."""
        a = self.score_a
        b = self.score_b
        target = self.target
        if a == b:
            return  # at the target: another hand
        if not self.win_on_defence:
            if not self.made:
                side = 1 - side
            if (b if side else a) >= target:
                self.win(side)
        elif a >= target and b >= target and self.reach_bidder:
            self.win(side)
        elif max(a, b) >= target:
            self.win(0 if a > b else 1)

    def win(self, side):
        """End the match with a winner."""
        self.over = True
        self.winners = 1 << side

    def adjust(self, side, points):
        """Correct a score; then the higher side at the target wins, whatever the options say (LOG.md)."""
        self.closed = False
        if side:
            self.score_b += points
        else:
            self.score_a += points
        if self.score_a != self.score_b and max(self.score_a, self.score_b) >= self.target:
            self.win(0 if self.score_a > self.score_b else 1)

    # -- what a screen shows ------------------------------------------------------------------

    def figure(self, side):
        return self.score_b if side else self.score_a

    def about(self, question, say):
        say.put("", question.seat, side_of(self.bidder))

    def hint(self, place, say):
        if self.over or place > 2:
            return False
        if self.dealing:
            return self.hint_deal(place, say)
        if self.step == BID:
            return self.hint_bid(place, say)
        if self.step == TRUMP:
            return self.hint_trump(place, say)
        if self.step == TRICKS:
            return False
        if place == 0:
            return say.put("euchre.leads", self.bidder)
        if place == 1:
            return self.say_rank(self.trump, say)
        return self.bid >= HELP and say.put("euchre.out", partner(self.bidder))

    def say_rank(self, trump, say):
        """Say the order of the trumps (RULES.md 3.1.2, 5.3 A-E15)."""
        return say.put((JOKER_RANKS if self.joker else RANKS)[trump - SPADES])

    def hint_deal(self, place, say):
        """Say a line before the deal (RULES.md 3.2, 5.3 A-E15 and A-E16)."""
        if place == 0:
            return say.put("euchre.cut", right(self.to_deal))
        if place == 1:
            return say.put("euchre.each", n=self.all_tricks)
        if self.joker:
            return say.put("euchre.joker_deal", self.to_deal)
        if self.double_deck:
            return say.put("euchre.twins")
        return say.put("euchre.first", left(self.to_deal))

    def hint_bid(self, place, say):
        """Say a line while bids are asked."""
        if self.bid or self.stuck:
            if place == 0:
                return say.put("euchre.bid" if self.bid else "euchre.must", self.bidder, word=self.bid)
            place -= 1
        if place == 0 and self.ace_no_face and self.calls < 4:
            return say.put("euchre.one_ace" if self.one_ace else "euchre.aces")
        return False

    def hint_trump(self, place, say):
        """Say a line while the trump is asked: what comes before the first lead (RULES.md 3.3.6, 3.3.7)."""
        if self.bid == HELP:
            if place == 0:
                return say.put("euchre.offers", self.bidder)
            return say.put("euchre.gives" if place == 1 else "euchre.out", partner(self.bidder))
        if self.bid == MOON:
            if place == 0:
                return say.put("euchre.no_swap")
            return place == 1 and say.put("euchre.out", partner(self.bidder))
        return place == 0 and say.put("euchre.any")

    def result(self, place, say):
        if self.void >= 0:
            return False
        if place == 0:
            return say.put("euchre.made" if self.made else "euchre.set", self.bidder, word=self.bid)
        if not self.over:  # the score stands above in the same order
            if place == 1:
                return say.put("euchre.gain", n=self.points_a, m=self.points_b)
            place += 1
        if place == 1:
            return say.put("euchre.side", -1, 0, self.points_a)
        if place == 2:
            return say.put("euchre.side", -1, 1, self.points_b)
        if place == 3:
            if self.score_a == self.score_b and self.score_a >= self.target:
                return say.put("euchre.again")
            if self.reneges_a or self.reneges_b:
                return say.put("euchre.reneged", n=self.reneges_a, m=self.reneges_b)
        return False

    def detail(self, answer, say):
        if self.dealing:
            return False
        if self.step == TRICKS:
            made = answer >= self.needed
            own = self.own_points(answer)
            others = self.others_points(answer)
            return say.put("euchre.makes" if made else "euchre.fails", n=own, m=others)
        if self.step == TRUMP:
            return self.say_rank(answer, say)
        if self.step == PLAY and answer != COUNT:
            return say.put("euchre.renege", -1, answer - RENEGE_A, -RENEGE_POINTS)
        if self.step == BID and (answer == HELP or answer == MOON):
            value = self.help_value if answer == HELP else self.moon_value
            return say.put("euchre.worth", n=value, m=value if self.fail_value else self.all_tricks)
        return False

    def cell(self, row, column):
        if column == 0:
            return self.bidder
        if column == 1:
            return self.bid
        if column == 2:
            return self.trump
        if column == 3 or column == 4:
            return self.tricks if side_of(self.bidder) == column - 3 else self.all_tricks - self.tricks
        if column == 5:
            return self.reneges_a or NO_CELL
        if column == 6:
            return self.reneges_b or NO_CELL
        if column == 7:
            return self.points_a
        if column == 8:
            return self.points_b
        return self.score_a if column == 9 else self.score_b

    # -- JSON of LOG.md -------------------------------------------------------------------------

    def score(self):
        return sides(self.score_a, self.score_b)

    def report(self):
        others = self.all_tricks - self.tricks
        side = side_of(self.bidder)
        return {
            "bidder": self.SEAT_WORDS[self.bidder],
            "bid": self.word(self.bid),
            "trump": self.word(self.trump),
            "tricks": sides(others, self.tricks) if side else sides(self.tricks, others),
            "made": self.made,
            "reneges": sides(self.reneges_a, self.reneges_b),
            "points": sides(self.points_a, self.points_b),
            "score": sides(self.score_a, self.score_b),
        }
