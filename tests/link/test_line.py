"""The laptop's side of the line against scripted peers on a pseudo-terminal."""

import errno
import grp
import os

import pytest
import serial
from bazzi import line as lines
from bazzi.cli import main
from bazzi.errors import LinkError, PortError
from bazzi.line import Line, Refused, Silent, open_device, open_trouble, parse_reply, seal
from bazzi.link import PROTOCOL, Box, Hello, protocol_note, read_hello
from hypothesis import given
from hypothesis import strategies as st
from link_tools import HELLO, Peer

QUICK = {"silent_s": 0.2, "most_s": 5.0}
OLD = b"<ffff-1 ok 77 1 77" + seal("ffff-1 ok 77 1 77")[-5:] + b"\n"
BANNER = b"MPY: soft reboot\r\nMicroPython v1.24.1 on 2024-11-29; Raspberry Pi Pico with RP2040\r\n>>> \r\n"


def talk(script, do, **times):
    """Run ``do(box)`` against a peer; returns what it returns, and the peer."""
    with Peer(script) as peer, Line(peer.port, open_device(peer.port), **(times or QUICK)) as line:
        return do(Box(line)), peer


def live(box):
    found = box.live()
    return found.changes, found.match, found.records


# -- replies -----------------------------------------------------------------------------------------------


@given(st.binary(max_size=60))
def test_no_garbage_is_a_whole_reply(garbage):
    """Field report 94."""
    found = parse_reply(garbage)
    assert found is None or not found[2]


@given(st.binary(max_size=40).filter(lambda raw: b"\n" not in raw and b"\r" not in raw))
def test_a_reply_is_found_behind_any_half_line(before):
    """Field report 94."""
    assert parse_reply(before + b"<" + seal("a-1 ok 1 2")) == ("a-1", ["ok", "1", "2"], True)


@given(st.data())
def test_a_cut_or_spoilt_reply_is_never_whole(data):
    """Field report 95."""
    raw = bytearray(b"<" + seal("a-1 ok 23 4 567"))
    cut = data.draw(st.integers(0, len(raw) - 1))
    found = parse_reply(bytes(raw[:cut]))
    assert found is None or not found[2]
    raw[cut] ^= data.draw(st.integers(1, 127))
    found = parse_reply(bytes(raw))
    assert found is None or not found[2]


def test_bytes_that_were_left_over():
    """Field report 94: half a frame, a banner, an old dump of 64 kB, late replies; then the reply is still found."""

    def script(peer):
        for _ in range(2):
            id, words = peer.request()
            assert words == ["live"]
            peer.send(b"7 3 22*ab")
            peer.send(BANNER + OLD)
            peer.send((b"<ffff-2 ok 24 " + b"QUJD" * 100 + b"*0000\n") * 160)
            peer.send(b"x" * 3000)  # a line too long to be one
            peer.reply(id, "ok 8 1 30")
        while True:
            peer.request()
            raise AssertionError("it was asked again")

    got, _ = talk(script, lambda box: [live(box), live(box)], silent_s=30, most_s=60)
    assert got == [(8, 1, 30), (8, 1, 30)]


def test_a_late_reply_is_not_taken_for_the_next():
    """Field report 94: the reply to a request that was made again comes while the next one is waited for."""

    def script(peer):
        first, _ = peer.request()
        second, _ = peer.request()  # nothing came for a while, so it is asked again
        assert first != second
        peer.reply(first, "ok 1 1 10")
        words = ["live"]
        while words == ["live"]:
            id, words = peer.request()
        assert words == ["settings"]
        peer.reply(second, "ok 1 1 10")
        peer.reply("ffff-9", "ok 5 5 5")
        peer.reply(id, "ok flip=on")

    got, peer = talk(script, lambda box: [live(box), box.settings()], silent_s=0.5, most_s=60)
    assert got == [(1, 1, 10), {"flip": "on"}]
    ids = [text.split()[0] for text in peer.requests]
    assert len(set(ids)) == len(ids) >= 3


