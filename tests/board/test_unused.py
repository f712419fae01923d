"""What nothing on the board uses is left out there: host/bazzi/unused.py. And the rare words of games are apart."""

from __future__ import annotations

import json

import pytest
from bazzi.bundle import build, without_rare_words
from bazzi.rename import BundleError
from bazzi.unused import without_unused

from shared_rules import catalog

PAGE = """
from rules import (
    score_of,
    winner_of, side_words,
); from rules import first_seat as seat
from array import array


class Page:
    __slots__ = ("a",
        "b")
    UNUSED = {"a": (1, 2)}
    USED = [3]
    OPEN = open("/dev/null")

    def draw_all(self):
        return self.draw_row(seat) + score_of() + len(self.USED)

    def draw_row(self, place):
        return place

    @property
    def half_used(self):
        return winner_of()

    def write(self):
        pass

    def by_string(self):
        pass


class Never:
    def never_again(self):
        return Never()


def again(count):
    return again(count - 1)


def main_one():
    return getattr(Page(), "by_string"), Page().draw_all
"""
RULES = """
class Score:
    def unused_one(self): return side_words

    def unused_two(self): pass; x = [
        1]

def score_of():
    return 2; print("more")


def winner_of():
    return side_words()


def side_words():
    return 3


first_seat = 5
"""


def test_what_nothing_names_is_left_out_and_what_only_that_used_as_well() -> None:
    made = without_unused({"page": PAGE, "rules": RULES}, ["main_one(); Score"], ())
    for gone in ("half_used", "Never", "never_again", "again", "winner_of", "side_words", "unused_one", "unused_two"):
        assert gone not in made["page"] + made["rules"], gone
    assert "__slots__" not in made["page"] and "UNUSED" not in made["page"] and "OPEN = open" in made["page"]
    for there in ("draw_all", "draw_row", "write", "by_string", "main_one", "from array import array"):
        assert there in made["page"], there
    rules: dict[str, object] = {}
    exec(made["rules"], rules)
    exec(made["page"].replace("from rules import score_of; from rules import first_seat as seat", "seat = 5"), rules)
    assert rules["Page"]().draw_all() == 8  # type: ignore[operator]


def test_what_is_kept_stays_with_all_it_uses() -> None:
    made = without_unused({"page": PAGE, "rules": RULES}, ["main_one"], ["half_used"])
    assert "half_used" in made["page"] and "side_words" in made["rules"]
    assert made["page"].count("side_words") == 0


def test_names_by_strings_that_cannot_be_followed_are_refused() -> None:
    with pytest.raises(BundleError, match="page:2: a name by a string"):
        without_unused({"page": "def f(x, name):\n    return getattr(x, name)\n"}, [], ())


def test_rare_words_of_a_game_are_a_module_of_their_own() -> None:
    text = 'class Game:\n    A = 1\n    EN = {\n        "q.bid": "Bid",\n        "o.low": "Low {n}",\n'
    text += '        "v.low.on": "é",\n    }\n    B = 2\n'
    game, words = without_rare_words(text, "g")
    assert game == "class Game:\n    A = 1\n    EN = {'q.bid': 'Bid'}\n    B = 2\n"
    assert words == "EN = {'o.low': 'Low {n}', 'v.low.on': 'é'}\n"
    with pytest.raises(BundleError, match="g: no class with a dict EN"):
        without_rare_words("EN = {}\n", "g")


def test_on_the_board_what_only_the_laptop_uses_is_not_there() -> None:
    folder = build()
    names = json.loads((folder / "names.json").read_text())
    assert not {"report", "winner", "whose_deal", "set_roster"} & names.keys()
    assert {"opening", "draw", "ask_deal"} <= names.keys()
    for game in catalog.GAMES:
        path = folder / "lib" / f"{game}.mpy"
        apart = path.with_name(f"{game}_rare.mpy").read_bytes()
        for id, words in catalog.load(game).EN.items():
            if id.startswith(("o.", "v.", "c.", "card.")):
                assert words.encode() in apart and id.encode() in apart
                assert id.startswith("card.") or id.encode() not in path.read_bytes()
