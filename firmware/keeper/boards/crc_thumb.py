"""shared_rules/crc.py in assembler; takes its place on the board. A test compares every result."""

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
