"""The serial protocol (host/bazzi/PROTOCOL.md), bytes in and out; the board brings them.

A request is one line ``>ID COMMAND ARGUMENTS*CCCC``, its reply one line ``<ID ok ...*CCCC`` or
``<ID no REASON*CCCC``: printable 7-bit characters, CCCC the CRC-16 of what stands before ``*``,
in hexadecimal. Nothing is sent that was not asked for. Whatever is not such a line is thrown away.
No request changes a match.

Many records are answered by a stream: line after line, each a reply to the one request.
"""

import json
from binascii import a2b_base64, b2a_base64

from shared_rules.crc import crc16
from shared_rules.question import const
from shared_rules.record import SIZE

from . import VERSION
from .base64 import encode
from .blit import copy, mix
from .settings import TABLE

PROTOCOL = "1.1"  # the first number: what was there before works differently; the second: something was added
MOST_REQUEST = const(250)  # bytes of a request without its end of line
MOST_ID = const(12)
RECORDS = const(45)  # in one reply
MANY = const(90)  # in one line of a stream
HEAD_BYTES = const(360)  # of a header in one reply
_LINE = const(1984)  # bytes of a line of a stream with what fills it up
_LINES = const(2)  # of a stream sent in one step: some 9 ms on the Pico
_DIGITS = const(6)  # of the position in such a line
_TIDY = const(16)  # requests after which memory is tidied; each leaves up to 3 KB
_ROUNDS = const(4)  # times that input is taken in one step: a whole request
_MATCHES = const(8)  # of the list in one reply
_TEXTS = const(3)  # of a list of texts in one reply
_TEXT_BYTES = const(120)  # of one of them; names are shorter
_PACKET = const(64)  # of USB; all that is sent is a multiple of it, see the board's ``write``
_HEX = b"0123456789abcdef"
_MONTHS = b"\x1f\x1d\x1f\x1e\x1f\x1e\x1f\x1f\x1e\x1f\x1e\x1f"  # how many days they have


class Refused(Exception):
    """The request cannot be done; the text is one word for the reply."""


