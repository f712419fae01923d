"""Names get others that cost the board nothing, and nothing else changes: host/bazzi/rename.py."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from bazzi.bundle import FAULT_NAMES, build, on_board
from bazzi.firmware_words import WORDS
from bazzi.rename import MEANING, BundleError, renamed, table, words_in
from bazzi.sim.micro import interpreter

from shared_rules import catalog

ROOT = Path(__file__).parents[2]
needs_micropython = pytest.mark.skipif(interpreter() is None, reason="no MicroPython for this machine")

# Everything that binds or uses a name, in two modules.
SHAPES = """
import os
from array import array as numbers

_INSIDE = const(3)
total_area = 0
rename_file = getattr(os, "replace", os.rename)


class Shape:
    sides_there = 4
    __slots__ = ()

    def __init__(self, width_px, height_px=2):
        self.width_px = width_px
        self._height_px, self.corners = height_px, numbers("H", [1, 2])

    def area(self, times=1):
        return self.width_px * self._height_px * times

    @property
    def half_area(self):
        return self.area() // 2

    def append(self, other_shape):
        return "appended " + other_shape.told()

    def told(self):
        return "Shape %d x %d" % (self.width_px, self._height_px)


class Square(Shape):
    def __init__(self, width_px):
        Shape.__init__(self, width_px, height_px=width_px)


def add_area(shape):
    global total_area
    for total_area in range(total_area, total_area + shape.area(times=_INSIDE)):
        pass

    def inner_step(shape=shape, *more_shapes, only_named=5):
        return shape.sides_there + len(more_shapes) + only_named

    return inner_step


bad = [shape.area() for shape in (Shape(1), Shape(2)) if (lambda shape_width: shape_width)(shape.width_px)]
"""
USER = """
import shapes
from shapes import Square as Box, add_area


def play():
    box = Box(3)
    inner_step = add_area(box)
    said = [box.area(times=2), box.half_area, box.append(box), shapes.total_area, inner_step(box, box, only_named=1)]
    said.append(shapes.bad)
    try:
        box.area(2, 3)
    except TypeError:
        said.append("TypeError")
    try:
        raise ValueError("total_area")
    except ValueError as error_found:
        said.append(str(error_found))
    del box.corners
    said.append({"width_px": hasattr(box, "area"), "corners": len([each for each in said])})
    return said


