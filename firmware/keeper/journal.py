"""The matches on the disk: append-only, and every step is durable before it is acknowledged.

In the data folder:

=============  =====================================================================================
m<n>.hdr       the header line of match n (store.py), written once
m<n>.log       its records (shared_rules/record.py); record i stands at byte 16 * i
tail           the latest records of the match under way: 192 bytes, rewritten whole for every step
index          store.py: the next number; what else is known of each match (over, aside, synced, summary)
m<n>.bad       what damage cut off a match; tail.bad, *.bad: other damaged files, for a person to look at
m<n>.gone      the header of a match that is being deleted
*.new          a file that was being replaced
=============  =====================================================================================

Why a tail: littlefs freezes the last block of a file at every flush, so that appending a record
to a long file costs an erase, 45 ms without interrupts. A file of up to 512 bytes stays in the directory and
costs none. So each step rewrites the tail, and twelve records at a time go to the log.

Why replaying is simple: records carry match and number, so a record that stands in both places is
seen to be the same, whatever moment the power failed.

Numbers of matches come from a stored counter and never come back, so they give the order of the
matches when nobody ever set a clock.
"""

import json

from shared_rules import record
from shared_rules.question import const
from shared_rules.session import ADJUST, AMEND, ANSWER, END, REDEAL, UNDO

from . import store
from .blit import copy

REFUSED = const(0)  # nothing was recorded and nothing may change
SAVED = const(1)  # durable
KEPT_IN_RAM = const(2)  # counted, but lost when the power fails before ``retry`` succeeds

SIZE = const(16)  # of a record
TAIL = const(12)  # records in the tail; with more it would take a second page of flash
ROOM = const(128)  # records that can wait in RAM, those in the tail included

QUOTA = const(4000)  # records of a match
MOST_RECORDS = const(65535)
MOST_NUMBER = const(65535)
MOST_MATCHES = const(200)  # at once; each takes about 150 bytes of memory
MOST_WARNINGS = const(20)
NEAR_BYTES = const(65536)  # free bytes below which the disk is nearly full
MOST_TAIL_BAD = const(8192)
FULL_BYTES = const(16384)  # and below which no new match is begun: room for those that are open

LOG = "bazzi/1"
HEADER_KIND = "hdr"
LOG_KIND = "log"
BAD_KIND = "bad"
GONE_KIND = "gone"

OVER_BIT = const(1)
ASIDE_BIT = const(2)


class Entry:
    """One match in the list.

    number   its place in the order of matches
    over     it has ended
    aside    it was put aside to be resumed another day
    synced   how many of its records the laptop has
    seconds  time of its last step since it began; known once it was resumed
    summary  small integers that the application wants shown in its list, set with ``set_over`` or ``set_aside``
    """

    def __init__(self, journal, number):
        self._journal = journal
        self.number = number
        self.over = False
        self.aside = False
        self.synced = 0
        self.seconds = 0
        self.summary = []
        self.count = -1  # records that are durable; -1: not looked at yet

    @property
    def records(self):
        """How many records are durable. Looked up when first asked for, because a start must be quick."""
        if self.count < 0:
            self._journal.count(self)
        return self.count

    @property
    def header(self):
        """The header line of the match as a dict (not to be changed; read when asked), or None where it is damaged."""
        return self._journal.header(self)


def _rare():
    """Return the module with what is done seldom; the board may forget it again."""
    from keeper import recovery

    return recovery


