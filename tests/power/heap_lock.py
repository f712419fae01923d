"""MicroPython only: every kind of step of the journal works with the heap locked, merges of the tail included.

The argument is a folder to work in. Names are given as bytes, because encoding a str allocates.
"""

import gc
import sys

import micropython
from keeper.journal import SAVED, Journal
from power_script import HEADER, new_session, plenty, random_bytes

ROUNDS = 42  # eight or more records each: the tail is merged dozens of times


def steps(journal, names):
    """Make steps of every kind; returns how many were saved. Allocates nothing."""
    saved = 0
    for place in range(ROUNDS):
        saved += journal.answer(0, 0, 0x1001, 1000 + place) == SAVED
        saved += journal.answer(1, -1, 11, 0xFFFFFF) == SAVED
        saved += journal.undo(70000) == SAVED
        saved += journal.amend(place, 12, 70000) == SAVED
        saved += journal.redeal(70000) == SAVED
        saved += journal.adjust(1, -999, 70000) == SAVED
        saved += journal.rename(2, names[place % 3]) == SAVED
        saved += journal.end(70000) == SAVED
        saved += journal.nearly_full() or journal.full()
    return saved


def main():
    journal = Journal(sys.argv[1], "box", random_bytes, plenty)
    journal.scan()
    entry = journal.create(HEADER)
    assert journal.resume(entry, new_session()) == 0
    assert journal.prepare()
    names = [b"Eva", "Ünal Öztürk".encode(), b"a name of twenty-four by"]  # one, two and three records
    gc.collect()
    before = gc.mem_alloc()
    micropython.heap_lock()
    saved = steps(journal, names)
    micropython.heap_unlock()
    allocated = gc.mem_alloc() - before
    assert saved == ROUNDS * 8, saved
    assert allocated == 0, allocated
    assert entry.records == ROUNDS * 9
    journal.close()
    print("ok", entry.records, "records,", gc.mem_free(), "bytes free")


main()
