"""The display's driver: adafruit_ssd1306 as it is published, on a bus of ours."""

import sys
import time

from keeper.canvas import HEIGHT, WIDTH

_ON = 0xAF


class _Device:
    """What the driver takes from adafruit_bus_device.i2c_device: writes to the display. No locks: the bus is ours."""

    def __init__(self, bus, address):
        self.write = bus.send

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False


class _NoTypes:
    pass


class _I2cModule:
    I2CDevice = _Device


class _BusModule:
    i2c_device = _I2cModule
    spi_device = None


def make(bus):
    """Return the driver on a bus, or None where adafruit_ssd1306 is not installed: then there is no display.

    The installer puts it on the board. An own start-up sequence for its absence would be a second
    way of doing the same, never used and never tested on real displays.
    """
    # What the driver imports is put where imports look first: searching all folders takes 5 ms a name.
    for name, module in (("adafruit_bus_device", _BusModule), ("time", time), ("typing", _NoTypes)):
        if name not in sys.modules:
            sys.modules[name] = module
    try:
        from adafruit_ssd1306 import SSD1306_I2C
    except ImportError:
        return None

    class Driver(SSD1306_I2C):
        """Starts the display, and leaves switching it on and sending pictures to Panel."""

        def write_cmd(self, cmd):
            # What a display shows before it has its picture is noise.
            if cmd != _ON:
                self.temp[0] = 0x80
                self.temp[1] = cmd
                self.i2c_device.write(self.temp)

        def show(self):
            pass

    return Driver(WIDTH, HEIGHT, bus)
