"""The Raspberry Pi Pico: the only module that knows its hardware. ``Board`` is the application's board object.

Nothing here waits longer than 2 ms, apart from a picture on its way to the display (25 ms at most).
"""

import gc
import os
import select
import sys
import time
from binascii import hexlify

import machine
import micropython
from machine import I2C, PWM, Pin

from keeper import ticks
from keeper.blit import changed, copy
from keeper.edges import Edges
from keeper.keys import BACK, OK
from keeper.panel import Panel

from . import oled, pins

DATA = "data"
HELLO = ("", "", "", "     Bazzi")
SAFE = ("Safe mode", "", "BACK was held:", "Bazzi was not", "started.", "", "OK: start Bazzi")
BROKEN = ("Bazzi cannot", "start. Matches", "are safe.", "On the laptop:", "bazzi doctor", "", "OK: try again")
REST_MS = 2000  # after so long without a key it is a quiet moment

_PIECE = 64  # bytes of the serial line at a time, a USB packet
_POLLS = 16  # times that room is looked for: 0.3 ms, in which a laptop that reads takes a packet
_TIMEOUT_US = 20000  # for one message to the display; its longest takes 12 ms at 100 kHz
_WAKE_UP = b"\x00\xe3\xe3\xe3"  # NOPs: whoever was in the middle of a command has its arguments now
_DING = b"!"
_BEEPS = ((0, 0), (2500, 8), (3200, 40), (600, 150))  # Hz and ms: nothing, a step, a deal, an error


class Bus:
    """The wires to the display."""

    def __init__(self):
        self._i2c = None
        self._address = 0
        self._byte = bytearray(1)

    def open(self):
        """Open the bus, freeing it first where a display holds it; tell whether a display answers."""
        self._i2c = None
        if not self._free():
            return False
        i2c = I2C(pins.I2C_ID, sda=Pin(pins.I2C_SDA), scl=Pin(pins.I2C_SCL), freq=pins.I2C_HZ, timeout=_TIMEOUT_US)
        for address in pins.OLED_ADDRESSES:
            try:
                i2c.writeto(address, _WAKE_UP)
            except OSError:
                continue
            self._i2c = i2c
            self._address = address
            return True
        return False

    def send(self, buffer):
        """Send a message; raises OSError. Nothing is sent, and nothing wrong, before a display was found."""
        if self._i2c is not None:
            self._i2c.writeto(self._address, buffer)

    def status(self):
        """Return the display's status byte; raises OSError."""
        self._i2c.readfrom_into(self._address, self._byte)
        return self._byte[0]

    def _free(self):
        """Free the bus of a display that was interrupted while it sent: up to nine clocks and a STOP."""
        sda = Pin(pins.I2C_SDA, Pin.IN, Pin.PULL_UP)
        scl = Pin(pins.I2C_SCL, Pin.IN, Pin.PULL_UP)
        time.sleep_us(10)
        if sda.value() and scl.value():
            return True
        scl = Pin(pins.I2C_SCL, Pin.OPEN_DRAIN, value=1)
        for _ in range(9):
            if sda.value():
                break
            scl(0)
            time.sleep_us(5)
            scl(1)
            time.sleep_us(5)
        sda = Pin(pins.I2C_SDA, Pin.OPEN_DRAIN, value=0)
        time.sleep_us(5)
        sda(1)
        time.sleep_us(5)
        return sda.value() and scl.value()


