"""What the doctor says of boards in all kinds of trouble, and how the command ends."""

import json
import os
import pty

import pytest
from bazzi import cli, doctor, onboard, payload, plugged, ports
from bazzi import install as install_module
from bazzi.doctor import examine
from bazzi.errors import LinkError, PortError
from bazzi.install import Installation
from bazzi.line import Line
from bazzi.plugged import Asked
from bazzi.ports import CANDIDATE, OTHER, Port
from bazzi.sim.micro import interpreter
from fake_board import DATA, FakeBoard, listed

needs_micropython = pytest.mark.skipif(interpreter() is None, reason="no MicroPython for this machine")
PICO = Port("fake", "2e8a:0005", "E661", CANDIDATE, "a Pico with MicroPython")


@pytest.fixture(scope="session")
def made():
    return payload.make("6.3", "armv6m")


@pytest.fixture
def sick(tmp_path, monkeypatch, made):
    """Make a board with this version and changes, and look it over: returns its findings that are not ok."""
    wires = {"keys": [1] * 6, "wires": [1, 1], "display": [0x3C]}
    warnings = []

    def sick(
        changes=None,
        running=True,
        hello=None,
        who=None,
        wires=wires,
        matches=(),
        tried="",
        await_hello=None,
        installed=True,
    ):
        board = FakeBoard(tmp_path, DATA, who=who, matches=matches)
        if installed:
            Installation(board, onboard.inspect(board), made).run(lambda done, total: None)
        board.put(changes or {})
        board.running = running

        def ask(port, tell):
            return Asked(hello or board.hello(), board.matches) if running else Asked(trouble="silent")

        def answer(port):
            return "fake", hello or board.hello()

        run = onboard.run

        def run_on_linux(remote, script, **more):
            # It has no pins, and its processor loads no code of the Pico.
            if script is onboard.WIRES:
                return wires
            return {"try": tried} if script is onboard.TRY else run(remote, script, **more)

        monkeypatch.setattr(plugged, "ask", ask)
        monkeypatch.setattr(plugged, "await_hello", await_hello or answer)
        monkeypatch.setattr(onboard, "run", run_on_linux)
        monkeypatch.setattr(doctor, "choose", lambda port: PICO)
        monkeypatch.setattr(doctor, "_warnings", lambda port, hello: warnings)
        name, findings = examine(None, lambda text: None, board)
        assert name == "fake"
        assert board.resets, "what was stopped runs again"
        sick.all = findings
        return [(one.topic, one.text, one.do) for one in findings if not one.ok]

    sick.warnings = warnings
    return sick


def topics(found):
    return [topic for topic, _, _ in found]


@needs_micropython
def test_nothing_is_wrong_with_a_box_that_is_well(sick, made):
    assert sick(matches=[listed(1, 40, 40), listed(2, 9, 3, "open")]) == []
    said = {(one.topic, one.text) for one in sick.all}
    assert ("installation", f"Bazzi {made.version}: {len(made.files) - 1} files, all whole") in said
    assert ("matches", "2 on the box, 1 not fetched") in said
    assert ("display", "answers at 0x3C") in said
    assert any(topic == "file system" and text.startswith("littlefs, ") for topic, text in said)


@needs_micropython
def test_missing_damaged_and_foreign_files_are_named(sick, made):
    folder = made.folder()
    changes = {f"{folder}/core.mpy": b"x", f"{folder}/base.mpy": None, f"{folder}/keeper/app.py": b"stale"}
    found = sick(changes, running=False, hello=object_hello("x"))
    texts = {text: do for _, text, do in found}
    assert {"missing: base.mpy", "damaged: core.mpy", "not of this version: keeper/app.py"} <= set(texts)
    assert texts["missing: base.mpy"] == "'bazzi install --port fake'"


@needs_micropython
def test_a_list_of_files_that_is_gone_or_no_list_is_said(sick, made):
    for content in (None, b"[1", b"{}", b'{"files": 3}'):
        found = sick({f"{made.folder()}/manifest.json": content}, running=False, hello=object_hello(made.version))
        assert topics(found) == ["installation"]
        assert "its list of files" in found[0][1]


