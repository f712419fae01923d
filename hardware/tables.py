"""Texts made from the data: the firmware's pins, and the tables of the documents."""

from __future__ import annotations

import csv
import io
import struct
from pathlib import Path

from .wiring import Bom, Wiring, refs_of

MADE_FROM = "hardware/wiring.toml"
COMMAND = "python -m hardware.generate"


# --------------------------------------------------------------------- the firmware
def pins_module(wiring: Wiring) -> str:
    """firmware/keeper/boards/pins.py: numbers only, so it costs little on the board."""
    keys = wiring.keys["order"]
    gpio = {key: wiring.gpio(wiring.key_net(key).name) for key in keys}
    lines = [
        f'"""Pins of the box.  GENERATED from {MADE_FROM} by `{COMMAND}`: do not edit."""',
        "",
        f"I2C_ID = {wiring.i2c['id']}",
        f"I2C_SDA = {wiring.gpio(wiring.i2c['sda'])}",
        f"I2C_SCL = {wiring.gpio(wiring.i2c['scl'])}",
        f"I2C_HZ = {wiring.i2c['frequency_hz']}",
        f"OLED_ADDRESSES = ({', '.join(hex(a) for a in wiring.i2c['addresses'])})",
        f"OLED_WIDTH_PX = {wiring.i2c['width_px']}",
        f"OLED_HEIGHT_PX = {wiring.i2c['height_px']}",
        "",
        *(f"KEY_{key} = {gpio[key]}" for key in keys),
        "",
        f"# GPIO of bit 0, 1, ... of the key mask: {', '.join(keys)}",
        f"KEY_PINS = ({', '.join(str(gpio[key]) for key in keys)})",
        f"KEY_PRESSED_LEVEL = {0 if wiring.keys['active_low'] else 1}",
        f"KEY_PULL_UP = {wiring.keys['pull_up']}",
        "",
        f"BUZZER = {wiring.gpio(wiring.buzzer_net)}",
        "",
    ]
    return "\n".join(lines)


# --------------------------------------------------------------------- the documents
def _table(head, rows) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _target(wiring: Wiring, ref: str, pin: str) -> str:
    part = wiring.parts[ref]
    if part.kind == "key":
        return f"{ref} ({part.key})"
    if part.kind == "display":
        return f"{ref} display, {pin}"
    return f"{ref} {part.kind}, {pin}"


def pin_table(wiring: Wiring) -> str:
    """Every wire that ends at the board, in the order of the physical pins."""
    rows = []
    for net in wiring.nets.values():
        others = [node for node in net.nodes if node[0] != wiring.board_ref]
        numbers = net.board_pins(wiring.board_ref)
        for number in numbers:
            if len(numbers) == 1:
                targets = others
            else:
                # of a net with many pins: the parts written after this one
                at = net.nodes.index((wiring.board_ref, str(number))) + 1
                targets = []
                while at < len(net.nodes) and net.nodes[at][0] != wiring.board_ref:
                    targets.append(net.nodes[at])
                    at += 1
            if len(targets) > 2:
                text = f"{targets[0][0]} to {targets[-1][0]}: the other side of every key"
            else:
                text = "; ".join(_target(wiring, *node) for node in targets)
            optional = all(wiring.parts[ref].optional for ref, _ in targets)
            rows.append(
                (
                    number,
                    wiring.board_pins[number - 1],
                    text,
                    net.colour_name,
                    "optional" if optional else "",
                )
            )
    rows.sort()
    return _table(("Pin", "Name", "Goes to", "Colour in the picture", ""), rows)


def continuity_table(wiring: Wiring) -> str:
    """What a multimeter must say, with nothing plugged in."""
    rows = []
    ground = wiring.nets["GND"].board_pins(wiring.board_ref)
    key_ground = ground[1]
    for key in wiring.keys["order"]:
        number = wiring.key_net(key).board_pins()[0]
        rows.append(
            (
                f"pin {number} ({wiring.board_pins[number - 1]}) and pin {key_ground} (GND)",
                "silent",
                f"beeps only while {key} is pressed",
            )
        )
    display = next(part for part in wiring.parts.values() if part.kind == "display")
    for name in (wiring.i2c["sda"], wiring.i2c["scl"], "3V3"):
        net = wiring.nets[name]
        number = net.board_pins()[0]
        pin = next(p for ref, p in net.nodes if ref == display.ref)
        rows.append(
            (
                f"pin {number} ({wiring.board_pins[number - 1]}) and {pin} of the display",
                "beeps",
                "one wire",
            )
        )
    rows.append((f"pin {ground[0]} (GND) and GND of the display", "beeps", "one wire"))
    power = wiring.nets["3V3"].board_pins()[0]
    rows.append(
        (
            f"pin {power} (3V3) and pin {ground[0]} (GND)",
            "silent",
            (
                "a short beep at the first touch is a capacitor; a lasting one is a short "
                "circuit: find it before you plug in"
            ),
        )
    )
    sda, scl = (wiring.nets[wiring.i2c[n]].board_pins()[0] for n in ("sda", "scl"))
    rows.append((f"pin {sda} and pin {scl}", "silent", "SDA and SCL must not touch"))
    return _table(("Touch", "Must", "Remark"), rows)


