"""What the application takes under MicroPython on a 64-bit machine, and what it allocates in play."""

import tempfile
from pathlib import Path

from shared_rules import catalog

from ..compiled import compiled
from ..errors import CheckError
from ..sim.demo import script_of
from ..sim.micro import HEAP, NATIVE, MicroBox
from ..sim.script import Script
from .figures import say

TIGHT = "192k"  # the heap in which the first game has to be playable
UP, RIGHT, OK = 1, 2, 16


def sizes() -> None:
    """Print the size of each game's module as .mpy."""
    folder = compiled(skip=NATIVE)
    total = sum(path.stat().st_size for path in folder.rglob("*.mpy"))
    say("all modules as .mpy", total, unit="bytes")
    for game in catalog.GAMES:
        say(f"{game}.mpy", (folder / "shared_rules" / "games" / f"{game}.mpy").stat().st_size, unit="bytes")


def loaded() -> None:
    """Print the heap with a match of each game over, its module loaded; and whether it plays in the tight heap."""
    for game in catalog.GAMES:
        aim = f"plays with heapsize={TIGHT}" if game == catalog.GAMES[0] else ""
        with tempfile.TemporaryDirectory() as folder:
            box = MicroBox(Path(folder), heap=TIGHT if aim else HEAP)
            Script(box, game).run(script_of(game).read_text(encoding="utf-8").splitlines())
            say(f"heap after a match of {game}", box.heap()[0], aim, "bytes")
            box.close()


def in_play() -> None:
    """Print what 20 deals allocate with the heap locked from key press to journal flush, drawing included."""
    with tempfile.TemporaryDirectory() as folder:
        box = MicroBox(Path(folder), lock=True, heap=TIGHT)
        script = Script(box, "bench")
        script.run(["press OK OK DOWN DOWN RIGHT UP UP OK", "expect Who deals?"])
        deal = ["press OK RIGHT OK OK UP DOWN OK OK"]  # fifty each, so that the match never ends
        script.run(deal)
        box.heap()
        grown = []
        for _ in range(20):
            script.run(deal)
            grown.append(box.heap()[1])
        if "Who deals?" not in " ".join(box.lines()):
            raise CheckError(f"bench: the box is not where it should be: {box.lines()}")
        box.close()
    say("allocated in 20 deals of 4 answers, heap locked", sum(grown), "0 a step", "bytes")
