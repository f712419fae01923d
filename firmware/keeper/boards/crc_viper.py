"""shared_rules/crc.py as machine code; takes its place on the board. A test compares every result."""

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


@micropython.viper
def _crc(data: ptr8, at: int, end: int, table: ptr16) -> int:  # noqa: F821
    crc = 0xFFFF
    while at < end:
        crc = ((crc & 0xFF) << 8) ^ table[(crc >> 8) ^ data[at]]
        at += 1
    return crc


def crc16(data, start, end):
    """Return the CRC of data[start:end], 0 to 65535. Allocates nothing."""
    return _crc(data, start, end, _TABLE)
