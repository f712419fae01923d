"""Exports: nothing lost on the way, numbers in their own cells, winners that follow from the deals."""

import csv
import io
import json
import random
import re
import time

import pytest
from bazzi import export
from bazzi.archive import Archive, Entry
from bazzi.cli import main
from bazzi.errors import ArchiveError
from bazzi.replay import read
from host_cases import ask, header, log, random_match, seep_deal

NAMES = ["Jürgen; x", 'प्रिया, "P"', "王\nwei\r\n", "-1+'=1;\t"]


@pytest.fixture
def path(tmp_path, monkeypatch):
    path = tmp_path / "matches.sqlite3"
    monkeypatch.setenv("BAZZI_ARCHIVE", str(path))
    return path


def entry(lines, id="m"):
    """Return an archive entry for a log's lines, without an archive."""
    first, *steps = [json.dumps(line) for line in lines]
    return Entry(1, id, id, None, first, "\n".join(steps), True, 0, "", "", "", {})


def table(raw, delimiter=","):
    """Return the rows of CSV bytes as dicts of text."""
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8"), newline=""), delimiter=delimiter))


def store(path, *matches):
    with Archive(path, create=True) as archive:
        for lines in matches:
            archive.store_log(log(*lines), "x")


def exported(capsysbinary, *arguments):
    """Run an export that works; returns standard output."""
    assert main(["export", *arguments]) == 0
    out, err = capsysbinary.readouterr()
    assert err == b""
    return out


# -- logs and JSON -----------------------------------------------------------------------------


def test_a_log_comes_back_as_it_went_in(path, tmp_path, capsysbinary):
    lines, match = random_match(11, options={"match_bazzis": 2}, match="m", started="2026-11-29T19:05:00+05:30")
    raw = log(*lines)
    store(path, lines)
    assert exported(capsysbinary, "m") == raw
    out = tmp_path / "out.jsonl"
    assert exported(capsysbinary, "last", "--out", str(out)) == b""
    assert out.read_bytes() == raw
    with Archive(tmp_path / "other.sqlite3", create=True) as other:
        assert other.store_log(out.read_bytes(), "x") == ("new", "m")
        assert other.find("m").replay().result() == match.result()


def test_json_is_what_replay_prints(path, tmp_path, capsysbinary):
    lines, match = random_match(12, match="m", started="2026-11-29T19:05:00+05:30")
    store(path, lines, [header(match="n")])
    found = json.loads(exported(capsysbinary, "m", "--format", "json"))
    assert found == {"match": "m", "started": "2026-11-29T19:05:00+05:30", **match.result()}
    several = json.loads(exported(capsysbinary, "--format", "json"))
    assert [one["match"] for one in several] == ["m", "n"] and several[0] == found
    assert main(["show", "m", "--json"]) == 0
    assert json.loads(capsysbinary.readouterr().out) == found


def test_several_logs_go_into_a_folder(path, tmp_path, capsysbinary):
    store(path, [header(match="../a b")], [header(match=".. a b")], [header(match="c")])
    folder = tmp_path / "logs"
    assert main(["export"]) == 2
    assert main(["export", "--out", str(path)]) == 2  # a file is no folder
    capsysbinary.readouterr()
    exported(capsysbinary, "--out", str(folder))
    assert {file.name for file in folder.iterdir()} == {"_a_b.jsonl", "2-_a_b.jsonl", "c.jsonl"}
    assert {read(file.read_bytes(), "x").header.match for file in folder.iterdir()} == {"../a b", ".. a b", "c"}
    assert main(["import", *[str(file) for file in folder.iterdir()]]) == 0


# -- CSV ----------------------------------------------------------------------------------------


def test_names_come_back(path, capsysbinary):
    """Field reports 101 and 102: separators, quotes, line ends and other scripts in names; the same in any program."""
    store(path, [header(players=NAMES, match="m"), *seep_deal("N", 62)])
    for arguments, delimiter in (((), ","), (("--delimiter", ";"), ";"), (("--delimiter", "tab"), "\t")):
        (row,) = table(exported(capsysbinary, "m", "--format", "csv", *arguments), delimiter)
        assert [export.unguard(row["name_" + seat]) for seat in "NESW"] == NAMES


def test_no_byte_order_mark_unless_asked_for(path, capsysbinary):
    """Field report 101: the first column's name is right with and without the mark that Excel wants."""
    store(path, [header(match="m"), *seep_deal("N", 62)])
    plain = exported(capsysbinary, "--format", "csv")
    marked = exported(capsysbinary, "--format", "csv", "--bom")
    assert plain.startswith(b"match,game,date,") and marked == b"\xef\xbb\xbf" + plain
    assert next(csv.DictReader(io.StringIO(marked.decode("utf-8-sig"))))["match"] == "m"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\t=1", "'=1", "''+1", "'", "", "Ann", "'Ann", "a=1"])
def test_a_name_is_no_formula(name):
    """A spreadsheet must not reckon what somebody typed as a name; what was typed can be had back."""
    cell = export.guard(name)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert export.unguard(cell) == name


