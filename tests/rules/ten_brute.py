"""The best assignment of a Ten hand's wilds, in two ways that are not that of shared_rules.games.ten.

``best_by_trying``: for every wild in turn, every card it may stand for (or none) is tried; at the end each
colour has its longest run. Plain enough to be believed, and too slow for more than some six wilds.
``best_by_sets``: colour by colour, the best with every set of the wilds of all colours. For any hand.
Runs on CPython and MicroPython.

    ten_brute.py [seed] [count]    compares random hands with the game's own result; prints what differs
"""

import sys
from array import array

from shared_rules.games.ten import Best

COLOURS = 4


def runs_of(numbers):
    """Return (length, low) of the longest run among a set of numbers given as bits, the lowest of equals."""
    best = (0, 0)
    for low in range(1, 10):
        length = 0
        while low + length <= 9 and numbers >> (low + length - 1) & 1:
            length += 1
        if length > best[0]:
            best = (length, low)
    return best


def value(held, bonus):
    """Return what is compared: points, then the lengths from red to green, then the starts, low ones first."""
    found = [runs_of(numbers) for numbers in held]
    points = sum([length + (bonus if length == 9 else 0) for length, _ in found])
    return (points, [length for length, _ in found], [-low for _, low in found])


def best_by_trying(masks, bonus):
    """Return (points, runs by colour as (low, high) or None) of a hand of five masks (LOG.md)."""
    naturals = tuple([mask & 511 for mask in masks[:COLOURS]])
    # Each wild as the colours and numbers it may stand for.
    wilds = []
    for colour in range(COLOURS):
        for bit in (9, 10):
            if masks[colour] >> bit & 1:
                wilds.append([(colour, number) for number in range(9)])
    for number in range(9):
        if masks[COLOURS] >> number & 1:
            wilds.append([(colour, number) for colour in range(COLOURS)])
    if masks[COLOURS] >> 9 & 1:
        wilds.append([(colour, number) for colour in range(COLOURS) for number in range(9)])
    # All hands that can come of it; the same one is kept once, whatever stood for what.
    hands = {naturals}
    for places in wilds:
        more = set(hands)
        for held in hands:
            for colour, number in places:
                if not held[colour] >> number & 1:
                    more.add(held[:colour] + (held[colour] | 1 << number,) + held[colour + 1 :])
        hands = more
    best = None
    for held in hands:
        this = value(held, bonus)
        if best is None or this > best:
            best = this
    runs = []
    for place in range(COLOURS):
        length, low = best[1][place], -best[2][place]
        runs.append((low, low + length - 1) if length else None)
    return best[0], runs


def sets_of(natural, hashes, wilds):
    """Return {set of the wilds of all colours: (length, low) of the best run of one colour that uses just these}."""
    found = {0: (0, 0)}
    for length in range(1, 10):
        for low in range(10, 0, -1):
            if low + length > 10:
                continue
            missing = [number for number in range(low - 1, low + length - 1) if not natural >> number & 1]
            used = [(0, hashes)]  # the wilds of all colours used so far, and the # left
            for number in missing:
                more = []
                for wild, left in used:
                    if left:
                        more.append((wild, left - 1))
                    if wilds >> number & 1:
                        more.append((wild | 1 << number, left))
                    if wilds & ~wild & 512:
                        more.append((wild | 512, left))
                used = more
            for wild, _ in used:
                found[wild] = (length, low)  # lengths come upwards and starts downwards, so the last is the best
    return found


def best_by_sets(masks, bonus):
    """Return (points, runs) as best_by_trying does."""
    table = {0: (0, (), ())}
    for colour in range(COLOURS):
        hashes = (masks[colour] >> 9 & 1) + (masks[colour] >> 10)
        runs = sets_of(masks[colour] & 511, hashes, masks[COLOURS])
        more = {}
        for one, (points, lengths, lows) in table.items():
            for other, (length, low) in runs.items():
                if not one & other:
                    worth = length + (bonus if length == 9 else 0)
                    this = (points + worth, lengths + (length,), lows + (-low,))
                    if one | other not in more or more[one | other] < this:
                        more[one | other] = this
        table = more
    points, lengths, lows = max(table.values())
    return points, [(-lows[i], lengths[i] - lows[i] - 1) if lengths[i] else None for i in range(COLOURS)]


def best_by_game(masks, bonus):
    """Return the same from the game's reckoner."""
    best = Best(bonus)
    best.begin(array("H", masks), 0)
    while not best.work():
        pass
    return best.points, [(run >> 4, run & 15) if run else None for run in best.runs]


class Random:
    """Small random numbers that are the same on both interpreters."""

    def __init__(self, seed):
        self.state = seed * 2654435761 % 2147483647 or 1

    def below(self, top):
        """Return a number from 0 to top - 1."""
        self.state = self.state * 48271 % 2147483647
        return self.state * top // 2147483647


def draw(random, most_wilds):
    """Return a hand of five masks: some cards of each colour, and at most so many wilds."""
    masks = [0] * 5
    for colour in range(COLOURS):
        for _ in range(random.below(10)):
            masks[colour] |= 1 << random.below(9)
    for _ in range(random.below(most_wilds + 1)):
        kind = random.below(3)
        if kind:
            masks[random.below(COLOURS)] |= 512 if kind == 1 else 1024
        else:
            masks[4] |= 1 << random.below(10)
    return masks


def compare(seed, count, most_wilds, brute):
    """Compare random hands; returns what differs, a line each."""
    random = Random(seed)
    failures = []
    for _ in range(count):
        masks = draw(random, most_wilds)
        bonus = random.below(10)
        want = brute(masks, bonus)
        got = best_by_game(masks, bonus)
        if want != got:
            failures.append(f"{masks} bonus {bonus}: want {want}, got {got}")
    return failures


def main(seed, count):
    """Compare hands with few wilds by trying, and with any number by sets; returns how many differ."""
    differ = compare(seed, count, 4, best_by_trying) + compare(seed, count, 14, best_by_sets)
    for line in differ:
        print(line)
    print(len(differ), "differ")
    return len(differ)


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)
