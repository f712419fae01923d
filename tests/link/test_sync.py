"""Bringing matches into the archive: exact, once, and whatever breaks off."""

import json
from contextlib import suppress
from datetime import datetime, timedelta, timezone

import pytest
from bazzi import sync as syncing
from bazzi.archive import Archive
from bazzi.errors import ArchiveError, LinkError
from bazzi.link import Hello
from bazzi.sim.box import Box
from bazzi.sync import push_names, records_of, set_clock, sync
from bazzi.watch import Watcher
from link_tools import (
    LoopDevice,
    Unplugged,
    answer,
    aside,
    begin,
    deal,
    link_to,
    play_random,
    played,
    reopen,
    rows,
    sync_loop,
)

CLOCK = datetime(2026, 11, 29, 19, 5, 0, tzinfo=timezone(timedelta(hours=5, minutes=30)))


def results(report):
    return [one.result for one in report.matches]


def test_every_kind_of_step_becomes_its_line(box, path):
    """To the letter of LOG.md: all kinds of records, names of several records, lines of corrections."""
    begin(box, dealer=1)
    app = box.app
    answer(box, "E", 11, "S", "count", 62)
    app.rename(2, "ein sehr langer Name, ja")
    app.undo()
    app.undo()
    answer(box, 60)
    app.rename(0, "Jürgen")
    app.adjust(1, -5)
    app.amend(1, 13)
    answer(box, "N", "none", "E", 9)
    app.redeal()
    answer(box, "E")
    app.end()
    with Archive(path, create=True) as archive:
        assert results(sync_loop(box, archive)) == ["new"]
        (entry,) = archive.entries()
    header = json.loads(entry.header)
    assert list(header) == ["log", "game", "options", "players", "dealer", "match"]
    assert header["dealer"] == "E" and header["match"].startswith("sim-1-")
    lines = [json.loads(line) for line in entry.lines()]
    times = [line.pop("t", None) for line in lines]
    assert lines == [
        {"ask": "deal", "seat": "E", "answer": "E"},
        {"ask": "bid", "seat": "N", "answer": 11},
        {"ask": "play", "seat": "table", "answer": "S"},
        {"ask": "play", "seat": "table", "answer": "count"},
        {"ask": "cards", "seat": "table", "answer": 62},
        {"do": "name", "seat": "S", "name": "ein sehr langer Name, ja"},
        {"do": "undo"},
        {"do": "undo"},
        {"ask": "cards", "seat": "table", "answer": 60},
        {"do": "name", "seat": "N", "name": "Jürgen"},
        {"do": "adjust", "side": "B", "points": -5},
        {"do": "amend", "line": 3, "answer": 13},
        {"ask": "deal", "seat": "E", "answer": "N"},
        {"ask": "bid", "seat": "W", "answer": "none"},
        {"ask": "deal", "seat": "N", "answer": "E"},
        {"ask": "bid", "seat": "N", "answer": 9},
        {"do": "redeal"},
        {"ask": "deal", "seat": "E", "answer": "E"},
        {"do": "end"},
    ]
    assert times[:5] == [0, 1, 2, 3, 4] and times[5] is None
    assert entry.records == sum(records_of(line) for line in lines) == app.entry.records
    assert entry.replay().result()["over"] and entry.complete


@pytest.mark.parametrize("seed", range(12))
def test_what_is_stored_is_what_was_played(box, path, seed):
    begin(box, dealer=seed % 4)
    play_random(box, seed, 150)
    with Archive(path, create=True) as archive:
        sync_loop(box, archive)
        (entry,) = archive.entries()
    session = box.app.session
    match = entry.replay()
    assert len(entry.lines()) == session.lines
    assert match.session.names == session.names
    assert [match.session.value(i) for i in range(match.session.steps)] == [
        session.value(i) for i in range(session.steps)
    ]
    assert match.result()["score"] == session.rules.score() and match.session.rules.deals == session.rules.deals


def test_three_times_is_once(box, path):
    """Field report 98: the same records again do not multiply; two laptops get the same."""
    played(box)
    with Archive(path, create=True) as archive:
        assert results(sync_loop(box, archive)) == ["new"] * 3
    before = rows(path)
    for _ in range(2):
        with Archive(path) as archive:
            report = sync_loop(box, archive)
        assert results(report) == ["same"] * 3 and sum(one.fetched for one in report.matches) == 0
        assert rows(path) == before
    with Archive(path.parent / "other.sqlite3", create=True) as archive:
        assert results(sync_loop(box, archive)) == ["new"] * 3
    assert rows(path.parent / "other.sqlite3") == before


def test_only_what_is_missing_is_fetched(box, path):
    begin(box)
    deal(box, "N", 60)
    with Archive(path, create=True) as archive:
        sync_loop(box, archive)
        box.app.rename(1, "somebody with a long one")
        box.app.adjust(0, 3)
        (one,) = sync_loop(box, archive).matches
        assert (one.result, one.fetched, one.records) == ("longer", 4, 8)
        box.app.undo()
        (one,) = sync_loop(box, archive).matches
        assert (one.result, one.fetched) == ("longer", 1)
        assert archive.entries()[0].lines()[-1] == '{"do": "undo"}'


