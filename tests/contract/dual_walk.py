"""Random matches of a game, for CPython and MicroPython alike: one line for each, with a hash of all that happened.

    python|micropython dual_walk.py GAME MATCHES

Under MicroPython the heap is locked while the match is asked, answered, taken back, corrected and looked at.
"""

import gc
import sys

from game_walk import SEAT_NAMES, Dice, Look, choose, plain, random_options

from shared_rules import catalog
from shared_rules.question import OVER, WAIT, WORD
from shared_rules.session import ANSWER, Session

try:
    from micropython import heap_lock, heap_unlock
except ImportError:

    def heap_lock():
        """CPython has no heap to lock."""

    def heap_unlock():
        """CPython has no heap to unlock."""


STEPS = 60
ROOM = 200
PRIME = 1000003
_doing = [""]  # what is done now under the locked heap, for the message


def mix(hash, text):
    """Return a hash with a string mixed in."""
    for letter in text:
        hash = (hash * 31 + ord(letter)) % PRIME
    return hash


def step(session, look, throw, value, place):
    """Make one step and look at everything, with the heap locked. Returns whether it was taken."""
    heap_lock()
    try:
        _doing[0] = "answer"
        if throw == 0:
            _doing[0] = "undo"
            taken = session.undo()
        elif throw == 1 and place >= 0:
            _doing[0] = "amend"
            taken = session.amend(place, value)
        elif throw == 2:
            _doing[0] = "adjust"
            taken = session.adjust(value & 1, value - 40 if value < 999 else 7)
        elif throw == 3:
            _doing[0] = "redeal"
            taken = session.redeal()
        elif throw == 4 and value > 110:
            _doing[0] = "end"
            taken = session.end()
        else:
            taken = session.answer(value)
        _doing[0] = "work"
        while session.question.kind == WAIT:
            session.work()
        _doing[0] = "ask, figure, cell"
        look.take_scores(session)
        _doing[0] = "hint"
        look.hints(session)
        _doing[0] = "result"
        look.results(session)
        _doing[0] = "detail"
        look.details(session)
        look.about(session)
    finally:
        heap_unlock()
    return taken


def walk(game, seed):
    """Play one random match; returns (steps made, hash)."""
    dice = Dice(seed)
    codes = random_options(game, dice)
    seats = game.MIN_SEATS + dice.roll(game.MAX_SEATS - game.MIN_SEATS + 1)
    rules = game(codes, seats)
    session = Session(rules, dice.roll(seats), list(SEAT_NAMES[:seats]), None, ROOM, seed % 2 == 1)
    look = Look()
    hash = 7
    for _ in range(STEPS):
        throw = dice.roll(30)
        place = -1
        value = dice.roll(120) if dice.roll(2) else WORD + dice.roll(len(game.WORDS))
        if throw == 1 and session.steps:
            place = dice.roll(session.steps)
            if session.kind(place) != ANSWER:
                place = -1
        elif throw == 5 and session.question.kind != OVER:
            session.rename(dice.roll(seats), "Eva")  # may allocate
            session.undo()
        if throw != 0 and (throw > 4 or (throw == 1 and place < 0)):
            if session.question.kind == OVER:
                break
            if dice.roll(10):
                value = choose(session.question, dice)
        taken = step(session, look, throw, value, place)
        hash = mix(hash, plain([taken, value, look.seen(), rules.score(), rules.winner(), session.names]))
    return session.lines, hash


def main():
    """Play the matches and print their hashes."""
    game = catalog.load(sys.argv[1])
    for seed in range(int(sys.argv[2])):
        try:
            lines, hash = walk(game, seed)
        except MemoryError:
            print("match", seed, "allocates in", _doing[0])
            raise
        print(seed, lines, hash)
        gc.collect()


if __name__ == "__main__":
    main()
