"""How many presses an ordinary deal takes, played on the real application by its keys.

An answer is drawn evenly from all that the question accepts, with what is not ordinary left out: whoever
is to deal deals, no player is pressed, and of the choices beside "count" none is made. A
deal begins at the question who deals and ends when it is asked again. Where hands are marked on a grid, a
hand counts instead: 20 drawn from all that can be marked, row by row from left to right.
"""

import random
import tempfile
from collections import deque
from pathlib import Path

from keeper.blit import changed, copy
from keeper.keys import DOWN, OK, RIGHT
from keeper.panel import Panel

from shared_rules import catalog, text
from shared_rules.question import COUNT, MASK, NONE, NUMBER, SEAT, SEAT_0, SIDE, SIDE_0, Question

from ..errors import CheckError
from ..sim.box import Box
from .figures import say

PRESS_MS = 10
HAND = 20
MOST_DEALS = 40  # of a match: with answers drawn evenly the score of some games sinks for ever
STOCK_BYTES = 1025  # of a whole picture in one message
STOCK_SHOW_BYTES = 1037  # that show() of the stock driver sends, its commands included
FEW = 12  # as the asking screen: up to so many answers every arrow goes by one


class Wire:
    """A display that is always there, as ``Panel`` has it: counts the bytes that are sent to it."""

    def __init__(self) -> None:
        self.bytes = 0
        self.buffer = bytearray(STOCK_BYTES)  # as of the driver

    def open(self) -> bool:
        """The display answers."""
        return True

    def status(self) -> int:
        """The display is on."""
        return 0

    def init_display(self) -> None:
        """There is nothing to start."""

    def send(self, message: bytes) -> None:
        """Count a message."""
        self.bytes += len(message)


class Fingers:
    """Presses keys on a box and counts them; ``wire`` is a display that gets what changes."""

    def __init__(self, box: Box):
        self.box = box
        self.presses = 0
        self.total = 0
        self.keys: list[int] = []
        self.wire = Wire()
        self._panel = Panel(self.wire, self.wire, lambda: 0, copy, changed)
        self._panel.restart(box.frame())
        self.wire.bytes = 0

    def press(self, key: int, hold: bool = False) -> None:
        """Press a key, or hold it."""
        self.box.hold(1 << key)
        self.box.run(600 if hold else PRESS_MS)
        self.box.hold(0)
        self.box.run(PRESS_MS)
        self._panel.show(self.box.frame())
        self.presses += 1
        self.total += 1
        self.keys.append(key)


def shortest(question: Question, place: int, target: int) -> list[int]:
    """Return the fewest arrows from one place of a question's answers to another."""
    count = question.count()
    steps = {1: 1, 3: -1, 0: 10 if count > FEW else 1, 2: -10 if count > FEW else -1}
    found: dict[int, list[int]] = {place: []}
    queue = deque([place])
    while target not in found:
        at = queue.popleft()
        for key, by in steps.items():
            to = (at + by) % count
            if to not in found:
                found[to] = [*found[at], key]
                queue.append(to)
    return found[target]


def keys_for(box: Box, question: Question, answer: int) -> list[int]:
    """Return the keys that give an answer on the asking screen."""
    ask = box.app.ask
    if question.kind == SIDE and answer in (SIDE_0, SIDE_0 + 1):
        return [answer - SIDE_0]
    if question.kind == SIDE and question.accepts(NONE):
        return [OK]
    if answer == question.default and question.kind != NUMBER:
        return [OK]
    if question.kind == SEAT and SEAT_0 <= answer < SEAT_0 + 4:
        return [answer - SEAT_0]
    if ask.arrows_choose(question):
        return [question.place(answer)]
    return [*shortest(question, ask.place, question.place(answer)), OK]


def ordinary(question: Question, chance: random.Random) -> int:
    """Return an answer of an ordinary deal; see the module."""
    if question.accepts(COUNT):
        return COUNT
    if question.kind == SEAT:
        return question.default
    answers = [question.at(place) for place in range(question.count())]
    if question.kind == NUMBER and NONE in answers:
        answers.remove(NONE)
    return chance.choice(answers)


def header_of(game: str, first: int, **options: int | str) -> dict[str, object]:
    """Return the header of a match in which the players are called as the box suggests; ``first`` deals first."""
    seats = "NESW"
    players = [text.EN["seat." + seat] for seat in seats]
    return {"game": game, "options": options, "players": players, "dealer": seats[first % 4]}