class Link:
    """Answers requests. ``step`` takes and gives a few bytes and never waits.

    The application loads this module when bytes come, and forgets it when none have come for a while.
    """

    def __init__(self, app, board):
        self.app = app
        self.board = board
        self._asked = bytearray(MOST_REQUEST)
        self._count = 0
        self._bad = True  # not in a line, or it is too long or has a byte that no line has
        self._requests = 0
        self._reply = b""
        self._length = 0
        self._sent = 0
        self._records = bytearray(MANY * SIZE)
        self._few = memoryview(self._records)[: RECORDS * SIZE]
        # A stream: its id, its line (made when it begins), the line from the base64 on, and what is to come.
        self._id = b""
        self._line = b""
        self._data = b""
        self._match = 0
        self._next = 0
        self._end = 0

    def idle(self):
        """Tell whether nothing is left to send."""
        return self._length == 0 and self._next >= self._end

    def step(self, buffer, count):
        """Take buffer[:count] and more that waits, answer a request that is complete, send what the laptop takes.

        True: it took some, and there is more for it.
        """
        rounds = _ROUNDS
        while True:
            for place in range(count):
                self._take(buffer[place])
            rounds -= 1
            if count < len(buffer) or not rounds:
                break
            count = self.board.read_into(buffer)
        return self._send()

    def _take(self, byte):
        if byte == 62:  # ">" stands nowhere else, so whatever half line was before it is given up
            self._count = 0
            self._bad = False
        elif byte == 10 or byte == 13:
            if not self._bad:
                self._bad = True
                self._request()
        elif byte < 32 or byte > 126 or byte == 60 or self._count == MOST_REQUEST - 1:  # "<": an echo of ours
            self._bad = True
        elif not self._bad:
            self._asked[self._count] = byte
            self._count += 1

    def _send(self):
        """Send what the laptop takes now; True: it took some, and there is more. In a stream it allocates nothing."""
        lines = _LINES
        took = False
        while self._length:
            taken = self.board.write(self._reply, self._sent, self._length)
            self._sent += taken
            took = took or taken > 0
            if self._sent < self._length:
                return took
            self._reply = b""
            self._length = self._sent = 0
            if self._next < self._end:
                self._do(self._id, Link._go_on, None)
                lines -= 1
                if not lines:
                    return True
        return False

    def _request(self):
        """Answer the line, which is the request without its ">"."""
        end = self._count - 5
        words = bytes(self._asked[: max(end, 0)]).split()
        if not words or self._asked[end] != 42 or len(words[0]) > MOST_ID:
            return
        self._requests += 1
        if self._requests % _TIDY == 0:
            self.app.untidy = True
        self._end = 0  # whoever asks something does not wait for the rest of a stream any more
        self._send()
        command = _COMMANDS.get(words[1] if len(words) > 1 else b"", Link._unknown)
        if bytes(self._asked[end + 1 : self._count]) != b"%04x" % crc16(self._asked, 0, end):
            command = Link._spoilt
        self._do(words[0], command, words[2:])

    def _do(self, id, command, words):
        """Do what was asked, and answer what came of it."""
        try:
            self._id = id
            found = command(self, words)
            if found is not True:  # else the answer is there already
                self._answer(id, b"ok " + found if found else b"ok")
        except Refused as error:
            self._answer(id, b"no " + error.args[0].encode())
        except MemoryError:
            self._answer(id, b"no memory")
        except Exception:  # whatever it is, the match goes on
            self._answer(id, b"no fault")

    def _answer(self, id, text):
        self._end = 0
        # A reply that nobody read is given up: its rest would be taken for the new one's beginning.
        start = b"\n<" if self._length else b"<"
        line = id + b" " + text
        reply = start + line + b"*%04x\n" % crc16(line, 0, len(line))
        self._reply = reply + b"\n" * (-len(reply) % _PACKET)
        self._length = len(self._reply)
        self._sent = 0

    def _go_on(self, words):
        """Make the stream's next line: where its records begin, and their base64; without any at the match's end."""
        line = self._line
        first = self._next
        count = min(self.app.journal.read(self._match, first, self._records), self._end - first)
        self._next += count
        end = len(line) - len(self._data)
        for place in range(end - 2, end - 2 - _DIGITS, -1):
            line[place] = 48 + first % 10
            first //= 10
        if count > 0:
            end += encode(self._data, self._records, SIZE * count)
        else:
            line[end] = 45
            end += 1
            self._end = 0
        crc = crc16(line, 2, end)
        line[end] = 42
        for place in range(end + 4, end, -1):
            line[place] = _HEX[crc & 15]
            crc >>= 4
        end += 5
        fill = _PACKET - end % _PACKET
        mix(line, end, fill, 0, 10)
        self._reply = line
        self._length = end + fill
        self._sent = 0
        return True

    # -- arguments ---------------------------------------------------------------------------------

    def _numbers(self, words, count):
        """Return so many arguments as integers; raises Refused."""
        numbers = []
        for word in words:
            if not word.isdigit() or len(word) > 6:
                raise Refused("arguments")
            numbers.append(int(word))
        if len(numbers) != count:
            raise Refused("arguments")
        return numbers

    def _text(self, words):
        """Return the one argument, base64 of UTF-8, as a string; raises Refused."""
        try:
            if len(words) == 1:
                return a2b_base64(words[0]).decode()
        except (ValueError, UnicodeError):
            pass
        raise Refused("arguments")

    def _entry(self, number):
        entry = self.app.journal.entry(number)
        if entry is None:
            raise Refused("match")
        return entry

    def _texts(self, texts, words):
        """Return how many texts there are, and from a position on a few of them as base64."""
        start = self._numbers(words, 1)[0]
        reply = b"%d" % len(texts)
        for text in texts[start : start + _TEXTS]:
            reply += b" " + _base64(text.encode()[:_TEXT_BYTES])
        return reply

    # -- commands ----------------------------------------------------------------------------------

    def _unknown(self, words):
        raise Refused("command")

    def _spoilt(self, words):
        raise Refused("check")

    def _hello(self, words):
        app = self.app
        return b"bazzi protocol=%s version=%s device=%s match=%d uptime=%d clock=%s disk=%s" % (
            PROTOCOL.encode(),
            VERSION.encode(),
            self.board.device_id.encode(),
            0 if app.session is None else app.entry.number,
            app.uptime_s,
            (self.board.clock() or "-").encode(),
            b"full" if app.journal.full() else b"low" if app.journal.nearly_full() else b"ok",
        ) + (b" fault=" + app.fault.split(":")[0].encode() if app.fault else b"")

    def _list(self, words):
        """list AFTER: matches with numbers above AFTER, as number:records:state:synced, oldest first."""
        after = self._numbers(words, 1)[0]
        found = [entry for entry in self.app.journal.entries() if entry.number > after]
        found.sort(key=_number_of)
        reply = b"%d" % len(found)
        for entry in found[:_MATCHES]:
            state = b"over" if entry.over else b"aside" if entry.aside else b"open"
            reply += b" %d:%d:%s:%d" % (entry.number, entry.records, state, entry.synced)
        return reply

    def _head(self, words):
        """head NUMBER FROM: bytes of the match's header line from an offset: all of them, then base64."""
        number, start = self._numbers(words, 2)
        self._entry(number)
        head = self.app.journal.header_bytes(number)
        return b"%d %s" % (len(head), _base64(head[start : start + HEAD_BYTES]))

    def _get(self, words):
        """get NUMBER FROM: records from a position: how many, then base64. With COUNT: a stream of so many."""
        if len(words) == 3:
            return self._stream(words)
        number, start = self._numbers(words, 2)
        self._entry(number)
        count = self.app.journal.read(number, start, self._few)
        return b"%d %s" % (count, _base64(self._few[: count * SIZE]))

    def _stream(self, words):
        number, start, count = self._numbers(words, 3)
        self._entry(number)
        if not self._line:
            self._line = bytearray(_LINE)
        head = b"\n<" + self._id + b" ok " + b"0" * _DIGITS + b" "  # the empty line: a reply may be broken off there
        copy(self._line, 0, head, 0, len(head), 0)
        self._data = memoryview(self._line)[len(head) :]
        self._match = number
        self._next = start
        self._end = start + count
        return self._go_on(words)

    def _live(self, words):
        """live: changes of the match under way so far, its number (0: none) and its records."""
        app = self.app
        if app.session is None:
            return b"%d 0 0" % app.changes()
        return b"%d %d %d" % (app.changes(), app.entry.number, app.entry.records)

    def _synced(self, words):
        """synced NUMBER RECORDS: the laptop has so many records of the match."""
        number, records = self._numbers(words, 2)
        if records > self._entry(number).records:
            raise Refused("records")
        if not self.app.journal.set_synced(number, records):
            raise Refused("disk")
        self.app.dirty = True

    def _delete(self, words):
        """delete NUMBER: only a match that is over and synced, and is not the one under way."""
        number = self._numbers(words, 1)[0]
        entry = self._entry(number)
        app = self.app
        if app.entry is not None and app.entry.number == number:
            raise Refused("open")
        if not entry.over or entry.synced != entry.records:
            raise Refused("unsynced")
        deleted = app.journal.delete(number)
        self.board.forget("keeper.recovery")
        if not deleted:
            raise Refused("disk")
        app.screen.refresh()

    def _clock(self, words):
        """clock TIME: the time of day, as YYYY-MM-DDTHH:MM:SS+HH:MM."""
        if len(words) != 1 or not _is_time(words[0]):
            raise Refused("arguments")
        self.board.set_clock(words[0].decode())

    def _names(self, words):
        """names FROM: the roster's names from a position: all of them, then a few as base64."""
        return self._texts(self.app.settings.roster, words)

    def _name(self, words):
        """name BASE64: put a name on the roster."""
        reason = self.app.settings.add_name(self._text(words))[1]
        if reason:
            raise Refused(reason)
        self._save()

    def _noname(self, words):
        """noname BASE64: take a name off the roster."""
        if not self.app.settings.remove_name(self._text(words)):
            raise Refused("name")
        self._save()

    def _settings(self, words):
        """settings: all settings as id=value."""
        return " ".join(["%s=%s" % (setting.id, self.app.settings.get(setting.id)) for setting in TABLE]).encode()

    def _set(self, words):
        """set ID VALUE: change a setting; it holds at once, on a dark display too."""
        if len(words) != 2:
            raise Refused("arguments")
        id = words[0].decode()
        value = words[1].decode()
        settings = self.app.settings
        if not settings.set(id, value) and not (value.isdigit() and len(value) < 7 and settings.set(id, int(value))):
            raise Refused("value")
        self.app.relight()
        self._save()

    def _save(self):
        if not self.app.settings.save():
            raise Refused("disk")

    def _screen(self, words):
        """screen: the texts on the screen as base64 of a JSON list, for who looks on from the laptop."""
        return _base64(json.dumps(self.app.told()).encode())

    def _warnings(self, words):
        """warnings FROM: what the box found damaged since it was switched on; as ``names``."""
        return self._texts(self.app.journal.warnings + self.app.settings.warnings, words)


