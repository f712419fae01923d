"""shared_rules/crc.py in machine code; takes its place on the board. A test compares every result."""

# ruff: noqa: F821 (the words of the assembler are no names of Python)

from array import array

import micropython


def _table():
    table = array("H", [0] * 256)
    table[1] = 0x1021
    for half in range(1, 128):
        crc = table[half] << 1
        if crc & 0x10000:
            crc ^= 0x11021
        table[2 * half] = crc
        table[2 * half + 1] = crc ^ 0x1021
    return table


_TABLE = _table()


# Arguments: the data, start, end, the table; r4 is the CRC in the upper half of a word.
@micropython.asm_thumb
def _crc(r0, r1, r2, r3):
    add(r2, r2, r0)
    add(r0, r0, r1)
    mov(r4, 0)
    mvn(r4, r4)
    lsl(r4, r4, 16)
    label(NEXT)
    cmp(r0, r2)
    bge(DONE)
    ldrb(r5, [r0, 0])
    add(r0, 1)
    lsr(r6, r4, 24)
    eor(r5, r6)
    lsl(r5, r5, 1)
    add(r5, r5, r3)
    ldrh(r5, [r5, 0])
    lsl(r5, r5, 16)
    lsl(r4, r4, 8)
    eor(r4, r5)
    b(NEXT)
    label(DONE)
    lsr(r0, r4, 16)


def crc16(data, start, end):
    """Return the CRC of data[start:end], 0 to 65535. Allocates nothing."""
    return _crc(data, start, end, _TABLE)


@micropython.viper
def _row(data: ptr8, at: int, end: int, kind: int, match: int, number: int, table: ptr16) -> int:
    while at + 16 <= end:
        if data[at] != kind or data[at + 1] | data[at + 2] << 8 != match or data[at + 3] | data[at + 4] << 8 != number:
            break
        crc = 0xFFFF
        stop = at + 14
        place = at
        while place < stop:
            crc = ((crc & 0xFF) << 8) ^ table[(crc >> 8) ^ data[place]]
            place += 1
        if data[stop] | data[stop + 1] << 8 != crc:
            break
        at += 16
        number += 1
    return at


def row(data, at, end, kind, match, number):
    """Return the end of the row of records in data[at:end] that stand, see shared_rules/crc.py."""
    return _row(data, at, end, kind, match, number, _TABLE)
