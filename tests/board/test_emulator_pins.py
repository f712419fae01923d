"""The emulated board's keys, buzzer and display bus, seen by real firmware."""

from __future__ import annotations

from pathlib import Path

import pytest
from bazzi.emulator import Board, Timing

I2C = "from machine import I2C, Pin\ni2c = I2C(0, sda=Pin(4), scl=Pin(5), freq=400_000)\n"


# -- keys and buzzer -----------------------------------------------------------------

WATCH_KEYS = """
from machine import Pin
keys = [Pin(gpio, Pin.IN, Pin.PULL_UP) for gpio in (10, 11, 12, 13, 14, 15)]
edges = bytearray(16)
def on_edge(pin):
    for i in range(6):
        if keys[i] is pin:
            edges[i] += 1
for key in keys:
    key.irq(on_edge, Pin.IRQ_FALLING, hard=True)
"""


def test_each_key_is_seen_on_its_pin(prompt: Board) -> None:
    watch = """
import time
seen = []
while len(seen) < 6:
    time.sleep_ms(1)
    down = [i for i in range(6) if not keys[i].value()]
    if down and down not in seen:
        seen.append(down)
print(seen)
"""
    for turn, name in enumerate(("UP", "RIGHT", "DOWN", "LEFT", "OK", "BACK"), start=2):
        prompt.at(turn * 10_000_000, prompt.keys[name].press)
        prompt.at(turn * 10_000_000 + 5_000_000, prompt.keys[name].release)
    assert prompt.exec(WATCH_KEYS + watch) == "[[0], [1], [2], [3], [4], [5]]\n"
    prompt.run(ms=10)
    assert prompt.exec("print(all(key.value() for key in keys))") == "True\n"


def test_a_tap_gives_one_edge_and_a_bouncing_one_gives_all(prompt: Board) -> None:
    prompt.exec(WATCH_KEYS)
    prompt.tap("OK", "UP", "OK")
    assert prompt.exec("print(list(edges[:6]))") == "[1, 0, 0, 0, 2, 0]\n"
    prompt.tap("BACK", bounces=4, hold_ms=5, gap_ms=5)
    assert prompt.exec("print(list(edges[:6]))") == "[1, 0, 0, 0, 2, 9]\n"
    assert not prompt.keys["BACK"].closed


def test_a_key_held_through_a_reset_is_seen_at_the_start(image: Path) -> None:
    main = "from machine import Pin\nprint('ok is', Pin(14, Pin.IN, Pin.PULL_UP).value())\n"
    with Board(image, files={"/main.py": main}) as board:
        board.keys["OK"].press()
        board.boot()
        board.wait("ok is 0")
        board.reset()
        board.wait("ok is 0")
        board.keys["OK"].release()
        board.power_cycle()
        board.wait("ok is 1")


def test_buzzer_pulses_are_counted(prompt: Board) -> None:
    before = prompt.buzzer_pulses
    prompt.exec("from machine import Pin\nb = Pin(16, Pin.OUT)\nfor i in range(5):\n b(1); b(0)")
    assert prompt.buzzer_pulses - before == 5


# -- the display on its bus ------------------------------------------------------------

PROBE = (
    I2C
    + """
def probe(address):
    try:
        return i2c.writeto(address, b"\\x00\\xe3")
    except OSError as error:
        return error.errno
"""
)
EIO, ETIMEDOUT = "5", "110"


@pytest.mark.parametrize(
    ("address", "answers"), [(0x3C, "2 5"), (0x3D, "5 2"), (None, "5 5")], ids=str
)
def test_probing_finds_the_display_or_nobody(
    image: Path, address: int | None, answers: str
) -> None:
    with Board(image, files={}, address=address) as board:
        board.boot()
        assert board.exec(PROBE + "print(probe(0x3c), probe(0x3d))") == answers + "\n"


def test_an_absent_address_does_not_spoil_the_next_transfer(prompt: Board) -> None:
    prompt.exec(PROBE)
    assert prompt.exec("print([probe(a) for a in (0x3d, 0x3c, 0x3d, 0x3c)])") == "[5, 2, 5, 2]\n"


