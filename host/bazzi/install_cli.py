"""The commands that put Bazzi on a box, look after it, and set it up: install, doctor, settings."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from .errors import CheckError, InputError, PortError
from .terminal import archive_option, complain, json_option, plain, write, write_json

if TYPE_CHECKING:
    from .doctor import Finding
    from .install import Progress

port_option = click.option(
    "--port", help="The port of the board, instead of the one that is found. 'bazzi ports' lists them."
)


def _say(text: str) -> None:
    """Tell something that is no result: on standard error."""
    complain(f"bazzi: {plain(text)}")


def _print(text: str) -> None:
    write(plain(text).encode("utf-8", "backslashreplace") + b"\n")


@contextmanager
def _progress_bar() -> Iterator["Progress"]:
    """Show how much was copied, on standard error; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    shown = Console(stderr=True)
    columns = (TextColumn("copying"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=shown, disable=not shown.is_terminal) as bar:
        task = bar.add_task("", total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=True)


@click.command()
@port_option
@click.option("--yes", is_flag=True, help="Answer all questions with yes.")
@archive_option
def install(port: str | None, yes: bool, archive: str | None) -> None:
    """Put Bazzi on the board that is plugged in, or bring it up to date.

    Matches that are not in the archive yet are fetched first, and stay on the box. The program on the box is stopped
    meanwhile; a match that is being played goes on afterwards where it was. Only what differs is copied. It can be
    broken off at any time, by the cable too: the box then starts with the old version or the new one, and running this
    again goes on.
    """
    from .install import install as put
    from .plugged import choose

    with _progress_bar() as progress:
        result = put(choose(port), archive, _say, lambda question: yes or click.confirm(question, err=True), progress)
    if result.was_current:
        _print(f"Bazzi {result.version} runs at {result.port}: up to date, nothing was copied.")
        return
    removed = f", removed {', '.join(result.removed)}" if result.removed else ""
    copied = len(result.copied)
    _print(
        f"Bazzi {result.version} runs at {result.port}: copied {copied} {'file' if copied == 1 else 'files'},"
        f" {result.kept} were there{removed}."
    )


@click.command()
@port_option
@json_option
def doctor(port: str | None, as_json: bool) -> None:
    """Say what is wrong with a board, its port or what is installed on it, and what to do.

    The program on the box is stopped for some seconds and started again; a match goes on where it was. The exit code
    is 0 when all is well, 6 when something was found, 3 when there is no port.
    """
    from .doctor import examine

    name, findings = examine(port, _say)
    wrong = [one for one in findings if not one.ok]
    if as_json:
        write_json({"port": name or None, "ok": not wrong, "findings": [_finding(one) for one in findings]})
    else:
        for one in findings:
            _print(f"{'ok   ' if one.ok else 'WRONG'} {one.topic}: {one.text}")
            if one.do:
                _print(f"      {'do' if not one.ok else 'note'}: {one.do}")
    if not name:
        raise PortError("no board found; what may be wrong is listed above")
    if wrong:
        raise CheckError(f"{name}: {len(wrong)} of {len(findings)} checks found something: {_topics(wrong)}")


def _topics(findings: "list[Finding]") -> str:
    return ", ".join(dict.fromkeys(one.topic for one in findings))


def _finding(one: "Finding") -> dict[str, Any]:
    return {"topic": one.topic, "ok": one.ok, "text": one.text, "do": one.do or None}


@click.command()
@port_option
@click.argument("id", required=False)
@click.argument("value", required=False)
@json_option
def settings(port: str | None, id: str | None, value: str | None, as_json: bool) -> None:
    """List the box's settings, show one (ID), or change one (ID VALUE).

    A change holds at once and stays, also on a display that cannot be read:

    \b
    bazzi settings display sh1106     a picture that is shifted or has noise at its edge
    bazzi settings column_offset 2    another shift
    bazzi settings flip on            a picture that stands on its head

    The roster of names is brought by 'bazzi sync --names'.
    """
    from .ports import open_box

    with open_box(port, _say) as (box, _):
        there = box.settings()
        if id is not None and id not in there:
            raise InputError(f"{id}: the box has no such setting; possible: {', '.join(there)}")
        if id is not None and value is not None:
            _change(box, id, value)
            there = box.settings()
    shown = there if id is None else {id: there[id]}
    if as_json:
        write_json([{"id": one, "value": now, "possible": _possible(one)} for one, now in shown.items()])
    elif id is not None:
        _print(shown[id])
    else:
        widest, most = max(map(len, shown)), max(map(len, shown.values()))
        for one, now in shown.items():
            _print(f"{one:{widest}}  {now:{most}}  {_possible(one) or ''}".rstrip())


def _possible(id: str) -> str | None:
    """Return in words what a setting can be, None where this laptop does not know it."""
    from keeper.settings import TABLE

    for option in TABLE:
        if option.id == id:
            if option.values is not None:
                return ", ".join(str(choice) for choice in option.values)
            return f"{option.lo} to {option.hi}"
    return None


def _change(box: Any, id: str, value: str) -> None:
    from .line import Refused

    if not value or not value.isascii() or any(sign.isspace() for sign in value):
        raise InputError(f"{id}: {value!r} is no value; possible: {_possible(id)}")
    try:
        box.set(id, value)
    except Refused as error:
        if error.word != "value":
            raise
        raise InputError(f"{id}: {value!r} is no value; possible: {_possible(id) or 'see the box'}") from None
