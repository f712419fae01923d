"""The list of matches, deleting, the link's reading, the bounds."""

import pytest
from keeper import journal as journal_module
from keeper import recovery
from keeper.journal import REFUSED, SAVED, Journal
from keeper.store import Files
from power_files import MemoryFiles
from power_script import HEADER, Runner, deal, journal_in, new_session, plenty, random_bytes, read_all


def played(count, steps=()):
    files = MemoryFiles()
    runner = Runner(journal_in("d", files))
    for number in range(1, count + 1):
        runner.play([("create",), ("resume", number), *steps, ("aside", number)])
    return files, runner


def finish(journal, number):
    entry = journal.entry(number)
    journal.set_over(entry, True)
    journal.set_synced(number, entry.records)


def test_row_58_the_order_of_matches_needs_no_clock():
    """FIELD_REPORTS row 58: the Pico's clock restarts at a fixed date; order comes from a stored counter."""
    files, runner = played(3, deal(60))
    journal = runner.journal
    for number in (1, 3):
        finish(journal, number)
        assert journal.delete(number)
    journal = journal_in("d", files)
    assert journal.create({**HEADER, "started": "2026-11-29T19:05:00+05:30"}).number == 4
    journal = journal_in("d", files)
    assert journal.create(HEADER).number == 5
    assert [entry.number for entry in journal.entries()] == [5, 4, 2]
    assert [entry.header.get("started") for entry in journal.entries()] == [None, "2026-11-29T19:05:00+05:30", None]
    for number in (2, 4, 5):
        finish(journal, number)
        assert journal.delete(number)
    assert journal_in("d", files).create(HEADER).number == 6, "a number never comes back"


def test_ids_differ_after_a_reinstall_too():
    ids = []
    for random in (b"\x01\x02\x03\x04", b"\xff\x00\x10\x20"):
        journal = Journal("d", "e66058388348", lambda count, random=random: random[:count], plenty, files=MemoryFiles())
        journal.scan()
        ids.append(journal.create(HEADER).header["match"])
    assert ids == ["e66058388348-1-01020304", "e66058388348-1-ff001020"]


def test_the_header_is_kept_as_given(tmp_path):
    journal = Journal(str(tmp_path), "box", random_bytes, plenty, files=Files())
    journal.scan()
    header = {**HEADER, "players": ["Zoë", 'a"b\\', "अशा", ""]}
    entry = journal.create(header)
    assert "match" not in header
    assert entry.header == {**header, "log": "bazzi/1", "match": "box-1-a5a5a5a5"}
    import json

    assert json.loads(journal.header_bytes(1)) == entry.header
    assert b"\n" not in journal.header_bytes(1)
    assert journal.header_bytes(2) == b""


def test_marks_survive_a_restart():
    files, runner = played(2, deal(60))
    journal = runner.journal
    assert journal.set_over(journal.entry(1), True, [1, 74])
    assert journal.set_synced(2, 3)
    assert not journal.set_synced(2, 5) and not journal.set_synced(7, 0)
    journal = journal_in("d", files)
    one, two = journal.entry(1), journal.entry(2)
    assert (one.over, one.aside, one.synced, one.summary, one.records) == (True, True, 0, [1, 74], 4)
    assert (two.over, two.aside, two.synced, two.summary, two.records) == (False, True, 3, [], 4)
    assert journal.resume(two, new_session()) == 4
    assert not two.aside, "a match that is resumed is the one to show after the next start"
    assert two.seconds == runner.clock


@pytest.mark.parametrize("again", [False, True], ids=["same run", "after a restart"])
def test_only_a_match_that_is_over_and_wholly_synced_can_be_deleted(again):
    files, runner = played(2, deal(60) * 4)
    journal = journal_in("d", files) if again else runner.journal
    assert not journal.delete(1), "neither over nor synced"
    journal.set_over(journal.entry(1), True)
    journal.set_synced(1, 15)
    assert not journal.delete(1), "one record is missing on the laptop"
    journal.set_synced(1, 16)
    journal.set_over(journal.entry(1), False)
    assert not journal.delete(1), "reopened by an undo"
    journal.set_over(journal.entry(1), True)
    assert journal.delete(1) and not journal.delete(1)
    assert sorted(files.durable) == ["d/index", "d/m2.hdr", "d/m2.log", "d/tail"]
    assert not journal_in("d", files).warnings
    assert read_all(journal, 2) == runner.records[2]


def test_the_match_on_the_table_can_be_deleted_when_it_is_over_and_synced():
    files, runner = played(1)
    runner.play([("resume", 1), *deal(60), ("end",)])
    finish(runner.journal, 1)
    assert runner.journal.delete(1)
    assert runner.journal.current is None and runner.journal.undo(1) == REFUSED
    journal = journal_in("d", files)
    assert not journal.entries() and not journal.warnings


def test_a_cut_while_deleting_leaves_the_match_or_nothing():
    files, runner = played(2, deal(60) * 4)
    runner.play([("resume", 1)])
    finish(runner.journal, 1)
    images = []
    files.on = lambda name, path: images.append(dict(files.durable))
    assert runner.journal.delete(1)
    images.append(dict(files.durable))
    assert len(images) > 5
    for image in images:
        later = MemoryFiles(image)
        journal = journal_in("d", later)
        assert not journal.warnings
        assert read_all(journal, 2) == runner.records[2]
        if journal.entry(1) is None:
            assert not [path for path in later.durable if path.startswith("d/m1")]
            assert journal.create(HEADER).number == 3
        else:
            assert read_all(journal, 1) == runner.records[1]
            assert journal.delete(1)


