"""CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF): the check of records and of the link's lines."""

from array import array


def _table():
    table = array("H", [0] * 256)
    for value in range(256):
        crc = value << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        table[value] = crc & 0xFFFF
    return table


_TABLE = _table()


def crc16(data, start, end):
    """Return the CRC of data[start:end], 0 to 65535. Allocates nothing."""
    crc = 0xFFFF
    table = _TABLE
    for place in range(start, end):
        crc = ((crc & 0xFF) << 8) ^ table[(crc >> 8) ^ data[place]]
    return crc
