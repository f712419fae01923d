"""Many records for one request: line after line, and what happens when some of it gets lost, or nobody reads."""

from binascii import a2b_base64, b2a_base64

import pytest
from bazzi.archive import Archive
from bazzi.errors import LinkError
from bazzi.line import Line, Refused, Silent, open_device, parse_reply, seal
from bazzi.link import Box as LinkedTo
from bazzi.sim.box import STEP_MS
from hypothesis import given
from hypothesis import strategies as st
from keeper import base64
from keeper import link as device
from link_tools import HELLO, LoopDevice, Peer, answer, begin, deal, link_to, rows, sync_loop

from shared_rules.session import UNDO

DEALS = 100  # of four records, and one of the next: more than four lines
RECORDS = 401
OLD_HELLO = HELLO.replace("protocol=1.1", "protocol=1.0")


def press_right(box):
    box.hold(2)
    box.run(2 * STEP_MS)
    box.hold(0)
    box.run(2 * STEP_MS)


@pytest.fixture
def long(box):
    """A box with a match of RECORDS records under way."""
    begin(box)
    for number in range(DEALS):
        deal(box, "NESW"[number % 4], 50)
    answer(box, "N")  # now it asks for a number, which RIGHT changes
    press_right(box)  # the first press lights the display and does nothing else
    assert box.app.entry.records == RECORDS
    return box


def log_of(box):
    """Return all records as they are on the disk, those in the tail behind those in the log."""
    records = bytearray(16 * RECORDS)
    assert box.app.journal.read(1, 0, records) == RECORDS
    return bytes(records)


def greeted(box, device=None, **times):
    """Return the laptop's Box, which knows that this box streams."""
    linked = link_to(box, device, **times)
    linked.hello()
    return linked


class Spoiling(LoopDevice):
    """Gives whole lines to ``spoil(number, line)``, counted from 0, and passes on what that returns."""

    def __init__(self, box, spoil):
        super().__init__(box)
        self.spoil = spoil
        self.count = 0
        self.asked = []
        self.passed = bytearray()

    def write(self, data):
        self.asked.append(b" ".join(data.strip()[1:].rpartition(b"*")[0].split()[1:]).decode())
        super().write(data)

    @property
    def in_waiting(self):
        return 1000

    def read(self, size):
        while not self.passed:
            line = bytearray()
            while not line.endswith(b"\n"):
                piece = super().read(1)
                if not piece:
                    return b""
                line += piece
            if line != b"\n":
                line = self.spoil(self.count, line)
                self.count += 1
            self.passed += line
        data = bytes(self.passed[:size])
        del self.passed[:size]
        return data


# -- the box's side --------------------------------------------------------------------------------------------


@given(st.binary(max_size=200))
def test_base64_is_what_everybody_calls_so(data):
    room = bytearray(b"." * 280)
    signs = base64.encode(room, data, len(data))
    assert room[:signs] == b2a_base64(data, newline=False)
    assert room[signs:] == b"." * (280 - signs)


def test_every_line_of_a_stream_says_where_it_belongs(long):
    """Each is a reply of its own with the request's id and a check; together they are the log, and then it is quiet."""
    long.board.line_in += b">" + seal(f"s get 1 7 {RECORDS - 7}") + b"\n"
    long.run(20 * STEP_MS)
    said = bytes(long.board.line_out)
    at = 7
    whole = log_of(long)
    for line in filter(None, said.split(b"\n")):
        id, words, right = parse_reply(line)
        assert (id, right, words[0], len(words)) == ("s", True, "ok", 3) and len(line) <= 2000
        data = a2b_base64(words[2])
        assert int(words[1]) == at and data == whole[16 * at : 16 * at + len(data)]
        assert len(data) == 16 * min(device.MANY, RECORDS - at)
        at += len(data) // 16
    assert at == RECORDS and len(said) % 64 == 0
    long.run(1000)
    assert bytes(long.board.line_out) == said and long.app.link.idle()


@pytest.mark.parametrize(
    ("asked", "found"),
    [("1 0 0", []), ("1 401 5", []), ("1 70000 5", []), ("1 999999 999999", []), ("1 400 90", [400]), ("1 0 1", [0])],
)
def test_the_end_of_a_match_is_said(long, asked, found):
    """A line without records where there are none, after which nothing comes."""
    long.board.line_in += b">" + seal(f"s get {asked}") + b"\n"
    long.run(5 * STEP_MS)
    lines = [parse_reply(line)[1] for line in bytes(long.board.line_out).split(b"\n") if line]
    first, count = (int(word) for word in asked.split()[1:])
    ends = [first + len(found)] if count > len(found) or not count else []
    assert [int(words[1]) for words in lines] == found + ends
    assert [words[2] == "-" for words in lines] == [False] * len(found) + [True] * len(ends)


