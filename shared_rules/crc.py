"""CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF): the check of records and of the link's lines."""

from array import array


def _table():
    # Each entry follows from the one of half its number: on the board this takes 2 ms instead of 40.
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


def crc16(data, start, end):
    """Return the CRC of data[start:end], 0 to 65535. Allocates nothing."""
    crc = 0xFFFF
    table = _TABLE
    for place in range(start, end):
        crc = ((crc & 0xFF) << 8) ^ table[(crc >> 8) ^ data[place]]
    return crc


def row(data, at, end, kind, match, number):
    """Return the end of the row of records of 16 bytes (record.py) in data[at:end] that stand.

    Each begins with the byte ``kind``, belongs to a match and is its record ``number``, the next one
    ``number`` + 1 and so on, and has the CRC of its first 14 bytes. Here, because the board has it in machine code.
    """
    while (
        at + 16 <= end
        and data[at] == kind
        and data[at + 1] | data[at + 2] << 8 == match
        and data[at + 3] | data[at + 4] << 8 == number
        and data[at + 14] | data[at + 15] << 8 == crc16(data, at, at + 14)
    ):
        at += 16
        number += 1
    return at
