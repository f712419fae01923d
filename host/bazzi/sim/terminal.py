"""The box in the terminal: the OLED drawn with half blocks, the keys on the keyboard."""

import sys
import time
from pathlib import Path

from ..errors import InputError
from .box import KEYS, STEP_MS, Box, default_folder
from .line import PtyLine
from .picture import COLUMNS, braille, framed, half_blocks

PRESS_MS = 60
HOLD_MS = 700
BINDINGS = {
    "KEY_UP": ("UP", False),
    "KEY_RIGHT": ("RIGHT", False),
    "KEY_DOWN": ("DOWN", False),
    "KEY_LEFT": ("LEFT", False),
    "KEY_ENTER": ("OK", False),
    "KEY_BACKSPACE": ("BACK", False),
    "KEY_DELETE": ("BACK", False),
    " ": ("OK", False),
    "o": ("OK", True),
    "b": ("BACK", True),
}
HELP = "arrows  Enter/Space OK  Backspace BACK  o hold OK  b hold BACK  q quit"


def play(folder: Path | None, link: bool) -> None:
    """Run the box in this terminal until q; raises InputError where there is no terminal to run in."""
    import blessed

    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise InputError("sim: not a terminal; possible: run it in one, or --script FILE")
    term = blessed.Terminal()
    clock = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    box = Box(folder or default_folder(), clock=f"{clock[:-2]}:{clock[-2:]}")
    line = PtyLine(box.board) if link else None
    says = f"serial line: {line.port}   (bazzi sync --port {line.port})" if line else ""
    shown = -1
    down_ms = 0
    size = (0, 0)
    passed = time.monotonic()
    try:
        with term.fullscreen(), term.cbreak(), term.hidden_cursor():
            while True:
                key = term.inkey(timeout=STEP_MS / 1000)
                if key == "q":
                    return
                bound = BINDINGS.get(key.name or str(key))
                if bound:
                    box.hold(1 << KEYS.index(bound[0]))
                    down_ms = HOLD_MS if bound[1] else PRESS_MS
                now = time.monotonic()
                ms = min(int((now - passed) * 1000) // STEP_MS * STEP_MS, 1000)
                if down_ms:  # a key in a terminal has no release: time runs ahead until it is up
                    ms = max(ms, down_ms)
                if ms:
                    passed = now
                    if line:
                        line.pump()
                    box.run(ms)
                    if down_ms:
                        down_ms = 0
                        box.hold(0)
                        box.run(STEP_MS)
                    if line:
                        line.pump()
                board = box.board
                state = (board.shown, board.on, board.contrast, board.shift, board.flip)
                if hash(state) != shown or size != (term.width, term.height):
                    shown = hash(state)
                    size = (term.width, term.height)
                    print(term.home + term.clear + _picture(term, box), end="")
                    print("\n".join((term.dim(HELP), term.dim(says))), end="", flush=True)
    finally:
        box.close()
        if line:
            line.close()


def _picture(term, box: Box) -> str:
    board = box.board
    if term.width < COLUMNS + 2 or term.height < 36:
        lines = braille(board.frame)
    else:
        lines = framed(half_blocks(board.frame, board.shift, board.flip))
    if not board.on:
        lines = [" " * len(line) for line in lines]
    colour = term.bright_cyan if board.contrast > 40 else term.cyan
    return "\n".join(colour(line) for line in lines) + "\n"
