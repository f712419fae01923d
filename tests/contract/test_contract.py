"""What every game of the catalogue has to keep, shown by random play. No game is named here."""

import copy
import json

import pytest
from bazzi import replay
from contract_tools import Model, Setup, Walk, log_answers, question_of, snapshot
from game_walk import Dice, choose

from shared_rules import catalog, record
from shared_rules.question import (
    CHOICE,
    COMMON_WORDS,
    MASK,
    NO_ASK,
    NUMBER,
    OVER,
    SEAT,
    SEATS_MASK,
    SIDE,
    SIDES_MASK,
    TABLE,
    WAIT,
    WORD,
)
from shared_rules.session import ADJUST, AMEND, ANSWER, UNDO, Listener, Session

SEEDS = range(12)
STEPS = 80  # of a walk
LEAST = -5  # integers tried as answers
MOST = 9000
ENOUGH_DEALS = 150  # of a match that somebody tries to win


@pytest.fixture(params=catalog.GAMES)
def game(request):
    """Each game of the catalogue; a module that is missing fails its tests."""
    return catalog.load(request.param)


def walks(game, seeds=SEEDS, also=True):
    """Give random walks through matches, each after every one of its steps."""
    for seed in seeds:
        walk = Walk(game, seed)
        yield walk
        for _ in range(STEPS):
            walk.random_step(also)
            yield walk


# -- the question -----------------------------------------------------------------------------------


def test_a_question_is_well_formed_and_its_default_is_accepted(game):
    for walk in walks(game):
        question, rules = walk.session.question, walk.session.rules
        assert (question.kind == OVER) == rules.over == (question.ask == NO_ASK)
        if question.kind == OVER:
            assert question.count() == 0 and not any(question.accepts(value) for value in range(LEAST, MOST))
            continue
        assert question.kind in (NUMBER, CHOICE, SEAT, SIDE, MASK)
        assert 0 <= question.ask < len(game.QUESTIONS)
        assert question.seat == TABLE or 0 <= question.seat < walk.setup.seats
        assert question.count() > 0
        assert question.accepts(question.default)
        if question.lo <= question.hi:
            assert question.lo >= 0 and question.hi <= 2047, "a number is 0 to 2047"
        seats, sides = question.words & SEATS_MASK, question.words & SIDES_MASK
        assert not seats or (question.kind == SEAT and seats >> 1 < 1 << walk.setup.seats)
        assert not sides or (question.kind == SIDE and game.SIDES)
        if question.kind in (SEAT, SIDE, CHOICE):
            assert question.lo > question.hi
        if question.kind == MASK:
            assert not question.words and question.lo == 0
            assert question.hi < 1 << len(game.LABELS[question.ask]) and game.ROWS[question.ask]


def test_answers_are_counted_placed_and_ordered_as_in_the_log(game):
    """LOG.md, Steps: "answers, in this order"."""
    order = log_answers(game.GAME)
    assert list(order) and set(order) == set(game.QUESTIONS)
    seen = set()
    for walk in walks(game):
        question = walk.session.question
        if question.kind == OVER or question_of(question) in seen:
            continue
        seen.add(question_of(question))
        accepted = [value for value in range(LEAST, MOST) if question.accepts(value)]
        placed = [question.at(place) for place in range(question.count())]
        assert sorted(placed) == accepted
        assert question.at(question.count()) == -1
        if question.count() < 50:
            assert [question.place(value) for value in placed] == list(range(question.count()))
            assert question.place(question.hi + 1 if question.hi >= question.lo else 0) == -1
        words = [game.WORDS[value - WORD] for value in placed if value >= WORD]
        log = order[game.QUESTIONS[question.ask]]
        assert words == sorted(words, key=log.index)
        numbers = [value for value in placed if value < WORD]
        assert numbers == sorted(numbers)
        common = len([word for word in placed if WORD <= word < WORD + len(COMMON_WORDS)])
        assert placed[common : common + len(numbers)] == numbers


def test_every_question_and_word_of_a_game_turns_up(game):
    asked, words = set(), set()
    for seed in range(400):
        walk = Walk(game, seed)
        for _ in range(STEPS):
            question = walk.session.question
            if question.kind == OVER:
                break
            asked.add(game.QUESTIONS[question.ask])
            words.update(word for place, word in enumerate(game.WORDS) if question.words >> place & 1)
            walk.answer(choose(question, walk.dice))
        if asked == set(game.QUESTIONS) and words >= set(game.WORDS[len(COMMON_WORDS) :]):
            return
    assert asked == set(game.QUESTIONS)
    assert words >= set(game.WORDS[len(COMMON_WORDS) :])


