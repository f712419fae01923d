"""docs/LOG.md to the letter: what ``bazzi replay`` takes, what it prints, and at which line it refuses."""

import json

import pytest
from bazzi.cli import main
from bazzi.replay import LogError, read
from host_cases import ask, header, log, seep_deal

DEAL = seep_deal("N", 62)


def result(*lines):
    return read(log(*lines), "x").result()


def refused(*lines, raw=None):
    """Return (line, message) of the error that a log gives."""
    with pytest.raises(LogError) as caught:
        read(log(*lines) if raw is None else raw, "some/file.jsonl")
    text = str(caught.value)
    assert text.startswith(f"some/file.jsonl:{caught.value.line}: ")
    assert "\n" not in text
    return caught.value.line, text


# -- what is printed -----------------------------------------------------------------------------


def test_a_new_match():
    assert result(header(dealer="W")) == {
        "game": "seep",
        "players": ["Asha", "Bela", "Chand", "Devi"],
        "options": {
            "target_lead": 100,
            "match_bazzis": 1,
            "match_mode": "play_all",
            "losing_basis": "running",
            "level_dealer": "same",
            "min_score": 9,
            "min9_basis": "total",
            "opening_sweep": 25,
            "last_sweep": 0,
        },
        "dealer": "W",
        "question": {"ask": "deal", "seat": "W", "choices": ["N", "E", "S", "W"]},
        "over": False,
        "winner": None,
        "score": {"difference": 0, "bazzis": {"A": 0, "B": 0}},
        "deals": [],
        "adjustments": [],
    }


def test_the_deal_of_the_page():
    """LOG.md's example of an entry of "deals"."""
    found = result(header(), *seep_deal("N", 62, swept="S"))
    assert found["deals"] == [
        {
            "n": 1,
            "dealer": "N",
            "bidder": "W",
            "bid": 11,
            "cards": {"A": 62, "B": 38},
            "sweeps": [{"seat": "S", "kind": "ordinary", "points": 50}],
            "total": {"A": 112, "B": 38},
            "difference": 74,
            "bazzi": None,
            "reason": None,
        }
    ]
    assert found["score"] == {"difference": 74, "bazzis": {"A": 0, "B": 0}}
    assert found["dealer"] == "W"


def questions(*lines):
    """Return the question after each line of a log."""
    return [result(*lines[: place + 1])["question"] for place in range(len(lines))]


def test_each_question_with_its_choices_in_order():
    deal = [ask("deal", "N"), ask("bid", 9), ask("play", "W"), ask("sweep", "opening"), ask("play", "N")]
    deal += [ask("sweep", "last"), ask("play", "count")]
    seats = ["N", "E", "S", "W"]
    assert questions(header(), *deal) == [
        {"ask": "deal", "seat": "N", "choices": seats},
        {"ask": "bid", "seat": "W", "choices": ["none", 9, 10, 11, 12, 13]},
        {"ask": "play", "seat": "table", "choices": ["count", *seats]},
        {"ask": "sweep", "seat": "table", "choices": ["opening", "ordinary"]},
        {"ask": "play", "seat": "table", "choices": ["count", *seats]},
        {"ask": "sweep", "seat": "table", "choices": ["ordinary", "last"]},
        {"ask": "play", "seat": "table", "choices": ["count"]},
        {"ask": "cards", "seat": "table", "lo": 0, "hi": 100},
    ]


def test_the_opening_is_asked_only_while_no_sweep_is_recorded():
    lines = [header(), ask("deal", "N"), ask("bid", 9), ask("play", "S"), ask("play", "W")]
    assert result(*lines)["question"]["ask"] == "play"


def test_after_24_sweeps_only_the_count_is_possible():
    lines = [header(), ask("deal", "N"), ask("bid", 9)] + [ask("play", "S")] * 24
    assert result(*lines)["question"]["choices"] == ["count"]
    assert refused(*lines, ask("play", "S"))[0] == 28


def test_over_has_no_question_and_a_winner():
    found = result(header(), *seep_deal("N", 4))
    assert (found["over"], found["question"], found["winner"]) == (True, None, ["B"])
    assert found["deals"][0]["reason"] == "under_9"
    assert found["deals"][0]["difference"] == 0


