"""From edges of key pins, as interrupts report them, to keys that go down and up, one change at a time.

Contacts bounce, and while flash is erased (45 ms and more) no interrupt runs: what happened
meanwhile comes as one edge whose flags say both directions. The rules:

- The first edge after LOCKOUT_MS without one is what the person did; its direction counts at once.
- Edges that follow within LOCKOUT_MS are bounces, each prolongs the lockout; when it is over, the
  level decides. So a press of 5 ms is one press, reported as 15 ms long.
- An edge of both directions: where the level differs from what is known, it is that change. Where a
  key that was up is up, it was pressed and let go, unless it had been let go just before: then it
  bounced. Where a key that was down is down, it bounced.

Ticks are milliseconds, as in ticks.py; only the last 20 bits are kept here.
"""

from array import array

from shared_rules.question import const

from .keys import KEYS

LOCKOUT_MS = const(15)
REPRESS_MS = const(60)  # from letting go to having pressed again takes longer than this

FALLING = const(1)  # flags: the key went down
RISING = const(2)
BOTH = const(3)

_RING = const(128)  # edges that can wait, a power of two
_OUT = const(32)  # changes that can wait, a power of two
_TICKS = const(0xFFFFF)


class Edges:
    """The keys' pins. ``put`` is for interrupts; the others for the program. Nothing allocates.

    level  function(key) -> 1 while the key's contact is closed
    """

    def __init__(self, level):
        self._level = level
        self._ring = array("i", [0] * _RING)
        self._head = 0  # written by ``put`` only
        self._tail = 0
        self._lost = False  # an edge found the ring full
        self._ticks = array("i", [0] * KEYS)  # of each key's last edge
        self._locked = 0  # keys in their lockout
        self._last = 0  # keys that were closed after their last edge
        self._state = 0  # keys that are down, as far as the edges were looked at
        self._out = bytearray(_OUT)  # changes not reported yet: the key
        self._first = 0
        self._count = 0
        self._mask = 0  # keys that are down, as far as it was reported

    def put(self, key, flags, closed, tick):
        """Note an edge: FALLING, RISING or BOTH, and the level after it (1: contact closed)."""
        head = self._head
        after = (head + 1) & (_RING - 1)
        if after == self._tail:
            self._lost = True
            return
        self._ring[head] = (tick & _TICKS) << 6 | flags << 4 | closed << 3 | key
        self._head = after

    def take(self, now):
        """Return the mask of the keys that are down: as at the last call, or with the next change."""
        while self._tail != self._head and self._count < _OUT - 4:
            word = self._ring[self._tail]
            self._tail = (self._tail + 1) & (_RING - 1)
            self._edge(word & 7, word >> 4 & 3, word >> 3 & 1, word >> 6)
        if self._lost and self._tail == self._head:
            self._lost = False
            for key in range(KEYS):
                self._lock(key, self._level(key), now & _TICKS)
        if self._locked:
            self._settle(now & _TICKS)
        if self._count:
            self._mask ^= 1 << self._out[self._first]
            self._first = (self._first + 1) & (_OUT - 1)
            self._count -= 1
        return self._mask

    def waiting(self):
        """Tell whether ``take`` has more changes."""
        return self._count > 0

    def _edge(self, key, flags, closed, tick):
        bit = 1 << key
        since = (tick - self._ticks[key]) & _TICKS
        if self._locked & bit:
            if since < LOCKOUT_MS:
                self._lock(key, closed, tick)
                return
            self._become(key, self._last & bit != 0)
        if flags != BOTH:
            self._become(key, flags == FALLING)
        elif closed or self._state & bit:
            self._become(key, closed)
        elif since >= REPRESS_MS:
            self._become(key, 1)
            self._become(key, 0)
        self._lock(key, closed, tick)

    def _lock(self, key, closed, tick):
        bit = 1 << key
        self._ticks[key] = tick
        self._locked |= bit
        if closed:
            self._last |= bit
        else:
            self._last &= ~bit

    def _settle(self, now):
        for key in range(KEYS):
            bit = 1 << key
            if self._locked & bit and ((now - self._ticks[key]) & _TICKS) >= LOCKOUT_MS:
                closed = self._level(key)
                if self._tail != self._head:
                    return  # an edge came meanwhile; the level may be what it made
                self._locked &= ~bit
                self._become(key, closed)

    def _become(self, key, closed):
        bit = 1 << key
        if (self._state & bit != 0) != (closed != 0):
            self._state ^= bit
            self._out[(self._first + self._count) & (_OUT - 1)] = key
            self._count += 1
