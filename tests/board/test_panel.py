"""What is sent to the display, and what happens when it is not there: keeper/panel.py with the unmodified driver."""

import random
import sys

import pytest
from bazzi.emulator import Sh1106, Ssd1306
from keeper.blit import changed, copy
from keeper.boards import oled
from keeper.panel import CHECK_MS, RETRY_MS, Panel

STOCK = 1037  # bytes of the driver's own show()


@pytest.fixture(autouse=True)
def stock_modules_afterwards(monkeypatch):
    """The board has a bus module of ours under a name that the driver imports; other tests need the published one."""
    for name in ("adafruit_bus_device", "adafruit_ssd1306"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield
    for name in ("adafruit_bus_device", "adafruit_ssd1306"):
        sys.modules.pop(name, None)


class Wires:
    """A bus with a display model on it; fails where it is told to."""

    def __init__(self, model):
        self.model = model
        self.connected = True
        self.fail_in = 0  # messages until the display falls off
        self.readable = True
        self.found = False
        self.sent = []

    def open(self):
        self.found = self.connected
        return self.found

    def send(self, buffer):
        if not self.found:
            return  # nobody was found yet
        if self.fail_in:
            self.fail_in -= 1
            self.connected = self.connected and self.fail_in != 0
        if not self.connected:
            raise OSError(5)
        self.sent.append(bytes(buffer))
        self.model.transfer(bytes(buffer))

    def status(self):
        if not self.connected or not self.readable:
            raise OSError(5)
        return self.model.status()


class Desk:
    """A panel, its wires, a clock, and a frame to draw on."""

    def __init__(self, model):
        self.model = model
        self.wires = Wires(model)
        self.now = 0
        self.driver = oled.make(self.wires)
        self.panel = Panel(self.wires, self.driver, lambda: self.now, copy, changed)
        self.frame = bytearray(8 * 129 + 1)

    def scribble(self, chance, spots=5):
        """Change some columns."""
        for _ in range(spots):
            x, page = chance.randrange(128), chance.randrange(8)
            for column in range(x, min(128, x + chance.randrange(1, 30))):
                self.frame[129 * page + 1 + column] = chance.randrange(256)

    def picture(self):
        """Return the frame as the model gives what is seen."""
        return b"".join(bytes(self.frame[129 * page + 1 : 129 * page + 129]) for page in range(8))

    def show(self):
        """Show the frame; returns the bytes sent."""
        self.wires.sent.clear()
        self.panel.show(self.frame)
        return sum(len(message) for message in self.wires.sent)

    def wait(self, ms):
        """Let time pass."""
        for _ in range(ms // 10):
            self.now += 10
            self.panel.tend()


@pytest.fixture
def desks(monkeypatch):
    """Makes desks; the driver's imports are put back afterwards."""
    import sys

    pytest.importorskip("adafruit_framebuf")
    for name in [name for name in sys.modules if name.startswith("adafruit_")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "adafruit_bus_device", oled._BusModule)
    return Desk


@pytest.fixture(params=["ssd1306", "sh1106"])
def desk(request, desks):
    """A panel on each of the controllers, set up for it."""
    desk = desks(Ssd1306() if request.param == "ssd1306" else Sh1106())
    if request.param == "sh1106":
        desk.panel.choose("sh1106", 2)
    return desk


def test_the_picture_is_there_before_the_light(desk):
    desk.scribble(random.Random(1), 30)
    seen = []
    transfer = desk.model.transfer

    def watch(data):
        transfer(data)
        if desk.model.on:
            seen.append(desk.model.frame())

    desk.model.transfer = watch
    desk.show()
    assert seen and all(frame == desk.picture() for frame in seen)
    assert [fault for fault in desk.model.faults if "command 8D" not in fault and "command 2" not in fault] == []


def test_only_what_changed_travels(desk):
    desk.scribble(random.Random(2), 30)
    desk.show()
    assert desk.show() == 0
    desk.frame[1 + 40] ^= 1
    assert desk.show() == 4 + 2  # where it goes, and the column
    desk.frame[129 * 7 + 1 + 127] ^= 1
    assert desk.show() == 4 + 2  # where it goes, and the column
    assert desk.model.frame() == desk.picture()


def test_a_full_redraw_costs_hardly_more_than_the_drivers_own(desk):
    desk.show()
    for place in range(len(desk.frame)):
        desk.frame[place] ^= 255 if place % 129 else 0
    assert desk.show() <= STOCK * 1.1
    assert desk.model.frame() == desk.picture()


@pytest.mark.parametrize("flip", [0, 1])
def test_any_change_arrives(desk, flip):
    chance = random.Random(3)
    desk.panel.light(True, 200, 0, flip)
    for _ in range(60):
        desk.scribble(chance)
        desk.show()
        seen = desk.model.visible()
        if flip:
            seen = tuple(row[::-1] for row in reversed(seen))
        rows = tuple(bytes(desk.frame[129 * (y // 8) + 1 + x] >> y % 8 & 1 for x in range(128)) for y in range(64))
        assert seen == rows


def test_contrast_shift_and_turning_act_on_the_picture_that_is_there(desk):
    desk.scribble(random.Random(4), 30)
    desk.show()
    upright = desk.model.visible()
    desk.panel.light(True, 33, 1, 0)
    assert desk.model.contrast == 33
    assert desk.model.visible() == upright[-1:] + upright[:-1]  # a pixel down
    desk.panel.light(True, 33, 0, 1)
    assert desk.model.visible() == tuple(row[::-1] for row in reversed(upright))
    desk.panel.light(False, 33, 0, 1)
    assert not desk.model.lit
    desk.panel.light(True, 33, 0, 0)
    assert desk.model.visible() == upright


@pytest.mark.parametrize("message", range(1, 48, 3))
def test_a_display_that_fails_anywhere_comes_back_whole(desk, message):
    desk.scribble(random.Random(5), 30)
    desk.wires.fail_in = message
    desk.show()
    for _ in range(5):
        desk.scribble(random.Random(message))
        desk.show()
    errors = desk.panel.errors
    desk.model.power_cycle()
    desk.wires.connected = True
    desk.wait(RETRY_MS + 10)
    assert desk.model.frame() == desk.picture()
    assert desk.panel.errors == errors == 1


@pytest.mark.parametrize("late_ms", [0, 100, 500, 2000, 60000])
def test_a_late_display_is_found(desk, late_ms):
    desk.wires.connected = False
    desk.scribble(random.Random(6), 30)
    desk.show()
    desk.wait(late_ms)
    desk.wires.connected = True
    desk.wait(RETRY_MS + 10)
    assert desk.model.frame() == desk.picture()
    assert desk.panel.errors == 0


def test_a_display_that_lost_its_power_for_a_moment_is_started_again(desk):
    desk.scribble(random.Random(7), 30)
    desk.show()
    desk.wait(5000)
    assert desk.panel.starts == 1
    desk.model.power_cycle()
    desk.wait(CHECK_MS + 10)
    assert desk.model.frame() == desk.picture()
    assert desk.panel.starts == 2


def test_after_the_dark_the_display_is_started_again(desk):
    desk.scribble(random.Random(8), 30)
    desk.show()
    desk.panel.light(False, 255, 0, 0)
    desk.model.power_cycle()
    desk.wait(3000)
    assert not desk.model.lit
    desk.panel.light(True, 255, 0, 0)
    assert desk.model.frame() == desk.picture()


def test_a_display_that_loses_its_power_just_after_its_start_is_started_again(desk):
    """Between the picture and the question whether it is on: believed, and seen at the next look."""
    desk.panel.restart(desk.frame)
    desk.frame[1:129] = bytes([0x55]) * 128
    status = desk.wires.status

    def gone():
        desk.wires.status = status
        desk.model.power_cycle()
        return status()

    desk.wires.status = gone
    desk.panel.restart(desk.frame)
    assert not desk.model.on
    desk.wait(CHECK_MS + 20)
    assert desk.model.on and desk.model.frame() == desk.picture()


def test_a_display_that_always_says_it_is_off_is_left_alone(desk):
    desk.wires.status = lambda: 0x40
    desk.panel.restart(desk.frame)
    desk.wait(10 * CHECK_MS)
    assert desk.panel.starts == 2, "it was believed once"
    assert desk.panel.there and desk.show() == 0


def test_a_display_that_cannot_be_read_is_left_alone(desk):
    desk.wires.readable = False
    desk.scribble(random.Random(9), 30)
    desk.show()
    desk.wait(10000)
    assert (desk.panel.starts, desk.panel.errors) == (1, 0)
    desk.wires.connected = False
    desk.wait(CHECK_MS + 10)
    assert desk.panel.errors == 1
    desk.wires.connected = True
    desk.wait(RETRY_MS + 10)
    assert desk.model.frame() == desk.picture()


def test_the_controller_can_be_changed_blind(desks):
    desk = desks(Sh1106())
    desk.scribble(random.Random(10), 30)
    desk.show()
    assert desk.model.frame() != desk.picture()
    desk.panel.choose("sh1106", 0)
    desk.panel.choose("sh1106", 2)
    assert desk.model.frame() == desk.picture()


@pytest.mark.parametrize("flip", [0, 1])
def test_an_sh1106_whose_picture_begins_at_column_0(desks, flip):
    desk = desks(Sh1106(column_offset=0))
    desk.panel.choose("sh1106", 0)
    desk.panel.light(True, 255, 0, flip)
    desk.scribble(random.Random(11), 30)
    desk.show()
    seen = desk.model.visible()
    if flip:
        seen = tuple(row[::-1] for row in reversed(seen))
    assert seen[5][7] == desk.frame[1 + 7] >> 5 & 1
    assert b"".join(seen).count(1) == sum(byte.bit_count() for byte in desk.picture())


def test_without_a_driver_nothing_happens():
    wires = Wires(Ssd1306())
    panel = Panel(wires, None, lambda: 0, copy, changed)
    panel.show(bytearray(1033))
    panel.light(True, 255, 0, 0)
    panel.choose("sh1106", 2)
    panel.tend()
    panel.restart(bytearray(1033))
    assert wires.sent == []
