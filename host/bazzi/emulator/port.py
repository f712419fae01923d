"""A pseudo-terminal for the emulated board's serial port, and ways to keep it running.

POSIX only; tells an open port from a closed one on Linux.
"""

from __future__ import annotations

import errno
import os
import queue
import select
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from .usb import UsbHost

if TYPE_CHECKING:
    from .board import Board

T = TypeVar("T")

_BUFFER_BYTES = 4096
_SLICE_MS = 10.0
_BEHIND_S = 0.05


class SerialPort:
    """Joins the board's USB serial port to a pseudo-terminal.

    While no program has the port open, DTR is off and what the board sends is lost, as
    with a real board. A program that does not read makes the board wait.
    """

    def __init__(self, usb: UsbHost) -> None:
        import pty
        import tty

        self._set_raw = tty.setraw
        self._usb = usb
        self._master, slave = pty.openpty()
        self.path = os.ttyname(slave)
        tty.setraw(slave)
        # With our own end of it closed, poll() tells whether a program has it open.
        os.close(slave)
        os.set_blocking(self._master, False)
        self._poll = select.poll()
        self._poll.register(self._master, select.POLLIN)
        self._to_program = bytearray()
        self.is_open = False
        usb.received.clear()
        usb.on_data = self._to_program.extend
        usb.dtr = False

    def pump(self) -> None:
        """Move bytes both ways, without waiting. Called between batches."""
        events = self._events(0)
        opened = not events & select.POLLHUP
        if opened and not self.is_open:
            # Linux forgets raw mode when the last program closes a pseudo-terminal.
            self._set_raw(self._master)
            self._to_program.clear()
        self.is_open = opened
        if self._usb.dtr != opened:
            self._usb.dtr = opened
        if events & select.POLLIN and self._usb.listening and self._usb.pending < _BUFFER_BYTES:
            self._usb.send(self._read())
        if not opened:
            self._to_program.clear()
        elif self._to_program:
            self._write()
        self._usb.reading = len(self._to_program) < _BUFFER_BYTES

    def wait(self, seconds: float) -> None:
        """Wait so long, or less when a program sends something."""
        if self.is_open and not self._to_program:
            self._events(seconds * 1000)
        else:
            time.sleep(seconds)

    def close(self) -> None:
        """Hang up: a program that has the port open sees its end."""
        self._usb.on_data = None
        self._usb.reading = True
        os.close(self._master)

    def _events(self, ms: float) -> int:
        return sum(event for _, event in self._poll.poll(ms))

    def _read(self) -> bytes:
        try:
            return os.read(self._master, _BUFFER_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            if error.errno != errno.EIO:  # EIO: no program has it open
                raise
            return b""

    def _write(self) -> None:
        try:
            written = os.write(self._master, self._to_program)
        except BlockingIOError:
            return
        del self._to_program[:written]


def serve(board: Board, until: Callable[[], bool], timeout_s: float) -> bool:
    """Run `board` at the pace of real time until `until()`; False after `timeout_s`."""
    deadline_s = time.monotonic() + timeout_s
    pace = _Pace(board)
    while not until():
        if time.monotonic() > deadline_s:
            return False
        pace.step()
    return True


class _Pace:
    """Runs the board in slices; never ahead of real time, and no hurry when behind."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._start()

    def _start(self) -> None:
        self._offset_s = time.monotonic() - self._board.now_ns / 1e9

    def step(self) -> None:
        self._board.run(ms=_SLICE_MS)
        ahead_s = self._board.now_ns / 1e9 + self._offset_s - time.monotonic()
        port = self._board._port
        if ahead_s < -_BEHIND_S:
            self._start()
        elif ahead_s > 0 and port is not None:
            port.wait(min(ahead_s, _SLICE_MS / 1000))


class Server:
    """A thread that owns an emulated board and keeps it running at the pace of real time.

    `path`: the serial port. Other threads must not touch the board meanwhile, except
    through `call`. When the board stops by itself (PowerCut, an error), `call` and the
    end of the block raise what stopped it.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self.path = board.open_port()
        self._calls: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._main, name="bazzi-board", daemon=True)

    def call(self, action: Callable[[], T], timeout_s: float = 60) -> T:
        """Do `action` in the board's thread and return its result; it may run the board."""
        future: Future[T] = Future()
        self._calls.put((action, future))
        if not self._thread.is_alive():
            self._refuse_calls()
        return future.result(timeout_s)

    def stop(self) -> None:
        """End the thread. The board is the caller's again."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.stop()
        self._board._server = None
        if self._error is not None and error is None:
            raise self._error

    def _main(self) -> None:
        self._board._owner = threading.get_ident()
        try:
            pace = _Pace(self._board)
            while not self._stopping.is_set():
                self._do_calls()
                pace.step()
        except BaseException as error:  # handed over to whoever calls next
            self._error = error
        finally:
            self._board._owner = None
            self._refuse_calls()

    def _do_calls(self) -> None:
        while True:
            try:
                action, future = self._calls.get_nowait()
            except queue.Empty:
                return
            try:
                future.set_result(action())
            except BaseException as error:
                future.set_exception(error)

    def _refuse_calls(self) -> None:
        while True:
            try:
                _, future = self._calls.get_nowait()
            except queue.Empty:
                return
            future.set_exception(self._error or RuntimeError("the board's thread has ended"))
