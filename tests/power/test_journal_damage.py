"""Damaged files: the box starts, keeps the damaged file, says so in one line, and the next step is safe."""

import random

import pytest
from keeper.journal import SAVED
from power_files import MemoryFiles
from power_script import HEADER, Runner, check, deal, journal_in, new_session, read_all

SIZE = 16
GARBAGE = bytes(random.Random(3).randrange(256) for _ in range(300))


def played(steps):
    """Return (durable files after the last step, runner): the power fails then."""
    files = MemoryFiles()
    runner = Runner(journal_in("d", files))
    runner.play([("create",), ("resume", 1), *steps])
    return files.durable, runner


def start(image):
    """Start a box on files; returns (journal, files, session of the newest match, records played)."""
    files = MemoryFiles(image)
    journal = journal_in("d", files)
    session = new_session()
    count = journal.resume(journal.entries()[0], session)
    return journal, files, session, count


def goes_on(journal, files, session, count):
    """Assert that the next steps are kept and found by the next start, exactly after those there were."""
    for _ in range(14):  # over a merge of the tail
        assert journal.answer(session.question.ask, session.question.seat, session.question.default, 1) == SAVED
        assert session.answer(session.question.default)
    _, _, again, found = start(files.durable)
    assert found == count + 14
    assert (again.steps, again.rules.difference) == (session.steps, session.rules.difference)