def test_two_laptops_do_not_choose_the_same_ids():
    """Field report 94."""
    seen = set()
    for _ in range(20):

        def script(peer):
            id, _ = peer.request()
            seen.add(id)
            peer.reply(id, "ok 0 0 0")

        talk(script, live, silent_s=30, most_s=60)
    assert len(seen) > 15


@pytest.mark.parametrize("piece", [1, 2, 7, 31, 64])
def test_a_reply_in_pieces(piece):
    """Field report 95."""

    def script(peer):
        for _ in range(3):
            id, _ = peer.request()
            peer.reply(id, "ok 12345 7 23", piece)

    got, _ = talk(script, lambda box: [live(box) for _ in range(3)], silent_s=30, most_s=60)
    assert got == [(12345, 7, 23)] * 3


def test_a_reply_that_stops_in_a_number_is_never_read():
    """Field report 95: "1 7 23" that stops after the 2 is asked for again, and given up at last."""

    def script(peer):
        for _ in range(lines.TRIES):
            id, _ = peer.request()
            peer.send(b"\n<" + f"{id} ok 1 7 2".encode())
        peer.line()

    with pytest.raises(Silent, match="no answer"):
        talk(script, live)


def test_bytes_that_never_end_are_given_up():
    """Field report 95: the deadline for the whole holds although something comes all the time."""

    def script(peer):
        id, _ = peer.request()
        while True:
            peer.send(f"<{id} ok 1 ".encode())

    with pytest.raises(Silent):
        talk(script, live, silent_s=30, most_s=0.5)


def test_a_spoilt_reply_is_asked_for_again_at_once():
    """Field report 94."""

    def script(peer):
        id, _ = peer.request()
        peer.send(b"<" + seal(f"{id} ok 1 1 10").replace(b"ok 1", b"ok 9") + b"\n")
        id, _ = peer.request()
        peer.reply(id, "no check")
        id, _ = peer.request()
        peer.reply(id, "ok 1 1 10")

    got, peer = talk(script, live, silent_s=30, most_s=60)
    assert got == (1, 1, 10) and len(peer.requests) == 3


def test_a_line_that_spoils_everything_is_one_error():
    def script(peer):
        for _ in range(lines.TRIES):
            peer.reply(peer.request()[0], "no check")

    with pytest.raises(Refused, match="spoilt"):
        talk(script, live, silent_s=30, most_s=60)


@pytest.mark.parametrize(
    "reply", ["ok", "ok 1", "ok 1 2 3 4", "ok 1 2 x", "ok -1 2 3", "ok 1 2 3.5", "maybe", "no", "no idea"]
)
def test_a_reply_that_makes_no_sense_is_one_error(reply):
    def script(peer):
        peer.reply(peer.request()[0], reply)

    with pytest.raises(LinkError) as caught:
        talk(script, live, silent_s=30, most_s=60)
    assert "\n" not in str(caught.value) and "'live'" in str(caught.value)


@pytest.mark.parametrize("reply", ["ok 24 QUJD", "ok 1 QUJD=QU", "ok 0 QUJD", "ok x -", "ok 1 !!!!"])
def test_records_that_make_no_sense_are_never_taken(reply):
    def script(peer):
        peer.reply(peer.request()[0], reply)

    with pytest.raises(LinkError):
        talk(script, lambda box: box.records(1, 0), silent_s=30, most_s=60)


def test_lists_that_never_end_are_given_up():
    def script(peer):
        while True:
            id, words = peer.request()
            count = words[-1]
            peer.reply(id, f"ok 9 {count}:1:over:0" if count != "0" else "ok 9 1:1:over:0")

    with pytest.raises(LinkError):
        talk(script, lambda box: box.matches(), silent_s=30, most_s=60)


def test_a_request_never_just_fills_packets():
    """Field report 71: 64 bytes sent have been known to wait for the next one."""
    sizes = []

    class Device:
        in_waiting = 0

        def write(self, data):
            sizes.append(len(data))

        def read(self, size):
            return b""

    line = Line("x", Device(), silent_s=0, most_s=0.001)
    for length in range(150):
        with pytest.raises(Silent):
            line.request("x" * length)
    assert len(sizes) >= 150 and all(size % 64 for size in sizes)