def play(
    box: Box, fingers: Fingers, header: dict[str, object], most: int, chance: random.Random, counted: list[int]
) -> None:
    """Play one match by the keys, of so many deals at most, and add the presses of each deal to the list."""
    app = box.app
    app.begin(header)
    box.run(PRESS_MS)
    fingers.presses = 0
    session = app.session
    while app.screen is app.result or not (session.rules.over or session.rules.deals >= most):
        if app.screen is not app.ask:
            fingers.press(OK)
            if session.rules.void < 0:
                counted.append(fingers.presses)
                fingers.presses = 0
            continue
        question = session.question
        answer = ordinary(question, chance)
        steps = session.steps
        for key in keys_for(box, question, answer):
            fingers.press(key)
        if session.steps != steps + 1 or session.value(steps) != answer:
            raise CheckError(f"the keys for answer {answer} of question {question.ask} did something else")


def deals(game: str, count: int, seed: int = 1) -> tuple[list[int], float]:
    """Return the presses of at least so many ordinary deals of a game, and the bytes to the display a press.

    The presses of thrown-in deals are added to the next one's.
    """
    chance = random.Random(seed)
    counted: list[int] = []
    total = sent = 0
    while len(counted) < count:
        seed += 1
        with tempfile.TemporaryDirectory() as folder:
            box = Box(Path(folder), seed)
            fingers = Fingers(box)
            play(box, fingers, header_of(game, seed), MOST_DEALS, chance, counted)
            total += fingers.total
            sent += fingers.wire.bytes
            box.close()
    return counted, sent / total


def keys_of(header: dict[str, object], count: int, seed: int = 1) -> list[int]:
    """Return the keys of so many ordinary deals of a match, its results included."""
    with tempfile.TemporaryDirectory() as folder:
        box = Box(Path(folder), seed)
        fingers = Fingers(box)
        play(box, fingers, header, count, random.Random(seed), [])
        box.close()
        return fingers.keys


def hands(game: str, count: int, seed: int = 1) -> tuple[list[int], float]:
    """Return the presses of so many random hands marked on the grid, and the bytes to the display a press."""
    chance = random.Random(seed)
    rules = catalog.load(game)
    deck = [
        (ask, bit)
        for ask, copies in enumerate(rules.COPIES)
        if copies is not None
        for bit, many in enumerate(copies)
        for _ in range(many)
    ]
    counted: list[int] = []
    total = sent = 0
    options = {option.id: option.value(option.step(option.default, 1)) for option in rules.OPTIONS[1:]}
    while len(counted) < count:
        with tempfile.TemporaryDirectory() as folder:
            box = Box(Path(folder), seed)
            fingers = Fingers(box)
            players = list(rules.SEAT_WORDS[: rules.MAX_SEATS])
            header = {"game": game, "options": options, "players": players, "dealer": players[0]}
            box.app.begin(header)
            box.run(PRESS_MS)
            session = box.app.session
            while session.question.kind == MASK:
                first = session.question.ask
                steps = session.steps
                hand = set(chance.sample(deck, HAND))
                fingers.presses = 0
                rows = _mark(box, fingers, first, hand)
                fingers.press(OK, hold=True)
                counted.append(fingers.presses)
                for row in range(rows):
                    marks = sum(1 << bit for ask, bit in hand if ask == first + row)
                    if session.value(steps + row) != marks:
                        raise CheckError(f"row {row} of the grid was recorded as {session.value(steps + row)}")
                while box.app.screen is box.app.notice:  # a card claimed twice
                    fingers.press(OK)
            total += fingers.total
            sent += fingers.wire.bytes
            box.close()
    return counted, sent / total


def _mark(box: Box, fingers: Fingers, first: int, hand: set[tuple[int, int]]) -> int:
    """Mark a hand: down to each row that has any, then right; returns how many rows the grid has."""
    grid = box.app.ask.grid
    for row in range(grid.rows):
        bits = sorted(bit for ask, bit in hand if ask == first + row)
        if not bits:
            continue
        while grid.row != row:
            fingers.press(DOWN)
        for bit in bits:
            while grid.column != bit:
                fingers.press(RIGHT)
            fingers.press(OK)
    return grid.rows


def run(count: int) -> None:
    """Print the average presses of so many random deals, or hands, of each game."""
    for game in catalog.GAMES:
        rules = catalog.load(game)
        counted, sent = hands(game, count) if rules.COPIES else deals(game, count)
        what = "hand of 20" if rules.COPIES else "deal"
        average = sum(counted) / len(counted)
        say(f"{game}: presses a {what}, average of {len(counted):,}", average, f"at most {rules.PRESSES}")
        share = sent / STOCK_SHOW_BYTES
        say(f"{game}: bytes to the display a press, {share:.2f} of the stock driver's", sent, "at most 259", "bytes")