class _Key:
    """A key's pin and its interrupt, which notes the edge and ends a wait."""

    def __init__(self, edges, key, gpio, bell):
        self._edges = edges
        self._bell = bell
        self._key = key
        self.pin = Pin(gpio, Pin.IN, Pin.PULL_UP if pins.KEY_PULL_UP else None)
        self._irq = self.pin.irq()
        self.pin.irq(self._edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def _edge(self, pin):
        # The flags of the RP2040 are 4 (falling) and 8 (rising).
        self._edges.put(self._key, self._irq.flags() >> 2 & 3, pin.value() ^ 1, time.ticks_ms())
        self._bell.write(_DING)


class Board:
    """The board object of the application (docs/ARCHITECTURE.md)."""

    def __init__(self):
        self._pins = [Pin(gpio, Pin.IN, Pin.PULL_UP) for gpio in pins.KEY_PINS]
        self.edges = Edges(self.closed)
        self._bell = micropython.RingIO(16)  # rung by the keys' interrupts, to end a wait
        self._heard = bytearray(16)
        self._keys = [_Key(self.edges, key, pins.KEY_PINS[key], self._bell) for key in range(len(pins.KEY_PINS))]
        self.folder = "/" + DATA
        if DATA not in os.listdir("/"):
            os.mkdir(self.folder)
        self.device_id = hexlify(machine.unique_id()).decode()
        self.settings = None  # for the sound; given by whoever makes the application
        bus = Bus()
        self.display = Panel(bus, oled.make(bus), time.ticks_ms, copy, changed)
        self.light = self.display.light
        self.panel = self.display.choose
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._wait = select.poll()
        self._wait.register(sys.stdin, select.POLLIN)
        self._wait.register(self._bell, select.POLLIN)
        for poll in (self._in, self._out, self._wait):  # the first call allocates
            for _ in poll.ipoll(0):
                break
        self._stdin = sys.stdin.buffer
        self._stdout = sys.stdout.buffer
        self._one = bytearray(1)
        self._buzzer = PWM(Pin(pins.BUZZER), freq=2500, duty_u16=0)
        self._beeps = False  # it sounds
        self._beep_ms = 0
        self._beep_from = 0
        self._now = time.ticks_ms()
        self._part_ms = 0
        self._seconds = 0  # since the time of day was set
        self._clock = None  # the time of day then, as time.mktime has it
        self._zone = ""
        self._mask = 0
        self._moved = self._now  # tick of the last change of a key
        self._rested = False

    # -- time ---------------------------------------------------------------------------------------

    def now_ms(self):
        """Return the tick of now."""
        now = time.ticks_ms()
        self._part_ms += ticks.diff(now, self._now)
        self._now = now
        while self._part_ms >= 1000:
            self._part_ms -= 1000
            self._seconds += 1
        return now

    def idle(self, ms):
        """Wait for so long, or until a key moves or a byte comes; look after the display and the buzzer."""
        if self._beeps and ticks.diff(time.ticks_ms(), self._beep_from) >= self._beep_ms:
            self._beeps = False
            self._buzzer.duty_u16(0)
        self.display.tend()
        for _ in self._wait.ipoll(ms):
            break
        self._bell.readinto(self._heard)  # empty again: the program looks at the keys now

    def clock(self):
        """Return the time of day as the log writes it, "" when nobody set it since power-up. Allocates."""
        if self._clock is None:
            return ""
        parts = time.gmtime(self._clock + self._seconds)
        return "%04d-%02d-%02dT%02d:%02d:%02d%s" % (parts[:6] + (self._zone,))

    def set_clock(self, text):
        """Set the time of day, YYYY-MM-DDTHH:MM:SS+HH:MM."""
        parts = [int(text[start:end]) for start, end in ((0, 4), (5, 7), (8, 10), (11, 13), (14, 16), (17, 19))]
        self._clock = time.mktime(tuple(parts + [0, 0]))
        self._zone = text[19:]
        self._seconds = 0
        self._part_ms = 0

    # -- keys ---------------------------------------------------------------------------------------

    def closed(self, key):
        """Return 1 while a key's contact is closed, else 0."""
        return self._pins[key].value() ^ 1

    def held(self):
        """Return the mask of the keys that are down; one key changes in a call, so that no press is lost."""
        mask = self.edges.take(time.ticks_ms())
        if mask != self._mask:
            self._mask = mask
            self._moved = self._now
            self._rested = False
        return mask

    def pending(self):
        """Tell whether more changes of keys wait."""
        return self.edges.waiting()

    def rests(self):
        """Tell, once each time, that no key has been touched for a while: a moment for what takes time."""
        if self._rested or ticks.diff(self._now, self._moved) < REST_MS:
            return False
        self._rested = True
        return True

    # -- pictures -----------------------------------------------------------------------------------

    def steadily(self, work):
        """Call ``work`` with the heap locked; False: it needed memory, and has to be called again without.

        Then the frames of its calls are on the stack. Else MicroPython takes those of larger functions from
        the heap, and looks up to 0.4 ms for room, each time.
        """
        micropython.heap_lock()
        try:
            work()
            return True
        except MemoryError:
            return False
        finally:
            micropython.heap_unlock()

    def show(self, frame):
        """Show a frame of keeper.canvas."""
        if not self.display.there:
            self.display.show(frame)  # a start of the display allocates
            return
        micropython.heap_lock()
        try:
            self.display.show(frame)
        finally:
            micropython.heap_unlock()

    # -- the serial line ------------------------------------------------------------------------------

    def read_into(self, buffer):
        """Move bytes that came into the buffer; returns how many."""
        # A byte at a time: reading more than is there would wait.
        count = 0
        one = self._one
        while count < len(buffer):
            ready = False
            for _ in self._in.ipoll(0):
                ready = True
            if not ready or not self._stdin.readinto(one):
                break
            buffer[count] = one[0]
            count += 1
        return count

    def write(self, buffer, start, end):
        """Send buffer[start:end], a multiple of 64 bytes, for as long as the laptop takes them; returns how many.

        MicroPython waits up to 0.5 s where there is less room than what is sent, and tells only that there is
        some. Its room is 256 bytes and USB takes 64 at a time. So where everything that is sent comes in
        64s, room for any is room for 64. USB adds an empty packet behind a full one that is the last.
        """
        at = start
        polls = _POLLS
        out = self._out
        stdout = self._stdout
        while at < end and polls:
            polls -= 1
            for _ in out.ipoll(0):
                at += stdout.write(buffer, at, _PIECE)
                polls = _POLLS
        return at - start

    # -- everything else -------------------------------------------------------------------------------

    def random(self, count):
        """Return a random number from 0 to count - 1."""
        return int.from_bytes(os.urandom(3), "big") % count

    def random_bytes(self, count):
        """Return random bytes."""
        return os.urandom(count)

    def beep(self, kind):
        """Sound: 1 a step, 2 a deal, 3 an error."""
        if self.settings is not None and self.settings.code("sound") == 0:
            hz, self._beep_ms = _BEEPS[kind]
            self._beep_from = self._now
            self._beeps = True
            self._buzzer.freq(hz)
            self._buzzer.duty_u16(32768)

    def forget(self, module):
        """Let go of a module, so that its memory can be used again."""
        # There are no packages on a board that would hold it too.
        sys.modules.pop(module, None)

    def tidy(self):
        """Collect garbage."""
        gc.collect()

    def free_bytes(self):
        """Return the free bytes of the disk."""
        stat = os.statvfs(self.folder)
        return min(stat[0] * stat[3], 0x3FFFFFFF)

    # -- outside the application -------------------------------------------------------------------------

    def safe(self):
        """Tell whether BACK is held."""
        return self.closed(BACK) == 1

    def say(self, lines, wait_ms=0):
        """Show up to eight lines of 16 characters of ASCII, with nothing of the application but its frame.

        The display gets a full start, and up to ``wait_ms`` to answer.
        """
        from framebuf import MONO_VLSB, FrameBuffer

        from keeper.canvas import FRAME_BYTES, HEIGHT, PAGES, PITCH, WIDTH

        frame = bytearray(FRAME_BYTES)
        buffer = FrameBuffer(memoryview(frame)[1:], WIDTH, HEIGHT, MONO_VLSB, PITCH)
        for page in range(min(PAGES, len(lines))):
            buffer.text(lines[page], 0, 8 * page)
        self.light(True, 255, 0, self.settings.code("flip") if self.settings else 0)
        self.display.restart(frame)
        start = time.ticks_ms()
        while not self.display.there and ticks.diff(time.ticks_ms(), start) < wait_ms:
            self.idle(20)

    def stop(self):
        """Give the pins back. From now on OK starts the box anew."""
        self._buzzer.duty_u16(0)
        for key in self._keys:
            key.pin.irq(None)
        self._keys[OK].pin.irq(_again, Pin.IRQ_FALLING)


def _again(pin):
    machine.reset()