# -- what may be at the other end ----------------------------------------------------------------------------


def hello_of(text):
    def script(peer):
        peer.reply(peer.request()[0], "ok " + text)

    return talk(script, lambda box: box.hello(), silent_s=30, most_s=60)[0]


def test_hello():
    assert hello_of(HELLO) == Hello((1, 1), "0.1.0", "e661", 0, 9, "", "ok")
    assert hello_of(HELLO + " colour=red").device == "e661"


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        ("protocol=0.9 ", ["protocol 0.9 (bazzi 0.1.0)", "this laptop 1.1", "bazzi install --port"]),
        ("protocol=2.0 ", ["protocol 2.0 (bazzi 0.1.0)", "this laptop 1.1", "pip install --upgrade bazzi"]),
        ("", ["names no protocol", "bazzi 0.1.0", "this laptop 1.1", "bazzi install --port"]),
        ("protocol=new ", ["names no protocol", "bazzi install --port"]),
    ],
)
def test_another_protocol_is_one_line_with_both_versions(protocol, words):
    """Field report 97."""
    with pytest.raises(LinkError) as caught:
        hello_of(HELLO.replace("protocol=1.1 ", protocol))
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_protocol_with_additions_still_works():
    """Field report 97: old matches can be fetched, and a line says which command makes both equal."""
    newer = hello_of(HELLO.replace("1.1", "1.7"))
    assert newer.protocol == (1, 7)
    assert "pip install --upgrade bazzi" in protocol_note(newer, "COM3")
    assert protocol_note(hello_of(HELLO), "COM3") == ""
    assert read_hello(["bazzi", "protocol=1"]).protocol == (1, 0) and PROTOCOL == (1, 1)


def test_a_box_that_does_not_know_an_addition():
    """Field report 97."""

    def script(peer):
        peer.reply(peer.request()[0], "no command")

    assert talk(script, lambda box: box.warnings(), silent_s=30, most_s=60)[0] == []


@pytest.mark.parametrize(
    ("heard", "words"),
    [
        (BANNER, "MicroPython prompt"),
        (b'>>> >aa hello*1234\r\nTraceback (most recent call last):\r\n  File "<stdin>", line 1\r\n>>> ', "prompt"),
        (b"raw REPL; CTRL-B to exit\r\n>", "another program"),
        (b'Traceback (most recent call last):\r\n  File "main.py", line 3\r\nOSError: 5\r\n', "stopped with an error"),
        (b"$GPGGA,123519,4807.038,N\r\n", "something else answers"),
        (b"", "no answer"),
    ],
)
def test_a_board_without_bazzi_is_named(heard, words):
    """Field reports 94, 97: the prompt in place of an answer; the message names the next command."""

    def script(peer):
        for _ in range(lines.TRIES):
            peer.request()
            peer.send(heard)
        peer.line()

    with pytest.raises(Silent, match=words) as caught:
        talk(script, lambda box: box.hello())
    assert "bazzi install --port" in str(caught.value) and "\n" not in str(caught.value)


def test_something_that_answers_otherwise():
    with pytest.raises(LinkError, match="something else than Bazzi"):
        hello_of("moonraker 7")


def test_the_port_disappears():
    """Field report 90: the plug is pulled while an answer is waited for."""

    def script(peer):
        peer.request()
        peer.unplug()

    with pytest.raises(LinkError, match="broke off"):
        talk(script, live, silent_s=30, most_s=60)


# -- opening --------------------------------------------------------------------------------------------------


def test_a_port_in_use_is_refused_at_once(capsysbinary, tmp_path):
    """Field reports 85, 86: a second sync ends at once, with one line, and touches nothing."""
    with Peer(lambda peer: None) as peer, Line.open(peer.port):
        with pytest.raises(PortError, match=r"in use.*Thonny"):
            open_device(peer.port)
        assert main(["sync", "--port", peer.port]) == 3
    out, err = capsysbinary.readouterr()
    assert out == b"" and err.count(b"\n") == 1 and b"in use" in err