def test_one_row_for_a_deal_with_the_running_score(path, tmp_path, capsysbinary):
    """Field report 106: a single match, its deals, the score after each."""
    steps = [*seep_deal("N", 62), ask("deal", "W"), ask("bid", "none"), {"do": "adjust", "side": "B", "points": 5}]
    store(path, [header(match="m"), *steps, *seep_deal("W", 40, swept="N")], [header(match="n"), *seep_deal("N", 1)])
    rows = table(exported(capsysbinary, "m", "--format", "csv"))
    assert {row["match"] for row in rows} == {"m"}
    assert [(row["kind"], row["deal"], row["dealer"], row["lead_A"], row["lead_B"]) for row in rows] == [
        ("deal", "1", "N", "24", "-24"),
        ("void", "2", "W", "24", "-24"),
        ("adjustment", "2", "", "19", "-19"),
        ("deal", "3", "W", "49", "-49"),
    ]
    assert rows[1]["thrown_in"] == "no_bid" and rows[1]["bid"] == ""
    assert (rows[2]["adjusted_side"], rows[2]["adjusted_points"]) == ("B", "5")
    assert (rows[3]["cards_A"], rows[3]["sweeps_A"], rows[3]["total_A"]) == ("40", "50", "90")


def test_an_unknown_match_leaves_no_file(path, tmp_path, capsysbinary):
    """Field report 106: an error, and nothing that looks like an export."""
    store(path, [header(match="m")])
    out = tmp_path / "out"
    for form in ("csv", "json", "jsonl"):
        assert main(["export", "m", "x", "--format", form, "--out", str(out)]) == 2
        assert capsysbinary.readouterr().out == b"" and not out.exists()


def test_no_cell_holds_two_numbers():
    """Field report 103: 10-8 or 7/10 in a cell becomes a date in a spreadsheet."""
    for seed in range(20):
        lines, _ = random_match(seed, options={"match_bazzis": 3})
        for row in export.csv_rows(entry(lines)):
            for name, value in row.items():
                if not name.startswith("name_") and name not in ("match", "date", "started"):
                    assert isinstance(value, int) or not re.search(r"\d", value), (name, value)


def test_a_match_without_deals_has_one_row(path, capsysbinary):
    store(path, [header(match="m")])
    (row,) = table(exported(capsysbinary, "--format", "csv"))
    assert (row["match"], row["over"], row["winner"], row["kind"]) == ("m", "0", "", "")


ZONES = ["America/Los_Angeles", "Asia/Kolkata", "UTC"]


@pytest.mark.parametrize(
    "started, date",
    [
        ("2026-11-30T21:30:00+05:30", "2026-11-30"),  # 16:00 UTC
        ("2026-11-30T21:30:00-08:00", "2026-11-30"),  # the next day in UTC
        ("2026-12-01T00:30:00+05:30", "2026-12-01"),  # the day before in UTC
        ("2026-11-01T01:30:00-07:00", "2026-11-01"),  # the hour that comes twice
        ("2026-11-01T01:30:00-08:00", "2026-11-01"),
        ("2026-11-30T21:30:00Z", "2026-11-30"),
    ],
)
def test_the_date_is_the_day_where_it_was_played(path, capsysbinary, monkeypatch, started, date):
    """Field report 59: an evening's match is not moved to the next day, whatever zone the laptop is in."""
    store(path, [header(match="m", started=started), *seep_deal("N", 60)])
    seen = set()
    for zone in ZONES:
        monkeypatch.setenv("TZ", zone)
        if hasattr(time, "tzset"):
            time.tzset()
        raw = exported(capsysbinary, "m", "--format", "csv")
        seen.add(raw)
        (row,) = table(raw)
        assert row["date"] == date and row["started"][:19] == started[:19]
        assert main(["show", "m"]) == 0
        title = capsysbinary.readouterr().out.decode().splitlines()[0]
        assert title.endswith(f", {date} {started[11:16]}")
    monkeypatch.undo()
    if hasattr(time, "tzset"):
        time.tzset()
    assert len(seen) == 1


@pytest.mark.parametrize("more", [{}, {"started": ""}, {"started": "yesterday"}, {"started": "2026-13-01T00:00:00Z"}])
def test_an_unknown_time_is_blank(path, capsysbinary, more):
    """Field report 58: never the year in which the box's clock begins."""
    store(path, [header(match="m", **more), *seep_deal("N", 60)])
    (row,) = table(exported(capsysbinary, "m", "--format", "csv"))
    assert (row["date"], row["started"]) == ("", "")
    assert main(["show", "m"]) == 0 and main(["matches"]) == 0
    out = capsysbinary.readouterr().out
    assert b"1970" not in out and b"2021" not in out and out.startswith(b"Seep\n")


# -- winners ------------------------------------------------------------------------------------


