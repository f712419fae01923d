"""One step of a match as 16 bytes with a check: what the journal keeps and the link carries.

======  ======================================================================================
bytes   what (little-endian)
======  ======================================================================================
0       format (high half, now 1) and kind of step (low half; numbers of shared_rules.session)
1-2     number of the match in its journal
3-4     number of the record in its match, from 0
5       answer: place of the question in QUESTIONS; adjust: side; name: seat, 0x80 set: more follows
6       answer: seat asked, 255 for the table
7-8     answer or points, signed
9-10    amend: number of the step (from 0, undone ones counted) whose answer is replaced
11-13   seconds since the match began
14-15   CRC-16 of bytes 0 to 13
======  ======================================================================================

A name is UTF-8, eight bytes a record (bytes 6 to 13, filled up with 0), in as many records as it
takes; only the last of them makes the step. Writing and reading records allocates nothing.
"""

from . import crc
from .crc import crc16
from .question import WAIT, const
from .session import ADJUST, AMEND, ANSWER, END, NAME, REDEAL, UNDO

SIZE = const(16)
FORMAT = const(1)
NO_SEAT = const(255)
NAME_BYTES = const(8)
MORE = const(0x80)
MOST_SECONDS = const(0xFFFFFF)


def _put16(buffer, at, value):
    buffer[at] = value & 0xFF
    buffer[at + 1] = (value >> 8) & 0xFF


def _get16(buffer, at):
    return buffer[at] | buffer[at + 1] << 8


def _head(buffer, at, kind, match, number, ask):
    buffer[at] = FORMAT << 4 | kind
    _put16(buffer, at + 1, match)
    _put16(buffer, at + 3, number)
    buffer[at + 5] = ask


def seal(buffer, at):
    """Write the check of the record at ``at``."""
    _put16(buffer, at + 14, crc16(buffer, at, at + 14))


def pack(buffer, at, kind, match, number, ask, seat, value, target, seconds):
    """Write a record (any kind but NAME) into buffer[at:at + 16]; see the module for the fields."""
    _head(buffer, at, kind, match, number, ask)
    buffer[at + 6] = seat & 0xFF
    _put16(buffer, at + 7, value)
    _put16(buffer, at + 9, target)
    if seconds > MOST_SECONDS:
        seconds = MOST_SECONDS
    _put16(buffer, at + 11, seconds & 0xFFFF)
    buffer[at + 13] = seconds >> 16
    seal(buffer, at)


def pack_name(buffer, at, match, number, seat, name, start):
    """Write one record of a name (UTF-8 bytes) from name[start:]; returns where the next record starts, or -1."""
    more = len(name) - start > NAME_BYTES
    _head(buffer, at, NAME, match, number, seat | MORE if more else seat)
    for place in range(NAME_BYTES):
        buffer[at + 6 + place] = name[start + place] if start + place < len(name) else 0
    seal(buffer, at)
    return start + NAME_BYTES if more else -1


def good(buffer, at):
    """Tell whether buffer[at:at + 16] is a whole record of this format."""
    kind = buffer[at] & 15
    return (
        buffer[at] >> 4 == FORMAT
        and ANSWER <= kind <= END
        and buffer[at + 14] | buffer[at + 15] << 8 == crc16(buffer, at, at + 14)
    )


def stands(buffer, at, match, number):
    """Tell whether buffer[at:at + 16] is whole and record ``number`` of a match."""
    return (
        buffer[at + 3] | buffer[at + 4] << 8 == number
        and buffer[at + 1] | buffer[at + 2] << 8 == match
        and good(buffer, at)
    )


def answers(buffer, at, end, match, number):
    """Return where in buffer[at:end] the row of answers of a match ends that begins with record ``number``.

    All in it are whole and have their place in the match; any other record, or a damaged one, ends it.
    """
    return crc.row(buffer, at, end, FORMAT << 4 | ANSWER, match, number)


def kind(buffer, at):
    """Return the kind of step."""
    return buffer[at] & 15


def match(buffer, at):
    """Return the number of the match."""
    return _get16(buffer, at + 1)


def number(buffer, at):
    """Return the number of the record in its match."""
    return _get16(buffer, at + 3)


def ask(buffer, at):
    """Return byte 5: question, side or seat (and MORE)."""
    return buffer[at + 5]


def seat(buffer, at):
    """Return the seat asked, NO_SEAT for the table."""
    return buffer[at + 6]


def value(buffer, at):
    """Return the answer or the points."""
    value = _get16(buffer, at + 7)
    return value - 0x10000 if value & 0x8000 else value


def target(buffer, at):
    """Return the step whose answer an AMEND replaces."""
    return _get16(buffer, at + 9)


def seconds(buffer, at):
    """Return the seconds since the match began; 0 for a name."""
    if kind(buffer, at) == NAME:
        return 0
    return _get16(buffer, at + 11) | buffer[at + 13] << 16


class Player:
    """Plays records into a session: the one way from bytes to a match, on the board and on the laptop."""

    def __init__(self, session):
        self.session = session
        self._name = bytearray()  # of a name whose last record has not come yet

    def play(self, buffer, at):
        """Make the step of a good record; False: the rules refuse it, and nothing changed."""
        session = self.session
        step = buffer[at] & 15
        if session.question.kind == WAIT:  # the step was made when that had been reckoned
            session.settle()
        if step == ANSWER:
            return session.question.ask == buffer[at + 5] and session.answer(value(buffer, at))
        if step == UNDO:
            return session.undo()
        if step == AMEND:
            place = session.find(target(buffer, at))
            return place >= 0 and session.amend(place, value(buffer, at))
        if step == REDEAL:
            return session.redeal()
        if step == ADJUST:
            return buffer[at + 5] < 2 and session.adjust(buffer[at + 5], value(buffer, at))
        if step == NAME:
            return self._named(buffer, at, session.rename)
        return session.end()

    def take(self, buffer, at):
        """Put the step of a good record on the session's list, see Session.take; False: it cannot be one."""
        session = self.session
        step = buffer[at] & 15
        if step == ANSWER:
            session.take_answers(buffer, at, at + SIZE)
            return True
        if step == NAME:
            return self._named(buffer, at, session.take_name)
        if step == ADJUST and buffer[at + 5] > 1:
            return False
        return session.take(step, buffer[at + 5], value(buffer, at), target(buffer, at))

    def _named(self, buffer, at, rename):
        self._name.extend(buffer[at + 6 : at + 6 + NAME_BYTES])
        if buffer[at + 5] & MORE:
            return True
        raw = bytes(self._name).rstrip(b"\0")
        self._name = bytearray()
        seat = buffer[at + 5]
        if seat >= len(self.session.names):
            return False
        try:
            name = raw.decode()
        except UnicodeError:  # a damaged journal; the check makes it as good as impossible
            return False
        return rename(seat, name)
