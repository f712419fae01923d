"""The joined modules do what the modules do: host/bazzi/bundle.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bazzi.bundle import APART, Bundle, BundleError, module_name
from bazzi.compiled import sources

from shared_rules import catalog

ROOT = Path(__file__).parents[2]
PLAY = """
import hashlib, sys, tempfile
from pathlib import Path
from bazzi.sim import box
from bazzi.sim.demo import script_of
from bazzi.sim.script import Script
with tempfile.TemporaryDirectory() as folder:
    it = box.Box(Path(folder), 1)
    seen = hashlib.sha256()
    script = Script(it, "bundle", lambda command: seen.update(it.frame()))
    script.run(script_of(sys.argv[1]).read_text(encoding="utf-8").splitlines())
    print(seen.hexdigest(), it.lines(), "core" in sys.modules)
"""

def bundle(texts: dict[str, str], *roots: str) -> Bundle:
    """Join modules named like ours."""
    return Bundle("core", {"keeper": "", **texts}, roots)


def run(text: str) -> dict[str, object]:
    """Return what a bundle's text makes."""
    names: dict[str, object] = {"const": lambda value: value}
    exec(compile(text, "core", "exec"), names)
    return names


def test_names_that_meet_are_told_apart() -> None:
    made = bundle(
        {
            "keeper.a": "def f():\n    return 1\n",
            "keeper.b": "from . import a\nfrom .a import f as g\ndef f():\n    return 10 + a.f() + g()\n",
        },
        "keeper.b",
    )
    assert made.joined == ["keeper.a", "keeper.b"]
    assert run(made.text)["f_b"]() == 12  # type: ignore[operator]


def test_a_local_variable_does_not_capture_a_name() -> None:
    text = "from . import a\ndef g(number):\n    return a.number(2) + number\n"
    made = bundle({"keeper.a": "def number(x):\n    return 3 * x\n", "keeper.b": text}, "keeper.b")
    assert run(made.text)["g"](100) == 106  # type: ignore[operator]


def test_local_names_stay() -> None:
    text = "from .a import f\nclass C:\n    f = 5\n    def m(self):\n        return f() + self.f\n"
    text += "def h(f):\n    return [f for f in f]\n"
    texts = {"keeper.a": "def f():\n    return 1\n", "keeper.b": text, "keeper.c": "f = []\n"}
    made = bundle(texts, "keeper.c", "keeper.b")
    names = run(made.text)
    assert names["C"]().m() == 6  # type: ignore[operator]
    assert names["h"]([1, 2]) == [1, 2]  # type: ignore[operator]


def test_constants_become_numbers_everywhere() -> None:
    texts = {
        "keeper.a": "X = const(3)\nY = const(-X)\nZ = 1\nZ = 2\n",
        "keeper.b": "from . import a\nfrom .a import X\ndef f():\n    return X + a.Y + a.Z\n",
        "keeper.c": "from .a import X, Z as W\nV = X + W\n",
    }
    made = bundle(texts, "keeper.b")
    assert "X" not in made.text and "Y" not in made.text
    assert made.joined == ["keeper.a", "keeper.b"]
    assert run(made.text)["f"]() == 2  # type: ignore[operator]
    assert made.fitted("keeper.c") == "from core import Z as W\nV = 3 + W\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("from . import a\nx = a\n", "used as a value"),
        ("from . import a\na.f = 1\n", "assigned to"),
        ("import keeper.a\n", "from package import module"),
        ("from . import a\nx = a.nothing\n", "has no nothing"),
        ("from .b import x\n", "needs itself"),
    ],
)
def test_what_cannot_be_joined_is_refused(text: str, why: str) -> None:
    with pytest.raises(BundleError, match=why):
        bundle({"keeper.a": "def f():\n    pass\n", "keeper.b": text}, "keeper.b")


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the application joined, for CPython."""
    folder = tmp_path_factory.mktemp("joined")
    paths = {module_name(name): path for name, path in sources().items()}
    texts = {name: path.read_text(encoding="utf-8") for name, path in paths.items() if "viper" not in name}
    made = Bundle("core", texts, ("keeper.app", "keeper.journal", "keeper.settings"), APART)
    (folder / "core.py").write_text(made.text, encoding="utf-8")
    for name in texts:
        if name not in made.joined:
            target = folder / Path(*name.split("."))
            target = target / "__init__.py" if paths[name].name == "__init__.py" else target.with_suffix(".py")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(made.fitted(name), encoding="utf-8")
    # What the simulated box imports comes from the bundle too.
    for name, wanted in (("app", "App"), ("journal", "Journal"), ("settings", "Settings")):
        (folder / "keeper" / f"{name}.py").write_text(f"from core import {wanted}\n", encoding="utf-8")
    for name in ("keeper.ticks", "shared_rules.catalog", "shared_rules.text", "shared_rules.question"):
        (folder / (name.replace(".", "/") + ".py")).write_text(texts[name], encoding="utf-8")
    return folder


@pytest.mark.parametrize("game", catalog.GAMES)
def test_the_joined_application_shows_the_same(game: str, joined: Path) -> None:
    seen = []
    for path in (f"{ROOT / 'host'}:{ROOT / 'firmware'}:{ROOT}", f"{joined}:{ROOT / 'host'}"):
        result = subprocess.run(
            [sys.executable, "-c", PLAY, game], env={"PYTHONPATH": path}, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        seen.append(result.stdout.rsplit(" ", 1))
    assert seen[0][0] == seen[1][0]
    assert [each[1] for each in seen] == ["False\n", "True\n"]
