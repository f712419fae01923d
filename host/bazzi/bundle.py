"""Joins the modules that the box needs at start into one, because each module costs it time and memory.

On the board a module is searched for in a slow file system, and every name in it is looked up among
all names known: forty modules take a second, one takes a fifth of that. In one module the names are
there once, and constants that modules share become numbers. Then what only the laptop uses is left out
(unused.py), and names are given others that cost the board nothing (rename.py).

``Bundle`` does what a linker does, on the text: names of the module level that would meet get the
name of their module behind them, ``module.name`` becomes ``name``, imports between the modules go.
What it cannot do raises BundleError; it never guesses.
"""

import ast
import builtins
import hashlib
import importlib.util
import json
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from . import boardtext
from .compiled import OPTIMISE, compile_file, main_source, sources
from .edits import Span, replaced, span
from .errors import CheckError
from .rename import BundleError, renamed, table, words_in
from .unused import without_unused

__all__ = ["DRIVER", "FAULT_NAMES", "VERSION_MODULE", "Bundle", "BundleError", "build", "on_board", "programs"]

_ROOTS = ("keeper", "shared_rules")


def _package(module: str, level: int, is_package: bool) -> str:
    """Return the package that ``level`` dots mean in a module."""
    parts = module.split(".")
    drop = level - 1 if is_package else level
    return ".".join(parts[: len(parts) - drop])


