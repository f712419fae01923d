"""The whole box on real firmware: pictures, keys, a display that comes and goes, resets, faults, the laptop.

Pictures are compared with the application under CPython, pixel by pixel. Each test is one power-up
or a few: they take long, so each looks at several things.
"""

from __future__ import annotations

import json
import subprocess
import sys
from binascii import a2b_base64
from pathlib import Path

import pytest
from bazzi.bench import board as figures
from bazzi.bench import cable
from bazzi.bench.box import BoardBox, box_files
from bazzi.emulator import INSTANT, Board, PowerCut, Sh1106
from bazzi.line import parse_reply
from bazzi.sim.box import KEYS, Box
from keeper import base64, blit

from shared_rules.crc import crc16, row

START = "OK OK DOWN DOWN RIGHT UP UP OK"  # from the home screen to a match of the first game
DEAL = "OK OK OK OK OK"
LOADING_MS = 1500


def tap(model: Box, names: str) -> None:
    """Press keys on the box under CPython."""
    for name in names.split():
        model.hold(1 << KEYS.index(name))
        model.run(40)
        model.hold(0)
        model.run(40)


class Pair:
    """The box on the board and the one it has to be like."""

    def __init__(self, box: BoardBox, model: Box):
        self.box = box
        self.model = model

    def agree(self, ms: float = 3000) -> bool:
        """Tell whether the display comes to show what the model shows."""
        return self.box.shows(bytes(self.model.frame()), ms)

    def press(self, names: str) -> None:
        """Press keys on both; the pictures have to be the same after each."""
        for name in names.split():
            self.box.press(name)
            tap(self.model, name)
            assert self.agree(), (name, self.model.lines())


@pytest.fixture
def model(tmp_path: Path) -> Box:
    """A box under CPython."""
    return Box(tmp_path / "model")


@pytest.fixture
def in_match(model: Box) -> Box:
    """The same, with a match under way and one deal played."""
    tap(model, f"{START} {DEAL}")
    return model


def files_of(model: Box, extra: dict[str, bytes] | None = None) -> dict[str, bytes]:
    """Return a board's files with the matches of a box."""
    model.cut()
    return {**box_files(), **figures.data_files(model.board.folder), **(extra or {})}


def request(command: str) -> bytes:
    """Return a request of the serial protocol."""
    line = f"7 {command}".encode()
    return b">" + line + b"*%04x\n" % crc16(line, 0, len(line))


def ask(board: Board, command: str) -> str:
    """Send a request of the serial protocol and return the reply."""
    board.usb.received.clear()
    board.send(request(command))
    return board.wait("\n").decode()


def test_a_match_looks_the_same_and_survives_resets(image: Path, model: Box, tmp_path: Path) -> None:
    with BoardBox(image) as box:
        pair = Pair(box, model)
        board = box.board
        board.boot()
        assert pair.agree()
        pair.press(f"{START} {DEAL} OK RIGHT")
        # A reset in the middle of a picture: the display keeps what it has of it.
        board.keys["UP"].press()
        sent = len(box.sent)
        assert board.run(lambda: len(box.sent) > sent + 1, ms=200)
        board.reset()
        board.keys["UP"].release()
        model.cut()
        assert pair.agree()
        # A power cut while an answer is written: it is not kept, or it is.
        pair.press("RIGHT")
        board.flash.cut_power(1, "half")
        board.keys["OK"].press()
        with pytest.raises(PowerCut):
            board.run(ms=30)
            board.keys["OK"].release()
            board.run(ms=200)
        board.keys["OK"].release()
        board.power_cycle()
        board.run(ms=LOADING_MS)
        kept = box.frame()
        model.cut()
        without = bytes(model.frame())
        tap(model, "RIGHT OK")
        assert kept in (without, bytes(model.frame()))
        assert board.panel.faults == []
        assert board.usb.received == b""  # nothing is printed in play


