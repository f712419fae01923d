"""Runs the application on a board: its start, its faults, the laptop's interruption."""

import gc
import io
import sys

from keeper.app import App
from keeper.journal import Journal
from keeper.settings import Settings

STEP_MS = 2  # waited between two steps
PLACES = 3  # innermost functions that a fault is reported with
# Beside this program: a line for each name of its own, as it is here and in the sources, and where it stands for
# another one elsewhere, in which file (as a traceback has it, quotes included).
NAMES = "names.txt"

STOPPED = ("Stopped by the", "laptop.", "", "The match is", "safe.", "", "OK: go on")


def run(board):
    """Run the application. Returns when the laptop interrupts it; raises what keeps it from starting."""
    try:
        _go_on(board)
    except KeyboardInterrupt:
        board.say(STOPPED)


def _go_on(board):
    """Run the application, again and again. Raises what its beginning raises, and KeyboardInterrupt."""
    fault = ""
    while True:
        board.settings = settings = Settings(board.folder)
        settings.load()
        journal = Journal(board.folder, board.device_id, board.random_bytes, board.free_bytes)
        journal.scan()
        app = App(board, journal, settings)
        try:
            if fault:
                _show_fault(board, app, fault)
                fault = ""
            app.start()
            _play(board, app.step)
        except Exception as error:
            broken = error
        finally:
            # Closed as they are: what was acknowledged is on the disk, and the next start finds it.
            journal._shut()
        app = journal = None
        gc.collect()
        fault = reason(broken)  # now that there is room


def _show_fault(board, app, fault):
    """Show the fault until OK; the link answers meanwhile."""
    from keeper.screens.fault import FaultScreen

    screen = FaultScreen(app)
    app.fault = fault
    screen.show(fault)
    app.go(screen)
    step = app.step
    while not screen.done:
        step(board.now_ms())
        board.idle(STEP_MS)
    app.fault = ""


def _play(board, step):
    """Run the application until something happens to it.

    Memory is tidied, which takes 20 ms, while no key is touched, and else only where it is used up. A
    gc.threshold would be reached within presses: MicroPython counts the frames of larger functions, too,
    though it gives them back at once.
    """
    now_ms = board.now_ms
    idle = board.idle
    rests = board.rests
    step(now_ms())  # the first picture before anything else; a start has room enough, and tidying takes 20 ms
    gc.collect()
    while True:
        step(now_ms())
        idle(STEP_MS)
        if rests():
            gc.collect()


def reason(error):
    """Return in short what happened and where: the error, its text, and the innermost functions of the program.

    The board has no line numbers: they would take 4 KB of its memory.
    """
    trace = io.StringIO()
    sys.print_exception(error, trace)
    lines = trace.getvalue().split("\n")
    places = [line.split(", in ")[-1] for line in lines if ", in " in line]  # File "core.py", line 1, in step
    said = lines[-2].split("'")  # AttributeError: 'Page' object has no attribute 'draw'
    _use_names_of_sources((places, said), trace.getvalue())
    return "'".join(said) + " in " + " > ".join(places[-PLACES:])


def _use_names_of_sources(lists, trace):
    """Replace the names that the board has for something of ours, in lists of words (host/bazzi/rename.py)."""
    try:
        names = open(__file__[: __file__.rfind("/") + 1] + NAMES)  # noqa: SIM115
    except OSError:  # the sources themselves are running, or a build without the list
        return
    for line in names:
        entry = line.split()
        if len(entry) > 2 and entry[2] not in trace:
            continue
        for words in lists:
            for place in range(len(words)):
                if words[place] == entry[0]:
                    words[place] = entry[1]
    names.close()
