"""From edges to keys, without hardware: keeper/edges.py."""

import random

import pytest
from keeper.edges import FALLING, LOCKOUT_MS, REPRESS_MS, RISING, Edges
from keeper.keys import BACK, KEYS, OK, UP

FAR = 1 << 29


class Pins:
    """Keys, time, and interrupts that can be off: then edges merge into one, as the chip does it."""

    def __init__(self, start_ms=0):
        self.now = start_ms
        self.closed = [0] * KEYS
        self.edges = Edges(lambda key: self.closed[key])
        self.masked = False
        self._merged = {}
        self.changes = []
        self._mask = 0

    def set(self, key, closed):
        """Make or break a contact."""
        if closed == self.closed[key]:
            return
        self.closed[key] = closed
        flag = FALLING if closed else RISING
        if self.masked:
            self._merged[key] = self._merged.get(key, 0) | flag
        else:
            self.edges.put(key, flag, closed, self.now)

    def unmask(self):
        """Let interrupts run again."""
        self.masked = False
        for key, flags in self._merged.items():
            self.edges.put(key, flags, self.closed[key], self.now)
        self._merged.clear()

    def look(self):
        """Take what the keys did, as the application does in a step."""
        while True:
            mask = self.edges.take(self.now & (2 * FAR - 1))
            for key in range(KEYS):
                if (mask ^ self._mask) >> key & 1:
                    self.changes.append((key, mask >> key & 1))
            assert bin(mask ^ self._mask).count("1") <= 1
            self._mask = mask
            if not self.edges.waiting():
                return

    def run(self, ms, look=True):
        """Let time pass."""
        for _ in range(ms):
            self.now += 1
            if look:
                self.look()

    def bounce(self, key, closed, times=4):
        """Change a contact with bounces within the same millisecond."""
        for _ in range(times):
            self.set(key, closed)
            self.set(key, 1 - closed)
        self.set(key, closed)


PRESS = [(OK, 1), (OK, 0)]


@pytest.mark.parametrize("start_ms", [0, (1 << 20) - 3, 2 * FAR - 3])
@pytest.mark.parametrize("ms", [1, 5, 14, 15, 16, 40, 900])
def test_a_press_with_bounce_is_one_press_of_any_length(ms, start_ms):
    pins = Pins(start_ms)
    pins.run(50)
    pins.bounce(OK, 1)
    pins.run(1)
    assert pins.changes == PRESS[:1]  # at once, not when the bounce is over
    pins.run(ms - 1)
    pins.bounce(OK, 0)
    pins.run(LOCKOUT_MS + 1)
    assert pins.changes == PRESS


def test_presses_while_the_program_was_busy_come_later_in_their_order():
    pins = Pins()
    for key in (OK, UP, OK, BACK):
        pins.bounce(key, 1)
        pins.run(5, look=False)
        pins.bounce(key, 0)
        pins.run(20, look=False)
    pins.look()
    pins.run(20)
    assert [change for change in pins.changes if change[1]] == [(OK, 1), (UP, 1), (OK, 1), (BACK, 1)]
    assert len(pins.changes) == 8


def test_a_press_while_interrupts_are_off_counts():
    pins = Pins(500)
    pins.masked = True
    pins.bounce(OK, 1)
    pins.run(5, look=False)
    pins.bounce(OK, 0)
    pins.run(40, look=False)
    pins.unmask()
    pins.run(30)
    assert pins.changes == PRESS


def test_a_key_pressed_while_interrupts_are_off_and_still_held_is_pressed_once():
    pins = Pins(500)
    pins.masked = True
    pins.bounce(OK, 1)
    pins.run(45, look=False)
    pins.unmask()
    pins.run(100)
    assert pins.changes == PRESS[:1]
    pins.bounce(OK, 0)
    pins.run(20)
    assert pins.changes == PRESS


def test_a_key_let_go_while_interrupts_are_off_is_let_go():
    pins = Pins(500)
    pins.bounce(OK, 1)
    pins.run(30)
    pins.masked = True
    pins.bounce(OK, 0)
    pins.run(45, look=False)
    pins.unmask()
    pins.run(30)
    assert pins.changes == PRESS


@pytest.mark.parametrize("closed", [1, 0])
def test_bounces_in_an_erase_right_after_the_edge_are_no_press(closed):
    # The arrow acts when it goes down, and OK when it comes up: the flash is erased right after.
    pins = Pins(500)
    if not closed:
        pins.set(OK, 1)
        pins.run(100)
    pins.set(OK, closed)
    pins.run(1)
    pins.masked = True
    pins.set(OK, 1 - closed)
    pins.set(OK, closed)
    pins.run(45, look=False)
    pins.unmask()
    pins.run(100)
    assert pins.changes == (PRESS[:1] if closed else PRESS)


def test_a_key_held_at_power_up_does_nothing_until_it_is_pressed_again():
    pins = Pins()
    pins.closed[OK] = 1
    pins.run(500)
    pins.bounce(OK, 0)
    pins.run(100)
    assert pins.changes == []
    pins.set(OK, 1)
    pins.run(100)
    assert pins.changes == PRESS[:1]


def test_when_the_ring_overflows_the_levels_decide():
    pins = Pins()
    for _ in range(200):
        pins.bounce(UP, 1)
        pins.run(30, look=False)
        pins.bounce(UP, 0)
        pins.run(30, look=False)
    pins.set(OK, 1)
    pins.run(60)
    assert pins.edges.take(pins.now) == 1 << OK
    pins.set(OK, 0)
    pins.run(60)
    assert pins.edges.take(pins.now) == 0
    assert pins.changes[-2:] == PRESS


@pytest.mark.parametrize("seed", range(30))
def test_random_presses_with_bounces_and_erases_are_counted_exactly(seed):
    chance = random.Random(seed)
    pins = Pins(chance.randrange(1 << 30))
    pressed = [0] * KEYS
    off_until = next_off = pins.now
    for _ in range(60):
        key = chance.randrange(KEYS)
        pressed[key] += 1
        length = chance.choice((5, 5, 8, 30, 90))
        start, end = pins.now, pins.now + length
        stop = end + REPRESS_MS + 50 + chance.randrange(40)
        while pins.now < stop:
            if pins.now == start:
                pins.bounce(key, 1)
            if pins.now == end:
                pins.bounce(key, 0)
            if pins.masked and pins.now >= off_until:
                pins.unmask()
            # An erase never begins within the bounce: the program first has to see the edge.
            elif not pins.masked and pins.now >= next_off and pins.now not in (start, end):
                pins.masked = True
                off_until = pins.now + 45
                next_off = off_until + chance.randrange(60)
            pins.run(1, look=not pins.masked and chance.random() < 0.3)
    pins.unmask()
    pins.run(50)
    downs = [sum(1 for change in pins.changes if change == (key, 1)) for key in range(KEYS)]
    assert downs == pressed
    assert pins.edges.take(pins.now) == 0
