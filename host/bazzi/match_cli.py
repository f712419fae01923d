"""The commands about matches that are in the archive or in a file: replay, matches, show, export, import, forget."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import InputError
from .replay import LogError, Match, read, read_file
from .terminal import archive_option, console, json_option, plain, write, write_json

if TYPE_CHECKING:
    from .archive import Archive, Entry

FORMATS = ("jsonl", "json", "csv")


def _open(path: str | None, create: bool = False) -> "Archive":
    """Open the archive; imported here, so that 'bazzi replay' starts without a database."""
    from .archive import Archive

    return Archive(path, create)


def _complete_match(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    try:
        with _open(context.params.get("archive")) as archive:
            return [entry.id for entry in archive.entries() if entry.id.startswith(begun)]
    except Exception:  # a shell that completes has nowhere to show what is wrong
        return []


def _read(name: str) -> bytes:
    """Return the bytes of a log file, or of standard input for ``-``."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{name}: cannot be read: {reason.lower()}") from None


def _print_sheet(match: Match) -> None:
    from .sheets import print_sheet

    print_sheet(match, console())


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@json_option
def replay(file: str, as_json: bool) -> None:
    """Reckon the match of a log FILE and print its score sheet.

    FILE is a match log (JSON Lines, see docs/LOG.md), as 'bazzi export' writes it; - reads standard input.
    With --json one object is printed: score, deals, what is asked now, who won.

    A line that the rules do not allow: nothing is printed, FILE:LINE and what was possible go to standard
    error, and the exit code is 2.
    """
    match = read(_read(file), file) if file == "-" else read_file(Path(file), file)
    if as_json:
        write_json(match.result())
    else:
        _print_sheet(match)


def _listed(entry: "Entry") -> dict[str, Any]:
    """Return a match of the archive as ``bazzi matches --json`` gives it."""
    return {
        "number": entry.number,
        "id": entry.id,
        "match": entry.match,
        "device": entry.device,
        "started": entry.started(),
        "stored": entry.stored,
        "changed": entry.changed,
        "complete": entry.complete,
        **entry.summary,
    }


@click.command()
@json_option
@archive_option
def matches(as_json: bool, archive: str | None) -> None:
    """List the matches in the archive, the newest last.

    The number, the id, or the beginning of an id names a match for the other commands. The date is the day where
    the match was played; it is blank where the box did not know the time.
    """
    with _open(archive) as opened:
        entries = opened.entries()
        path = opened.path
    if as_json:
        write_json([_listed(entry) for entry in entries])
    elif entries:
        _print_list(entries)
    else:
        write(f"No matches in {plain(str(path))} yet; 'bazzi sync' and 'bazzi import' put some there.\n".encode())


def _print_list(entries: "list[Entry]") -> None:
    from rich.table import Table
    from rich.text import Text

    from .sheets import moment

    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    for heading in ("id", "date", "game", "players"):
        table.add_column(heading, no_wrap=heading in ("date", "game"), overflow="fold")
    table.add_column("deals", justify="right")
    table.add_column("result", overflow="fold")
    for entry in entries:
        time = moment(entry.started())
        game, players, result = _words(entry)
        deals = entry.summary["deals"]
        day = f"{time:%Y-%m-%d}" if time else ""
        cells = (str(entry.number), plain(entry.id), day, game, players, "" if deals is None else str(deals), result)
        table.add_row(*[Text(cell) for cell in cells])
    console().print(table)


def _words(entry: "Entry") -> tuple[str, str, str]:
    """Return game, players and result of a match in words."""
    from shared_rules import catalog, text

    from .sheets import Labels

    summary = entry.summary
    if summary["trouble"]:
        return plain(str(summary["game"] or "?")), "", plain("cannot be reckoned: " + summary["trouble"])
    rules = catalog.load(summary["game"])
    labels = Labels(rules, summary["players"], 16)
    words = ("A", "B") if rules.SIDES else rules.SEAT_WORDS
    winners = [labels.owners[words.index(word)] for word in summary["winner"] or ()]
    if not summary["over"]:
        result = "not over"
    elif not winners:
        result = "no winner"
    else:
        result = ("won by " if len(winners) == 1 else "shared by ") + " and ".join(winners)
    return text.EN["game." + summary["game"]], (" - " if rules.SIDES else ", ").join(labels.owners), result


@click.command()
@click.argument("match", shell_complete=_complete_match)
@json_option
@archive_option
def show(match: str, as_json: bool, archive: str | None) -> None:
    """Print the score sheet of a MATCH in the archive.

    MATCH is an id, the beginning of one, a number of 'bazzi matches', or 'last'.
    """
    with _open(archive) as opened:
        entry = opened.find(match)
    try:
        found = entry.replay()
    except LogError as error:
        raise InputError(f"match {entry.id} cannot be reckoned: {error}") from None
    if as_json:
        from .export import replay_object

        write_json(replay_object(entry))
    else:
        _print_sheet(found)


