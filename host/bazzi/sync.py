"""Bringing the matches of a box into the archive.

A match comes as records of 16 bytes (shared_rules/record.py), is turned into the lines of its log
(docs/LOG.md), replayed, stored, and only then marked on the box as fetched. It can break off
anywhere: the next time goes on where the archive stands, and doing it again changes nothing.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from shared_rules import record
from shared_rules.session import ADJUST, AMEND, ANSWER, NAME, REDEAL, UNDO

from .archive import Archive, Entry, dump
from .errors import ArchiveError, LinkError
from .export import save
from .line import Refused
from .link import Box, Hello, Listed, protocol_note
from .ports import open_box
from .replay import Header, LogError, Match, StepError, parse

CHECKPOINT = 1200  # records after which a long match is stored as far as it is here
CLOCK_S = 3  # a clock that is off by less is right
KEYS = ("log", "game", "options", "players", "dealer", "match", "started")  # MicroPython writes them in any order

Progress = Callable[[int, int], None]  # records fetched, records to fetch


def _quiet(done: int, total: int) -> None:
    """Show no progress."""


# -- from records to lines ----------------------------------------------------------------------------------


class Decoder:
    """Turns the records of a match, in their order, into the steps of its log."""

    def __init__(self, match: Match, number: int, first: int = 0):
        self._rules = match.session.rules
        self._number = number
        self._next = first
        self._name = b""  # of a name whose last record has not come yet

    def take(self, data: bytes, at: int) -> dict[str, Any] | None:
        """Return the step that the record at data[at:at + 16] ends, None within a name; raises StepError."""
        count = self._next
        if not record.good(data, at):
            raise StepError(f"record {count} is damaged")
        if record.match(data, at) != self._number or record.number(data, at) != count:
            raise StepError(f"record {count} belongs elsewhere")
        if self._name and record.kind(data, at) != NAME:
            raise StepError(f"record {count} stands within a name")
        self._next += 1
        try:
            return self._step(data, at)
        except (IndexError, UnicodeDecodeError):
            raise StepError(f"record {count} means nothing in this game") from None

    def _step(self, data: bytes, at: int) -> dict[str, Any] | None:
        rules = self._rules
        kind = record.kind(data, at)
        ask = record.ask(data, at)
        seats = rules.SEAT_WORDS[: rules.seats]
        if kind == ANSWER:
            seat = record.seat(data, at)
            return {
                "ask": rules.QUESTIONS[ask],
                "seat": "table" if seat == record.NO_SEAT else seats[seat],
                "answer": rules.word(record.value(data, at)),
                "t": record.seconds(data, at),
            }
        if kind == UNDO:
            return {"do": "undo"}
        if kind == AMEND:
            line = record.target(data, at) + 2  # step 0 stands on line 2
            return {"do": "amend", "line": line, "answer": rules.word(record.value(data, at))}
        if kind == REDEAL:
            return {"do": "redeal"}
        if kind == ADJUST:
            return {"do": "adjust", "side": "AB"[ask], "points": record.value(data, at)}
        if kind == NAME:
            self._name += data[at + 6 : at + 6 + record.NAME_BYTES]
            if ask & record.MORE:
                return None
            name = self._name.rstrip(b"\0").decode()
            self._name = b""
            return {"do": "name", "seat": seats[ask], "name": name}
        return {"do": "end"}


def records_of(step: dict[str, Any]) -> int:
    """Return in how many records the box keeps a step."""
    if step.get("do") != "name":
        return 1
    return max(1, -(-len(step["name"].encode("utf-8", "surrogatepass")) // record.NAME_BYTES))


def read_header(raw: bytes) -> tuple[dict[str, Any], Header]:
    """Return a box's header line in the order of LOG.md, and what it says; raises StepError."""
    if not raw:
        raise StepError("the header is damaged")
    line = parse(raw)
    header = Header(line)
    if not header.match:
        raise StepError('"match" is missing')
    line = {key: line[key] for key in (*KEYS, *line) if key in line}
    return line, header


# -- one match ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Outcome:
    """What came of a match.

    number, state  as the box has them; match: its id, "" where the header is damaged
    records        how many of its records are in the archive; fetched: how many came over now
    result         what ``Archive.store_match`` says, or "raw": could not be verified, kept in a file of its own,
                   or "gone": deleted on the box meanwhile
    trouble, file  why it is raw, and where the raw records are; note: what else is to be said
    """

    number: int
    match: str
    state: str
    result: str = "same"
    records: int = 0
    fetched: int = 0
    trouble: str = ""
    file: str = ""
    note: str = ""


