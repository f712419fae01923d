"""The serial line of a box in this process, as a pseudo-terminal that ``bazzi sync --port`` can open."""

import os
import pty
import select
import tty

from .box import SimBoard


class PtyLine:
    """Moves bytes between a pseudo-terminal and a SimBoard. ``port`` is the path to open."""

    def __init__(self, board: SimBoard):
        self._board = board
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)

    def pump(self) -> None:
        """Move what is there, both ways; never waits."""
        if select.select([self._master], [], [], 0)[0]:
            self._board.line_in += os.read(self._master, 4096)
        if self._board.line_out:
            try:
                sent = os.write(self._master, self._board.line_out)
            except BlockingIOError:  # nobody reads; the application holds the rest
                return
            del self._board.line_out[:sent]

    def close(self) -> None:
        """Give the pseudo-terminal back."""
        os.close(self._master)
        os.close(self._slave)