_COMMANDS = {
    b"hello": Link._hello,
    b"list": Link._list,
    b"head": Link._head,
    b"get": Link._get,
    b"live": Link._live,
    b"synced": Link._synced,
    b"delete": Link._delete,
    b"clock": Link._clock,
    b"names": Link._names,
    b"name": Link._name,
    b"noname": Link._noname,
    b"settings": Link._settings,
    b"set": Link._set,
    b"screen": Link._screen,
    b"warnings": Link._warnings,
}


def _number_of(entry):
    return entry.number


def _base64(data):
    return b2a_base64(data)[:-1] if len(data) else b"-"


def _is_time(word):
    """Tell whether bytes are a time of day with an offset, each part in its range."""
    pattern = b"2000-00-00T00:00:00+00:00"
    if len(word) != len(pattern):
        return False
    for place in range(len(pattern)):
        sign = word[place]
        if place > 1 and pattern[place] == 48:
            if not 48 <= sign <= 57:
                return False
        elif sign != pattern[place] and not (place == 19 and sign == 45):
            return False
    year = int(word[:4])
    month = int(word[5:7])
    day = int(word[8:10])
    return (
        1 <= month <= 12
        and 1 <= day <= _MONTHS[month - 1]
        and not (month == 2 and day == 29 and year % 4)
        and int(word[11:13]) < 24
        and int(word[14:16]) < 60
        and int(word[17:19]) < 60
        and int(word[20:22]) < 15
        and int(word[23:25]) < 60
    )
