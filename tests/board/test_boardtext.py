"""What is changed in modules for a board, beside being joined: host/bazzi/boardtext.py."""

from __future__ import annotations

import ast

import pytest
from bazzi.boardtext import BUILT_IN, flat, with_own_modules, with_texts_split
from bazzi.bundle import build
from bazzi.compiled import sources
from bazzi.errors import CheckError

from shared_rules.text import split_all

PACKAGES = {"keeper", "keeper.screens", "shared_rules"}


def made(texts: dict[str, str], name: str) -> str:
    """Return a module when all are flat."""
    return flat(texts, PACKAGES)[name]


def test_texts_are_split_as_a_game_would_when_it_is_loaded() -> None:
    text = 'A = 1\nclass Game:\n    EN = {\n        "a": "{seat} bids {+n}",\n        "b": "ü",\n    }\n'
    text += 'B = {"c": "{n}"}\n'
    names: dict[str, object] = {}
    exec(with_texts_split(text), names)
    catalogue = names["Game"].EN  # type: ignore[attr-defined]
    expected = {"a": "{seat} bids {+n}", "b": "ü"}
    split_all(expected)
    assert catalogue == expected and catalogue["a"] == (0, " bids ", 3)
    assert names["B"] == {"c": "{n}"}, "only what is called EN is a catalogue"
    assert with_texts_split(text).splitlines()[-1] == 'B = {"c": "{n}"}', "lines stay where they are"


@pytest.mark.parametrize(
    ("line", "expected"),
    (
        ("from keeper.screens.tools import Part", "from tools import Part"),
        ("from keeper.screens import tools, names as n", "import tools; import names as n"),
        ("from . import tools", "import tools"),
        ("from .tools import Part as P, EN", "from tools import Part as P; from tools import EN"),
        ("from .. import VERSION", "from keeper import VERSION"),
        ("from ..link import Link", "from link import Link"),
        ("from core import tools", "from core import tools"),
        ("x = 'keeper.screens.tools'", "x = 'tools'"),
        ("x = 'keeper.screens.' + name", "x = '' + name"),
        ("x = 'see keeper.screens.tools'", "x = 'see keeper.screens.tools'"),
        ("x = 'ä', 'keeper.link'", "x = 'ä', 'link'"),
    ),
)
def test_no_module_is_in_a_package(line: str, expected: str) -> None:
    texts = {name: "" for name in ("keeper", "keeper.link", "keeper.screens.tools", "keeper.screens.names")}
    texts["keeper.screens.past"] = f"def f():\n    {line}\n"
    assert made(texts, "past") == f"def f():\n    {expected}\n"


def test_two_modules_of_one_last_name_are_refused() -> None:
    with pytest.raises(CheckError, match=r"keeper\.a and shared_rules\.a would be the same module"):
        flat({"keeper.a": "", "shared_rules.a": ""}, PACKAGES)


def test_own_modules_are_not_looked_for() -> None:
    text = "import os, sys\nimport time as t\nfrom machine import Pin, I2C as Bus\nfrom .time import x\n"
    assert with_own_modules(text).splitlines() == [
        "import uos as os, sys",
        "import utime as t",
        "from umachine import Pin, I2C as Bus",
        "from .time import x",
    ]


def test_every_module_that_the_box_takes_from_micropython_is_known() -> None:
    """One that is not would be looked for in all folders, 5 ms at every start; these never are."""
    quick = {"gc", "sys", "micropython", "framebuf", "math"}
    taken = set()
    for name, path in sources().items():
        if name != "keeper/boards/unix.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    taken |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                    taken.add(node.module)
    taken = {name for name in taken if name.split(".")[0] not in ("keeper", "shared_rules", "adafruit_ssd1306")}
    assert taken and taken <= BUILT_IN | quick


def test_what_the_start_needs_lies_by_itself() -> None:
    folder = build()
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*py")}
    assert {name for name in found if "/" not in name} == {"main.py", "base.mpy", "core.mpy", "adafruit_ssd1306.mpy"}
    assert {"lib/seep.mpy", "lib/ten.mpy", "lib/link.mpy", "lib/tools.mpy", "lib/keeper.mpy"} <= found
    assert all(name.count("/") <= 1 for name in found)
