"""Lets the tests of this folder import its helpers (tests are imported by path, not through sys.path)."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _own_archive(tmp_path, monkeypatch):
    monkeypatch.setenv("BAZZI_ARCHIVE", str(tmp_path / "archive" / "matches.sqlite3"))
