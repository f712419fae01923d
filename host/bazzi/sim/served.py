"""A box in this process whose serial line is served by a thread, for where there is no MicroPython."""

import threading
from pathlib import Path
from types import TracebackType

from .box import STEP_MS, Box
from .line import PtyLine

_SERVE_S = 0.002


class ServedBox(Box):
    """A Box with ``port``, a pseudo-terminal. Time passes in ``run``; between runs the line is served."""

    def __init__(self, folder: Path, seed: int | None = None):
        self._lock = threading.Lock()
        super().__init__(folder, seed)
        self._line = PtyLine(self.board)
        self.port = self._line.port
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._stop.wait(_SERVE_S):
            with self._lock:
                self._line.pump()
                self.app.serve(self.board.now)
                self._line.pump()

    def run(self, ms: int) -> None:
        """Let time pass, while the thread leaves the line alone."""
        with self._lock:
            super().run(max(ms, STEP_MS))

    def __enter__(self) -> "ServedBox":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._line.close()
        self.close()
