"""Generated files are up to date, and the documents say what the wiring says."""

import csv
import json
import re
import shutil

import pytest

from hardware import generate, tables
from hardware.wiring import HERE, load, load_bom

BUILD = (HERE / "BUILD.md").read_text(encoding="utf-8")
README = (HERE / "README.md").read_text(encoding="utf-8")


def test_everything_generated_is_up_to_date():
    assert generate.check() == [], f"run: {tables.COMMAND}"


def test_check_says_what_is_out_of_date_and_changes_nothing(monkeypatch, tmp_path, capsys):
    stale = tmp_path / "pins.py"
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "PINS_PY", stale)
    stale.write_text("KEY_UP = 3\n")
    assert generate.main(["--check"]) == 1
    assert "pins.py: would change" in capsys.readouterr().out
    assert stale.read_text() == "KEY_UP = 3\n"


def test_check_sees_a_picture_changed_by_hand(monkeypatch, tmp_path):
    copy = tmp_path / "pictures"
    shutil.copytree(generate.PICTURES, copy)
    monkeypatch.setattr(generate, "PICTURES", copy)
    assert generate.stale_groups() == []
    with open(copy / "wiring.png", "ab") as file:
        file.write(b"x")
    (copy / "schematic.svg").unlink()
    assert dict(generate.stale_groups()) == {
        "wiring": "changed by hand: wiring.png",
        "schematic": "missing: schematic.svg",
    }


def test_check_sees_that_the_sources_of_the_solids_changed(monkeypatch, tmp_path):
    known = json.loads(generate.MANIFEST.read_text(encoding="utf-8"))
    known["solids"]["made_from"] = "0" * 64
    manifest = tmp_path / "generated.json"
    manifest.write_text(json.dumps(known))
    monkeypatch.setattr(generate, "MANIFEST", manifest)
    assert [name for name, _ in generate.stale_groups()] == ["solids"]


def test_fill_needs_both_markers_and_keeps_the_rest():
    begin, end = generate.BEGIN.format("t"), generate.END
    assert generate.fill(f"a\n{begin}\nold\n{end}\nb\n", {"t": "new", "u": "x"}) == (
        f"a\n{begin}\n\nnew\n\n{end}\nb\n"
    )
    with pytest.raises(ValueError, match="has no"):
        generate.fill(f"{begin}\n", {"t": "new"})


def test_csv_has_every_line_of_the_bom():
    wiring = load()
    with open(HERE / "bom.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["part"] for row in rows] == [item.name for item in load_bom(wiring).items]
    assert {ref for row in rows for ref in row["references"].split()} == set(wiring.parts)


# ------------------------------------------------------------------------ the documents
def test_build_guide_has_every_table():
    for name in ("bom table", "parts table", "key board table", "pin table", "continuity table"):
        assert generate.BEGIN.format(name) in BUILD
    assert generate.BEGIN.format("pin table") in README


def test_every_pin_in_the_text_of_the_build_guide_is_right():
    wiring = load()
    mentioned = re.findall(r"\b(GP\d+|GND|VSYS|VBUS|3V3\(OUT\)) \(pin (\d+)\)", BUILD)
    for name, number in mentioned:
        assert wiring.board_pins[int(number) - 1] == name, f"{name} is not pin {number}"
    # each wire that ends at the board is told once in words too
    told = {int(number) for _, number in mentioned}
    assert told == {n for net in wiring.nets.values() for n in net.board_pins()}
    # and nobody writes the pair in a way that this test does not see
    assert not re.findall(r"\bpin (\d+), GP", BUILD)


def test_build_guide_wires_each_key_and_the_display_to_its_pin():
    wiring = load()
    for key in wiring.keys["order"]:
        number = wiring.key_net(key).board_pins()[0]
        assert f"{key} to {wiring.board_pins[number - 1]} (pin {number})" in " ".join(BUILD.split())
    for pin, number in (("SDA", 6), ("SCL", 7)):
        assert f"{pin} to {wiring.board_pins[number - 1]} (pin {number})" in BUILD


@pytest.mark.parametrize("name", ["BUILD.md", "README.md"])
def test_links_lead_somewhere(name):
    text = (HERE / name).read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in headings, target
        elif not target.startswith("http"):
            assert (HERE / target).exists(), target


def test_every_picture_is_shown_somewhere():
    shown = set(re.findall(r"\(pictures/([\w.-]+\.png)\)", BUILD + README))
    assert shown == {path.name for path in generate.PICTURES.glob("*.png")}


def test_build_guide_uses_only_commands_of_bazzi_that_exist():
    allowed = {"install", "doctor", "settings", "sync", "show"}
    assert set(re.findall(r"`bazzi (\w+)", BUILD)) == allowed


def test_settings_named_in_the_build_guide_exist_in_the_firmware():
    settings = HERE.parent / "firmware" / "keeper" / "settings.py"
    known = settings.read_text(encoding="utf-8")
    for name in ("display", "column_offset", "flip", "brightness", "dim_s", "sound"):
        assert re.search(rf"`(bazzi settings )?{name}\b", BUILD), name
        assert f'"{name}"' in known


def test_pictures_are_pictures():
    files = sorted(generate.PICTURES.iterdir())
    assert {path.suffix for path in files} == {".png", ".svg"}
    for path in files:
        start = path.read_bytes()[:200]
        assert start.startswith(b"\x89PNG") if path.suffix == ".png" else b"<?xml" in start
        assert path.stat().st_size < 700_000, path.name


def test_licence_is_named_and_whole():
    text = (HERE / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("SPDX-License-Identifier: CERN-OHL-P-2.0\n")
    for number in ("1 Definitions", "2 Applicability", "5 DISCLAIMER", "6 Patents", "7 General"):
        assert f"\n{number}" in text