@needs_micropython
def test_leftovers_and_another_programs_are_said(sick):
    found = sick({"/keeper/app.py": b"x", "/lib/adafruit_ssd1306.py": b"x", "/bazzi-00000000/core.mpy": b"x"})
    assert [text for _, text, _ in found] == [
        "left over from before: /bazzi-00000000, /keeper, /lib/adafruit_ssd1306.py"
    ]
    found = sick({"/main.py": b"print('blink')"}, running=False)
    assert topics(found) == ["installation"] and "another program" in found[0][1]


@needs_micropython
def test_a_board_without_bazzi_is_told_how_to_get_it(sick):
    found = sick(running=False, installed=False)
    assert found == [("installation", "Bazzi is not on the board", "'bazzi install --port fake'")]


@needs_micropython
def test_old_firmware_and_firmware_that_was_changed_since(sick):
    found = sick(who={"version": [1, 22, 1]})
    assert topics(found) == ["interpreter"]
    assert "1.22.1" in found[0][1] and ".uf2" in found[0][2]
    found = sick(who={"mpy": 0x1F06})
    assert topics(found) == ["installation"] and "the firmware was changed since" in found[0][1]


@needs_micropython
def test_the_wires_are_looked_at(sick):
    found = sick(wires={"keys": [1, 1, 1, 1, 0, 0], "wires": [0, 1], "display": []})
    assert topics(found) == ["keys", "keys", "display"]
    assert found[0][1] == "OK is pressed" and "GP14 touches GND" in found[0][2]
    assert "safe mode" in found[1][2]
    assert found[2][1] == "SDA held low"
    found = sick(wires={"keys": [1] * 6, "wires": [1, 1], "display": []})
    assert found[0][:2] == ("display", "no display answers") and "GP4" in found[0][2]


@needs_micropython
def test_a_box_that_sat_at_the_prompt_runs_again_and_one_that_cannot_is_explained(sick, made):
    assert sick(running=False) == []
    assert "was not running, was started, and runs now" in sick.all[-1].text

    def silent(port):
        raise LinkError("fake: no answer, so it is no box; unplug it")

    found = sick(
        {f"{made.folder()}/core.mpy": None}, running=False, await_hello=silent, tried="ImportError: no module core"
    )
    assert ("installation", "missing: core.mpy", "'bazzi install --port fake'") in found
    assert found[-1] == (
        "application",
        "Bazzi does not start: ImportError: no module core",
        "'bazzi install --port fake'; else: unplug it",
    )


@needs_micropython
def test_what_the_journal_found_and_a_full_disk(sick, made):
    sick.warnings.append(doctor.Finding("journal", False, "m3.log is damaged", "sync"))
    found = sick(hello=object_hello(made.version, disk="full"))
    assert topics(found) == ["disk", "journal"]


def object_hello(version, disk="ok"):
    from bazzi.link import Hello

    return Hello((1, 0), version, "0102", 0, 1, "", disk)


# -- without a board --------------------------------------------------------------------------------


def run(capfd, *arguments):
    code = cli.main(list(arguments))
    out, err = capfd.readouterr()
    return code, out, err


def test_no_port_is_explained_and_ends_with_3(capfd, monkeypatch):
    monkeypatch.setattr(ports, "comports", list)
    code, out, err = run(capfd, "doctor")
    assert code == 3
    for word in ("cable", "RPI-RP2", "brltty", "ModemManager", "dialout"):
        assert word in out
    assert err.count("\n") == 1 and "no board found" in err
    code, out, _ = run(capfd, "doctor", "--json")
    assert code == 3
    said = json.loads(out)
    assert said["port"] is None and said["ok"] is False and said["findings"][0]["topic"] == "port"
    assert run(capfd, "install")[0] == 3
    assert run(capfd, "doctor", "--port", "/dev/ttyACM77")[0] == 3


