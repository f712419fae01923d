"""Models and readers for the contract tests: written for being plainly right, not for being fast."""

import copy
import json
import re
from pathlib import Path

from game_walk import SEAT_NAMES, Dice, Look, choose, random_options

from shared_rules import record
from shared_rules.question import OVER, TABLE, WORD
from shared_rules.session import ADJUST, AMEND, ANSWER, END, REDEAL, UNDO, Session

ROOT = Path(__file__).resolve().parents[2]
LOG_PAGE = (ROOT / "docs" / "LOG.md").read_text(encoding="utf-8")


def question_of(question):
    """Return all fields of a question, to be compared."""
    return tuple(getattr(question, name) for name in type(question).__slots__)


def snapshot(session):
    """Return all that can be seen of a match, to be compared."""
    look = Look()
    look.take(session)
    rules = session.rules
    return (
        look.seen(),
        question_of(session.question),
        copy.deepcopy(rules.score()),
        rules.winner(),
        (rules.dealing, rules.dealer, rules.to_deal, rules.void, rules.closed),
        list(session.names),
    )


class Setup:
    """A random match before its first step: game, options, seats, dealer and names."""

    def __init__(self, game, dice, codes=None, seats=0):
        self.game = game
        self.codes = random_options(game, dice) if codes is None else codes
        self.seats = seats or game.MIN_SEATS + dice.roll(game.MAX_SEATS - game.MIN_SEATS + 1)
        self.dealer = dice.roll(self.seats)
        self.names = list(SEAT_NAMES[: self.seats])

    def session(self, listener=None, sliced=False, room=64):
        """Return a session at its start."""
        rules = self.game(list(self.codes), self.seats)
        return Session(rules, self.dealer, list(self.names), listener, room, sliced)

    def header(self):
        """Return the first line of the match's log."""
        options = {}
        for option, code in zip(self.game.OPTIONS, self.codes, strict=True):
            if code != option.default:
                options[option.id] = option.value(code)
        dealer = self.game.SEAT_WORDS[self.dealer]
        return {
            "log": "bazzi/1",
            "game": self.game.GAME,
            "options": options,
            "players": self.names,
            "dealer": dealer,
        }


class Model:
    """A match as a list of standing steps, played from scratch whenever somebody wants to know something.

    A step is ("answer", ask, value), ("amend", place, value), ("redeal",), ("adjust", side, points),
    ("name", seat, name) or ("end",).
    """

    def __init__(self, setup):
        self.setup = setup
        self.steps = []

    def play(self, steps, listener=None):
        """Return a fresh session after the steps, and the place of the first that is refused, or -1."""
        values = [step[2] if step[0] == "answer" else None for step in steps]
        for step in steps:
            if step[0] == "amend":
                values[step[1]] = step[2]
        session = self.setup.session(listener)
        for place, step in enumerate(steps):
            if not self._make(session, step, values[place]):
                return session, place
        return session, -1

    @staticmethod
    def _make(session, step, value):
        if step[0] == "answer":
            return session.question.ask == step[1] and session.answer(value)
        if step[0] == "redeal":
            return session.redeal()
        if step[0] == "adjust":
            return session.adjust(step[1], step[2])
        if step[0] == "name":
            return session.rename(step[1], step[2])
        if step[0] == "end":
            return session.end()
        return True

    def now(self):
        """Return the snapshot of the match as it stands."""
        session, refused = self.play(self.steps)
        assert refused < 0
        return snapshot(session)

    def answers(self):
        """Return the places of the standing answers."""
        return [place for place, step in enumerate(self.steps) if step[0] == "answer"]