def test_marked_on_the_box_only_when_stored(box, path):
    """The laptop that fails to store leaves the box's mark alone; the box shows what is not fetched."""
    played(box)

    class Broken(Archive):
        def store_match(self, *arguments, **more):
            raise ArchiveError("the disk is full; nothing was stored")

    with Broken(path, create=True) as archive, pytest.raises(ArchiveError):
        sync_loop(box, archive)
    assert [one.synced for one in link_to(box).matches()] == [0, 0, 0] and rows(path) == []
    with Archive(path) as archive:
        sync_loop(box, archive)
    assert all(one.synced == one.records for one in link_to(box).matches())


def prefix_of(rows_now, whole):
    """Tell whether an archive holds beginnings of the matches of another one, and nothing else."""
    full = {row[1]: row for row in whole}
    for row in rows_now:
        other = full[row[1]]
        if row[0] != row[1] or row[3] != other[3] or not other[4].startswith(row[4]) or row[6] > other[6]:
            return False
    return len({row[1] for row in rows_now}) == len(rows_now)


def test_broken_off_anywhere_and_resumed(box, tmp_path, path, monkeypatch):
    """Field reports 90, 98: the plug is pulled at every single read and write; then the next sync ends it.

    After each break what is stored is a whole beginning, and the box was told of no more than that.
    """
    monkeypatch.setattr(syncing, "CHECKPOINT", 24)
    played(box, seeds=(1, 2), steps=70)
    with Archive(path, create=True) as archive:
        sync_loop(box, archive)
    whole = rows(path)
    marks = [entry.records for entry in box.app.journal.entries()]
    assert all(mark > 48 for mark in marks)
    for at in range(1000):
        for entry in box.app.journal.entries():
            box.app.journal.set_synced(entry.number, 0)
        box.board.set_clock("")
        cut = tmp_path / f"cut{at}.sqlite3"
        with Archive(cut, create=True) as archive:
            try:
                sync_loop(box, archive, Unplugged(LoopDevice(box), at))
            except LinkError:
                box.board.line_in.clear()
                box.board.line_out.clear()
            else:
                break  # it was long enough
            have = {entry.match: entry.records for entry in archive.entries()}
            for entry in archive.entries():
                entry.replay()
            for entry in box.app.journal.entries():
                assert entry.synced <= have.get(entry.header["match"], 0)
            assert prefix_of(rows(cut), whole)
            sync_loop(box, archive)
        assert rows(cut) == whole
        assert [entry.synced for entry in box.app.journal.entries()] == marks
    assert 30 < at < 1000 and rows(cut) == whole


def test_while_it_is_played(box, path, monkeypatch):
    """A match that grows during the sync: what is stored is a beginning of it, and the next sync has the rest."""
    monkeypatch.setattr(syncing, "CHECKPOINT", 24)
    begin(box)
    play_random(box, 3, 40)
    turn = iter(range(10000))

    def play():
        if next(turn) % 3 == 0:
            play_random(box, next(turn), 1)

    for at in (7, 12, 20, -1):
        with Archive(path, create=True) as archive:
            with suppress(LinkError):
                sync_loop(box, archive, Unplugged(LoopDevice(box), at, play))
            for entry in archive.entries():
                entry.replay()
        box.board.line_in.clear()
        box.board.line_out.clear()
    with Archive(path) as archive:
        sync_loop(box, archive)
        (entry,) = archive.entries()
    assert len(entry.lines()) == box.app.session.lines and entry.complete
    assert entry.replay().result()["score"] == box.app.session.rules.score()


def test_two_boxes_into_one_archive(tmp_path, path):
    boxes = [Box(tmp_path / name, seed=1) for name in ("a", "b")]
    for number, one in enumerate(boxes):
        one.board.device_id = f"box{number}"
        one.app.journal._device_id = one.board.device_id
        played(one, seeds=(5,))
    with Archive(path, create=True) as archive:
        for _ in range(2):
            for one in boxes:
                sync_loop(one, archive)
    assert [row[2] for row in rows(path)] == ["box0", "box1"]


def test_numbers_that_begin_again_are_other_matches(tmp_path, path):
    """Field report 98: after a reinstall the box counts from 1 again; equal games without a clock stay two."""
    for number in range(2):
        fresh = Box(tmp_path / f"fresh{number}", seed=number)
        begin(fresh)
        deal(fresh, "N", 60)
        with Archive(path, create=True) as archive:
            for _ in range(2):
                sync_loop(fresh, archive)
    first, second = rows(path)
    assert first[4] == second[4] and first[1] != second[1] and first[1][:6] == second[1][:6] == "sim-1-"


