"""The real ``bazzi install``, real mpremote and real firmware, over a pseudo-terminal into the emulated Pico.

What breaking off leaves is tested at every moment in test_install.py; here it is seen to be so on real firmware.
Most boards start from a file system made here, which is byte for byte what the first test's installation leaves.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from bazzi import payload
from bazzi.archive import Archive
from bazzi.bench.board import data_files
from bazzi.emulator import Board
from bazzi.line import parse_reply, seal
from bazzi.sim.box import KEYS, Box

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("host/bazzi", "firmware", "shared_rules")
START = "OK OK DOWN DOWN RIGHT UP UP OK OK OK OK OK OK"  # from the home screen into a match, and its first deal


# -- the two versions ---------------------------------------------------------------------------------


def copy_of_the_sources(folder):
    """Copy what the command is made of: nobody's edits reach a test while it runs."""
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "LICENSE", folder)
    return folder


class Version:
    """A tree of sources: its command ``bazzi``, and what it installs."""

    def __init__(self, tree, home):
        self.tree = tree
        places = [str(tree / "host"), str(tree / "firmware"), str(tree)]
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(places),
            "XDG_DATA_HOME": str(home),
            "BAZZI_ARCHIVE": str(home / "archive.sqlite3"),
        }
        script = (
            "import json, sys; from bazzi import payload; p = payload.make('6.3', 'armv6m');"
            "print(json.dumps([p.version, p.build, p.start.decode('latin-1'),"
            " {n: d.decode('latin-1') for n, d in p.files.items()}]))"
        )
        said = self.python("-c", script)
        version, build, start, files = json.loads(said.stdout)
        self.made = payload.Payload(
            version, build, "6.3", "armv6m", {n: d.encode("latin-1") for n, d in files.items()}, start.encode("latin-1")
        )
        self.version = version

    def python(self, *arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.tree,  # which Python looks in first
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
        )

    def board_files(self, letter=""):
        """Return what is on a board after installing."""
        folder = self.made.folder(letter)
        files = {f"{folder}/{name}": data for name, data in self.made.files.items()}
        return {**files, "/main.py": self.made.main(folder)}

    @contextmanager
    def begun(self, port, *arguments, patience=5):
        """Start the command in a process group of its own, as a terminal would."""
        command = [sys.executable, "-m", "bazzi", *arguments, "--port", port]
        with subprocess.Popen(
            command,
            env={**self._environment, "BAZZI_PATIENCE": str(patience)},
            cwd=self.tree,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                kill(process)

    def run(self, board, *arguments, patience=5):
        """Run the command against a board; returns (exit code, output, errors).

        Where Bazzi has to answer, be patient: an emulated board on a busy computer is slow.
        """
        with board.serving() as server, self.begun(server.path, *arguments, patience=patience) as process:
            out, err = process.communicate()
            return process.returncode, out, err


def kill(process):
    """Kill the command and what it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    return copy_of_the_sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture
def new(sources, tmp_path, image):
    return Version(sources, tmp_path)


@pytest.fixture
def old(sources, tmp_path, image):
    """The version before: one module differs."""
    tree = tmp_path / "old"
    shutil.copytree(sources, tree)
    fault = tree / "firmware" / "keeper" / "screens" / "fault.py"
    text = fault.read_text(encoding="utf-8")
    assert text.count("OK: go on") == 1
    fault.write_text(text.replace("OK: go on", "OK: go on then"), encoding="utf-8")
    return Version(tree, tmp_path)


# -- what runs on a board --------------------------------------------------------------------------


def answering(board, ms=20_000):
    """Let a board run until Bazzi says hello; returns the version that it says."""
    heard = bytearray()

    def said():
        for line in bytes(heard + board.usb.received).split(b"\n"):
            found = parse_reply(line)
            if found is not None and found[2] and found[1][:2] == ["ok", "bazzi"]:
                return next(word for word in found[1] if word.startswith("version="))[8:]
        return ""

    for _ in range(int(ms / 500)):
        board.send(b">" + seal("t hello") + b"\n")
        if board.run(lambda: bool(said()), ms=500):
            return said()
    raise AssertionError(f"no hello: {bytes(board.usb.received[-300:])!r}")


def same_files(board, version, data, letter=""):
    there = board.files()
    programs = {path: content for path, content in there.items() if not path.startswith("/data/")}
    assert programs == version.board_files(letter)
    for path, content in data.items():
        assert there[path] == content, path


@pytest.fixture
def played(tmp_path):
    """Return the data files of a box on which a match is under way."""
    box = Box(tmp_path / "box")
    for name in START.split():
        box.hold(1 << KEYS.index(name))
        box.run(40)
        box.hold(0)
        box.run(40)
    assert box.app.entry is not None and box.app.entry.records > 3
    records = box.app.entry.records
    box.cut()
    return data_files(box.board.folder), records


# -- installing ----------------------------------------------------------------------------------------


def test_an_empty_board_is_installed_checked_set_up_and_up_to_date(image, new):
    with Board(image, files={}) as board:
        board.boot()
        code, out, err = new.run(board, "install")
        assert code == 0, err
        assert (
            out
            == f"Bazzi {new.version} runs at {board.open_port()}: copied {len(new.made.files)} files, 0 were there.\n"
        )
        assert "MicroPython" in err and "no program" in err
        same_files(board, new, {})
        assert board.panel.lit

        operations = board.flash.operations
        code, out, err = new.run(board, "install")
        assert code == 0 and "up to date, nothing was copied" in out, err
        assert board.flash.operations == operations

        code, out, err = new.run(board, "doctor", "--json")
        assert code == 0, out + err
        said = json.loads(out)
        assert said["ok"] and {one["topic"] for one in said["findings"]} >= {"interpreter", "installation", "display"}

        code, out, err = new.run(board, "settings", "flip", "on")
        assert (code, out) == (0, "on\n"), err


def test_row_69_a_match_under_way_is_saved_first_and_goes_on(image, old, new, played, tmp_path):
    data, records = played
    with Board(image, files={**old.board_files(), **data}) as board:
        board.boot()
        assert answering(board) == old.version
        code, out, err = new.run(board, "install", patience=50)
        assert code == 0, err
        assert "1 match is not in the archive yet: fetching first" in err
        assert f"Bazzi {old.version}, 1 match," in err
        changed = {name for name, content in new.made.files.items() if old.made.files[name] != content}
        assert len(changed) == 3  # the module, the version, the list
        assert f"copied 3 files, {len(new.made.files) - 3} were there, removed {old.made.folder()}" in out
        logs = {path: content for path, content in data.items() if path.endswith((".hdr", ".log"))}
        same_files(board, new, logs)
        with Archive(tmp_path / "archive.sqlite3") as archive:
            (entry,) = archive.entries()
            assert entry.records == records
    with Board(image, flash=board.flash.image()) as again:
        again.boot()
        assert answering(again) == new.version
        again.usb.received.clear()
        again.send(b">" + seal("u live") + b"\n")
        found = None
        while found is None or found[0] != "u":  # replies to older requests may come before
            found = parse_reply(again.wait("\n").rstrip(b"\n"))
        assert int(found[1][3]) >= records, "the match is under way, with all its records"


def test_row_83_stale_copies_neither_run_nor_stay(image, new):
    stale = {
        "/main.py": b"from keeper.boards import pico\n",
        "/keeper/__init__.py": b"VERSION = 'stale'\n",
        "/keeper/boards/__init__.py": b"",
        "/keeper/boards/pico.py": b"raise RuntimeError\n",
        "/core.py": b"raise RuntimeError\n",
        "/base.mpy": b"M\x05\x00\x1f",
        "/lib/adafruit_ssd1306.py": b"raise RuntimeError\n",
        "/json.py": b"raise RuntimeError\n",
    }
    mine = new.board_files()
    del mine["/main.py"]  # all but the switch: little has to travel
    with Board(image, files={**mine, **stale}) as board:
        board.boot()
        code, out, err = new.run(board, "install")
        assert code == 0, err
        assert f"Bazzi {new.version} runs" in out
        assert set(board.files()) == {*new.board_files(), "/json.py"}


def test_a_board_without_a_display_is_installed_and_the_doctor_says_so(image, new):
    files = new.board_files()
    del files[f"{new.made.folder()}/lib/fault.mpy"]
    with Board(image, files=files) as board:
        board.bus.connected = False
        board.boot()
        code, out, err = new.run(board, "doctor")
        assert code == 6, out + err
        assert "no display answers" in out and "missing: lib/fault.mpy" in out
        assert "'bazzi install --port" in out
        assert err.splitlines()[-1].endswith("installation, display")
        code, out, err = new.run(board, "install")
        assert code == 0, err
        same_files(board, new, {}, "x")


# -- breaking off ------------------------------------------------------------------------------------


def test_row_82_a_killed_installer_leaves_the_old_version_and_running_it_again_goes_on(image, old, new):
    with Board(image, files=old.board_files()) as board:
        board.boot()
        for operations in (1, 40, 20):  # of the flash, from where the last one was killed
            with board.serving() as server, new.begun(server.path, "install") as process:

                def reached(aim=board.flash.operations + operations):
                    return board.run(lambda: board.flash.operations >= aim, ms=50)

                while not server.call(reached):
                    assert process.poll() is None, process.communicate()
                kill(process)
            with Board(image, flash=board.flash.image()) as other:
                other.boot()
                assert answering(other) == old.version
        code, _, err = new.run(board, "install")
        assert code == 0, err
        same_files(board, new, {})


def test_the_power_fails_during_an_update_and_the_old_or_the_new_version_starts(image, old, new):
    images = []
    with Board(image, files=old.board_files()) as board:
        board.boot()
        board.flash.on_operation = lambda kind, address, length: images.append(board.flash.image())
        code, _, err = new.run(board, "install")
        assert code == 0, err
    seen = []
    for place in sorted({0, len(images) // 2, len(images) - 12, len(images) - 1}):
        with Board(image, flash=images[place]) as board:
            board.boot()
            seen.append(answering(board))
    assert seen[0] == old.version and set(seen) <= {old.version, new.version}
    assert seen == sorted(seen, key=[old.version, new.version].index)
    with Board(image, flash=images[len(images) // 2]) as board:
        board.boot()
        code, _, err = new.run(board, "install")
        assert code == 0, err
        same_files(board, new, {})


def test_a_pulled_cable_is_one_line_for_the_person(image, old, new):
    with Board(image, files=old.board_files()) as board:
        board.boot()
        with new.begun(board.open_port(), "install") as process:
            with board.serving() as server:

                def reached():
                    return board.run(lambda: board.flash.operations >= 20, ms=50)

                while not server.call(reached):
                    assert process.poll() is None, process.communicate()
            board.close()
            _, err = process.communicate()
            assert process.returncode == 4, err
            last = err.splitlines()[-1]
            assert "the connection broke off" in last and "Traceback" not in err
        with Board(image, flash=board.flash.image()) as again:
            again.boot()
            assert answering(again) == old.version
