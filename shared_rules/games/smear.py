"""Four Point Northeastern Wisconsin Smear, for score keeping (RULES.md 2; the log's questions in LOG.md).

Partners sit opposite; everything goes clockwise; a deal has up to four points, and the bidder's side
scores them only if they are as many as it bid.
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
    PASS,
    PASS_BIT,
    SIDE,
    SIDE_0,
    SIDES_MASK,
    TABLE,
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
    left,
    right,
    side_of,
    side_word,
    sides,
)

DEAL = const(0)
BID = const(1)
TRUMP = const(2)
PLAY = const(3)
HIGH = const(4)
LOW = const(5)
JACK = const(6)
GAME_POINT = const(7)

NOBODY = const(-1)  # the side that a point not scored belongs to

LEAST_BID = const(2)
MOST_BID = const(4)  # all four points: ends the auction, RULES.md 2.3.3

ALL_PASSED = const(1)  # place in VOIDS

SUITS = ("smear.spades", "smear.hearts", "smear.diamonds", "smear.clubs")  # their names, in the words' order

# How both sides at the target in one deal end (RULES.md 5.2 A-M13)
REACH_BIDDER = const(1)
REACH_REPLAY = const(2)


class Game(Rules):
    """A Smear match."""

    GAME = "smear"
    WORDS = COMMON_WORDS + ("S", "H", "D", "C")
    QUESTIONS = ("deal", "bid", "trump", "play", "high", "low", "jack", "game")
    VOIDS = ("table", "all_pass")
    PRESSES = 14
    OPTIONS = (
        Option("target", 15, None, 1, 99, True),
        Option("kitty", 3, (0, 1, 2, 3), first=True),
        Option("follow", "suit_or_trump", ("suit_or_trump", "strict"), first=True),
        Option("all_pass", "redeal_same", ("redeal_same", "dealer_must_bid_2"), first=True),
        Option("high_low", "exact_card", ("exact_card", "best_in_play"), first=True),
        Option("game_tie", "none", ("none", "nonbidders"), first=True),
        Option("both_reach", "higher_then_bidder", ("higher_then_bidder", "bidder", "higher_then_replay"), first=True),
        Option("low", "player", ("player", "winner")),
        Option("win_only_on_made_bid", "off", ("off", "on")),
        Option("nonbidder_cap", "none", ("none", "target", "target_minus_1")),
    )
    COLUMNS = (
        Column("bidder", CELL_SEAT),
        Column("bid", CELL_NUMBER),
        Column("trump", CELL_WORD),
        Column("high", CELL_SIDE),
        Column("low", CELL_SIDE),
        Column("jack", CELL_SIDE),
        Column("game", CELL_SIDE),
        Column("points", CELL_SIGNED, 0),
        Column("points", CELL_SIGNED, 1),
        Column("score", CELL_NUMBER, 0),
        Column("score", CELL_NUMBER, 1),
    )
    BRIEF = (7, 8, 9, 10)
    AIDS = (
        (
            GAME_POINT,
            (("card.A", 4, 4), ("card.K", 3, 4), ("card.Q", 2, 4), ("card.J", 1, 4), ("card.10", 10, 4)),
            0,  # undealt and discarded cards count for nobody, RULES.md 5.2 A-M9
        ),
    )

    EN = {
        "card.A": "A",
        "card.K": "K",
        "card.Q": "Q",
        "card.J": "J",
        "card.10": "10",
        "q.deal": "Who deals?",
        "q.bid": "Bid: {seat}",
        "q.trump": "{seat}: trump?",
        "q.play": "Play",
        "q.high": "Who has High {word}?",
        "q.low": "Who has Low {word}?",
        "q.jack": "Who has Jack {word}?",
        "q.game": "Who has Game?",
        "n.bid": "Bid of {seat}",
        "n.trump": "Trump",
        "n.play": "Play",
        "n.high": "High",
        "n.low": "Low",
        "n.jack": "Jack",
        "n.game": "Game",
        "w.count": "played out",
        "w.none": "nobody",
        "w.own.S": "♠",
        "w.H": "♥",
        "w.D": "♦",
        "w.C": "♣",
        "c.bidder": "bidder",
        "c.bid": "bid",
        "c.trump": "trump",
        "c.high": "high",
        "c.low": "low",
        "c.jack": "jack",
        "c.game": "game",
        "c.points": "points",
        "c.score": "score",
        "o.kitty": "Cards to take",
        "o.follow": "May play",
        "v.follow.suit_or_trump": "suit or trump",
        "v.follow.strict": "suit only",
        "o.all_pass": "All pass",
        "v.all_pass.redeal_same": "same deals",
        "v.all_pass.dealer_must_bid_2": "dealer bids",
        "o.high_low": "High and Low",
        "v.high_low.exact_card": "only A and 7",
        "v.high_low.best_in_play": "best in play",
        "o.game_tie": "Tie for Game",
        "v.game_tie.none": "nobody",
        "v.game_tie.nonbidders": "non-bidders",
        "o.both_reach": "Both get there",
        "v.both_reach.higher_then_bidder": "higher, bidder",
        "v.both_reach.bidder": "bidder",
        "v.both_reach.higher_then_replay": "higher, replay",
        "o.low": "Low goes to",
        "v.low.player": "its player",
        "v.low.winner": "its winner",
        "o.win_only_on_made_bid": "Win on a bid only",
        "v.win_only_on_made_bid.off": "no",
        "v.win_only_on_made_bid.on": "yes",
        "o.nonbidder_cap": "Non-bidder cap",
        "v.nonbidder_cap.none": "none",
        "v.nonbidder_cap.target": "target",
        "v.nonbidder_cap.target_minus_1": "one below",
        "o.target": "Target",
        "void.all_pass": "All passed",
        "smear.cut": "{seat} cuts",
        "smear.six": "6 each, by threes",
        "smear.rest": "{seat} keeps 8 aside",
        "smear.no_bid": "No bid",
        "smear.bid": "{seat} bid {n}",
        "smear.must": "Dealer must bid",
        "smear.take": "Take {n}, keep 6",
        "smear.keep": "Keep trumps (up to 6)",
        "smear.first": "First lead is trump",
        "smear.leads": "{seat} leads",
        "smear.suit_or_trump": "Follow suit, or trump",
        "smear.strict": "Follow suit if able",
        "smear.ranks": "A K Q J 10 9 8 7",
        "smear.ace": "played A{word}",
        "smear.highest": "played highest trump",
        "smear.seven": "played 7{word}",
        "smear.lowest": "played lowest trump",
        "smear.seven_won": "won 7{word}",
        "smear.lowest_won": "won lowest trump",
        "smear.jack": "won J{word}",
        "smear.not_there": "not in play: nobody",
        "smear.spades": "spades",
        "smear.hearts": "hearts",
        "smear.diamonds": "diamonds",
        "smear.clubs": "clubs",
        "smear.values": "A4 K3 Q2 J1 10:10",
        "smear.tie_none": "tie: nobody",
        "smear.tie": "tie: {side}",
        "smear.makes": "{n} of {m}: made",
        "smear.fails": "{n} of {m}: set",
        "smear.made": "{seat} made {n}",
        "smear.set": "{seat} set, bid {n}",
        "smear.gain": "{+n} : {+m}",
        "smear.side": "{side} {+n}",
        "smear.capped": "{side}: cap {n}",
    }

    def __init__(self, options, seats=4):
        Rules.__init__(self, options, seats)
        self.kitty = self.option("kitty")
        self.strict = self.option("follow") == 1
        self.must_bid = self.option("all_pass") == 1
        self.best_in_play = self.option("high_low") == 1
        self.tie_to_nonbidders = self.option("game_tie") == 1
        self.both_reach = self.option("both_reach")
        self.low_to_winner = self.option("low") == 1
        self.made_bid_only = self.option("win_only_on_made_bid") == 1
        self.target = self.option("target")
        cap = self.option("nonbidder_cap")
        self.cap = 0 if cap == 0 else self.target + 1 - cap
        self.capped = cap != 0
        self.reset()

    def reset(self):
        self.step = DEAL
        self.score_a = 0
        self.score_b = 0
        self.calls = 0
        self.turn = 0  # the seat that bids now
        self.stuck = False  # three passes reached a dealer who has to bid, RULES.md 5.2 A-M4
        self.bid = 0  # the highest bid so far, 0 before any
        self.bidder = 0
        self.trump = 0  # an answer word
        self.high = NOBODY  # sides, RULES.md 2.5
        self.low = NOBODY
        self.jack = NOBODY
        self.game = NOBODY
        self.made = False
        self.points_a = 0  # how the deal just closed changed the scores
        self.points_b = 0
        self.cut_off = False  # the cap took points away in it

    def ask(self, question):
        step = self.step
        if self.over:
            question.over()
        elif self.dealing:
            self.ask_deal(question)
        elif step == BID:
            least = self.bid + 1 if self.bid else LEAST_BID
            if self.stuck:
                question.set(NUMBER, BID, self.turn, least, MOST_BID, 0, least)
            else:
                question.set(NUMBER, BID, self.turn, least, MOST_BID, PASS_BIT, PASS)
        elif step == TRUMP:
            question.set(CHOICE, TRUMP, self.bidder, 1, 0, OWN_BIT * 15, OWN_0)
        elif step == PLAY:
            question.set(CHOICE, PLAY, TABLE, 1, 0, COUNT_BIT, COUNT)
        elif self.best_in_play and step <= LOW:
            # some trump was led, so there is a highest and a lowest one
            question.set(SIDE, step, TABLE, 1, 0, SIDES_MASK, SIDE_0 + side_of(self.bidder))
        else:
            question.set(SIDE, step, TABLE, 1, 0, SIDES_MASK | NONE_BIT, NONE)

    def answer(self, answer):
        self.closed = False
        step = self.step
        if self.dealing:
            self.open_deal(answer)
            self.step = BID
            self.calls = 0
            self.turn = left(self.dealer)
            self.stuck = False
            self.bid = 0
        elif step == BID:
            self.call(answer)
        elif step == TRUMP:
            self.trump = answer
            self.step = PLAY
        elif step == PLAY:
            self.step = HIGH
        else:
            side = NOBODY if answer == NONE else answer - SIDE_0
            if step == HIGH:
                self.high = side
                self.step = LOW
            elif step == LOW:
                self.low = side
                self.step = JACK
            elif step == JACK:
                self.jack = side
                self.step = GAME_POINT
            else:
                self.game = self.tied() if side == NOBODY else side
                self.score_deal()

    def call(self, answer):
        """Take a bid or pass: one turn each, a 4 ends the auction (RULES.md 2.3)."""
        self.calls += 1
        if answer != PASS:
            self.bid = answer
            self.bidder = self.turn
        if self.bid != MOST_BID and self.calls < 4:
            self.turn = left(self.turn)
            self.stuck = self.must_bid and self.calls == 3 and not self.bid
        elif self.bid:
            self.step = TRUMP
        else:
            self.close_deal(ALL_PASSED, self.dealer)

    def tied(self):
        """Return the side that gets Game for equal card points, or NOBODY (RULES.md 5.2 A-M8)."""
        return 1 - side_of(self.bidder) if self.tie_to_nonbidders else NOBODY

    def points(self, side, game):
        """Return how many of the four points a side has, if ``game`` is the side that has Game (RULES.md 2.5)."""
        return (self.high == side) + (self.low == side) + (self.jack == side) + (game == side)

    def score_deal(self):
        """Score the deal, see whether it wins the match, and pass the deal to the left (RULES.md 2.6)."""
        side = side_of(self.bidder)
        own = self.points(side, self.game)
        others = self.points(1 - side, self.game)
        self.made = own >= self.bid
        if not self.made:
            own = -self.bid
        before = self.score_a if side else self.score_b
        self.cut_off = self.capped and others > 0 and before + others > self.cap
        if self.cut_off:  # RULES.md 5.2 A-M14: never lowers a score
            others = self.cap - before if before < self.cap else 0
        self.points_a = others if side else own
        self.points_b = own if side else others
        self.score_a += self.points_a
        self.score_b += self.points_b
        self.close_deal(-1, left(self.dealer))
        self.find_winner(side)

    def find_winner(self, side):
        """End the match if the deal won it; ``side`` has bid (RULES.md 2.6.3, 2.7, 5.2 A-M13)."""
        a = self.score_a
        b = self.score_b
        target = self.target
        if self.made_bid_only:
            if self.made and (b if side else a) >= target:
                self.win(side)
        elif a >= target and b >= target:
            if self.both_reach == REACH_BIDDER:
                self.win(side)
            elif a != b:
                self.win(0 if a > b else 1)
            elif self.both_reach != REACH_REPLAY:
                self.win(side)
        elif a >= target:
            self.win(0)
        elif b >= target:
            self.win(1)

    def win(self, side):
        """End the match with a winner."""
        self.over = True
        self.winners = 1 << side

    def adjust(self, side, points):
        """Correct a score; then the higher side at the target wins, except on made bids only (LOG.md)."""
        self.closed = False
        if side:
            self.score_b += points
        else:
            self.score_a += points
        if self.score_a != self.score_b and max(self.score_a, self.score_b) >= self.target and not self.made_bid_only:
            self.win(0 if self.score_a > self.score_b else 1)

    # -- what a screen shows ------------------------------------------------------------------

    def figure(self, side):
        return self.score_b if side else self.score_a

    def about(self, question, say):
        say.put("", question.seat, 0, word=self.trump)

    def hint(self, place, say):
        if self.over or place > 2:
            return False
        if self.dealing:
            if place == 0:
                return say.put("smear.cut", right(self.to_deal))
            return say.put("smear.six") if place == 1 else say.put("smear.rest", self.to_deal)
        if self.step == BID:
            return self.hint_bid(place, say)
        if self.step == TRUMP:
            if not self.kitty:
                return place == 0 and say.put("smear.first")
            if place == 0:
                return say.put("smear.take", n=self.kitty)
            return say.put("smear.keep") if place == 1 else say.put("smear.first")
        if self.step == PLAY:
            if place == 0:
                return say.put("smear.leads", self.bidder)
            if place == 1:
                return say.put("smear.strict" if self.strict else "smear.suit_or_trump")
            return say.put("smear.ranks")
        return self.hint_point(place, say)

    def hint_bid(self, place, say):
        """Say a line while bids are asked."""
        if place == 0:
            if self.bid:
                return say.put("smear.bid", self.bidder, n=self.bid)
            return say.put("smear.must" if self.stuck else "smear.no_bid")
        return False

    def hint_point(self, place, say):
        """Say a line while the four points are asked: who it is that gets one (RULES.md 2.5)."""
        step = self.step
        if step == GAME_POINT:
            if place == 0:
                return say.put("smear.values")
            if self.tie_to_nonbidders:
                return place == 1 and say.put("smear.tie", side=self.tied())
            return place == 1 and say.put("smear.tie_none")
        if place > 0:
            return place == 1 and not (self.best_in_play and step <= LOW) and say.put("smear.not_there")
        if step == HIGH:
            return say.put("smear.highest" if self.best_in_play else "smear.ace", word=self.trump)
        if step == JACK:
            return say.put("smear.jack", word=self.trump)
        if self.low_to_winner:
            return say.put("smear.lowest_won" if self.best_in_play else "smear.seven_won", word=self.trump)
        return say.put("smear.lowest" if self.best_in_play else "smear.seven", word=self.trump)

    def result(self, place, say):
        if self.void >= 0:
            return False
        if place == 0:
            return say.put("smear.made" if self.made else "smear.set", self.bidder, n=self.bid)
        if not self.over:  # the score stands above in the same order
            if place == 1:
                return say.put("smear.gain", n=self.points_a, m=self.points_b)
            place += 1
        if place == 1:
            return say.put("smear.side", -1, 0, self.points_a)
        if place == 2:
            return say.put("smear.side", -1, 1, self.points_b)
        if place == 3 and self.cut_off:
            side = 1 - side_of(self.bidder)
            return say.put("smear.capped", -1, side, self.score_b if side else self.score_a)
        return False

    def detail(self, answer, say):
        if not self.dealing and self.step == TRUMP:
            return say.put(SUITS[answer - OWN_0])
        if self.dealing or self.step != GAME_POINT:
            return False
        side = side_of(self.bidder)
        own = self.points(side, self.tied() if answer == NONE else answer - SIDE_0)
        return say.put("smear.makes" if own >= self.bid else "smear.fails", -1, side, own, self.bid)

    def cell(self, row, column):
        if column == 0:
            return self.bidder
        if column == 1:
            return self.bid
        if column == 2:
            return self.trump
        if column == 7:
            return self.points_a
        if column == 8:
            return self.points_b
        if column == 9:
            return self.score_a
        if column == 10:
            return self.score_b
        if column == 3:
            side = self.high
        elif column == 4:
            side = self.low
        else:
            side = self.jack if column == 5 else self.game
        return NO_CELL if side == NOBODY else side

    def suggest(self, ask, first, second):
        """Return who has Game by the card points counted; who gets a tie is settled by the rules."""
        if first == second:
            return NONE
        return SIDE_0 if first > second else SIDE_0 + 1

    # -- JSON of LOG.md -------------------------------------------------------------------------

    def score(self):
        return sides(self.score_a, self.score_b)

    def report(self):
        return {
            "bidder": self.SEAT_WORDS[self.bidder],
            "bid": self.bid,
            "trump": self.word(self.trump),
            "won": {
                "high": side_word(self.high),
                "low": side_word(self.low),
                "jack": side_word(self.jack),
                "game": side_word(self.game),
            },
            "made": self.made,
            "points": sides(self.points_a, self.points_b),
            "score": sides(self.score_a, self.score_b),
        }
