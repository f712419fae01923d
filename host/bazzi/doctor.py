"""Looks a box over, from port and application to files and wires, and says what to do for each trouble."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from keeper.boards import pins

from . import __version__, onboard, payload, plugged, ports
from .errors import BazziError, LinkError, PortError
from .install import SPARE_BYTES, check_files, check_interpreter, differences, is_ours, leftovers
from .line import MOST_S, Line, open_device
from .link import Box, Hello, protocol_note
from .onboard import Inside
from .plugged import Asked, Tell, boot_drive, choose, flash_advice
from .ports import CANDIDATE, Port
from .remote import MAKE_ROOM, AnyRemote, Remote

KEYS = ("UP", "RIGHT", "DOWN", "LEFT", "OK", "BACK")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``do`` is the next step where it is not ok, else a remark or ""."""

    topic: str
    ok: bool
    text: str
    do: str = ""


def examine(port: str | None, tell: Tell, remote: AnyRemote | None = None) -> tuple[str, list[Finding]]:
    """Look a board over; returns its port ("" where there is none) and what was found, in the order it was looked at.

    The program on the board is stopped and started again. Raises PortError where there are two boards
    and none is named.
    """
    try:
        chosen = choose(port)
    except PortError as error:
        if sum(one.kind == CANDIDATE for one in ports.list_ports()) > 1:
            raise
        return "", _no_port(str(error))
    if remote is None and not _exists(chosen):
        todo = "'bazzi ports' lists those that are there"
        return "", [Finding("port", False, f"there is no port {chosen.name}", todo)]
    found = [_judge(chosen)]
    try:
        asked = plugged.ask(chosen.name, tell)
    except PortError as error:
        text, _, todo = str(error).removeprefix(f"{chosen.name}: ").partition("; ")
        holders = holders_of(chosen.name) if "in use" in text else []
        by = f" by {', '.join(holders)}" if holders else ""
        return chosen.name, [*found, Finding("port", False, text + by, todo or "give another port with --port")]
    remote = remote or Remote(chosen.name)
    found += _answers(chosen, asked)
    tell("the program on the board is stopped for some seconds; a match goes on where it was")
    try:
        inside = onboard.inspect(remote)
    except LinkError as error:
        return chosen.name, [*found, Finding("interpreter", False, *_split(error, chosen.name))]
    found += _interpreter(inside, chosen.name)
    if inside.name == "micropython" and inside.platform == "rp2":
        found += _installation(inside, chosen.name)
        found += _wires(remote)
        name, after = _restart(remote, chosen, inside, asked)
        return name, found + after
    return chosen.name, found


def _split(error: BazziError, port: str) -> tuple[str, str]:
    """Return an error's line as what it is and what to do."""
    text, _, todo = str(error).removeprefix(f"{port}: ").partition("; ")
    return text, todo.removeprefix("next: ") or "unplug the board, plug it in and try again"


# -- the port ------------------------------------------------------------------------------------------


def _exists(port: Port) -> bool:
    """Tell whether a port is there. Windows has no file for one."""
    return os.name == "nt" or Path(port.name).exists()


def _no_port(text: str) -> list[Finding]:
    found = [Finding("port", False, text, "in this order:")]
    drive = boot_drive()
    if drive is not None:
        found.append(Finding("port", False, f"the drive {drive} is a board in BOOTSEL mode", flash_advice(drive)))
    return found + [Finding("port", False, *_sentence(line)) for line in ports.help_text()]


def _sentence(line: str) -> tuple[str, str]:
    first, _, rest = line.partition(". ")
    return (first, rest) if rest else (line, "")


def _judge(port: Port) -> Finding:
    usb = f" ({port.usb}{', ' + port.serial if port.serial else ''})" if port.usb else ""
    wrong = bool(port.usb) and port.kind != CANDIDATE
    todo = "'bazzi ports' lists the ports; give the box's with --port" if wrong else ""
    return Finding("port", not wrong, f"{port.name}: {port.judgement}{usb}", todo)


