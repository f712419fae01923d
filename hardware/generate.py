"""Makes everything that follows from wiring.toml, bom.toml and enclosure/params.toml.

    python -m hardware.generate            what is out of date
    python -m hardware.generate --all      everything
    python -m hardware.generate --check    says what is out of date, changes nothing

Texts are made anew and compared.  Pictures and solids take minutes and differ
between versions of libraries by a few bytes, so generated.json keeps a digest
of what each was made from, and of the file: the check needs no extra library.
To make pictures and solids: pip install '.[hardware]'.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tomllib
from pathlib import Path

if __package__ in (None, ""):  # run as a file: make `hardware` importable
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    __package__ = "hardware"

from hardware import tables
from hardware.wiring import HERE, WIRING_TOML, load, load_bom

ROOT = HERE.parent
PINS_PY = ROOT / "firmware" / "keeper" / "boards" / "pins.py"
PICTURES = HERE / "pictures"
SOLIDS = HERE / "enclosure" / "stl"
MANIFEST = HERE / "generated.json"
DOCUMENTS = (HERE / "BUILD.md", HERE / "README.md")
BEGIN, END = "<!-- generated: {} -->", "<!-- end of generated -->"
ENCLOSURE_PICTURES = ("assembled", "top", "exploded", "inside", "parts")


# ------------------------------------------------------------------------------ texts
def fill(document: str, sections: dict[str, str]) -> str:
    """The document with the text between each pair of markers replaced."""
    for name, text in sections.items():
        begin = BEGIN.format(name)
        if begin not in document:
            continue
        head, rest = document.split(begin, 1)
        if END not in rest:
            raise ValueError(f"{begin} has no {END}")
        _, tail = rest.split(END, 1)
        document = f"{head}{begin}\n\n{text}\n\n{END}{tail}"
    return document


def texts() -> dict[Path, str]:
    """Every generated text file and what it must hold."""
    wiring = load()
    bom = load_bom(wiring)
    sections = {
        "pin table": tables.pin_table(wiring),
        "continuity table": tables.continuity_table(wiring),
        "key board table": tables.keyboard_table(wiring),
        "bom table": tables.bom_table(wiring, bom),
        "parts table": tables.parts_table(SOLIDS),
    }
    out = {PINS_PY: tables.pins_module(wiring), HERE / "bom.csv": tables.bom_csv(wiring, bom)}
    for path in DOCUMENTS:
        if path.exists():
            out[path] = fill(path.read_text(encoding="utf-8"), sections)
    return out


# --------------------------------------------------------------- pictures and solids
def _digest(*parts) -> str:
    """A digest of files (by their lines) and of data."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            total.update(b"\n".join(part.read_bytes().splitlines()))
        else:
            total.update(json.dumps(part, sort_keys=True).encode())
        total.update(b"\0")
    return total.hexdigest()


def groups() -> dict[str, tuple[str, list[Path]]]:
    """Name -> (digest of everything it is made from, files)."""
    with open(WIRING_TOML, "rb") as file:
        wiring = tomllib.load(file)
    # colours and nets do not change the case: only these do
    shape = [wiring["keyboard"], wiring["keys"]]
    case = [shape, HERE / "enclosure" / "params.toml", HERE / "enclosure" / "model.py"]

    def drawings(name):
        return [PICTURES / f"{name}.png", PICTURES / f"{name}.svg"]

    return {
        "wiring": (
            _digest(wiring, HERE / "pictures.py"),
            drawings("wiring") + drawings("keyboard"),
        ),
        "schematic": (_digest(wiring, HERE / "schematic.py"), drawings("schematic")),
        "solids": (_digest(*case), [SOLIDS / f"{name}.stl" for name in tables.PRINTED]),
        "case pictures": (
            _digest(*case, HERE / "enclosure" / "render.py"),
            [PICTURES / f"enclosure-{name}.png" for name in ENCLOSURE_PICTURES],
        ),
    }


def _make(group: str) -> None:
    """Draw or build one group; the libraries are needed only here."""
    wiring = load()
    PICTURES.mkdir(exist_ok=True)
    SOLIDS.mkdir(exist_ok=True)
    if group == "wiring":
        from hardware import pictures

        pictures.draw_wiring(wiring, PICTURES / "wiring")
        pictures.draw_keyboard(wiring, PICTURES / "keyboard")
    elif group == "schematic":
        from hardware import schematic

        schematic.draw(wiring, PICTURES / "schematic")
    else:
        from hardware.enclosure import model

        case = model.Case.load()
        if group == "solids":
            for name in tables.PRINTED:
                model.write_stl(model.printable(case, name), SOLIDS / f"{name}.stl")
        else:
            from hardware.enclosure import render

            for name in ENCLOSURE_PICTURES:
                getattr(render, f"draw_{name}")(case, PICTURES / f"enclosure-{name}.png")
                print(f"drawn: enclosure-{name}.png", flush=True)


def _manifest() -> dict:
    return json.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else {}


def _file_digest(path: Path) -> str:
    data = path.read_bytes()
    # a checkout may turn line ends; bytes of pictures and solids it leaves alone
    return hashlib.sha256(
        b"\n".join(data.splitlines()) if path.suffix == ".svg" else data
    ).hexdigest()


def stale_groups() -> list[tuple[str, str]]:
    """(group, why) for what does not agree with generated.json."""
    known, out = _manifest(), []
    for name, (digest, files) in groups().items():
        entry = known.get(name, {})
        missing = [path.name for path in files if not path.exists()]
        if missing:
            out.append((name, f"missing: {', '.join(missing)}"))
        elif entry.get("made_from") != digest:
            out.append((name, "what it is made from has changed"))
        else:
            other = [p.name for p in files if entry["files"].get(p.name) != _file_digest(p)]
            if other:
                out.append((name, f"changed by hand: {', '.join(other)}"))
    return out


def stale_texts() -> list[Path]:
    """Text files that would change."""
    return [
        path
        for path, text in texts().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def check() -> list[str]:
    """One line for everything that is out of date; empty when all is well."""
    lines = [f"{path.relative_to(ROOT).as_posix()}: would change" for path in stale_texts()]
    return lines + [f"{name}: {why}" for name, why in stale_groups()]


def generate(everything: bool = False) -> list[str]:
    """Make what is out of date; returns what was made."""
    made = []
    names = list(groups()) if everything else [name for name, _ in stale_groups()]
    known = _manifest()
    for name in names:
        _make(name)
        digest, files = groups()[name]
        known[name] = {"made_from": digest, "files": {p.name: _file_digest(p) for p in files}}
        MANIFEST.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8", newline="\n")
        made.append(name)
    for path in stale_texts():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts()[path], encoding="utf-8", newline="\n")
        made.append(path.relative_to(ROOT).as_posix())
    return made


def main(argv: list[str] | None = None) -> int:
    """0 when all is up to date or was made; 1 when --check found something; 2 without libraries."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say what is out of date")
    parser.add_argument("--all", action="store_true", help="make everything anew")
    options = parser.parse_args(argv)
    if options.check:
        lines = check()
        print("\n".join(lines) if lines else "everything generated is up to date")
        return 1 if lines else 0
    try:
        made = generate(options.all)
    except ModuleNotFoundError as error:
        print(f"{error.name} is missing: pip install '.[hardware]'", file=sys.stderr)
        return 2
    print("\n".join(f"made: {name}" for name in made) if made else "nothing to do")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