def test_a_match_that_went_back_on_the_box_is_kept_beside(box, path):
    """Damage cut the match on the box, and it was played on otherwise: nothing that is stored is lost."""
    begin(box)
    deal(box, "N", 60)
    with Archive(path, create=True) as archive:
        sync_loop(box, archive)
        stored = archive.entries()[0]
        journal = box.app.journal
        records = bytearray(64)
        journal.read(1, 0, records)
        aside(box)
        (box.board.folder / "m1.log").write_bytes(bytes(records[:32]))
        (box.board.folder / "tail").write_bytes(bytes(192))
        box.cut()
        assert [one.records for one in link_to(box).matches()] == [2]
        (one,) = sync_loop(box, archive).matches
        assert (one.result, one.records) == ("same", 2) and archive.entries()[0].steps == stored.steps
        reopen(box, 1)
        answer(box, "E", "count", 41)
        deal(box, "W", 50)
        (one,) = sync_loop(box, archive).matches
        assert one.result == "conflict"
        before = rows(path)
        (one,) = sync_loop(box, archive).matches
        assert one.result == "same" and rows(path) == before
    assert [row[0] for row in before] == [stored.id, f"{stored.id}~2"]
    assert before[0][4] == stored.steps


# -- clock and roster -----------------------------------------------------------------------------------------


def hello_at(clock):
    return Hello((1, 1), "0.1.0", "sim", 0, 0, clock, "ok")


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        ("", "had none; matches begun before have no date"),
        ("2026-11-29T19:05:01+05:30", "is right"),
        ("2026-11-29T19:00:00+05:30", "5 minutes slow"),
        ("2026-11-30T19:05:00+05:30", "24 hours fast"),
        ("2021-01-01T00:00:00+05:30", "days slow"),
        ("2026-11-29T13:35:00+00:00", "time zone"),
        ("garbage", "had none"),
        ("2026-11-29T19:05:01", "had none"),
    ],
)
def test_the_clock_is_set_and_said(box, clock, words):
    """Field report 58."""
    assert words in set_clock(link_to(box), hello_at(clock), CLOCK)
    assert box.board.clock() == ("" if words == "is right" else "2026-11-29T19:05:00+05:30")


def test_only_later_matches_get_a_date(box, path):
    """Field report 58: matches begun without a clock stay without a date, in the order they were played."""
    for _ in range(3):
        begin(box)
        deal(box, "N", 60)
    with Archive(path, create=True) as archive:
        linked = link_to(box)
        sync(linked, linked.hello(), archive, now=CLOCK)
        begin(box)
        deal(box, "N", 60)
        box.cut()
        box.board.set_clock("")  # as on a board without a battery
        begin(box)
        deal(box, "N", 60)
        sync(link_to(box), linked.hello(), archive, now=CLOCK)
        entries = archive.entries()
    assert [entry.match.split("-")[1] for entry in entries] == ["1", "2", "3", "4", "5"]
    assert [entry.started() for entry in entries] == [None, None, None, "2026-11-29T19:05:00+05:30", None]


def test_a_roster_is_replaced(box):
    linked = link_to(box)
    assert push_names(linked, ["Ann", "Bo", "Cy"]) == (3, 0)
    assert push_names(linked, ["Bo", "Dee", "Ann"]) == (1, 1)
    assert linked.roster() == ["Ann", "Bo", "Dee"]
    assert push_names(linked, []) == (0, 3)


# -- looking on -------------------------------------------------------------------------------------------------


def test_watching_a_match(box, path):
    """Each deal as it ends, a correction, an undo, another match, the end; all of it stored and marked."""
    linked = link_to(box)
    with Archive(path, create=True) as archive:
        watcher = Watcher(linked, linked.hello(), archive)

        def look():
            return [(event["event"], event["text"]) for event in watcher.look()]

        assert look() == []
        begin(box)
        assert look() == [("match", "Seep: Asha & Chand - Bela & Devi")]
        answer(box, "N", 11)
        assert look() == [] and look() == []
        answer(box, "count", 60)
        (kind, text), (_, score) = look()
        assert kind == "deal" and text.startswith("deal 1 (Asha dealt): ") and "60" in text
        assert score.startswith("Asha & Chand lead by 20")
        assert [one.synced for one in linked.matches()] == [4]
        box.app.amend(3, 62)
        assert look()[0][1].startswith("now deal 1 (Asha dealt): ")
        box.app.undo()
        box.app.undo()
        assert [kind for kind, _ in look()] == ["changed", "score"]
        answer(box, 70, "W", 13)
        box.app.redeal()
        assert [kind for kind, _ in look()] == ["deal", "deal", "score"]
        box.app.end()
        assert [kind for kind, _ in look()] == ["over"]
        begin(box, dealer=2)
        assert [kind for kind, _ in look()] == ["match"]
        aside(box)
        assert look() == []
        entries = archive.entries()
    assert [len(entry.lines()) for entry in entries] == [12, 0]
