"""How long it takes to reckon a long log, beside reading the same lines as JSON."""

import json
import random
import time

from shared_rules.question import COUNT

from ..replay import Header, Match, read
from .figures import say

DEALS = 10_000


def long_log(game: str, deals: int, seed: int = 1) -> bytes:
    """Return a log of random play with so many deals; one answer in five of those beside "count" is not "count"."""
    chance = random.Random(seed)
    header = {"log": "bazzi/1", "game": game, "options": {}, "players": ["N", "E", "S", "W"], "dealer": "N"}
    first = Header(header).game.OPTIONS[0]
    if first.code(0) == 0:  # where a match can go on until the table ends it, it does
        header["options"] = {first.id: 0}
    match = Match(Header(header))
    session = match.session
    lines = [json.dumps(header)]
    seconds = 0
    while session.rules.deals < deals and not session.rules.over:
        question = session.question
        answer = question.at(chance.randrange(question.count()))
        if question.accepts(COUNT) and chance.random() < 0.8:
            answer = COUNT
        asked = match.question(question)
        seconds += 5
        line = {"ask": asked["ask"], "seat": asked["seat"], "answer": session.rules.word(answer), "t": seconds}
        lines.append(json.dumps(line))
        session.answer(answer)
    return ("\n".join(lines) + "\n").encode()


def run(game: str) -> None:
    """Print the figures for a game whose matches can be as long as one likes."""
    raw = long_log(game, DEALS)
    lines = raw.split(b"\n")[:-1]
    best_json = best_replay = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for line in lines:
            json.loads(line)
        best_json = min(best_json, time.perf_counter() - start)
        start = time.perf_counter()
        read(raw, "bench").result()
        best_replay = min(best_replay, time.perf_counter() - start)
    say(f"lines of {DEALS:,} deals", len(lines))
    say("json.loads of the lines", best_json, unit="s")
    say("replay, reading and result included", best_replay, unit="s")
    say("times as long as json.loads", best_replay / best_json, "at most 5")
