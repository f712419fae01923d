"""A box for tests: pressed, looked at, left alone for hours, and unplugged."""

import shutil

from bazzi.sim.box import KEYS, Box
from bazzi.sim.script import Script

START = "press OK OK DOWN DOWN RIGHT UP UP OK"  # a Seep match, North deals first
DEAL = "press OK*5"  # deal, bid 11, played out, 50 card points, on to the next deal


def key(name):
    """Return the mask of a key."""
    return 1 << KEYS.index(name)


class Bench:
    """A box with a script; counts presses."""

    def __init__(self, folder, start_ms=0, seed=1):
        self.folder = folder
        self.box = Box(folder, seed, start_ms)
        self.script = Script(self.box)

    @property
    def app(self):
        """The application; another one after a cut."""
        return self.box.app

    @property
    def rules(self):
        """The rules of the match under way."""
        return self.box.app.session.rules

    def run(self, *lines):
        """Run lines of a script; returns how many presses that took."""
        before = self.script.presses
        self.script.run(lines)
        return self.script.presses - before

    def start(self):
        """Begin a Seep match."""
        self.run(START, "expect Who deals?")
        return self

    def says(self):
        """Return the screen as one string."""
        return " | ".join(" ".join(line.split()) for line in self.box.lines())

    def tap(self, mask, ms=40):
        """Press keys together for some time."""
        self.box.hold(mask)
        self.box.run(ms)
        self.box.hold(0)
        self.box.run(40)

    def leave(self, seconds):
        """Leave the box alone: time passes in steps of ten seconds, the last minute in steps of one."""
        while seconds:
            part = 10 if seconds > 70 else 1
            seconds -= part
            self.box.board.pass_time(part * 1000)
            self.app.step(self.box.board.now)

    def reborn(self, folder):
        """Return a box that is switched on with what is on the flash at this moment, this one untouched."""
        shutil.copytree(self.folder, folder)
        return Bench(folder)