def keyboard_table(wiring: Wiring) -> str:
    """Which holes of the perfboard the keys and screws use, counted from 1."""
    board = wiring.keyboard

    def column(x):
        return int(x - board.first_column) + 1

    def row(y):
        return int(y - board.first_row) + 1

    rows = []
    for key in wiring.keys["order"]:
        pads = board.pads(key)
        columns = sorted({column(x) for x, _ in pads})
        low, high = sorted({row(y) for _, y in pads})
        number = wiring.key_net(key).board_pins()[0]
        rows.append(
            (
                wiring.key_parts[key].ref,
                key,
                f"{columns[0]} and {columns[1]}",
                f"row {high}: to pin {number} ({wiring.board_pins[number - 1]})",
                f"row {low}: to GND",
            )
        )
    screws = "; ".join(f"column {column(x)}, row {row(y)}" for x, y in board.screws)
    table = _table(("", "Key", "Columns", "Upper pins (N)", "Lower pins (S)"), rows)
    return f"{table}\n\nHoles to drill to 2.2 mm for the screws: {screws}."


NEED_TITLES = {
    "yes": "For every box",
    "case": "For the printed case",
    "option": "If you like",
    "battery": "To run from batteries",
}


def _money(low, high) -> str:
    return f"{low:.2f} to {high:.2f}"


def bom_table(wiring: Wiring, bom: Bom) -> str:
    """The bill of materials, grouped by need, with sums."""
    blocks = [
        (
            f"Prices are in {bom.currency}, typical of web shops at the time of writing "
            f"({bom.written}), for small quantities, without shipping. They are not quotes."
        ),
    ]
    for need, title in NEED_TITLES.items():
        rows = []
        for item in bom.items:
            if item.need == need:
                refs = refs_of(wiring, item.id)
                rows.append(
                    (
                        ", ".join(refs) if len(refs) < 3 else f"{refs[0]} to {refs[-1]}",
                        item.quantity,
                        item.name,
                        _money(*item.price),
                        item.alternatives,
                    )
                )
        low, high = bom.total((need,))
        blocks.append(f"**{title}** (together {low:.0f} to {high:.0f})")
        blocks.append(_table(("", "Quantity", "Part", "Each", "Alternatives and remarks"), rows))
    low, high = bom.total(("yes", "case"))
    blocks.append(
        f"A box with its case, run from a USB power bank: about {low:.0f} to {high:.0f} "
        f"{bom.currency}."
    )
    return "\n\n".join(blocks)


def bom_csv(wiring: Wiring, bom: Bom) -> str:
    """The bill of materials for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [
            "references",
            "quantity",
            "unit",
            "part",
            "need",
            "price_low_each",
            "price_high_each",
            "currency",
            "alternatives",
        ]
    )
    for item in bom.items:
        writer.writerow(
            [
                " ".join(refs_of(wiring, item.id)),
                item.quantity,
                item.unit,
                item.name,
                item.need,
                f"{item.price[0]:.2f}",
                f"{item.price[1]:.2f}",
                bom.currency,
                item.alternatives,
            ]
        )
    return out.getvalue()


# ------------------------------------------------------------------ the printed parts
def read_stl(path: Path) -> list[tuple[tuple[float, float, float], ...]]:
    """Triangles of a binary STL; needs no library, so tests can always look."""
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    if len(data) != 84 + 50 * count:
        raise ValueError(f"{path.name}: {len(data)} bytes do not hold {count} triangles")
    out = []
    for i in range(count):
        v = struct.unpack_from("<12f", data, 84 + 50 * i)[3:]
        out.append((v[0:3], v[3:6], v[6:9]))
    return out


def stl_size(triangles) -> tuple[list[float], float]:
    """(width, depth, height) in mm and the volume in cubic mm, positive if faces look outside."""
    size = []
    for axis in range(3):
        values = [corner[axis] for triangle in triangles for corner in triangle]
        size.append(max(values) - min(values))
    volume = 0.0
    for a, b, c in triangles:
        volume += (
            a[0] * (b[1] * c[2] - b[2] * c[1])
            - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
        ) / 6
    return size, volume


PRINTED = {
    "bottom": ("1", "floor down"),
    "lid-1.3in": ("1 of these lids", "face down"),
    "lid-0.96in": ("", "face down"),
    "lid-1.54in": ("", "face down"),
    "lid-2.42in": ("", "face down"),
    "cap-arrow": ("4", "flange down"),
    "cap-ok": ("1", "flange down"),
    "cap-back": ("1", "flange down"),
}


def parts_table(folder: Path) -> str:
    """The printed parts: how many, how they lie, how big; from the files themselves."""
    rows = []
    for name, (many, side) in PRINTED.items():
        path = folder / f"{name}.stl"
        if not path.exists():
            continue
        size, volume = stl_size(read_stl(path))
        rows.append(
            (
                f"[`{name}.stl`](enclosure/stl/{name}.stl)",
                many,
                side,
                " x ".join(f"{s:.1f}" for s in size),
                f"{volume / 1000:.1f}",
            )
        )
    return _table(("File", "Print", "Lies", "Size in mm", "Volume in cm3"), rows)
