"""Makes the modules of a board lighter to load than their sources.

Texts are split, no module is in a package, and MicroPython's own modules are taken without looking for files of
their names: every place where it looks for a file costs it a millisecond or two.
"""

import ast
from collections.abc import Iterable, Mapping

from shared_rules.text import SPLIT, split

from .edits import Span, replaced, span
from .errors import CheckError

# Modules of MicroPython's in whose place it would take a file; with a u before the name it does not look for one.
BUILT_IN = frozenset(
    ("array", "binascii", "collections", "errno", "hashlib", "heapq", "io", "json")
    + ("machine", "os", "platform", "random", "re", "select", "struct", "time")
)


def with_texts_split(text: str) -> str:
    """Return a module with what ``shared_rules.text.split_all`` would do to its catalogues (``EN = {...}``) done."""
    edits: list[tuple[Span, str]] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and node.value.keys:
            (target,) = node.targets
            if isinstance(target, ast.Name) and target.id == "EN":
                catalogue = ast.literal_eval(node.value)
                done = {id: split(words) if "{" in words else words for id, words in catalogue.items()}
                edits.append((span(node.value), repr({**done, SPLIT: SPLIT})))
    return replaced(text, edits)


def with_own_modules(text: str) -> str:
    """Return a module that imports MicroPython's own modules as such ("utime" for "time")."""
    edits: list[tuple[Span, str]] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in BUILT_IN:
                    edits.append((span(alias), f"u{alias.name} as {alias.asname or alias.name}"))
        elif isinstance(node, ast.ImportFrom) and node.module in BUILT_IN and not node.level:
            names = ", ".join(ast.unparse(alias) for alias in node.names)
            edits.append((span(node), f"from u{node.module} import {names}"))
    return replaced(text, edits)


def flat(texts: Mapping[str, str], packages: Iterable[str]) -> dict[str, str]:
    """Return the modules under the last part of their names: "keeper.screens.tools" is "tools".

    texts     name of a module -> its text, packages' own modules included
    packages  names of the packages, which are modules only where they hold something

    Changed are absolute and relative imports, and strings that are a module's name or the beginning of one
    ("keeper.screens."). Raises CheckError for two modules of the same last name.
    """
    names = {name: name.rpartition(".")[2] for name in texts}
    for name, last in names.items():
        others = [other for other, its in names.items() if its == last and other != name]
        if others:
            raise CheckError(f"{name} and {others[0]} would be the same module on a board")
    beginnings = {package + ".": "" for package in packages}
    return {names[name]: _flat(name, text, names | beginnings, set(packages)) for name, text in texts.items()}


def _flat(module: str, text: str, names: Mapping[str, str], packages: set[str]) -> str:
    edits: list[tuple[Span, str]] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names:
            edits.append((span(node), repr(names[node.value])))
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".") if module in packages else module.split(".")[:-1]
            parts = parts[: len(parts) - node.level + 1] if node.level else []
            source = ".".join([*parts, node.module] if node.module else parts)
            statements = []
            for alias in node.names:
                renamed = f" as {alias.asname}" if alias.asname else ""
                if f"{source}.{alias.name}" in names:
                    statements.append(f"import {names[f'{source}.{alias.name}']}{renamed}")
                elif source in names:
                    statements.append(f"from {names[source]} import {alias.name}{renamed}")
            if statements:
                edits.append((span(node), "; ".join(statements)))
    return replaced(text, edits)
