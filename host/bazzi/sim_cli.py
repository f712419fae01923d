"""The commands ``bazzi demo`` and ``bazzi sim``: the box without a box."""

import tempfile
from pathlib import Path

import click

from shared_rules import catalog

from .errors import ArchiveError, InputError


@click.command()
@click.argument("game", required=False, type=click.Choice(catalog.GAMES), metavar="[GAME]")
@click.option("--quiet", is_flag=True, help="Do not show the screens.")
@click.option("--slow", is_flag=True, help="Wait a moment at each screen, for a person to read it.")
def demo(game: str | None, quiet: bool, slow: bool) -> None:
    """Play a short match without a box, sync it, and show its score sheet.

    The real application runs under the real MicroPython interpreter and is played by scripted key
    presses; its screens are shown as they change; the log comes over a pseudo-terminal. GAME is one of
    those the box keeps (default: the first). Nothing is left behind.
    """
    from .sim.demo import run

    with tempfile.TemporaryDirectory(prefix="bazzi-demo-") as folder:
        run(game or catalog.GAMES[0], Path(folder), quiet, slow)


@click.command()
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="Where the box keeps its matches.")
@click.option("--link", is_flag=True, help="Offer a pseudo-terminal to sync from.")
@click.option("--script", "script_file", type=click.Path(path_type=Path), help="Run a script instead of the keyboard.")
@click.option("--micropython", is_flag=True, help="With --script: run under the MicroPython interpreter.")
@click.option("--board", is_flag=True, help="An emulated Pico with real firmware (image in BAZZI_UF2).")
@click.option("--seed", type=int, default=1, show_default=True, help="With --script: for what is drawn by lot.")
def sim(folder: Path | None, link: bool, script_file: Path | None, micropython: bool, board: bool, seed: int) -> None:
    """Run the box in this terminal, or by a script.

    Arrow keys are arrows, Enter is OK, Backspace is BACK, o and b hold them, q quits. A script has a
    command a line: press KEY..., hold KEY, wait MS, expect TEXT, refuse TEXT, marked TEXT, shot FILE.png,
    cut (the power), note TEXT. It exits with 6 where something expected is not there.
    """
    if board:
        from .sim.emulated import play as play_board

        play_board(folder, script_file)
    elif script_file is not None:
        _run_script(folder, script_file, micropython, seed)
    else:
        from .sim.terminal import play

        play(folder, link)


def _run_script(folder: Path | None, script_file: Path, micropython: bool, seed: int) -> None:
    from .sim.box import Box
    from .sim.micro import MicroBox
    from .sim.script import Script

    try:
        lines = script_file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror.lower() if isinstance(error, OSError) and error.strerror else "not UTF-8"
        raise InputError(f"{script_file}: cannot be read: {reason}") from None
    with tempfile.TemporaryDirectory(prefix="bazzi-sim-") as scratch:
        place = folder or Path(scratch)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArchiveError(f"{place}: cannot be made: {(error.strerror or str(error)).lower()}") from None
        box = MicroBox(place, seed) if micropython else Box(place, seed)
        try:
            script = Script(box, str(script_file))
            script.run(lines)
        finally:
            box.close()
    click.echo(f"{script_file}: all {len(lines)} lines hold, {script.presses} presses")
