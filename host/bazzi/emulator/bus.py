"""The I2C bus of the emulated board: the display on it, its speed and its faults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .ssd1306 import Ssd1306

_I2C_FUNCTION = 3  # GPIO function select
_PATIENCE_NS = 20_000
_CLOCK_HZ = 125_000_000
_RAW_INTERRUPTS, _TX_EMPTY = 0x34, 1 << 4
_RESETS_RESET = 0x0
_RESET_I2C = (1 << 3, 1 << 4)


class I2cBus:
    """Joins a display model to one of the chip's I2C blocks.

    `address`: where the display answers (3Ch or 3Dh), None for no display.
    `connected`: False makes the display not answer until it is True again.
    `on_transaction(start_ns, end_ns, data)` is called after each acknowledged
    transaction; `busy_ns` adds up the time the wires were in use.

    `max_hz`: the highest clock the wires allow; the firmware's own setting counts
    when it is lower. 0: transfers take no time.
    """

    def __init__(
        self, mcu: Any, panel: Ssd1306, *, sda: int, scl: int, address: int | None, max_hz: int
    ) -> None:
        index = sda // 2 % 2
        if sda % 2 or scl != sda + 1:
            raise ValueError(f"GP{sda} and GP{scl} are not SDA and SCL of one I2C block")
        self._mcu = mcu
        self._i2c = mcu.i2c[index]
        self._sda, self._scl = mcu.gpio[sda], mcu.gpio[scl]
        self.panel = panel
        self.address = address
        self.connected = True
        self.max_hz = max_hz
        self.busy_ns = 0.0
        self.on_transaction: Callable[[float, float, bytes], None] | None = None
        self.changed: Callable[[], None] = lambda: None

        self._data = bytearray()
        self._selected = False
        self._start_ns = 0.0
        self._bytes_to_failure: int | None = None
        self._clocks_to_free = 0
        self._sda_held = False
        self._start_waits = False

        self._next: Callable[[], None] = lambda: None
        self._alarm = mcu.clock.create_alarm(self._on_alarm)
        self._waiting = False
        self._i2c.on_start = self._on_start
        self._i2c.on_connect = self._on_connect
        self._i2c.on_write_byte = self._on_write
        self._i2c.on_read_byte = self._on_read
        self._i2c.on_stop = self._on_stop
        self._repair(index)
        self._read_register = self._i2c.read_uint32
        self._i2c.read_uint32 = self._on_read_register
        self._scl.add_listener(self._on_scl)

    # -- faults ------------------------------------------------------------------

    def fail_after(self, data_bytes: int) -> None:
        """Let the display fall off the bus after so many more bytes: it does not
        acknowledge the next one, and nothing afterwards until `connected` is True."""
        self._bytes_to_failure = data_bytes

    def hold_sda(self, clocks: int = 9) -> None:
        """Hold SDA low, as a display that lost count of its clock pulses does.

        The firmware frees it with `clocks` pulses on SCL made by hand; 0: only
        `release_sda` frees it. It acts on the next transaction.
        """
        self._sda_held, self._clocks_to_free = True, clocks
        self._sda.set_input_value(False)

    def release_sda(self) -> None:
        """Stop holding SDA low."""
        if not self._sda_held:
            return
        self._sda_held = False
        self._sda.release_input()
        if self._start_waits:
            self._start_waits = False
            self._i2c.complete_start()

    @property
    def sda_held(self) -> bool:
        """Whether the display holds SDA low."""
        return self._sda_held

    def reset(self) -> None:
        """Forget the transaction in flight: the chip was reset."""
        self._alarm.cancel()
        self._selected = self._start_waits = self._waiting = False

    # -- the chip's side -----------------------------------------------------------

    def _repair(self, index: int) -> None:
        """Mend three things in which rp2040py 0.3.6 differs from the chip."""
        i2c, resets = self._i2c, self._mcu.resets
        # An abort empties the FIFO, which raises TX_EMPTY too. Without it an absent
        # address times out, and the next good write reports the old error.
        abort = i2c._abort

        def abort_and_empty(reason: int) -> None:
            abort(reason)
            i2c._set_interrupts(_TX_EMPTY)

        i2c._abort = abort_and_empty

        # The firmware resets the block when it sets the bus up again.
        write = resets.write_uint32

        def write_resets(offset: int, value: int) -> None:
            if offset == _RESETS_RESET and value & _RESET_I2C[index] & ~resets._reset:
                i2c.reset()
                self.reset()
            write(offset, value)

        resets.write_uint32 = write_resets

    def _later(self, action: Callable[[], None], bits: int) -> None:
        if not self.max_hz:
            action()
            return
        guest_hz = _CLOCK_HZ / max(1, self._i2c.scl_low_period + self._i2c.scl_high_period)
        nanos = bits * 1e9 / min(self.max_hz, guest_hz)
        self.busy_ns += nanos
        self._next = action
        self._waiting = True
        self._alarm.schedule(nanos)

    def _on_alarm(self) -> None:
        self._waiting = False
        self._next()

    def _on_read_register(self, offset: int) -> int:
        value: int = self._read_register(offset)
        if offset == _RAW_INTERRUPTS and not value & _TX_EMPTY:
            # The firmware asks again and again until the byte is out or its patience is
            # at an end. Go to the next event instead of emulating every question: it is
            # many times faster.
            clock = self._mcu.clock
            if self._waiting:
                clock.tick(clock.nanos_to_next_alarm)
                value = self._read_register(offset)
            elif self._start_waits:
                next_ns = clock.nanos_to_next_alarm if clock.has_scheduled_alarm else _PATIENCE_NS
                clock.tick(min(next_ns, _PATIENCE_NS))
                value = self._read_register(offset)
        return value

    def _on_start(self, repeated: bool) -> None:
        if self._sda_held:
            self._start_waits = True  # the bus is not idle: the block waits, the firmware times out
        else:
            self._i2c.complete_start()

    def _on_connect(self, address: int, mode: int) -> None:
        wired = all(pin.function_select == _I2C_FUNCTION for pin in (self._sda, self._scl))
        self._selected = wired and self.connected and address == self.address
        if self._selected:
            self._data = bytearray()
            self._start_ns = self._mcu.clock.nanos
            self.panel.start()
        answer = self._selected
        self._later(lambda: self._i2c.complete_connect(answer), 10)  # START, address, ACK

    def _on_write(self, value: int) -> None:
        acknowledged = self._selected and self.connected
        if acknowledged and self._bytes_to_failure is not None:
            if self._bytes_to_failure:
                self._bytes_to_failure -= 1
            else:
                self._bytes_to_failure = None
                self.connected = self._selected = acknowledged = False
        if acknowledged:
            self._data.append(value)
            self.panel.write(value)
        self._later(lambda: self._i2c.complete_write(acknowledged), 9)

    def _on_read(self, acknowledge: bool) -> None:
        value = self.panel.status() if self._selected else 0xFF
        self._later(lambda: self._i2c.complete_read(value), 9)

    def _on_stop(self) -> None:
        if self._selected:
            self._selected = False
            self.panel.stop()
            if self.on_transaction is not None:
                self.on_transaction(self._start_ns, self._mcu.clock.nanos, bytes(self._data))
        self.changed()
        self._later(self._i2c.complete_stop, 1)

    def _on_scl(self, value: int, last: int) -> None:
        # value: 0 driven low, 1 driven high, more: not driven (pulled up).
        by_hand = self._scl.function_select != _I2C_FUNCTION
        if self._sda_held and self._clocks_to_free and by_hand and last == 0 and value != 0:
            self._clocks_to_free -= 1
            if not self._clocks_to_free:
                self.release_sda()
