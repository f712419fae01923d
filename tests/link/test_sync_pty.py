"""The whole way: the application under MicroPython, a pseudo-terminal, the command, the archive."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bazzi import ports as port_list
from bazzi import sync as syncing
from bazzi.archive import Archive
from bazzi.cli import main
from bazzi.errors import LinkError, PortError
from bazzi.line import Line, open_device
from bazzi.link import Box as LinkedTo
from bazzi.ports import CANDIDATE, Port, find
from bazzi.sim.micro import MicroBox
from bazzi.sim.script import Script
from bazzi.sync import sync, sync_box
from link_tools import DEMO, HEAP, Unplugged, needs_micropython, rows

pytestmark = needs_micropython
ROOT = Path(__file__).resolve().parents[2]
LINES = [line for line in DEMO.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def said(capsysbinary, *arguments):
    code = main(list(arguments))
    out, err = capsysbinary.readouterr()
    return code, out.decode(), err.decode()


def play(box, lines=LINES):
    Script(box, "demo").run(lines)


def sync_over(port, archive, at=-1, before=lambda: None):
    """Sync with a plug that is pulled at an operation."""
    with Line(port, Unplugged(open_device(port), at, before)) as line:
        linked = LinkedTo(line)
        return sync(linked, linked.hello(), archive)


def test_a_played_match_comes_over(micro, capsysbinary):
    """Keys, journal, line, archive; three times is once (field report 98)."""
    play(micro)
    code, out, err = said(capsysbinary, "sync", "--port", micro.port, "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["device"] == "unix" and report["protocol"] == "1.1" and "had none" in report["clock"]
    assert [(one["result"], one["number"], one["state"]) for one in report["matches"]] == [("new", 1, "over")]
    before = rows(os.environ["BAZZI_ARCHIVE"])
    assert len(before) == 1 and before[0][5]
    for _ in range(2):
        code, out, err = said(capsysbinary, "sync", "--port", micro.port)
        assert (code, err) == (0, "") and out.startswith(f"Box unix at {micro.port}: 1 match, 0 new, 0 grown; ")
        assert rows(os.environ["BAZZI_ARCHIVE"]) == before
    code, out, err = said(capsysbinary, "show", "last", "--json")
    assert code == 0 and json.loads(out)["winner"] == ["A"]


def test_broken_off_while_keys_are_pressed(tmp_path, monkeypatch):
    """Field reports 90, 98: the plug is pulled at many points of many syncs while the match is played on.

    A command of the script is played at every few reads and writes; its own expectations hold throughout, and the
    end is what it is without a laptop.
    """
    monkeypatch.setattr(syncing, "CHECKPOINT", 3)
    path = tmp_path / "cut.sqlite3"
    box = MicroBox(tmp_path / "box", heap=HEAP)
    try:
        left = iter(LINES)
        script = Script(box, "demo")
        count = 0

        def step():
            nonlocal count
            count += 1
            if count % 3 == 0:
                script.run([next(left, "wait 5")])

        breaks = 0
        for at in range(1, 30):
            with Archive(path, create=True) as archive:
                try:
                    sync_over(box.port, archive, at, step)
                except LinkError:
                    breaks += 1
                for entry in archive.entries():
                    entry.replay()
        script.run(left)
        assert breaks > 10
        with Archive(path) as archive:
            sync_over(box.port, archive)
            sync_over(box.port, archive)
            (entry,) = archive.entries()
            found = entry.replay().result()
        assert found["over"] and found["winner"] == ["A"] and len(found["deals"]) == 2 and entry.complete
    finally:
        box.close()


def test_a_power_cut_in_the_middle(micro, tmp_path):
    """The box loses its power during the sync: the next one has everything that was shown before it."""
    play(micro, LINES[:12])
    path = tmp_path / "a.sqlite3"
    with Archive(path, create=True) as archive:
        done = []

        def cut():
            done.append(1)
            if len(done) == 6:
                micro.cut()

        sync_over(micro.port, archive, -1, cut)
        assert len(done) > 6
        before = archive.entries()[0].lines()
        sync_over(micro.port, archive)
        assert archive.entries()[0].lines()[: len(before)] == before


def test_a_process_that_is_killed(micro, tmp_path):
    """SIGKILL at some point: the archive is whole, and the next sync ends the work."""
    play(micro)
    path = os.environ["BAZZI_ARCHIVE"]
    parts = os.pathsep.join([str(ROOT / "host"), os.environ.get("PYTHONPATH", ""), str(ROOT / "firmware"), str(ROOT)])
    code = (
        "import os, signal, sys\n"
        "from bazzi import link, cli\n"
        "def die(self, number, records): os.kill(os.getpid(), signal.SIGKILL)\n"
        "link.Box.synced = die\n"
        "cli.main(['sync', '--port', sys.argv[1]])\n"
    )
    run = subprocess.run([sys.executable, "-c", code, micro.port], env={**os.environ, "PYTHONPATH": parts}, check=False)
    assert run.returncode == -signal.SIGKILL
    before = rows(path)
    with Archive(path) as archive:
        (one,) = sync_box(micro.port, archive).matches
    assert one.result == "same" and rows(path) == before
    with Line.open(micro.port) as line:
        (listed,) = LinkedTo(line).matches()
    assert listed.synced == listed.records > 0


def test_two_boxes(micro, tmp_path, monkeypatch, capsysbinary):
    """Never guessed between; each by its port; and the same box on another port is the same (field report 90)."""
    other = MicroBox(tmp_path / "other", seed=2, heap=HEAP)
    try:
        play(micro)
        play(other)
        both = [Port(box.port, "2e8a:0005", "", CANDIDATE, "a Pico with MicroPython") for box in (micro, other)]
        with pytest.raises(PortError, match=rf"2 boxes.*{micro.port} \(device unix\), {other.port} \(device unix\)"):
            find(ports=lambda: both)
        assert find(ports=lambda: both[:1]) == micro.port
        monkeypatch.setattr(port_list, "list_ports", lambda: both)
        monkeypatch.setattr(port_list.find, "__defaults__", (print, lambda: both, port_list.ask))
        code, out, err = said(capsysbinary, "sync")
        assert (code, out) == (3, "") and err.count("\n") == 1 and other.port in err
        for box in (micro, other):
            assert said(capsysbinary, "sync", "--port", box.port)[0] == 0
    finally:
        other.close()
    before = rows(os.environ["BAZZI_ARCHIVE"])
    assert len(before) == 2
    again = MicroBox(tmp_path / "other", seed=2, heap=HEAP)  # the same folder, so the same box, on a new port
    try:
        assert said(capsysbinary, "sync", "--port", again.port)[0] == 0
    finally:
        again.close()
    assert rows(os.environ["BAZZI_ARCHIVE"]) == before


def test_a_match_that_does_not_replay_is_code_6(tmp_path, capsysbinary):
    """What is good is stored, everything is kept in a file, and one line says where."""
    box = MicroBox(tmp_path / "box", heap=HEAP)
    play(box)
    box.close()
    log = tmp_path / "box" / "m1.log"
    raw = bytearray(log.read_bytes())
    raw[70] ^= 1
    log.write_bytes(bytes(raw))
    box = MicroBox(tmp_path / "box", heap=HEAP)
    try:
        for _ in range(2):
            code, out, err = said(capsysbinary, "sync", "--port", box.port)
            assert code == 6 and "record 4 is damaged" in out and err.count("\n") == 1 and "1 of 1 matches" in err
            (file,) = (Path(os.environ["BAZZI_ARCHIVE"]).parent / "raw").iterdir()
            assert str(file) in err and len(json.loads(file.read_text())["records"]) == len(raw) // 16
        (row,) = rows(os.environ["BAZZI_ARCHIVE"])
        assert row[5] is False and row[6] == 4
    finally:
        box.close()


def test_names_are_pushed(micro, tmp_path, capsysbinary):
    names = tmp_path / "names.txt"
    names.write_text("\ufeffAsha\n\n  Jürgen \nप्रिया\nAsha\n", encoding="utf-8")
    code, out, err = said(capsysbinary, "sync", "--port", micro.port, "--names", str(names))
    assert code == 0 and "3 names put on it" in err
    with Line.open(micro.port) as line:
        assert LinkedTo(line).roster() == ["Asha", "Jürgen", "प्रिया"]
    for text, words in (
        ("A\tB", "cannot be a name"),
        ("x" * 25, "24 bytes"),
        ("\n".join("abcdefghijklmnopqrstuvwxyz"), "24"),
    ):
        names.write_text(text, encoding="utf-8")
        code, out, err = said(capsysbinary, "sync", "--port", micro.port, "--names", str(names))
        assert (code, out) == (2, "") and err.count("\n") == 1 and words in err
    with Line.open(micro.port) as line:
        assert len(LinkedTo(line).roster()) == 3


def test_watching_over_the_line(micro, capsysbinary, monkeypatch):
    """Each deal is told as it ends, as words and as JSON; Ctrl-C ends it, and all is in the archive."""
    from bazzi import watch

    left = list(LINES)
    script = Script(micro, "demo")

    def wait(seconds):
        if not left:
            raise KeyboardInterrupt
        script.run([left.pop(0)])

    monkeypatch.setattr(watch.Watcher.run, "__defaults__", (wait,))
    code, out, err = said(capsysbinary, "sync", "--port", micro.port, "--watch", "--json")
    events = [json.loads(line) for line in out.splitlines()][1:]
    assert code == 0 and "stopped watching" in err
    assert [event["event"] for event in events].count("match") == 1
    assert [event["n"] for event in events if event["event"] == "deal"] == [1, 1, 2]  # one was taken back
    assert events[-1]["event"] == "over" and events[-1]["winner"] == ["A"]
    with Archive(os.environ["BAZZI_ARCHIVE"]) as archive:
        assert archive.entries()[0].replay().result()["over"]
