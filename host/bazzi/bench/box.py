"""The box on an emulated board, with everything the installer puts there."""

from pathlib import Path
from typing import Any

from ..bundle import FAULT_NAMES, build, on_board
from ..emulator import REAL, Board
from ..sim.box import KEYS
from ..sim.picture import COLUMNS, PAGES

LOOK_MS = 5
SCREEN_MS = 3000


def box_files() -> dict[str, bytes]:
    """Return what is on a board: absolute path -> content, with an empty folder for the matches."""
    folder = build()
    files = {f"/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in folder.rglob("*.*py")}
    files[f"/{FAULT_NAMES}"] = (folder / FAULT_NAMES).read_bytes()
    files["/data/"] = b""
    return files


class BoardBox:
    """A box that is an emulated board; ``board`` is the board. Times are simulated.

    image  firmware; files  path -> content (default: ``box_files``); flash  of an earlier board instead
    """

    def __init__(
        self, image: str | Path, files: dict[str, bytes] | None = None, flash: bytes | None = None, **more: Any
    ):
        if flash is None and files is None:
            files = box_files()
        more.setdefault("timing", REAL)
        self.board = Board(image, files=files, flash=flash, **more)
        self.sent: list[tuple[float, float, bytes]] = []  # the display's messages: start, end, content
        self.board.bus.on_transaction = self._note

    def _note(self, start_ns: float, end_ns: float, data: bytes) -> None:
        if data:  # not where the display's status is read
            self.sent.append((start_ns, end_ns, data))

    def __enter__(self) -> "BoardBox":
        return self

    def __exit__(self, *error: object) -> None:
        self.board.close()

    def exec(self, code: str, ms: float = 10_000) -> str:
        """Run a program on the board that uses the box's modules, by the names of the sources; return its output."""
        return self.board.exec(on_board(code), ms=ms)

    def hold(self, mask: int) -> None:
        """Close the contacts of the keys of a mask and open the others."""
        for place, name in enumerate(KEYS):
            key = self.board.keys[name]
            if key.closed != bool(mask >> place & 1):
                if key.closed:
                    key.release()
                else:
                    key.press()

    def run(self, ms: float) -> None:
        """Let time pass."""
        self.board.run(ms=ms)

    def press(self, name: str, ms: float = 20) -> None:
        """Press a key and let go of it."""
        self.board.keys[name].press()
        self.board.run(ms=ms)
        self.board.keys[name].release()
        self.board.run(ms=25)

    def frame(self) -> bytes:
        """Return what is seen, as the canvas has it: 8 pages of 0x40 and 128 columns, and a byte."""
        seen = self.board.panel.frame()
        return b"".join(b"\x40" + seen[COLUMNS * page : COLUMNS * (page + 1)] for page in range(PAGES)) + b"\0"

    def shows(self, frame: bytes, ms: float = SCREEN_MS) -> bool:
        """Run until this picture is seen; False when it is not in time."""
        for _ in range(int(ms / LOOK_MS)):
            if self.frame() == frame:
                return True
            self.board.run(ms=LOOK_MS)
        return False