class Fetch:
    """One match on its way from the box to the archive."""

    def __init__(self, box: Box, archive: Archive, device: str, listed: Listed):
        self._box = box
        self._archive = archive
        self._device = device
        self._listed = listed
        self.raw = box.header(listed.number)
        self.outcome = Outcome(listed.number, "", listed.state)
        self.header: dict[str, Any] = {}
        self._read: Header | None = None
        try:
            self.header, self._read = read_header(self.raw)
            self.outcome.match = self.header["match"]
        except StepError as error:
            self.outcome.trouble = str(error)
        self.match: Match | None = None
        self.steps: list[str] = []
        self.records = 0  # in ``steps``
        self._stored = -1

    def begin(self, known: Entry | None) -> int:
        """Take up what the archive has of this match; returns how many records are still to be fetched."""
        if self._read is None:
            return self._listed.records
        self._restart()
        if known is not None and 0 < known.records <= self._listed.records:
            try:
                self._take_up(known)
            except (StepError, LogError):  # then all of it is fetched again, and the archive compares
                self._restart()
        return self._listed.records - self.records

    def _take_up(self, known: Entry) -> None:
        """Go on from what the archive has; raises StepError, LogError where the box has something else."""
        header, steps = parse(known.header.encode()), known.lines()
        counts = [records_of(parse(step.encode())) for step in steps]
        first = known.records - counts[-1] if counts else -1
        if {**header, "started": None} != {**self.header, "started": None} or sum(counts) != known.records:
            raise StepError("it is another history")
        # If its last step stands in the same place here and there, at the same second, so do the others.
        match = known.replay()
        decoder = Decoder(match, self._listed.number, first)
        data = self._box.records(self._listed.number, first)
        found = None
        for at in range(0, len(data), record.SIZE):
            found = decoder.take(data, at)
            if found is not None:
                break
        if found != parse(steps[-1].encode()):
            raise StepError("it is another history")
        self.match = match
        self.steps = steps
        self.records = self._stored = known.records

    def _restart(self) -> None:
        assert self._read is not None
        self.match = Match(self._read)
        self.steps = []
        self.records = 0
        self._stored = -1

    def run(self, progress: Callable[[int], None]) -> Outcome:
        """Fetch, verify and store; ``progress`` gets how many records came. Raises LinkError, ArchiveError."""
        outcome = self.outcome
        if self.match is not None:
            try:
                self._fetch(progress)
            except StepError as error:
                outcome.trouble = str(error)
            except (LinkError, KeyboardInterrupt):
                self.store(False)
                raise
            self.store(not outcome.trouble)
        outcome.records = self.records
        if outcome.trouble:
            outcome.result = "raw"
            outcome.file = self._keep_raw()
        return outcome

    def _fetch(self, progress: Callable[[int], None]) -> None:
        decoder = Decoder(self.match, self._listed.number, self.records)  # type: ignore[arg-type]
        at = self.records
        for data in self._box.stream(self._listed.number, at, self._listed.records - at):
            at += len(data) // record.SIZE
            self.outcome.fetched += len(data) // record.SIZE
            self.add(decoder, data)
            progress(len(data) // record.SIZE)
            if self.records - max(self._stored, 0) >= CHECKPOINT:
                self.store(False)
        if at < self._listed.records:
            raise StepError(f"the box cannot read its record {at}")

    def follow(self, records: int) -> Outcome:
        """Fetch on up to so many records, verify and store; see ``run``."""
        self._listed = replace(self._listed, records=records)
        return self.run(lambda count: None)

    def add(self, decoder: Decoder, data: bytes) -> None:
        """Turn records into steps and replay them; raises StepError at the first that is not possible."""
        assert self.match is not None
        for at in range(0, len(data), record.SIZE):
            step = decoder.take(data, at)
            if step is None:
                continue
            try:
                self.match.step(step, len(self.steps) + 2)
            except StepError as error:
                raise StepError(f"record {self.records} is not possible: {error}") from None
            self.steps.append(dump(step))
            self.records += records_of(step)

    def store(self, complete: bool) -> None:
        """Put what is here into the archive; raises ArchiveError, and then nothing changed there."""
        if not complete and self.records in (0, self._stored):
            return
        result = self._archive.store_match(
            self._device, self.outcome.match, self.header, self.steps, complete, self.records
        )
        self._stored = self.records
        if self.outcome.result == "same":
            self.outcome.result = result

    def _keep_raw(self) -> str:
        """Keep all records of the match, as they are, in a file beside the archive; returns its name."""
        number = self._listed.number
        records: list[str] = []
        for data in self._box.stream(number, 0, self._listed.records):
            records += [data[at : at + record.SIZE].hex() for at in range(0, len(data), record.SIZE)]
        value = {
            "raw": "bazzi/1",
            "device": self._device,
            "number": number,
            "why": self.outcome.trouble,
            "header": self.raw.decode("utf-8", "backslashreplace"),
            "records": records,
        }
        data = json.dumps(value, indent=1).encode("ascii") + b"\n"
        name = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in self._device)
        path = self._archive.path.parent / "raw" / f"{name}-{number}-{hashlib.sha256(data).hexdigest()[:8]}.json"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ArchiveError(f"{path.parent}: the folder cannot be made: {reason}") from None
        save({path: data})
        return str(path)

    def mark(self) -> None:
        """Tell the box how much is in the archive. It can refuse where it lost records or its disk is full."""
        if self._listed.synced == self.records:
            return
        try:
            self._box.synced(self._listed.number, self.records)
            self._listed = replace(self._listed, synced=self.records)
        except Refused as error:
            self.outcome.note = f"it could not be marked as fetched: {error}"


