"""What the journal does seldom: look the folder over, begin, resume and delete a match, mend damage.

The other half of keeper.journal, whose Journal calls these functions with itself. On the board this
module is in memory only while one of them is needed.
"""

from shared_rules import record
from shared_rules.question import const
from shared_rules.session import NAME

from . import store
from .blit import copy, mix
from .journal import (
    ASIDE_BIT,
    BAD_KIND,
    FULL_BYTES,
    GONE_KIND,
    HEADER_KIND,
    LOG,
    LOG_KIND,
    MOST_MATCHES,
    MOST_NUMBER,
    MOST_TAIL_BAD,
    OVER_BIT,
    SIZE,
    TAIL,
    Entry,
)

CHUNK = const(32)  # records read at a time


def _blank(data, at):
    return data[at : at + SIZE] == bytes(SIZE)


def _more(data, at):
    """Tell whether the record at ``at`` is a part of a name that goes on in the next record."""
    return record.kind(data, at) == NAME and record.ask(data, at) & record.MORE != 0


def scan(journal):
    """Look at the folder: list the matches and take in what stands in the tail. For the start, once."""
    try:
        names = journal._files.listdir(journal._folder[:-1])
    except OSError:
        names = []
        journal._warn("the data folder cannot be read")
    numbers = set()
    for name in names:
        number, kind = _parse(name)
        if name.endswith(store.TEMPORARY):
            store.discard(journal._folder + name, journal._files)
        elif number:
            journal._next = max(journal._next, number + 1)
            if kind in (HEADER_KIND, LOG_KIND):
                numbers.add(number)
    for name in names:
        number, kind = _parse(name)
        if kind == GONE_KIND and number:
            _remove(journal, number)
            numbers.discard(number)
    journal._entries = [Entry(journal, number) for number in sorted(numbers, reverse=True)]
    for entry in journal._entries:
        if "m%d.%s" % (entry.number, HEADER_KIND) not in names:
            journal._warn("m%d has records but no header" % entry.number)
    _load_index(journal, "index" in names)
    _read_tail(journal)
    journal._free_old = True


def _parse(name):
    """Return (number, kind) of a match's file, (0, "") for any other."""
    dot = name.find(".")
    if name[:1] != "m" or not name[1 : max(dot, 1)].isdigit() or int(name[1:dot]) > MOST_NUMBER:
        return 0, ""
    return int(name[1:dot]), name[dot + 1 :]


def _load_index(journal, there):
    index = store.load(journal._folder + "index", None, journal.warnings, journal._files)
    if index is None:
        if journal._entries and not there:
            journal._warn("the index is missing")
        journal._index_old = there or bool(journal._entries)
        return
    journal._next = max(journal._next, index["next"])
    for row in index["matches"]:
        entry = journal.entry(row[0])
        if entry is not None:
            entry.over = row[1] & OVER_BIT != 0
            entry.aside = row[1] & ASIDE_BIT != 0
            entry.synced = row[2]
            entry.summary = row[3]


def create(journal, header):
    """Begin a match with a header line of LOG.md; returns its Entry once the header is durable.

    "log" and "match" are put in here. None: the disk is too full (or failing), there are
    too many matches, or the numbers are used up; nothing else changed. May allocate.
    """
    journal._count_free()
    number = journal._next
    if number > MOST_NUMBER or len(journal._entries) >= MOST_MATCHES or journal._free < FULL_BYTES:
        return None
    journal._next = number + 1
    if not journal._save_index():  # first, so that the number is never given again
        return None
    line = dict(header)
    line["log"] = LOG
    line["match"] = "%s-%d-%s" % (
        journal._device_id,
        number,
        "".join(["%02x" % byte for byte in journal._random_bytes(4)]),
    )
    try:
        store.save(journal._path(number, HEADER_KIND), line, journal._files)
    except OSError:
        journal._warn("a header could not be written")
        return None
    entry = Entry(journal, number)
    entry.count = 0
    journal._entries.insert(0, entry)
    return entry


def delete(journal, number):
    """Remove a match that is over and wholly on the laptop; False: it is not, or the disk fails."""
    entry = journal.entry(number)
    if entry is None or not entry.over or entry.synced != entry.records:
        return False
    if entry is journal.current and (journal._saved != journal._made or not journal.close()):
        return False
    try:
        if journal.current is None:
            journal._blank_tail()  # it may still hold copies of this match's records
            journal._found = b""
        if journal._files.size(journal._path(number, HEADER_KIND)) >= 0:
            journal._files.rename(journal._path(number, HEADER_KIND), journal._path(number, GONE_KIND))
        size = journal._files.size(journal._path(number, LOG_KIND))
        if size >= 0 and size != SIZE * entry.count:  # nobody has seen what else stands there
            store.set_aside(journal._path(number, LOG_KIND), journal._files)
    except OSError:
        journal._warn("m%d could not be deleted" % number)
        return False
    journal._close_reader()
    _remove(journal, number)
    journal._entries.remove(entry)
    journal._headers_number = 0
    journal._count_free()
    journal._save_index()
    return True


