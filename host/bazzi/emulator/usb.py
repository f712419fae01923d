"""The host side of the emulated board's USB serial port.

rp2040py's own host answers a waiting OUT endpoint with empty packets every 10 us,
which slows the firmware down three times, takes every IN packet at once, and sends no
start-of-frame, for which MicroPython waits before its first output. Here a host
without data stays silent (NAK), packets take their time on the bus, frames start
every millisecond, and a host may stop reading.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

_PACKET_BYTES = 64
_SOF_RD, _INTE = 0x48, 0x90
_DEV_SOF = 1 << 17
_FRAME_NS = 1_000_000
_FASTEST_NS = 10_000
_CONTROL_NS = 2_000_000


class UsbHost:
    """Sends and takes the bytes of the serial port.

    `received` holds what the board sent and nobody has taken out yet; when `on_data` is
    set, it gets each packet instead. `on_connect()` is called when the board has come on
    USB, `on_reset()` when the chip is reset. `reading` = False: the host has the port open but does
    not read, so that the board has to wait. `packet_ns`: time of one packet of up to
    64 bytes, 10 us at least.
    """

    def __init__(self, device: Any, packet_ns: int) -> None:
        self._mcu, self._cdc = device.mcu, device.cdc
        self._usb = self._mcu.usb_ctrl
        self._clock = self._mcu.clock
        self._packet_ns = max(packet_ns, _FASTEST_NS)
        self.received = bytearray()
        self.bytes_to_board = self.bytes_from_board = 0
        self.last_packet = 0  # bytes of the last one from the board; an empty one ends what ended with a full one
        self.on_data: Callable[[bytes], None] | None = None
        self.on_connect: Callable[[], None] = lambda: None
        self.on_reset: Callable[[], None] = lambda: None
        self.changed: Callable[[], None] = lambda: None
        self.connected = False
        self._dtr = True
        self._control_busy = False
        self._control_alarm = self._clock.create_alarm(self._end_control)
        self._reading = True
        self._outgoing = bytearray()
        self._out_armed = 0
        self._incoming: deque[tuple[bytes, bool]] = deque()
        self._signal_next = False
        self._take_alarm = self._clock.create_alarm(self._take)
        self._taking = False

        self._frame_alarm = self._clock.create_alarm(self._start_frame)
        self._frames_run = False
        self._read_register = self._usb.read_uint32
        self._write_register = self._usb.write_uint32
        self._usb.read_uint32 = self._on_read_register
        self._usb.write_uint32 = self._on_write_register
        self._indicate = self._usb._indicate_buffer_ready
        self._usb._indicate_buffer_ready = self._on_buffer_ready
        for endpoint, alarm in enumerate(self._usb.endpoint_write_alarms):
            self._watch_endpoint(endpoint, alarm)
        self._endpoint_read = self._usb.on_endpoint_read
        self._usb.on_endpoint_read = self._on_endpoint_read
        self._usb_reset = self._usb.on_reset
        self._usb.on_reset = self._on_chip_reset
        self._cdc.on_serial_data = None
        self._cdc.on_device_connected = self._on_connected

    # -- for the user ----------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Queue bytes for the board; they go when the firmware takes them."""
        self._outgoing += data
        self._offer()

    @property
    def pending(self) -> int:
        """Number of bytes for the board that it has not taken yet."""
        return len(self._outgoing)

    @property
    def reading(self) -> bool:
        """Whether the host takes what the board sends."""
        return self._reading

    @reading.setter
    def reading(self, value: bool) -> None:
        self._reading = value
        self._schedule_take()

    @property
    def dtr(self) -> bool:
        """Whether a program on the host has the port open. Set it, then run: the firmware
        is told at the next occasion. While it is off nothing is read, and the firmware
        overwrites what waits: at most its last 512 bytes come when the port opens."""
        return self._dtr

    @dtr.setter
    def dtr(self, value: bool) -> None:
        self._dtr = value
        self.pump()

    @property
    def listening(self) -> bool:
        """Whether the board is on USB and the firmware was told the present DTR."""
        return bool(self.connected and self._cdc.dtr == self._dtr)

    @property
    def settled(self) -> bool:
        """Whether the firmware has also finished with it: it counts about 10 frames, and
        until then a C function of more than 16 ms (a full frame in one I2C write) floods
        its event queue, so that it may never send again."""
        return self.listening and not self._control_busy and not self._frames_run

    def pump(self) -> None:
        """Tell the firmware about a changed DTR. Call it between batches, not in callbacks."""
        if not self.connected or self.listening or self._control_busy:
            return
        # MicroPython counts frames after DTR came on, and does not stop when it goes off
        # meanwhile: harmless, but slow to emulate. Let it finish first.
        if self._dtr or not self._frames_run:
            self._cdc.set_control_lines(dtr=self._dtr, rts=self._dtr)
            self._begin_control()
            self._schedule_take()

    # -- the bus ---------------------------------------------------------------------

    def _on_connected(self) -> None:
        self.connected = True
        self.on_connect()
        self._begin_control()
        self.changed()

    def _begin_control(self) -> None:
        # One control transfer at a time: leave the firmware time for it.
        self._control_busy = True
        self._control_alarm.schedule(_CONTROL_NS)

    def _end_control(self) -> None:
        self._control_busy = False
        self.changed()

    def _on_chip_reset(self) -> None:
        if self._usb_reset is not None:
            self._usb_reset()
        self.connected = False
        self._outgoing.clear()
        self._out_armed = 0
        self._incoming.clear()
        self._signal_next = self._taking = False
        self._take_alarm.cancel()
        self._frame_alarm.cancel()
        self._control_alarm.cancel()
        self._frames_run = self._control_busy = False
        self.on_reset()
        self.changed()

    def _on_endpoint_read(self, endpoint: int, size: int) -> None:
        if endpoint and endpoint == self._cdc._out_endpoint:
            self._out_armed = size
            self._offer()
        else:
            self._endpoint_read(endpoint, size)

    def _offer(self) -> None:
        if not (self._out_armed and self._outgoing):
            return
        size = min(self._out_armed, _PACKET_BYTES)
        packet = bytes(self._outgoing[:size])
        del self._outgoing[:size]
        self._out_armed = 0
        self.bytes_to_board += len(packet)
        delay_us = self._packet_ns / 1000
        self._usb.endpoint_read_done(self._cdc._out_endpoint, packet, delay_us)

    def _watch_endpoint(self, endpoint: int, alarm: Any) -> None:
        schedule = alarm.schedule

        def take_over(buffer: bytes, delay_ns: int) -> None:
            if endpoint and endpoint == self._cdc._in_endpoint:
                self._incoming.append((bytes(buffer), self._signal_next))
                self._signal_next = False
                self._schedule_take()
            else:
                schedule(buffer, delay_ns)

        alarm.schedule = take_over

    def _on_buffer_ready(self, endpoint: int, out: bool) -> None:
        # rp2040py reports an IN packet as gone before it hands it over. Keep the report
        # until the host has taken that packet.
        if endpoint and not out and endpoint == self._cdc._in_endpoint:
            self._signal_next = True
        else:
            self._indicate(endpoint, out)

    def _reads(self) -> bool:
        return bool(self._reading and self._cdc.dtr and self._incoming)

    def _schedule_take(self) -> None:
        if self._reads() and not self._taking:
            self._taking = True
            self._take_alarm.schedule(self._packet_ns)

    def _take(self) -> None:
        self._taking = False
        if not self._reads():
            return
        packet, signal = self._incoming.popleft()
        self.bytes_from_board += len(packet)
        self.last_packet = len(packet)
        if packet:
            (self.on_data or self.received.extend)(packet)
        if signal:
            self._indicate(self._cdc._in_endpoint, False)
        self._schedule_take()
        if packet:
            self.changed()

    # Frames are counted out only while the firmware wants to know about them: each
    # costs an interrupt.

    def _on_write_register(self, offset: int, value: int) -> None:
        self._write_register(offset, value)
        if offset == _INTE and not self._frames_run and self._usb._int_enable & _DEV_SOF:
            self._frames_run = True
            self._frame_alarm.schedule(_FRAME_NS - self._clock.nanos % _FRAME_NS)

    def _on_read_register(self, offset: int) -> int:
        value: int = self._read_register(offset)
        if offset == _SOF_RD and self._usb._int_raw & _DEV_SOF:
            self._usb._int_raw &= ~_DEV_SOF
            self._usb.check_interrupts()
        return value

    def _start_frame(self) -> None:
        self._frames_run = bool(self._usb._int_enable & _DEV_SOF)
        if self._frames_run:
            self._usb._sof_frame_number = int(self._clock.nanos // _FRAME_NS) & 0x7FF
            self._usb._int_raw |= _DEV_SOF
            self._usb.check_interrupts()
            self._frame_alarm.schedule(_FRAME_NS)
        else:
            self.changed()
