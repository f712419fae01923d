"""Helpers of the tests in this folder: matches as log text, random matches, the command as a program of its own."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from bazzi.replay import Header, Match

from shared_rules.question import NONE, OVER

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = ["Asha", "Bela", "Chand", "Devi"]


def header(game="seep", players=PLAYERS, dealer="N", **more):
    """Return the header of a log as an object."""
    return {"log": "bazzi/1", "game": game, "options": {}, "players": list(players), "dealer": dealer, **more}


def log(*lines):
    """Return the bytes of a log from objects; bytes stay as they are."""
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return b"".join(line + b"\n" for line in raw)


def ask(question, answer, **more):
    """Return an answer's line."""
    return {"ask": question, "answer": answer, **more}


def seep_deal(dealer, cards, bid=11, swept=""):
    """Return the lines of a Seep deal; ``swept`` the seats that swept, all ordinary sweeps nobody has to ask about."""
    sweeps = [ask("play", seat) for seat in swept]
    return [ask("deal", dealer), ask("bid", bid), *sweeps, ask("play", "count"), ask("cards", cards)]


def random_match(seed, game="seep", options=None, commands=True, most=3000, stop=3000, **more):
    """Return (lines, Match) of a random match that came to its end by the rules; ``lines`` with the header.

    After ``stop`` lines the table ends it.
    """
    chance = random.Random(seed)
    seats = 4 if game != "ten" else chance.randint(1, 5)
    players = [chance.choice(["Ann", "Bo", "प्रिया", "Jürgen", "O'Hara, Pat"]) + str(i) for i in range(seats)]
    words = ("N", "E", "S", "W") if game != "ten" else ("P1", "P2", "P3", "P4", "P5")
    first = header(game, players, words[chance.randrange(seats)], **more)
    first["options"] = options or {}
    match = Match(Header(first))
    lines = [first]
    while match.session.question.kind != OVER:
        if len(lines) > most:
            raise AssertionError("a random match did not end")
        line = _random_line(match, chance, commands) if len(lines) < stop else {"do": "end"}
        try:
            match.step(line, len(lines) + 1)
        except Exception as error:  # a command that is not possible just now
            if "do" not in line:
                raise AssertionError(line) from error
            continue
        lines.append(line)
    return lines, match


def _random_line(match, chance, commands):
    session = match.session
    if commands and chance.random() < 0.06:
        line = {"do": chance.choice(["undo", "amend", "redeal", "adjust", "name"])}
        if line["do"] == "amend":
            line["line"] = chance.randint(2, session.lines + 2)
            line["answer"] = chance.choice([chance.randint(0, 100), "count", "none", "N", "ordinary", "pass"])
        elif line["do"] == "adjust":
            line.update(side=chance.choice("AB"), points=chance.randint(-40, 40))
        elif line["do"] == "name":
            words = session.rules.SEAT_WORDS[: session.rules.seats]
            line.update(seat=chance.choice(words), name=chance.choice(["Ann", "=1+1", 'a "b"', "x\ny", ""]))
        return line
    question = session.question
    code = question.at(chance.randrange(question.count()))
    if code == NONE and chance.random() < 0.8:  # not too many deals thrown in
        code = question.at(chance.randrange(question.count()))
    return {"ask": session.rules.QUESTIONS[question.ask], "answer": session.rules.word(code)}


def command(*arguments, stdin=b"", **environment):
    """Run ``bazzi`` as a program of its own; returns the finished process with bytes."""
    path = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware", "."))
    full = {**os.environ, "PYTHONPATH": path, "COLUMNS": "80", **environment}
    return subprocess.run(
        [sys.executable, "-m", "bazzi", *arguments],
        input=stdin,
        capture_output=True,
        env=full,
        timeout=120,
        check=False,
    )
