"""The score sheet for a person: names, what happened, who won; safe in any terminal and at any width."""

import io

import pytest
from bazzi.replay import read
from bazzi.sheets import ADJUSTMENT, DEAL, VOID, Labels, Sheet, print_sheet
from host_cases import ask, header, log, random_match, seep_deal
from rich.cells import cell_len
from rich.console import Console

from shared_rules import catalog

STEPS = [*seep_deal("N", 62), ask("deal", "W"), ask("bid", "none"), {"do": "adjust", "side": "B", "points": 5}]


def shown(*lines, width=80, **how):
    """Return the sheet of a match as text."""
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False, markup=False, emoji=False, **how)
    print_sheet(read(log(*lines), "x"), console)
    return out.getvalue()


def games():
    """Return the games whose module is there."""
    found = []
    for game in catalog.GAMES:
        try:
            catalog.load(game)
        except ImportError:
            continue
        found.append(game)
    return found


def test_rows_of_a_sheet():
    rows = Sheet(read(log(header(), *STEPS, *seep_deal("W", 40)), "x")).rows
    assert [(row.kind, row.n, row.dealer) for row in rows] == [
        (DEAL, 1, 0),
        (VOID, 2, 3),
        (ADJUSTMENT, 2, -1),
        (DEAL, 3, 3),
    ]
    assert [row.figures for row in rows] == [[24, -24], [24, -24], [19, -19], [-1, 1]]


def test_rows_follow_an_amend_and_an_undo():
    """Field report 25: after a correction nothing of the old reckoning is left on the sheet."""
    wrong = [header(), *seep_deal("N", 10), {"do": "amend", "line": 5, "answer": 62}, ask("deal", "W"), {"do": "undo"}]
    right = [header(), *seep_deal("N", 62)]
    assert Sheet(read(log(*wrong), "x")).rows == Sheet(read(log(*right), "x")).rows


def test_what_a_person_reads():
    text = shown(header(options={"match_bazzis": 3}, started="2026-11-29T19:05:00+05:30"), *STEPS)
    lines = text.splitlines()
    assert lines[0] == "Seep, 2026-11-29 19:05"
    assert "Asha & Chand lead by 19" in text
    assert "Bazzis (0: no end): 3" in text and "Lead for a bazzi" not in text
    assert "Nothing above 8" in text and "correction: +5 for Bela & Devi" in text
    assert lines[-1] == "Not over yet: Devi is to deal."
    assert all(cell_len(line) <= 80 for line in lines)


@pytest.mark.parametrize(
    "steps, told",
    [
        ([], "Not over yet: Asha is to deal."),
        ([ask("deal", "E")], "Not over yet: a deal of Bela is under way."),
        ([{"do": "end"}], "Over, without a winner."),
        (seep_deal("N", 4), "Won by Bela & Devi."),
        ([*seep_deal("N", 50), {"do": "end"}], "Over, without a winner."),
    ],
)
def test_the_outcome(steps, told):
    """Field report 19: a match that was stopped names nobody as its winner."""
    assert shown(header(), *steps).splitlines()[-1] == told


def test_equal_is_shared_in_words():
    """Field report 18."""
    text = shown(header(options={"match_bazzis": 2}), *seep_deal("N", 4), *seep_deal("N", 96))
    assert text.splitlines()[-1] == "Shared by Asha & Chand and Bela & Devi."


def test_a_new_name_stands_everywhere():
    """Field report 33."""
    text = shown(header(), *STEPS, {"do": "name", "seat": "W", "name": "Dilip"})
    assert "Dilip" in text and "Devi" not in text


NASTY = ["[bold red]x[/]", "a\nb\t\x1b[31m", "\u202egnp", ":smile: & <svg/onload=alert()>"]


def test_names_cannot_steer_the_terminal():
    """Field report 107, for a terminal: markup and control characters in names are shown, not obeyed."""
    text = shown(header(players=NASTY), *STEPS, width=200, force_terminal=True, color_system=None)
    assert "[bold red]x[/]" in text and ":smile: & <svg" in text
    assert "a\\nb\\t\\x1b[31m" in text and "\\u202egnp" in text
    assert "\x1b[31m" not in text and "\u202e" not in text
    lone = b'{"log":"bazzi/1","game":"seep","options":{},"players":["\\ud800","","",""],"dealer":"N"}'
    out = io.StringIO()
    print_sheet(read(lone, "x"), Console(file=out, width=80))
    assert "\\ud800" in out.getvalue()
    out.getvalue().encode("utf-8")


@pytest.mark.parametrize(
    "players", [["Ann"] * 4, [""] * 4, ["Maximiliane-Josephine"] * 4, ["王小明王小明王小明"] * 4, ["👩‍🌾"] * 4]
)
@pytest.mark.parametrize("width", [200, 80])
def test_names_are_told_apart_and_fit(players, width):
    text = shown(header(players=players), *STEPS, width=width)
    seats = Labels(catalog.load("seep"), players).seats
    assert len(set(seats)) == 4
    table = text.split("\n\n")[1]
    assert all(cell_len(line) <= width for line in table.splitlines())


@pytest.mark.parametrize("game", games())
def test_every_game_has_a_sheet(game):
    """No game is named in the sheet's code: each gives columns, cells and words for all that can happen."""
    for seed in range(15):
        lines, match = random_match(seed, game, stop=200)
        text = shown(*lines)
        table = text.split("\n\n")[1] if match.recount.deals else ""
        assert all(cell_len(line) <= 80 for line in table.splitlines()), text
        assert "Over, without" in text or "Won by" in text or "Shared by" in text
        rows = Sheet(match).rows
        assert len({row.n for row in rows if row.kind != ADJUSTMENT}) == len(match.recount.deals)
        assert sum(row.kind == ADJUSTMENT for row in rows) == len(match.recount.adjustments)


@pytest.mark.parametrize("game", games())
def test_every_option_has_words(game):
    sheet = Sheet(read(log(header(game) if game != "ten" else header(game, dealer="P1")), "x"))
    for option in sheet.rules.OPTIONS:
        assert sheet.words("o." + option.id)
        for value in option.values or (option.lo,):
            assert sheet.texts.option(option, option.code(value)) or type(value) is int
