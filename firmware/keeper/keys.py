"""From which keys are down, and when, to what the person meant.

The arrow keys act when they go down and repeat, faster and faster, while they stay down. OK and
BACK act when they come up, or once, at HOLD_MS, when they are held: never both.
"""

from shared_rules.question import const

from . import ticks

UP = const(0)
RIGHT = const(1)
DOWN = const(2)
LEFT = const(3)
OK = const(4)
BACK = const(5)
KEYS = const(6)

PRESS = const(0)  # an arrow went down
REPEAT = const(8)  # it is still down
CLICK = const(16)  # OK or BACK came up before HOLD_MS
HOLD = const(24)  # OK or BACK has been down for HOLD_MS
KEY = const(7)  # bits of an event that are the key

HOLD_MS = const(500)
REPEAT_AFTER_MS = const(400)
SLOW_MS = const(200)  # between the first repeats
FAST_MS = const(60)  # after FAST_FROM of them
FAST_FROM = const(6)
_QUEUE = const(16)


class Keys:
    """Six keys. ``update`` takes the mask of those down (bit k: key k); ``next`` gives the events."""

    def __init__(self):
        self._down = 0
        self._changed = 0  # keys that went down or up with the last update
        self._spent = 0  # keys whose press is used up: nothing more comes of it
        self._all_spent = False  # nothing comes of any press until all keys are up
        self._since = [0] * KEYS  # tick of the press
        self._again = [0] * KEYS  # tick of the next repeat
        self._repeats = [0] * KEYS
        self._events = bytearray(_QUEUE)
        self._first = 0
        self._count = 0

    def update(self, mask, now):
        """Take the keys that are down at a tick."""
        self._changed = mask ^ self._down
        self._down = mask
        for key in range(KEYS):
            if (self._changed | mask) >> key & 1:
                self._look(key, now)
        if not mask:
            self._all_spent = False

    # Functions this small have their frames on MicroPython's stack; for larger ones it looks for room in the heap.
    def _look(self, key, now):
        bit = 1 << key
        if self._changed & bit:
            if self._down & bit:
                self._pressed(key, bit, now)
            else:
                self._released(key, bit, now)
        elif not self._spent & bit:
            self._kept(key, bit, now)

    def _pressed(self, key, bit, now):
        self._since[key] = now
        self._again[key] = ticks.add(now, REPEAT_AFTER_MS)
        self._repeats[key] = 0
        self._spent &= ~bit
        if self._all_spent:
            self._spent |= bit
        elif key < OK:
            self._put(PRESS | key)

    def _released(self, key, bit, now):
        if self._spent & bit:
            self._spent &= ~bit
        elif key >= OK:
            held = ticks.diff(now, self._since[key]) >= HOLD_MS
            self._put((HOLD if held else CLICK) | key)

    def _kept(self, key, bit, now):
        if key >= OK:
            if ticks.diff(now, self._since[key]) >= HOLD_MS:
                self._spent |= bit
                self._put(HOLD | key)
        elif ticks.diff(now, self._again[key]) >= 0:
            # From now, not from when it was due: a slow loop must not pile up repeats that come after the release.
            self._repeats[key] += 1
            self._again[key] = ticks.add(now, FAST_MS if self._repeats[key] >= FAST_FROM else SLOW_MS)
            self._put(REPEAT | key)

    def _put(self, event):
        if self._count < _QUEUE:
            self._events[(self._first + self._count) % _QUEUE] = event
            self._count += 1

    def next(self):
        """Return the next event (kind | key), or -1."""
        if not self._count:
            return -1
        event = self._events[self._first]
        self._first = (self._first + 1) % _QUEUE
        self._count -= 1
        return event

    def swallow(self):
        """Let nothing more come of the keys that are down now: what they did is done."""
        self._spent |= self._down

    def swallow_all(self):
        """Let nothing come of any key until all are up: this press only woke the screen."""
        self._spent |= self._down
        self._all_spent = self._down != 0
        self._count = 0

    def down(self):
        """Return the mask of the keys that are down."""
        return self._down