def reckon_seep(result):
    """Return (bazzis of A, of B, winners) from cards, sweeps and corrections alone (RULES.md 1.6)."""
    options = result["options"]
    lead, bazzis, over = 0, [0, 0], False
    events = [(deal["n"], 0, deal) for deal in result["deals"] if "void" not in deal]
    events += [(change["after"], 1, change) for change in result["adjustments"]]
    for _, _, event in sorted(events, key=lambda event: event[:2]):
        assert not over
        winner = None
        if "points" in event:
            lead += event["points"] if event["side"] == "A" else -event["points"]
        else:
            total = [event["cards"]["A"], event["cards"]["B"]]
            least = list(total)
            for sweep in event["sweeps"]:
                side = 0 if sweep["seat"] in "NS" else 1
                worth = {"ordinary": 50, "opening": options["opening_sweep"], "last": options["last_sweep"]}
                total[side] += worth[sweep["kind"]]
            lead += total[0] - total[1]
            tested = total if options["min9_basis"] == "total" else least
            winner = next((1 - side for side in (0, 1) if tested[side] < options["min_score"]), None)
        if winner is None and abs(lead) >= options["target_lead"]:
            winner = 0 if lead > 0 else 1
        if winner is not None:
            bazzis[winner] += 1
            lead = 0
            length = options["match_bazzis"]
            first = options["match_mode"] == "first_to_majority"
            over = bool(length) and (sum(bazzis) == length or (first and max(bazzis) * 2 > length))
    assert result["score"]["difference"] == lead
    best = max(bazzis)
    return *bazzis, ["AB"[side] for side in (0, 1) if over and bazzis[side] == best]


def test_winners_of_500_matches_follow_from_their_deals():
    """Field report 105: the winner in CSV and JSON is the one that the deals give. Also 18: equal is shared."""
    chance = random.Random(105)
    shared = 0
    for seed in range(500):
        options = {
            "match_bazzis": chance.randint(1, 4),
            "match_mode": chance.choice(["play_all", "first_to_majority"]),
            "opening_sweep": chance.choice([0, 25, 50]),
            "last_sweep": chance.choice([0, 50]),
            "min_score": chance.choice([0, 9, 30]),
            "min9_basis": chance.choice(["total", "cards"]),
            "target_lead": chance.choice([60, 100, 200]),
        }
        lines, _ = random_match(seed, options=options)
        found = export.replay_object(entry(lines))
        bazzi_a, bazzi_b, winners = reckon_seep(found)
        assert found["over"] and found["winner"] == winners
        assert found["score"]["bazzis"] == {"A": bazzi_a, "B": bazzi_b}
        for row in table(export.as_csv([entry(lines)])):
            assert row["winner"].split() == winners and row["over"] == "1"
        assert (int(row["bazzis_A"]), int(row["bazzis_B"])) == (bazzi_a, bazzi_b)
        shared += len(winners) == 2
    assert shared > 5


def reckon_points(result, equal_to_bidder):
    """Return the winners from the points of the deals and the corrections alone (RULES.md 2.6, 3.6)."""
    score = {"A": 0, "B": 0}
    events = [(deal["n"], 0, deal) for deal in result["deals"] if "void" not in deal]
    events += [(change["after"], 1, change) for change in result["adjustments"]]
    winners = []
    for _, _, event in sorted(events, key=lambda event: event[:2]):
        assert not winners
        if "side" in event:
            score[event["side"]] += event["points"]
        else:
            for side in "AB":
                score[side] += event["points"][side]
            assert event["score"] == score
        best = max(score.values())
        leaders = [side for side in "AB" if score[side] == best]
        if best >= result["options"]["target"]:
            if len(leaders) == 1:
                winners = leaders
            elif equal_to_bidder and "bidder" in event:
                winners = ["A" if event["bidder"] in "NS" else "B"]
    assert result["score"] == score
    return winners


@pytest.mark.parametrize("game, equal_to_bidder", [("smear", True), ("euchre", False)])
def test_winners_of_games_with_points_follow_from_their_deals(game, equal_to_bidder):
    """Field reports 1 and 105: who wins when both get there does not depend on who is first in a list."""
    seen = set()
    for seed in range(120):
        lines, _ = random_match(seed, game, options={"target": 2 + seed % 4}, stop=120)
        found = export.replay_object(entry(lines))
        winners = reckon_points(found, equal_to_bidder)
        assert found["winner"] == winners and (winners or lines[-1] == {"do": "end"})
        rows = table(export.as_csv([entry(lines)]))
        assert {row["winner"] for row in rows} == {" ".join(winners)}
        assert {side: int(rows[-1]["score_" + side]) for side in "AB"} == found["score"]
        seen.update(winners)
    assert seen == {"A", "B"}


# -- files ----------------------------------------------------------------------------------------


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    export.save({path: b"new"})
    assert path.read_bytes() == b"new"
    (tmp_path / "no").mkdir()
    with pytest.raises(ArchiveError, match="cannot be written"):
        export.save({path: b"newer", tmp_path / "no" / "such" / "file": b""})
    assert path.read_bytes() == b"new"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["no", "out"]


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    """The disk is full when the bytes are to be made safe: the file that was there stays, and no other is left."""
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export.os, "fsync", full)
    with pytest.raises(ArchiveError, match="no space left on device"):
        export.save({path: b"new"})
    assert [file.name for file in tmp_path.iterdir()] == ["out"] and path.read_bytes() == b"old"


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    export.save({link: b"new"})
    assert link.is_symlink() and target.read_bytes() == b"new"
