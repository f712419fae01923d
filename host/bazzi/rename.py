"""Gives the names in the programs of the box shorter ones, because each name takes the board time and memory.

MicroPython keeps every name of a program that is loaded, for good: some 17 bytes each, and each is looked
for among all others first. But a name that the firmware has anyway costs nothing. So names of ours
become words of the firmware (firmware_words.py) that no program here uses for anything, and where those
run out, one or two letters.

A name is renamed everywhere or nowhere, and no two get the same: what meant the same still does, and what
was told apart still is. So nothing needs to be known about which name is looked up where. What must stay:

- what the firmware, the display's driver and modules that stay as they are know by its name;
- names of modules, and names that are looked up by a string (getattr, __import__);
- what begins with two underscores.

Text never changes. Where a program makes names of texts or texts of names in a way that cannot be
followed, that is a BundleError; nothing is guessed.
"""

import ast
import io
import itertools
import keyword
import string
import tokenize
from collections.abc import Collection, Iterator, Mapping
from typing import NoReturn

from .firmware_words import WORDS

# Words with a meaning of their own where a name of ours stood: for mpy-cross, for errors' attributes, for streams.
# The others are what messages call the interpreter's own things: a fault is told in the names of the sources.
_SPECIAL = (
    "super const micropython ptr ptr8 ptr16 ptr32 uint int bool object args errno value name read write readinto ioctl"
    " close send throw BaseException Exception function generator module closure bound_method dict_view iterator slice"
    " frozenset float complex NoneType type set property staticmethod classmethod reversed map filter zip"
)
MEANING = frozenset(_SPECIAL.split())
_BY_STRING = ("getattr", "hasattr", "setattr", "delattr")
_REFUSED = ("exec", "eval", "globals", "locals", "vars", "dir", "namedtuple", "compile")
_REFUSED_ATTRIBUTES = ("__dict__", "__name__", "__qualname__", "__getattr__", "__setattr__", "__delattr__")
_TAKE_ANY = ("dict", "format", "update", "OrderedDict")  # make texts of the names of what they are given


class BundleError(Exception):
    """A module is written in a way that cannot be joined or renamed; the text says where and why."""


def words_in(text: str) -> list[str]:
    """Return the names in a program, in their order, each as often as it is there."""
    return [piece.string for piece in _names_in(text)]


def _names_in(text: str) -> list[tokenize.TokenInfo]:
    pieces = tokenize.tokenize(io.BytesIO(text.encode()).readline)
    return [piece for piece in pieces if piece.type == tokenize.NAME and not keyword.iskeyword(piece.string)]


def looked_up_by_text(modules: Mapping[str, str]) -> set[str]:
    """Return the names that programs look up by a string, or import from elsewhere. Raises BundleError."""
    return set().union(*[_Names(name, text, modules).kept for name, text in modules.items()])


