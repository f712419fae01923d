"""The archive: nothing twice, nothing lost, nothing half written, and one line when the file fails."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from bazzi import archive as archives
from bazzi.archive import MIGRATIONS, Archive
from bazzi.cli import main
from bazzi.errors import ArchiveError, InputError
from bazzi.replay import LogError
from host_cases import ROOT, ask, command, header, log, random_match, seep_deal

STEPS = [json.dumps(line) for line in [*seep_deal("N", 62), *seep_deal("W", 40)]]


@pytest.fixture
def path(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "matches.sqlite3"
    monkeypatch.setenv("BAZZI_ARCHIVE", str(path))
    return path


def dump(path):
    """Return what matters of all matches."""
    with Archive(path) as archive:
        return [(e.id, e.match, e.device, e.header, e.steps, e.complete, e.records) for e in archive.entries()]


def test_a_match_grows_and_is_never_doubled(path):
    """Field report 98: the same records again, however they are cut, are one match."""
    first = header(match="m")
    with Archive(path, create=True) as archive:
        assert archive.store_match("box", "m", first, [], False, 1) == "new"
        assert archive.store_match("box", "m", first, STEPS[:3], False, 4) == "longer"
        assert archive.fetched("box", "m") == 4
        assert archive.store_match("box", "m", first, STEPS[:3], False, 4) == "same"
        assert archive.store_match("box", "m", first, STEPS, True, 11) == "longer"
        before = dump(path)
        for _ in range(3):
            assert archive.store_match("box", "m", first, STEPS, True, 11) == "same"
        assert archive.store_match("box", "m", first, STEPS[:2], False, 3) == "same"  # older: nothing is shortened
        assert dump(path) == before
        assert archive.fetched("box", "m") == 11
        assert archive.fetched("other box", "m") == archive.fetched("box", "x") == 0
        (entry,) = archive.entries()
        assert entry.lines() == STEPS and entry.summary["deals"] == 2 and entry.complete


def test_every_cut_and_order_of_a_sync_ends_the_same(path):
    """Field report 98: interrupted anywhere, resumed, repeated."""
    lines, _ = random_match(5, options={"match_bazzis": 2}, match="m")
    steps = [json.dumps(line) for line in lines[1:]]
    chance = random.Random(1)
    with Archive(path, create=True) as archive:
        for _ in range(60):
            cut = chance.randint(0, len(steps))
            archive.store_match("box", "m", lines[0], steps[:cut], cut == len(steps), cut)
        archive.store_match("box", "m", lines[0], steps, True, len(steps))
        (entry,) = archive.entries()
        assert entry.lines() == steps
        assert entry.records == len(steps) and entry.complete


def test_equal_matches_with_other_ids_stay_apart(path):
    """Field report 98: two matches with the same scores and no clock are two."""
    with Archive(path, create=True) as archive:
        assert archive.store_match("box", "a", header(match="a"), STEPS, True) == "new"
        assert archive.store_match("box", "b", header(match="b"), STEPS, True) == "new"
        assert len(archive.entries()) == 2


def test_another_history_under_an_id_is_kept_beside_it(path):
    """Field report 98: after a reset the ids of a box may begin anew; nothing is replaced, both can grow."""
    other = STEPS[:4] + [json.dumps(line) for line in seep_deal("E", 77)]
    with Archive(path, create=True) as archive:
        archive.store_match("box", "m", header(match="m"), STEPS[:6], False)
        assert archive.store_match("box", "m", header(match="m"), other, True) == "conflict"
        assert archive.store_match("box", "m", header(match="m", dealer="E"), [], True) == "conflict"
        assert archive.store_match("box", "m", header(match="m"), STEPS, True) == "longer"
        assert archive.store_match("box", "m", header(match="m"), other, True) == "same"
        assert [entry.id for entry in archive.entries()] == ["m", "m~2", "m~3"]
        assert archive.find("m").lines() == STEPS
        assert archive.find("m~2").lines() == other


def test_an_edited_match_is_updated_in_place(path):
    """Field reports 25 and 98: a correction makes the match longer; the list shows what it is now."""
    with Archive(path, create=True) as archive:
        archive.store_match("box", "m", header(match="m"), STEPS[:4], True)
        edit = [json.dumps({"do": "amend", "line": 5, "answer": 3})]
        assert archive.store_match("box", "m", header(match="m"), STEPS[:4] + edit, True) == "longer"
        (entry,) = archive.entries()
        assert entry.summary["over"] is True and entry.summary["winner"] == ["B"]


def test_a_time_learned_later_is_taken_and_kept(path):
    with Archive(path, create=True) as archive:
        archive.store_match("box", "m", header(match="m"), STEPS[:4], False)
        started = "2026-11-29T19:05:00+05:30"
        assert archive.store_match("box", "m", header(match="m", started=started), STEPS[:4], False) == "same"
        assert archive.find("m").started() == started
        archive.store_match("box", "m", header(match="m"), STEPS, True)
        assert archive.find("m").started() == started


def test_import_twice_and_with_other_spacing(path, tmp_path, capsysbinary):
    """Field report 98: the same log in other clothes (blank lines, CRLF) is the same match; amends still fit."""
    steps = [*seep_deal("N", 62), {"do": "amend", "line": 5, "answer": 50}]
    one, other, grown = tmp_path / "1", tmp_path / "2", tmp_path / "3"
    one.write_bytes(log(header(match="m"), *steps))
    apart = [*seep_deal("N", 62), b"", b"  ", {"do": "amend", "line": 6, "answer": 50}]
    other.write_bytes(log(header(match="m"), b"", *apart).replace(b"\n", b"\r\n"))
    grown.write_bytes(log(header(match="m"), *steps, ask("deal", "N")))
    assert main(["import", str(one), str(other), "--json"]) == 0
    assert [found["result"] for found in json.loads(capsysbinary.readouterr().out)] == ["new", "same"]
    assert main(["import", str(grown), str(one), "--json"]) == 0
    assert [found["result"] for found in json.loads(capsysbinary.readouterr().out)] == ["longer", "same"]
    assert len(dump(path)) == 1


def test_logs_without_an_id_are_known_by_what_is_in_them(path, tmp_path):
    with Archive(path, create=True) as archive:
        raw = log(header(), *seep_deal("N", 62))
        result, id = archive.store_log(raw, "x")
        assert result == "new" and id.startswith("log-")
        assert archive.store_log(b"\n".join(raw.split(b"\n")), "x") == ("same", id)
        assert archive.store_log(log(header(), *seep_deal("N", 61)), "x")[0] == "new"


def test_a_wrong_file_among_several_stores_none(path, tmp_path, capsysbinary):
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(log(header(match="m")))
    bad.write_bytes(log(header(match="n"), ask("bid", 9)))
    assert main(["import", str(good), str(bad)]) == 2
    out, err = capsysbinary.readouterr()
    assert out == b"" and err.startswith(f"{bad}:2: ".encode())
    assert not path.exists()


def test_a_log_that_the_rules_refuse_is_kept_and_listed(path, capsysbinary):
    """A match from a newer box is not thrown away; the list says what is wrong, an export of the log still works."""
    with Archive(path, create=True) as archive:
        archive.store_match("box", "m", header(match="m"), ['{"ask": "bid", "answer": 9}'], True)
        (entry,) = archive.entries()
        assert entry.summary["trouble"].startswith("m:2: ")
        with pytest.raises(LogError):
            archive.find("m").replay()
    assert main(["matches"]) == 0
    assert main(["export", "m"]) == 0
    assert b"cannot be reckoned" in capsysbinary.readouterr().out
    for arguments in (["show", "m"], ["export", "--format", "csv"], ["export", "m", "--format", "json"]):
        assert main(arguments) == 2
        out, err = capsysbinary.readouterr()
        assert out == b"" and err.startswith(b"match m cannot be reckoned: m:2: ")


def test_how_a_match_is_named(path):
    with Archive(path, create=True) as archive:
        for id in ("e661-1", "e661-12", "f00d", "2"):
            archive.store_match("box", id, header(match=id), [], True)
        for wanted, id in (("1", "e661-1"), ("e661-1", "e661-1"), ("f", "f00d"), ("last", "2"), ("2", "2"), ("4", "2")):
            assert archive.find(wanted).id == id
        for wanted in ("e661", "", "x", "5", "99999999999999999999", "e661-1%", "E661-1", "_"):
            with pytest.raises(InputError):
                archive.find(wanted)


def test_numbers_are_not_used_again(path, capsysbinary):
    with Archive(path, create=True) as archive:
        for id in "ab":
            archive.store_match("box", id, header(match=id), [], True)
    assert main(["forget", "b", "--yes"]) == 0
    with Archive(path, create=True) as archive:
        archive.store_match("box", "c", header(match="c"), [], True)
        assert [(entry.number, entry.id) for entry in archive.entries()] == [(1, "a"), (3, "c")]


@pytest.mark.parametrize("answer, left", [(b"", 1), (b"\n", 1), (b"n\n", 1), (b"y\n", 0)])
def test_forget_asks_with_no_as_default(path, answer, left):
    """Field report 30: what destroys asks, and silence means no."""
    with Archive(path, create=True) as archive:
        archive.store_match("box", "a", header(match="a"), [], True)
    command("forget", "a", stdin=answer, BAZZI_ARCHIVE=str(path))
    assert len(dump(path)) == left


def test_another_version_reckons_the_list_anew(path, monkeypatch):
    with Archive(path, create=True) as archive:
        archive.store_match("box", "m", header(match="m"), STEPS, True)
        archive._file.execute("UPDATE matches SET summary = '{}', stamp = 'older'")
    for _ in range(2):
        with Archive(path) as archive:
            assert archive.entries()[0].summary["deals"] == 2
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT stamp FROM matches").fetchone()[0] == archives.STAMP
    file.close()


def test_a_missing_archive_is_empty_and_stays_missing(path, capsysbinary):
    assert main(["matches", "--json"]) == 0
    assert capsysbinary.readouterr().out == b"[]\n"
    assert main(["matches"]) == 0
    assert not path.exists()


# -- when the file fails --------------------------------------------------------------------------


def failed(capsysbinary, *arguments):
    """Run a command that the archive fails; returns its line."""
    assert main(list(arguments)) == 5
    out, err = capsysbinary.readouterr()
    assert out == b"" and err.count(b"\n") == 1
    return err.decode()


@pytest.mark.parametrize("content", [b"hello\n" * 500, b"SQLite format 3\0" + b"\xff" * 5000], ids=["text", "broken"])
def test_a_file_that_is_no_archive_is_left_alone(path, tmp_path, capsysbinary, content):
    path.parent.mkdir()
    path.write_bytes(content)
    good = tmp_path / "m"
    good.write_bytes(log(header()))
    for arguments in (["matches"], ["show", "last"], ["export", "x"], ["import", str(good)]):
        assert "is damaged, or not an archive of Bazzi" in failed(capsysbinary, *arguments)
        assert path.read_bytes() == content


def test_damage_in_the_middle(path, capsysbinary):
    with Archive(path, create=True) as archive:
        for number in range(40):
            archive.store_match("box", f"m{number}", header(match=f"m{number}"), STEPS, True)
    raw = bytearray(path.read_bytes())
    raw[4096 * 2 :] = b"\xa5" * (len(raw) - 4096 * 2)
    path.write_bytes(raw)
    assert "damaged" in failed(capsysbinary, "matches")


def test_another_programs_database(path, capsysbinary):
    path.parent.mkdir()
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE matches (x)")
    file.close()
    assert "another program's database" in failed(capsysbinary, "matches")


def test_a_newer_archive(path, capsysbinary):
    with Archive(path, create=True) as archive:
        archive._file.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    assert "newer Bazzi" in failed(capsysbinary, "matches")


def test_a_folder_that_cannot_be_made(tmp_path, capsysbinary):
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "m").write_bytes(log(header()))
    path = str(tmp_path / "file" / "sub" / "a.sqlite3")
    assert "cannot be made" in failed(capsysbinary, "import", str(tmp_path / "m"), "--archive", path)
    assert "cannot be opened" in failed(capsysbinary, "matches", "--archive", str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_no_permission():
    """As another user where the tests run as root, whom no permission stops."""
    code = (
        "import os, sys, rich.table, rich.text, sqlite3, platformdirs, platformdirs.unix\n"
        "from bazzi import archive, cli, match_cli, sheets\n"
        "from shared_rules.games import seep\n"
        "if os.geteuid() == 0: os.setuid(65534)\n"
        "sys.exit(cli.main())"
    )
    places = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware", "."))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sub", "a.sqlite3")
        with Archive(path, create=True) as archive:
            archive.store_match("box", "m", header(match="m"), [], True)
        Path(folder, "m").write_bytes(log(header(match="n")))
        path.chmod(0o444)
        path.parent.chmod(0o555)
        os.chmod(folder, 0o755)
        runs = [
            subprocess.run(
                [sys.executable, "-c", code, *arguments],
                env={**os.environ, "PYTHONPATH": places, "BAZZI_ARCHIVE": str(path)},
                capture_output=True,
                timeout=60,
                check=False,
            )
            for arguments in (["matches", "--json"], ["import", str(Path(folder, "m"))])
        ]
        path.parent.chmod(0o755)
    assert (runs[0].returncode, runs[0].stderr) == (0, b"")
    assert json.loads(runs[0].stdout)[0]["id"] == "m"
    assert runs[1].returncode == 5 and runs[1].stderr.count(b"\n") == 1
    assert b"cannot be" in runs[1].stderr


def test_a_full_disk_leaves_what_was_there(path):
    with Archive(path, create=True) as archive:
        archive.store_match("box", "m", header(match="m"), STEPS[:4], True)
        before = dump(path)
        archive._file.execute(f"PRAGMA max_page_count = {archive._one('PRAGMA page_count')}")
        with pytest.raises(ArchiveError, match="disk is full; nothing was stored"):
            archive.store_match("box", "m", header(match="m"), STEPS * 500, True)
        with pytest.raises(ArchiveError, match="disk is full"), archive.all_or_nothing():
            archive.store_match("box", "n", header(match="n"), [], True)
            archive.store_match("box", "o", header(match="o"), STEPS * 500, True)
    assert dump(path) == before


def test_a_failure_in_the_middle_of_several_stores_none(path):
    with Archive(path, create=True) as archive:
        with pytest.raises(RuntimeError), archive.all_or_nothing():
            archive.store_match("box", "n", header(match="n"), [], True)
            raise RuntimeError
        assert archive.entries() == []


class Writer:
    """Another program that is writing to the archive."""

    def __init__(self, path):
        self.file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.file.execute("BEGIN IMMEDIATE")

    def done(self):
        self.file.execute("COMMIT")
        self.file.close()


def test_a_writer_that_stays_is_named_and_nothing_is_stored(path):
    """Field report 99: a clear line instead of a raw error, and nothing half written; readers do not wait."""
    with Archive(path, create=True) as archive:
        archive.store_match("box", "m", header(match="m"), STEPS[:4], True)
    before = dump(path)
    writer = Writer(path)
    with Archive(path, create=True, wait_ms=50) as archive:
        with pytest.raises(ArchiveError, match="in use by another program"):
            archive.store_match("box", "m", header(match="m"), STEPS, True)
        assert len(archive.entries()) == 1
    writer.done()
    assert dump(path) == before


def test_a_writer_that_ends_is_waited_for(path):
    """Field report 99: two programs at once; the second waits its turn."""
    with Archive(path, create=True) as archive:
        archive.store_match("box", "m", header(match="m"), STEPS[:4], True)
    writer = Writer(path)
    timer = threading.Timer(0.2, writer.done)
    timer.start()
    with Archive(path, create=True, wait_ms=60_000) as archive:
        assert archive.store_match("box", "m", header(match="m"), STEPS, True) == "longer"
    timer.join()


def test_many_programs_at_once(path, tmp_path):
    """Field reports 98 and 99: also the very first use may come from several at once."""
    places = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware", "."))
    files = []
    for number in range(6):
        files.append(tmp_path / f"{number}.jsonl")
        files[-1].write_bytes(log(header(match=f"m{number % 3}"), *seep_deal("N", 50)))
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "bazzi", "import", str(file)],
            env={**os.environ, "PYTHONPATH": places, "BAZZI_ARCHIVE": str(path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for file in files
    ]
    for run in runs:
        _, err = run.communicate(timeout=120)
        assert (run.returncode, err) == (0, b"")
    assert sorted(row[0] for row in dump(path)) == ["m0", "m1", "m2"]
