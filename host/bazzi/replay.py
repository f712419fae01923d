"""Reading a match log (docs/LOG.md) and reckoning the match from it.

Lines are checked one by one, and the first one that is not legal is the one reported.
"""

import json
from pathlib import Path
from typing import Any, NoReturn

from shared_rules import catalog
from shared_rules.question import NO_ASK, OVER, TABLE, WORD, Question
from shared_rules.rules import Rules
from shared_rules.session import ADJUST, ANSWER, MOST_LINES, Listener, Session

from .errors import InputError

LOG = "bazzi/1"
MISSING = object()
MOST_DIGITS = 4000  # CPython refuses to convert more; what is longer is beyond every range there is
BEYOND = 10**30


class LogError(InputError):
    """A line of a log is wrong: ``FILE:LINE: what is wrong and what was possible``."""

    def __init__(self, name: str, line: int, message: str):
        super().__init__(f"{name}:{line}: {message}")
        self.line = line


class StepError(Exception):
    """A step is not possible; the text says why and what was. Becomes a LogError with its line."""


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _long_integer(digits: str) -> int:
    if len(digits) <= MOST_DIGITS:
        return int(digits)
    return -BEYOND if digits.startswith("-") else BEYOND


_decode = json.JSONDecoder(parse_constant=_constant).decode
_decode_long = json.JSONDecoder(parse_constant=_constant, parse_int=_long_integer).decode


def parse(raw: bytes) -> dict[str, Any]:
    """Return the JSON object on one line; raises StepError."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StepError(f"not UTF-8 (byte {error.start + 1} of the line)") from None
    try:
        value = _decode(text)
    except json.JSONDecodeError as error:
        raise StepError(f"not JSON: {error.msg.lower().removesuffix(' at')} at column {error.colno}") from None
    except RecursionError:
        raise StepError("not a log line: nested too deeply") from None
    except ValueError as error:
        if "limit" not in str(error):
            raise StepError(f"not JSON: {error}") from None
        value = _decode_long(text)
    if type(value) is not dict:
        raise StepError("not a JSON object")
    return value


def listed(values: Any) -> str:
    """Return values as they are written in a log, for a message."""
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


def shown(value: Any) -> str:
    """Return a value of a log for a message, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Header:
    """The first line of a log.

    game, options   the Rules class, and the code of each of its options
    players         the names at the start
    dealer          the seat that is to deal first, 0..
    match, started  the match's id and start as the log gives them, or None
    """

    def __init__(self, line: dict[str, Any]):
        if line.get("log") != LOG:
            raise StepError(f'"log" is {shown(line.get("log"))}; possible: {listed([LOG])}')
        game = line.get("game")
        if type(game) is not str or game not in catalog.GAMES:
            raise StepError(f'"game" is {shown(game)}; possible: {listed(catalog.GAMES)}')
        self.game: type[Rules] = catalog.load(game)
        self.options = read_options(self.game, line.get("options"))
        self.players = self._players(line.get("players"))
        seats = self.game.SEAT_WORDS[: len(self.players)]
        dealer = line.get("dealer")
        if type(dealer) is not str or dealer not in seats:
            raise StepError(f'"dealer" is {shown(dealer)}; possible: {listed(seats)}')
        self.dealer = seats.index(dealer)
        for key in ("match", "started"):
            if key in line and type(line[key]) is not str:
                raise StepError(f'"{key}" is {shown(line[key])}; possible: a string')
        self.match: str | None = line.get("match")
        self.started: str | None = line.get("started")

    def _players(self, players: Any) -> list[str]:
        least, most = self.game.MIN_SEATS, self.game.MAX_SEATS
        many = f"{least}" if least == most else f"{least} to {most}"
        if type(players) is not list or not all(type(name) is str for name in players):
            raise StepError(f'"players" is {shown(players)}; possible: a list of {many} names')
        if not least <= len(players) <= most:
            raise StepError(f'"players" has {len(players)} names; possible: {many}')
        return players

    def session(self, listener: Listener | None = None) -> Session:
        """Return a session at the start of the match."""
        return Session(self.game(self.options, len(self.players)), self.dealer, self.players, listener)


def read_options(game: type[Rules], given: Any) -> list[int]:
    """Return the code of each option of a game from the log's object; raises StepError."""
    if type(given) is not dict:
        raise StepError(f'"options" is {shown(given)}; possible: an object')
    codes = [option.default for option in game.OPTIONS]
    ids = [option.id for option in game.OPTIONS]
    for id, value in given.items():
        if id not in ids:
            raise StepError(f"option {shown(id)} is unknown; possible: {listed(ids)}")
        place = ids.index(id)
        codes[place] = game.OPTIONS[place].code(value)
        if codes[place] < 0:
            possible = game.OPTIONS[place].possible()
            raise StepError(f'option "{id}" is {shown(value)}; possible: {possible}')
    clash = game.conflict(codes)
    if clash:
        raise StepError(f'options "{clash[0]}" and "{clash[1]}" exclude each other; possible: one of them')
    return codes


