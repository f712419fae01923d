"""An open serial port, and requests and replies over it (PROTOCOL.md beside this file)."""

import errno
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import serial

from shared_rules.crc import crc16

from .errors import LinkError, PortError

try:
    import grp
except ImportError:  # not on Windows, where nobody asks for it
    grp = None  # type: ignore[assignment]

TRIES = 3
SILENT_S = 2.0  # after so long without a byte a request is sent again
MOST_S = 8.0  # for a request and its repetitions
BUSY_S = 12.0  # how long a port that something probes is waited for
MOST_REPLY = 2000  # bytes of a line; longer ones are an old dump or another program's
HEARD = 4096  # bytes kept of what was no reply, to tell what is at the other end
PACKET = 64  # of USB; a request does not fill packets exactly, see PROTOCOL.md

REASONS = {
    "check": "finds it spoilt on its way, again and again",
    "command": "does not know this request",
    "arguments": "takes the request for malformed",
    "match": "has no such match",
    "records": "has fewer records",
    "unsynced": "keeps a match that is not over or not fetched",
    "open": "keeps the match that is being played",
    "disk": "cannot write: its disk is full or failing",
    "memory": "has too little memory for it just now",
    "fault": "met a fault in itself",
    "value": "has no such setting or value",
    "name": "has no such name on its roster",
    "name.empty": "takes no name that shows nothing",
    "name.long": "takes names of at most 24 bytes (in UTF-8)",
    "name.sign": "takes no name with control characters",
    "roster.full": "has no room for another name on its roster",
}


class Device(Protocol):
    """What is used of a ``serial.Serial`` whose ``timeout`` is short."""

    in_waiting: int

    def read(self, size: int) -> bytes:
        """Return up to so many bytes, b"" when none came in a short time."""

    def write(self, data: bytes) -> Any:
        """Send bytes."""

    def close(self) -> None:
        """Close the port."""


class Refused(LinkError):
    """The box refused a request; ``word`` is the reason as PROTOCOL.md names it."""

    def __init__(self, message: str, word: str, tries: int):
        super().__init__(message)
        self.word = word
        self.tries = tries


class Silent(LinkError):
    """The box did not answer."""


# -- opening a port -----------------------------------------------------------------------------------


def _group(port: str) -> str:
    """Return the name of the group a port belongs to."""
    try:
        number = os.stat(port).st_gid
    except OSError:
        return "dialout"
    try:
        return grp.getgrgid(number).gr_name if grp else str(number)
    except KeyError:
        return str(number)


def open_trouble(port: str, error: Exception) -> PortError:
    """Return the one line for what kept a port from opening."""
    number = getattr(error, "errno", None)
    words = str(error)
    # Windows gives no number, only the words of another error in its own, and says "denied" for a port in use.
    denied = number is None and "PermissionError" in words
    if denied or "exclusively" in words or number == errno.EBUSY:
        return PortError(
            f"{port}: the port is in use; close the other program (Thonny, a terminal, mpremote, another bazzi;"
            " ModemManager lets go of a new port after some seconds) and try again"
        )
    if number in (errno.EACCES, errno.EPERM):
        group = _group(port)
        return PortError(
            f"{port}: no permission to use the port; it belongs to the group {group}:"
            f" 'sudo usermod -aG {group} $USER', then log out and in again"
        )
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV) or "FileNotFoundError" in words:
        return PortError(f"{port}: there is no such port; possible: one that 'bazzi ports' lists")
    if "could not open port" in words:
        reason = os.strerror(number).lower() if number else words.rpartition("port ")[2]
        return PortError(f"{port}: the port cannot be opened: {reason}")
    return PortError(f"{port}: is not a serial port; possible: one that 'bazzi ports' lists")


def open_device(port: str, wait_s: float = BUSY_S, tell: Callable[[str], None] = lambda text: None) -> Device:
    """Open a port for us alone; raises PortError.

    A port that is busy without being locked is most likely being probed by ModemManager: it is
    waited for, and ``tell`` gets a line that says so. One that another program has locked is not.
    """
    until = time.monotonic() + wait_s
    told = False
    while True:
        try:
            return serial.Serial(port, timeout=0.05, write_timeout=SILENT_S, exclusive=True)
        except Exception as error:  # termios.error is none of OSError, and not on every system
            if not isinstance(error, OSError | ValueError) and type(error).__name__ != "error":
                raise
            if getattr(error, "errno", None) != errno.EBUSY or time.monotonic() >= until:
                raise open_trouble(port, error) from None
        if not told:
            told = True
            tell(f"{port}: the port is busy (ModemManager looks at new ports for some seconds); waiting")
        time.sleep(0.25)


# -- lines ------------------------------------------------------------------------------------------------


def seal(text: str) -> bytes:
    """Return a request's or reply's text, without its ">" or "<", with the check after it."""
    raw = text.encode("ascii")
    return raw + b"*%04x" % crc16(raw, 0, len(raw))


def parse_reply(line: bytes) -> tuple[str, list[str], bool] | None:
    """Return (id, words, whole) of the reply a line ends in, None where there is none; not ``whole``: spoilt."""
    start = line.rfind(b"<")
    if start < 0:
        return None
    line = line[start + 1 :].rstrip(b"\r")
    text, star, check = line.rpartition(b"*")
    whole = bool(star) and check == b"%04x" % crc16(text, 0, len(text))
    if whole and not text.isascii():
        return None
    words = (text if whole else line).decode("ascii", "replace").split()
    if not words:
        return None
    return words[0], words[1:], whole


