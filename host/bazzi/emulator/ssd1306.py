"""Models of the SSD1306 and SH1106 OLED controllers, written against their data sheets.

A model takes the bytes that follow the I2C address, one at a time, and says what a
person in front of the panel sees. It knows nothing about buses, drivers or
emulators, so the same model serves real drivers on CPython and the emulated board.

The glass is mounted as on the usual modules: upside down, so that a driver has to
send A1h and C8h for a picture that stands upright.
"""

from __future__ import annotations

WIDTH_PX = 128
HEIGHT_PX = 64
PAGES = HEIGHT_PX // 8

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2

_DARK_ROW = bytes(WIDTH_PX)
_LIT_ROW = b"\x01" * WIDTH_PX

_HALF_BLOCKS = " \u2580\u2584\u2588"


class Ssd1306:
    """An SSD1306 with a 128x64 panel.

    `external_vcc`: the module feeds the panel itself; otherwise it stays dark until
    the charge pump is enabled (8Dh, 14h).

    Counters (never reset by the chip): `transactions`, `bytes_received` (control
    bytes included, address byte not), `command_bytes`, `data_bytes`.
    `faults` lists what a driver sent that the data sheet does not define.

    Not modelled: scrolling (the commands are accepted and `scrolling` says whether
    it runs), fading and zoom, and the scrambled rows of a wrong COM pin setting
    (`com_pins` keeps the value, 12h is right for 128x64).
    """

    RAM_COLUMNS = 128

    # Command -> number of argument bytes. Commands that carry their argument in
    # their own low bits are not listed.
    ARGUMENTS = {
        0x20: 1, 0x21: 2, 0x22: 2, 0x23: 1, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5,
        0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD6: 1,
        0xD9: 1, 0xDA: 1, 0xDB: 1,
    }  # fmt: skip

    def __init__(self, *, external_vcc: bool = False, column_offset: int = 0) -> None:
        self.external_vcc = external_vcc
        self._left_segment = self.RAM_COLUMNS - 1 - column_offset
        self.transactions = 0
        self.bytes_received = 0
        self.command_bytes = 0
        self.data_bytes = 0
        self.faults: list[str] = []
        # Kept by segment, not by column: segment remap acts when a byte is written.
        self._cells = bytearray(self.RAM_COLUMNS * PAGES)
        self.reset()

    def reset(self) -> None:
        """Do what the RES# pin does: every register to its reset value, memory as it was."""
        self.on = False
        self.inverted = False
        self.all_on = False
        self.contrast = 0x7F
        self.segment_remap = False
        self.com_reversed = False
        self.start_line = 0
        self.offset = 0
        self.multiplex = HEIGHT_PX
        self.charge_pump = False
        self.scrolling = False
        self.com_pins = 0x12
        self.clock_divider = 0x80
        self.precharge = 0x22
        self.vcom_level = 0x20
        self.mode = PAGE
        self.column = 0
        self.page = 0
        self.column_start, self.column_end = 0, self.RAM_COLUMNS - 1
        self.page_start, self.page_end = 0, PAGES - 1
        self._command = 0
        self._missing = 0
        self._arguments: list[int] = []
        self.start()

    def power_cycle(self) -> None:
        """Take the supply away and give it back: registers and memory are lost."""
        self._cells[:] = bytes(len(self._cells))
        self.reset()

    # -- I2C ---------------------------------------------------------------------

    def start(self) -> None:
        """Begin a transaction: the next byte is a control byte."""
        self._expect_control = True
        self._is_data = False
        self._single = False

    def write(self, value: int) -> None:
        """Take one byte of a transaction; it acts at once, as on the chip."""
        self.bytes_received += 1
        if self._expect_control:
            if value & 0x3F:
                self.faults.append(f"control byte {value:02X}h")
            self._single = bool(value & 0x80)  # Co
            self._is_data = bool(value & 0x40)  # D/C#
            self._expect_control = False
            return
        if self._single:
            self._expect_control = True
        if self._is_data:
            self.data_bytes += 1
            self._store(value)
        else:
            self.command_bytes += 1
            self._take_command(value)

    def stop(self) -> None:
        """End a transaction. A command may go on in the next one."""
        self.transactions += 1

    def transfer(self, data: bytes | bytearray | memoryview) -> None:
        """Receive one whole transaction."""
        self.start()
        for value in data:
            self.write(value)
        self.stop()

    def status(self) -> int:
        """Return the byte a read gives: bit 6 is set while the display is off."""
        return 0x00 if self.on else 0x40

    # -- commands ----------------------------------------------------------------

    def _take_command(self, value: int) -> None:
        if self._missing:
            self._arguments.append(value)
            self._missing -= 1
            if not self._missing:
                self._run(self._command, self._arguments)
            return
        count = self.ARGUMENTS.get(value, 0)
        if count:
            self._command, self._missing, self._arguments = value, count, []
        else:
            self._run(value, [])

    def _run(self, command: int, arguments: list[int]) -> None:
        first = arguments[0] if arguments else 0
        # The sheet gives the pointer commands (00h-1Fh, B0h-B7h) for page addressing
        # only. Drivers in wide use (u8g2) send them in horizontal mode, and the chip obeys.
        if command <= 0x0F:
            self._set_column((self.column & 0xF0) | command)
        elif command <= 0x1F:
            self._set_column((self.column & 0x0F) | (command & 0x0F) << 4)
        elif command == 0x20:
            if first & 3 == 3:
                self.faults.append(f"addressing mode {first:02X}h")
            else:
                self.mode = first & 3
        elif command == 0x21:
            self.column_start, self.column_end = first & 0x7F, arguments[1] & 0x7F
            self.column = self.column_start
            if self.column_start > self.column_end:
                self.faults.append(f"column window {first}..{arguments[1]}")
        elif command == 0x22:
            self.page_start, self.page_end = first & 7, arguments[1] & 7
            self.page = self.page_start
            if self.page_start > self.page_end:
                self.faults.append(f"page window {first}..{arguments[1]}")
        elif command in (0x23, 0x26, 0x27, 0x29, 0x2A, 0xA3, 0xAD, 0xD6):
            pass  # fade, scroll set-up, reference current, zoom
        elif command in (0x2E, 0x2F):
            self.scrolling = command == 0x2F
        elif 0x40 <= command <= 0x7F:
            self.start_line = command & 0x3F
        elif command == 0x8D:
            self.charge_pump = bool(first & 0x04)
        elif 0xB0 <= command <= 0xB7:
            self.page = command & 7
        else:
            self._run_display(command, first)

    def _run_display(self, command: int, first: int) -> None:
        if command == 0x81:
            self.contrast = first
        elif command in (0xA0, 0xA1):
            self.segment_remap = command == 0xA1
        elif command in (0xA4, 0xA5):
            self.all_on = command == 0xA5
        elif command in (0xA6, 0xA7):
            self.inverted = command == 0xA7
        elif command == 0xA8:
            if first & 0x3F < 15:
                self.faults.append(f"multiplex ratio {first & 0x3F}")
            else:
                self.multiplex = (first & 0x3F) + 1
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif 0xC0 <= command <= 0xCF:
            self.com_reversed = bool(command & 0x08)
        elif command == 0xD3:
            self.offset = first & 0x3F
        elif command == 0xD5:
            self.clock_divider = first
        elif command == 0xD9:
            self.precharge = first
        elif command == 0xDA:
            self.com_pins = first
        elif command == 0xDB:
            self.vcom_level = first
        elif command != 0xE3:  # NOP
            self.faults.append(f"command {command:02X}h")

    # -- memory ------------------------------------------------------------------

    def _set_column(self, column: int) -> None:
        self.column = column & 0x7F

    def _cell(self, page: int, column: int) -> int:
        segment = self.RAM_COLUMNS - 1 - column if self.segment_remap else column
        return page * self.RAM_COLUMNS + segment

    def _store(self, value: int) -> None:
        self._cells[self._cell(self.page, self.column)] = value
        self._advance()

    def _advance(self) -> None:
        # The end is reached by equality only, so a pointer that was set outside its
        # window runs to the last column and comes in from the other side.
        if self.mode == VERTICAL:
            if self._next_page():
                self._next_column()
        elif self._next_column() and self.mode == HORIZONTAL:
            self._next_page()

    def _next_column(self) -> bool:
        wraps = self.column == self.column_end
        self.column = self.column_start if wraps else (self.column + 1) % self.RAM_COLUMNS
        return wraps

    def _next_page(self) -> bool:
        wraps = self.page == self.page_end
        self.page = self.page_start if wraps else (self.page + 1) % PAGES
        return wraps

    @property
    def gddram(self) -> bytes:
        """The memory, page by page, in the order a driver addresses the columns now."""
        rows = []
        for page in range(PAGES):
            row = self._cells[page * self.RAM_COLUMNS : (page + 1) * self.RAM_COLUMNS]
            rows.append(row[::-1] if self.segment_remap else row)
        return b"".join(rows)

    # -- what a person sees --------------------------------------------------------

    @property
    def lit(self) -> bool:
        """Whether the panel has power and is switched on."""
        return self.on and (self.charge_pump or self.external_vcc)

    def visible(self) -> tuple[bytes, ...]:
        """Return what is seen: 64 rows from the top of 128 bytes, 1 for a lit pixel."""
        return tuple(self._visible_row(y) for y in range(HEIGHT_PX))

    def _visible_row(self, y: int) -> bytes:
        if not self.lit:
            return _DARK_ROW
        com = HEIGHT_PX - 1 - y  # the glass hangs upside down
        row = (self.multiplex - 1 - com) if self.com_reversed else com
        row = (row + self.offset) % HEIGHT_PX
        if row >= self.multiplex:
            return _DARK_ROW
        if self.all_on:
            return _LIT_ROW
        line = (row + self.start_line) % HEIGHT_PX
        base = (line // 8) * self.RAM_COLUMNS + self._left_segment
        shift, flip = line % 8, int(self.inverted)
        cells = self._cells
        return bytes((cells[base - x] >> shift & 1) ^ flip for x in range(WIDTH_PX))

    def frame(self) -> bytes:
        """Return what is seen as 1,024 bytes in MONO_VLSB order, like a frame buffer."""
        rows = self.visible()
        out = bytearray(WIDTH_PX * PAGES)
        for y, row in enumerate(rows):
            base, bit = (y // 8) * WIDTH_PX, 1 << (y % 8)
            for x, pixel in enumerate(row):
                if pixel:
                    out[base + x] |= bit
        return bytes(out)

    def text(self) -> str:
        """Return what is seen as 32 lines of 128 half-block characters, for people."""
        rows = self.visible()
        return "\n".join(
            "".join(
                _HALF_BLOCKS[top + 2 * bottom]
                for top, bottom in zip(rows[y], rows[y + 1], strict=True)
            )
            for y in range(0, HEIGHT_PX, 2)
        )


class Sh1106(Ssd1306):
    """An SH1106 with a 128x64 panel in front of its 132 columns.

    `column_offset`: the column shown at the left edge; 2 on the usual modules.
    It has page addressing only, the column pointer stops after the last column, and
    the voltage converter is on after reset (ADh switches it).
    """

    RAM_COLUMNS = 132
    ARGUMENTS = {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}

    def __init__(self, *, external_vcc: bool = False, column_offset: int = 2) -> None:
        super().__init__(external_vcc=external_vcc, column_offset=column_offset)

    def reset(self) -> None:
        super().reset()
        self.charge_pump = True
        self.contrast = 0x80

    def _run(self, command: int, arguments: list[int]) -> None:
        if command == 0xAD:
            self.charge_pump = bool(arguments[0] & 0x01)
        elif 0x20 <= command <= 0x2F or command == 0x8D:
            # Not commands here: an SSD1306 driver's arguments act as commands.
            self.faults.append(f"command {command:02X}h")
        elif not 0x30 <= command <= 0x33:  # pump voltage
            super()._run(command, arguments)

    def _set_column(self, column: int) -> None:
        self.column = column

    def _store(self, value: int) -> None:
        if self.column < self.RAM_COLUMNS:
            self._cells[self._cell(self.page, self.column)] = value
            self.column += 1
