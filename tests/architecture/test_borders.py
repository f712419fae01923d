"""The borders of docs/ARCHITECTURE.md, read from the source: who imports what, and what must not be written where."""

import ast
import importlib
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

import pytest

from shared_rules import catalog
from shared_rules.question import COMMON_WORDS

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "shared_rules"
FIRMWARE = ROOT / "firmware"
KEEPER = FIRMWARE / "keeper"
HOST = ROOT / "host" / "bazzi"
PLAIN = {"array", "struct", "binascii", "json", "os", "framebuf"}  # what keeper may import besides itself and the rules

# Words of one game that are plain English too. They may be part of a name or a sentence, but never stand alone as a
# string, which is how an id would be compared.
EVERYDAY = {"done", "end", "game", "held", "help", "high", "low", "opening", "ordinary", "turn"}
# The log's own header key and command (docs/LOG.md) are such strings.
OF_THE_LOG = {"game", "end"}


GENERATED = ("fonts.py", "letters.py", "firmware_words.py")  # by host/build_fonts.py and host/find_firmware_words.py


def files(*folders):
    """Return the Python files in folders, generated ones left out."""
    return [path for folder in folders for path in sorted(folder.rglob("*.py")) if path.name not in GENERATED]


def tree(path):
    """Return a file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def place(path, line):
    """Return where something stands."""
    return f"{path.relative_to(ROOT)}:{line}"


def imports(path):
    """Give (line, module) for everything a file imports, wherever in it; relative ones resolved."""
    package = path.relative_to(FIRMWARE if FIRMWARE in path.parents else ROOT).with_suffix("").parts[:-1]
    if HOST in path.parents:
        package = path.relative_to(ROOT / "host").with_suffix("").parts[:-1]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(part for part in (above, node.module) if part)
            yield node.lineno, base
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("__import__", "import_module"):
            yield node.lineno, dynamic(node.args[0], path)


def dynamic(argument, path):
    """Return the beginning of the module name that is put together for ``__import__``."""
    if isinstance(argument, ast.BinOp):
        return dynamic(argument.left, path)
    if isinstance(argument, ast.Constant):
        return argument.value
    if isinstance(argument, ast.Name):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == argument.id:
                return dynamic(node.value, path)
    return "(unknown)"


def foreign(paths, allowed):
    """Return the imports of anything whose first part is not allowed."""
    return [
        f"{place(path, line)} imports {module}"
        for path in paths
        for line, module in imports(path)
        if module.split(".")[0] not in allowed
    ]


# -- imports ------------------------------------------------------------------------------------------


def test_the_rules_import_only_themselves():
    assert not foreign(files(RULES), {"shared_rules", "array"})


def test_the_box_imports_only_itself_the_rules_and_plain_modules():
    paths = [path for path in files(KEEPER) if KEEPER / "boards" not in path.parents]
    assert not foreign(paths, {"keeper", "shared_rules"} | PLAIN)


def test_nothing_but_boards_is_asked_for_time_chance_or_the_machine():
    """As above, named: these are what makes the same case run differently."""
    never = {"time", "utime", "machine", "sys", "random", "micropython", "bazzi", "rp2", "gc", "_thread"}
    paths = files(RULES) + [path for path in files(KEEPER) if KEEPER / "boards" not in path.parents]
    found = [(path, line, module) for path in paths for line, module in imports(path)]
    assert found
    assert not [f"{place(path, line)}: {module}" for path, line, module in found if module.split(".")[0] in never]


def test_only_the_picos_board_imports_machine():
    found = [path for path in files(FIRMWARE, RULES, HOST) for _, module in imports(path) if module == "machine"]
    assert set(found) <= {KEEPER / "boards" / "pico.py"}


def test_boards_are_imported_by_nobody_in_the_box():
    """The board object is given to the application; only who starts it knows which board it is."""
    paths = [path for path in files(KEEPER) if KEEPER / "boards" not in path.parents]
    assert not [
        f"{place(path, line)}: {module}" for path in paths for line, module in imports(path) if ".boards" in module
    ]


def test_games_are_loaded_through_the_catalogue_alone():
    ways = (RULES / "catalog.py", KEEPER / "boards" / "rare_words.py")  # the other for a module that the build makes
    found = [
        f"{place(path, line)}: {module}"
        for path in files(RULES, KEEPER, HOST)
        if path not in ways and RULES / "games" not in path.parents
        for line, module in imports(path)
        if module.startswith("shared_rules.games")
    ]
    assert not found


# -- words of one game ------------------------------------------------------------------------------


def words_of_one_game():
    """Return the ids of games, and of questions, options and own words that only one game has: word -> game."""
    users = defaultdict(set)
    for id in catalog.GAMES:
        game = catalog.load(id)
        own = game.WORDS[len(COMMON_WORDS) :]
        for word in (id, *game.QUESTIONS, *(option.id for option in game.OPTIONS), *own):
            users[word].add(id)
    return {word: next(iter(found)) for word, found in users.items() if len(found) == 1 and word not in COMMON_WORDS}


def tokens(source):
    """Give (line, text, whether it is a string) of all names and strings, docstrings too; comments are left out."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string, False
        elif token.type == tokenize.STRING:
            for line, text in enumerate(token.string.split("\n"), token.start[0]):
                yield line, text, True