def table(
    modules: Mapping[str, str],
    fixed: Collection[str] = (),
    free: Collection[str] = WORDS,
    apart: Collection[str] = (),
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return what names of programs are to be called, and those of them that a fault may name.

    Each of the latter with the modules that it has to be looked for in, none where that does not matter.

    modules  name of a module -> its text; those that come first get the best names
    fixed    texts of programs that stay as they are and work with these
    free     names that cost nothing; those of them that the programs have stay
    apart    modules that do not know each other: names that only these have may become the same as one's of another

    Raises BundleError.
    """
    bound: dict[str, None] = {}  # in the order in which they were found
    kept = {part for name in modules for part in name.split(".")}
    found = [_Names(name, text, modules) for name, text in modules.items()]
    for each in found:
        bound.update(each.bound)
        kept |= each.kept
    for text in fixed:
        kept.update(words_in(text))
    used = kept.union(*[words_in(text) for text in modules.values()])
    wanted = [name for name in bound if name not in kept and name not in free and not name.startswith("__")]
    parameters: dict[str, set[str]] = {}
    for each in found:
        for name, given in each.parameters.items():
            parameters.setdefault(name, set()).update(given)
    for each in found:
        each.check(set(wanted), parameters)
    users: dict[str, set[str]] = {}
    for module, text in modules.items():
        for name in words_in(text):
            users.setdefault(name, set()).add(module)
    names = _new_names(used, free)
    made = {}
    for old in wanted:
        if not users[old] <= {*apart}:
            new = next(names)
            if new in free or len(new) < len(old):
                made[old] = new
    rest = list(itertools.islice(names, len(wanted)))
    taken: dict[str, set[str]] = {module: set() for module in apart}
    for old in wanted:
        if users[old] <= taken.keys():
            new = next(name for name in rest if not any(name in taken[module] for module in users[old]))
            for module in users[old]:
                taken[module].add(new)
            if new in free or len(new) < len(old):
                made[old] = new
    told = set().union(*[each.told for each in found]) & made.keys()
    return made, {old: sorted(users[old]) if users[old] <= taken.keys() else [] for old in sorted(told)}


def _new_names(used: Collection[str], free: Collection[str]) -> Iterator[str]:
    """Give names that are not used, the best first."""
    possible = [name for name in free if not name.startswith("__") and name not in MEANING and not _is_keyword(name)]
    yield from sorted(set(possible) - set(used), key=lambda name: (len(name), name))
    for length in itertools.count(1):
        for letters in itertools.product(string.ascii_letters, repeat=length):
            name = "".join(letters)
            if name not in used and name not in free and name not in MEANING and not _is_keyword(name):
                yield name


def _is_keyword(name: str) -> bool:
    return keyword.iskeyword(name) or keyword.issoftkeyword(name)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a program with its names as in ``names``; a name that is in the way raises BundleError."""
    words = set(words_in(text))
    for old in words & names.keys():
        if names[old] in words:
            raise BundleError(f"{old} cannot become {names[old]}, which is used too")
    lines = text.splitlines(keepends=True)
    for piece in reversed(_names_in(text)):
        if piece.string in names:
            line, column = piece.start
            before, after = lines[line - 1][:column], lines[line - 1][piece.end[1] :]
            lines[line - 1] = before + names[piece.string] + after
    return "".join(lines)


class _Names(ast.NodeVisitor):
    """The names of one module.

    bound       those that it gives to something and that the compiled module has in it
    told        those of them that MicroPython may name when something fails: of functions, classes, attributes
    kept        those that have to stay
    parameters  name of a function or class -> names of its parameters
    """

    def __init__(self, name: str, text: str, modules: Collection[str]):
        self._name = name
        self._ours = {module.split(".")[0] for module in modules}
        self._inside = 0  # functions that we are in
        self._tree = ast.parse(text)
        self.bound: dict[str, None] = {}
        self.told: set[str] = set()
        self.kept: set[str] = set()
        self.parameters: dict[str, set[str]] = {}
        self.visit(self._tree)

    def _refuse(self, node: ast.AST, why: str) -> NoReturn:
        raise BundleError(f"{self._name}:{node.lineno}: {why}")  # type: ignore[attr-defined]

    # -- what is bound --------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in _REFUSED_ATTRIBUTES:
            self._refuse(node, f"{node.name} gets names as texts")
        self.bound[node.name] = None
        self.told.add(node.name)
        if "micropython.asm_thumb" in [ast.unparse(decorator) for decorator in node.decorator_list]:
            self.kept.update(argument.arg for argument in node.args.args)  # they are registers
        self._parameters(node.name, node.args)
        for outside in [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]:
            if outside is not None:
                self.visit(outside)
        self._inside += 1
        for child in node.body:
            self.visit(child)
        self._inside -= 1

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._parameters("", node.args)
        self._inside += 1
        self.generic_visit(node)
        self._inside -= 1

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.bound[node.name] = None
        self.told.add(node.name)
        for child in node.body:
            if isinstance(child, ast.FunctionDef) and child.name == "__init__":
                self._parameters(node.name, child.args)
        inside, self._inside = self._inside, 0  # names of a class's body are attributes
        self.generic_visit(node)
        self._inside = inside

    def _parameters(self, function: str, arguments: ast.arguments) -> None:
        if arguments.kwarg is not None:
            self._refuse(arguments.kwarg, f"**{arguments.kwarg.arg} takes names as texts")
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self.bound[argument.arg] = None
            self.parameters.setdefault(function, set()).add(argument.arg)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in _REFUSED:
            self._refuse(node, f"{node.id}: what it does with names cannot be followed")
        if isinstance(node.ctx, ast.Store) and not self._inside:
            self.bound[node.id] = None

    def visit_Global(self, node: ast.Global) -> None:
        self.bound.update(dict.fromkeys(node.names))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in (*_REFUSED_ATTRIBUTES, "namedtuple"):
            self._refuse(node, f"{node.attr}: what it does with names cannot be followed")
        if isinstance(node.ctx, ast.Store):
            self.bound[node.attr] = None
            self.told.add(node.attr)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        # mpy-cross puts the number in the place of a name that begins with "_" and is const(...).
        value, target = node.value, node.targets[0]
        constant = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "const"
        if constant and isinstance(target, ast.Name) and target.id.startswith("_"):
            self.kept.add(target.id)
        self.generic_visit(node)

    # -- what stays -------------------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.kept.update(alias.name.split("."))
            self._alias(alias)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if not node.level and node.module and node.module.split(".")[0] not in self._ours:
            self.kept.update(node.module.split("."))
            self.kept.update(alias.name for alias in node.names)
        for alias in node.names:
            if alias.name == "*":
                self._refuse(node, "import *: what it binds cannot be seen")
            self._alias(alias)

    def _alias(self, alias: ast.alias) -> None:
        if alias.asname and not self._inside:
            self.bound[alias.asname] = None

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        if called in _BY_STRING:
            self.kept.add(self._text(node, node.args[1]))
        if called == "__import__" and len(node.args) > 3:
            if not isinstance(node.args[3], ast.Tuple):
                self._refuse(node, "names by a string that is not written there")
            self.kept.update(self._text(node, each) for each in node.args[3].elts)
        if called == "type" and len(node.args) > 1:
            self._refuse(node, "type() makes a class of texts")
        if any(each.arg is None for each in node.keywords):
            self._refuse(node, "** gives names as texts")
        self.generic_visit(node)

    def _text(self, node: ast.AST, wanted: ast.expr) -> str:
        if not isinstance(wanted, ast.Constant) or not isinstance(wanted.value, str):
            self._refuse(node, "a name by a string that is not written there")
        return wanted.value

    def check(self, names: Collection[str], parameters: Mapping[str, Collection[str]]) -> None:
        """Refuse what would be wrong when these are renamed: arguments named for others, names within f-strings."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                for each in node.keywords:
                    ours = each.arg in parameters.get(called, ()) and called not in _TAKE_ANY
                    if each.arg in names and not ours:
                        self._refuse(node, f"{called or 'what is called'}() of ours has no parameter {each.arg}")
            elif isinstance(node, ast.JoinedStr):
                for inner in ast.walk(node):
                    if getattr(inner, "id", getattr(inner, "attr", "")) in names:
                        self._refuse(node, "a name within an f-string")
