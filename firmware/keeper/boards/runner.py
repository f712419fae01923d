"""Runs the application on a board: its start, its faults, the laptop's interruption."""

import gc

from keeper.app import App
from keeper.journal import Journal
from keeper.settings import Settings

STEP_MS = 2  # waited between two steps

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
            _play(board, app)
        except Exception as error:
            broken = error
        finally:
            # Closed as they are: what was acknowledged is on the disk, and the next start finds it.
            journal._shut()
        app = journal = None
        gc.collect()
        fault = _reason(board, broken)  # now that there is room


def _reason(board, error):
    """Return a fault in words."""
    from keeper.boards import reason

    fault = reason.reason(error)
    board.forget("keeper.boards.reason")
    return fault


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
    board.forget("keeper.screens.fault")


def _play(board, app):
    """Run the application until something happens to it.

    Memory is tidied, which takes 20 ms, after much was loaded, while no key is touched, and else only where
    it is used up. A gc.threshold would be reached within presses: MicroPython counts the frames of larger
    functions, too, though it gives them back at once.
    """
    step = app.step
    now_ms = board.now_ms
    idle = board.idle
    rests = board.rests
    step(now_ms())  # the first picture before anything else; a start has room enough, and tidying takes 20 ms
    gc.collect()
    while True:
        step(now_ms())
        idle(0 if app.sending else STEP_MS)
        if rests():
            gc.collect()
