"""The application under CPython, with keys, clock, display and line in the program's hands.

The class ``Box`` has the methods that every simulated box has (see ``bazzi.sim.micro`` for the one
under MicroPython): ``hold``, ``run``, ``frame``, ``lines``, ``inverted``, ``light``, ``cut``, ``close``.
"""

import os
import random
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from keeper import ticks
from keeper.app import App
from keeper.journal import Journal
from keeper.said import TellingCanvas
from keeper.settings import Settings

STEP_MS = 5
KEYS = ("UP", "RIGHT", "DOWN", "LEFT", "OK", "BACK")


class AnyBox(Protocol):
    """What a simulated box can do, however it runs."""

    def hold(self, mask: int) -> None:
        """Put down the keys of a mask (bit 0 UP, then RIGHT, DOWN, LEFT, OK, BACK) and let go of the others."""

    def run(self, ms: int) -> None:
        """Let so many milliseconds pass on the box."""

    def frame(self) -> bytes:
        """Return the picture: 8 pages of 129 bytes, the first of each 0x40, then 128 columns."""

    def lines(self) -> list[str]:
        """Return the texts on the screen, a string a row."""

    def inverted(self) -> list[str]:
        """Return the texts that stand reversed."""

    def cut(self) -> None:
        """Pull the plug and put it in again."""

    def close(self) -> None:
        """Switch the box off."""


class SimBoard:
    """The board object of the application (docs/ARCHITECTURE.md), played by the laptop."""

    def __init__(self, folder: Path, seed: int | None = None, start_ms: int = 0, clock: str = ""):
        self.folder = folder
        self.now = start_ms
        self.mask = 0
        self.frame = bytes(8 * 129 + 1)
        self.shown = 0  # pictures handed over so far
        self.on = True
        self.contrast = 255
        self.shift = 0
        self.flip = 0
        self.device_id = "sim"
        self.line_in = bytearray()
        self.line_out = bytearray()
        self.beeps: list[int] = []
        self.set_clock(clock)
        self._random = random.Random(seed)

    def now_ms(self) -> int:
        """Return the tick of now."""
        return self.now

    def pass_time(self, ms: int) -> None:
        """Let time pass."""
        self.now = ticks.add(self.now, ms)

    def held(self) -> int:
        """Return the mask of the keys that are down."""
        return self.mask

    def pending(self) -> bool:
        """Tell whether more changes of keys wait."""
        return False

    def show(self, frame: bytearray) -> None:
        """Take a picture."""
        self.frame = bytes(frame)
        self.shown += 1

    def light(self, on: bool, contrast: int, shift: int, flip: int) -> None:
        """Set the display: on or dark, contrast 0 to 255, shifted down by pixels, turned round."""
        self.on, self.contrast, self.shift, self.flip = on, contrast, shift, flip

    def panel(self, controller: str, offset: int) -> None:
        """Take the kind of display; all are the same here."""

    def read_into(self, buffer: bytearray) -> int:
        """Move bytes that came over the line into the buffer; returns how many."""
        count = min(len(buffer), len(self.line_in))
        buffer[:count] = self.line_in[:count]
        del self.line_in[:count]
        return count

    def write(self, buffer: bytes, start: int, end: int) -> int:
        """Send buffer[start:end] over the line; returns how many bytes were taken."""
        self.line_out += buffer[start:end]
        return end - start

    def random(self, count: int) -> int:
        """Return a random number from 0 to count - 1."""
        return self._random.randrange(count)

    def random_bytes(self, count: int) -> bytes:
        """Return random bytes."""
        return self._random.randbytes(count)

    def steadily(self, work: Callable[[], None]) -> bool:
        """Call ``work``; True, because here it may take memory."""
        work()
        return True

    def beep(self, kind: int) -> None:
        """Sound: 1 a step, 2 a deal, 3 an error."""
        self.beeps.append(kind)

    def clock(self) -> str:
        """Return the time of day as the log writes it, "" when it is not known."""
        if not self._clock:
            return ""
        passed = timedelta(milliseconds=ticks.diff(self.now, self._clock_set))
        return (datetime.fromisoformat(self._clock) + passed).isoformat(timespec="seconds")

    def set_clock(self, text: str) -> None:
        """Set the time of day: "YYYY-MM-DDTHH:MM:SS+HH:MM", or "" for not known."""
        self._clock = text
        self._clock_set = self.now

    def idle(self, ms: int) -> None:
        """Wait; the owner of a simulated box lets time pass itself."""

    def forget(self, module: str) -> None:
        """Let go of a module; the laptop has memory enough to keep it."""

    def tidy(self) -> None:
        """Collect garbage; the laptop does that itself."""

    def free_bytes(self) -> int:
        """Return the free bytes of the data folder's disk."""
        return shutil.disk_usage(self.folder).free


class Box:
    """A box in this process. Time passes only in ``run``, in steps of STEP_MS."""

    def __init__(self, folder: Path, seed: int | None = None, start_ms: int = 0, clock: str = ""):
        folder.mkdir(parents=True, exist_ok=True)
        self.board = SimBoard(folder, seed, start_ms, clock)
        self._on()

    def _on(self) -> None:
        board = self.board
        settings = Settings(str(board.folder))
        settings.load()
        journal = Journal(str(board.folder), board.device_id, board.random_bytes, board.free_bytes)
        journal.scan()
        self.app = App(board, journal, settings, TellingCanvas())
        self.app.start()
        self.app.step(board.now)

    def hold(self, mask: int) -> None:
        self.board.mask = mask

    def run(self, ms: int) -> None:
        for _ in range(max(1, ms // STEP_MS)):
            self.board.pass_time(STEP_MS)
            self.app.step(self.board.now)

    def frame(self) -> bytes:
        return self.board.frame

    def lines(self) -> list[str]:
        return self.app.canvas.lines()

    def inverted(self) -> list[str]:
        return self.app.canvas.inverted()

    def cut(self) -> None:
        self.board.mask = 0
        self._on()

    def close(self) -> None:
        self.app.journal.close()


def default_folder() -> Path:
    """Return the folder where the simulated box keeps its matches."""
    import platformdirs

    given = os.environ.get("BAZZI_SIM")
    return Path(given) if given else Path(platformdirs.user_data_dir("bazzi", appauthor=False)) / "box"