class Walk:
    """A session and its model side by side, with the log and the records of everything that was done."""

    def __init__(self, game, seed, codes=None, seats=0, sliced=False):
        self.dice = Dice(seed)
        self.setup = Setup(game, self.dice, codes, seats)
        self.session = self.setup.session(sliced=sliced)
        self.model = Model(self.setup)
        self.log = [self.setup.header()]
        self.records = bytearray()
        self.t = 0

    # -- steps, of which all that are taken come into the log and the records ----------------------

    def answer(self, answer):
        """Answer the question; returns whether it was taken."""
        session = self.session
        ask, seat = session.question.ask, session.question.seat
        if not session.answer(answer):
            return False
        self.model.steps.append(("answer", ask, answer))
        rules = session.rules
        who = "table" if seat == TABLE else rules.SEAT_WORDS[seat]
        self.t += self.dice.roll(100)
        self._note({"ask": rules.QUESTIONS[ask], "seat": who, "answer": rules.word(answer), "t": self.t})
        self._record(ANSWER, ask, seat, answer)
        return True

    def redeal(self):
        """Throw the deal in."""
        if not self.session.redeal():
            return False
        self.model.steps.append(("redeal",))
        self._note({"do": "redeal"})
        self._record(REDEAL)
        return True

    def adjust(self, side, points):
        """Correct a score."""
        if not self.session.adjust(side, points):
            return False
        self.model.steps.append(("adjust", side, points))
        self._note({"do": "adjust", "side": "AB"[side], "points": points})
        self._record(ADJUST, side, 255, points)
        return True

    def rename(self, seat, name):
        """Call a player by another name."""
        if not self.session.rename(seat, name):
            return False
        self.model.steps.append(("name", seat, name))
        self._note({"do": "name", "seat": self.session.rules.SEAT_WORDS[seat], "name": name})
        start = 0
        while start >= 0:
            at = len(self.records)
            self.records.extend(bytes(record.SIZE))
            start = record.pack_name(self.records, at, 1, at // record.SIZE, seat, name.encode(), start)
        return True

    def end(self):
        """Stop the match."""
        if not self.session.end():
            return False
        self.model.steps.append(("end",))
        self._note({"do": "end"})
        self._record(END)
        return True

    def undo(self):
        """Take the last step back."""
        if not self.session.undo():
            return False
        self.model.steps.pop()
        self._note({"do": "undo"})
        self._record(UNDO)
        return True

    def amend(self, place, answer):
        """Replace the answer of a standing step."""
        session = self.session
        target = session.target(place)
        ask = session.ask(place)
        if not session.amend(place, answer):
            return False
        self.model.steps.append(("amend", place, answer))
        self._note({"do": "amend", "line": target + 2, "answer": word_of(session.rules, answer)})
        self._record(AMEND, ask, 255, answer, target)
        return True

    def _note(self, line):
        self.log.append(line)

    def _record(self, kind, ask=0, seat=255, value=0, target=0):
        at = len(self.records)
        self.records.extend(bytes(record.SIZE))
        record.pack(self.records, at, kind, 1, at // record.SIZE, ask, seat, value, target, self.t)

    # -- random steps -------------------------------------------------------------------------------

    def random_step(self, also=True):
        """Make one random step; ``also``: now and then another than an answer."""
        dice = self.dice
        session = self.session
        throw = dice.roll(40) if also else 20
        if throw == 0:
            self.undo()
        elif throw == 1:
            self.redeal()
        elif throw == 2:
            self.adjust(dice.roll(2), dice.roll(120) - 60)
        elif throw == 3:
            self.rename(dice.roll(self.setup.seats), NAMES[dice.roll(len(NAMES))])
        elif throw == 4 and self.model.steps:
            places = self.model.answers()
            if places:
                self.amend(places[dice.roll(len(places))], self.any_answer())
        elif session.question.kind != OVER:
            assert self.answer(choose(session.question, dice))

    def any_answer(self):
        """Return an integer that is an answer to some question of the game, more or less."""
        dice = self.dice
        if dice.roll(2):
            return WORD + dice.roll(len(self.setup.game.WORDS) + 1)
        return dice.roll(16) if dice.roll(2) else dice.roll(120)

    def text(self):
        """Return the log as bytes, a line a step: the step of a line is its number less two."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.log).encode()


NAMES = ("Eva", "", "Jürgen", "प्रिया", "Bob 🐺", "Maximilian-Alexander von", "12345678", "123456789", "a\\\"b'", "王")


def word_of(rules, answer):
    """Return an answer as the log writes it; an integer that is none stays one."""
    return answer if answer < WORD or answer - WORD >= len(rules.WORDS) else rules.WORDS[answer - WORD]


# -- LOG.md, read for what it says of any game ------------------------------------------------------


def _rows(heading):
    """Return the cells of the rows of the table of LOG.md that has this heading."""
    rows = []
    inside = False
    for line in LOG_PAGE.splitlines():
        if line.startswith(heading):
            inside = True
        elif inside and line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif inside:
            break
    return rows


def log_options(game):
    """Return id -> (default as LOG.md writes it, whether it changes only what the table is told)."""
    found = {}
    for cells in _rows("| game | option = default"):
        if cells[0] == game:
            for item in cells[1].split(";"):
                id, default = re.match(r"\s*`(\w+)` = \"?(\w+)", item).groups()
                found[id] = (default, "¹" in item)
    return found


def log_answers(game):
    """Return question id -> the words of its answers in LOG.md's order."""
    found = {}
    current = ""
    for cells in _rows("| game | question | asked of"):
        current = cells[0] or current
        if current == game:
            words = list(dict.fromkeys(re.findall(r"`(\w+)`", cells[3])))
            for id in re.findall(r"`(\w+)`", cells[1]):
                found[id] = words
    return found
