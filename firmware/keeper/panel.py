"""The display as the board sees it: what has to be sent, and what happens when it is not there.

Only changed columns of changed pages travel. The driver (adafruit_ssd1306) starts the display and
owns the copy of what it shows, ``driver.buffer``: 0x40, then 8 pages of 128 bytes. A page is sent
by naming page and column (3 command bytes) and the bytes: that is page addressing, which SSD1306
and SH1106 share.

A display that does not answer never raises here. It is looked for every RETRY_MS; when it is found
it gets the driver's start-up, the whole picture, and only then is switched on. While it is there
it is asked every CHECK_MS whether it is still on, because one that lost its power for a moment
answers as if nothing had happened, and stays dark.
"""

from shared_rules.question import const

from . import ticks
from .canvas import PAGES, PITCH, WIDTH

RETRY_MS = const(500)
CHECK_MS = const(1000)

SH1106 = "sh1106"

_EXACT = const(16)  # up to so many columns are sent as they are,
_STEP = const(4)  # more by so many, so that few views do for all lengths
_OFF = const(0x40)  # in the display's status: it is switched off
_NOP = b"\x00\xe3"
_PAGE_MODE = b"\x00\x20\x02"
_CONVERTER_ON = b"\x00\xad\x8b"  # SH1106 only; the driver's start-up, meant for an SSD1306, switched it off


class Panel:
    """Sends pictures. Nothing allocates while the display answers.

    bus      open() -> whether a display was found; send(buffer) and status() raise OSError
    driver   init_display(), which writes by ``bus``, and buffer; None: no driver, so no display
    now_ms   function() -> tick
    copy, changed  the loops of blit.py
    errors   how often the display failed
    starts   how often it was started
    """

    def __init__(self, bus, driver, now_ms, copy, changed):
        self._bus = bus
        self._driver = driver
        self._now_ms = now_ms
        self._copy = copy
        self._changed = changed
        self._message = bytearray(1 + WIDTH)
        self._message[0] = 0x40
        view = memoryview(self._message)
        self._parts = [view[: 1 + length] for length in range(_EXACT)]  # slices allocate
        self._parts += [view[: 1 + length] for length in range(_EXACT, WIDTH + 1, _STEP)]
        self._window = bytearray(4)
        self._state = bytearray(b"\x00\x81\xff\x40\xa1\xc8\xaf")  # contrast, first line, directions, on or off
        self._unlit = memoryview(self._state)[:6]
        self._frame = None
        self._sh1106 = False
        self._offset = 0
        self._on = True
        self._flip = 0
        self._column = 0  # of the display's memory where the picture begins
        self._status = False  # whether the display's status can be relied on
        self._doubts = 0  # starts in a row after which it said that it is off
        self._tried = None  # tick of the last attempt or check
        self.there = False
        self.errors = 0
        self.starts = 0

    # -- what the application wants ---------------------------------------------------------------

    def show(self, frame):
        """Show a frame (see canvas.py). It is kept for when the display comes back."""
        self._frame = frame
        if not self.there:
            self.tend()
            return
        try:
            self._send(False)
        except OSError:
            self._lose()

    def light(self, on, contrast, shift, flip):
        """Switch on or off; contrast 0 to 255; ``shift`` pixels down; ``flip``: turned round."""
        woken = on and not self._on
        turned = flip != self._flip
        self._on = on
        self._flip = flip
        state = self._state
        state[2] = contrast
        state[3] = 0x40 | (-shift & 63)
        state[4] = 0xA0 if flip else 0xA1
        state[5] = 0xC0 if flip else 0xC8
        state[6] = 0xAF if on else 0xAE
        self._place()
        if not self.there:
            return
        if woken:
            self._start()  # it may have lost its power in the dark
            return
        try:
            self._bus.send(state)
            if turned:
                self._send(True)  # the direction of columns acts on what is written after it
        except OSError:
            self._lose()

    def choose(self, controller, offset):
        """Take the kind of display: "ssd1306" or "sh1106", and the first column that is seen."""
        sh1106 = controller == SH1106
        if sh1106 == self._sh1106 and offset == self._offset:
            return
        self._sh1106 = sh1106
        self._offset = offset
        self._place()
        if self.there:
            self._start()

    def _place(self):
        # An SH1106 has 132 columns: seen from the other end, the picture begins in another one.
        self._column = 4 - self._offset if self._flip and self._sh1106 else self._offset

    def tend(self):
        """Look for a display that is not there; ask one that is whether it is still on."""
        if self._driver is None:
            return
        now = self._now_ms()
        wait_ms = CHECK_MS if self.there else RETRY_MS
        if self._tried is not None and 0 <= ticks.diff(now, self._tried) < wait_ms:
            return
        self._tried = now
        if not self.there:
            self._start()
            return
        try:
            if not self._status:
                self._bus.send(_NOP)
            elif self._bus.status() & _OFF and self._on:
                self._lose()
                self._start()
        except OSError:
            self._lose()

    def restart(self, frame):
        """Start the display anew, whatever state it is in, and show a frame."""
        self._frame = frame
        if self._driver is not None:
            self._tried = self._now_ms()
            self._start()

    # -- what goes over the wires ---------------------------------------------------------------------

    def _lose(self):
        self.there = False
        self.errors += 1
        self._tried = self._now_ms()

    def _start(self):
        self.there = False
        if not self._bus.open():
            return
        try:
            self._driver.init_display()
            if self._sh1106:
                self._bus.send(_CONVERTER_ON)
            self._bus.send(_PAGE_MODE)
            if self._frame is not None:
                # Directions first, then the picture, then the light: the driver's start-up left it off.
                self._bus.send(self._unlit)
                self._send(True)
                self._bus.send(self._state)
        except OSError:
            self._lose()
            return
        self.there = True
        self.starts += 1
        try:
            # Off so soon: it may have lost its power just now, so that is believed once; some modules always say so.
            self._doubts = self._doubts + 1 if self._bus.status() & _OFF else 0
            self._status = self._on and self._doubts < 2
        except OSError:  # some modules cannot be read
            self._status = False

    def _send(self, whole):
        """Send what differs from what is shown, or all. Raises OSError."""
        frame = self._frame
        shown = self._driver.buffer
        changed = self._changed
        at = 1
        old = 1
        for page in range(PAGES):
            if whole:
                self._send_part(frame, at, shown, old, page, 0, WIDTH)
            else:
                span = changed(frame, at, shown, old, 0)
                while span >= 0:
                    x = span >> 8
                    length = (span & 255) - x
                    if length > _EXACT:
                        length = (length + _STEP - 1) & ~(_STEP - 1)
                        x = min(x, WIDTH - length)
                    self._send_part(frame, at, shown, old, page, x, length)
                    span = changed(frame, at, shown, old, x + length)
            at += PITCH
            old += WIDTH

    def _send_part(self, frame, at, shown, old, page, x, length):
        window = self._window
        column = x + self._column
        window[1] = 0xB0 | page
        window[2] = column & 15
        window[3] = 0x10 | column >> 4
        self._copy(self._message, 1, frame, at + x, length, 0)
        self._bus.send(window)
        self._bus.send(self._parts[length if length <= _EXACT else _EXACT + (length - _EXACT) // _STEP])
        self._copy(shown, old + x, frame, at + x, length, 0)