def test_a_port_that_is_probed_is_waited_for(monkeypatch):
    """Field report 78: ModemManager has it for some seconds; it is named, once, and then all goes on."""
    told, slept, opened = [], [], []

    def busy(*_, **__):
        opened.append(1)
        if len(opened) < 4:
            raise serial.SerialException(errno.EBUSY, "could not open port /dev/ttyACM0: Device or resource busy")
        return "device"

    monkeypatch.setattr(lines.serial, "Serial", busy)
    monkeypatch.setattr(lines.time, "sleep", slept.append)
    assert open_device("/dev/ttyACM0", tell=told.append) == "device"
    assert len(told) == 1 and "ModemManager" in told[0] and len(slept) == 3
    opened.clear()
    with pytest.raises(PortError, match="ModemManager"):
        open_device("/dev/ttyACM0", wait_s=0)


def test_no_permission_names_the_group(tmp_path):
    """Field report 87: the port's own group, how to join it, and that one has to log out."""
    port = tmp_path / "ttyACM0"
    port.touch()
    gid = next(group.gr_gid for group in grp.getgrall() if group.gr_name not in ("root", "dialout"))
    os.chown(port, -1, gid) if os.geteuid() == 0 else None
    error = serial.SerialException(errno.EACCES, f"could not open port {port}: [Errno 13] Permission denied")
    message = str(open_trouble(str(port), error))
    name = grp.getgrgid(port.stat().st_gid).gr_name
    assert "no permission" in message and f"the group {name}" in message and f"-aG {name}" in message
    assert "log out" in message and "\n" not in message and "no such port" not in message


def test_no_permission_for_real():
    """Field report 87."""
    user = os.geteuid()
    with Peer(lambda peer: None) as peer:
        os.chmod(peer.port, 0)
        if user == 0:  # root may open everything
            os.seteuid(65534)
        try:
            with pytest.raises(PortError, match="no permission"):
                open_device(peer.port)
        finally:
            os.seteuid(user)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (serial.SerialException("could not open port 'COM9': FileNotFoundError(2, 'x', None, 2)"), "no such port"),
        (serial.SerialException("could not open port 'COM3': PermissionError(13, 'Access is denied.')"), "in use"),
        (serial.SerialException(11, "Could not exclusively lock port x: [Errno 11]"), "in use"),
        (serial.SerialException(16, "could not open port x: [Errno 16] Device or resource busy"), "in use"),
        (serial.SerialException(5, "could not open port x: [Errno 5]"), "cannot be opened: input/output error"),
        (serial.SerialException("could not open port 'COM3': OSError(22, 'semaphore')"), "cannot be opened: 'COM3'"),
        (serial.SerialException("Could not configure port: (25, 'Inappropriate ioctl')"), "not a serial port"),
        (serial.SerialException(6, "could not open port x: [Errno 6] No such device or address"), "no such port"),
        (ValueError("embedded null byte"), "not a serial port"),
    ],
)
def test_every_way_not_to_open_is_one_line(error, words):
    """Field reports 86, 87."""
    message = str(open_trouble("COM9", error))
    assert message.startswith("COM9: ") and words in message and "\n" not in message


@pytest.mark.parametrize("port", ["/nonexistent/tty", "", "/", "/etc/hostname", "x\0y", "\udcff"])
def test_no_port_at_all(port, capsysbinary):
    with pytest.raises(PortError):
        open_device(port)
    assert main(["sync", "--port", port]) == 3
    out, err = capsysbinary.readouterr()
    assert out == b"" and err.count(b"\n") == 1 and b"Traceback" not in err


@pytest.mark.parametrize("port", ["COM3", "COM12", "COM27", "com12", r"\\.\COM12", "/dev/pts/3"])
def test_port_names_pass_unchanged(port, monkeypatch, capsysbinary):
    """Field report 91: never shortened, never another port."""
    seen = []

    def refuse(name, **_):
        seen.append(name)
        raise serial.SerialException(2, f"could not open port {name}")

    monkeypatch.setattr(lines.serial, "Serial", refuse)
    assert main(["sync", "--port", port]) == 3
    assert seen == [port] and port.encode() in capsysbinary.readouterr().err