def test_a_display_may_come_late_and_go_away(prompt: Board) -> None:
    prompt.bus.connected = False
    prompt.exec(PROBE + "import time")
    assert prompt.exec("print(probe(0x3c))") == EIO + "\n"
    prompt.at(20_000_000, lambda: setattr(prompt.bus, "connected", True))
    assert prompt.exec("while probe(0x3c) != 2:\n time.sleep_ms(1)\nprint('there')") == "there\n"
    prompt.bus.connected = False
    assert prompt.exec("print(probe(0x3c))") == EIO + "\n"


def test_wrong_pins_reach_no_display(prompt: Board) -> None:
    prompt.exec("from machine import Pin\nPin(4, Pin.IN)\nPin(5, Pin.IN)")
    prompt.exec(PROBE.replace("Pin(4)", "Pin(8)").replace("Pin(5)", "Pin(9)"))
    assert prompt.exec("print(probe(0x3c))") == EIO + "\n"


def test_bytes_reach_the_model(board: Board) -> None:
    log: list[bytes] = []
    board.bus.on_transaction = lambda start_ns, end_ns, data: log.append(data)
    board.exec(I2C + "i2c.writeto(0x3c, b'\\x00\\x8d\\x14\\xa1\\xc8\\x20\\x00\\xaf')")
    board.exec("frame = bytearray(1025); frame[0] = 0x40; frame[1] = 0x81; frame[1024] = 0xff")
    board.exec("i2c.writeto(0x3c, frame)")
    assert [len(data) for data in log] == [8, 1025]
    assert board.panel.bytes_received == 1033
    assert board.panel.frame() == b"\x81" + bytes(1022) + b"\xff"
    assert board.exec("print(i2c.readfrom(0x3c, 1))") == "b'\\x00'\n"  # status: on


def test_a_transfer_that_fails_in_the_middle_is_only_told_by_its_count(prompt: Board) -> None:
    # MicroPython raises nothing when data is not acknowledged: it returns how many
    # bytes went out, the refused one not included.
    prompt.exec(PROBE + "frame = bytearray(b'\\xff' * 129); frame[0] = 0x40")
    before = prompt.panel.bytes_received
    prompt.bus.fail_after(50)
    assert prompt.exec("print(i2c.writeto(0x3c, frame))") == "50\n"
    assert prompt.panel.bytes_received - before == 50
    assert prompt.exec("print(probe(0x3c))") == EIO + "\n"
    prompt.bus.connected = True
    assert prompt.exec("print(i2c.writeto(0x3c, frame))") == "129\n"


def test_a_bus_held_low_is_freed_by_clock_pulses(prompt: Board) -> None:
    prompt.exec(PROBE)
    prompt.bus.hold_sda(clocks=5)
    assert prompt.exec("print(probe(0x3c), Pin(4, Pin.IN, Pin.PULL_UP).value())") == "110 0\n"
    assert (
        prompt.exec("i2c = I2C(0, sda=Pin(4), scl=Pin(5))\nprint(probe(0x3c))") == ETIMEDOUT + "\n"
    )
    prompt.exec(
        "scl = Pin(5, Pin.OPEN_DRAIN, value=1)\n"
        "sda = Pin(4, Pin.IN, Pin.PULL_UP)\n"
        "pulses = 0\n"
        "while not sda.value():\n scl(0); scl(1); pulses += 1\n"
        "i2c = I2C(0, sda=Pin(4), scl=Pin(5))"
    )
    assert prompt.exec("print(pulses, probe(0x3c))") == "5 2\n"
    assert not prompt.bus.sda_held


def test_bus_time_is_that_of_the_slower_of_both_sides(image: Path) -> None:
    took = """
import time
start = time.ticks_us()
i2c.writeto(0x3c, bytes(200))
print(time.ticks_diff(time.ticks_us(), start))
"""
    # START, the address and 200 bytes of nine bits, STOP: 1,811 bits
    with Board(image, files={}, timing=Timing(i2c_hz=400_000)) as board:
        board.boot()
        assert 4_527 <= int(board.exec(I2C + took)) < 4_700
        assert board.bus.busy_ns == pytest.approx(1_811 * 2500, rel=0.01)  # 399.4 kHz
        assert 4_527 <= int(board.exec(I2C.replace("400_000", "1_000_000") + took)) < 4_700
        assert 18_110 <= int(board.exec(I2C.replace("400_000", "100_000") + took)) < 18_300
