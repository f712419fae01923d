"""Helpers of the tests in this folder: boxes with a serial line, scripted peers, and matches played without keys."""

import os
import pty
import random
import select
import threading
import tty
from pathlib import Path

import pytest
from bazzi.archive import Archive
from bazzi.line import Line, seal
from bazzi.link import Box as LinkedTo
from bazzi.sim.box import STEP_MS
from bazzi.sim.micro import interpreter
from bazzi.sync import sync

from shared_rules import catalog
from shared_rules.question import OVER

PLAYERS = ["Asha", "Bela", "Chand", "Devi"]
GAME = "seep"
HEAP = "400k"  # these tests are about the line; what memory play takes is tested elsewhere
DEMO = Path(__file__).resolve().parents[2] / "shared_rules" / "demos" / "seep.txt"

needs_micropython = pytest.mark.skipif(interpreter() is None, reason="no MicroPython for this machine")


class LoopDevice:
    """What pyserial is elsewhere, for a box in this process; time on the box passes while it is read from."""

    def __init__(self, box):
        self.box = box
        self.board = box.board

    @property
    def in_waiting(self):
        return min(len(self.board.line_out), 100)  # what comes at once is no whole line

    def write(self, data):
        self.board.line_in += data

    def read(self, size):
        if not self.board.line_out:
            self.box.run(STEP_MS)
        data = bytes(self.board.line_out[:size])
        del self.board.line_out[:size]
        return data

    def close(self):
        pass


class Unplugged(LoopDevice):
    """Fails for good at the operation (write or read) number ``at``; ``before`` is called before each."""

    def __init__(self, device, at=-1, before=lambda: None):
        self.device = device
        self.at = at
        self.before = before
        self.operations = 0

    def _count(self):
        self.before()
        self.operations += 1
        if 0 <= self.at < self.operations:
            raise OSError(5, "Input/output error")

    @property
    def in_waiting(self):
        return self.device.in_waiting

    def write(self, data):
        self._count()
        self.device.write(data)

    def read(self, size):
        self._count()
        return self.device.read(size)

    def close(self):
        self.device.close()


def link_to(box, device=None, **times):
    """Return the laptop's Box for a box in this process."""
    return LinkedTo(Line("loop", device or LoopDevice(box), **times))


def sync_loop(box, archive, device=None):
    """Sync a box in this process; returns the report."""
    linked = link_to(box, device)
    return sync(linked, linked.hello(), archive)


def rows(path):
    """Return what matters of all matches in an archive."""
    with Archive(path) as archive:
        return [(e.id, e.match, e.device, e.header, e.steps, e.complete, e.records) for e in archive.entries()]


# -- playing -------------------------------------------------------------------------------------------


def begin(box, names=PLAYERS, dealer=0, game=GAME):
    """Begin a match on a box in this process; returns its number."""
    seats = catalog.load(game).SEAT_WORDS
    box.app.begin({"game": game, "options": {}, "players": list(names), "dealer": seats[dealer]})
    box.run(STEP_MS)
    assert box.app.session.lines == 0
    return box.app.entry.number


def aside(box):
    """Put the match under way aside and show the home screen."""
    box.app.put_aside()
    box.app.go_home()


def reopen(box, number):
    """Put the match under way aside and open another one."""
    box.app.open(box.app.journal.entry(number))
    box.run(STEP_MS)
    assert box.app.entry.number == number


def answer(box, *answers):
    """Give answers as the log writes them."""
    app = box.app
    for word in answers:
        rules = app.session.rules
        code = word if type(word) is int else rules.code(app.session.question.ask, word)
        before = app.session.lines
        app.give(code)
        assert app.session.lines == before + 1, word
        box.run(1000)


def deal(box, dealer, cards, bid=11, swept=""):
    """Play a Seep deal with ordinary sweeps nobody has to ask about."""
    answer(box, dealer, bid, *swept, "count", cards)


def play_random(box, seed, steps):
    """Make about so many random steps of all kinds, or until the match is over."""
    chance = random.Random(seed)
    app = box.app
    for _ in range(steps):
        session = app.session
        box.run(5 * chance.randint(1, 300))
        kind = chance.random()
        if session.question.kind == OVER or (kind < 0.05 and session.steps):
            app.undo()
        elif kind < 0.09 and session.steps:
            step = chance.randrange(session.steps)
            if session.kind(step) == 1:
                app.amend(step, chance.choice([session.value(step), 10, 12, 50]))
        elif kind < 0.11 and session.can_redeal():
            app.redeal()
        elif kind < 0.14 and session.can_adjust():
            app.adjust(chance.randrange(2), chance.randint(-30, 30))
        elif kind < 0.17:
            app.rename(chance.randrange(4), chance.choice(["Bo", "Jürgen", "प्रिया", "A" * 24, "12345678"]))
        else:
            app.give(session.question.at(chance.randrange(session.question.count())))
    box.run(STEP_MS)


def played(box, seeds=(1, 2, 3), steps=60):
    """Play a random match for each seed."""
    for seed in seeds:
        begin(box, dealer=seed % 4)
        play_random(box, seed, steps)


# -- at the other end of a pseudo-terminal -------------------------------------------------------------------


class Peer:
    """A scripted other end of a pseudo-terminal: ``script(peer)`` runs in a thread until it returns or we close."""

    def __init__(self, script):
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.port = os.ttyname(self.slave)
        self._stop, self._stopping = os.pipe()
        self._rest = b""
        self.requests = []
        self.failure = None
        self._thread = threading.Thread(target=self._run, args=(script,))
        self._thread.start()

    def _run(self, script):
        try:
            script(self)
        except EOFError:
            pass
        except BaseException as error:
            self.failure = error

    def _wait(self, reading, writing):
        ready, can, _ = select.select([self._stop, *reading], writing, [])
        if self._stop in ready:
            raise EOFError
        return ready, can

    def line(self):
        """Return the next line that the laptop sends."""
        while b"\n" not in self._rest:
            self._wait([self.master], [])
            self._rest += os.read(self.master, 4096)
        line, self._rest = self._rest.split(b"\n", 1)
        return line if line else self.line()

    def request(self):
        """Return (id, words) of the next request."""
        line = self.line()
        assert line.startswith(b">"), line
        text = line[1:].rpartition(b"*")[0].decode()
        assert line[1:] == seal(text)
        self.requests.append(text)
        id, *words = text.split()
        return id, words

    def send(self, data, piece=4096):
        """Send bytes in pieces, each when there is room for it."""
        for at in range(0, len(data), piece):
            self._wait([], [self.master])
            sent = os.write(self.master, data[at : at + piece])
            assert sent == len(data[at : at + piece])

    def reply(self, id, text, piece=4096):
        """Send a whole reply."""
        self.send(b"<" + seal(f"{id} {text}") + b"\n", piece)

    def unplug(self):
        """Let the port disappear, as it does when the plug is pulled."""
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1

    def __enter__(self):
        return self

    def __exit__(self, *error):
        os.write(self._stopping, b"x")
        self._thread.join()
        for number in (self.master, self.slave, self._stop, self._stopping):
            if number >= 0:
                os.close(number)
        if self.failure is not None and error[0] is None:
            raise self.failure


HELLO = "bazzi protocol=1.1 version=0.1.0 device=e661 match=0 uptime=9 clock=- disk=ok"
