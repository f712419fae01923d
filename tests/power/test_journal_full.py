"""A disk that is full or fails: the match goes on in RAM, the user is told, and nothing kept before is harmed.

FIELD_REPORTS row 67: writing reported success, closing failed, and the file ended empty.
"""

import errno

import pytest
from keeper.journal import KEPT_IN_RAM, REFUSED, ROOM, SAVED, TAIL, Journal
from power_files import MemoryFiles
from power_script import HEADER, Runner, check, deal, journal_in, new_session, plenty, random_bytes, read_all

STEPS = [
    *deal(60),
    ("rename", 1, b"Eva"),
    ("adjust", 0, 5),
    *deal(52),
    ("undo",),
    ("answer", 48),
    ("amend", 3, 61),
    ("rename", 2, b"a name of twenty-four by"),
    *deal(50) * 3,
]
BEFORE = [("create",), ("resume", 1), *deal(40), ("aside", 1), ("create",), ("resume", 2)]


class Patient(Runner):
    """A runner that does as the application: it goes on when a step is kept in RAM, and prepares at each deal."""

    waited = False

    def kept(self, kept, number):
        assert kept in (SAVED, KEPT_IN_RAM)
        if kept == SAVED:
            self.safe[number] = len(self.records[number]) // 16
        else:
            self.waited = True
            assert self.journal.full()

    def record(self, step):
        if self.sessions[self.number].question.ask == 0 and self.journal.prepare():
            self.safe[self.number] = len(self.records[self.number]) // 16
        Runner.record(self, step)


def begun():
    files = MemoryFiles()
    runner = Patient(journal_in("d", files))
    runner.play(BEFORE)
    return files, runner


def count_operations():
    files, runner = begun()
    names = []
    files.on = lambda name, path: names.append(name)
    runner.play(STEPS)
    return names


def fail_from(files, first, lasting):
    """Fail the operation ``first`` (and all that write after it, where ``lasting``) for want of room."""
    count = [0]

    def on(name, path):
        if name == "read":
            return
        count[0] += 1
        if count[0] == first or (lasting and count[0] > first):
            raise OSError(errno.ENOSPC, name)

    files.on = on


@pytest.mark.parametrize("lasting", [True, False], ids=["full", "once"])
def test_row_67_no_room_at_any_operation_of_a_match_and_a_retry_later(lasting):
    """Row 67: each write, flush, open, close and rename fails for want of room once, or from there on."""
    names = [name for name in count_operations() if name != "read"]
    assert {"write", "flush"} <= set(names)
    for first in range(1, len(names) + 1):
        files, runner = begun()
        fail_from(files, first, lasting)
        runner.play(STEPS)
        image = MemoryFiles(files.durable)  # the power fails now
        check(journal_in("d", image), runner.records, runner.safe, runner.begun, lambda i=image: journal_in("d", i))
        assert runner.waited
        files.on = None
        assert runner.journal.retry() and not runner.journal.full()
        runner.safe[2] = len(runner.records[2]) // 16
        assert runner.journal.answer(0, 0, 0x1001, 5) == SAVED
        assert read_all(runner.journal, 2)[:-16] == runner.records[2]
        image = MemoryFiles(files.durable)
        assert journal_in("d", image).entry(2).records == runner.safe[2] + 1


@pytest.mark.parametrize("name", ["open", "write", "flush", "close", "rename"])
@pytest.mark.parametrize("nth", range(1, 9))
def test_row_67_no_room_while_files_are_opened(name, nth):
    """Row 67: the failing operation may be any of those that open the files of a match again."""
    files, runner = begun()
    runner.play(deal(60) * 2)
    image = dict(files.durable)
    image["d/m2.log"] = image.get("d/m2.log", b"") + b"torn"  # so that the log is written anew too
    files = MemoryFiles(image)
    journal = journal_in("d", files)
    count = [0]

    def on(operation, path):
        if operation == name:
            count[0] += 1
            if count[0] == nth:
                raise OSError(errno.ENOSPC, name)

    files.on = on
    session = new_session()
    assert journal.resume(journal.entry(2), session) == 8
    kept = journal.answer(0, 0, 0x1001, 3)
    if count[0] < nth:
        assert kept == SAVED
    elif name != "close":  # closing a file that was only read may fail
        assert kept == KEPT_IN_RAM
    found = journal_in("d", MemoryFiles(files.durable)).entry(2).records
    assert found == (9 if kept == SAVED else 8)
    assert session.answer(0x1001)
    assert journal.retry()
    assert files.durable["d/m2.bad"] in (b"torn", b"torntorn")
    later = journal_in("d", MemoryFiles(files.durable))
    again = new_session()
    assert later.resume(later.entry(2), again) == 9
    assert again.steps == session.steps