class Journal:
    """All matches of a data folder (which has to exist). Call ``scan`` first.

    device_id     short text that tells boxes apart
    random_bytes  function(count) -> bytes, as os.urandom
    free_bytes    function() -> free bytes of the disk; may raise OSError
    quota         most records of a match, up to 65535
    warnings      short lines about damage and failures, each once

    Steps (``answer`` to ``end``) belong to the match that ``resume`` made the current one. They
    allocate nothing while the disk works. None of the methods raises for a full or failing disk.
    """

    def __init__(self, folder, device_id, random_bytes, free_bytes, quota=QUOTA, files=store.FILES):
        self._folder = folder + "/"
        self._device_id = device_id
        self._random_bytes = random_bytes
        self._free_bytes = free_bytes
        self._quota = min(quota, MOST_RECORDS)
        self._files = files
        self.warnings = []
        self._entries = []  # newest first
        self._next = 1
        self._free = NEAR_BYTES  # bytes, when last counted and less what was written since
        self._free_old = False
        self._index_old = False  # the index in the folder is not what we know
        self._headers_number = 0  # the match whose header was read last
        self._header = None

        self.current = None  # Entry
        self._number = 0
        self._made = 0  # records of the current match
        self._saved = 0  # of those, durable
        self._logged = 0  # of those, in the log; the others stand in _ram in their order
        self._ram = bytearray(SIZE * ROOM)
        view = memoryview(self._ram)
        self._views = [view[: SIZE * count] for count in range(TAIL + 1)]  # slices allocate
        self._log = None  # both open, or both None
        self._tail = None
        self._mend = False  # the log has to be written anew
        self._spoilt = False  # and what it has too much has to be kept
        self._left = b""  # records that the rules refused, to be kept too
        self._found = b""  # the tail as the start found it, until it is written
        self._reader = None  # a log open for ``read``
        self._reader_number = 0
        self._reader_records = 0  # what it can see; a file open for reading does not see later appends

    def _path(self, number, kind):
        return "%sm%d.%s" % (self._folder, number, kind)

    def _warn(self, text):
        if len(self.warnings) < MOST_WARNINGS and text not in self.warnings:
            self.warnings.append(text)

    # -- the list ---------------------------------------------------------------------------------------

    def scan(self):
        """Look at the folder: list the matches and take in what stands in the tail. For the start, once.

        How full the disk is, which takes a while to count, is known after ``prepare``.
        """
        _rare().scan(self)

    def _save_index(self):
        rows = []
        for entry in self._entries:
            bits = (OVER_BIT if entry.over else 0) | (ASIDE_BIT if entry.aside else 0)
            rows.append([entry.number, bits, entry.synced, entry.summary])
        try:
            store.save(self._folder + "index", {"next": self._next, "matches": rows}, self._files)
        except OSError:
            self._warn("the index could not be written")
            self._index_old = True
            return False
        self._index_old = False
        return True

    def entries(self):
        """Return the matches, newest first. The list is the journal's own: look, do not change."""
        return self._entries

    def entry(self, number):
        """Return the Entry of a match, or None."""
        for entry in self._entries:
            if entry.number == number:
                return entry
        return None

    def count(self, entry):
        """Look up how many records a match has, see Entry.records."""
        entry.count = self._log_bytes(entry.number) // SIZE
        self._compare(entry)

    def _log_bytes(self, number):
        size = max(self._files.size(self._path(number, LOG_KIND)), 0)
        if size % SIZE:
            self._warn("m%d ends in half a record" % number)
        return size

    def _compare(self, entry):
        if entry.count < entry.synced:
            self._warn("m%d has %d records, the laptop %d" % (entry.number, entry.count, entry.synced))

    def header(self, entry):
        """Return a match's header, see Entry.header."""
        if self._headers_number != entry.number:
            self._header = store.load(self._path(entry.number, HEADER_KIND), None, self.warnings, self._files)
            self._headers_number = entry.number
        return self._header

    def header_bytes(self, number):
        """Return the header line as JSON in UTF-8 without a line end, b"" where there is none."""
        entry = self.entry(number)
        header = None if entry is None else entry.header
        return b"" if header is None else json.dumps(header).encode()

    def create(self, header):
        """Begin a match with a header line of LOG.md; returns its Entry once the header is durable.

        "log" and "match" are put in here. None: the disk is too full (or failing), there are
        too many matches, or the numbers are used up; nothing else changed. May allocate.
        """
        return _rare().create(self, header)

    def set_over(self, entry, flag, summary=None):
        """Say whether a match has ended; False: kept in RAM only, ``retry`` writes it. May allocate."""
        return self._set(entry, flag, entry.aside, summary)

    def set_aside(self, entry=None, flag=True, summary=None):
        """Say whether a match (None: the current one) is put aside, and close it if it is the current one.

        False: kept in RAM only, ``retry`` writes it, and the match may still be the current one. May allocate.
        """
        if entry is None:
            entry = self.current
            if entry is None:
                return True
        closed = self.close() if flag and entry is self.current else True
        return self._set(entry, entry.over, flag, summary) and closed

    def _set(self, entry, over, aside, summary):
        if summary is None:
            summary = entry.summary
        summary = list(summary)
        if entry.over == over and entry.aside == aside and entry.summary == summary:
            return not self._index_old
        entry.over = over
        entry.aside = aside
        entry.summary = summary
        return self._save_index()

    def set_synced(self, number, records):
        """Remember how many records of a match the laptop has; False: no such match or records, or not durable."""
        entry = self.entry(number)
        if entry is None or not 0 <= records <= entry.records:
            return False
        if entry.synced == records:
            return not self._index_old
        entry.synced = records
        return self._save_index()

    def delete(self, number):
        """Remove a match that is over and wholly on the laptop; False: it is not, or the disk fails."""
        return _rare().delete(self, number)

    # -- room -------------------------------------------------------------------------------------------

    def _count_free(self):
        self._free_old = False
        try:
            self._free = self._free_bytes()
        except OSError:
            self._free = 0

    def nearly_full(self):
        """Tell whether it is time to sync and delete: little disk, many matches, or a match near its quota."""
        return (
            self.full()
            or self._free < NEAR_BYTES
            or len(self._entries) * 10 >= MOST_MATCHES * 9
            or self._made * 10 >= self._quota * 9
        )

    def full(self):
        """Tell whether steps wait in RAM, or no match can be begun, or the match is at its quota."""
        return (
            self._saved != self._made
            or self._free < FULL_BYTES
            or len(self._entries) >= MOST_MATCHES
            or self._made >= self._quota
        )

    # -- recovery ---------------------------------------------------------------------------------------

    def _is(self, data, at, number):
        """Tell whether data[at:at + 16] is record ``number`` of the current match."""
        return record.stands(data, at, self._number, number)

    def resume(self, entry, session, quick=False):
        """Play a match's records into a new session and make it the current match; returns how many were played.

        Damage, or a step that the rules refuse, ends the match there: a warning says so, and what
        follows is kept in m<number>.bad. -1: not possible, because the match before has records
        that cannot be saved now (``retry``), or because the header is damaged or the log cannot
        be read; the session is then of no use. The match is not aside any more. May allocate.

        quick  leave for later what a picture of the match need not wait for: the caller calls ``session.holds``
               and, where that is False, resumes the match anew and not quickly; else ``prepare``. Steps that the
               rules refuse may raise LookupError, ValueError or ArithmeticError, which comes to the same.
        """
        return _rare().resume(self, entry, session, quick)

    def _mend_log(self):
        """Write the log anew with the records that stand; first keep what it has too much. Raises OSError."""
        _rare().mend_log(self)

    # -- the files of the match under way ------------------------------------------------------------------

    def prepare(self):
        """Have the files open and everything saved, so that the next steps allocate nothing.

        To be called when a deal opens. False: there is no current match, or the disk is full or
        failing; steps are then kept in RAM. May allocate.
        """
        if self.current is None:
            if self._free_old:
                self._count_free()
            return False
        if self._log is None:
            try:
                self._open()
            except OSError:
                self._shut()
                self._count_free()
                return False
        if self._free_old:
            self._count_free()
        return True

    def _open(self):
        """Bring all records into the log, begin an empty tail, open both. Raises OSError.

        After a power cut within a change of the directory, a littlefs handle costs an erase per
        append until it is opened again; so both are opened after files were written and closed here.
        """
        files = self._files
        path = self._path(self._number, LOG_KIND)
        if self._mend or max(files.size(path), 0) != SIZE * self._logged:
            self._mend_log()
        pending = self._made - self._logged
        if pending:
            file = files.open(path, "ab")
            try:
                store.put(file, memoryview(self._ram)[: SIZE * pending])
                files.sync(file)
            finally:
                file.close()
            self._logged = self._saved = self.current.count = self._made
        self._blank_tail()
        self._found = b""
        self._tail = files.open(self._folder + "tail", "r+b")
        self._log = files.open(path, "ab")

    def _blank_tail(self):
        """Begin an empty tail; everything in the old one is in a log. Raises OSError."""
        store.replace(self._folder + "tail", bytes(SIZE * TAIL), self._files)

    def _shut(self):
        """Close the files. After a failure a handle must not be used again: littlefs would accept and forget."""
        for file in (self._log, self._tail):
            if file is not None:
                store.close(file)  # everything acknowledged was flushed before
        self._log = None
        self._tail = None

    def retry(self):
        """Write what waits in RAM; True: everything is saved now. May allocate.

        To be called from time to time while ``full``, and after matches were deleted.
        """
        if self.current is not None and not self.prepare():
            return False
        if self._saved != self._made and not self._write():
            return False
        return self._save_index() if self._index_old else True

    def close(self):
        """Bring the current match wholly into its log, and have none; False: not possible, nothing changed."""
        if self.current is None:
            return True
        if self._made != self._logged:
            if not self.prepare():
                return False
            try:
                if self._made != self._logged:
                    self._merge()
            except OSError:
                self._shut()
                return False
        self._shut()
        self.current = None
        self._made = self._saved = 0
        return True

    # -- steps: nothing from here to ``read`` allocates while the disk works --------------------------------

    def answer(self, ask, seat, value, seconds):
        """Record an answer; ``seconds`` since the match began. Returns SAVED, KEPT_IN_RAM or REFUSED, as all steps."""
        return self._step(ANSWER, ask, seat, value, 0, seconds, self._quota)

    def undo(self, seconds):
        """Record that the last standing step is taken back."""
        return self._step(UNDO, 0, record.NO_SEAT, 0, 0, seconds, self._quota)

    def amend(self, step, value, seconds):
        """Record that an answer is replaced; ``step`` counts undone ones too (Session.target of the answer)."""
        return self._step(AMEND, 0, record.NO_SEAT, value, step, seconds, self._quota)

    def redeal(self, seconds):
        """Record that the table throws the deal in."""
        return self._step(REDEAL, 0, record.NO_SEAT, 0, 0, seconds, self._quota)

    def adjust(self, side, points, seconds):
        """Record a correction of the score in a side's favour."""
        return self._step(ADJUST, side, record.NO_SEAT, points, 0, seconds, self._quota)

    def end(self, seconds):
        """Record that the table ends the match; possible beyond the quota."""
        return self._step(END, 0, record.NO_SEAT, 0, 0, seconds, MOST_RECORDS)

    def rename(self, seat, name, seconds=0):
        """Record a player's new name, at most 24 bytes of UTF-8; a str is encoded, which allocates, bytes are not.

        ``seconds`` is there for likeness only: a name's records have no room for it.
        """
        raw = name.encode() if isinstance(name, str) else name
        count = (len(raw) + record.NAME_BYTES - 1) // record.NAME_BYTES
        if count == 0:
            count = 1
        if count > 3 or not self._has_room(count, self._quota):
            return REFUSED
        # All parts become durable with one flush of the tail: what is there goes to the log first.
        if self._log is not None and self._made - self._logged + count >= TAIL:
            self._flush()
        start = 0
        for place in range(count):
            at = SIZE * (self._made - self._logged + place)
            start = record.pack_name(self._ram, at, self._number, self._made + place, seat, raw, start)
        self._made += count
        return SAVED if self._write() else KEPT_IN_RAM

    def _has_room(self, count, quota):
        return self.current is not None and self._made + count <= quota and self._made - self._logged + count <= ROOM

    def _step(self, kind, ask, seat, value, target, seconds, quota):
        if not self._has_room(1, quota):
            return REFUSED
        at = SIZE * (self._made - self._logged)
        record.pack(self._ram, at, kind, self._number, self._made, ask, seat, value, target, seconds)
        self._made += 1
        return SAVED if self._write() else KEPT_IN_RAM

    def _write(self):
        """Make all records durable: in the tail, or in the log when they fill a tail. False: kept in RAM."""
        pending = self._made - self._logged
        if self._log is None or pending >= TAIL:
            return self._flush()
        if pending:
            tail = self._tail
            try:
                tail.seek(0)
                if tail.write(self._views[TAIL]) != SIZE * TAIL:
                    return self._fail()
                self._files.sync(tail)
            except OSError:
                return self._fail()
        self._saved = self._made
        self.current.count = self._made
        return True

    def _flush(self):
        """Bring all records into the log. False: not possible."""
        if self._log is None:
            return False
        try:
            if self._made != self._logged:
                self._merge()
        except OSError:
            return self._fail()
        return True

    def _merge(self):
        """Append all records that are not in the log yet to it, in one flush. Raises OSError."""
        pending = self._made - self._logged
        store.put(self._log, self._views[pending] if pending <= TAIL else memoryview(self._ram)[: SIZE * pending])
        self._files.sync(self._log)
        self._logged = self._saved = self.current.count = self._made
        self._free -= SIZE * pending
        self._free_old = True
        if self._reader_number == self._number:
            self._reader_records = 0  # it has to be opened again: the blocks it knows may be used for something else

    def _fail(self):
        self._shut()
        return False

    # -- for the link ------------------------------------------------------------------------------------

    def read(self, number, first, buffer):
        """Copy records of a match from number ``first`` on into a buffer; returns how many, 0 at the end.

        Only durable ones, as many as fit. They are copied as they are: whoever takes them checks
        them. The first call for a match opens its log, which allocates.
        """
        entry = self.entry(number)
        if entry is None:
            return 0
        count = min(len(buffer) // SIZE, entry.records - first)
        if first < 0 or count <= 0:
            return 0
        logged = self._logged if entry is self.current else entry.count
        got = 0
        if first < logged:
            want = min(count, logged - first)
            got = self._read_log(number, first, want, buffer)
            if got < want:
                return got
        while got < count:
            copy(buffer, SIZE * got, self._ram, SIZE * (first + got - logged), SIZE, 0)
            got += 1
        return count

    def _read_log(self, number, first, want, buffer):
        """Read records from a log into a buffer; returns how many (the buffer may hold more), 0 after a failure."""
        try:
            if self._reader_number != number or self._reader_records < first + want:
                self._close_reader()
                path = self._path(number, LOG_KIND)
                self._reader = self._files.open(path, "rb")
                self._reader_number = number
                self._reader_records = self._files.size(path) // SIZE
            self._reader.seek(SIZE * first)
            got = (self._reader.readinto(buffer) or 0) // SIZE
        except OSError:
            self._close_reader()
            self._warn("m%d.log cannot be read" % number)
            return 0
        return min(got, want)

    def _close_reader(self):
        if self._reader is not None:
            store.close(self._reader)
        self._reader = None
        self._reader_number = 0
        self._reader_records = 0