@pytest.mark.parametrize("name", ["tail", "m1.log", "m1.hdr", "index"])
@pytest.mark.parametrize("content", [b"", b"x", None, GARBAGE], ids=["empty", "one byte", "half", "garbage"])
def test_row_65_a_file_that_is_empty_short_half_or_garbage_is_kept_and_reported(name, content):
    """FIELD_REPORTS row 65: an interrupted rewrite leaves an empty file; it must not stop the box or be thrown away."""
    image, runner = played(deal(60) * 4)  # 16 records: 12 in the log, 4 in the tail
    image = dict(image)
    path = "d/" + name
    if content is None:
        content = image[path][: len(image[path]) // 2]
    image[path] = content
    files = MemoryFiles(image)
    journal = journal_in("d", files)
    entry = journal.entry(1)
    session = new_session()
    count = journal.resume(entry, session)
    assert journal.warnings, "the damage was hidden"
    assert all("\n" not in line and len(line) < 100 for line in journal.warnings)
    if name == "m1.hdr":
        assert count == -1 and entry.header is None
        assert read_all(journal, 1) == runner.records[1], "what is left of the match can still be fetched"
        assert files.durable["d/m1.hdr.bad"] == content
        return
    kept = {"index": 16, "tail": 12, "m1.log": 0}[name]
    if name == "tail" and content == image["d/tail"] and len(content) == 96:
        kept = 16  # the first six slots are there, and four are in use
    if name == "m1.log" and len(content) == 96:
        kept = 16  # the tail still has all that was cut off
    assert count == kept
    assert read_all(journal, 1) == runner.records[1][: SIZE * count]
    if content:
        bad = b"".join(data for path, data in files.durable.items() if path.endswith(".bad"))
        assert content in bad or content[SIZE * count :] in bad or kept == 16, "the damaged bytes are kept"
    goes_on(journal, files, session, count)


def test_a_match_of_a_damaged_index_keeps_its_number_and_what_the_index_knew_is_asked_anew():
    image, _ = played(deal(60))
    files = MemoryFiles({**image, "d/index": b"no"})
    journal = journal_in("d", files)
    assert [entry.number for entry in journal.entries()] == [1]
    assert journal.create(HEADER).number == 2
    assert journal.warnings == ["index is damaged; kept as index.bad"]
    assert not journal_in("d", files).warnings


@pytest.mark.parametrize("place", range(16 * 4))
def test_a_flipped_bit_anywhere_in_the_tail_costs_that_record_at_most_and_is_reported(place):
    image, runner = played(deal(60) * 4)
    tail = bytearray(image["d/tail"])
    tail[place] ^= 1 << place % 8
    journal, files, session, count = start({**image, "d/tail": bytes(tail)})
    assert count == 12 + place // SIZE
    assert read_all(journal, 1) == runner.records[1][: SIZE * count]
    assert journal.warnings == ["the tail has a damaged or torn record; copied to tail.bad"]
    assert files.durable["d/tail.bad"] == bytes(tail), "the records after it are not thrown away"
    goes_on(journal, files, session, count)


@pytest.mark.parametrize("place", range(0, 16 * 12, 5))
def test_a_flipped_bit_in_the_log_is_restored_from_the_tail_or_ends_the_match_there(place):
    image, runner = played(deal(60) * 3)  # twelve records, in the log and, as the merge left it, in the tail
    log = bytearray(image["d/m1.log"])
    log[place] ^= 1 << place % 8
    damaged = {**image, "d/m1.log": bytes(log)}
    journal, files, session, count = start(damaged)
    record = place // SIZE
    if record < 11:  # the twelfth went straight to the log
        assert count == 12 and journal.warnings == ["m1: damaged records were restored"]
    else:
        assert count == 11 and files.durable["d/m1.bad"] == bytes(log)[SIZE * 11 :]
    assert files.durable["d/m1.log"] == runner.records[1][: SIZE * count]
    goes_on(journal, files, session, count)

    journal, files, session, count = start({**damaged, "d/tail": bytes(SIZE * 12)})
    assert count == record
    assert files.durable["d/m1.bad"] == bytes(log)[SIZE * record :]
    assert journal.warnings == ["m1: from record %d on: damaged; kept as m1.bad" % record]
    goes_on(journal, files, session, count)


@pytest.mark.parametrize("extra", [1, 7, 15])
def test_row_66_a_log_that_ends_in_half_a_record_does_not_swallow_the_next_one(extra):
    """FIELD_REPORTS row 66: a record appended after a torn one was glued to it, and both were lost."""
    image, runner = played(deal(60) * 4)
    torn = image["d/m1.log"] + runner.records[1][SIZE * 12 : SIZE * 12 + extra]
    journal, files, session, count = start({**image, "d/m1.log": torn})
    assert count == 16
    assert journal.warnings == ["m1 ends in half a record"]
    assert files.durable["d/m1.bad"] == torn[SIZE * 12 :]
    assert files.durable["d/m1.log"] == runner.records[1]
    goes_on(journal, files, session, count)
    assert not journal_in("d", files).warnings, "one report is enough"


def test_row_66_half_a_name_at_the_cut_is_taken_back_whole():
    """FIELD_REPORTS row 66, half a UTF-8 character at the cut: a name is there with all its records or not at all."""
    image, runner = played([*deal(60), ("rename", 1, "Şükrü Çağ".encode())])
    assert runner.safe[1] == 4 + 2
    tail = bytearray(image["d/tail"])
    tail[SIZE * 5 :] = bytes(SIZE * 7)
    journal, files, session, count = start({**image, "d/tail": bytes(tail)})
    assert count == 4 and session.names == HEADER["players"]
    assert journal.warnings == ["the tail has a damaged or torn record; copied to tail.bad"]
    goes_on(journal, files, session, count)


def test_a_record_that_the_rules_refuse_ends_the_match_there_and_is_kept():
    image, runner = played(deal(60) * 2)
    from shared_rules import record

    log = bytearray(runner.records[1])
    record.pack(log, SIZE * 5, 1, 1, 5, 1, 0, 14, 0, 9)  # a bid of 14
    for where in ("log", "tail"):
        new = dict(image)
        if where == "log":
            new["d/m1.log"] = bytes(log)
            new["d/tail"] = bytes(SIZE * 12)
        else:
            new["d/tail"] = bytes(log) + bytes(SIZE * 4)
        journal, files, session, count = start(new)
        assert count == 5
        assert journal.warnings == ["m1: from record 5 on: not possible by the rules; kept as m1.bad"]
        assert files.durable["d/m1.bad"] == bytes(log)[SIZE * 5 :]
        assert files.durable["d/m1.log"] == bytes(log)[: SIZE * 5]
        goes_on(journal, files, session, count)


def test_records_without_a_header_and_a_tail_of_no_match_are_reported():
    image, _ = played(deal(60) * 4)
    image = dict(image)
    del image["d/m1.hdr"]
    journal = journal_in("d", MemoryFiles(image))
    assert journal.entry(1).records == 16 and journal.entry(1).header is None
    assert journal.warnings == ["m1 has records but no header"]
    del image["d/m1.log"]
    files = MemoryFiles(image)
    journal = journal_in("d", files)
    assert journal.entries() == []
    assert files.durable["d/tail.bad"] == image["d/tail"]
    assert journal.create(HEADER).number == 2


def test_a_log_that_cannot_be_read_now_is_not_taken_for_a_damaged_one():
    image, runner = played(deal(60) * 4)
    files = MemoryFiles(image)
    journal = journal_in("d", files)

    def fail(name, path):
        if name == "read" and path.endswith("m1.log"):
            raise OSError(5)

    files.on = fail
    assert journal.resume(journal.entry(1), new_session()) == -1
    files.on = None
    assert journal.resume(journal.entry(1), new_session()) == 16
    assert files.durable["d/m1.log"] == runner.records[1]


def test_garbage_in_every_file_at_once_does_not_stop_the_box():
    rng = random.Random(4)
    image, _ = played(deal(60) * 4)
    for _ in range(200):
        new = {
            path: bytes(rng.randrange(256) for _ in range(rng.randrange(60))) if rng.random() < 0.5 else data
            for path, data in image.items()
        }
        for name in ("m.hdr", "m99999999.log", "mx.log", "m3.gone", "notes.txt", "m12.hdr.new"):
            new["d/" + name] = b"?"
        files = MemoryFiles(new)
        journal = journal_in("d", files)
        for entry in list(journal.entries()):
            journal.resume(entry, new_session())
        entry = journal.create(HEADER)
        session = new_session()
        assert journal.resume(entry, session) == 0
        goes_on(journal, files, session, 0)
        assert files.durable["d/notes.txt"] == b"?"


def test_a_clean_run_reports_nothing():
    image, runner = played(deal(60) * 4)
    files = MemoryFiles(image)
    check(journal_in("d", files), runner.records, runner.safe, runner.begun, lambda: journal_in("d", files))