# -- all of them --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Report:
    """What a sync did. ``clock`` in words; ``warnings`` are the box's own; ``notes`` lines for the person."""

    port: str
    hello: Hello
    clock: str = ""
    matches: list[Outcome] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def raw(self) -> list[Outcome]:
        """Return the matches that could not be verified."""
        return [one for one in self.matches if one.result == "raw"]


def sync(box: Box, hello: Hello, archive: Archive, progress: Progress = _quiet, now: datetime | None = None) -> Report:
    """Bring all matches of a box into the archive and set its clock to ``now`` (default: this laptop's).

    Raises LinkError where the connection breaks off and ArchiveError where something cannot be
    stored; all that was stored until then stays, and the next sync goes on from there.
    """
    report = Report(box.port, hello)
    if note := protocol_note(hello, box.port):
        report.notes.append(note)
    if hello.disk != "ok":
        state = "full" if hello.disk == "full" else "nearly full"
        report.notes.append(f"the box's disk is {state}: delete matches on it that are marked as fetched")
    report.clock = set_clock(box, hello, now or datetime.now().astimezone())
    newest: dict[str, Entry] = {}
    for entry in archive.entries():  # as Archive.fetched: of two histories under an id, what changed last
        if entry.device in (hello.device, None) and entry.match:
            before = newest.get(entry.match)
            if before is None or (before.changed, before.number) < (entry.changed, entry.number):
                newest[entry.match] = entry
    fetches = []
    total = 0
    for listed in box.matches():
        try:
            fetch = Fetch(box, archive, hello.device, listed)
            total += fetch.begin(newest.get(fetch.outcome.match))
            fetches.append(fetch)
        except Refused as error:
            report.matches.append(_gone(error, Outcome(listed.number, "", listed.state)))
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        progress(min(done, total), total)

    progress(0, total)
    for fetch in fetches:
        try:
            report.matches.append(fetch.run(advance))
        except Refused as error:
            report.matches.append(_gone(error, fetch.outcome))
            continue
        if fetch.outcome.result != "raw":
            fetch.mark()
    progress(total, total)
    report.warnings = box.warnings()  # at the end, because damage may be found only now
    report.matches.sort(key=lambda one: one.number)
    return report


def _gone(error: Refused, outcome: Outcome) -> Outcome:
    """Return the outcome of a match that was deleted on the box meanwhile; raises every other refusal."""
    if error.word != "match":
        raise error
    outcome.result = "gone"
    return outcome


def set_clock(box: Box, hello: Hello, now: datetime) -> str:
    """Set the box's time of day where it is not right; returns in words what was done."""
    try:
        clock = datetime.fromisoformat(hello.clock) if hello.clock else None
    except ValueError:
        clock = None
    if clock is not None and clock.utcoffset() is None:
        clock = None
    if clock is not None and abs((clock - now).total_seconds()) < CLOCK_S and clock.utcoffset() == now.utcoffset():
        return "the box's clock is right"
    try:
        box.set_clock(now)
    except Refused as error:
        return f"the box's clock was not set: {error}"
    if clock is None:
        was = "it had none; matches begun before have no date"
    elif abs((clock - now).total_seconds()) < CLOCK_S:
        was = "its time zone changed"
    else:
        was = f"it was {_span(abs((clock - now).total_seconds()))} {'slow' if clock < now else 'fast'}"
    return f"the box's clock was set to {now:%Y-%m-%d %H:%M} ({was})"


def _span(seconds: float) -> str:
    for size, word in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size:.0f} {word}"
    return f"{seconds:.0f} seconds"


def push_names(box: Box, names: list[str]) -> tuple[int, int]:
    """Make these names the box's roster; returns how many were put on it and taken off it."""
    there = box.roster()
    off = [name for name in there if name not in names]
    on = [name for name in names if name not in there]
    for name in off:
        box.remove_name(name)
    for name in on:
        box.add_name(name)
    return len(on), len(off)


def sync_box(port: str, archive: Archive) -> Report:
    """Sync the box at a port, with a progress bar where there is a terminal; see ``sync``."""
    with open_box(port) as (box, hello), progress_bar() as progress:
        return sync(box, hello, archive, progress)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show how many records came, on standard error; nothing where that is no terminal."""
    shown = Console(stderr=True)
    columns = (TextColumn("fetching"), BarColumn(), MofNCompleteColumn(), TextColumn("records"))
    with Bar(*columns, console=shown, disable=not shown.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
