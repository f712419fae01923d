"""The commands about the line to the box: ports and sync."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import CheckError, InputError
from .terminal import archive_option, complain, json_option, plain, write, write_json

if TYPE_CHECKING:
    from .ports import Found
    from .sync import Report


def _say(text: str) -> None:
    """Tell something that is no result: on standard error, so that it is in nobody's way."""
    complain(f"bazzi: {plain(text)}")


def _print(text: str) -> None:
    write(plain(text).encode("utf-8", "backslashreplace") + b"\n")


@click.command()
@json_option
def ports(as_json: bool) -> None:
    """List the serial ports and say which is a box.

    Only ports whose USB id is one of a Pico with MicroPython are opened and asked. Where there is no box, what may
    be wrong is listed.
    """
    from .ports import CANDIDATE, Found, ask, help_text, list_ports

    found = [ask(port, tell=_say) if port.kind == CANDIDATE else Found(port) for port in list_ports()]
    if as_json:
        write_json([_port(one) for one in found])
        return
    for one in found:
        words = one.port.judgement
        if one.hello is not None:
            words = f"a box: device {one.hello.device}, bazzi {one.hello.version}"
        if one.trouble:
            words += f"; {one.trouble}"
        _print("  ".join(part for part in (one.port.name, one.port.usb, words) if part))
    if not found:
        _print("no serial ports")
    if not any(one.hello for one in found):
        _print("")
        _print("No box was found. What may be wrong:")
        for line in help_text():
            _print(f"- {line}")


def _port(found: "Found") -> dict[str, Any]:
    hello = found.hello
    return {
        "port": found.port.name,
        "usb": found.port.usb or None,
        "serial": found.port.serial or None,
        "candidate": found.port.kind == "candidate",
        "what": found.port.judgement,
        "device": hello.device if hello else None,
        "version": hello.version if hello else None,
        "trouble": found.trouble or None,
    }


def read_names(path: str) -> list[str]:
    """Return the names of a roster's file, one a line; raises InputError for those that the box would refuse."""
    from keeper.settings import MOST_NAMES, judge

    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"{path}: cannot be read: {reason.lower()}") from None
    names: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name, reason = judge(line)
        if reason:
            possible = "1 to 24 bytes of UTF-8 without control characters"
            raise InputError(f"{path}:{number}: {line!r} cannot be a name on the box; possible: {possible}")
        if name not in names:
            names.append(name)
    if len(names) > MOST_NAMES:
        raise InputError(f"{path}: {len(names)} names; possible: at most {MOST_NAMES}")
    return names


@click.command()
@click.option("--port", help="The port of the box, instead of the one that is found. 'bazzi ports' lists them.")
@click.option("--names", type=click.Path(), help="Make the names in this file, one a line, the box's roster.")
@click.option("--watch", is_flag=True, help="Then follow the match that is being played, until Ctrl-C.")
@json_option
@archive_option
def sync(port: str | None, names: str | None, watch: bool, as_json: bool, archive: str | None) -> None:
    """Fetch the matches of the box into the archive, and set its clock.

    It does not disturb a match that is being played, and can be broken off and repeated at any time: only what is
    missing is fetched. Each match is replayed before it is stored; one that the rules refuse is kept in a file
    beside the archive, and the exit code is then 6. The box marks what is stored here as fetched; only such matches
    can be deleted on it.

    With --watch and --json every event is a JSON object on a line of its own.
    """
    from .archive import Archive
    from .ports import open_box
    from .sync import progress_bar, push_names
    from .sync import sync as bring

    roster = None if names is None else read_names(names)
    with Archive(archive, create=True) as opened, open_box(port, _say) as (box, hello):
        with progress_bar() as progress:
            report = bring(box, hello, opened, progress)
        if roster is not None:
            on, off = push_names(box, roster)
            report.notes.append(f"roster: {on} names put on it, {off} taken off it, {len(roster)} are on it now")
        if as_json:
            _write_object(report_object(report), watch)
        else:
            _print_report(report)
        if watch:
            from .watch import Watcher

            try:
                Watcher(box, hello, opened).run(lambda event: _tell(event, as_json))
            except KeyboardInterrupt:
                _say("stopped watching; what was played until now is in the archive")
    raw = report.raw()
    if raw:
        files = ", ".join(one.file for one in raw)
        raise CheckError(f"{len(raw)} of {len(report.matches)} matches could not be verified; kept as {files}")


def _tell(event: dict[str, Any], as_json: bool) -> None:
    if as_json:
        _write_object(event, True)
    else:
        _print(event["text"])


def _write_object(value: dict[str, Any], line: bool) -> None:
    if line:
        write(json.dumps(value).encode("ascii") + b"\n")
    else:
        write_json(value)


def report_object(report: "Report") -> dict[str, Any]:
    """Return what ``bazzi sync --json`` prints."""
    hello = report.hello
    protocol = ".".join(str(part) for part in hello.protocol or ())
    return {
        "port": report.port,
        "device": hello.device,
        "version": hello.version,
        "protocol": protocol,
        "clock": report.clock,
        "matches": [asdict(one) for one in report.matches],
        "warnings": report.warnings,
        "notes": report.notes,
    }


WORDS = {
    "new": "new",
    "longer": "has grown",
    "conflict": "differs from the match stored under its id, kept beside it",
    "gone": "was deleted on the box meanwhile",
    "raw": "could not be verified",
}


def _print_report(report: "Report") -> None:
    for line in report.notes:
        _say(line)
    for line in report.warnings:
        _say(f"the box reports: {line}")
    for one in report.matches:
        if one.result != "same":
            trouble = f": {one.trouble}; kept as {one.file}" if one.result == "raw" else ""
            _print(f"{one.match or f'match {one.number}'}  {WORDS[one.result]}, {one.records} records{trouble}")
        if one.note:
            _say(f"{one.match or f'match {one.number}'}: {one.note}")
    new = sum(one.result == "new" for one in report.matches)
    grown = sum(one.result == "longer" for one in report.matches)
    count = len(report.matches)
    _print(
        f"Box {report.hello.device} at {report.port}: {count} {'match' if count == 1 else 'matches'}, {new} new,"
        f" {grown} grown; {report.clock}"
    )