# -- the end ------------------------------------------------------------------------------------------


def ending(game, codes):
    """Return codes with which a match ends by itself: a range whose lowest value is 0 may mean "never"."""
    return [
        max(code, 1) if option.values is None and option.hi > 1 and option.lo == 0 else code
        for option, code in zip(game.OPTIONS, codes, strict=True)
    ]


def small(game, codes):
    """Return codes whose ranges are at most twice their defaults, so that a match is not endless."""
    return [
        min(code, max(option.lo, 2 * option.default)) if option.values is None else code
        for option, code in zip(game.OPTIONS, codes, strict=True)
    ]


def standing(rules):
    """Return how near the best owner is to winning, to be compared."""
    owners = range(rules.SIDES or rules.seats)
    return max((rules.minor(owner), rules.figure(owner)) for owner in owners)


def deal_at_random(session, dice):
    """Play on until a deal is closed or the match is over; returns the answers."""
    answers = []
    while session.question.kind != OVER:
        assert len(answers) < 2000, "a deal does not end"
        answers.append(choose(session.question, dice))
        assert session.answer(answers[-1])
        if session.rules.closed and session.rules.DEALS:
            break
    return answers


def play_to_win(session, dice):
    """Play a match to its end: of four random deals always the one that somebody gains most by."""
    deals = 0
    while session.question.kind != OVER:
        tries = []
        for _ in range(4):
            other = copy.deepcopy(session)
            answers = deal_at_random(other, dice)
            tries.append((other.rules.over, standing(other.rules), len(tries), answers))
        for answer in max(tries)[3]:
            assert session.answer(answer)
        deals += 1
        assert deals < ENOUGH_DEALS, "the match does not end"


def test_random_play_with_random_options_ends_and_somebody_wins(game):
    for seed in range(25):
        dice = Dice(seed)
        setup = Setup(game, dice)
        setup.codes = small(game, ending(game, setup.codes))
        session = setup.session(room=2000)
        play_to_win(session, dice)
        rules = session.rules
        assert rules.over and rules.winner() is not None
        assert bool(rules.winner()) == (setup.seats > 1), "LOG.md: with one player the winner is []"
        assert rules.winners < 1 << (game.SIDES or setup.seats)


def test_with_the_usual_options_whoever_wins_has_the_best_score(game):
    """Rows 14, 15, 18, 19: an independent reading of the score, and equal leaders are never the first of a list."""
    for seed in range(25):
        dice = Dice(1000 + seed)
        setup = Setup(game, dice, [option.default for option in game.OPTIONS])
        session = setup.session(room=2000)
        play_to_win(session, dice)
        rules = session.rules
        owners = range(game.SIDES or setup.seats)
        scores = [rules.minor(owner) if rules.minor(owner) >= 0 else rules.figure(owner) for owner in owners]
        for owner in owners:
            if rules.winners >> owner & 1:
                assert scores[owner] == max(scores)


def turned(value, by, seats):
    """Return an answer with the table turned by so many seats."""
    return WORD + 1 + (value - WORD - 1 + by) % seats if WORD < value <= WORD + 4 else value


def test_turning_the_table_turns_the_result(game):
    """Rows 1, 18: who sits where in the list changes nothing."""
    by = 2 if game.SIDES else 1  # partners change places, so that sides keep their names
    for seed in range(15):
        dice = Dice(seed)
        setup = Setup(game, dice)
        other = copy.deepcopy(setup)
        other.dealer = (setup.dealer + by) % setup.seats
        one, two = setup.session(room=1000), other.session(room=1000)
        for _ in range(STEPS):
            if one.question.kind == OVER:
                break
            value = choose(one.question, dice)
            assert one.answer(value)
            assert two.answer(turned(value, by, setup.seats))
            first, second = one.rules, two.rules
            assert (one.question.kind, one.question.ask) == (two.question.kind, two.question.ask)
            for owner in range(game.SIDES or setup.seats):
                to = owner if game.SIDES else (owner + by) % setup.seats
                assert first.figure(owner) == second.figure(to)
                assert first.winners >> owner & 1 == second.winners >> to & 1
            assert (first.whose_deal() + by) % setup.seats == second.whose_deal()