class Recount(Listener):
    """Collects the "deals" and "adjustments" of LOG.md while a session is reckoned."""

    def __init__(self) -> None:
        self.deals: list[dict[str, Any]] = []
        self.adjustments: list[dict[str, Any]] = []

    def restart(self) -> None:
        self.deals.clear()
        self.adjustments.clear()

    def deal(self, session: Session, step: int) -> None:
        rules = session.rules
        entry: dict[str, Any] = {"n": rules.deals}
        if rules.DEALS:
            entry["dealer"] = rules.SEAT_WORDS[rules.dealer]
        if rules.void >= 0:
            entry["void"] = rules.VOIDS[rules.void]
        else:
            entry.update(rules.report())
        self.deals.append(entry)

    def adjusted(self, session: Session, side: int, points: int) -> None:
        bazzi = session.rules.bazzi
        self.adjustments.append(
            {
                "after": session.rules.deals,
                "side": "AB"[side],
                "points": points,
                "bazzi": None if bazzi < 0 else "AB"[bazzi],
            }
        )


class Match:
    """A match reckoned from its log: the header, the session, and its deals."""

    def __init__(self, header: Header):
        self.header = header
        self.recount = Recount()
        self.session = header.session(self.recount)
        rules = self.session.rules
        self._ids = rules.QUESTIONS
        # A word can be a seat in one question and a suit in another, so each question has its own words.
        self._codes = [{word: rules.code(ask, word) for word in rules.WORDS} for ask in range(len(self._ids))]
        self._seats = {word: seat for seat, word in enumerate(rules.SEAT_WORDS[: rules.seats])}
        self._seat_words = {seat: word for word, seat in self._seats.items()}
        self._seat_words[TABLE] = "table"
        self._commands = {
            "undo": self._undo,
            "amend": self._amend,
            "redeal": self._redeal,
            "adjust": self._adjust,
            "name": self._name,
            "end": self._end,
        }

    # -- steps ----------------------------------------------------------------------------------

    def step(self, line: dict[str, Any], number: int) -> None:
        """Make the step of a line of the log; ``number`` is its line. Raises StepError, nothing changed."""
        if "do" in line:
            if "ask" in line:
                raise StepError('both "ask" and "do"; possible: one of them')
            command = line["do"]
            if type(command) is not str or command not in self._commands:
                raise StepError(f'"do" is {shown(command)}; possible: {listed(self._commands)}')
            self._commands[command](line)
            return
        if "ask" not in line:
            raise StepError('neither "ask" nor "do"')
        question = self.session.question
        ask = line["ask"]
        if question.kind == OVER:
            raise StepError('the match is over; possible: "undo", "amend"')
        if ask != self._ids[question.ask]:
            raise StepError(f'"ask" is {shown(ask)}; possible: {self.possible(question)}')
        if "seat" in line and line["seat"] != self._seat_words[question.seat]:
            raise StepError(f'"seat" is {shown(line["seat"])}; possible: {self.possible(question)}')
        if "t" in line:
            seconds = line["t"]
            if type(seconds) is not int or seconds < 0:
                raise StepError(f'"t" is {shown(seconds)}; possible: whole seconds')
        answer = line.get("answer", MISSING)
        if not self.session.answer(self.code(question.ask, answer), number):
            raise StepError(f"{self._given(answer)}; possible: {self.possible(question)}")

    def code(self, ask: int, answer: Any) -> int:
        """Return the integer that stands for a log's answer to a question, -1 for what never is one."""
        if type(answer) is int:
            return answer if answer < WORD else -1
        return self._codes[ask].get(answer, -1) if type(answer) is str else -1

    @staticmethod
    def _given(answer: Any) -> str:
        return '"answer" is missing' if answer is MISSING else f'"answer" is {shown(answer)}'

    def possible(self, question: Question) -> str:
        """Return in words what may be answered to a question."""
        if question.ask == NO_ASK:
            return "nothing, the match is over"
        asked = f"{self._ids[question.ask]} of {self._seat_words[question.seat]}: "
        found = self.question(question)
        if "choices" not in found:
            return f"{asked}{found['lo']} to {found['hi']}"
        choices = found["choices"]
        if len(choices) > 30:
            return f"{asked}{shown(choices[0])}, {choices[1]} to {choices[-1]}"
        return asked + listed(choices)

    def _undo(self, line: dict[str, Any]) -> None:
        if not self.session.undo():
            raise StepError("there is nothing to take back")

    def _amend(self, line: dict[str, Any]) -> None:
        session = self.session
        target = line.get("line")
        step = session.find(target) if type(target) is int and target > 1 else -1
        if step < 0:
            raise StepError(f'"line" is {shown(target)}; possible: a line above with an answer that stands')
        answer = line.get("answer", MISSING)
        code = self.code(session.ask(step), answer)
        if code < 0 or not session.amend(step, code):
            if code < 0:
                session.play_to(step)
                possible = self.possible(session.question)
                session.play_to(session.steps)
            elif session.stuck_step == step:
                possible = self.possible(session.stuck)
            elif session.stuck.kind == OVER:
                raise StepError(f"not possible: the match would be over before deal {session.stuck_deal}")
            else:
                raise StepError(
                    f"not possible: deal {session.stuck_deal} stands in the way"
                    f" ({self._stands(session.stuck_step)}; possible there: {self.possible(session.stuck)})"
                )
            raise StepError(f"{self._given(answer)}; possible: {possible}")

    def _stands(self, step: int) -> str:
        session = self.session
        if session.kind(step) == ANSWER:
            word = session.rules.word(session.value(step))
            return f"{self._ids[session.ask(step)]} {word} on line {session.target(step)}"
        return "a correction of the score" if session.kind(step) == ADJUST else "a step of the table"

    def _redeal(self, line: dict[str, Any]) -> None:
        if not self.session.can_redeal():
            raise StepError("no deal is under way that could be thrown in; possible: " + self._now())
        self.session.redeal()

    def _now(self) -> str:
        if self.session.question.kind == OVER:
            return '"undo", "amend"'
        return self.possible(self.session.question)

    def _adjust(self, line: dict[str, Any]) -> None:
        if not self.session.can_adjust():
            when = 'only while "deal" is asked' if self.session.rules.DEALS else "not in this game"
            raise StepError(f"a score is corrected {when}; possible: {self._now()}")
        side, points = line.get("side"), line.get("points")
        if type(side) is not str or side not in ("A", "B"):
            raise StepError(f'"side" is {shown(side)}; possible: "A", "B"')
        if type(points) is not int or not self.session.adjust("AB".index(side), points):
            raise StepError(f'"points" is {shown(points)}; possible: -999 to 999')

    def _name(self, line: dict[str, Any]) -> None:
        seat, name = line.get("seat"), line.get("name")
        if self.session.question.kind == OVER:
            raise StepError(f"the match is over; possible: {self._now()}")
        if type(seat) is not str or seat not in self._seats:
            raise StepError(f'"seat" is {shown(seat)}; possible: {listed(self._seats)}')
        if type(name) is not str:
            raise StepError(f'"name" is {shown(name)}; possible: a string')
        self.session.rename(self._seats[seat], name)

    def _end(self, line: dict[str, Any]) -> None:
        if not self.session.end():
            raise StepError(f"the match is over; possible: {self._now()}")

    # -- what has come of it -----------------------------------------------------------------------

    def question(self, question: Question) -> dict[str, Any] | None:
        """Return a question as LOG.md's "question", None when the match is over."""
        if question.kind == OVER:
            return None
        found: dict[str, Any] = {"ask": self._ids[question.ask], "seat": self._seat_words[question.seat]}
        if question.words:
            word = self.session.rules.word
            found["choices"] = [word(question.at(place)) for place in range(question.count())]
        else:
            found["lo"] = question.lo
            found["hi"] = question.hi
        return found

    def options(self) -> dict[str, int | str]:
        """Return every option with its value."""
        game = self.header.game
        return {option.id: option.value(code) for option, code in zip(game.OPTIONS, self.header.options, strict=True)}

    def result(self) -> dict[str, Any]:
        """Return the object that ``bazzi replay --json`` prints (LOG.md)."""
        rules = self.session.rules
        return {
            "game": rules.GAME,
            "players": list(self.session.names),
            "options": self.options(),
            "dealer": rules.SEAT_WORDS[rules.whose_deal()],
            "question": self.question(self.session.question),
            "over": rules.over,
            "winner": rules.winner(),
            "score": rules.score(),
            "deals": self.recount.deals,
            "adjustments": self.recount.adjustments,
        }


def read(raw: bytes, name: str) -> Match:
    """Return the match of a log's bytes; ``name`` stands in messages. Raises LogError."""
    lines = raw.split(b"\n")
    if not lines[-1]:
        lines.pop()
    number = 1
    try:
        if not lines:
            raise StepError("the file is empty; possible: a header line")
        match = Match(Header(parse(lines[0])))
        step = match.step
        for number, line in enumerate(lines[1:], 2):
            if line.strip(b" \t\r"):
                if number > MOST_LINES:
                    raise StepError(f"too long; possible: {MOST_LINES} lines")
                step(parse(line), number)
    except StepError as error:
        raise LogError(name, number, str(error)) from None
    return match


def read_file(path: Path, name: str | None = None) -> Match:
    """Return the match of a log file; raises LogError, or InputError where it cannot be read."""
    name = str(path) if name is None else name
    if not name:
        raise InputError("FILE is empty; possible: the name of a log")
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    return read(raw, name)