@pytest.mark.parametrize(("words", "reason"), [("9 0 5", "match"), ("1 0 x", "arguments"), ("1 0 5 5", "arguments")])
def test_what_cannot_be_streamed_is_refused(long, words, reason):
    with pytest.raises(Refused) as caught:
        link_to(long).line.request(f"get {words}")
    assert caught.value.word == reason


def test_the_next_request_ends_a_stream(long):
    """Whoever asks something else does not wait for the rest; the line that is on its way is ended or broken off."""
    for taken in (0, 64, 640):
        room = [taken]

        def write(buffer, start, end, room=room):
            count = min(end - start, room[0])
            room[0] -= count
            long.board.line_out += buffer[start : start + count]
            return count

        long.board.line_out.clear()
        long.board.write = write
        long.board.line_in += b">" + seal(f"old get 1 0 {RECORDS}") + b"\n"
        long.run(10 * STEP_MS)
        assert len(long.board.line_out) == taken and not long.app.link.idle()
        long.board.line_in += b">" + seal("new live") + b"\n"
        long.run(STEP_MS)
        room[0] = 1_000_000
        long.run(10 * STEP_MS)
        found = [parse_reply(line) for line in bytes(long.board.line_out).split(b"\n") if line]
        assert [one[0] for one in found if one[2]] == ["new"] and len(found) == 1 + (taken > 0)


def test_nobody_reads_a_stream(long):
    """Field report 73: keys are answered as ever, nothing is read ahead, and who reads at last gets the rest."""
    reads = []
    read = long.app.journal.read

    def counted(*arguments):
        reads.append(arguments)
        return read(*arguments)

    long.app.journal.read = counted
    write = long.board.write
    long.board.write = lambda buffer, start, end: 0
    long.board.line_in += b">" + seal(f"s get 1 0 {RECORDS}") + b"\n"
    long.run(STEP_MS)
    for _ in range(2):
        before = long.lines()
        press_right(long)
        assert long.lines() != before and not long.app.sending
    assert len(reads) == 1
    long.board.write = write
    long.run(20 * STEP_MS)
    records = [parse_reply(line)[1][2] for line in bytes(long.board.line_out).split(b"\n") if line]
    assert b"".join(a2b_base64(word) for word in records) == log_of(long)


def test_keys_are_answered_while_a_stream_is_sent(long):
    """A step sends a few lines and looks at the keys again; the next step follows at once."""
    long.board.line_in += b">" + seal(f"s get 1 0 {RECORDS}") + b"\n"
    long.run(STEP_MS)
    assert long.app.sending and long.board.line_out.count(b"<") == device._LINES
    before = long.lines()
    long.hold(2)  # RIGHT
    long.run(STEP_MS)
    assert long.lines() != before and not long.app.link.idle()
    long.hold(0)
    long.run(10 * STEP_MS)
    assert not long.app.sending and long.app.link.idle()


def test_a_match_that_is_played_on_during_a_stream(long):
    """Records that were made after it was asked for come too where the count allows it."""
    pieces = greeted(long).stream(1, 0, RECORDS + 1)
    data = next(pieces)
    long.app.undo()
    data += b"".join(pieces)
    assert len(data) == 16 * (RECORDS + 1) and data[:-16] == log_of(long) and data[-16] & 15 == UNDO


@pytest.mark.parametrize(("error", "word"), [(MemoryError, "memory"), (KeyError, "fault")])
def test_a_fault_in_the_middle_of_a_stream_is_an_answer(long, monkeypatch, error, word):
    linked = greeted(long)
    read = long.app.journal.read

    def failing(number, first, buffer):
        if first:
            raise error
        return read(number, first, buffer)

    monkeypatch.setattr(long.app.journal, "read", failing)
    pieces = linked.stream(1, 0, RECORDS)
    assert next(pieces) == log_of(long)[: 16 * device.MANY]
    with pytest.raises(Refused) as caught:
        next(pieces)
    assert caught.value.word == word
    assert linked.live().match == 1


# -- the laptop's side -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "count"), [(0, 401), (0, 1), (0, 90), (0, 91), (89, 2), (250, 151), (5, 0)])
def test_a_stream_is_the_log(long, first, count):
    linked = greeted(long)
    before = linked.line.requests
    assert b"".join(linked.stream(1, first, count)) == log_of(long)[16 * first : 16 * (first + count)]
    assert linked.line.requests - before == (count > 0)
    assert linked.live().records == RECORDS


def test_more_than_there_is(long):
    assert b"".join(greeted(long).stream(1, 390, 1000)) == log_of(long)[16 * 390 :]