def _remove(journal, number):
    """Finish what renaming the header decided."""
    store.discard(journal._path(number, LOG_KIND), journal._files)
    store.discard(journal._path(number, GONE_KIND), journal._files)


def _read_tail(journal):
    """Take in the tail at the start: its records that the log does not have become the current match's."""
    path = journal._folder + "tail"
    size = journal._files.size(path)
    if size < 0:
        return
    data = b""
    try:
        data = store.read(path, SIZE * TAIL, journal._files)
    except OSError:
        journal._warn("the tail cannot be read")
    data += bytes(SIZE * TAIL - len(data))
    journal._found = data
    odd = size != len(data)
    owner = None
    logs = {}  # number of a match -> how many records its log has
    for at in range(0, SIZE * TAIL, SIZE):
        if _blank(data, at):
            continue
        entry = journal.entry(record.match(data, at)) if record.good(data, at) else None
        if entry is None:
            odd = True
        else:
            if entry.number not in logs:
                logs[entry.number] = journal._log_bytes(entry.number) // SIZE
            logged = logs[entry.number]
            if record.number(data, at) >= logged:
                odd = odd or (owner is not None and owner is not entry)
                owner = entry
            if record.number(data, at) - at // SIZE > logged:  # so many it had when this was written
                journal._warn("m%d.log was cut short" % entry.number)
    if owner is not None:
        _load(journal, owner)
        for at in range(0, SIZE * TAIL, SIZE):
            if (
                record.good(data, at)
                and record.match(data, at) == owner.number
                and record.number(data, at) >= journal._made
            ):
                odd = True  # records before it are missing, or half a name
    if odd:
        _copy_tail(journal, path, size)


def _in_tail(journal, number):
    """Return where record ``number`` of the current match stands in the tail found at the start, or -1."""
    data = journal._found
    for at in range(0, len(data), SIZE):
        if journal._is(data, at, number):
            return at
    return -1


def _copy_tail(journal, path, size):
    """Keep a copy of a tail in which not everything is as it should be, before it is written again."""
    what = "the tail has a damaged or torn record"
    if size != SIZE * TAIL:
        what = "the tail has %d bytes, not %d" % (size, SIZE * TAIL)
    bad = path + store.BAD
    try:
        if size > 0 and journal._files.size(bad) < MOST_TAIL_BAD:  # a start may be repeated many times
            file = journal._files.open(bad, "ab")
            try:
                _pour(journal, path, 0, -1, file)
                journal._files.sync(file)
            finally:
                store.close(file)
            what += "; copied to tail.bad"
    except OSError:
        what += "; tail.bad could not be written"
    journal._warn(what)


def _load(journal, entry):
    """Make a match the current one: its log as long as it is, and what the tail adds to it."""
    journal.current = entry
    journal._number = entry.number
    size = journal._log_bytes(entry.number)
    journal._logged = size // SIZE
    journal._mend = journal._spoilt = size % SIZE != 0
    journal._left = b""
    made = whole = journal._logged
    while made - journal._logged < TAIL:
        at = _in_tail(journal, made)
        if at < 0:
            break
        copy(journal._ram, SIZE * (made - journal._logged), journal._found, at, SIZE, 0)
        made += 1
        if not _more(journal._found, at):
            whole = made
    _cut(journal, whole)


def _cut(journal, whole):
    """Let the current match have just its first ``whole`` records."""
    journal._logged = min(journal._logged, whole)
    start = SIZE * (whole - journal._logged)
    mix(journal._ram, start, len(journal._ram) - start, 0, 0)
    journal._made = journal._saved = whole
    journal.current.count = whole


def resume(journal, entry, session, quick):
    """Play a match's records into a new session and make it the current match; returns how many were played.

    Damage, or a step that the rules refuse, ends the match there: a warning says so, and what
    follows is kept in m<number>.bad. -1: not possible, because the match before has records
    that cannot be saved now (``retry``), or because the header is damaged or the log cannot
    be read; the session is then of no use. The match is not aside any more. May allocate.
    """
    if entry.header is None:
        return -1
    if entry is not journal.current:
        if not journal.close():
            return -1
        _load(journal, entry)
    journal._shut()
    refused = _play(journal, session, quick)
    if refused is None:
        return -1
    if refused:
        journal._warn(
            "m%d: from record %d on: %s; kept as m%d.bad" % (journal._number, journal._made, refused, journal._number)
        )
    journal._compare(entry)
    if not quick:
        journal.prepare()
    if entry.aside:
        journal._set(entry, entry.over, False, None)
    return journal._made


