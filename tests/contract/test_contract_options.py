"""Every value of every option changes something: a match is searched in which it does. No game is named here."""

import copy
import itertools

import pytest
from contract_tools import Setup, log_options
from game_walk import Dice, Look, choose

from shared_rules import catalog
from shared_rules.question import OVER

SEEDS = 6000  # matches tried at most for each pair of values
STEPS = 70

_looks = (Look(), Look())

OPTIONS = [(game, place) for game in catalog.GAMES for place in range(len(catalog.load(game).OPTIONS))]
NAMES = [f"{game}-{catalog.load(game).OPTIONS[place].id}" for game, place in OPTIONS]


def pairs(option):
    """Return the pairs of codes that have to differ: all of a list; of a range its ends and about the default."""
    if option.values is not None:
        return list(itertools.combinations([option.code(value) for value in option.values], 2))
    near = [option.lo, option.default - 1, option.default, option.default + 1, option.hi]
    return list(itertools.pairwise(sorted({code for code in near if option.lo <= code <= option.hi})))


def correct(one, two, side, points):
    """Correct a score in both matches, unless something would be won by it."""
    for session in (one, two):
        assert session.adjust(side, points)
    if any(session.rules.over or session.rules.bazzi >= 0 for session in (one, two)):
        one.undo()
        two.undo()


def creep(one, two, dice):
    """Correct the scores of two matches until both sides are a point or a few before winning something."""
    for side in range(2):
        for power in range(9, -1, -1):
            correct(one, two, side, 1 << power)
        correct(one, two, side, -dice.roll(4))


def compare(one, two, dice, told_too):
    """Play two matches with the same answers until they differ; return "scored", "told" or "" (they never did)."""
    if not one.can_adjust() or dice.roll(2):
        return play(one, two, dice, STEPS, told_too)
    creep(one, two, dice)
    told = ""
    for _ in range(10):  # deals from the same position, which decides a lot
        effect = play(copy.deepcopy(one), copy.deepcopy(two), dice, 15, told_too)
        if effect == "scored":
            return effect
        told = told or effect
    return told


def play(one, two, dice, steps, told_too):
    """Play two matches with the same answers until they differ; see ``compare``."""
    first, second = _looks
    told = ""
    dull = 3 * dice.roll(2)
    near = 9 if dice.roll(2) else 200
    for _ in range(steps):
        for look, session in ((first, one), (second, two)):
            if told_too:
                look.take(session)
            else:
                look.take_scores(session)
        if first.seen_scored() != second.seen_scored():
            return "scored"
        if told_too and first.seen_told() != second.seen_told():
            told = "told"
        if one.question.kind == OVER:
            break
        if one.can_adjust() and dice.roll(8) == 0:
            side, points = dice.roll(2), dice.roll(near) - near // 2
            assert one.adjust(side, points) == two.adjust(side, points)
        elif one.can_redeal() and dice.roll(40) == 0:
            assert one.redeal() == two.redeal()
        else:
            value = choose(one.question, dice, dull)
            assert one.answer(value)
            if not two.answer(value):
                return "scored"  # it is legal in one of them only
    return told


def matches(game, place, low, high):
    """Give pairs of random matches that differ in one option alone."""
    for seed in range(SEEDS):
        dice = Dice(seed)
        setup = Setup(game, dice)
        setup.codes[place] = low
        one = setup.session()
        clash = game.conflict(setup.codes)
        setup.codes[place] = high
        if not clash and not game.conflict(setup.codes):
            yield seed, one, setup.session(), dice


@pytest.mark.parametrize(("id", "place"), OPTIONS, ids=NAMES)
def test_every_value_of_an_option_changes_something(id, place):
    """LOG.md's table: with ¹ it changes what the table is told and never the score; else the score or what is legal."""
    game = catalog.load(id)
    option = game.OPTIONS[place]
    only_told = log_options(id)[option.id][1]
    want = "told" if only_told else "scored"
    for low, high in pairs(option):
        found = ""
        tried = 0
        for seed, one, two, dice in matches(game, place, low, high):
            effect = compare(one, two, dice, only_told)
            tried += 1
            assert not (only_told and effect == "scored"), f"{option.value(low)} and {option.value(high)}, seed {seed}"
            if effect == want:
                found = effect
                # What only tells the table has to leave the score alone in a good many matches.
                if not only_told or tried >= 25:
                    break
        assert found, f"{option.value(low)} and {option.value(high)} are the same in {tried} random matches"


@pytest.mark.parametrize("id", catalog.GAMES)
def test_options_are_those_of_the_log(id):
    """LOG.md's table: ids and defaults."""
    game = catalog.load(id)
    want = {option: default for option, (default, _) in log_options(id).items()}
    assert {option.id: str(option.value(option.default)) for option in game.OPTIONS} == want


@pytest.mark.parametrize("id", catalog.GAMES)
def test_every_code_is_a_value_and_stepping_goes_through_all(id):
    game = catalog.load(id)
    for option in game.OPTIONS:
        values = option.values or range(option.lo, option.hi + 1)
        codes = [option.code(value) for value in values]
        assert [option.value(code) for code in codes] == list(values)
        assert option.default in codes
        for bad in (None, True, 1.0, "", "nothing", -1, 10000, str(option.value(option.default)) + "x"):
            assert option.code(bad) == -1
        for code, after in zip(codes, codes[1:] + codes[:1], strict=True):
            assert option.step(code, 1) == after and option.step(after, -1) == code
        assert option.possible()
    assert game.conflict([option.default for option in game.OPTIONS]) is None
    assert 1 <= len([option for option in game.OPTIONS if option.first]) <= 8, "set-up offers about half a dozen"
