"""The flash chip of the emulated board: counting, busy time, power cuts, file images."""

from __future__ import annotations

import posixpath
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from .firmware import EmulatorMissing

FLASH_BYTES = 2 * 1024 * 1024
SECTOR_BYTES = 4096
BLOCK_COUNT = 352  # MicroPython on a Pico; it silently formats anything else
FS_START = FLASH_BYTES - BLOCK_COUNT * SECTOR_BYTES

_PAGE_PROGRAM, _SECTOR_ERASE, _BLOCK_ERASE = 0x02, 0x20, 0xD8
_READ_STATUS = 0x05
_BLOCK_BYTES = 65536

CUT_MODES = ("before", "half", "after", "noise")


class PowerCut(Exception):
    """The power failed at a flash operation, as asked. `Board.power_cycle()` goes on."""

    def __init__(self, operation: int, kind: str, address: int) -> None:
        super().__init__(f"power cut at flash operation {operation} ({kind} at {address:#x})")
        self.operation, self.kind, self.address = operation, kind, address


class FlashChip:
    """Watches every erase and program command that reaches the emulated flash.

    `programs` (pages of up to 256 bytes), `erases` (sectors of 4 KB), `block_erases`
    (64 KB), `programmed_bytes` and `operations` (all of them) count from the start;
    `erases_of` counts by sector number. `on_operation(kind, address, length)` is
    called before each operation acts, kind being "program", "erase" or "block erase".
    """

    def __init__(self, mcu: Any, program_ns: int, erase_ns: int) -> None:
        self._mcu, self._ssi = mcu, mcu.ssi
        self._program_ns, self._erase_ns = program_ns, erase_ns
        self._busy_until_ns = 0.0
        self.programs = self.erases = self.block_erases = 0
        self.programmed_bytes = self.operations = 0
        self.erases_of: Counter[int] = Counter()
        self.on_operation: Callable[[str, int, int], None] | None = None
        self.changed: Callable[[], None] = lambda: None
        self._cut_in = 0
        self._cut_mode = "before"
        self._apply = self._ssi._apply_command
        self._shift = self._ssi._shift_byte
        self._ssi._apply_command = self._on_command
        if program_ns or erase_ns:
            self._ssi._shift_byte = self._on_byte

    def cut_power(self, operations: int = 1, mode: str = "before") -> None:
        """Fail the power at the `operations`-th flash operation from now.

        `mode` says how far that operation gets: "before" (nothing happened), "half"
        (half of the bytes), "after" (all of it), "noise" (some bits). The run raises
        PowerCut there. 0 operations takes the plan back. Raises ValueError.
        """
        if mode not in CUT_MODES:
            raise ValueError(f"mode is one of {', '.join(CUT_MODES)}, not {mode!r}")
        self._cut_in, self._cut_mode = operations, mode

    def image(self) -> bytes:
        """Return the whole flash, 2 MB: firmware and file system."""
        return bytes(self._mcu.flash[:FLASH_BYTES])

    def filesystem(self) -> bytes:
        """Return the file system part of the flash, for `read_image`."""
        return bytes(self._mcu.flash[FS_START:FLASH_BYTES])

    def load(self, image: bytes, start: int = 0) -> None:
        """Put an image into the flash, as if it had always been there. Raises ValueError."""
        if start + len(image) > FLASH_BYTES:
            raise ValueError(f"image of {len(image)} bytes does not fit at {start:#x}")
        self._mcu.flash[start : start + len(image)] = image

    def _on_byte(self, value: int) -> int:
        answer: int = self._shift(value)
        sent = self._ssi._tx_buffer
        if len(sent) > 1 and sent[0] == _READ_STATUS:
            # The firmware does nothing but ask until the chip is ready, with interrupts
            # off. Let that time pass at once instead of emulating every question.
            remaining_ns = self._busy_until_ns - self._mcu.clock.nanos
            if remaining_ns > 0:
                self._mcu.clock.tick(remaining_ns)
        return answer

    def _on_command(self) -> None:
        sent = self._ssi._tx_buffer
        if not (self._ssi._write_enabled and len(sent) >= 4):
            self._apply()
            return
        address = sent[1] << 16 | sent[2] << 8 | sent[3]
        now = self._mcu.clock.nanos
        if sent[0] == _PAGE_PROGRAM:
            self._operation("program", address, bytes(sent[4:]))
            self.programs += 1
            self.programmed_bytes += len(sent) - 4
            self._busy_until_ns = now + self._program_ns
        elif sent[0] == _SECTOR_ERASE:
            self._operation("erase", address, b"")
            self.erases += 1
            self.erases_of[address // SECTOR_BYTES] += 1
            self._busy_until_ns = now + self._erase_ns
        elif sent[0] == _BLOCK_ERASE:
            self._operation("block erase", address, b"")
            self.block_erases += 1
            # A 64 KB erase takes some three times as long as one sector.
            self._busy_until_ns = now + 3 * self._erase_ns
        self._apply()
        self.changed()

    def _operation(self, kind: str, address: int, data: bytes) -> None:
        self.operations += 1
        if self.on_operation is not None:
            self.on_operation(kind, address, len(data))
        if self._cut_in:
            self._cut_in -= 1
            if not self._cut_in:
                self._fail(kind, address, data)

    def _fail(self, kind: str, address: int, data: bytes) -> None:
        flash = self._mcu.flash
        if self._cut_mode == "after":
            self._apply()
        elif self._cut_mode != "before":
            noise = random.Random(self.operations)
            half = self._cut_mode == "half"
            if kind == "program":
                for i, value in enumerate(data[: len(data) // 2] if half else data):
                    flash[address + i] &= value if half else value | noise.getrandbits(8)
            else:
                size = SECTOR_BYTES if kind == "erase" else _BLOCK_BYTES
                start = address & -size
                for i in range(size // 2 if half else size):
                    flash[start + i] |= 0xFF if half else noise.getrandbits(8)
        raise PowerCut(self.operations, kind, address)


def _littlefs(buffer: bytes | None = None) -> Any:
    try:
        from littlefs import LittleFS, UserContext
    except ImportError as error:
        raise EmulatorMissing("littlefs-python") from error
    # MicroPython's own geometry. The disk version stays littlefs's newest (2.1): with
    # 2.0 the board would erase once more for every flush.
    size = BLOCK_COUNT * SECTOR_BYTES
    context = UserContext(buffsize=size)
    if buffer is not None:
        if len(buffer) != size:
            raise ValueError(f"a file system image has {size} bytes, not {len(buffer)}")
        context.buffer[:] = buffer
    return LittleFS(
        context=context,
        mount=buffer is not None,
        block_size=SECTOR_BYTES,
        block_count=BLOCK_COUNT,
        prog_size=256,
        read_size=32,
        cache_size=1024,
    )


def make_image(files: Mapping[str, str | bytes]) -> bytes:
    """Return a littlefs image for the board that holds `files` (absolute path -> content).

    Folders are made as needed; a path that ends in "/" is an empty folder.
    """
    fs = _littlefs()
    fs.format()
    fs.mount()
    for path, content in files.items():
        folder = posixpath.dirname(path)
        if folder not in ("", "/"):
            fs.makedirs(folder, exist_ok=True)
        if path.endswith("/"):
            continue
        data = content.encode() if isinstance(content, str) else content
        # Unbuffered: littlefs-python's buffered flush is not a sync.
        with fs.open(path, "wb", buffering=0) as file:
            file.write(data)
    return bytes(fs.context.buffer)


def read_image(image: bytes) -> dict[str, bytes]:
    """Return all files (absolute path -> content) of a littlefs image.

    Raises ValueError for a wrong size and littlefs.LittleFSError for a damaged image.
    """
    fs = _littlefs(image)
    files: dict[str, bytes] = {}
    for folder, _, names in fs.walk("/"):
        for name in names:
            path = posixpath.join(folder, name)
            with fs.open(path, "rb") as file:
                files[path] = file.read()
    return files