def test_a_board_in_bootsel_mode_is_told_from_none(capfd, monkeypatch, tmp_path):
    monkeypatch.setattr(ports, "comports", list)
    monkeypatch.setattr(plugged, "boot_drive", lambda: tmp_path)
    code, out, err = run(capfd, "install")
    assert code == 3 and str(tmp_path) in err and ".uf2" in err
    monkeypatch.setattr(doctor, "boot_drive", lambda: tmp_path)
    code, out, err = run(capfd, "doctor")
    assert code == 3 and f"the drive {tmp_path} is a board in BOOTSEL mode" in out


def test_row_85_a_port_in_use_is_said_with_who_has_it(capfd):
    master, slave = pty.openpty()
    try:
        port = os.ttyname(slave)
        with Line.open(port):
            code, out, err = run(capfd, "doctor", "--port", port)
            assert code == 6 and "in use" in out and f"({os.getpid()})" in out
            code, out, err = run(capfd, "install", "--port", port)
            assert code == 3 and "in use" in err and err.count("\n") == 1
    finally:
        os.close(master)
        os.close(slave)


def test_row_87_no_permission_names_the_group(capfd, monkeypatch):
    def shut(port, **more):
        raise PortError(f"{port}: no permission to use the port; it belongs to the group uucp: 'sudo usermod'")

    monkeypatch.setattr(plugged, "open_device", shut)
    code, out, _ = run(capfd, "doctor", "--port", "/dev/null")
    assert code == 6
    assert "no permission" in out and "group uucp" in out


def test_row_89_what_is_no_board_is_never_opened(monkeypatch):
    printer = Port("/dev/ttyUSB0", "1a86:7523", "", OTHER, "not a Pico (CH340)")
    monkeypatch.setattr(plugged, "open_device", lambda *a, **b: pytest.fail("it was opened"))
    with pytest.raises(PortError, match=r"no board found; there is /dev/ttyUSB0 .* --port"):
        plugged.choose(None, lambda: [printer])
    assert plugged.choose(None, lambda: [printer, PICO]) == PICO
    assert plugged.choose("/dev/ttyUSB0", lambda: [printer, PICO]) == printer


def test_a_wrong_device_is_said():
    found = doctor._judge(Port("/dev/ttyUSB0", "1a86:7523", "", OTHER, "not a Pico (CH340)"))
    assert not found.ok and "CH340" in found.text and "--port" in found.do
    assert doctor._judge(PICO).ok and doctor._judge(Port("/dev/pts/3", "", "", OTHER, "named")).ok


def test_two_boards_are_never_guessed_between(monkeypatch, capfd):
    two = [PICO, Port("fake2", "2e8a:0005", "E662", CANDIDATE, "a Pico with MicroPython")]
    with pytest.raises(PortError, match=r"2 boards are plugged in: fake .*E661.*, fake2 .*E662.*; possible: --port"):
        plugged.choose(None, lambda: two)


def test_row_90_a_restarted_board_is_found_by_its_serial_number_at_another_port(monkeypatch):
    opened = []

    def open_device(name, wait_s):
        opened.append(name)
        raise LinkError("stop here")

    monkeypatch.setattr(plugged, "open_device", open_device)
    monkeypatch.setattr(ports, "list_ports", lambda: [Port("ttyACM1", "2e8a:0005", "E661", CANDIDATE, "")])
    monkeypatch.setattr(plugged, "RESTART_S", 0.01)
    with pytest.raises(LinkError, match="stop here"):
        plugged.await_hello(Port("ttyACM0", "2e8a:0005", "E661", CANDIDATE, ""))
    assert opened[0] == "ttyACM1"


def test_the_installers_words_for_a_newer_box_do_not_hide_it():
    inside = onboard.Inside(machine="Pico", version=(1, 24, 1), name="micropython", main="import keeper")
    said = install_module.describe(inside, Asked(object_hello("9.9"), [listed(1, 5, 2)]))
    assert said == "Pico, MicroPython 1.24.1; Bazzi 9.9, 1 match, 1 not fetched"