def test_equal_bazzis_are_shared():
    """Field report 18: of equals nobody is taken because of being first in a list."""
    two = header(options={"match_bazzis": 2})
    forth = result(two, *seep_deal("N", 4), *seep_deal("N", 96))
    back = result(two, *seep_deal("N", 96), *seep_deal("N", 4))
    assert forth["winner"] == back["winner"] == ["A", "B"]


def test_a_match_ended_by_the_table_has_no_winner():
    """Field report 19: a match ended at once, or after thrown-in deals only, is nobody's."""
    for lines in ([], [ask("deal", "N"), ask("bid", "none")], DEAL):
        found = result(header(), *lines, {"do": "end"})
        assert (found["over"], found["winner"], found["question"]) == (True, [], None)


def test_thrown_in_deals_are_listed_and_counted():
    lines = [ask("deal", "N"), ask("bid", "none"), ask("deal", "N"), ask("bid", 9), {"do": "redeal"}]
    found = result(header(), *lines)
    assert found["deals"] == [{"n": 1, "dealer": "N", "void": "no_bid"}, {"n": 2, "dealer": "N", "void": "table"}]
    assert found["dealer"] == "N"


def test_adjustments_know_their_deal_and_the_bazzi_they_won():
    steps = [{"do": "adjust", "side": "B", "points": -7}, *DEAL, {"do": "adjust", "side": "A", "points": 999}]
    found = result(header(options={"match_bazzis": 0}), *steps)
    assert found["adjustments"] == [
        {"after": 0, "side": "B", "points": -7, "bazzi": None},
        {"after": 1, "side": "A", "points": 999, "bazzi": "A"},
    ]
    assert found["score"] == {"difference": 0, "bazzis": {"A": 1, "B": 0}}


def test_names_are_those_now_and_undo_gives_them_back():
    """Field reports 33 and 34: a new name is a name, the scores stay where they were."""
    steps = [*DEAL, {"do": "name", "seat": "E", "name": "Eva"}]
    before, after = result(header(), *DEAL), result(header(), *steps)
    assert after.pop("players") == ["Asha", "Eva", "Chand", "Devi"]
    assert before.pop("players") == ["Asha", "Bela", "Chand", "Devi"]
    assert before == after
    assert result(header(), *steps, {"do": "undo"})["players"][1] == "Bela"


def test_an_amend_is_reckoned_and_undone():
    steps = [*DEAL, {"do": "amend", "line": 5, "answer": 50}]
    assert result(header(), *steps)["score"]["difference"] == 0
    assert result(header(), *steps, {"do": "undo"}) == result(header(), *DEAL)


def test_undo_of_a_whole_deal_leaves_no_trace():
    """Field report 22: nothing of a result that was taken back is left."""
    undone = result(header(), *seep_deal("N", 4), *[{"do": "undo"}] * 4, *seep_deal("N", 96))
    assert undone == result(header(), *seep_deal("N", 96))


# -- the form of the file -----------------------------------------------------------------------


def test_blank_lines_crlf_unknown_keys_and_double_keys():
    plain = result(header(), *DEAL)
    lines = log(header(x=1), *DEAL).split(b"\n")
    assert read(b"\r\n".join(lines), "x").result() == plain
    assert read(b"\n \t\n\n".join(lines), "x").result() == plain
    assert read(b"\n".join(lines)[:-1], "x").result() == plain
    doubled = log(header(), *DEAL[:-1], b'{"ask": "cards", "answer": 1, "note": {}, "answer": 62}')
    assert read(doubled, "x").result() == plain


def test_blank_lines_are_counted():
    assert refused(header(), b"", b" \t", ask("bid", 9))[0] == 4
    assert refused(b"", header())[0] == 1


def test_a_log_has_at_most_65535_lines():
    blank = [b""] * 65532
    assert read(log(header(), *blank, ask("deal", "N"), ask("bid", 9)), "x").session.steps == 2
    number, said = refused(header(), b"", *blank, ask("deal", "N"), ask("bid", 9))
    assert number == 65536 and said.endswith(": too long; possible: 65535 lines")