def holders_of(port: str) -> list[str]:
    """Return the programs that have a port open, "name (pid)", as far as they can be seen; Linux only."""
    found = []
    real = os.path.realpath(port)
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if any(os.readlink(link) == real for link in (process / "fd").iterdir()):
                found.append(f"{(process / 'comm').read_text().strip()} ({process.name})")
        except OSError:  # another person's process, or one that has ended
            continue
    return found


# -- the application -----------------------------------------------------------------------------------


def _answers(port: Port, asked: Asked) -> list[Finding]:
    if asked.hello is None:
        return [Finding("application", True, "Bazzi does not answer just now", "looked at below")]
    hello = asked.hello
    found = [Finding("application", True, f"Bazzi {hello.version} answers, device {hello.device}")]
    if asked.trouble:
        text, _, todo = asked.trouble.removeprefix(f"{port.name}: ").partition("; next: ")
        found.append(Finding("protocol", False, text, todo))
    elif note := protocol_note(hello, port.name):
        found.append(Finding("protocol", True, note.removeprefix(f"{port.name}: ")))
    waiting = len(asked.unsynced())
    fetch = f"'bazzi sync --port {port.name}' fetches them" if waiting else ""
    found.append(Finding("matches", True, f"{len(asked.matches)} on the box, {waiting} not fetched", fetch))
    if hello.disk != "ok":
        state = "full" if hello.disk == "full" else "nearly full"
        todo = MAKE_ROOM
        found.append(Finding("disk", False, f"the box's disk is {state}", todo))
    return found


def _restart(remote: AnyRemote, port: Port, inside: Inside, asked: Asked) -> tuple[str, list[Finding]]:
    """Start the board anew and see whether Bazzi answers."""
    if not is_ours(inside):
        remote.reset()
        return port.name, []
    remote.reset()
    try:
        name, hello = plugged.await_hello(port)
    except (LinkError, PortError) as error:
        text, todo = _split(error, port.name)
        tried = _try_import(remote, inside)
        if tried:
            text = f"Bazzi does not start: {tried}"
        return port.name, [Finding("application", False, text, f"'bazzi install --port {port.name}'; else: {todo}")]
    was = "was restarted and answers again" if asked.hello else "was not running, was started, and runs now"
    found = [Finding("application", True, f"Bazzi {hello.version} {was}")]
    return name, found + _warnings(name, hello)


def _try_import(remote: AnyRemote, inside: Inside) -> str:
    """Return why the application cannot even be loaded, "" where it can or that cannot be told. Restarts the board."""
    main = payload.read_main(inside.main)
    listed = inside.manifests.get(main[1]) if main else None
    if main is None or listed is None:
        return ""
    names = [name[:-4] for name in listed["files"] if name.endswith(".mpy") and "/" not in name]
    try:
        said = onboard.run(remote, onboard.TRY, path=[main[1], main[1] + "/lib", ".frozen"], names=names)
        return str(said.get("try", ""))
    except LinkError as error:
        return _split(error, remote.port)[0]
    finally:
        with suppress(BazziError):
            remote.reset()


def _warnings(port: str, hello: Hello) -> list[Finding]:
    """Return what the application found damaged when it started."""
    todo = f"'bazzi sync --port {port}' saves what is whole; damaged files stay on the box as *.bad"
    try:
        with Line(port, open_device(port), most_s=MOST_S * plugged.patience()) as line:
            return [Finding("journal", False, text, todo) for text in Box(line).warnings()]
    except (LinkError, PortError) as error:
        return [Finding("journal", False, *_split(error, port))]


# -- what is on it -------------------------------------------------------------------------------------


def _interpreter(inside: Inside, port: str) -> list[Finding]:
    said = f"{inside.micropython} on {inside.machine or inside.platform}"
    found = []
    try:
        check_interpreter(inside, port)
        found.append(Finding("interpreter", True, said))
    except BazziError as error:
        text = str(error).removeprefix(f"{port}: ")
        what, _, todo = text.partition(": " if ": copy" in text else "; ")
        found.append(Finding("interpreter", False, what, todo.removeprefix("next: ")))
    if inside.platform != "rp2" or inside.name != "micropython":
        return found
    free = f"{inside.free // 1024} of {inside.size // 1024} KB free"
    try:
        check_files(inside, port)
    except LinkError as error:
        return [*found, Finding("file system", False, *_split(error, port))]
    enough = inside.free >= SPARE_BYTES
    todo = "" if enough else MAKE_ROOM
    return [*found, Finding("file system", enough, f"littlefs, {free}", todo)]