# -- refused, taken back, corrected -------------------------------------------------------------------


def test_a_refused_answer_changes_nothing(game):
    """Rows 21, 22: contradictions are refused, and leave no trace."""
    for walk in walks(game, range(6)):
        session = walk.session
        before = snapshot(session)
        values = [LEAST + walk.dice.roll(MOST - LEAST) for _ in range(20)]
        question = session.question
        values += [question.lo - 1, question.hi + 1, WORD - 1, WORD + len(game.WORDS), WORD, 0, -1]
        steps = session.steps, session.lines
        for value in values:
            if not question.accepts(value):
                assert not session.answer(value)
        assert (session.steps, session.lines) == steps
        assert snapshot(session) == before


def test_undo_down_to_the_start_is_the_replay_of_each_prefix(game):
    """Rows 22, 23: one step a press gives back scores, dealer, bidder, winner, exactly."""
    for seed in range(8):
        walk = Walk(game, seed)
        prefixes = [snapshot(walk.session)]
        for _ in range(60):
            steps = walk.session.steps
            walk.random_step()
            if walk.session.steps > steps:
                prefixes.append(snapshot(walk.session))
            elif walk.session.steps < steps:
                prefixes.pop()
        assert prefixes[-1] == walk.model.now()
        while walk.undo():
            prefixes.pop()
            assert snapshot(walk.session) == prefixes[-1] == walk.model.now()
        assert len(prefixes) == 1 and walk.session.steps == 0


def test_amend_is_the_match_with_the_other_answer_or_is_refused_at_the_right_deal(game):
    """Rows 25, 27: a correction gives what a fresh replay gives, or leaves everything and names the deal in the way."""
    taken = refused = 0
    for seed in range(30):
        walk = Walk(game, seed)
        for _ in range(45):
            walk.random_step()
        places = walk.model.answers()
        for _ in range(8):
            if not places:
                break
            place = places[walk.dice.roll(len(places))]
            asked = walk.model.play(walk.model.steps[:place])[0].question
            answer = choose(asked, walk.dice) if walk.dice.roll(2) else walk.any_answer()
            session = walk.session
            before = snapshot(session), session.steps, session.lines
            fresh, stuck = walk.model.play([*walk.model.steps, ("amend", place, answer)])
            if walk.amend(place, answer):
                taken += 1
                assert stuck < 0
                assert snapshot(session) == snapshot(fresh) == walk.model.now()
                assert (session.steps, session.lines) == (before[1] + 1, before[2] + 1)
            else:
                refused += 1
                assert (snapshot(session), session.steps, session.lines) == before
                assert session.stuck_step == stuck
                assert session.stuck_deal == fresh.rules.deals + 1
                assert question_of(session.stuck) == question_of(fresh.question)
    assert taken > 20 and refused > 20


def test_the_same_answer_again_is_a_step_that_changes_nothing(game):
    """Row 27; LOG.md, Commands, amend."""
    for seed in range(6):
        walk = Walk(game, seed)
        for _ in range(40):
            walk.random_step(False)
        for place in walk.model.answers():
            before = snapshot(walk.session), walk.session.steps
            assert walk.amend(place, walk.session.value(place))
            assert (snapshot(walk.session), walk.session.steps) == (before[0], before[1] + 1)
            assert walk.undo()
            assert (snapshot(walk.session), walk.session.steps) == before


def test_a_deal_can_be_thrown_in_at_any_question_of_it_but_the_first(game):
    """LOG.md, Commands, redeal: same dealer, no score changed."""
    for walk in walks(game, range(8), also=False):
        session = copy.deepcopy(walk.session)
        rules = session.rules
        question = session.question
        possible = game.DEALS and question.kind != OVER and game.QUESTIONS[question.ask] != "deal"
        assert session.can_redeal() == possible
        before = snapshot(session)
        score, deals, dealer = rules.score(), rules.deals, rules.dealer
        assert session.redeal() == possible
        if not possible:
            assert snapshot(session) == before
            continue
        assert rules.score() == score and rules.deals == deals + 1
        assert game.VOIDS[rules.void] == "table" and rules.closed
        assert rules.whose_deal() == dealer and game.QUESTIONS[session.question.ask] == "deal"
        assert session.undo() and snapshot(session) == before


