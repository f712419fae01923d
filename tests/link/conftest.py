"""What the tests of this folder share; lets them import its helpers (tests are imported by path, not by sys.path)."""

import sys
from pathlib import Path

import pytest
from bazzi.sim.box import Box
from bazzi.sim.micro import MicroBox

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _own_archive(tmp_path, monkeypatch):
    monkeypatch.setenv("BAZZI_ARCHIVE", str(tmp_path / "archive" / "matches.sqlite3"))


@pytest.fixture
def path(tmp_path):
    """Where an archive may be made."""
    return tmp_path / "matches.sqlite3"


@pytest.fixture
def box(tmp_path):
    """A box in this process."""
    box = Box(tmp_path / "box", seed=1)
    yield box
    box.close()


@pytest.fixture
def micro(tmp_path):
    """A box under MicroPython with a pseudo-terminal."""
    from link_tools import HEAP  # found only since this folder is in the path

    box = MicroBox(tmp_path / "micro", heap=HEAP)
    yield box
    box.close()
