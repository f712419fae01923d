"""A session of several matches as a list of steps, and the check of what a journal has of it after a cut.

Runs on CPython and MicroPython. One runner makes the steps through a journal; ``acknowledged``
tells what the journal promised so far, ``check`` compares what another journal finds with it.
"""

from keeper.journal import SAVED, Journal

from shared_rules import record
from shared_rules.games.seep import Game
from shared_rules.session import NAME, Session

SIZE = 16
HEADER = {"game": "seep", "options": {"match_bazzis": 0}, "players": ["Asha", "Bela", "Chand", "Devi"], "dealer": "N"}


def new_session():
    options = [option.default for option in Game.OPTIONS]
    options[0] = 0  # without end, so that every script fits
    return Session(Game(options), 0, HEADER["players"])


def random_bytes(count):
    return bytes([165] * count)


def plenty():
    return 1000000


def journal_in(folder, files=None, free=plenty):
    if files is None:
        journal = Journal(folder, "box", random_bytes, free)
    else:
        journal = Journal(folder, "box", random_bytes, free, files=files)
    journal.scan()
    return journal


def deal(cards, bid=11):
    """A deal without sweep: who deals, bid, played out, points."""
    return [("default",), ("answer", bid), ("default",), ("answer", cards)]


def script():
    """Two matches with every kind of step, one put aside and resumed, over many merges of the tail."""
    parts = (
        [("create",), ("resume", 1)],
        deal(60),
        deal(45),
        [("rename", 1, b"Eva"), ("adjust", 0, 5)],
        deal(52),
        [("undo",), ("undo",), ("answer", 0x1001), ("default",), ("answer", 48)],
        [("amend", 3, 61), ("rename", 2, "Ünal Öztürk".encode()), ("undo",)],
        [("default",), ("answer", 12), ("redeal",), ("set_synced", 1, 10)],
        deal(50),
        deal(51),
        [("rename", 3, b"a name of twenty-four by")],
        [("create",), ("aside", 1), ("resume", 2)],
        deal(40),
        deal(41),
        deal(39, 13),
        [("aside", 2), ("resume", 1)],
        deal(55),
        [("end",), ("over", 1), ("resume", 2)],
        deal(20),
    )
    steps = []
    for part in parts:
        steps += part
    return steps


class Runner:
    """Makes steps through a journal and remembers the records that were acknowledged.

    records  match number -> bytes of all records the steps make, acknowledged or not
    safe     match number -> how many of them were acknowledged
    begun    numbers of the matches whose creation was acknowledged
    """

    def __init__(self, journal):
        self.journal = journal
        self.records = {}
        self.safe = {}
        self.begun = []
        self.sessions = {}
        self.number = 0
        self.clock = 0

    def play(self, steps):
        for step in steps:
            self.make(step)

    def make(self, step):
        """Make one step; asserts that it is saved."""
        journal = self.journal
        kind = step[0]
        if kind == "create":
            number = len(self.records) + 1
            self.records[number] = b""
            self.safe[number] = 0
            entry = journal.create(HEADER)
            assert entry is not None and entry.number == number
            self.begun.append(number)
        elif kind == "resume":
            self.number = step[1]
            session = new_session()
            played = journal.resume(journal.entry(self.number), session)
            assert played == self.safe[self.number], (played, self.safe)
            self.sessions[self.number] = session
        elif kind == "aside":
            assert journal.set_aside(journal.entry(step[1]))
        elif kind == "over":
            assert journal.set_over(journal.entry(step[1]), True)
        elif kind == "set_synced":
            assert journal.set_synced(step[1], step[2])
        else:
            self.record(step)

    def kept(self, kept, number):
        """Take what the journal said about a step: SAVED promises all steps so far."""
        assert kept == SAVED, kept
        self.safe[number] = len(self.records[number]) // SIZE

    def record(self, step):
        journal = self.journal
        number = self.number
        session = self.sessions[number]
        kind = step[0]
        self.clock += 3
        clock = self.clock
        made = bytearray(SIZE * 3)
        count = len(self.records[number]) // SIZE
        new = 1
        if kind == "rename":
            start = 0
            new = 0
            while start >= 0:
                start = record.pack_name(made, SIZE * new, number, count + new, step[1], step[2], start)
                new += 1
        else:
            question = session.question
            ask = seat = value = target = 0
            seat = 255
            code = ("answer", "undo", "amend", "redeal", "adjust", "", "end").index(
                "answer" if kind == "default" else kind
            ) + 1
            if code == 1:
                ask = question.ask
                seat = question.seat
                value = question.default if kind == "default" else step[1]
            elif kind == "amend":
                target = step[1]
                value = step[2]
            elif kind == "adjust":
                ask = step[1]
                value = step[2]
            record.pack(made, 0, code, number, count, ask, seat, value, target, clock)
        self.records[number] += bytes(made[: SIZE * new])
        if kind == "rename":
            kept = journal.rename(step[1], step[2])
        elif kind == "undo":
            kept = journal.undo(clock)
        elif kind == "amend":
            kept = journal.amend(step[1], step[2], clock)
        elif kind == "redeal":
            kept = journal.redeal(clock)
        elif kind == "adjust":
            kept = journal.adjust(step[1], step[2], clock)
        elif kind == "end":
            kept = journal.end(clock)
        else:
            kept = journal.answer(ask, seat, value, clock)
        self.kept(kept, number)
        player = record.Player(session)
        for place in range(new):
            assert player.play(made, SIZE * place), step


def read_all(journal, number):
    """Return all records of a match, as the link reads them."""
    buffer = bytearray(SIZE * 5)
    data = b""
    while True:
        got = journal.read(number, len(data) // SIZE, buffer)
        if not got:
            return data
        data += bytes(buffer[: SIZE * got])


def check(journal, records, safe, begun, reopen, torn=False):
    """Assert that a journal opened after a cut has what was acknowledged, nothing invented, and goes on.

    ``reopen`` opens one more journal on the same disk. ``torn``: damage may be reported.
    """
    for number in begun:
        assert journal.entry(number) is not None, "match %d is lost" % number
    if not torn:
        assert not journal.warnings, journal.warnings
    synced = {}
    for entry in list(journal.entries()):
        number = entry.number
        assert number in records, "match %d was never begun" % number
        assert entry.header["players"] == HEADER["players"]
        session = new_session()
        played = journal.resume(entry, session)
        found = read_all(journal, number)
        assert len(found) == SIZE * played
        assert found == records[number][: len(found)], "invented"
        if found:
            last = found[-SIZE:]
            assert not (record.kind(last, 0) == NAME and record.ask(last, 0) & record.MORE), "half a name"
        assert safe[number] <= played <= len(records[number]) // SIZE, (number, safe[number], played)
        again = records[number][: len(found)]
        whole = new_session()
        player = record.Player(whole)
        for at in range(0, len(again), SIZE):
            assert player.play(again, at)
        assert (session.steps, session.lines, session.names) == (whole.steps, whole.lines, whole.names)
        assert session.rules.difference == whole.rules.difference
        if entry.over or session.rules.over:
            step = journal.undo(7)
            session.undo()
        else:
            step = journal.answer(session.question.ask, session.question.seat, session.question.default, 7)
            session.answer(session.question.default)
        assert step == SAVED, "the next step"
        synced[number] = (played + 1, session.steps, session.rules.difference)
    later = reopen()
    for number in synced:
        session = new_session()
        assert later.resume(later.entry(number), session) == synced[number][0]
        assert (session.steps, session.rules.difference) == synced[number][1:]
    return later