def test_a_score_is_corrected_only_before_a_deal(game):
    """LOG.md, Commands, adjust: in a side's favour, never moves the deal. Row 15: it can win the match."""
    won = 0
    for walk in walks(game, range(8), also=False):
        session = copy.deepcopy(walk.session)
        rules = session.rules
        question = session.question
        possible = game.DEALS and question.kind != OVER and game.QUESTIONS[question.ask] == "deal"
        assert session.can_adjust() == possible
        before = snapshot(session)
        for points in (-1000, 1000, 32000):
            assert not session.adjust(0, points)
        assert snapshot(session) == before
        side, points = walk.dice.roll(2), walk.dice.roll(1999) - 999
        if not possible:
            assert not session.adjust(side, points) and snapshot(session) == before
            continue
        figures, to_deal = [rules.figure(0), rules.figure(1)], rules.to_deal
        assert session.adjust(side, points)
        if rules.bazzi < 0:
            assert rules.figure(side) == figures[side] + points
            assert rules.figure(1 - side) == figures[1 - side] - (points if game.LEAD else 0)
        won += rules.over
        assert rules.to_deal == to_deal and not rules.closed
        assert session.undo() and snapshot(session) == before
    assert won or not game.DEALS


def test_end_stops_the_match_without_a_winner_and_only_undo_and_amend_go_on(game):
    """LOG.md, Commands, end. Row 19: a match stopped with nothing scored has no winner."""
    for walk in walks(game, range(5), also=False):
        session = copy.deepcopy(walk.session)
        if session.question.kind == OVER:
            assert not session.end() and not session.rename(0, "X") and not session.redeal()
            continue
        before = snapshot(session)
        score, dealer = session.rules.score(), session.rules.dealer
        assert session.end()
        assert session.question.kind == OVER and session.rules.winner() == [] and session.rules.score() == score
        assert session.rules.whose_deal() == dealer
        assert not (session.end() or session.redeal() or session.adjust(0, 1) or session.rename(0, "X"))
        assert not any(session.answer(value) for value in (0, 1, WORD, WORD + 1, session.question.default))
        assert session.undo() and snapshot(session) == before


def test_a_long_reckoning_in_slices_gives_the_same_match(game):
    """A sliced session may wait (and accepts nothing meanwhile), then asks what another one asks at once."""
    for seed in range(6):
        dice = Dice(seed)
        setup = Setup(game, dice)
        one, two = setup.session(), setup.session(sliced=True)
        assert two.rules.sliced, "the rules of a sliced session have to know it, or they reckon while a screen draws"
        for _ in range(50):
            slices = 0
            while two.question.kind == WAIT:
                assert not two.answer(two.question.default) and two.question.count() == 0
                two.work()
                slices += 1
                assert slices < 3000, "the reckoning does not end"
            owners = range(game.SIDES or setup.seats)
            for owner in owners:
                while not two.rules.want(owner):
                    two.rules.work()
            assert snapshot(one) == snapshot(two)
            if one.question.kind == OVER:
                break
            value = choose(one.question, dice)
            assert one.answer(value) and two.answer(value)


# -- what is kept and carried -----------------------------------------------------------------------


def test_records_play_the_same_match(game):
    """What the journal keeps is the match: every kind of step, names of several records, undone steps too."""
    for seed in range(10):
        walk = Walk(game, seed)
        for _ in range(60):
            walk.random_step()
        walk.rename(0, "Maximilian-Alexander प्रिया") or walk.undo()
        session = walk.setup.session()
        player = record.Player(session)
        for at in range(0, len(walk.records), record.SIZE):
            assert record.good(walk.records, at)
            assert record.match(walk.records, at) == 1 and record.number(walk.records, at) == at // record.SIZE
            assert player.play(walk.records, at)
        assert snapshot(session) == snapshot(walk.session) == walk.model.now()
        assert (session.steps, session.lines) == (walk.session.steps, walk.session.lines)
        assert session.names == walk.session.names


def reckoned(session):
    """Do all that is reckoned in slices."""
    session.settle()
    for owner in range(session.rules.SIDES or session.rules.seats):
        while not session.rules.want(owner):
            session.rules.work()