def traces(source, words):
    """Return (line, word) wherever a word is part of a name or stands in a string."""
    patterns = {word: re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", re.IGNORECASE) for word in words}
    found = []
    for line, text, is_string in tokens(source):
        # SeepScreen is as much a trace as seep_screen.
        spread = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
        for word, pattern in patterns.items():
            if word in EVERYDAY:
                if is_string and word not in OF_THE_LOG and text in (f'"{word}"', f"'{word}'"):
                    found.append((line, word))
            elif pattern.search(spread):
                found.append((line, word))
    return found


def test_no_game_is_named_outside_the_rules():
    """A fifth game costs one module: application and laptop know no game, and no question or word of only one."""
    words = words_of_one_game()
    found = [
        f"{place(path, line)}: {word} ({words[word]})"
        for path in files(KEEPER, HOST)
        for line, word in traces(path.read_text(encoding="utf-8"), words)
    ]
    assert not found, "\n".join(found)


def test_the_search_for_games_finds_them():
    words = {"seep": "", "match_bazzis": "", "held": ""}
    source = 'def draw_seep(x):\n    """For\n    Seep."""\n    if x == "held" or x.match_bazzis:\n        keep = held\n'
    assert traces(source, words) == [(1, "seep"), (3, "seep"), (4, "held"), (4, "match_bazzis")]
    assert traces("class SeepScreen: pass\n", words) == [(1, "seep")]
    assert not traces("# Seep\nbazzi = held_keys\n", words)


def test_every_everyday_word_is_still_a_word_of_one_game():
    assert set(words_of_one_game()) >= EVERYDAY >= OF_THE_LOG


# -- what must not be written -----------------------------------------------------------------------


def calls(path):
    """Give (line, name) of the calls in a file; a method as "object.method"."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func)


def test_the_box_never_sleeps_and_never_prints():
    paths = files(RULES) + [path for path in files(KEEPER) if KEEPER / "boards" not in path.parents]
    never = re.compile(r"(^|\.)(sleep|sleep_ms|sleep_us|print|input)$")
    assert not [f"{place(path, line)}: {name}" for path in paths for line, name in calls(path) if never.search(name)]


def test_no_exception_is_swallowed_that_stops_a_program():
    """Row 79: a Ctrl-C always gets in, so nobody catches everything."""
    found = []
    for path in files(RULES, FIRMWARE, HOST):
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.ExceptHandler):
                continue
            kinds = "" if node.type is None else ast.unparse(node.type)
            if not kinds or ("BaseException" in kinds and HOST not in path.parents):
                found.append(f"{place(path, node.lineno)}: except {kinds}")
    assert not found


def test_const_is_our_own_where_the_laptop_runs_it_too():
    """``const`` is a function of ours, which MicroPython folds by name; ``micropython.const`` is not on the laptop."""
    paths = files(RULES) + [path for path in files(KEEPER) if KEEPER / "boards" not in path.parents]
    assert not [place(path, line) for path in paths for line, module in imports(path) if module == "micropython"]


# -- ticks ------------------------------------------------------------------------------------------


def last_name(node):
    """Return the name that a variable, attribute or item is called by: ``self._again[key]`` is ``_again``."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_tick(node, names):
    """Tell whether an expression is a tick: a name that holds one, ``now_ms()`` or ``ticks.add(...)``."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).endswith(("now_ms", "ticks.add"))
    return last_name(node) in names


def tick_names(module):
    """Return the names that hold ticks: ``now``, ``tick`` and whatever a tick is assigned to."""
    names = {"now", "tick"}
    while True:
        before = len(names)
        for node in ast.walk(module):
            if isinstance(node, ast.Assign) and is_tick(node.value, names):
                names |= {last_name(target) for target in node.targets}
        names.discard("")
        if len(names) == before:
            return names


def bare_ticks(module):
    """Return the lines that add, subtract or compare a tick without ``keeper.ticks``, and do not mask it right away."""
    names = tick_names(module)
    masked = set()
    for node in ast.walk(module):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            masked |= {node.left, node.right}
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mod)):
            parts = [] if node in masked else [node.left, node.right]
        elif isinstance(node, ast.AugAssign):
            parts = [node.target, node.value]
        elif isinstance(node, ast.Compare):
            same = all(isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops)
            parts = [] if same else [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("min", "max", "abs", "range"):
            parts = node.args
        else:
            continue
        if any(is_tick(part, names) for part in parts):
            found.append((node.lineno, ast.unparse(node)))
    return found


def test_ticks_are_only_compared_by_difference():
    """Row 57: no bare subtraction or comparison of ticks, which wrap after 12.4 days."""
    found = [
        f"{place(path, line)}: {text}"
        for path in files(KEEPER)
        if path.name != "ticks.py"
        for line, text in bare_ticks(tree(path))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "if now - self.since > 5: pass",
        "def f(self, now):\n    self._since = now\n    if self._since + 5 < x: pass",
        "self._again[key] = ticks.add(now, 5)\nlate = x > self._again[key]",
        "tick += 5",
        "last = board.now_ms()\nage = other - last",
    ],
)
def test_the_search_for_bare_ticks_finds_them(source):
    assert bare_ticks(ast.parse(source))


def test_the_search_for_bare_ticks_lets_differences_alone():
    good = (
        "idle_ms = ticks.diff(now, self.since)\nif idle_ms >= self.blank_ms: pass\nself.at = ticks.add(now, 5)\n"
        "self.last = now\nold = self.last is None or (now - self.last) & MASK > 5\n"
    )
    assert not bare_ticks(ast.parse(good))


# -- docstrings and tables --------------------------------------------------------------------------


class Classes:
    """All classes of the product, to find out which methods only fulfil what a base or protocol promises."""

    def __init__(self, paths):
        self.bases = defaultdict(set)
        self.documented = defaultdict(set)
        self.methods = defaultdict(set)
        for path in paths:
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.ClassDef):
                    self.bases[node.name] |= {ast.unparse(base).split(".")[-1] for base in node.bases}
                    parts = [part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
                    self.methods[node.name] |= {part.name for part in parts}
                    self.documented[node.name] |= {part.name for part in parts if ast.get_docstring(part)}

    def promised(self, name, method):
        """Tell whether a base class of a class, however far up, documents a method."""
        return any(
            method in self.documented[base]
            or (method in self.methods[base] and self.elsewhere(self.methods[base], method))
            or self.promised(base, method)
            for base in self.bases[name]
        )

    @staticmethod
    def inherited(path, name, method):
        """Tell whether a base class from another package, which CPython can load, documents a method."""
        if HOST not in path.parents:
            return False
        try:
            module = importlib.import_module(".".join(path.relative_to(ROOT / "host").with_suffix("").parts))
        except ImportError:
            return False
        found = [vars(base).get(method) for base in getattr(module, name).__mro__[1:]]
        return any(getattr(function, "__doc__", None) for function in found)

    def elsewhere(self, methods, method):
        """Tell whether a class with the same methods documents this one: a board, or a box, of another kind."""
        return any(method in documented and len(documented & methods) >= 5 for documented in self.documented.values())


def bare(path, classes):
    """Give (line, name) of the public functions, classes and methods of a file that have no docstring."""
    module = tree(path)
    if not ast.get_docstring(module) and module.body:
        yield 1, "(module)"

    def inside(body, owner, methods):
        for node in body:
            if isinstance(node, (ast.If, ast.Try)):
                handlers = [handler.body for handler in getattr(node, "handlers", [])]
                for part in (node.body, node.orelse, *handlers):
                    yield from inside(part, owner, methods)
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or node.name[0] == "_":
                continue
            if not ast.get_docstring(node):
                known = owner and (
                    classes.promised(owner, node.name)
                    or classes.elsewhere(methods, node.name)
                    or classes.inherited(path, owner, node.name)
                )
                if not known:
                    yield node.lineno, f"{owner}.{node.name}" if owner else node.name
            if isinstance(node, ast.ClassDef):
                own = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                yield from inside(node.body, node.name, own)

    yield from inside(module.body, "", set())


def test_everything_public_says_what_it_is_for():
    """Docstrings; what fulfils a documented base, protocol or sister class (a board's) needs none of its own."""
    paths = files(RULES, FIRMWARE, HOST)
    classes = Classes(paths)
    found = [f"{place(path, line)}: {name}" for path in paths for line, name in bare(path, classes)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", catalog.GAMES)
def test_every_game_has_vectors_and_a_demonstration(game):
    assert (RULES / "games" / f"{game}.py").exists()
    vectors = ROOT / "tests" / "rules" / "vectors" / f"{game}.txt"
    assert vectors.exists() and f"game {game}\n" in vectors.read_text(encoding="utf-8")
    demo = RULES / "demos" / f"{game}.txt"
    assert demo.exists() and "expect" in demo.read_text(encoding="utf-8")


def test_every_module_of_a_game_is_in_the_catalogue():
    modules = {path.stem for path in (RULES / "games").glob("*.py")} - {"__init__"}
    assert modules == set(catalog.GAMES)
    assert {path.stem for path in (RULES / "demos").glob("*.txt")} <= set(catalog.GAMES)
