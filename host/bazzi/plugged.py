"""The board that is plugged in: which port it is at, what Bazzi on it says, and waiting for it after a restart."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from . import ports
from .errors import LinkError, PortError
from .line import Line, Silent, open_device
from .link import Box, Hello, Listed, protocol_trouble, silence
from .ports import CANDIDATE, OTHER, Port

DOWNLOAD = "https://micropython.org/download/"
RESTART_S = 45.0  # a board that was reset is waited for so long
HELLO_S = 4.0  # and so long for an answer, where a program may not be Bazzi
PATIENCE = "BAZZI_PATIENCE"  # variable: these times are that many times as long, for an emulated board

Tell = Callable[[str], None]


def patience() -> float:
    """Return by what the times to wait are multiplied."""
    try:
        return float(os.environ.get(PATIENCE, "1"))
    except ValueError:
        return 1.0


@dataclass(slots=True)
class Asked:
    """What a board says before anything is stopped: ``hello`` and ``matches`` where Bazzi answers, else why not."""

    hello: Hello | None = None
    matches: list[Listed] = field(default_factory=list)
    trouble: str = ""

    def unsynced(self) -> list[Listed]:
        """Return the matches of which the archive does not have everything."""
        return [one for one in self.matches if one.records > one.synced]


# -- which board ---------------------------------------------------------------------------------------


def choose(port: str | None, listed: Callable[[], list[Port]] = ports.list_ports) -> Port:
    """Return the port that was named, or that of the one board that is plugged in; opens none.

    Raises PortError where there is none, or more than one: it is never guessed.
    """
    everything = listed()
    if port is not None:
        for one in everything:
            if one.name == port:
                return one
        return Port(port, "", "", OTHER, "named")
    found = [one for one in everything if one.kind == CANDIDATE]
    if len(found) > 1:
        names = ", ".join(f"{one.name} ({one.judgement}{', ' + one.serial if one.serial else ''})" for one in found)
        raise PortError(f"{len(found)} boards are plugged in: {names}; possible: --port with one of them")
    if not found:
        drive = boot_drive()
        if drive is not None:
            raise PortError(f"the board is in BOOTSEL mode: {flash_advice(drive)}")
        others = ", ".join(f"{one.name} ({one.judgement})" for one in everything if one.usb)
        there = f"; there is {others}, which --port PORT would use all the same" if others else ""
        raise PortError(f"no board found{there}; 'bazzi doctor' says what can help")
    return found[0]


def boot_drive() -> Path | None:
    """Return the drive of a board in BOOTSEL mode, None where there is none."""
    places = [Path("/Volumes"), Path("/media"), Path("/run/media"), Path("/mnt")]
    found = [path for place in places for depth in ("*", "*/*") for path in place.glob(f"{depth}/INFO_UF2.TXT")]
    found += [path for letter in "DEFGHIJKLMNOPQRSTUVWXYZ" if (path := Path(f"{letter}:/INFO_UF2.TXT")).exists()]
    return found[0].parent if found else None


def flash_advice(drive: Path | None = None) -> str:
    """Return what to do to get MicroPython on a board; what is in its file system stays."""
    where = f"to {drive}" if drive else "to the drive RPI-RP2 that appears when you hold BOOTSEL and plug the board in"
    return f"copy the newest .uf2 for your board from {DOWNLOAD} (Pico: RPI_PICO) {where}; then 'bazzi install' again"


# -- talking to what is there --------------------------------------------------------------------------


def ask(port: str, tell: Tell) -> Asked:
    """Say hello without stopping anything. Raises PortError where the port cannot be used."""
    seconds = HELLO_S * patience()
    with Line(port, open_device(port, tell=tell), seconds / 3, seconds) as line:
        box = Box(line)
        try:
            hello = box.hello(any_protocol=True)
            trouble = protocol_trouble(hello, port)
            return Asked(hello, [] if trouble else box.matches(), trouble)
        except LinkError as error:
            return Asked(trouble=str(error))


def await_hello(port: Port) -> tuple[str, Hello]:
    """Wait for a board that was reset until Bazzi answers on it; returns its port, which may have changed, and hello.

    Raises LinkError with what was heard instead.
    """
    until = time.monotonic() + RESTART_S * patience()
    trouble: Exception = LinkError(
        f"{port.name}: the board did not come back after its restart; unplug it, plug it in and try again"
    )
    while time.monotonic() < until:
        name = port.name
        if port.serial:
            name = next((one.name for one in ports.list_ports() if one.serial == port.serial), "")
        try:
            if name:
                with Line(name, open_device(name, wait_s=0), 1.0, HELLO_S * patience()) as line:
                    try:
                        return name, Box(line).hello(any_protocol=True)
                    except Silent:
                        trouble = LinkError(silence(line))
        except (PortError, LinkError) as error:
            trouble = error
        time.sleep(0.2)
    raise trouble
