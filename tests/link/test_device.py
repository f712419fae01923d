"""The box's side of the line: whatever comes, the match stays as it is and the next request is answered."""

import random

import pytest
from bazzi.line import Refused, parse_reply, seal
from bazzi.sim.box import STEP_MS, Box
from bazzi.sim.micro import MicroBox
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keeper import link as device
from link_tools import answer, aside, begin, deal, link_to, needs_micropython

FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
HELLO = b">h hello*" + seal("h hello")[-4:] + b"\n"
WORDS = [name.decode() for name in device._COMMANDS]


@pytest.fixture(scope="module")
def playing(tmp_path_factory):
    """A box in the middle of the second deal."""
    box = Box(tmp_path_factory.mktemp("playing"), seed=1)
    begin(box)
    deal(box, "N", 60)
    answer(box, "W", 12, "S")
    yield box
    box.close()


def state(box):
    """Return all that may not change: the match in memory, on the disk and on the screen."""
    session = box.app.session
    steps = [(session.kind(i), session.ask(i), session.seat(i), session.value(i)) for i in range(session.steps)]
    question = session.question
    asked = (question.kind, question.ask, question.seat, question.lo, question.hi, question.words)
    number = box.app.entry.number
    records = bytearray(16 * 100)
    count = box.app.journal.read(number, 0, records)
    header = box.app.journal.header_bytes(number)
    return number, steps, asked, list(session.names), count, bytes(records), header, box.lines()


def serve(box, *pieces):
    """Send pieces, each in a step of its own, and return what the box answers."""
    for piece in pieces:
        box.board.line_in += piece
        box.run(STEP_MS)
    while box.board.line_in or (box.app.link is not None and not box.app.link.idle()):
        box.run(STEP_MS)
    said = bytes(box.board.line_out)
    box.board.line_out.clear()
    return said


def replies(said):
    """Return the replies in what a box said; all of it has to be replies."""
    found = []
    for line in said.split(b"\n"):
        if line:
            reply = parse_reply(line)
            assert line.startswith(b"<") and reply is not None and reply[2], line
            assert len(line) <= 2000 and all(32 <= byte < 127 for byte in line)
            found.append(reply[:2])
    return found


def stays(box, *pieces):
    """Send pieces to a box that plays: nothing changes, and hello is answered. Returns the replies before it."""
    before = state(box)
    found = replies(serve(box, *pieces))
    assert not any(words[-1] == "fault" for _, words in found)
    assert state(box) == before
    (hello,) = replies(serve(box, HELLO))
    assert hello[0] == "h" and hello[1][:2] == ["ok", "bazzi"]
    return found


@FUZZ
@given(st.lists(st.binary(max_size=400), max_size=4))
def test_random_bytes(playing, pieces):
    assert stays(playing, *pieces) == []