def test_what_nobody_has_seen_of_a_damaged_log_outlives_the_match():
    files, runner = played(1, deal(60))
    files.durable["d/m1.log"] += b"more"
    journal = journal_in("d", files)
    finish(journal, 1)
    assert journal.delete(1)
    assert files.durable["d/m1.log.bad"] == runner.records[1] + b"more"


@pytest.mark.parametrize("size", [1, 3, 8, 40])
def test_reading_while_a_match_is_played_disturbs_nothing(size):
    files, runner = played(1, deal(55) * 3)
    runner.play([("create",), ("resume", 2)])
    journal = runner.journal
    buffer = bytearray(16 * size)
    for step in deal(60) * 10:
        runner.make(step)
        for number in (1, 2, 1):
            total = len(runner.records[number]) // 16
            for first in {0, 1, total // 2, total - size, total - 1}:
                if first < 0:
                    continue
                got = journal.read(number, first, buffer)
                assert got == min(size, total - first)
                assert buffer[: 16 * got] == runner.records[number][16 * first : 16 * (first + got)]
            assert journal.read(number, total, buffer) == 0
    assert journal.read(3, 0, buffer) == 0 and journal.read(1, -1, buffer) == 0
    assert journal_in("d", MemoryFiles(files.durable)).entry(2).records == 40


def test_reading_a_match_that_was_not_resumed_after_a_cut():
    files, runner = played(1)
    runner.play([("resume", 1), *deal(60) * 4])
    journal = journal_in("d", MemoryFiles(files.durable))
    assert journal.entry(1).records == 16
    assert read_all(journal, 1) == runner.records[1]
    journal = journal_in("d", MemoryFiles(files.durable))
    assert journal.resume(journal.create(HEADER), new_session()) == 0, "another match first"
    assert read_all(journal, 1) == runner.records[1]


def test_a_tail_of_one_match_is_not_taken_for_another():
    files, runner = played(2, deal(60))
    runner.play([("resume", 2), *deal(60) * 3])  # the tail was merged and still holds copies
    journal = journal_in("d", MemoryFiles(files.durable))
    for number in (1, 2, 1):
        session = new_session()
        assert journal.resume(journal.entry(number), session) == len(runner.records[number]) // 16
        assert session.rules.difference == runner.sessions[number].rules.difference
    assert not journal.warnings


def test_steps_need_a_current_match_and_names_fit_three_records():
    files, runner = played(1)
    journal = runner.journal
    assert journal.answer(0, 0, 0x1001, 1) == REFUSED and journal.end(1) == REFUSED
    assert not journal.prepare() and journal.retry() and journal.close()
    runner.play([("resume", 1)])
    assert journal.rename(0, "x" * 25) == REFUSED
    assert journal.rename(0, "") == SAVED
    assert journal.rename(3, "é" * 12) == SAVED
    session = new_session()
    later = journal_in("d", files)
    assert later.resume(later.entry(1), session) == 4
    assert session.names == ["", "Bela", "Chand", "é" * 12]


def test_names_of_every_length_at_every_place_of_the_tail_become_durable_at_once():
    for before in range(14):
        for length in (1, 8, 9, 16, 17, 24):
            files, runner = played(1)
            runner.play([("resume", 1)])
            for _ in range(before):
                assert runner.journal.adjust(0, 1, 1) == SAVED
            images = []
            files.on = lambda name, path, files=files, images=images: images.append(dict(files.durable))
            assert runner.journal.rename(2, b"x" * length) == SAVED
            files.on = None
            images.append(dict(files.durable))
            whole = before + (length + 7) // 8
            found = [journal_in("d", MemoryFiles(image)).entry(1).records for image in images]
            assert set(found) <= {before, whole} and found[-1] == whole


def test_bounds_of_records_and_numbers(monkeypatch):
    files = MemoryFiles()
    journal = Journal("d", "box", random_bytes, plenty, quota=10**9, files=files)
    journal.scan()
    assert journal.resume(journal.create(HEADER), new_session()) == 0
    journal._made = journal._saved = journal._logged = journal_module.MOST_RECORDS - 1
    assert journal.end(1) == SAVED
    assert journal.end(1) == REFUSED
    journal._next = journal_module.MOST_NUMBER
    assert journal.create(HEADER).number == 65535
    assert journal.create(HEADER) is None
    monkeypatch.setattr(recovery, "MOST_MATCHES", 2)
    journal._next = 9
    assert journal.create(HEADER) is None


def test_a_missing_folder_is_reported(tmp_path):
    journal = Journal(str(tmp_path / "no"), "box", random_bytes, plenty)
    journal.scan()
    assert journal.warnings == ["the data folder cannot be read"]
    assert journal.create(HEADER) is None


def test_the_laptop_can_ask_for_fsync(tmp_path):
    synced = []
    journal = Journal(str(tmp_path), "box", random_bytes, plenty, files=Files(synced.append))
    journal.scan()
    assert journal.resume(journal.create(HEADER), new_session()) == 0
    before = len(synced)
    assert journal.undo(1) == SAVED
    assert len(synced) == before + 1
    journal.close()
