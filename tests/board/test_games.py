"""A deal of each game on the emulated board by its keys, a reset in the middle, and then ``bazzi sync`` fetches it.

After every key the picture has to be that of the application under CPython. What is on the board is
what ``bazzi install`` leaves there (tests/install/test_emulated.py compares every byte).
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from bazzi.archive import Archive
from bazzi.bench import presses
from bazzi.bench.box import BoardBox
from bazzi.emulator import INSTANT
from bazzi.sim.box import KEYS, Box

from shared_rules import catalog
from shared_rules.question import MASK

ROOT = Path(__file__).parents[2]
LOADING_MS = 1500


class Both:
    """The box on the board and the one under CPython, pressed alike."""

    def __init__(self, box: BoardBox, model: Box):
        self.box = box
        self.model = model

    def press(self, name: str, ms: float = 20) -> None:
        """Press a key on both; the pictures have to be the same afterwards."""
        self.model.hold(1 << KEYS.index(name))
        self.model.run(ms + 20)
        self.model.hold(0)
        self.model.run(40)
        self.box.press(name, ms)
        self.agree(name)

    def agree(self, after: str) -> None:
        """The board has to come to show what the model shows."""
        assert self.box.shows(bytes(self.model.frame()), 4000), (after, self.model.lines())

    def answer(self, chance: random.Random) -> None:
        """Answer the question that is asked, or mark two cards of the grid and say that it is done."""
        app = self.model.app
        question = app.session.question
        if question.kind == MASK:
            for name in ("OK", "RIGHT", "OK"):
                self.press(name)
            self.press("OK", 700)
            return
        for key in presses.keys_for(self.model, question, presses.ordinary(question, chance)):
            self.press(KEYS[key])


@pytest.mark.parametrize("game", catalog.GAMES)
def test_a_deal_a_reset_and_a_sync(image: Path, tmp_path: Path, game: str) -> None:
    chance = random.Random(game)
    model = Box(tmp_path / "model")
    with BoardBox(image, timing=INSTANT) as box:
        both = Both(box, model)
        app = model.app
        box.board.boot()
        both.agree("power-up")
        both.press("OK")
        for _ in range(catalog.GAMES.index(game)):
            both.press("DOWN")
        both.press("OK")
        if catalog.load(game).MIN_SEATS != catalog.load(game).MAX_SEATS:
            both.press("OK")  # so many players as are offered first
        while app.session is None:
            # Whoever deals first is chosen, not drawn: the two would draw differently.
            for name in ("DOWN", "DOWN", "RIGHT", "UP", "UP", "OK"):
                both.press(name)
        answers = 0
        while app.screen is not app.result:
            if app.screen is app.ask:
                both.answer(chance)
                answers += 1
            else:
                both.press("OK")  # a notice
            if answers == 2:
                answers += 1
                box.board.reset()
                box.board.run(ms=LOADING_MS)  # until then the display shows what it did before
                model.cut()
                app = model.app
                both.agree("reset")
        both.press("OK")
        with box.board.serving() as server:
            command = [sys.executable, "-m", "bazzi", "sync", "--port", server.path]
            environment = {
                **os.environ,
                "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("host", "firmware", "")),
                "XDG_DATA_HOME": str(tmp_path),
                "BAZZI_ARCHIVE": str(tmp_path / "archive.sqlite3"),
                "BAZZI_PATIENCE": "50",
            }
            done = subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
            )
        assert done.returncode == 0, done.stderr
        with Archive(tmp_path / "archive.sqlite3") as archive:
            (entry,) = archive.entries()
            assert entry.summary["game"] == game and entry.records == app.entry.records
            session = app.session
            answers = [json.loads(line)["answer"] for line in entry.lines()]
            assert answers == [session.rules.word(session.value(step)) for step in range(session.steps)]