@FUZZ
@given(st.data())
def test_spoilt_requests(playing, data):
    """A request with bytes changed, lost, doubled or put in is refused or thrown away."""
    text = data.draw(st.sampled_from(["a hello", "b get 1 0", "e get 1 0 300", "c synced 1 0", "d list 0"]))
    raw = bytearray(b">" + seal(text) + b"\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
        if not raw:
            return
    stays(playing, bytes(raw))


@FUZZ
@given(st.sampled_from(WORDS), st.lists(st.text("0123456789AZaz+/=-:.T", max_size=20), max_size=4))
def test_any_arguments(playing, command, words):
    """Every request whose check is right is answered, once."""
    text = " ".join(["x", command, *words])
    found = stays(playing, b">" + seal(text) + b"\n")
    assert len(found) == (len(text) + 6 <= device.MOST_REQUEST)
    assert all(id == "x" and words[0] in ("ok", "no") for id, words in found)


@FUZZ
@given(st.text(max_size=30))
def test_any_name(playing, name):
    """Field report 70: whatever is in a name, control characters too, it is taken or refused, never obeyed."""
    import binascii

    raw = binascii.b2a_base64(name.encode("utf-8", "surrogatepass"), newline=False).decode() or "="
    stays(playing, b">" + seal(f"n name {raw}") + b"\n")
    kept = playing.app.settings.roster
    assert all(one.isprintable() or not one.isascii() for one in kept)
    if len(kept) > 20:
        kept.clear()


@pytest.mark.parametrize("byte", [*range(33), 127, 128, 255])
def test_every_control_byte(playing, byte):
    """Field report 70: a byte 3 or any other within a line is garbage, in the command, the name and the check."""
    sign = bytes([byte])
    whole = b">" + seal("y name QW5u") + b"\n"
    stays(playing, sign * 70)
    for at in (1, 3, 8, 11, len(whole) - 3):
        stays(playing, whole[:at] + sign + whole[at:])


@pytest.mark.parametrize("noise", [b"\x01", b"AT\r", b"AT+GCAP\r", b"\x01\x03", b"\x04\x02~\x00\xff", b"+++", b">>>"])
def test_a_modem_daemon_that_looks_at_the_port(playing, noise):
    """Field report 78: what such daemons send does nothing, and the box answers the next hello."""
    assert stays(playing, noise) == []


@pytest.mark.parametrize("length", range(1, 301))
def test_every_length(playing, length):
    """Field report 71: lines of every length, around full USB packets too, get their answer or silence."""
    pad = length - len(b"> hello *0000\n") - 1
    line = b">" + seal("z hello " + "x" * pad) + b"\n" if pad >= 0 else b"x" * (length - 1) + b"\n"
    assert len(line) == length
    found = stays(playing, line)
    assert len(found) == (pad >= 0 and length - 1 <= device.MOST_REQUEST)


def test_all_that_is_sent_is_whole_packets(playing):
    """Field report 73: then there is room for none of a packet in MicroPython's buffer, or for all of it.

    Field report 71 (64 bytes sent wait for the next one) does not follow: see the test on the emulated board.
    """
    for pad in range(70):
        id = ("i" * 12)[: pad % 12 + 1]
        for command in ("live", "settings", "screen", f"{'c' * (pad + 1)}"):
            said = serve(playing, b">" + seal(f"{id} {command}") + b"\n")
            assert len(said) % 64 == 0 and replies(said)[0][0] == id


@pytest.mark.parametrize("flood", [b"\xff", b"A", b">", b"<", b"\n", b"*", b">a list 0*0000\n"])
def test_a_flood_is_thrown_away(playing, flood):
    """Field report 70: 20,000 bytes at once; none of them stays, and half a line holds nothing up."""
    stays(playing, (flood * 20000)[:20000])
    stays(playing, b">half a li")


def test_half_a_line_is_given_up_at_the_next_request(playing):
    """Field reports 75, 94: who broke off in the middle of a line does not spoil the next request."""
    whole = b">" + seal("k live") + b"\n"
    for at in range(len(whole)):
        before = state(playing)
        assert [id for id, _ in replies(serve(playing, whole[:at] + HELLO))] == ["h"]
        assert state(playing) == before


def test_in_pieces(playing):
    """A request may come in any pieces."""
    whole = b">" + seal("k live") + b"\n"
    for at in range(1, len(whole)):
        assert [id for id, _ in stays(playing, whole[:at], whole[at:])] == ["k"]
    assert [id for id, _ in stays(playing, *[bytes([byte]) for byte in whole])] == ["k"]


def test_requests_one_after_the_other_are_all_answered(playing):
    lines = b"".join(b">" + seal(f"{number} get 1 0") + b"\n" for number in range(40))
    assert [id for id, _ in stays(playing, lines)] == [str(number) for number in range(40)]


def test_nobody_reads(tmp_path):
    """Field report 73: who opened the port and stopped reading holds nothing up, and the next sync works."""
    box = Box(tmp_path / "box", seed=1)
    begin(box)
    taken = []
    box.board.write = lambda buffer, start, end: 0
    box.board.line_in += b"".join(b">" + seal(f"{number} get 1 0") + b"\n" for number in range(50))
    deal(box, "N", 60)
    assert not box.board.line_in and box.app.session.steps == 4
    del box.board.write  # now somebody reads again, a byte at a time
    box.board.write = lambda buffer, start, end: taken.append(buffer[start]) or 1
    box.board.line_in += HELLO
    box.run(3000)
    line = bytes(taken).strip().split(b"\n")[-1]
    assert parse_reply(line)[0] == "h" and parse_reply(line)[2]
    box.close()


def test_the_link_is_forgotten_when_it_is_quiet(playing):
    """Its memory is given back, and it is there again when something is asked."""
    serve(playing, HELLO)
    assert playing.app.link is not None
    playing.run(11000)
    assert playing.app.link is None
    stays(playing)


def test_delete_only_what_is_over_and_fetched(box):
    for end in (True, True, False):
        begin(box)
        deal(box, "N", 60)
        if end:
            box.app.end()
    linked = link_to(box)

    def reason(*words):
        with pytest.raises(Refused) as caught:
            linked.line.request(" ".join(words))
        return caught.value.word

    assert reason("delete", "1") == "unsynced" and reason("delete", "3") == "open" and reason("delete", "9") == "match"
    assert reason("synced", "1", "6") == "records"
    linked.synced(1, 4)
    assert reason("delete", "1") == "unsynced"
    linked.synced(1, 5)
    linked.delete(1)
    assert [one.number for one in linked.matches()] == [2, 3]
    assert reason("delete", "1") == "match"
    box.cut()
    assert [(one.number, one.state) for one in link_to(box).matches()] == [(2, "over"), (3, "open")]


def test_deleting_forgets_what_it_loaded(box, monkeypatch):
    """Memory: the module that deletes is not kept, whether it could or not."""
    forgotten = []
    for _ in range(2):
        begin(box)
        box.app.end()
        aside(box)
    linked = link_to(box)
    linked.synced(1, 1)
    linked.synced(2, 1)
    monkeypatch.setattr(box.board, "forget", forgotten.append)
    linked.delete(1)
    assert forgotten == ["keeper.recovery"]
    monkeypatch.setattr(box.app.journal, "delete", lambda number: False)
    with pytest.raises(Refused, match="disk"):
        linked.delete(2)
    assert forgotten == ["keeper.recovery"] * 2


def test_a_deleted_match_leaves_the_screen_that_lists_it(box):
    begin(box)
    box.app.end()
    box.app.put_aside()
    box.app.go_home()
    linked = link_to(box)
    linked.synced(1, 1)
    linked.delete(1)
    box.run(STEP_MS)
    assert linked.matches() == []


@pytest.mark.parametrize(
    "time",
    ["2026-11-29T19:05:00+05:30", "2024-02-29T00:00:00-03:00", "2000-01-31T23:59:59+14:59"],
)
def test_clock(box, time):
    """Field report 58."""
    link_to(box).line.request(f"clock {time}")
    assert box.board.clock() == time


@pytest.mark.parametrize(
    "time",
    [
        *("", "now", "2026-11-29T19:05:00Z", "2026-11-29 19:05:00+05:30", "2026-13-01T00:00:00+00:00"),
        *("2026-02-29T00:00:00+00:00", "2026-04-31T00:00:00+00:00", "1970-01-01T00:00:00+00:00"),
        *("2026-11-00T19:05:00+05:30", "2026-11-29T24:05:00+05:30", "2026-11-29T19:60:00+05:30"),
        *("2026-11-29T19:05:60+05:30", "2026-11-29T19:05:00+15:30", "2026-11-29T19:05:00+05:60"),
        *("2026-11-2 T19:05:00+05:30", "+026-11-29T19:05:00+05:30", "2026-11-29T19:05:00+05:30:00"),
    ],
)
def test_an_impossible_clock_is_refused(box, time):
    with pytest.raises(Refused):
        link_to(box).line.request(f"clock {time}")
    assert box.board.clock() == ""


def test_settings_hold_at_once_and_after_a_power_cut(box):
    linked = link_to(box)
    linked.set("brightness", "1")
    linked.set("flip", "on")
    box.run(STEP_MS)
    assert box.board.flip and box.board.contrast < 100
    for id, value in (("brightness", "6"), ("brightness", "on"), ("nothing", "1"), ("flip", "1")):
        with pytest.raises(Refused):
            linked.set(id, value)
    box.cut()
    assert link_to(box).settings()["brightness"] == "1"


def test_the_roster_comes_and_goes(box):
    linked = link_to(box)
    names = ["Jürgen", "प्रिया", "Ann-Sophie", "O'Hara", "王", "Zoë", "x" * 24]
    for name in [*names, "Zoë"]:
        linked.add_name(name)
    assert linked.roster() == names
    with pytest.raises(Refused, match="24 bytes"):
        linked.add_name("x" * 25)
    linked.remove_name("Zoë")
    linked.remove_name("Zoë")
    assert linked.roster() == [name for name in names if name != "Zoë"]
    box.cut()
    assert len(link_to(box).roster()) == 6


def test_many_matches_are_listed_in_parts(box):
    for _ in range(20):
        begin(box)
    assert [one.number for one in link_to(box).matches()] == list(range(1, 21))


def test_live_tells_every_step(box):
    """Undo, a correction and another name are steps as well."""
    linked = link_to(box)
    assert (linked.live().match, linked.live().records) == (0, 0)
    begin(box)
    seen = [linked.live()]
    steps = (
        lambda: deal(box, "N", 60),
        box.app.undo,
        lambda: answer(box, 61),
        lambda: box.app.amend(1, 12),
        lambda: box.app.rename(1, "Somebody else"),
        lambda: box.app.adjust(0, 5),
        box.app.end,
    )
    for step in steps:
        step()
        seen.append(linked.live())
    assert len({one.changes for one in seen}) == len(seen)
    assert [one.records for one in seen] == [0, 4, 5, 6, 7, 9, 10, 11]


def test_the_header_comes_in_parts(box):
    begin(box, ["Ж" * 12, "Ю" * 12, "Щ" * 12, "Я" * 12])
    header = link_to(box).header(1)
    assert header == box.app.journal.header_bytes(1) and len(header) > device.HEAD_BYTES


def test_a_fault_in_the_box_is_an_answer(box, monkeypatch):
    """What goes wrong while the laptop asks is told to the laptop; the match goes on."""
    begin(box)
    linked = link_to(box)
    for error, word in ((MemoryError, "memory"), (OSError, "fault"), (KeyError, "fault")):

        def fail(*_, error=error):
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(box.app.journal, "read", fail)
            with pytest.raises(Refused) as caught:
                linked.records(1, 0)
        assert caught.value.word == word
    deal(box, "N", 60)
    assert len(linked.records(1, 0)) == 64


@needs_micropython
def test_the_same_under_micropython(micro: MicroBox):
    """Field reports 70, 71, 78: garbage of every kind over a pseudo-terminal, and hello after each."""
    import serial

    chance = random.Random(1)
    kinds = [bytes([byte]) * 3 for byte in range(256)]
    kinds += [b"AT+GCAP\r", b"\x01\x03", b"x" * 3000, b">" + b"y" * 63, b">" + b"y" * 249, b">half"]
    kinds += [chance.randbytes(chance.randint(1, 200)) for _ in range(100)]
    kinds += [b">" + seal("z hello " + "x" * (length - 15)) + b"\n" for length in (63, 64, 65, 127, 128, 129, 250, 251)]
    with serial.Serial(micro.port, timeout=20, exclusive=True) as port:
        for number, garbage in enumerate(kinds):
            port.write(garbage)
            id = f"n{number}"
            port.write(b">" + seal(f"{id} hello") + b"\n")
            while True:
                line = port.readline()
                assert line, garbage
                found = parse_reply(line.strip()) if line.strip() else None
                if found and found[0] == id:
                    break
            assert found[2] and found[1][:2] == ["ok", "bazzi"], garbage
