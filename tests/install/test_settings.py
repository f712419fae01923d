"""bazzi settings, over a pseudo-terminal to a box under MicroPython: works without looking at its screen."""

import json
import os
import pty

import pytest
from bazzi import cli
from bazzi.sim.micro import MicroBox, interpreter
from keeper.settings import TABLE

pytestmark = pytest.mark.skipif(interpreter() is None, reason="no MicroPython for this machine")


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    box = MicroBox(tmp_path_factory.mktemp("box"), heap="400k")
    yield box
    box.close()


@pytest.fixture
def run(box, capfd):
    def run(*arguments, port=box.port):
        code = cli.main(["settings", "--port", port, *arguments])
        out, err = capfd.readouterr()
        assert err.count("\n") <= 1
        return code, out, err

    return run


def test_all_settings_are_listed_with_what_is_possible(run):
    code, out, _ = run()
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [option.id for option in TABLE]
    assert "ssd1306, sh1106" in out and "1 to 5" in out
    code, out, _ = run("--json")
    assert [one["id"] for one in json.loads(out)] == [option.id for option in TABLE]


@pytest.mark.parametrize(
    ("id", "value"), [("display", "sh1106"), ("column_offset", "2"), ("flip", "on"), ("brightness", "1")]
)
def test_row_50_the_display_is_set_up_blind(run, id, value):
    before = run(id)[1].strip()
    assert before != value
    assert run(id, value) == (0, value + "\n", "")
    assert run(id)[1] == value + "\n"
    _, out, _ = run(id, before, "--json")
    assert json.loads(out)[0]["value"] == before


def test_a_wrong_id_or_value_is_one_line_with_what_is_possible(run):
    code, _, err = run("colour")
    assert code == 2 and "no such setting; possible: brightness, flip" in err
    for value in ("sh1107", "", "a b", "é"):
        code, _, err = run("display", value)
        assert code == 2 and "possible: ssd1306, sh1106" in err
    for value in ("0", "6", "x", "3.5"):
        code, _, err = run("brightness", value)
        assert code == 2 and "possible: 1 to 5" in err


def test_a_board_at_the_prompt_is_told_from_a_box(run, monkeypatch):
    from bazzi import line

    monkeypatch.setattr(line, "SILENT_S", 0.1)
    master, slave = pty.openpty()
    try:
        os.write(master, b"MicroPython v1.24.1\r\n>>> ")
        code, _, err = run(port=os.ttyname(slave))
        assert code == 4 and "bazzi install --port" in err
    finally:
        os.close(master)
        os.close(slave)