def flip(line):
    line[len(line) // 2] ^= 1
    return line


@pytest.mark.parametrize("lost", [0, 2, 4])
@pytest.mark.parametrize("how", [flip, lambda line: line[:500], lambda line: b""], ids=["spoilt", "cut", "lost"])
def test_a_line_that_does_not_come_whole_is_asked_for_again(long, lost, how):
    """The first, one in the middle, the last: all records come, each once, and only what is missing is asked for."""
    device_ = Spoiling(long, lambda number, line: how(line) if number == 1 + lost else line)  # hello is line 0
    linked = greeted(long, device_, silent_s=0.2)
    assert b"".join(linked.stream(1, 0, RECORDS)) == log_of(long)
    missing = device.MANY * lost
    assert device_.asked[1:] == [f"get 1 0 {RECORDS}", f"get 1 {missing} {RECORDS - missing}"]


def test_a_line_that_comes_twice_is_not_taken_twice(long):
    device_ = Spoiling(long, lambda number, line: line * 2 if number == 2 else line)
    assert b"".join(greeted(long, device_).stream(1, 0, RECORDS)) == log_of(long)


def test_a_line_that_never_comes_whole_is_one_error(long):
    """It is asked for three times; then what was there stays taken."""
    device_ = Spoiling(long, lambda number, line: flip(line) if b" 000090 " in line else line)
    pieces = greeted(long, device_).stream(1, 0, RECORDS)
    assert next(pieces) == log_of(long)[: 16 * device.MANY]
    with pytest.raises(Silent, match="broke off"):
        next(pieces)
    assert device_.asked[2:] == [f"get 1 90 {RECORDS - 90}"] * 3


def test_a_laptop_that_stops_reading_and_goes_on(long):
    """Field report 73: as the bytes wait on the box, none of them is lost."""
    linked = greeted(long)
    pieces = linked.stream(1, 0, RECORDS)
    data = next(pieces)
    long.run(30_000)
    assert data + b"".join(pieces) == log_of(long)


def test_a_laptop_that_breaks_a_stream_off_asks_something_else(long):
    linked = greeted(long)
    next(linked.stream(1, 0, RECORDS))
    assert linked.live().records == RECORDS
    assert b"".join(linked.stream(1, 0, RECORDS)) == log_of(long)


@pytest.mark.parametrize(
    "reply", ["ok 0", "ok 0 QUJD", "ok x -", "ok 0 !!!!", "ok 0 - -", "ok 0 " + b2a_base64(bytes(15)).decode().strip()]
)
def test_a_stream_that_makes_no_sense_is_never_taken(reply):
    def script(peer):
        peer.reply(peer.request()[0], f"ok {HELLO}")
        peer.reply(peer.request()[0], reply)

    with Peer(script) as peer, Line(peer.port, open_device(peer.port), 30, 60) as line:
        linked = LinkedTo(line)
        linked.hello()
        with pytest.raises(LinkError, match="something unknown"):
            list(linked.stream(1, 0, 9))


def test_a_box_of_before_is_asked_for_each_piece():
    """Protocol 1.0: a count would be refused there."""
    records = [bytes([number]) * 16 for number in range(100)]

    def script(peer):
        peer.reply(peer.request()[0], f"ok {OLD_HELLO}")
        while True:
            id, words = peer.request()
            assert words[:2] == ["get", "3"] and len(words) == 3
            some = records[int(words[2]) : int(words[2]) + 45]
            peer.reply(id, f"ok {len(some)} {b2a_base64(b''.join(some), newline=False).decode() or '-'}")

    with Peer(script) as peer, Line(peer.port, open_device(peer.port), 30, 60) as line:
        linked = LinkedTo(line)
        linked.hello()
        assert b"".join(linked.stream(3, 2, 60)) == b"".join(records[2:62])
        assert b"".join(linked.stream(3, 90, 60)) == b"".join(records[90:])
        asked = [text.split()[1:] for text in peer.requests[1:]]
    assert asked == [["get", "3", at] for at in ("2", "47", "90", "100")]


def test_a_sync_with_a_box_of_before(long, path, tmp_path, monkeypatch):
    """The archive is the same, and a line says that the box is older."""
    with Archive(path, create=True) as archive:
        assert sync_loop(long, archive).notes == []
    monkeypatch.setattr(device, "PROTOCOL", "1.0")
    monkeypatch.setattr(device.Link, "_stream", lambda self, words: self._numbers(words, 2))
    other = tmp_path / "other.sqlite3"
    with Archive(other, create=True) as archive:
        (note,) = sync_loop(long, archive).notes
    assert "speaks protocol 1.0" in note and rows(other) == rows(path)
