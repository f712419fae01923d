"""What the commands share: the options they have in common, and output for people and for programs."""

import json
import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

# Control characters, line separators and marks that turn the direction of writing: a name may not steer a terminal.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """Return text with control characters as escapes, so that it is one line and cannot steer a terminal."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def plain(text: str) -> str:
    """Return a name or another text from outside as it may be shown; see ``one_line``."""
    return one_line(text).encode("utf-8", "backslashreplace").decode()


def write(data: bytes) -> None:
    """Write bytes to standard output, the same in every locale."""
    if sys.stdout is None:  # closed by the caller
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_json(value: Any) -> None:
    """Write one JSON value and a newline to standard output, in ASCII, so that no locale can spoil it."""
    write(json.dumps(value).encode("ascii") + b"\n")


def console() -> "Console":
    """Return a rich console on standard output for text that never is markup."""
    from rich.console import Console

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # instead of an exit; cli.main knows what to do with it

    return Quiet(highlight=False, markup=False, emoji=False)


def fit_streams() -> None:
    """Let standard output show what its encoding has no character for as an escape instead of failing."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Throw away what is still buffered for standard output: nobody can take it any more."""
    try:
        target = sys.stdout.fileno()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, target)
        os.close(null)
    except (AttributeError, OSError, ValueError):  # no real file behind it
        pass


def complain(message: str) -> None:
    """Write one line to standard error, file names byte for byte as they were given."""
    stream = sys.stderr
    if stream is None:
        return
    line = one_line(message) + "\n"
    encoding = stream.encoding or "utf-8"
    try:
        raw = line.encode(encoding, "surrogateescape")
    except UnicodeEncodeError:
        raw = line.encode(encoding, "backslashreplace")
    try:
        stream.flush()
        stream.buffer.write(raw)
        stream.flush()
    except OSError:
        pass


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--json`` to a command; its parameter is ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")(command)


def archive_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--archive`` to a command; its parameter ``archive`` is a path, or None for the usual place."""
    return click.option(
        "--archive",
        type=click.Path(),
        envvar="BAZZI_ARCHIVE",
        show_envvar=True,
        help="The archive file, instead of the one in your data folder.",
    )(command)
