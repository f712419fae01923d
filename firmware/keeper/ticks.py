"""Millisecond ticks that wrap: compared by difference only.

Ticks run from 0 to 2**30 - 1 and start again, after 12.4 days. All of it stays a small integer on
the board.
"""

from shared_rules.question import const

PERIOD = const(0x40000000)
_HALF = const(0x20000000)
_MASK = const(0x3FFFFFFF)


def diff(later, earlier):
    """Return the milliseconds from one tick to another, negative when ``later`` is the earlier one."""
    return ((later - earlier + _HALF) & _MASK) - _HALF


def add(tick, ms):
    """Return the tick ``ms`` milliseconds after another."""
    return (tick + ms) & _MASK
