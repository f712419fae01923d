"""Which ports may be a box, and what is done when there is none or two."""

from types import SimpleNamespace

import pytest
from bazzi import line as lines
from bazzi import ports
from bazzi.cli import main
from bazzi.errors import LinkError, PortError
from bazzi.link import Hello
from bazzi.ports import CANDIDATE, Found, Port, find, help_text, judge
from link_tools import HELLO, Peer

HERE = Hello((1, 1), "0.1.0", "e661", 0, 9, "", "ok")


def info(device, vid=None, pid=None, **more):
    found = {"serial_number": None, "manufacturer": None, "product": None, "description": "n/a", **more}
    return SimpleNamespace(device=device, vid=vid, pid=pid, **found)


PICO = info("/dev/ttyACM0", 0x2E8A, 0x0005, manufacturer="MicroPython", product="Board in FS mode")
PRINTER = info("/dev/ttyUSB0", 0x1A86, 0x7523, description="USB2.0-Serial")
MODEM = info("/dev/ttyACM5", 0x12D1, 0x1506, manufacturer="Huawei")
BOARD = info("/dev/ttyS0")
PROBE = info("/dev/ttyACM7", 0x2E8A, 0x000C)
OTHERS = [PRINTER, MODEM, BOARD, PROBE, info("/dev/ttyACM8", 0x2E8A, 0x0003)]


@pytest.mark.parametrize(
    "one",
    [
        PICO,
        info("COM3", 0x2E8A, 0x0005, manufacturer="Microsoft"),
        info("COM4", 0x2E8A, 0x1025),
        info("COM5", 0x239A, 0x8012, manufacturer="MicroPython"),
    ],
)
def test_a_pico_with_micropython_is_a_candidate(one):
    assert judge(one).kind == CANDIDATE


@pytest.mark.parametrize("one", OTHERS)
def test_nothing_else_is_a_candidate(one):
    assert judge(one).kind != CANDIDATE and judge(one).judgement


def test_nothing_else_is_ever_opened(monkeypatch, capsysbinary):
    """Field report 89: what we send could confuse somebody's printer."""

    def fail(*_, **__):
        raise AssertionError("a port was opened")

    monkeypatch.setattr(ports, "comports", lambda: OTHERS)
    monkeypatch.setattr(lines.serial, "Serial", fail)
    assert main(["ports"]) == 0
    out, err = capsysbinary.readouterr()
    assert b"/dev/ttyUSB0" in out and b"charge" in out and err == b""
    assert main(["sync"]) == 3
    out, err = capsysbinary.readouterr()
    assert out == b"" and err.count(b"\n") == 1 and b"/dev/ttyUSB0" in err and b"--port" in err
    monkeypatch.setattr(ports, "comports", list)
    assert main(["sync"]) == 3
    assert capsysbinary.readouterr().err.count(b"\n") == 1
    assert main(["ports", "--json"]) == 0
    assert capsysbinary.readouterr().out == b"[]\n"


def candidates(*names):
    return lambda: [Port(name, "2e8a:0005", "", CANDIDATE, "a Pico with MicroPython") for name in names]


def test_the_one_box_is_found():
    assert find(ports=candidates("a"), ask=lambda port: Found(port, HERE)) == "a"


def test_two_boxes_are_never_guessed_between():
    """Both are named, with their device ids."""
    hellos = {"a": HERE, "b": Hello((1, 1), "0.1.0", "d00d", 0, 9, "", "ok")}
    with pytest.raises(PortError, match=r"a \(device e661\), b \(device d00d\).*--port"):
        find(ports=candidates("a", "b"), ask=lambda port: Found(port, hellos[port.name]))


def test_a_candidate_that_is_no_box_is_passed_over_aloud():
    told = []
    found = {"a": (None, "a: the port is in use"), "b": (HERE, "")}
    assert find(told.append, candidates("a", "b"), lambda port: Found(port, *found[port.name])) == "b"
    assert told == ["passed over a: the port is in use"]


def test_candidates_of_which_none_is_a_box():
    with pytest.raises(LinkError, match="a: silent; b: silent"):
        find(ports=candidates("a", "b"), ask=lambda port: Found(port, trouble=f"{port.name}: silent"))
    with pytest.raises(PortError, match="in use"):
        find(ports=candidates("a"), ask=lambda port: Found(port, trouble="a: in use", shut=True))
    with pytest.raises(LinkError, match="install"):
        find(ports=candidates("a"), ask=lambda port: Found(port, HERE, "a: older; next: bazzi install"))


def test_help_names_what_is_known_to_be_wrong():
    """Field reports 87, 93: brltty, cables that only charge, BOOTSEL, the group, WSL and virtual machines."""
    text = "\n".join(help_text("linux"))
    for word in ("brltty", "charge", "BOOTSEL", "RPI-RP2", "group", "dialout", "uucp", "virtual machine", "demo"):
        assert word in text
    assert "brltty" not in "\n".join(help_text("win32"))


def test_ports_asks_the_candidates(monkeypatch, capsysbinary):
    import json

    def script(peer):
        for _ in range(2):
            peer.reply(peer.request()[0], "ok " + HELLO)

    with Peer(script) as peer:
        here = info(peer.port, 0x2E8A, 0x0005, serial_number="e661")
        monkeypatch.setattr(ports, "comports", lambda: [PRINTER, here])
        assert main(["ports"]) == 0
        out = capsysbinary.readouterr().out.decode()
        assert f"{peer.port}  2e8a:0005  a box: device e661, bazzi 0.1.0\n" in out and "brltty" not in out
        assert main(["ports", "--json"]) == 0
        found = json.loads(capsysbinary.readouterr().out)
    assert [(one["port"], one["candidate"], one["device"]) for one in found] == [
        (peer.port, True, "e661"),
        ("/dev/ttyUSB0", False, None),
    ]
