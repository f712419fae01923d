"""The archive of matches on the laptop: one SQLite file in the user's data folder.

What is kept as truth is the log of each match (docs/LOG.md) and where it came from. Who played and
who won are reckoned from it by replay and kept beside it only to list matches quickly; another
version of Bazzi reckons them anew.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from . import __version__
from .errors import ArchiveError, InputError
from .replay import LogError, Match, StepError, parse, read

APPLICATION_ID = 0x42617A69  # "Bazi", so that another program's database is not taken for an archive
WAIT_MS = 5000  # for another program that is writing
LATEST = "last"  # as a MATCH: the match stored last

# One step for each version of the file; a file of version n needs the steps from n on.
MIGRATIONS = (
    (
        """
        CREATE TABLE matches (
            number INTEGER PRIMARY KEY AUTOINCREMENT,  -- as shown in the list, never used again
            id TEXT NOT NULL UNIQUE,                   -- the match id, with ~2 and so on for another history of it
            match TEXT,                                -- the match id of the header, NULL where it has none
            device TEXT,                               -- the box it came from, NULL where it was imported
            header TEXT NOT NULL,                      -- line 1 of the log
            steps TEXT NOT NULL,                       -- the other lines, joined by newlines
            complete INTEGER NOT NULL,                 -- whether all that the box had was fetched
            records INTEGER NOT NULL,                  -- how many records of the box are in it
            stored TEXT NOT NULL,                      -- when it was first stored, UTC
            changed TEXT NOT NULL,                     -- when it last grew, UTC
            stamp TEXT NOT NULL,                       -- what reckoned `summary`
            summary TEXT NOT NULL                      -- JSON, only to list matches quickly
        )
        """,
        "CREATE INDEX matches_match ON matches (match)",
    ),
)
STAMP = f"1/{__version__}"
COLUMNS = "number, id, match, device, header, steps, complete, records, stored, changed, stamp, summary"


@dataclass(slots=True)
class Entry:
    """One match of the archive; ``summary`` has game, players, over, winner, deals, and trouble (a string, or None)."""

    number: int
    id: str
    match: str | None
    device: str | None
    header: str
    steps: str
    complete: bool
    records: int
    stored: str
    changed: str
    stamp: str
    summary: dict[str, Any]

    def lines(self) -> list[str]:
        """Return the steps of the log, one JSON text each, without the header."""
        return self.steps.split("\n") if self.steps else []

    def log(self) -> bytes:
        """Return the log as LOG.md describes it."""
        return "".join(line + "\n" for line in [self.header, *self.lines()]).encode("utf-8")

    def replay(self) -> Match:
        """Return the match reckoned from its log; raises LogError."""
        return read(self.log(), self.id)

    def started(self) -> str | None:
        """Return the "started" of the header."""
        started = json.loads(self.header).get("started")
        return started if type(started) is str else None


def default_path() -> Path:
    """Return where the archive lies if nothing else is said."""
    from platformdirs import user_data_path

    return user_data_path("bazzi", appauthor=False) / "matches.sqlite3"


def tidy(raw: bytes, name: str) -> tuple[str, list[str]]:
    """Return header and steps of a log, checked, with blank lines left out and the lines of amends moved along.

    Two copies of one match are equal after this. Raises LogError.
    """
    read(raw, name)
    moved: dict[int, int] = {}
    lines: list[str] = []
    for number, whole in enumerate(raw.decode("utf-8").split("\n"), 1):
        line = whole.strip(" \t\r")
        if not line:
            continue
        step = parse(line.encode())
        if step.get("do") == "amend" and moved[step["line"]] != step["line"]:
            step["line"] = moved[step["line"]]
            line = dump(step)
        lines.append(line)
        moved[number] = len(lines)
    return lines[0], lines[1:]


def dump(value: Any) -> str:
    """Return JSON as it is stored: readable, and without lone surrogates, which UTF-8 cannot hold."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()


def summarise(log: bytes, id: str) -> dict[str, Any]:
    """Return the summary of a log; where the rules refuse it, ``trouble`` says why."""
    try:
        found = read(log, id).result()
    except LogError as error:
        try:
            header = parse(log.split(b"\n")[0])
        except StepError:
            header = {}
        game, players = header.get("game"), header.get("players")
        return {
            "game": game,
            "players": players,
            "over": None,
            "winner": None,
            "deals": None,
            "trouble": str(error),
        }
    return {
        "game": found["game"],
        "players": found["players"],
        "over": found["over"],
        "winner": found["winner"],
        "deals": len(found["deals"]),
        "trouble": None,
    }