def test_names_are_any_strings():
    names = ["", "Ann", "Ann", '\u0000\n"\ud800'.encode("utf-8", "surrogatepass").decode("utf-8", "replace")]
    assert result(header(players=names))["players"] == names
    lone = b'{"log":"bazzi/1","game":"seep","options":{},"players":["\\ud800","","",""],"dealer":"N"}'
    assert read(lone, "x").result()["players"][0] == "\ud800"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"\xef\xbb\xbf" + log(header()),
        log(header())[:-5],
        b"[]\n",
        b"null",
        b'{"log": NaN}',
        log(header()).replace(b"Asha", b"As\xffha"),
        log(header()).replace(b"Asha", b"As\tha"),
        log(header()).replace(b'"', b"'"),
        b"[" * 100000,
    ],
    ids=lambda raw: repr(raw[:20]),
)
def test_line_1_is_not_a_header(raw):
    assert refused(raw=raw)[0] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"log": "bazzi/2"},
        {"log": 1},
        {"game": "Seep"},
        {"game": 0},
        {"game": "whist"},
        {"options": None},
        {"options": []},
        {"options": {"target": 15}},
        {"options": {"target_lead": 0}},
        {"options": {"target_lead": 1000}},
        {"options": {"target_lead": 100.0}},
        {"options": {"target_lead": "100"}},
        {"options": {"target_lead": True}},
        {"options": {"match_bazzis": 100}},
        {"options": {"match_mode": 0}},
        {"options": {"match_mode": "all"}},
        {"options": {"opening_sweep": 26}},
        {"options": {"last_sweep": 25}},
        {"options": {"min_score": -1}},
        {"players": ["A", "B", "C"]},
        {"players": ["A", "B", "C", "D", "E"]},
        {"players": ["A", "B", "C", 4]},
        {"players": "ABCD"},
        {"players": None},
        {"dealer": "P1"},
        {"dealer": 0},
        {"dealer": "n"},
        {"dealer": None},
        {"match": 1},
        {"started": None},
    ],
    ids=str,
)
def test_a_wrong_header(change):
    line, message = refused({**header(), **change})
    assert line == 1
    assert "possible: " in message


@pytest.mark.parametrize("key", ["log", "game", "options", "players", "dealer"])
def test_a_header_without(key):
    first = header()
    del first[key]
    assert refused(first)[0] == 1


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"answer": 11},
        {"ask": "bid"},
        {"ask": "bid", "answer": None},
        {"ask": "bid", "answer": 8},
        {"ask": "bid", "answer": 14},
        {"ask": "bid", "answer": 11.0},
        {"ask": "bid", "answer": "11"},
        {"ask": "bid", "answer": True},
        {"ask": "bid", "answer": [11]},
        {"ask": "bid", "answer": "pass"},
        {"ask": "bid", "answer": "None"},
        {"ask": "bid", "answer": 0x1007},
        {"ask": "bid", "answer": 10**30},
        b'{"ask": "bid", "answer": ' + b"9" * 5000 + b"}",
        {"ask": "Bid", "answer": 11},
        {"ask": 1, "answer": 11},
        {"ask": "deal", "answer": "N"},
        {"ask": "cards", "answer": 50},
        {"ask": "bid", "answer": 11, "seat": "N"},
        {"ask": "bid", "answer": 11, "seat": "table"},
        {"ask": "bid", "answer": 11, "seat": None},
        {"ask": "bid", "answer": 11, "t": -1},
        {"ask": "bid", "answer": 11, "t": 1.0},
        {"ask": "bid", "answer": 11, "t": "1"},
        {"ask": "bid", "answer": 11, "t": True},
        {"ask": "bid", "answer": 11, "do": "undo"},
        {"do": "Undo"},
        {"do": None},
        {"do": ["undo"]},
        {"do": "adjust", "side": "A", "points": 5},
        {"do": "name", "seat": "P1", "name": "X"},
        {"do": "name", "seat": "N"},
        {"do": "name", "seat": "N", "name": 5},
        {"do": "amend", "line": 1, "answer": "N"},
        {"do": "amend", "line": 3, "answer": 11},
        {"do": "amend", "line": 2.0, "answer": "N"},
        {"do": "amend", "line": True, "answer": "N"},
        {"do": "amend", "answer": "N"},
        {"do": "amend", "line": 2},
        {"do": "amend", "line": 2, "answer": 5},
        b'{"ask": "bid", "answer": 11',
        b'{"ask": "bid", "answer": 11} x',
        b'{"ask": "bid", "answer": 011}',
        b'{"ask": "bid", "answer": Infinity}',
        b"\xef\xbb\xbf{}",
        b"\x0c",
        b'{"ask": "bid", "answer": 11}\xff',
    ],
    ids=str,
)
def test_a_wrong_line(line):
    """The bid of deal 1 is asked on line 3; whatever is wrong there is reported there."""
    assert refused(header(), ask("deal", "N"), line, b"garbage after the first wrong line")[0] == 3


