"""The box on an emulated Pico: figures in simulated board time, beside the stock way of doing the same.

Bus time (400 kHz), flash time (0.4 ms a page, 45 ms an erase) and USB pacing are modelled; waiting of the
processor for its flash memory is not. Nothing here was measured on a real board.
"""

import random
import re
import statistics
import tempfile
from pathlib import Path

from shared_rules import catalog
from shared_rules.question import NUMBER

from ..errors import CheckError
from ..sim.box import KEYS, Box
from .box import BoardBox, box_files
from .figures import say
from .presses import header_of, keys_of

ANSWERS = 300
YEAR_ANSWERS = 500 * 365
CYCLES = 100_000
SECTORS = 340  # of the file system, over which littlefs spreads the wear
QUIET_DEAL = "OK RIGHT RIGHT OK LEFT OK UP OK OK RIGHT LEFT OK OK"  # both sides gain alike: no match ends with it
SHOW_CODE = """
import time, adafruit_ssd1306
from machine import I2C, Pin
d = board.display._driver
board.display._bus._i2c = I2C(0, sda=Pin(4), scl=Pin(5), freq=400000)  # its whole frame takes longer than we allow
t = time.ticks_us()
adafruit_ssd1306.SSD1306_I2C.show(d)
print(time.ticks_us() - t)
"""
APPEND_CODE = """
import time
f = open('/naive', 'ab')
b = bytes(16)
r = []
for _ in range(40):
    t = time.ticks_us()
    f.write(b)
    f.flush()
    r.append(time.ticks_us() - t)
f.close()
print(r)
"""
BUILD_CODE = """
import base, core, gc
board = base.Board()
settings = core.Settings(board.folder)
settings.load()
board.settings = settings
journal = core.Journal(board.folder, board.device_id, board.random_bytes, board.free_bytes)
journal.scan()
app = core.App(board, journal, settings)
app.start()
app.step(board.now_ms())
gc.collect()
print(gc.mem_free())
"""
PLAY_CODE = """
import micropython
lock, unlock = micropython.heap_lock, micropython.heap_unlock
def go(ms):
    step, now, idle, opening = app.step, board.now_ms, board.idle, app.opening
    end = now() + ms
    gc.collect()
    before = gc.mem_alloc()
    taken = 0
    while now() < end:
        if opening():
            before_step = gc.mem_alloc()
            step(now())
            taken += gc.mem_alloc() - before_step
        else:
            lock()
            try:
                step(now())
                idle(2)
            finally:
                unlock()
    return gc.mem_alloc() - before - taken
"""
EDGES_CODE = """
import base, os, time
board = base.Board()
frame = [bytearray(1033), bytearray(1033)]
for i in range(1033):
    frame[1][i] = 255
downs = [0] * 6
def count(ms):
    end = time.ticks_ms() + ms
    f = open('/edges', 'ab')
    b = bytes(16)
    mask = 0
    n = 0
    while time.ticks_diff(end, time.ticks_ms()) > 0:
        n += 1
        board.show(frame[n & 1])
        f.write(b)
        f.flush()
        while True:
            new = board.held()
            for key in range(6):
                if new & ~mask & 1 << key:
                    downs[key] += 1
            mask = new
            if not board.pending():
                break
    f.close()
    return n
print('ready')
"""


