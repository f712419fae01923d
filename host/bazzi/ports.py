"""The serial ports of this laptop: which may be a box, which one is, and what helps when there is none.

A port is opened only when its USB id is one of a Raspberry Pi Pico with MicroPython, or when a person
names it: what we send could confuse somebody's printer.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serial.tools.list_ports import comports

from .errors import LinkError, PortError
from .line import BUSY_S, Line
from .link import Box, Hello, protocol_trouble

PICO = 0x2E8A  # USB vendor id of Raspberry Pi
MICROPYTHON = 0x0005  # product id of the firmware that Bazzi's installer puts on a Pico
OTHERS = {
    0x0003: "a Pico in BOOTSEL mode: 'bazzi install' puts MicroPython and Bazzi on it",
    0x000F: "a Pico 2 in BOOTSEL mode: 'bazzi install' puts MicroPython and Bazzi on it",
    0x0004: "a debug probe",
    0x000C: "a debug probe",
    0x0009: "a Pico with a program in C",
    0x000A: "a Pico with a program in C",
    0x000B: "a Pico with CircuitPython",
}
SDK_PRODUCTS = 0x1000  # from here on: boards of other makers with Raspberry Pi's vendor id

CANDIDATE = "candidate"  # may be a box: its USB id says Pico and MicroPython
OTHER = "other"  # something else; opened only when it is named


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port. ``usb`` is "2e8a:0005" or ""; ``serial`` the USB serial number or ""; ``judgement`` in words."""

    name: str
    usb: str
    serial: str
    kind: str
    judgement: str


@dataclass(frozen=True, slots=True)
class Found:
    """What asking at a port gave.

    hello    what the box says of itself, None where none answered
    trouble  why this laptop cannot talk to it, in one line, "" where it can
    shut     whether the port could not even be opened
    """

    port: Port
    hello: Hello | None = None
    trouble: str = ""
    shut: bool = False


def judge(info: Any) -> Port:
    """Return what a port of ``serial.tools.list_ports`` may be, by its USB id alone."""
    if info.vid is None:
        return Port(info.device, "", "", OTHER, "not on USB")
    usb = f"{info.vid:04x}:{info.pid or 0:04x}"
    serial = info.serial_number or ""
    words = f"{info.manufacturer or ''} {info.product or ''} {info.description or ''}"
    kind = OTHER
    judgement = f"not a Pico ({words.strip() or 'unknown device'})"
    if info.vid == PICO:
        judgement = OTHERS.get(info.pid, "a Pico with an unknown program")
        if info.pid == MICROPYTHON or info.pid >= SDK_PRODUCTS:
            kind = CANDIDATE
            judgement = "a Pico with MicroPython"
    elif "MicroPython" in words:  # boards of other makers with a vendor id of their own
        kind = CANDIDATE
        judgement = "a board with MicroPython"
    return Port(info.device, usb, serial, kind, judgement)


def list_ports() -> list[Port]:
    """Return all serial ports with a judgement; opens none."""
    return sorted((judge(info) for info in comports()), key=lambda port: (port.kind, port.name))


def ask(port: Port, wait_s: float = BUSY_S, tell: Callable[[str], None] = lambda text: None) -> Found:
    """Open a port and say hello; never raises for what is wrong there."""
    try:
        with Line.open(port.name, wait_s, tell) as line:
            hello = Box(line).hello(any_protocol=True)
    except PortError as error:
        return Found(port, trouble=str(error), shut=True)
    except LinkError as error:
        return Found(port, trouble=str(error))
    return Found(port, hello, protocol_trouble(hello, port.name))


def help_text(system: str = sys.platform) -> list[str]:
    """Return what may be wrong when there is no box, a line each, the likeliest first."""
    found = [
        "The cable: many only charge. Use one that carries data, straight into the laptop.",
        "A drive called RPI-RP2 means BOOTSEL mode: unplug the box and plug it in without holding the button;"
        " a new board needs 'bazzi install'.",
    ]
    if system.startswith("linux"):
        groups = "dialout (on Arch uucp)"
        found += [
            f"The group: a port may only be used by members of its group, {groups}: 'sudo usermod -aG GROUP $USER',"
            " then log out and in again.",
            "brltty takes some USB serial ports a second after they appear; who needs no braille display removes it"
            " ('sudo apt remove brltty'). ModemManager looks at new ports for some seconds: try again.",
        ]
        if _in_wsl():
            found.append("This is WSL: Windows has the port. Use Bazzi in Windows, or hand it over with usbipd attach.")
    found.append("In a virtual machine or container the port has to be handed over from outside.")
    found.append("No box at all? 'bazzi demo' plays a match without one.")
    return found


def _in_wsl() -> bool:
    try:
        return "microsoft" in Path("/proc/version").read_text(encoding="utf-8", errors="replace").lower()
    except OSError:
        return False


def _no_candidate(ports: list[Port]) -> PortError:
    others = [f"{port.name} ({port.judgement})" for port in ports if port.usb][:4]
    there = f"; there is {', '.join(others)}, which --port PORT would use all the same" if others else ""
    return PortError(
        f"no box found{there}; plug it in with a cable that carries data; 'bazzi ports' says what can help"
    )


def find(
    tell: Callable[[str], None] = lambda text: None,
    ports: Callable[[], list[Port]] = list_ports,
    ask: Callable[[Port], Found] = ask,
) -> str:
    """Return the port of the one box that is plugged in.

    Raises PortError where there is none or where there are two (both are named, with their device
    ids), LinkError where what is there does not answer as a box. ``tell`` gets a line for every
    candidate that was passed over.
    """
    everything = ports()
    candidates = [port for port in everything if port.kind == CANDIDATE]
    if not candidates:
        raise _no_candidate(everything)
    found = [ask(port) for port in candidates]
    boxes = [one for one in found if one.hello]
    if len(boxes) > 1:
        listed = ", ".join(f"{one.port.name} (device {one.hello.device})" for one in boxes if one.hello)
        raise PortError(f"{len(boxes)} boxes are plugged in: {listed}; possible: --port with one of them")
    if not boxes or boxes[0].trouble:
        kind = PortError if any(one.shut for one in found) else LinkError
        raise kind("; ".join(one.trouble for one in found))
    for one in found:
        if one.hello is None:
            tell(f"passed over {one.trouble}")
    return boxes[0].port.name


@contextmanager
def open_box(port: str | None, tell: Callable[[str], None] = lambda text: None) -> Iterator[tuple[Box, Hello]]:
    """Open the box at a port (None: the one that is plugged in) and say hello; see ``find``. Closes it at the end."""
    with Line.open(port or find(tell), tell=tell) as line:
        box = Box(line)
        yield box, box.hello()