@pytest.mark.parametrize("sliced", (False, True))
def test_a_match_that_is_resumed_quickly_is_the_same(game, sliced):
    """Steps put on the list and played once, unseen, make what a record at a time makes."""
    rows = 0
    for seed in range(10):
        walk = Walk(game, seed)
        for _ in range(60):
            walk.random_step()
        walk.rename(0, "Maximilian-Alexander प्रिया")
        records = bytearray(walk.records)
        end = len(records)
        one, quick = walk.setup.session(sliced=sliced), walk.setup.session(sliced=sliced)
        player, taker = record.Player(one), record.Player(quick)
        for at in range(0, end, record.SIZE):
            assert player.play(records, at)
        one.settle()
        at = 0
        while at < end:
            stop = record.answers(records, at, end, 1, at // record.SIZE)
            kinds = [record.kind(records, place) for place in range(at, end, record.SIZE)]
            assert (stop - at) // record.SIZE == next((i for i, kind in enumerate(kinds) if kind != ANSWER), len(kinds))
            quick.take_answers(records, at, stop)
            rows += stop > at
            if stop == at:
                assert taker.take(records, at)
                stop += record.SIZE
            at = stop
        assert quick.play_to(quick.steps, None, True) == -1
        for again in (False, True):
            for session in (one, quick):
                reckoned(session)
            assert snapshot(quick) == snapshot(one) == walk.model.now()
            assert (quick.steps, quick.lines, quick.names) == (one.steps, one.lines, one.names)
            for step in range(one.steps):
                assert quick.kind(step) == one.kind(step)
                assert quick.ask(step) == one.ask(step) and quick.value(step) == one.value(step)
                assert quick.target(step) == one.target(step)
                assert quick.kind(step) != ANSWER or quick.seat(step) == one.seat(step)
            assert again or quick.holds()
        while one.undo():
            assert quick.undo()
            for session in (one, quick):
                reckoned(session)
            assert snapshot(quick) == snapshot(one)
    assert rows > 10


def test_a_row_of_answers_ends_where_one_is_damaged(game):
    walk = Walk(game, 3)
    for _ in range(5):
        assert walk.answer(choose(walk.session.question, walk.dice))
    end = 5 * record.SIZE
    third = 2 * record.SIZE
    for bit in range(8 * record.SIZE):
        records = bytearray(walk.records)
        records[third + bit // 8] ^= 1 << bit % 8
        assert record.answers(records, 0, end, 1, 0) == third
    assert record.answers(walk.records, 0, end - 1, 1, 0) == end - record.SIZE, "half a record"
    assert record.answers(walk.records, 0, end, 2, 0) == record.answers(walk.records, 0, end, 1, 1) == 0


def test_an_answer_that_is_not_legal_is_found_after_a_quick_resume(game):
    walk = Walk(game, 3)
    for _ in range(5):
        assert walk.answer(choose(walk.session.question, walk.dice))
    end = 5 * record.SIZE
    third = 2 * record.SIZE
    ask, seat = record.ask(walk.records, third), record.seat(walk.records, third)
    value = record.value(walk.records, third)
    for wrong in ((ask, -1), (ask, 4095), (ask, 0x101F), (ask + 1, value)):
        records = bytearray(walk.records)
        record.pack(records, third, ANSWER, 1, 2, wrong[0], seat, wrong[1], 0, 9)
        session = walk.setup.session()
        session.take_answers(records, 0, end)
        try:
            stuck = session.play_to(session.steps, None, True)
        except (LookupError, ValueError, ArithmeticError):
            continue
        assert stuck >= 0 or not session.holds()


def test_a_step_that_takes_back_or_amends_nothing_cannot_be_taken(game):
    buffer = bytearray(record.SIZE)
    session = Walk(game, 1).setup.session()
    taker = record.Player(session)
    for kind in (UNDO, AMEND):
        record.pack(buffer, 0, kind, 1, 0, 0, 255, 5, 60000, 9)
        assert not taker.take(buffer, 0)
    record.pack(buffer, 0, ADJUST, 1, 0, 2, 255, 5, 0, 9)
    assert not taker.take(buffer, 0), "there are two sides"
    assert session.steps == 0


def test_a_record_that_does_not_fit_changes_nothing(game):
    """A record of another question, or of an answer that is not legal, is refused."""
    buffer = bytearray(record.SIZE)
    for walk in walks(game, range(4)):
        session = walk.session
        question = session.question
        before = snapshot(session), session.steps, session.lines
        player = record.Player(session)
        other = 0 if question.ask else 1
        for ask, value in ((other, question.default), (question.ask, MOST), (question.ask, -5)):
            record.pack(buffer, 0, 1, 1, 0, ask & 0xFF, question.seat, value, 0, 9)
            assert not player.play(buffer, 0)
        record.pack(buffer, 0, 3, 1, 0, 0, 255, 5, 60000, 9)
        assert not player.play(buffer, 0), "an amend of a step that is not there"
        assert (snapshot(session), session.steps, session.lines) == before


def test_every_changed_bit_of_a_record_is_noticed(game):
    walk = Walk(game, 3)
    while len(walk.records) < 8 * record.SIZE:
        walk.random_step()
    for at in range(0, 8 * record.SIZE, record.SIZE):
        for bit in range(8 * record.SIZE):
            torn = bytearray(walk.records[at : at + record.SIZE])
            torn[bit >> 3] ^= 1 << (bit & 7)
            assert not record.good(torn, 0)


class Deals(Listener):
    """What LOG.md's "deals" and "adjustments" should be, as they are told."""

    def __init__(self):
        self.restart()

    def restart(self):
        """Begin anew."""
        self.told = []

    def deal(self, session, step):
        """Note a deal closed."""
        rules = session.rules
        self.told.append((rules.deals, rules.dealer, rules.void, None if rules.void >= 0 else rules.report()))

    def adjusted(self, session, side, points):
        """Note a correction."""
        self.told.append((session.rules.deals, side, points, session.rules.bazzi))


def test_deals_told_while_playing_are_those_told_by_a_replay(game):
    """Row 25: after any correction the list of deals is that of a fresh replay; nothing twice, nothing stale."""
    for seed in range(8):
        walk = Walk(game, seed)
        heard = Deals()
        walk.session.listener = heard
        for _ in range(60):
            walk.random_step()
            fresh = Deals()
            walk.model.play(walk.model.steps, fresh)
            assert heard.told == fresh.told


def test_the_log_as_text_is_the_same_match(game, tmp_path):
    """LOG.md: header and steps as JSON lines give what the session gives, in another implementation of steps."""
    for seed in range(10):
        walk = Walk(game, seed)
        for _ in range(60):
            walk.random_step()
        result = replay.read(walk.text(), "match.jsonl").result()
        rules = walk.session.rules
        assert json.loads(json.dumps(result)) == result, "JSON of the log and nothing else"
        assert result["game"] == game.GAME and result["players"] == walk.session.names
        values = {option.id: option.value(code) for option, code in zip(game.OPTIONS, walk.setup.codes, strict=True)}
        assert result["options"] == values
        assert (result["over"], result["winner"], result["score"]) == (rules.over, rules.winner(), rules.score())
        assert result["dealer"] == game.SEAT_WORDS[rules.whose_deal()]
        heard = Deals()
        walk.model.play(walk.model.steps, heard)
        closed = [entry for entry in heard.told if entry[2] < 0 or entry[3] is None]
        assert len(result["deals"]) + len(result["adjustments"]) == len(heard.told)
        assert [deal["n"] for deal in result["deals"]] == list(range(1, rules.deals + 1))
        reports = [entry[3] for entry in closed if isinstance(entry[3], dict)]
        found = [
            {key: value for key, value in deal.items() if key not in ("n", "dealer") or key in report}
            for deal, report in zip([deal for deal in result["deals"] if "void" not in deal], reports, strict=True)
        ]
        assert found == reports
        assert (result["question"] is None) == rules.over


def test_a_step_that_the_rules_refuse_is_refused_in_the_log(game):
    for seed in range(6):
        walk = Walk(game, seed)
        for _ in range(20):
            walk.random_step(False)
        if walk.session.question.kind == OVER:
            continue
        question = walk.session.question
        line = {"ask": game.QUESTIONS[question.ask], "answer": question.hi + 1 if question.hi >= question.lo else 0}
        raw = walk.text() + json.dumps(line).encode() + b"\n"
        with pytest.raises(replay.LogError) as error:
            replay.read(raw, "match.jsonl")
        assert error.value.line == len(walk.log) + 1


def test_a_session_makes_room_when_it_needs_it(game):
    """A match longer than the room made for it goes on, on the laptop."""
    dice = Dice(5)
    setup = Setup(game, dice)
    rules = game(list(setup.codes), setup.seats)
    session = Session(rules, setup.dealer, list(setup.names), None, 1)
    model = Model(setup)
    for _ in range(90):
        if session.question.kind == OVER:
            break
        value = choose(session.question, dice)
        model.steps.append(("answer", session.question.ask, value))
        assert session.answer(value)
    assert snapshot(session) == model.now()