class Player:
    """Plays on the emulated board and on the CPython one alike, and measures each press."""

    def __init__(self, box: BoardBox, model: Box):
        self.box = box
        self.model = model
        self.chance = random.Random(4)
        self.bytes: list[int] = []
        self.ms: list[float] = []  # of presses that changed the screen and answered nothing
        self.bare_ms: list[float] = []  # without the bus's time
        self.answer_ms: list[float] = []
        self.programs = 0
        self.erases = 0

    def press(self, name: str) -> None:
        """Press a key at any moment of the loop, and wait for the picture."""
        box, model, board = self.box, self.model, self.box.board
        board.run(ms=self.chance.uniform(40, 50))
        steps = self._steps()
        changes = model.board.shown
        before = bytes(model.frame())
        model.hold(1 << KEYS.index(name))
        model.run(40)
        model.hold(0)
        model.run(40)
        box.sent.clear()
        operations = board.flash.programs, board.flash.erases
        busy = board.bus.busy_ns
        board.keys[name].press(bounces=4)
        start = board.now_ns
        board.run(ms=self.chance.uniform(18, 30))
        board.keys[name].release(bounces=4)
        if name in ("OK", "BACK"):
            start = board.now_ns
        board.run(ms=20)
        if not box.shows(bytes(model.frame())):
            raise CheckError(f"bench: the board does not show what it should after {name}: {model.lines()}")
        board.run(ms=10)
        self.bytes.append(sum(len(data) for _, _, data in box.sent))
        if bytes(model.frame()) == before or model.board.shown == changes or not box.sent:
            return
        took = (box.sent[-1][1] - start) / 1e6
        if self._steps() > steps:
            self.answer_ms.append(took)
            self.programs += board.flash.programs - operations[0]
            self.erases += board.flash.erases - operations[1]
        else:
            self.ms.append(took)
            self.bare_ms.append(took - (board.bus.busy_ns - busy) / 1e6)

    def _steps(self) -> int:
        session = self.model.app.session
        return 0 if session is None else session.steps

    def keys(self, names: str) -> None:
        """Press keys by their names, one after the other."""
        for name in names.split():
            self.press(name)


def long_match(folder: Path, answers: int = ANSWERS) -> Box:
    """Return a box in which a match of so many answers is under way."""
    box = Box(folder)
    chance = random.Random(3)

    def press(name: str) -> None:
        box.hold(1 << KEYS.index(name))
        box.run(10)
        box.hold(0)
        box.run(10)

    for name in ["OK", "OK", "OK"]:
        press(name)
    box.run(10_000)
    press("OK")
    while box.app.session.steps < answers or box.app.screen is not box.app.ask:
        number = box.app.screen is box.app.ask and box.app.session.question.kind == NUMBER
        if number and chance.random() < 0.5:
            press(chance.choice(("LEFT", "RIGHT")))
        press("OK")
        if box.app.session.rules.over:
            raise CheckError("bench: the match ended too early")
    return box


def data_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a box's data folder as they are on the board."""
    return {f"/data/{path.name}": path.read_bytes() for path in folder.iterdir()}


def _first_light(box: BoardBox) -> float:
    """Return when the display was switched on with a picture, in ms after power-up."""
    for _, end, data in box.sent:
        if data[0] == 0 and data[-1] == 0xAF:
            return end / 1e6
    raise CheckError("bench: the display stays dark")


def start(image: str) -> None:
    """Print the times from power-up."""
    with tempfile.TemporaryDirectory() as folder, BoardBox(image) as box:
        model = Box(Path(folder))
        box.board.boot()
        if not box.shows(bytes(model.frame())):
            raise CheckError("bench: the home screen does not come")
        say("power-up to the first frame", _first_light(box), "at most 250", "ms")
        say("power-up to the home screen", box.board.now_ns / 1e6, "", "ms")
    with tempfile.TemporaryDirectory() as folder:
        model = long_match(Path(folder))
        model.cut()
        with BoardBox(image, {**box_files(), **data_files(Path(folder))}) as box:
            box.board.boot()
            if not box.shows(bytes(model.frame())):
                raise CheckError("bench: the match is not resumed")
            say(
                f"power-up to a resumed match of {model.app.session.steps} answers",
                box.board.now_ns / 1e6,
                "at most 400",
                "ms",
            )
            free = int(box.exec(BUILD_CODE))
            say("free heap with that match loaded", free, f"at least {120 * 1024:,}", "bytes")
            names = re.search(r"n_qstr=(\d+)", box.exec("import micropython; micropython.qstr_info()"))
            if names is None:
                raise CheckError("bench: the board does not say how many names it keeps")
            say("names that the firmware has not", int(names[1]), "at most 300")


def play(image: str, deals: int = 8) -> None:
    """Print what key presses and answers cost."""
    game = catalog.GAMES[0]
    length = catalog.load(game).OPTIONS[0]
    header = header_of(game, 0, **{length.id: length.lo})  # no deal ends the match
    with tempfile.TemporaryDirectory() as folder:
        model = Box(Path(folder))
        model.app.begin(header)
        model.run(100)
        model.cut()
        files = {**box_files(), **data_files(Path(folder))}
        _play(image, files, model, " ".join(KEYS[key] for key in keys_of(header, deals)))


