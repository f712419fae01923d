"""Matches as files for other programs: logs (JSON Lines), replay objects (JSON), rows of deals (CSV).

All three are the same bytes in every locale and on every system. docs/LOG.md describes the columns.
"""

import csv
import io
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from shared_rules import rules as kinds
from shared_rules.question import WORD
from shared_rules.rules import NO_CELL, Column, Rules

from .archive import Entry
from .errors import ArchiveError, InputError
from .replay import LogError
from .sheets import ADJUSTMENT, DEAL, RUN, VOID, Row, Sheet, moment

_FORMULA = re.compile("'*[=+\\-@\t\r]")  # what a spreadsheet would take for a formula, also once it is guarded


def replay_object(entry: Entry) -> dict[str, Any]:
    """Return what ``bazzi replay --json`` prints, with ``match`` and ``started`` (strings or null) before it."""
    return {"match": entry.match, "started": entry.started(), **_match(entry).result()}


def as_json(entries: list[Entry], single: bool) -> bytes:
    """Return the replay object of the one match, or a list of them."""
    found = [replay_object(entry) for entry in entries]
    return json.dumps(found[0] if single else found, indent=1).encode("ascii") + b"\n"


def _match(entry: Entry) -> Any:
    try:
        return entry.replay()
    except LogError as error:
        raise InputError(f"match {entry.id} cannot be reckoned: {error}") from None


# -- CSV -------------------------------------------------------------------------------------


def guard(name: str) -> str:
    """Return a name for a cell: one that a spreadsheet would take for a formula gets an apostrophe before it."""
    return "'" + name if _FORMULA.match(name) else name


def unguard(cell: str) -> str:
    """Return the name that ``guard`` made a cell of."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def as_csv(entries: list[Entry], delimiter: str = ",", bom: bool = False) -> bytes:
    """Return one row for each row of the sheets, UTF-8, lines ended by CR LF (RFC 4180), one number in a cell.

    Matches of several games share the file: the columns of all, empty where a game has no such thing.
    """
    rows = [row for entry in entries for row in csv_rows(entry)]
    columns: dict[str, None] = {}
    for row in rows or [{}]:
        columns.update(dict.fromkeys(row or COMMON))
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), restval="", delimiter=delimiter, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return (b"\xef\xbb\xbf" if bom else b"") + text.getvalue().encode("utf-8", "backslashreplace")


COMMON = ("match", "game", "date", "started", "over", "winner", "kind", "deal", "dealer", "thrown_in")


def csv_rows(entry: Entry) -> list[dict[str, Any]]:
    """Return the rows of a match's sheet as columns and values; a match without a deal has one row without kind."""
    sheet = Sheet(_match(entry))
    rules = sheet.rules
    time = moment(entry.started())
    owners = ("A", "B")[: rules.SIDES] or rules.SEAT_WORDS[: rules.seats]
    head: dict[str, Any] = dict.fromkeys(COMMON, "")
    head["match"] = guard(entry.id)
    head["game"] = rules.GAME
    if time:
        head["date"] = time.date().isoformat()
        head["started"] = time.isoformat()
    head["over"] = int(rules.over)
    head["winner"] = " ".join(rules.winner() or ())
    names = {f"name_{word}": guard(name) for word, name in zip(rules.SEAT_WORDS, sheet.names, strict=False)}
    rows = [{**head, **names, **_columns(row, sheet, owners)} for row in sheet.rows]
    return rows or [{**head, **names}]


def _columns(row: Row, sheet: Sheet, owners: tuple[str, ...]) -> dict[str, Any]:
    rules = sheet.rules
    found: dict[str, Any] = {"kind": row.kind, "deal": row.n}
    found["dealer"] = rules.SEAT_WORDS[row.dealer] if row.dealer >= 0 else ""
    found["thrown_in"] = rules.VOIDS[row.void] if row.kind == VOID else ""
    for place, column in enumerate(rules.COLUMNS):
        value = row.cells[place] if row.kind == DEAL else NO_CELL
        name = column.id + (f"_{owners[column.side]}" if column.side >= 0 else "")
        if column.kind == kinds.CELL_RUN:
            found[name + "_from"], found[name + "_to"] = ("", "") if value == NO_CELL else divmod(value, RUN)
        else:
            found[name] = _value(value, column, rules, sheet)
    scores = {f"{'lead' if rules.LEAD else 'score'}_{owner}": row.figures[place] for place, owner in enumerate(owners)}
    if row.minors[0] >= 0:
        minor = sheet.words("score.minor")
        scores.update({f"{minor}_{owner}": row.minors[place] for place, owner in enumerate(owners)})
    if rules.DEALS:
        found["adjusted_side"] = owners[row.side] if row.kind == ADJUSTMENT else ""
        found["adjusted_points"] = row.points if row.kind == ADJUSTMENT else ""
    return {**found, **scores}


def _value(value: int, column: Column, rules: Rules, sheet: Sheet) -> int | str:
    """Return a cell as the log would write it: a number or a word."""
    if value == NO_CELL:
        return ""
    if column.kind == kinds.CELL_SEAT:
        return rules.SEAT_WORDS[value]
    if column.kind == kinds.CELL_SIDE:
        return "AB"[value]
    if column.kind == kinds.CELL_WORD:
        return value if value < WORD else rules.WORDS[value - WORD]
    if column.kind == kinds.CELL_TEXT:
        return sheet.words(column.texts[value])
    return value


# -- files -----------------------------------------------------------------------------------


def file_name(entry: Entry) -> str:
    """Return a name for a match's log that every file system takes."""
    return re.sub(r"[^A-Za-z0-9._~-]", "_", entry.id).lstrip(".")[:100] + ".jsonl"


def save(files: dict[Path, bytes]) -> None:
    """Write files, each whole or not at all; raises ArchiveError where the disk does not take them."""
    written: dict[Path, Path] = {}
    path = Path()
    try:
        for wanted, data in files.items():
            path = wanted
            if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
                path.write_bytes(data)
                continue
            path = path.resolve()  # what a link points to, not the link
            number, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
            written[path] = Path(name)
            with os.fdopen(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o666 & ~_umask())
        for path, temporary in written.items():
            os.replace(temporary, path)
    except OSError as error:
        for temporary in written.values():
            temporary.unlink(missing_ok=True)
        raise ArchiveError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
