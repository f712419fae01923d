"""The display models under two unmodified drivers that people use: Adafruit's and luma.oled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from bazzi.emulator import Sh1106, Ssd1306

Pattern = Callable[[int, int], bool]


def pattern(x: int, y: int) -> bool:
    """Without any symmetry: a wrong mirror, shift or bit order shows."""
    return (x * 7 + y * 13 + x * y) % 5 == 0 or x < y // 4


def rows_of(pixel: Pattern) -> tuple[bytes, ...]:
    return tuple(bytes(pixel(x, y) for x in range(128)) for y in range(64))


class FakeBusio:
    """What the CircuitPython drivers use of busio.I2C, with a model at one address."""

    def __init__(self, model: Ssd1306, address: int) -> None:
        self._model, self._address = model, address

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def writeto(self, address: int, buffer: Any, *, start: int = 0, end: int | None = None) -> None:
        if address != self._address:
            raise OSError(5, "no such device")
        if buffer:
            self._model.transfer(bytes(buffer)[start:end])

    def readfrom_into(self, address: int, buffer: Any, *, start: int = 0, end: Any = None) -> None:
        if address != self._address:
            raise OSError(5, "no such device")


def adafruit(model: Ssd1306, address: int = 0x3C, **options: Any) -> Any:
    module = pytest.importorskip("adafruit_ssd1306")
    return module.SSD1306_I2C(128, 64, FakeBusio(model, address), addr=address, **options)


def draw_adafruit(display: Any, pixel: Pattern = pattern) -> None:
    display.fill(0)
    for y in range(64):
        for x in range(128):
            if pixel(x, y):
                display.pixel(x, y, 1)
    display.show()


def test_adafruit_picture() -> None:
    model = Ssd1306()
    display = adafruit(model)
    draw_adafruit(display)
    assert model.visible() == rows_of(pattern)
    assert model.frame() == bytes(display.buffer[1:])
    assert model.faults == []


def test_adafruit_full_show_is_1037_bytes() -> None:
    model = Ssd1306()
    display = adafruit(model)
    before = (model.bytes_received, model.transactions)
    display.show()
    assert (model.bytes_received - before[0], model.transactions - before[1]) == (1037, 7)


def test_adafruit_contrast_invert_and_power() -> None:
    model = Ssd1306()
    display = adafruit(model, 0x3D)
    assert model.contrast == 0xFF
    display.contrast(0x20)
    assert model.contrast == 0x20
    draw_adafruit(display)
    display.invert(True)
    assert model.visible() == rows_of(lambda x, y: not pattern(x, y))
    display.invert(False)
    assert model.visible() == rows_of(pattern)
    display.poweroff()
    assert model.visible() == rows_of(lambda x, y: False)
    display.poweron()
    assert model.visible() == rows_of(pattern)  # the memory is kept


def test_adafruit_rotation_is_complete_after_the_next_show() -> None:
    model = Ssd1306()
    display = adafruit(model)
    draw_adafruit(display)
    display.rotate(False)
    assert model.visible() == rows_of(lambda x, y: pattern(x, 63 - y))  # as the driver says
    display.show()
    assert model.visible() == rows_of(lambda x, y: pattern(127 - x, 63 - y))
    display.rotate(True)
    display.show()
    assert model.visible() == rows_of(pattern)


def test_adafruit_with_external_supply_leaves_the_pump_off() -> None:
    model = Ssd1306()
    draw_adafruit(adafruit(model, external_vcc=True))
    assert not model.charge_pump
    assert not model.lit
    fed = Ssd1306(external_vcc=True)
    draw_adafruit(adafruit(fed, external_vcc=True))
    assert fed.visible() == rows_of(pattern)


def test_adafruit_ssd1306_driver_on_an_sh1106_is_garbled() -> None:
    model = Sh1106()
    draw_adafruit(adafruit(model))
    assert model.visible() != rows_of(pattern)


class FakeSmbus:
    """What luma's own I2C interface uses of an smbus, with a model behind it."""

    def __init__(self, model: Ssd1306) -> None:
        self._model = model

    def write_i2c_block_data(self, address: int, control: int, values: list[int]) -> None:
        assert address == 0x3C
        self._model.transfer(bytes([control, *values]))


def luma(name: str, model: Ssd1306, **options: Any) -> Any:
    devices = pytest.importorskip("luma.oled.device")
    serial = pytest.importorskip("luma.core.interface.serial")
    device = getattr(devices, name)(serial.i2c(bus=FakeSmbus(model), address=0x3C), **options)
    device.persist = True  # or it clears the panel when Python ends
    return device


def draw_luma(device: Any, pixel: Pattern = pattern) -> None:
    image = pytest.importorskip("PIL.Image").new("1", (128, 64))
    for y in range(64):
        for x in range(128):
            image.putpixel((x, y), 255 * pixel(x, y))
    device.display(image)


@pytest.fixture(params=["ssd1306", "sh1106"])
def luma_pair(request: pytest.FixtureRequest) -> tuple[Any, Ssd1306]:
    model = Ssd1306() if request.param == "ssd1306" else Sh1106()
    return luma(request.param, model), model


# luma still uses Image.getdata(), which Pillow 12 and later warn about.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
class TestLuma:
    def test_picture(self, luma_pair: tuple[Any, Ssd1306]) -> None:
        device, model = luma_pair
        draw_luma(device)
        assert model.visible() == rows_of(pattern)

    def test_ssd1306_driver_sends_nothing_undefined(self) -> None:
        model = Ssd1306()
        draw_luma(luma("ssd1306", model))
        assert model.faults == []

    def test_contrast_invert_and_power(self, luma_pair: tuple[Any, Ssd1306]) -> None:
        device, model = luma_pair
        draw_luma(device)
        device.contrast(0x11)
        assert model.contrast == 0x11
        device.command(0xA7)  # luma has a constant for it but no method
        assert model.visible() == rows_of(lambda x, y: not pattern(x, y))
        device.command(0xA6)
        device.hide()
        assert model.visible() == rows_of(lambda x, y: False)
        device.show()
        assert model.visible() == rows_of(pattern)

    @pytest.mark.parametrize("name", ["ssd1306", "sh1106"])
    def test_rotation_by_half_a_turn(self, name: str) -> None:
        model = Ssd1306() if name == "ssd1306" else Sh1106()
        draw_luma(luma(name, model, rotate=2))
        assert model.visible() == rows_of(lambda x, y: pattern(127 - x, 63 - y))
