"""What cannot be verified, read or marked: kept, reported, and in nobody's way."""

import json
from pathlib import Path

import pytest
from bazzi.archive import Archive
from bazzi.line import Refused
from bazzi.replay import read
from bazzi.sync import Decoder, read_header, sync
from bazzi.watch import Watcher
from link_tools import aside, begin, deal, link_to, played, reopen, rows, sync_loop

from shared_rules import record
from shared_rules.session import ADJUST, NAME


def results(report):
    return [one.result for one in report.matches]


def spoil(box, change):
    """Change the log of match 1 on the box's disk: ``change`` gets its records as a bytearray."""
    aside(box)
    log = box.board.folder / "m1.log"
    raw = bytearray(log.read_bytes())
    change(raw)
    log.write_bytes(bytes(raw))


def impossible(raw):
    record.pack(raw, 64, ADJUST, 1, 4, 9, 255, 5, 0, 60)


def elsewhere(raw):
    record.pack(raw, 64, ADJUST, 2, 4, 0, 255, 5, 0, 60)


def not_by_the_rules(raw):
    raw[:] = raw[:16] + raw[32:48] * 2 + raw[48:]
    record.pack(raw, 16, 1, 1, 1, 2, 255, 0x1000, 0, 60)


def no_name(raw):
    raw[64] = 1 << 4 | NAME
    raw[69] = 1
    raw[70:78] = b"\xff" * 8
    record.seal(raw, 64)


def damaged(raw):
    raw[70] ^= 1


@pytest.mark.parametrize(
    ("change", "good"), [(impossible, 4), (elsewhere, 4), (no_name, 4), (damaged, 4), (not_by_the_rules, 1)]
)
def test_a_match_that_does_not_replay_is_kept_raw(box, path, change, good):
    """What can be verified is stored, all records are kept as they are, and the others are fetched all the same."""
    begin(box)
    deal(box, "N", 60)
    deal(box, "W", 50)
    begin(box, dealer=2)
    deal(box, "S", 50)
    reopen(box, 1)
    spoil(box, change)
    with Archive(path, create=True) as archive:
        report = sync_loop(box, archive)
        assert results(report) == ["raw", "new"] and report.raw() == report.matches[:1]
        one = report.matches[0]
        assert f"record {good}" in one.trouble
        kept = json.loads(Path(one.file).read_text(encoding="utf-8"))
        assert len(kept["records"]) == 8 and kept["number"] == 1 and "Asha" in kept["header"]
        assert bytes.fromhex("".join(kept["records"])) == (box.board.folder / "m1.log").read_bytes()
        entries = archive.entries()
        assert [(len(entry.lines()), entry.complete) for entry in entries] == [(good, False), (4, True)]
        assert [one.synced for one in link_to(box).matches()] == [0, 4]
        again = sync_loop(box, archive)
        assert again.matches[0].file == one.file and again.matches[1].result == "same"


def test_a_damaged_header_is_kept_raw(box, path):
    begin(box)
    deal(box, "N", 60)
    begin(box)
    (box.board.folder / "m1.hdr").write_bytes(b"garbage")
    with Archive(path, create=True) as archive:
        report = sync_loop(box, archive)
    one, _ = report.matches
    assert one.result == "raw" and "header" in one.trouble and len(rows(path)) == 1
    assert len(json.loads(Path(one.file).read_text(encoding="utf-8"))["records"]) == 4
    assert any("m1" in line for line in report.warnings)


def test_a_record_that_cannot_be_read(box, path, monkeypatch):
    begin(box)
    deal(box, "N", 60)
    monkeypatch.setattr(box.app.journal, "read", lambda number, first, buffer: 0)
    with Archive(path, create=True) as archive:
        (one,) = sync_loop(box, archive).matches
    assert one.result == "raw" and "cannot read its record 0" in one.trouble


def test_a_match_deleted_meanwhile(box, path):
    played(box, seeds=(1, 2))
    linked = link_to(box)
    hello = linked.hello()
    former = linked.stream

    def stream(number, first, count):
        if number == 1:
            raise Refused("the box has no such match", "match", 1)
        return former(number, first, count)

    linked.stream = stream
    with Archive(path, create=True) as archive:
        assert results(sync(linked, hello, archive)) == ["gone", "new"]


def test_a_box_that_cannot_write_its_mark(box, path, monkeypatch):
    """A full disk on the box: all is fetched, and a line says that the mark is missing."""
    played(box, seeds=(1,))
    monkeypatch.setattr(box.app.journal, "set_synced", lambda number, records: False)
    with Archive(path, create=True) as archive:
        (one,) = sync_loop(box, archive).matches
    assert one.result == "new" and "disk" in one.note


def test_decoder_refuses_records_out_of_order(box):
    begin(box)
    deal(box, "N", 60)
    data = link_to(box).records(1, 0)
    header, parsed = read_header(link_to(box).header(1))
    match = read(json.dumps(header).encode(), "x")
    assert parsed.match == header["match"]
    decoder = Decoder(match, 1)
    decoder.take(data, 0)
    for at in (0, 32):
        with pytest.raises(Exception, match="belongs elsewhere"):
            decoder.take(data, at)
    decoder.take(data, 16)


def test_watching_a_match_that_cannot_be_followed(box, path):
    begin(box)
    deal(box, "N", 60)
    deal(box, "W", 50)
    spoil(box, damaged)
    linked = link_to(box)
    live = linked.live()
    linked.live = lambda: type(live)(9, 1, 8)
    with Archive(path, create=True) as archive:
        ((event),) = list(Watcher(linked, linked.hello(), archive).look())
    assert event["event"] == "match" and "record 4 is damaged" in event["text"]