print(play(), play())
"""


def made(**texts: str) -> dict[str, str]:
    """Rename modules and return them."""
    names, _ = table(texts)
    return {name: renamed(text, names) for name, text in texts.items()}


@needs_micropython
def test_a_program_does_the_same_with_other_names(tmp_path: Path) -> None:
    programs = {"before": {"shapes": SHAPES, "user": USER}, "after": made(shapes=SHAPES, user=USER)}
    said = {}
    for folder, texts in programs.items():
        (tmp_path / folder).mkdir()
        for name, text in texts.items():
            (tmp_path / folder / f"{name}.py").write_text(f"from micropython import const\n{text}", encoding="utf-8")
        command = [interpreter() or "", "user.py"]
        result = subprocess.run(command, cwd=tmp_path / folder, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        said[folder] = result.stdout
    assert said["after"] == said["before"]
    # 3 * 3 * 2, half of 9, ..., 9 * 3 - 1 as the last of range(27), 4 + 1 + 1
    assert said["before"].startswith("[18, 4, 'appended Shape 3 x 3', 26, 6, [2, 4], 'TypeError', 'total_area', ")
    after = "".join(programs["after"].values())
    for name in ("width_px", "_height_px", "sides_there", "half_area", "only_named", "Square", "Box", "add_area"):
        # Only in texts may it still be.
        assert name not in words_in(after)
    for name in ("_INSIDE", "append", "shapes", "area", "array", "__init__"):
        assert name in words_in(after)  # a constant, API, a module, a name used as text, API, API


def test_names_of_the_firmware_and_of_fixed_programs_stay_and_are_never_given() -> None:
    text = (
        "def writeto(first):\n    return first.deinit\ndef draw_all():\n    pass\ndef frame_of():\n    return lower\n"
    )
    names, told = table(
        {"keeper.page": text}, ["import page\nframe_of(addr)"], ("writeto", "deinit", "lower", "addr", "zz")
    )
    assert names == {"first": "zz", "draw_all": "a"}
    assert told == {"draw_all": []}


def test_when_the_words_run_out_names_get_letters_and_short_ones_stay() -> None:
    text = "".join(f"def {name}():\n    pass\n" for name in ("first", "ab", "a", "second", "y"))
    assert table({"m": text}, free=())[0] == {"first": "b", "ab": "c", "second": "e"}


def test_names_are_always_given_alike_and_never_twice() -> None:
    names, _ = table({"shapes": SHAPES, "user": USER})
    again, _ = table({"shapes": SHAPES, "user": USER}, free=sorted(WORDS, reverse=True))
    assert list(names.items()) == list(again.items())
    assert len(set(names.values())) == len(names)
    assert not set(names.values()) & (MEANING | set(words_in(SHAPES + USER)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(x, name_there):\n    return getattr(x, name_there)\n", "a name by a string"),
        ("def f(x, name_there):\n    setattr(x, 'a' + name_there, 1)\n", "a name by a string"),
        ("def f(x, name_there):\n    delattr(x, name_there)\n", "a name by a string"),
        ("def f(name_there):\n    return __import__('x', None, None, name_there)\n", "names by a string"),
        ("def f(**options_given):\n    pass\n", "takes names as texts"),
        ("def f(given):\n    pass\nf(**{'given': 1})\n", "gives names as texts"),
        ("def f(first_one):\n    return dict(first_one=1)\n", "no parameter first_one"),
        ("def f(first_one):\n    return '{first_one}'.format(first_one=1)\n", "no parameter first_one"),
        ("def g(other):\n    pass\ndef f(first_one):\n    g(first_one=1)\n", "no parameter first_one"),
        ("def f(first_one):\n    return f'{first_one}'\n", "within an f-string"),
        ("class A:\n    pass\nprint(A.__name__)\n", "__name__"),
        ("def f(x):\n    return x.__dict__\n", "__dict__"),
        ("class A:\n    def __getattr__(self, wanted):\n        return wanted\n", "gets names as texts"),
        ("def f():\n    exec('x = 1')\n", "exec"),
        ("def f():\n    return globals()['f']\n", "globals"),
        ("T = type('T', (), {})\n", "makes a class of texts"),
        ("from collections import namedtuple\nP = namedtuple('P', 'width height')\n", "namedtuple"),
        ("from other import *\n", "import \\*"),
    ],
)
def test_what_renaming_cannot_follow_is_refused(text: str, why: str) -> None:
    with pytest.raises(BundleError, match=f"^keeper.page:\\d+: .*{why}"):
        table({"keeper.page": text})


def test_registers_of_the_assembler_stay() -> None:
    text = "import micropython\n@micropython.asm_thumb\ndef add_it(r0, r1):\n    add(r0, r0, r1)\n"
    names = table({"keeper.page": text})[0]
    assert "add_it" in names and not {"r0", "r1", "add"} & names.keys()


def test_a_name_in_the_way_is_refused() -> None:
    with pytest.raises(BundleError, match="total cannot become lock"):
        renamed("lock = total\n", {"total": "lock"})
    assert (
        renamed("x = total.total  # total\ny = 'total'\n", {"total": "lock"}) == "x = lock.lock  # total\ny = 'total'\n"
    )


def test_the_boards_files_have_the_driver_and_main_as_they_are() -> None:
    folder = build()
    names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
    assert "    board.say(base.SAFE, 2000)\n" in (folder / "main.py").read_text()
    assert not set(words_in((folder / "main.py").read_text())) & names.keys()
    assert not {"VERSION", "write_cmd", "i2c_device", "show", "tools", "const"} & names.keys()
    listed = [line.split() for line in (folder / FAULT_NAMES).read_text().splitlines()]
    assert all(names[line[1]] == line[0] for line in listed)
    assert {"give_rows", "_forget", "AskScreen"} <= {line[1] for line in listed}
    # One word stands for one name, or for one in each game.
    seen = [(line[0], file) for line in listed for file in line[2:] or ("", *[f'"{game}"' for game in catalog.GAMES])]
    assert len(seen) == len(set(seen))
    assert on_board("app.give_rows(1)") == f"{names['app']}.{names['give_rows']}(1)"


def test_modules_that_do_not_know_each_other_may_use_the_same_words() -> None:
    texts = {
        "all": "def shared_one(first):\n    pass\n",
        "g.one": "from all import shared_one\ndef bid_one(): pass\ndef both(): pass\n",
        "g.two": "from all import shared_one\ndef bid_two(): pass\ndef both(): pass\ndef last_two(): pass\n",
    }
    names, told = table(texts, free=("a", "bb", "ccc", "dddd", "eeeee"), apart=("g.one", "g.two"))
    of_one, of_two = {"bid_one": "ccc", "both": "dddd"}, {"bid_two": "ccc", "last_two": "eeeee"}
    assert names == {"shared_one": "a", "first": "bb", **of_one, **of_two}
    in_two = {"bid_two": ["g.two"], "last_two": ["g.two"]}
    assert told == {"shared_one": [], "bid_one": ["g.one"], "both": ["g.one", "g.two"], **in_two}


@needs_micropython
def test_a_fault_is_told_in_the_names_of_the_sources(tmp_path: Path) -> None:
    boards = tmp_path / "keeper" / "boards"
    boards.mkdir(parents=True)
    shutil.copy(ROOT / "firmware" / "keeper" / "boards" / "reason.py", boards)
    program = """
from keeper.boards import reason
def pin(value):
    return value.zip
def hard(value):
    return pin(value)
for _ in range(2):
    try:
        hard(reason)
    except AttributeError as error:
        print(reason.reason(error))
    names = 'pin draw_all\\nhard other "here"\\nzip first_seat "test.py"\\nzip bid "here"\\nout hard\\n'
    open("keeper/boards/names.txt", "w").write(names)
"""
    (tmp_path / "test.py").write_text(program, encoding="utf-8")
    result = subprocess.run([interpreter() or "", "test.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [
        "AttributeError: module 'keeper.boards.reason' has no attribute 'zip' in <module> > hard > pin",
        "AttributeError: module 'keeper.boards.reason' has no attribute 'first_seat' in <module> > hard > draw_all",
    ]


def test_the_words_are_in_the_firmware(image: Path) -> None:
    found = importlib.util.spec_from_file_location("find_firmware_words", ROOT / "host" / "find_firmware_words.py")
    assert found is not None and found.loader is not None
    tool = importlib.util.module_from_spec(found)
    found.loader.exec_module(tool)
    assert tool.words(image) >= WORDS