def _play(journal, session, quick):
    """Play log and tail into the session, cut what cannot be played; returns "" or why, in words.

    None: the log cannot be read, which may pass; nothing was cut.
    """
    player = record.Player(session)
    session.reserve(journal._made)  # more when a deal opens; until then there is room enough
    logged = journal._logged
    chunk = bytearray(SIZE * CHUNK)
    have = base = 0  # the chunk holds records base to base + have
    count = whole = 0
    journal.current.seconds = 0
    halfway = False
    mended = False
    why = ""
    while count < journal._made:
        source = chunk
        if count < logged:
            if count >= base + have:
                base = count
                have = journal._read_log(journal._number, count, logged - count, chunk)
            at = SIZE * (count - base)
            if not have:
                journal._close_reader()
                return None
            if quick and not halfway:
                stop = record.answers(chunk, at, SIZE * have, journal._number, count)
                if stop > at:
                    session.take_answers(chunk, at, stop)
                    count = whole = base + stop // SIZE
                    journal.current.seconds = record.seconds(chunk, stop - SIZE)
                    continue
            if not journal._is(chunk, at, count):
                source = journal._found
                at = _in_tail(journal, count)
                mended = True
                if at < 0:
                    why = "damaged"
                    break
        else:
            source = journal._ram
            at = SIZE * (count - logged)
        name = record.kind(source, at) == NAME
        if (halfway and not name) or not (player.take(source, at) if quick else player.play(source, at)):
            why = "not possible by the rules"
            break
        if name:
            halfway = _more(source, at)
        else:
            journal.current.seconds = record.seconds(source, at)
        count += 1
        if not halfway:
            whole = count
    journal._close_reader()
    if quick:
        if mended or halfway or why:
            raise ValueError("not to be played quickly")
        session.play_to(session.steps, None, True)
    if mended and not why:
        journal._warn("m%d: damaged records were restored" % journal._number)
    if whole < journal._made:
        if not why:
            why = "half a name"
        if whole < logged:
            journal._spoilt = True
            mended = True
        # What was only in the tail is no longer in _ram after the cut.
        start = SIZE * max(whole - logged, 0)
        end = SIZE * (journal._made - logged)
        journal._left = bytes(memoryview(journal._ram)[start:end])
        journal._spoilt = journal._spoilt or len(journal._left) > 0
        mended = mended or journal._spoilt
        _cut(journal, whole)
    journal._mend = journal._mend or mended
    return why


def mend_log(journal):
    """Write the log anew with the records that stand; first keep what it has too much. Raises OSError."""
    path = journal._path(journal._number, LOG_KIND)
    if journal._spoilt:
        bad = journal._files.open(journal._path(journal._number, BAD_KIND), "ab")
        try:
            _pour(journal, path, SIZE * journal._logged, -1, bad)
            if journal._left:
                store.put(bad, journal._left)
            journal._files.sync(bad)
            journal._spoilt = False  # else every retry would add it again
        finally:
            store.close(bad)
        journal._left = b""
    new = journal._files.open(path + store.TEMPORARY, "wb")
    try:
        _pour(journal, path, 0, journal._logged, new)
        journal._files.sync(new)
    finally:
        new.close()
    journal._files.rename(path + store.TEMPORARY, path)
    journal._mend = False


def _pour(journal, path, start, records, target):
    """Copy a file from a byte on: all of it (records -1), or so many records, damaged ones from the tail."""
    if journal._files.size(path) < 0 or records == 0:
        return
    chunk = bytearray(SIZE * CHUNK)
    file = journal._files.open(path, "rb")
    try:
        file.seek(start)
        count = 0
        while records < 0 or count < records:
            got = file.readinto(chunk) or 0
            if records < 0:
                if not got:
                    return
                store.put(target, memoryview(chunk)[:got])
                continue
            if got < SIZE:
                raise OSError("the log is too short")
            for at in range(0, got - SIZE + 1, SIZE):
                if count == records:
                    break
                if not journal._is(chunk, at, count):
                    place = _in_tail(journal, count)
                    if place < 0:
                        raise OSError("the log is damaged")
                    copy(chunk, at, journal._found, place, SIZE, 0)
                store.put(target, memoryview(chunk)[at : at + SIZE])
                count += 1
    finally:
        store.close(file)