def _installation(inside: Inside, port: str) -> list[Finding]:
    """Compare the files on the board with the list of hashes that was installed with them."""
    again = f"'bazzi install --port {port}'"
    main = payload.read_main(inside.main)
    if main is None:
        if is_ours(inside):
            return [Finding("installation", False, "Bazzi was copied by hand, so nothing can be checked", again)]
        what = "another program is on the board (main.py)" if inside.main is not None else "Bazzi is not on the board"
        return [Finding("installation", False, what, again)]
    version, folder = main
    listed = inside.manifests.get(folder)
    if listed is None:
        return [Finding("installation", False, f"Bazzi {version}: its list of files in {folder} is gone", again)]
    hashes = dict(listed["files"])
    missing, damaged, foreign = differences(inside, folder, hashes)
    foreign.remove(onboard.MANIFEST)  # it cannot have its own hash in it
    found = []
    for names, what in ((missing, "missing"), (damaged, "damaged"), (foreign, "not of this version")):
        if names:
            found.append(Finding("installation", False, f"{what}: {', '.join(names)}", again))
    if payload.format_of(inside.mpy) != (listed["mpy"], listed["arch"]):
        made = f"made for .mpy {listed['mpy']} on {listed['arch']}, the firmware was changed since"
        found.append(Finding("installation", False, made, again))
    if not found:
        found.append(Finding("installation", True, f"Bazzi {version}: {len(hashes)} files, all whole"))
    rest = leftovers(inside, folder)
    if rest:
        found.append(Finding("installation", False, f"left over from before: {', '.join(rest)}", again))
    if version.partition("+")[0] != __version__:
        found.append(Finding("installation", True, f"this laptop has bazzi {__version__}", f"{again} makes them equal"))
    if inside.boot is not None and inside.boot.strip(" \r\n#"):
        found.append(Finding("installation", True, "boot.py is not Bazzi's, and runs before it"))
    return found


# -- the wires -----------------------------------------------------------------------------------------


def _wires(remote: AnyRemote) -> list[Finding]:
    """Look at keys and display while no program uses them."""
    try:
        said = onboard.run(
            remote,
            onboard.WIRES,
            keys=list(pins.KEY_PINS),
            wires=[pins.I2C_SDA, pins.I2C_SCL],
            id=pins.I2C_ID,
            hz=pins.I2C_HZ,
            addresses=list(pins.OLED_ADDRESSES),
        )
    except LinkError as error:
        return [Finding("wires", False, *_split(error, remote.port))]
    found = []
    for name, gpio, level in zip(KEYS, pins.KEY_PINS, said["keys"], strict=True):
        if level == pins.KEY_PRESSED_LEVEL:
            todo = f"let go of it; if nobody holds it, GP{gpio} touches GND (a solder bridge, most often)"
            if name == "BACK":
                todo += "; held at power-up it is the safe mode, in which Bazzi does not start"
            found.append(Finding("keys", False, f"{name} is pressed", todo))
    if not found:
        found.append(Finding("keys", True, "none is pressed or sticks"))
    if said["display"]:
        return [*found, Finding("display", True, f"answers at 0x{said['display'][0]:02X}")]
    held = [name for name, level in zip(("SDA", "SCL"), said["wires"], strict=True) if not level]
    if held:
        todo = f"unplug the box, look at the wire of {' and '.join(held)}: it touches GND, or the display has no power"
        return [*found, Finding("display", False, f"{' and '.join(held)} held low", todo)]
    todo = (
        "matches go on without it; measure 3.3 V between VCC and GND at the display, and see that"
        f" SDA is at GP{pins.I2C_SDA} and SCL at GP{pins.I2C_SCL} (hardware/BUILD.md, step 6)"
    )
    return [*found, Finding("display", False, "no display answers", todo)]
