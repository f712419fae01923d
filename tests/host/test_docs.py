"""What the documents say of the rules and the log is what the code does."""

import re

import pytest
from host_cases import ROOT

from shared_rules import catalog

LOG = (ROOT / "docs" / "LOG.md").read_text(encoding="utf-8")
RULES = (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8")


def load(game):
    try:
        return catalog.load(game)
    except ImportError:
        pytest.skip("its module is not there yet")


@pytest.mark.parametrize("game", catalog.GAMES)
def test_options_of_the_log_page(game):
    rules = load(game)
    row = next(line for line in LOG.splitlines() if line.startswith(f"| {game} | `"))
    said = {}
    for part in re.split(r"; (?=`)", row.split("|")[2]):
        id, rest = re.fullmatch(r"`(\w+)` = (.*)", part.strip()).groups()
        said[id] = rest.split(" (off:")[0].replace("¹", "").strip()
    assert set(said) == {option.id for option in rules.OPTIONS}
    for option in rules.OPTIONS:
        text = said[option.id]
        default = option.value(option.default)
        assert text.startswith(f'"{default}"' if type(default) is str else f"{default} "), (option.id, text)
        if option.values is None:
            assert f"{option.lo}–{option.hi}" in text
        elif type(default) is str:
            assert re.findall(r'"(\w+)"', text) == list(option.values)
        elif "–" in text:
            assert list(option.values) == list(range(min(option.values), max(option.values) + 1))
            assert f"{min(option.values)}–{max(option.values)}" in text
        else:
            assert {int(value) for value in re.findall(r"\d+", text)} == set(option.values)


def cited():
    """Return what the docstrings and comments of the program cite of RULES.md."""
    paragraphs, codes = set(), set()
    for folder in ("shared_rules", "host/bazzi", "firmware"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            paragraphs |= set(re.findall(r"RULES\.md (\d(?:\.\d+)*)", text))
            codes |= set(re.findall(r"\bA-[SMET]\d+\b", text))
    return paragraphs, codes


def test_cited_rules_are_there():
    paragraphs, codes = cited()
    assert codes and not {code for code in codes if not re.search(rf"\b{code}\b", RULES)}
    for paragraph in paragraphs:
        parts = paragraph.split(".")
        section = ".".join(parts[:2])
        found = re.search(rf"^##+ {re.escape(section)}\.? .*?(?=^##|\Z)", RULES, re.M | re.S)
        assert found, paragraph
        if len(parts) == 3:
            assert re.search(rf"^{parts[2]}\. ", found[0], re.M), paragraph


@pytest.mark.parametrize("game", catalog.GAMES)
def test_every_option_is_in_the_rules(game):
    section = re.search(rf"^## {catalog.GAMES.index(game) + 1}\. .*?(?=^## )", RULES, re.M | re.S)[0]
    for option in load(game).OPTIONS:
        assert f"`{option.id}`" in section, option.id
        assert (f"`{option.id}` ★" in section) == option.first, f"{option.id}: ★ where set-up offers it first"