class Archive:
    """An open archive. Use it as a context manager; every method raises ArchiveError where the file fails."""

    def __init__(self, path: Path | str | None = None, create: bool = False, wait_ms: int = WAIT_MS):
        """Open the archive at a path (default: the user's data folder).

        Without ``create`` a missing file reads as an empty archive and cannot be written to.
        ``wait_ms``: how long to wait for another program that is writing.
        """
        self.path = default_path() if path is None else Path(path)
        self._wait_ms = wait_ms
        self._file: sqlite3.Connection | None = None
        if create:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise ArchiveError(f"{self.path.parent}: the folder of the archive cannot be made: {reason}") from None
        with self._guard():
            if create or self.path.exists():
                self._file = self._open(create)
        if self._file is not None:
            try:
                self._prepare()
            except BaseException:
                self.close()
                raise

    def _open(self, create: bool) -> sqlite3.Connection:
        folder = self.path.absolute().parent
        mode = "rwc" if create else "rw"
        if not create and not os.access(folder, os.W_OK):
            mode = "ro&immutable=1"  # SQLite could not make its lock beside it, and neither can a writer
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, timeout=self._wait_ms / 1000, isolation_level=None)

    def _prepare(self) -> None:
        with self._guard():
            version = self._one("PRAGMA user_version")
            empty = self._one("SELECT count(*) FROM sqlite_master") == 0
            ours = self._one("PRAGMA application_id") == APPLICATION_ID
        if not ours and not (empty and version == 0):
            raise ArchiveError(f"{self.path}: is another program's database, not an archive of Bazzi")
        if version > len(MIGRATIONS):
            raise ArchiveError(
                f"{self.path}: was written by a newer Bazzi (version {version} of the file, this one knows"
                f" {len(MIGRATIONS)}); update Bazzi"
            )
        if version < len(MIGRATIONS):
            self._migrate()

    def _migrate(self) -> None:
        with self._writing() as file:
            version = self._one("PRAGMA user_version")  # another program may have been quicker
            for statements in MIGRATIONS[version:]:
                for statement in statements:
                    file.execute(statement)
            file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            file.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        # Readers and one writer then do not wait for each other. Another program may be in the file already, or the
        # disk may not be able to; the usual journal does too.
        with suppress(sqlite3.OperationalError):
            file.execute("PRAGMA journal_mode = WAL")

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    # -- the file -----------------------------------------------------------------------------

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn what SQLite and the disk say into one line."""
        try:
            yield
        except sqlite3.Error as error:
            raise ArchiveError(f"{self.path}: {self._meaning(error)}") from None
        except OSError as error:
            raise ArchiveError(f"{self.path}: {(error.strerror or str(error)).lower()}") from None

    @staticmethod
    def _meaning(error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorcode", -1) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return "the archive is in use by another program; nothing was stored, try again when that is done"
        if code == sqlite3.SQLITE_FULL:
            return "the disk is full; nothing was stored"
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
            return "cannot be written (no permission); nothing was stored"
        if code == sqlite3.SQLITE_CANTOPEN:
            return "cannot be opened (is the folder there, and are you allowed to use it?)"
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return f"is damaged, or not an archive of Bazzi ({error}); it was left as it is"
        return f"the disk or the file fails ({error})"

    def _one(self, query: str, *values: Any) -> Any:
        assert self._file is not None
        return self._file.execute(query, values).fetchone()[0]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Do all of the block or nothing of it."""
        if self._file is None:
            raise ArchiveError(f"{self.path}: there is no archive yet")
        with self._guard():
            if self._file.in_transaction:  # part of a larger one
                yield self._file
                return
            self._file.execute("PRAGMA synchronous = FULL")  # the box may delete what was stored here
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Make everything stored in the block one transaction."""
        with self._writing():
            yield

    # -- reading ------------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """Return all matches in the order they were first stored, summaries up to date."""
        found = self._select("ORDER BY number")
        stale = [entry for entry in found if entry.stamp != STAMP]
        for entry in stale:
            entry.summary = summarise(entry.log(), entry.id)
            entry.stamp = STAMP
        if stale:
            with suppress(ArchiveError), self._writing() as file:  # a list need not be stored
                rows = [(STAMP, dump(entry.summary), entry.number) for entry in stale]
                file.executemany("UPDATE matches SET stamp = ?, summary = ? WHERE number = ?", rows)
        return found

    def _select(self, rest: str, *values: Any) -> list[Entry]:
        if self._file is None:
            return []
        with self._guard(), closing(self._file.execute(f"SELECT {COLUMNS} FROM matches {rest}", values)) as rows:
            return [Entry(*row[:6], bool(row[6]), *row[7:11], summary=json.loads(row[11])) for row in rows]

    def find(self, wanted: str) -> Entry:
        """Return the match meant by an id, a number of the list, ``last``, or the beginning of one id only.

        Raises InputError where it is none or several.
        """
        wanted = wanted.encode("utf-8", "replace").decode()  # an argument may be no text at all
        found = self._select("WHERE id = ?", wanted)
        if not found and wanted == LATEST:
            found = self._select("ORDER BY number DESC LIMIT 1")
        elif not found and wanted.isascii() and wanted.isdecimal() and len(wanted) < 10:
            found = self._select("WHERE number = ?", int(wanted))
        if not found and wanted and wanted != LATEST:
            found = self._select("WHERE substr(id, 1, ?) = ? ORDER BY number", len(wanted), wanted)
        if len(found) > 1:
            ids = ", ".join(entry.id for entry in found[:3]) + (" ..." if len(found) > 3 else "")
            raise InputError(f"match {wanted!r} could be {ids}; give more of the id")
        if not found:
            raise InputError(f"no match {wanted!r} in {self.path}; possible: one that 'bazzi matches' lists")
        return found[0]

    def fetched(self, device_id: str, match_id: str) -> int:
        """Return how many records of a match on a box are here already, 0 for an unknown one."""
        found = self._select("WHERE match = ? AND device = ? ORDER BY changed DESC, number DESC", match_id, device_id)
        return found[0].records if found else 0

    # -- writing ------------------------------------------------------------------------------

    def store_match(
        self,
        device_id: str | None,
        match_id: str | None,
        header: dict[str, Any],
        lines: list[str],
        complete: bool,
        records: int = 0,
    ) -> str:
        """Store a match as far as it is known; returns what came of it. All or nothing, and again is harmless.

        ``header``, ``lines``: its log, the steps as JSON text in the order made, without blank lines.
        ``complete``: whether this is all the box has of it; ``records``: how many of its records this is.

        - "new": it was not here
        - "longer": it was, and has grown
        - "same": all of it was here (more may be: what is here is never shortened)
        - "conflict": under this id another history is here; both are kept, this one under ID~2
        """
        return self._store(device_id, match_id, dump(header), lines, complete, records)[0]

    def store_log(self, raw: bytes, name: str) -> tuple[str, str]:
        """Store a log file's match; returns what came of it (see ``store_match``) and its id here. Raises LogError."""
        header, steps = tidy(raw, name)
        return self._store(None, parse(header.encode()).get("match"), header, steps, True, 0)

    def _store(
        self, device: str | None, match: str | None, header: str, steps: list[str], complete: bool, records: int
    ) -> tuple[str, str]:
        if any("\n" in line or not line for line in steps):
            raise ValueError("a step is one line")
        match = match or None
        log = "\n".join([header, *steps])
        # A log without an id of its own is known by all that is in it.
        id = match or "log-" + hashlib.sha256(log.encode("utf-8")).hexdigest()[:12]
        with self._writing() as file:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            column, value = ("match", match) if match else ("id", id)
            known = self._select(f"WHERE {column} = ? ORDER BY number", value)
            for entry in known:
                grown = continues(entry, header, steps)
                if grown is None:
                    continue
                if entry.started():
                    header = entry.header
                if not grown:
                    file.execute(
                        "UPDATE matches SET header = ?, complete = max(complete, ?), records = max(records, ?),"
                        " device = coalesce(device, ?) WHERE number = ?",
                        (header, complete, records, device, entry.number),
                    )
                    return "same", entry.id
                summary = summarise("\n".join([header, *steps]).encode("utf-8"), entry.id)
                file.execute(
                    "UPDATE matches SET header = ?, steps = ?, complete = ?, records = max(records, ?), changed = ?,"
                    " device = coalesce(device, ?), stamp = ?, summary = ? WHERE number = ?",
                    (header, "\n".join(steps), complete, records, now, device, STAMP, dump(summary), entry.number),
                )
                return "longer", entry.id
            id = self._free_id(id)
            summary = summarise(log.encode("utf-8"), id)
            file.execute(
                f"INSERT INTO matches ({COLUMNS}) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (id, match, device, header, "\n".join(steps), complete, records, now, now, STAMP, dump(summary)),
            )
            return "conflict" if known else "new", id

    def _free_id(self, id: str) -> str:
        place = 1
        free = id
        while self._one("SELECT count(*) FROM matches WHERE id = ?", free):
            place += 1
            free = f"{id}~{place}"
        return free

    def forget(self, number: int) -> None:
        """Delete a match of the list for good; its number is not used again."""
        with self._writing() as file:
            file.execute("DELETE FROM matches WHERE number = ?", (number,))


def continues(entry: Entry, header: str, steps: list[str]) -> bool | None:
    """Tell how a log stands to a stored one: True it goes on from it, False nothing new, None another history."""

    def without_time(line: str) -> dict[str, Any]:
        # The box may have learned the time since.
        found = parse(line.encode())
        found.pop("started", None)
        return found

    if without_time(entry.header) != without_time(header):
        return None
    old = entry.lines()
    for one, other in zip(old, steps, strict=False):
        if one != other and parse(one.encode()) != parse(other.encode()):
            return None
    return len(steps) > len(old)
