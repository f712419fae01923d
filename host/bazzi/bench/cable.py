"""Fetching a long match from the emulated board, in simulated board time, beside mpremote copying the file.

And a laptop that asks for it and does not read, beside printing to such a laptop.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from ..bundle import on_board
from ..emulator import Board
from ..errors import CheckError
from ..line import Line, seal
from ..link import Box as LinkBox
from ..link import Listed
from ..sim.box import Box
from .board import BUILD_CODE, data_files, long_match
from .box import BoardBox, box_files
from .figures import say

RECORDS = 4000  # of 16 bytes: 64 KB
SLICE_MS = 0.2
SILENT_MS = 500.0  # of the board; more means that it hangs
PRESS_MS = 100.0  # after a stream began, well within it
PICTURE_MS = 90.0  # more than a picture takes
ASK_MS = 1500.0  # the board is ready for a request
PRINTED = 1000  # bytes
# The longest step in a second, from the one after the request was taken on.
UNREAD_CODE = """
import time
def step():
    app.step(board.now_ms())
    board.idle(0 if app.sending else 2)
def longest():
    while app.link is None or app.link.idle():
        step()
    most = 0
    end = time.ticks_add(time.ticks_ms(), 1000)
    while time.ticks_diff(end, time.ticks_ms()) > 0:
        now = board.now_ms()
        start = time.ticks_us()
        app.step(now)
        most = max(most, time.ticks_diff(time.ticks_us(), start))
        board.idle(0 if app.sending else 2)
    return most
most = longest()
time.sleep_ms(1000)  # until it is read again, because MicroPython drops what it cannot print within 0.5 s
print()
print(most)
"""
PRINT_CODE = """
time.sleep_ms(200)
start = time.ticks_ms()
print("x" * %d)
took = time.ticks_diff(time.ticks_ms(), start)
time.sleep_ms(3000)
print()
print(took)
"""


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
            link, match = _fetch(box.board)
            _press(box, link, match)
            _unread(box.board, match)
            _copy(box.board, next(path for path in files if path.endswith(".log")))


def _fetch(board: Board) -> tuple[LinkBox, Listed]:
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
    return link, match


def _press(box: BoardBox, link: LinkBox, match: Listed) -> None:
    """Print what a sync adds to the time of a key press."""
    board = box.board
    pressed: list[float] = []

    def press(name: str) -> None:
        pressed.append(board.now_ns)
        board.keys[name].press()

    def picture_ms(name: str) -> float:
        board.run(ms=PICTURE_MS)
        board.keys[name].release()
        sent = [end for start, end, _ in box.sent if start >= pressed[-1]]
        if not sent:
            raise CheckError(f"bench: no picture for {name}")
        return (sent[-1] - pressed[-1]) / 1e6

    board.run(ms=PICTURE_MS)  # the mark that it is fetched comes on the screen
    board.at(PRESS_MS * 1e6, lambda: press("DOWN"))
    stream = link.stream(match.number, 0, match.records)
    while not pressed:
        next(stream)
    say("press to last byte during a sync", picture_ms("DOWN"), "", "ms")
    for _ in stream:
        pass
    board.run(ms=PICTURE_MS)
    press("UP")
    say("  the same without", picture_ms("UP"), "", "ms")


def _unread(board: Board, match: Listed) -> None:
    request = b">" + seal(f"1 get {match.number} 0 {match.records}") + b"\n"

    def read(reading: bool, request: bytes = b"") -> None:
        board.usb.reading = reading
        board.send(request)

    def measure(code: str, stop_ms: float, ms: float, request: bytes = b"") -> int:
        """Run code that ends with a number while nothing is read; what it prints comes when it is read again."""
        board.at(stop_ms * 1e6, lambda: read(False, request))
        board.at((stop_ms + ms) * 1e6, lambda: read(True))
        return int(board.exec(on_board(code), ms=stop_ms + ms + 10_000).split()[-1])

    most = measure(BUILD_CODE + UNREAD_CODE, ASK_MS, 1800, request)
    say("longest step while a laptop has asked for them and does not read", most / 1000, "at most 2", "ms")
    took = measure(PRINT_CODE % PRINTED, 100, 3000)
    say(f"  stock: print of {PRINTED:,} bytes to such a laptop", took, "", "ms")


def _copy(board: Board, path: str) -> None:
    with tempfile.TemporaryDirectory() as folder, board.serving() as server:
        start = server.call(lambda: board.now_ns)
        command = [sys.executable, "-m", "mpremote", "connect", server.path, "resume", "fs", "cp", f":{path}", folder]
        subprocess.run(command, check=True, capture_output=True)
        took = (server.call(lambda: board.now_ns) - start) / 1e9
        size = sum(one.stat().st_size for one in Path(folder).iterdir())
    say(f"  stock: mpremote fs cp of the file of {size:,} bytes, which stops the game", took, "", "s")