def test_presses_with_bounce_are_counted_while_frames_and_appends_run(
    image: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures.presses(str(image))
    assert capsys.readouterr().out.split()[-4:] == ["48", "48", "of", "48"]


def test_nothing_is_allocated_in_play(image: Path, in_match: Box) -> None:
    with BoardBox(image, files_of(in_match)) as box:
        board = box.board
        board.boot()
        assert box.shows(bytes(in_match.frame()))
        box.exec(figures.BUILD_CODE + figures.PLAY_CODE)
        names = figures.QUIET_DEAL.split()
        for place, name in enumerate(names):
            board.at((120 + 150 * place) * 1e6, board.keys[name].press)
            board.at((140 + 150 * place) * 1e6, board.keys[name].release)
        assert box.exec(f"print(go({300 + 150 * len(names)}))", ms=20_000) == "0\n"
        tap(in_match, figures.QUIET_DEAL)
        assert box.exec("print(app.session.steps)") == f"{in_match.app.session.steps}\n"


@pytest.mark.parametrize("address", [0x3D, None], ids=str)
def test_a_display_that_is_late_fails_and_comes_back(image: Path, in_match: Box, address: int | None) -> None:
    with BoardBox(image, files_of(in_match), address=address, timing=INSTANT) as box:
        pair = Pair(box, in_match)
        board = box.board
        board.boot()
        if address is None:
            board.run(ms=2200)
            assert not board.panel.on
            board.bus.address = 0x3C
        assert pair.agree()
        pair.press("OK")
        board.bus.fail_after(20)  # in the middle of a picture
        box.press("RIGHT")
        box.press("RIGHT")
        board.panel.power_cycle()
        board.bus.connected = True
        tap(in_match, "RIGHT RIGHT")
        assert pair.agree()
        board.panel.power_cycle()  # its plug was out for a moment and nobody sent anything
        assert pair.agree()
        board.bus.hold_sda()
        box.press("LEFT")
        tap(in_match, "LEFT")
        assert pair.agree()
        assert not board.bus.sda_held


def test_a_bus_held_at_the_start_is_freed(image: Path, model: Box) -> None:
    with BoardBox(image, timing=INSTANT) as box:
        box.board.bus.hold_sda()
        box.board.boot()
        assert box.shows(bytes(model.frame()))
        assert not box.board.bus.sda_held


def test_an_sh1106_is_set_blind_from_the_laptop(image: Path, model: Box) -> None:
    with BoardBox(image, panel=Sh1106(), timing=INSTANT) as box:
        board = box.board
        board.boot()
        board.run(ms=LOADING_MS)
        assert box.frame() != bytes(model.frame())
        assert "ok" in ask(board, "set display sh1106")
        assert "ok" in ask(board, "set column_offset 2")
        assert box.shows(bytes(model.frame()))
        board.power_cycle()
        assert box.shows(bytes(model.frame()))


def test_ctrl_c_stops_the_program_and_ok_goes_on(image: Path, in_match: Box) -> None:
    with BoardBox(image, files_of(in_match), timing=INSTANT) as box:
        pair = Pair(box, in_match)
        board = box.board
        board.boot()
        assert pair.agree()
        command = [sys.executable, "-m", "mpremote", "connect", board.open_port(), "resume", "exec", "print(6 * 7)"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
            assert board.serve(lambda: process.poll() is not None)
            assert process.stdout is not None
            assert process.stdout.read().strip() == b"42"
        stopped = box.frame()
        assert stopped != bytes(in_match.frame()) and board.panel.lit  # it says what happened
        board.keys["OK"].press()
        assert board.run(lambda: not board.usb.connected, ms=1000)
        board.run(ms=100)
        board.keys["OK"].release()
        assert pair.agree()
        pair.press("OK")


@pytest.mark.parametrize("fault", ["1 // 0", "bytearray(300000)"])
def test_after_a_fault_the_match_goes_on(image: Path, in_match: Box, fault: str) -> None:
    name = {"1 // 0": "ZeroDivisionError", "bytearray(300000)": "MemoryError"}[fault]
    broken = {"/lib/settings.py": fault.encode()}  # .py is taken before .mpy
    with BoardBox(image, files_of(in_match, broken), timing=INSTANT) as box:
        pair = Pair(box, in_match)
        board = box.board
        board.boot()
        assert pair.agree()
        for key in ["BACK", "UP", "OK"]:  # home; the last row is the settings
            box.press(key)
        board.run(ms=LOADING_MS)
        said = ask(board, "hello")
        assert f"fault={name}" in said
        shown = json.loads(a2b_base64(ask(board, "screen").split()[2].partition("*")[0]))
        assert "".join(shown).endswith(" in ok > part > <module>OK: go on")  # the names of the sources
        box.press("OK")
        assert pair.agree()
        pair.press("OK RIGHT")
        assert "fault" not in ask(board, "hello")


def test_back_at_power_up_is_the_safe_mode(image: Path, in_match: Box) -> None:
    with BoardBox(image, files_of(in_match), timing=INSTANT) as box:
        board = box.board
        board.keys["BACK"].press()
        board.boot()
        board.run(ms=LOADING_MS)
        assert board.panel.lit and box.frame() != bytes(in_match.frame())
        assert board.exec("import sys; print('core' in sys.modules)") == "False\n"
        board.keys["BACK"].release()
        board.keys["OK"].press()
        assert board.run(lambda: not board.usb.connected, ms=1000)
        board.keys["OK"].release()
        assert box.shows(bytes(in_match.frame()))


def test_with_a_broken_module_the_prompt_is_free(image: Path) -> None:
    with BoardBox(image, {**box_files(), "/core.mpy": b"M\x06"}, timing=INSTANT) as box:
        board = box.board
        board.boot()
        board.run(ms=LOADING_MS)
        assert board.panel.lit and any(box.frame()[1:100])
        assert board.exec("print(1 + 1)") == "2\n"


def test_machine_code_does_what_the_python_does(image: Path) -> None:
    code = """
import base, core, base64
from array import array
src = bytes([(i * 73 + i // 7) & 255 for i in range(300)])
def check(copy, mix, changed, crc16, shape, digits, row, encode):
    out = []
    glyphs = array("H", [0] * 40)
    index = array("H", [i * i for i in range(100)])
    powers = array("i", [10**i for i in range(10)])
    for n in (0, 7, -8, 10, 999, -1000, 123456789, 0x3FFFFFFF, -0x3FFFFFFF):
        for plus in (0, 1):
            out.append(digits(n, plus, glyphs, 3, index, 2, 16, powers))
    for text in (b"\\0", b" ~\\0", b"Bid 11\\0", b"\\xc3\\0"):
        out.append(shape(text, glyphs, 20, index, 1))
    out.append(list(glyphs))
    dst = bytearray(300)
    for flip in (0, 255):
        copy(dst, 5 + flip // 20, src, 11, 77, flip)
        mix(dst, 40, 60, 0x3C, flip)
        out.append(bytes(dst))
    old = bytearray(src)
    for i in (20, 25, 26, 40, 127):
        old[i + 3] ^= 1
    x = 0
    while x >= 0:
        x = changed(src, 3, old, 3, x)
        out.append(x)
        if x >= 0:
            x &= 255
    out.append(changed(src, 3, src, 3, 0))
    out += [crc16(src, start, start + n) for start in (0, 7) for n in (0, 1, 14, 250)]
    records = bytearray(7 + 16 * 6)
    for number in range(6):
        at = 7 + 16 * number
        records[at:at + 16] = bytes([0x11, 44, 1, 254 + number & 255, number > 1]) + src[at:at + 9] + bytes(2)
        crc = crc16(records, at, at + 14)
        records[at + 14:at + 16] = bytes([crc & 255, crc >> 8])
    whole = len(records)
    out += [row(records, 7, end, 0x11, 300, 254) for end in (whole, whole - 1, whole - 16, 22, 7)]
    out += [row(records, 7, whole, *other) for other in ((0x12, 300, 254), (0x11, 301, 254), (0x11, 300, 255))]
    for damaged in range(39, 55):
        records[damaged] ^= 128
        out.append(row(records, 7, whole, 0x11, 300, 254))
        records[damaged] ^= 128
    for n in (0, 1, 2, 3, 4, 5, 48, 64, 299, 300):
        text = bytearray(402)
        out.append((encode(memoryview(text)[1:], src, n), bytes(text)))
    return out
"""
    python: dict[str, object] = {}
    exec(code.replace("import base, core, base64", ""), python)
    expected = python["check"](  # type: ignore[operator]
        blit.copy, blit.mix, blit.changed, crc16, blit.shape, blit.digits, row, base64.encode
    )
    with BoardBox(image, {**box_files(), "/main.py": b""}, timing=INSTANT) as box:
        box.board.boot()
        loops = "base.copy, base.mix, base.changed, core.crc16, base.shape, base.digits, core.row, base64.encode"
        got = box.exec(code + f"print(check({loops}))")
    assert eval(got) == expected
    assert expected[-34:-10] == [103, 87, 87, 7, 7, 7, 7, 7, *[39] * 16]


def test_a_key_ends_the_wait(image: Path) -> None:
    with BoardBox(image, {**box_files(), "/main.py": b""}, timing=INSTANT) as box:
        board = box.board
        board.boot()
        box.exec("import base\nboard = base.Board()\nboard.idle(0)")
        for name in KEYS:
            board.at(100e6, board.keys[name].press)
            board.at(130e6, board.keys[name].release)
            # A wait of ten minutes would be longer than exec has patience for.
            assert box.exec("board.idle(600000)\nprint('awake')", ms=2000) == "awake\n"
            board.run(ms=100)
            box.exec("board.idle(0)")


def test_a_host_that_does_not_read_holds_nothing_up(image: Path, in_match: Box) -> None:
    with BoardBox(image, files_of(in_match)) as box:
        pair = Pair(box, in_match)
        board = box.board
        board.boot()
        assert pair.agree()
        assert "ok" in ask(board, "live")
        board.run(ms=5)
        assert board.usb.last_packet == 0  # the reply filled packets, and its end was told
        board.usb.reading = False
        board.send(request("get 1 0 9") + request("settings") * 8)
        board.send(bytes(byte for byte in range(256) if byte != 3) * 3)
        board.run(ms=100)
        pair.press("OK RIGHT")
        board.usb.reading = True
        board.run(ms=50)
        assert "ok" in ask(board, "hello")


STREAM_CODE = """
import link, micropython
stream = link.Link(app, board)
asked = %r
stream.step(asked, len(asked))
micropython.heap_lock()
try:
    while not stream.idle():
        stream.step(asked, 0)
finally:
    micropython.heap_unlock()
"""


def test_a_stream_is_the_log_and_allocates_nothing(image: Path, tmp_path: Path) -> None:
    model = cable.long_box(tmp_path / "model")
    files = files_of(model)
    (log,) = (content for path, content in files.items() if path.endswith(".log"))
    with BoardBox(image, files) as box:
        box.board.boot()
        assert box.shows(bytes(model.frame()))
        said = box.exec(figures.BUILD_CODE + STREAM_CODE % request(f"get 1 0 {cable.RECORDS}"))
    replies = [parse_reply(line.encode()) for line in said.splitlines() if "<" in line]
    assert all(reply is not None and reply[2] for reply in replies)
    assert b"".join(a2b_base64(reply[1][2]) for reply in replies if reply) == log[: 16 * cable.RECORDS]
