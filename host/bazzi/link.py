"""The box behind a serial port: what can be asked of it (PROTOCOL.md beside this file), and what it is."""

import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from . import __version__
from .errors import LinkError
from .line import Line, Refused, Silent

PROTOCOL = (1, 1)  # what this laptop speaks: the first number has to be the box's, the second may differ
STREAMS = (1, 1)  # since then ``get`` takes a count


@dataclass(frozen=True, slots=True)
class Hello:
    """What a box says of itself.

    protocol  two numbers, or None where it names none; clock: its time of day, "" when it has none
    match     number of the match under way, 0 for none; uptime_s: since it was switched on
    disk      "ok", "low" or "full"
    """

    protocol: tuple[int, int] | None
    version: str
    device: str
    match: int
    uptime_s: int
    clock: str
    disk: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in the box's list; ``state`` is "open", "aside" or "over", ``synced`` how many records a laptop has."""

    number: int
    records: int
    state: str
    synced: int


@dataclass(frozen=True, slots=True)
class Live:
    """How the match under way stands: a number that changes with every step, the match (0: none), its records."""

    changes: int
    match: int
    records: int


def read_hello(words: list[str]) -> Hello | None:
    """Return what a reply to ``hello`` says, None where it is none of ours."""
    if words[:1] != ["bazzi"]:
        return None
    said = dict(word.partition("=")[::2] for word in words[1:])
    major, _, minor = said.get("protocol", "").partition(".")
    known = major.isdecimal() and (minor or "0").isdecimal()

    def number(key: str) -> int:
        word = said.get(key, "0")
        return int(word) if word.isdecimal() and len(word) < 10 else 0

    return Hello(
        protocol=(int(major), int(minor or "0")) if known else None,
        version=said.get("version", "?"),
        device=said.get("device", ""),
        match=number("match"),
        uptime_s=number("uptime"),
        clock="" if said.get("clock", "-") == "-" else said["clock"],
        disk=said.get("disk", "ok"),
    )


def protocol_trouble(hello: Hello, port: str) -> str:
    """Return "" where this laptop can talk to the box, else the one line that says why not and what to do."""
    ours = f"this laptop {PROTOCOL[0]}.{PROTOCOL[1]} (bazzi {__version__})"
    if hello.protocol is None:
        theirs = f"{port}: the box (bazzi {hello.version}) names no protocol version"
    else:
        if hello.protocol[0] == PROTOCOL[0] and hello.device:
            return ""
        theirs = f"{port}: the box speaks protocol {hello.protocol[0]}.{hello.protocol[1]} (bazzi {hello.version})"
        if hello.protocol[0] > PROTOCOL[0]:
            return f"{theirs}, {ours}; next: 'pip install --upgrade bazzi'"
    return f"{theirs}, {ours}; next: 'bazzi install --port {port}' (the matches stay on the box)"


def protocol_note(hello: Hello, port: str) -> str:
    """Return a line for a box that can be talked to, but is older or newer than this laptop; "" for an equal one."""
    if hello.protocol is None or hello.protocol[1] == PROTOCOL[1]:
        return ""
    ours, theirs = (".".join(str(part) for part in version) for version in (PROTOCOL, hello.protocol))
    next = "pip install --upgrade bazzi" if hello.protocol[1] > PROTOCOL[1] else f"bazzi install --port {port}"
    return (
        f"{port}: the box speaks protocol {theirs} (bazzi {hello.version}), this laptop {ours} (bazzi {__version__});"
        f" fetching works; '{next}' makes them equal"
    )


def silence(line: Line) -> str:
    """Return the one line for a port at which no box answered, by what was heard there instead."""
    heard = line.unfinished()
    again = f"unplug it and plug it in again, or put Bazzi on it with 'bazzi install --port {line.port}'"
    if b"raw REPL" in heard:
        return f"{line.port}: the board waits for another program (MicroPython's raw prompt); {again}"
    if b">>>" in heard or b"MicroPython" in heard or b"CircuitPython" in heard:
        return f"{line.port}: the board is at the MicroPython prompt, so Bazzi does not run on it; {again}"
    if b"Traceback" in heard:
        return f"{line.port}: the program on the board stopped with an error; {again}"
    what = "something else answers there" if heard.strip() else "no answer"
    return f"{line.port}: {what}, so it is no box with Bazzi or it hangs; {again}, or give another port with --port"