class _Module:
    """One module: its text, and what its names at module level are.

    own      names it binds; constants: those bound once, to a number
    modules  local name -> module of ours, for ``from . import ticks``
    names    local name -> (module of ours, name there), for ``from .ticks import diff``
    others   local name -> (module, name or ""), what it imports from elsewhere
    """

    def __init__(self, name: str, text: str, known: Mapping[str, str], is_package: bool):
        self.name = name
        self.text = text
        self.tree = ast.parse(text)
        self.known = known
        self.is_package = is_package
        self.own: list[str] = []
        self.constants: dict[str, int] = {}
        self.changing: set[str] = set()  # bound more than once
        self.modules: dict[str, str] = {}
        self.names: dict[str, tuple[str, str]] = {}
        self.others: dict[str, tuple[str, str]] = {}
        self.needs: list[tuple[str, str]] = []  # (module of ours, name there or ""), as imported at module level
        for node in self.tree.body:
            self._bind(node)

    def _bind(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.take_import(node, True)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self._add(node.name)
        elif isinstance(node, (ast.If, ast.Try, ast.For, ast.While, ast.With)):
            if isinstance(node, ast.For):
                self._targets(node.target)
            for field in ("body", "orelse", "finalbody"):
                for child in getattr(node, field, []):
                    self._bind(child)
            for handler in getattr(node, "handlers", []):
                for child in handler.body:
                    self._bind(child)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._targets(target)
            number = self._number(node.value)
            target = node.targets[0]
            alone = node in self.tree.body and len(node.targets) == 1 and isinstance(target, ast.Name)
            if number is not None and alone and target.id not in self.changing:
                self.constants[target.id] = number
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            self._targets(node.target)

    def _targets(self, target: ast.expr) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._add(node.id)

    def _add(self, name: str) -> None:
        if name in self.own:
            self.constants.pop(name, None)
            self.changing.add(name)
        else:
            self.own.append(name)

    def _number(self, node: ast.expr) -> int | None:
        """Return the number that an expression always is, or None."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "const":
            return self._number(node.args[0])
        for part in ast.walk(node):
            if isinstance(part, ast.Constant):
                if type(part.value) is not int:
                    return None
            elif isinstance(part, ast.Name):
                if part.id not in self.constants:
                    return None
            elif not isinstance(part, (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)):
                return None
        value = eval(compile(ast.Expression(node), self.name, "eval"), {}, self.constants)
        return value if type(value) is int else None

    def take_import(self, node: ast.Import | ast.ImportFrom, at_start: bool) -> None:
        """Note what an import binds."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] in _ROOTS:
                    raise BundleError(f"{self.name}:{node.lineno}: write 'from package import module'")
                self.others[alias.asname or alias.name] = (alias.name, "")
            return
        source = node.module or ""
        if node.level:
            package = _package(self.name, node.level, self.is_package)
            source = f"{package}.{source}" if source else package
        for alias in node.names:
            local = alias.asname or alias.name
            if source.split(".")[0] not in _ROOTS:
                self.others[local] = (source, alias.name)
            elif f"{source}.{alias.name}" in self.known:
                self.modules[local] = f"{source}.{alias.name}"
                if at_start:
                    self.needs.append((f"{source}.{alias.name}", ""))
            else:
                self.names[local] = (source, alias.name)
                if at_start:
                    self.needs.append((source, alias.name))


class Bundle:
    """The modules that ``roots`` need at start, joined, and the others fitted to that.

    name     what the joined module is called
    sources  name of a module ("keeper.app") -> its text, for all modules
    roots    the modules that the start loads
    apart    modules that stay themselves (another processor's code, packages)
    """

    def __init__(self, name: str, sources: Mapping[str, str], roots: tuple[str, ...], apart: tuple[str, ...] = ()):
        self.name = name
        packages = {name for name in sources for other in sources if other.startswith(name + ".")}
        self._modules = {each: _Module(each, text, sources, each in packages) for each, text in sources.items()}
        self._apart = {*apart, *packages}
        self.joined: list[str] = []
        for root in roots:
            self._order(root, [])
        self._final: dict[tuple[str, str], str] = {}  # (module, name) -> name in the bundle
        self._taken: dict[str, tuple[str, str]] = {}
        self.captured: set[str] = set()  # names that would mean a local variable somewhere
        self.text = ""
        while not self.text or self.captured - self._avoided:
            self._avoided = set(self.captured)
            self._name_all()
            self.text = self._join()

    def _name_all(self) -> None:
        """Decide what each name is called in the bundle."""
        self._final.clear()
        self._taken.clear()
        for name in self.joined:
            for own in self._modules[name].own:
                if own not in self._modules[name].constants:
                    self._claim((name, own), name)
        for name in self.joined:
            for local, origin in self._modules[name].others.items():
                self._claim_other(local, origin, name)

    def _order(self, name: str, way: list[str]) -> None:
        if name in self.joined or name in self._apart:
            return
        if name in way:
            raise BundleError(f"{name} needs itself: {' -> '.join([*way, name])}")
        for need, wanted in self._modules[name].needs:
            if need not in self._modules:
                raise BundleError(f"{name}: there is no module {need}")
            if wanted not in self._modules[need].constants:  # a number is written where it is used
                self._order(need, [*way, name])
        self.joined.append(name)

    def _claim(self, key: tuple[str, str], module: str) -> None:
        name = key[1]
        wanted = name
        if name in self._taken or name in self._avoided or hasattr(builtins, name):
            wanted = f"{name}_{module.rpartition('.')[2]}"
        if wanted in self._taken:
            raise BundleError(f"{module}: {wanted} is there twice")
        self._taken[wanted] = key
        self._final[key] = wanted

    def _claim_other(self, local: str, origin: tuple[str, str], module: str) -> None:
        key = ("." + origin[0], origin[1])
        if key not in self._final:
            if local in self._taken:
                raise BundleError(f"{module}: {local} is already {self._taken[local]}")
            self._taken[local] = key
            self._final[key] = local

    def _join(self) -> str:
        parts = []
        imported: set[tuple[str, str]] = set()
        for name in self.joined:
            parts.append(_Rewriter(self, self._modules[name], imported).text())
        return "".join(parts)

    def fitted(self, name: str) -> str:
        """Return the text of a module that is not joined, importing from the bundle."""
        return _Rewriter(self, self._modules[name], None).text()

    def final(self, module: str, name: str) -> str | None:
        """Return what stands for a name of a module: its name in the bundle, or the number that it is.

        None: the module is not joined. Raises BundleError for a name that is not there.
        """
        source = self._modules[module]
        if name in source.constants:
            number = source.constants[name]
            return str(number) if number >= 0 else f"({number})"
        if module not in self.joined:
            return None
        if name in source.own:
            return self._final[module, name]
        if name in source.names:  # handed on
            return self.final(*source.names[name])
        if name in source.others:
            origin = source.others[name]
            return self._final["." + origin[0], origin[1]]
        raise BundleError(f"{module} has no {name}")


class _Rewriter(ast.NodeVisitor):
    """Makes the changed text of one module. ``imported`` is None for a module that is not joined."""

    def __init__(self, bundle: Bundle, module: _Module, imported: set[tuple[str, str]] | None):
        self._bundle = bundle
        self._module = module
        self._imported = imported
        self._lines = module.text.splitlines(keepends=True)
        if self._lines and not self._lines[-1].endswith("\n"):
            self._lines[-1] += "\n"
        self._edits: list[tuple[Span, str]] = []
        self._scopes: list[set[str]] = []
        self._classes: list[set[str]] = []  # names of the class body we are directly in

    def text(self) -> str:
        for node in ast.walk(self._module.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in self._module.tree.body:
                self._module.take_import(node, False)
        self.visit(self._module.tree)
        return replaced("".join(self._lines), self._edits)

    def _edit(self, node: ast.AST, text: str) -> None:
        self._edits.append((span(node), text))

    def _refuse(self, node: ast.AST, why: str) -> None:
        raise BundleError(f"{self._module.name}:{node.lineno}: {why}")  # type: ignore[attr-defined]

    # -- what names mean ------------------------------------------------------------------------

    def _local(self, name: str) -> bool:
        return any(name in scope for scope in self._scopes) or (bool(self._classes) and name in self._classes[-1])

    def _meaning(self, name: str) -> str | None:
        """Return what a name at module level is called now, None where it stays."""
        module = self._module
        if name in module.names:
            final = self._bundle.final(*module.names[name])
            if self._imported is None and final is not None and final.isidentifier():
                return None  # bound by the import that is written instead
            return final
        if self._imported is not None and (name in module.own or name in module.others):
            return self._bundle.final(module.name, name)
        return None

    def visit_Name(self, node: ast.Name) -> None:
        if self._local(node.id):
            return
        if self._module.modules.get(node.id) in self._bundle.joined:
            self._refuse(node, f"the module {node.id} is used as a value")
        meaning = self._meaning(node.id)
        if meaning is not None and meaning != node.id:
            self._put(node, meaning)

    def _put(self, node: ast.AST, meaning: str) -> None:
        if self._local(meaning):
            self._bundle.captured.add(meaning)
        self._edit(node, meaning)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        value = node.value
        if isinstance(value, ast.Name) and not self._local(value.id):
            source = self._module.modules.get(value.id)
            if source in self._bundle.joined:
                if not isinstance(node.ctx, ast.Load):
                    self._refuse(node, f"{value.id}.{node.attr} is assigned to")
                final = self._bundle.final(source, node.attr)
                inside = self._imported is not None or not final.isidentifier()
                self._put(node, final if inside else f"{self._bundle.name}.{final}")
                return
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self._edit(node, "global " + ", ".join(self._meaning(name) or name for name in node.names))

    # -- imports ------------------------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> None:
        self._take(node, [(alias.asname or alias.name, (alias.name, "")) for alias in node.names])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = self._module
        bundle = self._bundle
        ours = [alias for alias in node.names if (alias.asname or alias.name) not in module.others]
        if not ours:
            self._take(node, [(a.asname or a.name, module.others[a.asname or a.name]) for a in node.names])
            return
        taken: list[str] = []
        kept: list[str] = []
        whole = False
        for alias in ours:
            local = alias.asname or alias.name
            if local in module.modules:
                if module.modules[local] in bundle.joined:
                    whole = True
                    continue
                final = None
            else:
                final = bundle.final(*module.names[local])
            if final is None:
                kept.append(alias.name + (f" as {alias.asname}" if alias.asname else ""))
            elif final.isidentifier():
                taken.append(final if final == local else f"{final} as {local}")
        inside = self._imported is not None
        statements = [f"import {bundle.name}"] if whole and not inside else []
        if taken and not inside:
            statements.append(f"from {bundle.name} import {', '.join(taken)}")
        if kept:
            source = "." * node.level + (node.module or "")
            if node.level and inside:  # the joined module lies elsewhere
                package = _package(module.name, node.level, module.is_package)
                source = f"{package}.{node.module}" if node.module else package
            statements.append(f"from {source} import {', '.join(kept)}")
        self._edit(node, "; ".join(statements) or "pass")

    def visit_Assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if self._imported is not None and node in self._module.tree.body and isinstance(target, ast.Name):
            if target.id in self._module.constants or target.id == "__all__":
                self._edit(node, "pass")  # constants stand where they are used
                return
        self.generic_visit(node)

    def _take(self, node: ast.Import | ast.ImportFrom, bound: list[tuple[str, tuple[str, str]]]) -> None:
        """Import from elsewhere, each name once in the bundle."""
        if self._imported is None or node not in self._module.tree.body:
            return
        statements = []
        for _, origin in bound:
            key = ("." + origin[0], origin[1])
            if key in self._imported:
                continue
            self._imported.add(key)
            final = self._bundle._final[key]
            name = origin[1] or origin[0]
            renamed = f" as {final}" if final != name else ""
            statements.append(f"from {origin[0]} import {name}{renamed}" if origin[1] else f"import {name}{renamed}")
        self._edit(node, "; ".join(statements) or "pass")

    # -- scopes ---------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for outside in [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]:
            if outside is not None:
                self.visit(outside)
        if not self._scopes and not self._classes:
            self._rename_definition(node, "def")
        with self._scope(self._locals(node.args, node.body)):
            for child in node.body:
                self.visit(child)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        with self._scope(self._locals(node.args, [])):
            self.visit(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for outside in [*node.decorator_list, *node.bases]:
            self.visit(outside)
        if not self._scopes and not self._classes:
            self._rename_definition(node, "class")
        self._classes.append(self._stored(node.body))
        for child in node.body:
            self.visit(child)
        self._classes.pop()

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        targets = {name.id for part in node.generators for name in ast.walk(part.target) if isinstance(name, ast.Name)}
        self._scopes.append(targets)
        self.generic_visit(node)
        self._scopes.pop()

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _comprehension

    @contextmanager
    def _scope(self, names: set[str]) -> Iterator[None]:
        classes, self._classes = self._classes, []  # functions do not see the names of their class's body
        self._scopes.append(names)
        yield
        self._scopes.pop()
        self._classes = classes

    def _locals(self, arguments: ast.arguments, body: list[ast.stmt]) -> set[str]:
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        names = {argument.arg for argument in given}
        names |= {extra.arg for extra in (arguments.vararg, arguments.kwarg) if extra is not None}
        return names | self._stored(body)

    def _stored(self, body: list[ast.stmt]) -> set[str]:
        """Return the names that a function's or class's body binds, nested ones left out."""
        names: set[str] = set()
        shared: set[str] = set()
        todo: list[ast.AST] = list(body)
        while todo:
            node = todo.pop()
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
                continue
            if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
                continue
            if isinstance(node, ast.Global):
                shared.update(node.names)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                names.add(node.id)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                names.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                # Names of ours are not local any more: they mean the bundle's.
                for alias in node.names:
                    local = alias.asname or alias.name
                    joined = self._module.modules.get(local) in self._bundle.joined
                    if local in self._module.names:
                        joined = self._bundle.final(*self._module.names[local]) is not None
                    if not joined:
                        names.add(local)
            todo.extend(ast.iter_child_nodes(node))
        return names - shared

    def _rename_definition(self, node: ast.FunctionDef | ast.ClassDef, keyword: str) -> None:
        final = self._meaning(node.name)
        if final is not None and final != node.name:
            line = self._lines[node.lineno - 1].encode()
            start = line.index(node.name.encode(), node.col_offset + len(keyword))
            self._edits.append(((node.lineno, start, node.lineno, start + len(node.name.encode())), final))


# -- for the board ------------------------------------------------------------------------------------

# What each joined module begins with. The first has the hardware: with it the display says that the box starts.
BUNDLES = (("base", ("keeper.boards.pico",)), ("core", ("keeper.boards.runner",)))
APART = ("main",)
VERSION_MODULE = "keeper"
# Modules in whose place a board has machine code of the same functions, or another way to do the same.
NATIVE = {
    "keeper.base64": "keeper.boards.base64_thumb",
    "keeper.blit": "keeper.boards.blit_viper",
    "shared_rules.crc": "keeper.boards.crc_thumb",
    "keeper.rare_words": "keeper.boards.rare_words",  # not machine code, but the board's way
}
DRIVER = "adafruit_ssd1306"
_GAMES = "shared_rules.games."
_RARE_IDS = ("o.", "v.", "c.", "h.", "card.")
USED_BY_TESTS = "app.opening()"  # what locks the heap asks it (bench/board.py)
FAULT_NAMES = "lib/names.txt"  # on the board: what names in a fault are in the sources (keeper/boards/reason.py)
_NAMES = "names.json"  # beside the modules here: all names, as they are in the sources -> on the board


def without_rare_words(text: str, name: str) -> tuple[str, str]:
    """Return a game's module without its rare words, and a module that has them (keeper.rare_words).

    Raises BundleError where the class has no dict EN of strings.
    """
    for game in ast.parse(text).body:
        for node in game.body if isinstance(game, ast.ClassDef) else []:
            if (
                isinstance(node, ast.Assign)
                and ast.unparse(node.targets[0]) == "EN"
                and isinstance(node.value, ast.Dict)
            ):
                words = ast.literal_eval(node.value)
                apart = {id: words.pop(id) for id in list(words) if id.startswith(_RARE_IDS)}
                lines = text.splitlines(keepends=True)
                lines[node.lineno - 1 : node.end_lineno] = [f"{' ' * node.col_offset}EN = {words!r}\n"]
                return "".join(lines), f"EN = {apart!r}\n"
    raise BundleError(f"{name}: no class with a dict EN")


def module_name(path: str) -> str:
    """Return the name of the module in "keeper/app.py"."""
    name = path[:-3].replace("/", ".")
    return name.removesuffix(".__init__")


def programs(
    texts: Mapping[str, str], bundles: Collection[tuple[str, tuple[str, ...]]], others: Collection[str] = ()
) -> tuple[dict[str, str], dict[str, str], dict[str, list[str]]]:
    """Return programs as they are on a board: joined, without what is not used, with the board's names.

    texts    name of a module -> its text, for all modules
    bundles  name of a joined module, and the modules that it is made of and for; as BUNDLES
    others   texts of programs that are there too

    They are name -> text; then all names that are others now; and what ``rename.table`` says that a fault
    may name. Raises BundleError.
    """
    texts = dict(texts)
    packages = packages_of(texts)
    games = [name for name in texts if name.startswith(_GAMES)]
    for game in games:
        texts[game], texts[f"{game}_rare"] = without_rare_words(texts[game], game)
    made = {}
    for joined, roots in bundles:
        bundle = Bundle(joined, texts, roots, APART)
        made[joined] = bundle.text
        texts = {name: bundle.fitted(name) for name in texts if name not in bundle.joined}
    # A person reads main.py, and the installer writes the version into keeper/__init__.py.
    fixed = {name: text for name, text in texts.items() if name in APART or name in packages}
    made |= {name: text for name, text in texts.items() if name not in fixed}
    made = without_unused(made, [*fixed.values(), *others], words_in(USED_BY_TESTS))
    # No two of the modules that are loaded for a while know each other; a name that only these have, one may have too.
    apart = [name for name in made if name not in dict(bundles)]
    names, told = table(made, [*fixed.values(), *others], apart=apart)
    return fixed | {name: renamed(text, names) for name, text in made.items()}, names, told


def packages_of(names: Collection[str]) -> set[str]:
    """Return those of the names of modules that are packages."""
    return {name for name in names for other in names if other.startswith(name + ".")}


def build(arch: str = "armv6m") -> Path:
    """Return a folder with all that goes on the board, as it is there; kept where nothing changed.

    All is compiled but main.py, which MicroPython wants as text. FAULT_NAMES has the names that a fault may name.

    Raises CheckError: a module cannot be compiled, or the display's driver is not installed.
    """
    paths = {module_name(name): path for name, path in sources().items() if name != "keeper/boards/unix.py"}
    paths["main"] = main_source()
    found = importlib.util.find_spec(DRIVER)
    if found is None or found.origin is None:
        raise CheckError(f"{DRIVER}: not installed; possible: pip install adafruit-circuitpython-ssd1306")
    paths[DRIVER] = Path(found.origin)
    texts = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    for name, native in NATIVE.items():
        texts[name] = texts.pop(native)
    digest = hashlib.sha256(f"{OPTIMISE} {arch}".encode())
    for tool in ("bundle.py", "edits.py", "boardtext.py", "unused.py", "rename.py", "firmware_words.py"):
        digest.update((Path(__file__).parent / tool).read_bytes())
    for name, text in texts.items():
        digest.update(name.encode() + b"\0" + text.encode() + b"\0")
    folder = Path(platformdirs.user_cache_dir("bazzi", appauthor=False)) / f"board-{digest.hexdigest()[:16]}"
    if (folder / "complete").exists():
        return folder
    (folder / "lib").mkdir(parents=True, exist_ok=True)
    packages = packages_of(texts)
    made, names, told = programs({name: boardtext.with_texts_split(text) for name, text in texts.items()}, BUNDLES)
    # A package that holds nothing is not there.
    made = {name: text for name, text in made.items() if name not in packages or ast.parse(text).body[1:]}
    # What the start needs lies by itself: in a folder of few files MicroPython finds each sooner.
    first = (*APART, *[joined for joined, _ in BUNDLES], DRIVER)
    with tempfile.TemporaryDirectory(prefix="bazzi-") as place:
        for name, text in boardtext.flat(made, packages).items():
            path = folder / ("" if name in first else "lib") / f"{name}.mpy"
            source = Path(place) / f"{name}.py"
            source.write_text(boardtext.with_own_modules(text), encoding="utf-8")
            if name in APART:
                shutil.copy(source, path.with_suffix(".py"))
            else:
                compile_file(source, name, path, arch)
    lines = [
        f"{names[name]} {name}" + (f' "{module.rpartition(".")[2]}"' if module else "")
        for name in told
        for module in told[name] or [""]
    ]
    (folder / FAULT_NAMES).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / _NAMES).write_text(json.dumps(names), encoding="utf-8")
    (folder / "complete").touch()
    return folder


def on_board(code: str, arch: str = "armv6m") -> str:
    """Return a program that works with the modules of ``build``, with the names that they have on the board."""
    return renamed(code, json.loads((build(arch) / _NAMES).read_text(encoding="utf-8")))