def test_undo_of_nothing():
    assert refused(header(), {"do": "undo"})[0] == 2


@pytest.mark.parametrize("line", [{"do": "redeal"}], ids=str)
def test_not_before_a_deal(line):
    assert refused(header(), line)[0] == 2


@pytest.mark.parametrize("points", [1000, -1000, 5.0, "5", True, None])
def test_wrong_points(points):
    assert refused(header(), {"do": "adjust", "side": "A", "points": points})[0] == 2


@pytest.mark.parametrize("side", ["C", "none", 0, None, "N"])
def test_wrong_side(side):
    assert refused(header(), {"do": "adjust", "side": side, "points": 5})[0] == 2


@pytest.mark.parametrize(
    "line",
    [
        ask("deal", "N"),
        {"do": "end"},
        {"do": "name", "seat": "N", "name": "X"},
        {"do": "adjust", "side": "A", "points": 1},
        {"do": "redeal"},
    ],
    ids=str,
)
def test_when_it_is_over_only_undo_and_amend(line):
    over = [header(), *seep_deal("N", 4)]
    assert refused(*over, line)[0] == 6
    assert result(*over, {"do": "undo"})["over"] is False
    assert result(*over, {"do": "amend", "line": 5, "answer": 50})["over"] is False


def test_an_amend_that_a_later_step_forbids_names_the_deal():
    """The bid of deal 1 becomes a throw-in: the sweep after it stands in the way."""
    line, message = refused(header(), *DEAL, ask("deal", "W"), {"do": "amend", "line": 3, "answer": "none"})
    assert line == 7
    assert "deal 2" in message


def test_an_amend_that_would_end_the_match_before_a_later_step():
    line, message = refused(header(), *DEAL, *seep_deal("W", 50), {"do": "amend", "line": 5, "answer": 3})
    assert line == 10
    assert "over" in message and "deal 2" in message


# -- the command --------------------------------------------------------------------------------


def test_json_on_standard_output(tmp_path, capsysbinary):
    path = tmp_path / "m.jsonl"
    path.write_bytes(log(header(), *DEAL))
    assert main(["replay", str(path), "--json"]) == 0
    out, err = capsysbinary.readouterr()
    assert json.loads(out) == result(header(), *DEAL)
    assert out.count(b"\n") == 1 and err == b""


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_an_error_prints_nothing_but_its_line(tmp_path, capsysbinary, option, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.jsonl").write_bytes(log(header(), *DEAL, ask("bid", 9)))
    given = "./m.jsonl"  # FILE as given, not tidied
    assert main(["replay", given, *option]) == 2
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert err.startswith(b"./m.jsonl:6: ") and err.count(b"\n") == 1 and err.endswith(b"\n")


@pytest.mark.parametrize("given", ["missing.jsonl", ".", "a\nb"])
def test_a_file_that_cannot_be_read(tmp_path, capsysbinary, given, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["replay", given, "--json"]) == 2
    out, err = capsysbinary.readouterr()
    assert out == b"" and err.count(b"\n") == 1
    assert err.startswith(given.replace("\n", "\\n").encode() + b": cannot be read: ")