class Box:
    """The box at the other end of a line. All methods raise LinkError; a number of a match is the box's own."""

    def __init__(self, line: Line):
        self.line = line
        self._streams = False  # until the box says so

    @property
    def port(self) -> str:
        """The port's name."""
        return self.line.port

    def _wrong(self, command: str, words: list[str]) -> LinkError:
        said = " ".join(words)
        return LinkError(f"{self.port}: asked for {command!r}, the box answers something unknown: {said[:60]!r}")

    def _numbers(self, command: str, words: list[str], count: int) -> list[int]:
        if len(words) != count or not all(word.isdecimal() and len(word) < 12 for word in words):
            raise self._wrong(command, words)
        return [int(word) for word in words]

    def _bytes(self, command: str, word: str) -> bytes:
        try:
            return b"" if word == "-" else binascii.a2b_base64(word, strict_mode=True)
        except ValueError:
            raise self._wrong(command, [word]) from None

    def hello(self, any_protocol: bool = False) -> Hello:
        """Return what the box says of itself; raises LinkError with the next command where we cannot talk to it."""
        try:
            hello = read_hello(self.line.request("hello"))
        except Silent as error:
            if "takes nothing" in str(error):
                raise
            raise Silent(silence(self.line)) from None
        if hello is None:
            raise LinkError(f"{self.port}: something else than Bazzi answers there; give another port with --port")
        trouble = protocol_trouble(hello, self.port)
        if trouble and not any_protocol:
            raise LinkError(trouble)
        self._streams = hello.protocol is not None and hello.protocol >= STREAMS
        return hello

    def matches(self) -> list[Listed]:
        """Return the matches on the box, oldest first."""
        found: list[Listed] = []
        while True:
            words = self.line.request(f"list {found[-1].number if found else 0}")
            left = self._numbers("list", words[:1], 1)[0]
            for word in words[1:]:
                parts = word.split(":")
                if len(parts) != 4:
                    raise self._wrong("list", words)
                number, records, synced = self._numbers("list", [parts[0], parts[1], parts[3]], 3)
                if found and number <= found[-1].number:
                    raise self._wrong("list", words)
                found.append(Listed(number, records, parts[2], synced))
            if left <= len(words) - 1:
                return found
            if len(words) == 1:
                raise self._wrong("list", words)

    def header(self, number: int) -> bytes:
        """Return a match's header line, b"" where the box has none (it is damaged there)."""
        head = b""
        while True:
            words = self.line.request(f"head {number} {len(head)}")
            if len(words) != 2:
                raise self._wrong("head", words)
            size = self._numbers("head", words[:1], 1)[0]
            piece = self._bytes("head", words[1])
            head += piece
            if len(head) == size:
                return head
            if not piece or len(head) > size:
                raise self._wrong("head", words)

    def records(self, number: int, first: int) -> bytes:
        """Return records of a match from number ``first`` on, 16 bytes each, as many as fit; b"" at the end."""
        words = self.line.request(f"get {number} {first}")
        if len(words) != 2:
            raise self._wrong("get", words)
        count = self._numbers("get", words[:1], 1)[0]
        data = self._bytes("get", words[1])
        if len(data) != 16 * count:
            raise self._wrong("get", words)
        return data

    def stream(self, number: int, first: int, count: int) -> Iterator[bytes]:
        """Give records of a match from number ``first`` on, 16 bytes each: ``count`` of them, in pieces.

        Fewer where the box has no more. What got lost or spoilt on its way is asked for again. A box that said in
        ``hello`` that it is older, or was not asked, is asked for each piece.
        """
        end = first + count
        tries = 0
        while first < end:
            tries += 1
            pieces = self._lines(number, first, end, tries) if self._streams else [self.records(number, first)]
            for piece in pieces:
                if not piece:
                    return
                tries = 0
                wanted = piece[: 16 * (end - first)]
                first += len(wanted) // 16
                yield wanted

    def _lines(self, number: int, first: int, end: int, tries: int) -> Iterator[bytes]:
        """Give the pieces of one stream, b"" at the match's end, for as long as each goes on where the last ended."""
        for words in self.line.replies(f"get {number} {first} {end - first}", tries):
            if len(words) != 2:
                raise self._wrong("get", words)
            data = self._bytes("get", words[1])
            if len(data) % 16:
                raise self._wrong("get", words)
            if self._numbers("get", words[:1], 1)[0] != first:
                return
            yield data
            first += len(data) // 16
            if first >= end:
                return

    def live(self) -> Live:
        """Return how the match under way stands."""
        return Live(*self._numbers("live", self.line.request("live"), 3))

    def synced(self, number: int, records: int) -> None:
        """Tell the box that so many records of a match are stored here for good."""
        self.line.request(f"synced {number} {records}")

    def delete(self, number: int) -> None:
        """Delete a match that is over and synced; raises Refused where it is not."""
        try:
            self.line.request(f"delete {number}")
        except Refused as error:
            if error.word != "match" or error.tries == 1:  # else the first try did it, and its reply was lost
                raise

    def set_clock(self, now: datetime) -> None:
        """Set the box's time of day; ``now`` has an offset."""
        self.line.request(f"clock {now.isoformat(timespec='seconds')}")

    def _texts(self, command: str) -> list[str]:
        texts: list[str] = []
        while True:
            words = self.line.request(f"{command} {len(texts)}")
            count = self._numbers(command, words[:1], 1)[0]
            texts += [self._bytes(command, word).decode("utf-8", "replace") for word in words[1:]]
            if len(texts) >= count:
                return texts
            if len(words) == 1:
                raise self._wrong(command, words)

    def roster(self) -> list[str]:
        """Return the names on the box's roster."""
        return self._texts("names")

    def add_name(self, name: str) -> None:
        """Put a name on the roster; raises Refused where the box does not take it."""
        self.line.request(f"name {_base64(name)}")

    def remove_name(self, name: str) -> None:
        """Take a name off the roster; one that is not there is no error."""
        try:
            self.line.request(f"noname {_base64(name)}")
        except Refused as error:
            if error.word != "name":
                raise

    def settings(self) -> dict[str, str]:
        """Return the box's settings, each with its value as a word."""
        return dict(word.partition("=")[::2] for word in self.line.request("settings"))

    def set(self, id: str, value: str) -> None:
        """Change a setting; raises Refused where there is no such setting or value."""
        self.line.request(f"set {id} {value}")

    def screen(self) -> list[str]:
        """Return the texts on the box's screen."""
        words = self.line.request("screen")
        try:
            return [str(line) for line in json.loads(self._bytes("screen", words[0] if words else "-"))]
        except ValueError:
            raise self._wrong("screen", words) from None

    def warnings(self) -> list[str]:
        """Return what the box found damaged since it was switched on."""
        try:
            return self._texts("warnings")
        except Refused as error:
            if error.word != "command":
                raise
            return []


def _base64(text: str) -> str:
    return binascii.b2a_base64(text.encode("utf-8"), newline=False).decode() or "="