@click.command()
@click.argument("match", nargs=-1, shell_complete=_complete_match)
@click.option("--format", "form", type=click.Choice(FORMATS), default="jsonl", show_default=True, help="What to write.")
@click.option("--out", type=click.Path(), help="A file, or a folder for several logs; else standard output.")
@click.option("--delimiter", default=",", show_default=True, help="Between the cells of csv; 'tab' for a tab.")
@click.option("--bom", is_flag=True, help="Begin csv with a byte order mark, which Excel needs to read names rightly.")
@archive_option
def export(match: tuple[str, ...], form: str, out: str | None, delimiter: str, bom: bool, archive: str | None) -> None:
    """Write matches (all, without MATCH) for other programs.

    \b
    jsonl  the log as 'bazzi replay' and 'bazzi import' read it, one match a file:
           several matches need --out FOLDER
    json   what 'bazzi replay --json' prints, with match and started: one object
           for one MATCH, a list for several or none
    csv    a row for each deal with the running score, one number in a cell;
           UTF-8 without a byte order mark. A name that a spreadsheet would take
           for a formula gets an apostrophe before it.

    MATCH is an id, the beginning of one, a number of 'bazzi matches', or 'last'. A file is written whole or not at
    all, and replaces one that was there.
    """
    delimiter = "\t" if delimiter == "tab" else delimiter
    if len(delimiter) != 1 or (not delimiter.isprintable() and delimiter != "\t") or delimiter in "\"' ":
        raise InputError(f"--delimiter is {delimiter!r}; possible: one character such as , ; | or the word tab")
    if form != "csv" and (bom or delimiter != ","):
        raise InputError("--delimiter and --bom are for --format csv only")
    with _open(archive) as opened:
        entries = [opened.find(one) for one in match] if match else opened.entries()
        if not entries:
            raise InputError(f"no matches in {opened.path} to export")
    entries = list({entry.number: entry for entry in entries}.values())
    from . import export as files

    target = None if out is None or out == "-" else Path(out)
    if form == "jsonl":
        if len(entries) > 1 and (target is None or (target.exists() and not target.is_dir())):
            raise InputError(f"{len(entries)} logs need --out FOLDER, or name one MATCH")
        if target and (len(entries) > 1 or target.is_dir()):
            _save_folder(target, entries)
            return
        data = entries[0].log()
    elif form == "json":
        data = files.as_json(entries, single=len(match) == 1)
    else:
        data = files.as_csv(entries, delimiter, bom)
    if target is None:
        write(data)
    elif target.is_dir():
        raise InputError(f"--out {out} is a folder; possible: the name of a {form} file")
    else:
        files.save({target: data})


def _save_folder(folder: Path, entries: "list[Entry]") -> None:
    from . import export as files
    from .errors import ArchiveError

    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ArchiveError(f"{folder}: cannot be made: {(error.strerror or str(error)).lower()}") from None
    named: dict[Path, bytes] = {}
    for entry in entries:
        path = folder / files.file_name(entry)
        if path in named:  # two ids that differ only in what a file system does not take
            path = folder / f"{entry.number}-{path.name}"
        named[path] = entry.log()
    files.save(named)


@click.command("import")
@click.argument("file", nargs=-1, required=True, type=click.Path(allow_dash=True))
@json_option
@archive_option
def import_(file: tuple[str, ...], as_json: bool, archive: str | None) -> None:
    """Put match logs into the archive.

    FILE is a match log (JSON Lines), as 'bazzi export' writes it; - reads standard input. All files are checked
    first: if one is wrong, none is stored. A match that is there already is not stored twice; one that has grown is
    brought up to date; another history of the same match is kept beside it.
    """
    logs = [(name, _read(name)) for name in file]
    for name, raw in logs:
        read(raw, name)
    with _open(archive, create=True) as opened, opened.all_or_nothing():
        done = [(name, *opened.store_log(raw, name)) for name, raw in logs]
    if as_json:
        write_json([{"file": plain(name), "id": id, "result": result} for name, result, id in done])
        return
    words = {
        "new": "stored as {}",
        "longer": "{} brought up to date",
        "same": "{} was there already",
        "conflict": "differs from the match stored under its id, kept beside it as {}",
    }
    lines = [f"{plain(name)}: {words[result].format(plain(id))}\n" for name, result, id in done]
    write("".join(lines).encode())


@click.command()
@click.argument("match", shell_complete=_complete_match)
@click.option("--yes", is_flag=True, help="Do not ask.")
@archive_option
def forget(match: str, yes: bool, archive: str | None) -> None:
    """Delete a MATCH from the archive for good.

    If it is still on a box, the next 'bazzi sync' brings it again.
    """
    with _open(archive) as opened:
        entry = opened.find(match)
        game, players, result = _words(entry)
        told = f"{entry.number}  {plain(entry.id)}  {game}, {players}, {result}"
        if not yes and not click.confirm(f"Delete {told}?", default=False, err=True):
            return
        opened.forget(entry.number)
    write(f"Deleted {told}\n".encode())
