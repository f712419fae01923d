"""The emulated board with real firmware: power, serial port, flash, programs on the host."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bazzi.emulator import (
    REAL,
    Board,
    BoardError,
    FirmwareError,
    PowerCut,
    Ssd1306,
    Timing,
    firmware_path,
    make_image,
    read_image,
)

I2C = "from machine import I2C, Pin\ni2c = I2C(0, sda=Pin(4), scl=Pin(5), freq=400_000)\n"
MAIN = "print('hello')\n"
WRITE = "def write(name, data):\n with open(name, 'wb') as f:\n  f.write(data)\n"
TIME_PRINT = """
import time
def f():
    start = time.ticks_ms()
    print('y' * 400)
    return time.ticks_diff(time.ticks_ms(), start)
"""


# -- without firmware ----------------------------------------------------------------


def test_firmware_path_takes_the_argument_before_the_variable(tmp_path: Path) -> None:
    uf2 = tmp_path / "pico.uf2"
    uf2.write_bytes(bytes.fromhex("5546320a57515d9e00200000") + bytes(16) + b"\x56\xff\x8b\xe4")
    assert firmware_path(uf2, {"BAZZI_UF2": "elsewhere"}) == uf2
    assert firmware_path(None, {"BAZZI_UF2": str(uf2)}) == uf2


def test_firmware_path_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match="set BAZZI_UF2"):
        firmware_path(None, {})
    with pytest.raises(FirmwareError, match=r"cannot read .*missing\.uf2"):
        firmware_path(tmp_path / "missing.uf2", {})
    other = tmp_path / "other.uf2"
    other.write_bytes(b"\x7fELF" + bytes(60))
    with pytest.raises(FirmwareError, match="not a UF2 file"):
        firmware_path(other, {})
    other.write_bytes(bytes.fromhex("5546320a57515d9e00200000") + bytes(16) + b"\x59\xff\x8b\xe4")
    with pytest.raises(FirmwareError, match="for another chip"):
        firmware_path(other, {})
    assert issubclass(FirmwareError, ValueError)


def test_a_file_image_can_be_read_back() -> None:
    files = {"/main.py": b"x = 1\n", "/a/b/c.bin": bytes(range(256)) * 40}
    image = make_image({**files, "/empty/": b""})
    assert len(image) == 352 * 4096
    assert read_image(image) == files
    with pytest.raises(ValueError, match="has 1441792 bytes"):
        read_image(image[:-4096])


# -- power and serial ----------------------------------------------------------------


def test_boot_runs_main_and_the_prompt_answers(board: Board) -> None:
    board.wait("hello")
    assert board.exec("print(6 * 7)") == "42\n"
    with pytest.raises(BoardError, match="ZeroDivisionError"):
        board.exec("print('before'); 1 // 0")
    assert board.exec("print(sum(range(1000)))") == "499500\n"


def test_without_files_the_firmware_makes_a_file_system(image: Path) -> None:
    with Board(image) as board:
        board.boot()
        assert board.exec("import os; print(os.listdir('/'))") == "[]\n"
        assert board.files() == {}


def test_two_runs_are_the_same_to_the_nanosecond(image: Path) -> None:
    def run() -> tuple[float, bytes]:
        with Board(image, files={"/main.py": MAIN}, timing=REAL) as board:
            board.boot()
            board.wait("hello")
            board.exec(I2C + "i2c.writeto(0x3c, b'\\x40' * 200)")
            board.exec(WRITE + "write('/x', b'y' * 700)")
            return board.now_ns, board.flash.image()

    assert run() == run()


def test_no_power_and_closed_are_errors(image: Path) -> None:
    board = Board(image)
    with pytest.raises(BoardError, match="no power"):
        board.run(ms=1)
    board.close()
    board.close()
    with pytest.raises(BoardError, match="closed"):
        board.boot()


def test_wait_tells_what_came_instead(prompt: Board) -> None:
    prompt.send("'hel' 'lo'\r\n")
    with pytest.raises(BoardError, match="b'bye' did not come within 50 ms: .*'hello'"):
        prompt.wait("bye", ms=50)


def test_actions_happen_at_their_instant_and_run_stops_in_time(prompt: Board) -> None:
    start, seen = prompt.now_ns, []
    prompt.at(7_000_000, lambda: seen.append(prompt.now_ns - start))
    cancel = prompt.at(8_000_000, lambda: seen.append(0.0))
    cancel()
    assert prompt.run(ms=20)
    assert seen == [7_000_000]
    assert 20_000_000 <= prompt.now_ns - start < 20_001_000
    assert not prompt.run(lambda: False, ms=1)


def test_reset_starts_again_with_the_same_flash(board: Board) -> None:
    board.wait("hello")
    board.exec(I2C + "i2c.writeto(0x3c, b'\\x00\\x8d\\x14\\xaf')")
    board.exec(WRITE + "write('/kept', b'1')")
    board.reset()
    board.wait("hello")
    assert board.exec("import os; print('kept' in os.listdir())") == "True\n"
    assert board.panel.lit  # the display has no reset line
    board.power_cycle()
    board.wait("hello")
    assert not board.panel.lit
    assert set(board.files()) == {"/main.py", "/kept"}


def test_the_program_can_reset_the_board(board: Board) -> None:
    board.wait("hello")
    board.send("import machine; machine.reset()\r\n")
    assert board.run(lambda: not board.usb.connected)
    assert board.run(lambda: board.usb.connected)
    board.wait("hello")
    assert (
        board.exec("import machine; print(machine.reset_cause() == machine.WDT_RESET)") == "True\n"
    )


def test_soft_reset_runs_main_again(board: Board) -> None:
    board.exec("x = 1")
    board.soft_reset()
    board.wait("hello")
    assert board.exec("print('x' in dir())") == "False\n"


def test_a_host_that_does_not_read_makes_the_board_wait(prompt: Board) -> None:
    prompt.exec(TIME_PRINT)
    prompt.usb.reading = False
    prompt.send("waited = f()\r\n")
    prompt.run(ms=1500)
    assert prompt.usb.received == b""
    prompt.usb.reading = True
    prompt.run(ms=100)
    assert int(prompt.exec("print(waited)")) > 400


def test_with_dtr_off_nothing_is_read_and_the_board_does_not_wait(prompt: Board) -> None:
    prompt.exec(TIME_PRINT)
    prompt.usb.dtr = False
    assert prompt.run(lambda: prompt.usb.settled)
    prompt.send("waited = f()\r\n")
    prompt.run(ms=100)
    assert prompt.usb.received == b""
    prompt.usb.dtr = True
    assert prompt.run(lambda: prompt.usb.settled)
    # As with a real board, the newest of what nobody read comes when the port is opened.
    assert 0 < len(prompt.wait(">>> ")) < 400
    assert int(prompt.exec("print(waited)")) < 50


# -- flash and power cuts --------------------------------------------------------------


def test_flash_operations_are_counted(board: Board) -> None:
    board.wait("hello")
    log: list[tuple[str, int]] = []
    board.flash.on_operation = lambda kind, address, length: log.append((kind, length))
    before = board.flash.operations
    board.exec(WRITE + "write('/x', bytes(5000))")
    programs = [length for kind, length in log if kind == "program"]
    assert board.flash.operations - before == len(log)
    assert board.flash.programs == len(programs)
    assert board.flash.programmed_bytes == sum(programs) >= 5000
    assert board.flash.erases == sum(board.flash.erases_of.values()) >= 2
    assert board.files()["/x"] == bytes(5000)


def test_flash_time_is_spent_in_the_board(image: Path) -> None:
    with Board(image, files={}, timing=Timing(program_ns=400_000, erase_ns=45_000_000)) as board:
        board.boot()
        before = (board.now_ns, board.flash.programs, board.flash.erases)
        board.exec(WRITE + "write('/x', bytes(5000))")
        busy_ns = 400_000 * (board.flash.programs - before[1])
        busy_ns += 45_000_000 * (board.flash.erases - before[2])
        assert busy_ns <= board.now_ns - before[0] < busy_ns + 50_000_000


@pytest.mark.parametrize("mode", ["before", "half", "after", "noise"])
def test_after_a_power_cut_the_board_starts_with_what_was_flushed(image: Path, mode: str) -> None:
    with Board(image, files={"/main.py": MAIN, "/old": "kept"}) as board:
        board.boot()
        board.exec(WRITE + "write('/first', b'1')")
        board.flash.cut_power(3, mode)
        with pytest.raises(PowerCut, match="flash operation"):
            board.exec("write('/second', bytes(9000))")
        with pytest.raises(BoardError, match="no power"):
            board.run(ms=1)
        board.power_cycle()
        board.wait("hello")
        assert board.exec("print(open('/first').read(), open('/old').read())") == "1 kept\n"


def test_a_flash_image_starts_in_another_board(board: Board, image: Path) -> None:
    board.exec(WRITE + "write('/first', b'1')")
    with Board(image, flash=board.flash.image()) as other:
        other.boot()
        other.wait("hello")
        assert other.files() == {"/main.py": MAIN.encode(), "/first": b"1"}


# -- pseudo-terminal -----------------------------------------------------------------


def mpremote(board: Board, *arguments: str) -> str:
    """Run the real mpremote against the board and return what it printed."""
    command = [sys.executable, "-m", "mpremote", "connect", board.open_port(), *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        try:
            assert board.serve(lambda: process.poll() is not None), "mpremote does not end"
        finally:
            process.kill()
        return process.stdout.read().decode()


def test_mpremote_runs_code_and_copies_files(board: Board, tmp_path: Path) -> None:
    assert mpremote(board, "exec", "print(1)").strip() == "1"
    source = tmp_path / "source.bin"
    source.write_bytes(bytes(range(256)) * 2)
    mpremote(board, "fs", "cp", str(source), ":copy.bin")
    assert board.files()["/copy.bin"] == source.read_bytes()


def test_mpremote_resets_the_board(board: Board) -> None:
    board.exec("x = 1")
    starts = 0

    def count(*_: object) -> None:
        nonlocal starts
        starts += 1

    board.usb.on_connect = count
    mpremote(board, "reset")  # it ends before the firmware resets itself
    assert board.run(lambda: starts == 1)


def test_pyserial_talks_to_a_served_board(board: Board) -> None:
    serial = pytest.importorskip("serial")
    with board.serving() as server:
        with serial.Serial(server.path, timeout=20) as port:
            port.write(b"print(6 * 7)\r")
            assert port.read_until(b"42\r\n>>> ").endswith(b"42\r\n>>> ")
            assert server.call(lambda: board.usb.dtr)
            with pytest.raises(BoardError, match="thread"):
                board.run(ms=1)
            server.call(board.keys["OK"].press)
            port.write(b"import machine; print(machine.Pin(14, 0, machine.Pin.PULL_UP)())\r")
            assert port.read_until(b"0\r\n>>> ").endswith(b"\r\n0\r\n>>> ")
        assert server.call(lambda: board.run(lambda: not board.usb.dtr))
    assert board.run(ms=1)  # ours again


def test_control_bytes_pass_the_port_unchanged(board: Board) -> None:
    serial = pytest.importorskip("serial")
    with board.serving() as server, serial.Serial(server.path, timeout=20) as port:
        port.write(b"\x01")
        port.read_until(b"raw REPL; CTRL-B to exit\r\n>")
        port.write(b"import sys; sys.stdout.buffer.write(bytes(range(4, 32)))\x04")
        assert port.read_until(b"\x1f\x04\x04>") == b"OK" + bytes(range(4, 32)) + b"\x04\x04>"


def test_a_power_cut_in_the_thread_reaches_the_caller(board: Board) -> None:
    board.wait("hello")
    with pytest.raises(PowerCut), board.serving() as server:
        board.flash.cut_power(1)
        server.call(lambda: board.usb.send(b"open('/x', 'w').close()\r"))
        server.call(lambda: board.run(ms=1000))
    board.power_cycle()


def test_the_model_in_the_board_is_the_callers(image: Path) -> None:
    panel = Ssd1306(external_vcc=True)
    with Board(image, files={}, panel=panel) as board:
        board.boot()
        board.exec(I2C + "i2c.writeto(0x3c, b'\\x00\\xa5\\xaf')")
    assert panel.visible()[0] == b"\x01" * 128
