"""The demonstration: play under MicroPython, sync over a pseudo-terminal, show the sheet."""

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

import shared_rules

from ..errors import CheckError
from .box import AnyBox
from .micro import MicroBox, interpreter
from .picture import COLUMNS, braille, framed, half_blocks
from .script import Script

PAUSE_S = 0.7


class Show:
    """Shows each screen when it differs from the one before."""

    def __init__(self, box: AnyBox, quiet: bool, slow: bool):
        self._box = box
        self._quiet = quiet
        self._slow = slow
        self._wide = sys.stdout.isatty() and shutil.get_terminal_size().columns >= COLUMNS + 2
        self._last = b""
        self.screens = 0

    def watch(self, command: str) -> None:
        """Show the screen after a command of the script."""
        if command.startswith("note "):
            click.secho(f"\n{command[5:]}", bold=True)
            return
        frame = self._box.frame()
        if frame == self._last:
            return
        self._last = frame
        self.screens += 1
        if self._quiet:
            return
        click.echo(f"{command}:" if command.startswith(("press", "hold")) else "")
        for line in framed(half_blocks(frame)) if self._wide else braille(frame):
            click.echo(line)
        if self._slow:
            time.sleep(PAUSE_S)


def script_of(game: str) -> Path:
    """Return the file with a game's demonstration."""
    return Path(shared_rules.__file__).parent / "demos" / f"{game}.txt"


@contextmanager
def _box(folder: Path) -> Iterator[tuple[AnyBox, str]]:
    """Give a box and the port of its serial line: under MicroPython where there is one."""
    if interpreter():
        box = MicroBox(folder)
        try:
            yield box, box.port
        finally:
            box.close()
        return
    from .served import ServedBox

    click.echo("There is no MicroPython for this machine on PyPI: the box runs under CPython.")
    with ServedBox(folder) as served:
        yield served, served.port


def run(game: str, folder: Path, quiet: bool, slow: bool) -> None:
    """Play the demonstration of a game in a folder of its own; raises CheckError where it goes wrong."""
    from ..archive import Archive
    from ..sheets import print_sheet
    from ..sync import sync_box
    from ..terminal import console

    script_file = script_of(game)
    archive_file = folder / "archive.sqlite"
    with _box(folder / "box") as (box, port):
        show = Show(box, quiet, slow)
        script = Script(box, script_file.name, show.watch)
        script.run(script_file.read_text(encoding="utf-8").splitlines())
        click.secho(f"\n{script.presses} presses, {show.screens} screens. Now the laptop: sync over {port}", bold=True)
        with Archive(archive_file, create=True) as archive:
            sync_box(port, archive)
            entries = archive.entries()
            if len(entries) != 1:
                raise CheckError(f"demo: {len(entries)} matches came over, one was played")
            click.echo()
            print_sheet(entries[0].replay(), console())