def test_row_67_a_write_that_takes_only_a_part_is_a_failure():
    """Row 67: success may be reported for a part of the bytes."""
    files, runner = begun()
    journal = runner.journal
    write = journal._tail.write
    journal._tail.write = lambda data: write(data[:100]) and 100
    assert journal.answer(0, 0, 0x1001, 1) == KEPT_IN_RAM
    assert journal.retry()
    assert journal_in("d", MemoryFiles(files.durable)).entry(2).records == 1
    for _ in range(TAIL - 1):
        assert journal.undo(1) == SAVED
    merge = journal._log.write
    journal._log.write = lambda data: merge(data[:100]) and 100
    assert journal.undo(1) == KEPT_IN_RAM
    assert journal.retry()
    later = journal_in("d", MemoryFiles(files.durable))
    assert later.entry(2).records == 1 + TAIL and not later.warnings


def test_row_67_when_the_ram_is_full_too_steps_are_refused_and_nothing_changes():
    """Row 67: the queue in RAM has an end, and the box says so instead of forgetting."""
    files, runner = begun()
    fail_from(files, 1, True)
    journal = runner.journal
    for _ in range(ROOM):
        assert journal.undo(1) == KEPT_IN_RAM
    assert journal.undo(1) == REFUSED
    assert journal.rename(0, "x") == REFUSED
    assert not journal.retry() and not journal.close()
    assert journal.entry(2).records == 0, "only what is durable is counted and given to the laptop"
    assert read_all(journal, 2) == b""
    assert journal.resume(journal.entry(1), new_session()) == -1, "another match would need the room in RAM"
    files.on = None
    assert journal.retry()
    assert journal.entry(2).records == ROOM and len(files.durable["d/m2.log"]) == 16 * ROOM


def test_row_67_a_full_disk_begins_no_match_and_harms_none():
    """Row 67: each operation of a creation fails once; there is a whole new match or none."""
    for first in range(1, 30):
        files, runner = begun()
        runner.play(deal(60))
        fail_from(files, first, False)
        entry = runner.journal.create(HEADER)
        failed = entry is None
        files.on = None
        image = MemoryFiles(files.durable)
        numbers = [one.number for one in journal_in("d", image).entries()]
        assert numbers == ([2, 1] if failed else [3, 2, 1])
        assert not [path for path in files.durable if path.endswith(".new")]
        assert read_all(journal_in("d", image), 2) == runner.records[2]
        number = runner.journal.create(HEADER).number
        assert number > 2
        if not failed:
            return
    raise AssertionError("a creation has fewer operations")


def test_row_67_marks_that_could_not_be_written_are_written_later():
    """Row 67: over, aside and synced are kept in RAM while the disk is full."""
    files, runner = begun()
    journal = runner.journal
    fail_from(files, 1, True)
    assert not journal.set_over(journal.entry(1), True, [3, -5])
    assert not journal.set_synced(1, 4)
    assert not journal.set_aside(journal.entry(2))
    files.on = None
    assert journal.retry()
    entry = journal_in("d", MemoryFiles(files.durable)).entry(1)
    assert (entry.over, entry.synced, entry.summary) == (True, 4, [3, -5])


def test_warnings_come_before_the_disk_is_full():
    room = [1000000]
    files = MemoryFiles()
    journal = Journal("d", "box", random_bytes, lambda: room[0], quota=40, files=files)
    journal.scan()
    assert not journal.nearly_full() and not journal.full()
    assert journal.resume(journal.create(HEADER), new_session()) == 0
    for _ in range(35):
        assert not journal.nearly_full()
        assert journal.undo(1) == SAVED
    for _ in range(5):
        journal.undo(1)
        assert journal.nearly_full()
    assert journal.full()
    assert journal.undo(1) == REFUSED and journal.rename(1, "x") == REFUSED
    assert journal.end(1) == SAVED, "a match can always be ended"
    journal.close()
    room[0] = 50000
    journal.scan()
    assert not journal.prepare(), "there is no match, but the room is counted"
    assert journal.nearly_full() and not journal.full()
    room[0] = 10000
    assert journal.create(HEADER) is None
    assert journal.full()

    def broken():
        raise OSError(errno.EIO)

    journal = Journal("d", "box", random_bytes, broken, files=files)
    journal.scan()
    assert not journal.prepare()
    assert journal.full() and journal.create(HEADER) is None


def test_a_disk_without_room_for_a_merge_keeps_what_the_tail_has():
    files, runner = begun()
    for _ in range(TAIL - 1):
        assert runner.journal.undo(1) == SAVED
    fail_from(files, 1, True)
    assert runner.journal.undo(1) == KEPT_IN_RAM
    journal = Journal("d", "box", random_bytes, plenty, files=MemoryFiles(files.durable))
    journal.scan()
    assert journal.entry(2).records == TAIL - 1