class Line:
    """Requests and replies over an open port. Use it as a context manager."""

    def __init__(self, port: str, device: Device, silent_s: float = SILENT_S, most_s: float = MOST_S):
        self.port = port
        self._device = device
        self._silent_s = silent_s
        self._most_s = most_s
        self._nonce = secrets.token_hex(2)  # a late reply to another program's request has another one
        self._count = 0
        self._rest = b""  # the beginning of a line
        self._complete: deque[bytes] = deque()  # lines that came and were not looked at yet
        self.heard = b""  # the latest of what was no reply
        self.requests = 0  # made so far
        self.bytes = 0  # sent and received so far

    @classmethod
    def open(cls, port: str, wait_s: float = BUSY_S, tell: Callable[[str], None] = lambda text: None) -> "Line":
        """Open a port; see ``open_device``."""
        return cls(port, open_device(port, wait_s, tell))

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the port."""
        self._device.close()

    def _gone(self, error: Exception) -> LinkError:
        if "imeout" in str(error):
            return Silent(f"{self.port}: the box takes nothing in; unplug it, plug it in again and try again")
        return LinkError(f"{self.port}: the connection broke off (was the box unplugged?); plug it in and try again")

    def _read(self) -> bytes:
        try:
            data = self._device.read(max(1, self._device.in_waiting))
        except OSError as error:
            raise self._gone(error) from None
        self.bytes += len(data)
        return data

    def _split(self, data: bytes) -> None:
        """Add the lines that these bytes complete; the beginning of the next one is kept."""
        parts = (self._rest + data).replace(b"\r", b"\n").split(b"\n")
        self._rest = parts.pop()
        self._complete.extend(filter(None, parts))
        if len(self._rest) > MOST_REPLY:
            self._note(self._rest[:-MOST_REPLY])
            self._rest = self._rest[-MOST_REPLY:]

    def _note(self, garbage: bytes) -> None:
        self.heard = (self.heard + garbage + b"\n")[-HEARD:]

    def request(self, text: str) -> list[str]:
        """Make a request and return the words of the reply.

        Raises Refused where the box says no, Silent where it does not answer, LinkError where the
        connection breaks off. A request that got no whole reply is made again, so every request
        has to be such that making it twice does no harm.
        """
        until = time.monotonic() + self._most_s
        ours: set[str] = set()
        for tries in range(1, TRIES + 1):
            self._send(text, ours, tries)
            words = self._reply(ours, until)
            if words is None:
                if time.monotonic() >= until:
                    break
                continue
            if self._granted(text, words, tries):
                return words[1:]
        raise Silent(f"{self.port}: no answer within {self._most_s:g} s ({tries} tries)")

    def replies(self, text: str, tries: int = 1) -> Iterator[list[str]]:
        """Make a request that many replies answer and give the words of each, for as long as they are asked for.

        It ends where one is spoilt, or nothing comes for a while. Then the request for what is missing has to be
        made, as the second of the ``tries``; past the last of them, and otherwise as ``request``, this raises.
        """
        if tries > TRIES:
            raise Silent(f"{self.port}: the answer broke off ({TRIES} tries)")
        ours: set[str] = set()
        self._send(text, ours, tries)
        while (words := self._reply(ours, time.monotonic() + self._most_s)) is not None:
            if not self._granted(text, words, tries):
                return
            yield words[1:]

    def _granted(self, text: str, words: list[str], tries: int) -> bool:
        """Tell whether a reply's words say yes; False: ask again. Raises Refused."""
        if words[:1] == ["ok"]:
            return True
        reason = words[1] if words[:1] == ["no"] and len(words) > 1 else ""
        if reason == "check" and tries < TRIES:
            return False
        command = text.partition(" ")[0]
        said = REASONS.get(reason, f"says {' '.join(words)!r}")
        raise Refused(f"{self.port}: asked for {command!r}, the box {said}", reason, tries)

    def _send(self, text: str, ours: set[str], tries: int) -> None:
        self._count += 1
        id = f"{self._nonce}-{self._count % 0x10000:x}"
        ours.add(id)
        line = b">" + seal(f"{id} {text}") + b"\n"
        if tries > 1:
            line = b"\n" + line
        if len(line) % PACKET == 0:
            line += b"\n"
        self.requests += 1
        self.bytes += len(line)
        try:
            self._device.write(line)
        except OSError as error:
            raise self._gone(error) from None

    def _reply(self, ours: set[str], until: float) -> list[str] | None:
        """Return the words of a whole reply to one of our ids; None: send the request again."""
        silent = time.monotonic() + self._silent_s
        while True:
            while self._complete:
                line = self._complete.popleft()
                found = parse_reply(line)
                if found is not None and found[0] in ours:
                    return found[1] if found[2] else None  # else it was spoilt on its way
                if found is None or not found[2]:  # else it is late, and nobody waits for it any more
                    self._note(line)
            now = time.monotonic()
            if now >= until or now >= silent:
                return None
            data = self._read()
            if data:
                silent = time.monotonic() + self._silent_s
            self._split(data)

    def unfinished(self) -> bytes:
        """Return what came that was no reply, the line that is not complete included."""
        return self.heard + self._rest
