"""The MicroPython prompt of a board: Python scripts that run there, through ``mpremote`` as a process.

mpremote interrupts whatever runs on the board. It is always told ``resume``, so that it never resets the
board by itself: a Ctrl-C that meets a starting board is what once made firmware format its file system.
"""

import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

from .errors import ArchiveError, InputError, LinkError, PortError
from .plugged import patience

QUIET_S = 60.0  # without a line for so long, mpremote or the board hangs
ENTRIES = 3  # times that the prompt is tried: a board that starts again and again has moments when it listens
MAKE_ROOM = "fetch the matches ('bazzi sync'), delete old ones on the box, and try again"
MARK = "@"  # at the start of each line that a script prints for us

Step = Callable[[str], None]


def _ignore(line: str) -> None:
    """Do nothing with a line."""


class BoardFault(LinkError):
    """A script raised on the board; ``lines`` is what it printed for us until then, ``trace`` its last words."""

    def __init__(self, message: str, lines: list[str], trace: str):
        super().__init__(message)
        self.lines = lines
        self.trace = trace


class NoPrompt(LinkError):
    """The board's prompt could not be reached, so that nothing was run."""


class AnyRemote(Protocol):
    """What the installer and the doctor use of ``Remote``."""

    port: str

    def run(self, scripts: Sequence[str], step: Step = _ignore) -> list[str]:
        """Run scripts on the board, return the lines that they print for us."""

    def reset(self) -> None:
        """Restart the board."""


class Remote:
    """A board at a port. All methods raise PortError, LinkError (BoardFault for a script that raised), InputError."""

    def __init__(self, port: str, quiet_s: float | None = None):
        self.port = port
        self._quiet_s = QUIET_S * patience() if quiet_s is None else quiet_s

    def run(self, scripts: Sequence[str], step: Step = _ignore) -> list[str]:
        """Run scripts on the board, one after the other in one session: what one defines is there for the next.

        In a script a character is a byte (Latin-1), because literals of bytes hold what they like. Returns the lines
        that were printed with ``MARK`` before them, without it; ``step`` gets each at once.
        """
        with tempfile.TemporaryDirectory(prefix="bazzi-") as folder:
            words: list[str] = []
            for number, script in enumerate(scripts):
                (Path(folder) / f"{number}.py").write_bytes(script.encode("latin-1"))
                words += ["run", f"{number}.py"]  # short: a command line has its limits
            for _ in range(ENTRIES - 1):
                with suppress(NoPrompt):
                    return self._mpremote(words, folder, step)
            return self._mpremote(words, folder, step)

    def reset(self) -> None:
        """Restart the board as if it had been plugged in anew. It does so a moment after this returned."""
        self._mpremote(["reset"], None, _ignore)

    def _mpremote(self, words: list[str], folder: str | None, step: Step) -> list[str]:
        command = [sys.executable, "-m", "mpremote", "connect", self.port, "resume", *words]
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert process.stdout is not None
        said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        reader = threading.Thread(target=_read, args=(process.stdout, said), daemon=True)
        reader.start()
        lines: list[str] = []
        others: list[str] = []
        try:
            while True:
                try:
                    line = said.get(timeout=self._quiet_s)
                except queue.Empty:
                    raise LinkError(
                        f"{self.port}: the board says nothing for {self._quiet_s:g} s; unplug it, plug it in again"
                        " and try again"
                    ) from None
                if line is None:
                    break
                if line.startswith(MARK):
                    lines.append(line[len(MARK) :])
                    step(lines[-1])
                elif line.strip():
                    others.append(line)
            if process.wait():
                raise self._error(lines, others)
        finally:
            process.kill()
            process.wait()
            reader.join()
            process.stdout.close()
        return lines

    def _error(self, lines: list[str], others: list[str]) -> Exception:
        """Return what mpremote's last words mean."""
        said = "\n".join(others)
        last = others[-1].strip() if others else "mpremote says nothing"
        if "No module named mpremote" in said or "No module named 'mpremote'" in said:
            return InputError("mpremote is not installed; next: 'pip install mpremote'")
        if "in use by another program" in said or "failed to access" in said or "no device found" in said:
            return PortError(
                f"{self.port}: the port cannot be used (in use, unplugged or without permission); next: 'bazzi doctor"
                f" --port {self.port}'"
            )
        if "could not enter raw repl" in said:
            return NoPrompt(
                f"{self.port}: no MicroPython prompt there, or its program does not let go; unplug the board, hold"
                " BACK while you plug it in, and try again"
            )
        if "SerialException" in said or "transport_serial" in said:  # mpremote's own traceback, not the board's
            return LinkError(
                f"{self.port}: the connection broke off (was the board unplugged?); plug it in and try again ({last})"
            )
        if "MemoryError" in last:
            return LinkError(
                f"{self.port}: what runs on the board leaves too little memory; unplug it, plug it in again (with"
                " BACK held, if Bazzi is on it) and try again"
            )
        if "ENOSPC" in last:
            return ArchiveError(f"{self.port}: the board's disk is full; {MAKE_ROOM}")
        return BoardFault(f"{self.port}: a step on the board failed: {last}", lines, said)


def _read(stream: IO[bytes], said: "queue.SimpleQueue[str | None]") -> None:
    """Hand on a process's lines as they come, None at the end."""
    for line in stream:
        said.put(line.decode("utf-8", "replace").rstrip("\r\n"))
    said.put(None)
