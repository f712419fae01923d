"""The command ``bazzi bench``: figures beside what is aimed at."""

import click

from shared_rules import catalog

WHAT = ("presses", "log", "memory", "disk", "board")


@click.command()
@click.argument("what", nargs=-1, type=click.Choice(WHAT))
@click.option("--deals", default=1000, show_default=True, help="For presses: so many random deals of each game.")
@click.option("--image", type=click.Path(), help="For board: the firmware image (default: BAZZI_UF2).")
def bench(what: tuple[str, ...], deals: int, image: str | None) -> None:
    """Measure speed, memory, presses and wear, and print each figure beside its aim.

    WHAT is any of presses, log, memory, disk, board (an emulated Pico; needs a firmware image).
    Default: all but board.
    """
    for name in what or WHAT[:-1]:
        click.secho(f"{name}", bold=True)
        if name == "presses":
            from .bench import presses

            presses.run(deals)
        elif name == "log":
            from .bench import log

            log.run(catalog.GAMES[0])
        elif name == "memory":
            from .bench import memory

            memory.sizes()
            memory.loaded()
            memory.in_play()
        elif name == "disk":
            from .bench import disk

            disk.run()
        else:
            from .bench import board, cable
            from .emulator import firmware_path

            path = str(firmware_path(image))
            board.run(path)
            cable.run(path)