def _play(image: str, files: dict[str, bytes], model: Box, keys: str) -> None:
    with BoardBox(image, files) as box:
        box.board.boot()
        if not box.shows(bytes(model.frame())):
            raise CheckError("bench: the match does not come")
        player = Player(box, model)
        player.keys(keys)
        count = len(player.answer_ms)
        say("presses, answers of ordinary deals of the first game", f"{len(player.bytes)}, {count}")
        say("bytes on the bus per key press, average", statistics.mean(player.bytes), "at most 259", "bytes")
        box.exec("pass")
        box.sent.clear()
        took = int(box.exec(SHOW_CODE))
        stock = sum(len(data) for _, _, data in box.sent)
        say("  stock: show() of the driver", stock, "", "bytes")
        say("  stock: show() of the driver", took / 1000, "", "ms")
        box.sent.clear()
        box.exec("board.display._send(True)")
        say("full redraw", sum(len(data) for _, _, data in box.sent), f"at most {stock * 1.1:.0f}", "bytes")
        say("press to last byte, average", statistics.mean(player.ms), "at most 25", "ms")
        say("press to last byte, average, without the bus's time", statistics.mean(player.bare_ms), "at most 8", "ms")
        say(f"answer, kept first, median of {count}", statistics.median(player.answer_ms), "at most 40", "ms")
        say("answer, kept first, worst", max(player.answer_ms), "at most 170", "ms")
        say("page programs per answer", player.programs / count, "at most 2.2")
        erases = player.erases / count
        say("erases per answer", erases, "at most 0.2")
        if erases:
            say("years of life at 500 answers a day", CYCLES * SECTORS / (erases * YEAR_ANSWERS), "", "years")
        before = box.board.flash.programs, box.board.flash.erases
        times = [int(text) / 1000 for text in re.findall(r"\d+", box.exec(APPEND_CODE))]
        say("  stock: append and flush, median", statistics.median(times), "", "ms")
        say("  stock: append and flush, worst", max(times), "", "ms")
        say("  stock: page programs per append", (box.board.flash.programs - before[0]) / len(times))
        say("  stock: erases per append", (box.board.flash.erases - before[1]) / len(times))
        _heap(box)


def _heap(box: BoardBox) -> None:
    """Print what is allocated in play, with the heap locked, on real keys and real wires."""
    board = box.board
    box.exec(BUILD_CODE + PLAY_CODE)
    presses = QUIET_DEAL.split()
    for place, name in enumerate(presses):
        board.at((120 + 150 * place) * 1e6, board.keys[name].press)
        board.at((140 + 150 * place) * 1e6, board.keys[name].release)
    grown = int(box.exec(f"print(go({300 + 150 * len(presses)}))", ms=20_000))
    say(f"heap allocated in {len(presses)} presses of a deal, locked", grown, "0", "bytes")


def presses(image: str, count: int = 48) -> None:
    """Print how many of so many bouncing presses of 5 ms are counted while frames and appends run."""
    with BoardBox(image, {**box_files(), "/main.py": b""}) as box:
        board = box.board
        board.boot()
        box.exec(EDGES_CODE)
        chance = random.Random(6)
        at = 50.0
        for place in range(count):
            key = board.keys[KEYS[place % len(KEYS)]]
            held = 5 if place % 3 else chance.uniform(20, 90)
            board.at(at * 1e6, lambda key=key: key.press(bounces=4))
            board.at((at + held) * 1e6, lambda key=key: key.release(bounces=4))
            at += held + chance.uniform(25, 45)
        passes = int(box.exec(f"print(count({at + 300:.0f}))", ms=at + 20_000))
        downs = [int(text) for text in re.findall(r"\d+", box.exec("print(downs)"))]
        say(
            f"presses of 5 ms with bounce counted, {passes} frames and appends meanwhile",
            sum(downs),
            f"{count} of {count}",
        )
        if downs != [count // len(KEYS)] * len(KEYS):
            say("  by key, not evenly", str(downs))


def run(image: str) -> None:
    """Print all figures of the box on an emulated board with this firmware image."""
    say("firmware", Path(image).name[-30:])
    start(image)
    play(image)
    presses(image)
