"""Fetching a long match from the emulated board, in simulated board time, beside mpremote copying the file."""

import subprocess
import sys
import tempfile
from pathlib import Path

from ..emulator import Board
from ..errors import CheckError
from ..line import Line
from ..link import Box as LinkBox
from ..sim.box import Box
from .board import data_files, long_match
from .box import BoardBox, box_files
from .figures import say

RECORDS = 4000  # of 16 bytes: 64 KB
SLICE_MS = 0.2
SILENT_MS = 500.0  # of the board; more means that it hangs


class Wire:
    """The board's serial port as ``line.Device``, without a pseudo-terminal: only the board's own time passes."""

    def __init__(self, board: Board):
        self._board = board

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once."""
        return len(self._board.usb.received)

    def read(self, count: int) -> bytes:
        """Let the board run until something comes; return at most so many bytes."""
        received = self._board.usb.received
        until = self._board.now_ns + SILENT_MS * 1e6
        while not received and self._board.now_ns < until:
            self._board.run(ms=SLICE_MS)
        data = bytes(received[:count])
        del received[:count]
        return data

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self._board.send(data)

    def close(self) -> None:
        """Nothing is open."""


def long_box(folder: Path) -> Box:
    """Return a box on which a match of ``RECORDS`` answers is under way."""
    box = long_match(folder, 3)
    app = box.app
    while app.entry.records < RECORDS:
        app.give(app.session.question.default)
        if app.session.rules.over:
            raise CheckError("bench: the match ended too early")
    app.put_aside()
    return box


def run(image: str) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        model = long_box(Path(folder))
        model.cut()
        files = {**box_files(), **data_files(Path(folder))}
        with BoardBox(image, files) as box:
            box.board.boot()
            if not box.shows(bytes(model.frame())):
                raise CheckError("bench: the home screen does not come")
            _fetch(box.board)
            _copy(box.board, next(path for path in files if path.endswith(".log")))


def _fetch(board: Board) -> None:
    line = Line("board", Wire(board), 600, 3600)
    link = LinkBox(line)
    link.hello()  # loads the link
    start = board.now_ns
    (match,) = link.matches()
    head = link.header(match.number)
    fetched = b"".join(link.stream(match.number, 0, match.records))
    link.synced(match.number, match.records)
    took = (board.now_ns - start) / 1e9
    if len(fetched) != 16 * match.records or not head:
        raise CheckError(f"bench: {len(fetched)} bytes came of {match.records} records")
    say(f"sync of {len(fetched):,} bytes of log, {line.requests} requests", took, "at most 0.3", "s")


def _copy(board: Board, path: str) -> None:
    with tempfile.TemporaryDirectory() as folder, board.serving() as server:
        start = server.call(lambda: board.now_ns)
        command = [sys.executable, "-m", "mpremote", "connect", server.path, "resume", "fs", "cp", f":{path}", folder]
        subprocess.run(command, check=True, capture_output=True)
        took = (server.call(lambda: board.now_ns) - start) / 1e9
        size = sum(one.stat().st_size for one in Path(folder).iterdir())
    say(f"  stock: mpremote fs cp of the file of {size:,} bytes, which stops the game", took, "", "s")
