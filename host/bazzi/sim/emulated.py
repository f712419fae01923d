"""The box on an emulated Pico with real firmware, for people: in the terminal, or by a script.

The flash is kept in a file of the box's folder, so that matches are there again the next time. A new
board gets Bazzi's files as ``bazzi install`` would put them; over the serial line that is offered one
can install, sync and ask the doctor as with a real board.
"""

import sys
import time
from functools import partial
from pathlib import Path

from ..errors import CheckError, InputError
from .box import KEYS, default_folder
from .picture import COLUMNS, PAGES, PITCH, braille, framed, half_blocks
from .script import Script

FLASH = "pico-flash.bin"
FORMAT = "6.3"  # of compiled modules, MicroPython 1.24 and newer
ARCH = "armv6m"
FRAME_MS = 40
PRESS_MS = 60
HOLD_MS = 700


class BoardBox:
    """An emulated board as a simulated box (``bazzi.sim.box.AnyBox``), but that it says no texts."""

    def __init__(self, flash: bytes | None = None, image: str | None = None):
        from ..emulator import REAL, Board
        from ..payload import make

        files = None
        if flash is None:
            payload = make(FORMAT, ARCH)
            folder = payload.folder()
            files = {f"{folder}/{name}": data for name, data in payload.files.items()}
            files["/main.py"] = payload.main(folder)
        self.board = Board(image, files=files, flash=flash, timing=REAL)
        self.board.boot()
        self._down = 0

    def hold(self, mask: int) -> None:
        """Put down the keys of a mask and let go of the others."""
        for place, name in enumerate(KEYS):
            bit = 1 << place
            if (mask ^ self._down) & bit:
                key = self.board.keys[name]
                key.press() if mask & bit else key.release()
        self._down = mask

    def run(self, ms: int) -> None:
        """Let so much simulated time pass."""
        self.board.run(ms=ms)

    def frame(self) -> bytes:
        """Return the picture as a person sees it, laid out as the canvas's frame."""
        seen = self.board.panel.frame()
        frame = bytearray(PAGES * PITCH + 1)
        for page in range(PAGES):
            frame[page * PITCH] = 0x40
            frame[page * PITCH + 1 : page * PITCH + 1 + COLUMNS] = seen[page * COLUMNS : (page + 1) * COLUMNS]
        return bytes(frame)

    def lines(self) -> list[str]:
        """The board says nothing of its texts here; only pictures can be looked at."""
        raise CheckError("an emulated board has no texts to look at; possible: shot")

    def inverted(self) -> list[str]:
        """See ``lines``."""
        return self.lines()

    def cut(self) -> None:
        """Pull the plug and put it in again."""
        self._down = 0
        self.board.power_cycle()

    def close(self) -> None:
        """Switch the board off."""
        self.board.close()


def play(folder: Path | None, script_file: Path | None) -> None:
    """Run the emulated board until q, or a script on it.

    Raises InputError, CheckError, and what the emulator raises.
    """
    place = folder or default_folder()
    flash_file = place / FLASH
    try:
        place.mkdir(parents=True, exist_ok=True)
        flash = flash_file.read_bytes() if flash_file.exists() else None
    except OSError as error:
        raise InputError(f"{flash_file}: cannot be read: {error.strerror}") from None
    box = BoardBox(flash)
    try:
        if script_file is not None:
            try:
                lines = script_file.read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError):
                raise InputError(f"{script_file}: cannot be read") from None
            box.run(1000)
            Script(box, str(script_file)).run(lines)
        else:
            _interact(box)
    finally:
        new = flash_file.with_suffix(".new")
        new.write_bytes(bytes(box.board.flash.image()))
        new.replace(flash_file)
        box.close()


def _interact(box: BoardBox) -> None:
    import blessed

    from .terminal import BINDINGS, HELP

    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise InputError("sim: not a terminal; possible: run it in one, or --script FILE")
    term = blessed.Terminal()
    shown = b""
    with term.fullscreen(), term.cbreak(), term.hidden_cursor(), box.board.serving() as server:
        while True:
            key = term.inkey(timeout=FRAME_MS / 1000)
            if key == "q":
                return
            bound = BINDINGS.get(key.name or str(key))
            if bound:
                server.call(partial(box.hold, 1 << KEYS.index(bound[0])))
                time.sleep((HOLD_MS if bound[1] else PRESS_MS) / 1000)
                server.call(partial(box.hold, 0))
            frame = server.call(box.frame)
            if frame != shown:
                shown = frame
                wide = term.width >= COLUMNS + 2 and term.height >= 36
                lines = framed(half_blocks(frame)) if wide else braille(frame)
                says = f"serial line: {server.path}   (bazzi sync --port {server.path})"
                print(term.home + term.clear + "\n".join([*lines, HELP, says]), end="", flush=True)
