"""Leaves out of the programs of the box what only the laptop uses, because it takes memory there.

A function, method, class or table that nothing on the board names, outside itself, is never used: programs
in which a name could come from a string are refused (rename.py). What the firmware or the display's driver
could name stays. __slots__ goes too: MicroPython has no use for it.
"""

import ast
from collections import Counter
from collections.abc import Collection, Mapping

from .edits import replaced, span
from .firmware_words import WORDS
from .rename import looked_up_by_text, words_in

_PLAIN = (ast.Constant, ast.Name, ast.Dict, ast.Tuple, ast.List, ast.Load)


def without_unused(modules: Mapping[str, str], fixed: Collection[str], kept: Collection[str]) -> dict[str, str]:
    """Return the programs without what they do not use.

    modules  name of a module -> its text; fixed: texts of programs that work with these
    kept     names of functions that are used by what is not seen here

    Raises BundleError.
    """
    texts = {name: _without_slots(text) for name, text in modules.items()}
    stays = {*WORDS, *kept, *looked_up_by_text(texts)}.union(*[words_in(text) for text in fixed])
    while True:
        unused = _unused(texts) - stays
        if not unused:
            return texts
        texts = {name: _without(text, unused, texts) for name, text in texts.items()}


def _unused(texts: Mapping[str, str]) -> set[str]:
    """Return the names of definitions that are named only where they are defined, and within themselves."""
    named: Counter[str] = Counter()
    own: Counter[str] = Counter()
    for text in texts.values():
        named.update(words_in(text))
        lines = text.splitlines(keepends=True)
        for node, name in _definitions(ast.parse(text)).items():
            first, _, last, _ = span(node)
            own[name] += words_in("".join(lines[first - 1 : last])).count(name)
    return {name for name in own if named[name] == own[name] and not name.startswith("__")}


def _definitions(tree: ast.Module) -> dict[ast.stmt, str]:
    """Return what is defined at the level of the module and of its classes, and its name.

    Of assignments only those that do nothing else: to one name, and nothing is called.
    """
    found: dict[ast.stmt, str] = {}
    todo: list[ast.stmt] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node] = node.name
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if all(isinstance(part, _PLAIN) for part in ast.walk(node.value)):
                found[node] = node.targets[0].id
        if isinstance(node, ast.ClassDef):
            todo += node.body
    return found


def _without(text: str, unused: Collection[str], modules: Collection[str]) -> str:
    """Return a program without some definitions, and without what it then imports of our modules for nothing."""
    tree = ast.parse(text)
    # A class that has nothing else needs a statement.
    gone = [node for node, name in _definitions(tree).items() if name in unused]
    text = replaced(text, [(span(node), "pass") for node in gone])
    uses = Counter(words_in(text))
    imports = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in modules:
            wanted = [alias for alias in node.names if uses[alias.asname or alias.name] > 1]
            if len(wanted) < len(node.names):
                kept = ast.unparse(ast.ImportFrom(node.module, wanted, 0)) if wanted else "pass"
                imports.append((span(node), kept))
    return replaced(text, imports)


def _without_slots(text: str) -> str:
    found = _definitions(ast.parse(text))
    return replaced(text, [(span(node), "pass") for node, name in found.items() if name == "__slots__"])
