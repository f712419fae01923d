"""The schematic, drawn with schemdraw from wiring.toml.

Every line carries the name of its net, so the sheet needs no long wires: two
ends with one name are joined, as is usual on schematics.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import schemdraw
import schemdraw.elements as elm

from . import pictures
from .wiring import Wiring, WiringError

NET_COLOUR = "#0b4f9e"


def _board(wiring: Wiring) -> elm.Ic:
    """The Pico with the pins that are used, numbered as on the board."""
    used = sorted(n for net in wiring.nets.values() for n in net.board_pins(wiring.board_ref))
    pins = []
    for number in used:
        left = number <= 20
        pins.append(
            elm.IcPin(
                name=wiring.board_pins[number - 1],
                pin=str(number),
                side="left" if left else "right",
                anchorname=f"p{number}",
            )
        )
    # the right side counts upwards on the board; schemdraw fills from below
    pins.sort(key=lambda p: (p.side, -int(p.pin) if p.side == "left" else int(p.pin)))
    return elm.Ic(pins=pins, size=(5.0, 12.4), pinspacing=1.2, leadlen=0.6, lblsize=11, plblsize=9)


class _Sheet:
    """What the drawing functions share: schemdraw's drawing and the axes under it."""

    def __init__(self, drawing, axes):
        self.drawing, self.axes = drawing, axes

    def line(self, *points):
        for start, end in pairwise(points):
            self.drawing += elm.Line().at(start).to(end)

    def stub(self, at, dx, name):
        """A short wire with the name of its net at the end."""
        end = (at[0] + dx, at[1])
        self.line(at, end)
        self.axes.text(
            end[0] + (0.12 if dx > 0 else -0.12),
            end[1],
            name,
            fontsize=10,
            ha="left" if dx > 0 else "right",
            va="center",
            color=NET_COLOUR,
        )

    def ground(self, at, dx=0.0):
        """A ground sign, dx beside a point."""
        end = (at[0] + dx, at[1])
        low = (end[0], end[1] - 0.2)
        self.line(*([at, end, low] if dx else [at, low]))
        self.drawing += elm.Ground(lead=False).at(low).theta(0).scale(0.75)

    def text(self, x, y, text, size=9, align="center", bold=False):
        self.axes.text(
            x,
            y,
            text,
            fontsize=size,
            ha=align,
            va="center",
            fontweight="bold" if bold else "normal",
        )


def draw(wiring: Wiring, stem: Path) -> list[Path]:
    """The schematic as PNG and SVG; raises WiringError if a net is left out."""
    shown: set[tuple[str, str]] = set()
    figure, axes = pictures.plt.subplots(figsize=(13.6, 7.9))
    drawing = schemdraw.Drawing(canvas=axes, show=False)
    drawing.config(fontsize=11, lw=1.6, unit=2.0)
    board = wiring.board_ref
    names = {(ref, pin): net.name for net in wiring.nets.values() for ref, pin in net.nodes}
    kinds = {part.kind: part for part in wiring.parts.values()}

    def show(ref, pin):
        shown.add((ref, str(pin)))
        return names[(ref, str(pin))]

    sheet = _Sheet(drawing, axes)

    # the board in the middle
    chip = drawing.add(_board(wiring).at((0, 0)).theta(0))
    anchors = chip.absanchors
    left_x, right_x, top = anchors["p6"][0], anchors["p36"][0], anchors["p6"][1]
    sheet.text((left_x + right_x) / 2, top + 1.75, f"{board}  {wiring.board_name}", 12, bold=True)
    for net in wiring.nets.values():
        for number in net.board_pins(board):
            dx = -0.7 if number <= 20 else 0.7
            name = show(board, number)
            if name == "GND":
                sheet.ground(anchors[f"p{number}"], dx)
            else:
                sheet.stub(anchors[f"p{number}"], dx, name)

    # keys, left: one row each
    x, y = left_x - 8.6, top
    sheet.text(x - 1.6, y + 1.75, "Keys: active low, pull-ups inside the Pico", 10, "left", True)
    for key in wiring.keys["order"]:
        part = wiring.key_parts[key]
        sheet.stub((x + 0.3, y), -0.3, show(part.ref, "1"))
        show(part.ref, "2")
        drawing += elm.Button().at((x + 0.3, y)).to((x + 2.3, y))
        sheet.ground((x + 2.3, y), 0.5)
        seat = f", seat {part.seat}" if part.seat else ""
        sheet.text(x + 1.3, y + 0.72, f"{part.ref}  {key}{seat}")
        y -= 1.6

    # buzzer, left below
    part = kinds["buzzer"]
    y -= 0.5
    sheet.stub((x + 0.3, y), -0.3, show(part.ref, "1"))
    show(part.ref, "2")
    drawing += elm.Crystal().at((x + 0.3, y)).to((x + 2.3, y))
    sheet.ground((x + 2.3, y), 0.5)
    sheet.text(x + 1.3, y + 0.75, f"{part.ref}  {part.name} (optional)")

    # display, right
    part = kinds["display"]
    x = right_x + 5.4
    pins = [
        elm.IcPin(name=pin, pin=str(i), side="left", anchorname=f"d{i}")
        for i, pin in reversed(list(enumerate(part.pins, 1)))
    ]
    display = drawing.add(
        elm.Ic(pins=pins, size=(4.4, 4.6), pinspacing=1.1, leadlen=0.6, lblsize=11, plblsize=9)
        .at((x, top - 3.8))
        .theta(0)
    )
    first = display.absanchors["d1"]
    sheet.text(x + 2.2, top + 1.75, f"{part.ref}  {part.name}", 12, bold=True)
    addresses = " or ".join(f"0x{a:02X}" for a in wiring.i2c["addresses"])
    sheet.text(x + 2.95, first[1] - 1.65, f"SSD1306\nor SH1106\n\n{addresses}", 9)
    for i, pin in enumerate(part.pins, 1):
        at = display.absanchors[f"d{i}"]
        name = show(part.ref, pin)
        if name == "GND":
            sheet.ground(at, -0.7)
        else:
            sheet.stub(at, -0.7, name)

    # batteries, right below: VSYS <- diode <- switch <- cells
    y = top - 7.2
    sheet.text(x - 0.9, y + 1.6, "Batteries (optional)", 10, "left", True)
    diode, switch, battery = kinds["diode"], kinds["switch"], kinds["battery"]
    sheet.stub((x - 0.2, y), -0.3, show(diode.ref, "K"))
    drawing += elm.Schottky().at((x + 1.9, y)).to((x - 0.2, y))
    sheet.text(x + 0.85, y + 0.7, f"{diode.ref} 1N5817")
    axes.text(x + 2.0, y - 0.45, show(diode.ref, "A"), ha="center", fontsize=8, color=NET_COLOUR)
    show(switch.ref, "2")
    drawing += elm.Switch().at((x + 1.9, y)).to((x + 3.9, y))
    sheet.text(x + 2.9, y + 0.85, f"{switch.ref} on/off")
    axes.text(x + 4.05, y, show(switch.ref, "1"), fontsize=8, color=NET_COLOUR, va="center")
    drawing += elm.Battery().at((x + 3.9, y)).to((x + 3.9, y - 2.2))
    show(battery.ref, "+")
    show(battery.ref, "-")
    sheet.text(x + 3.2, y - 1.1, f"{battery.ref}\n3 × AAA", align="right")
    sheet.ground((x + 3.9, y - 2.2))

    missing = set(names) - shown
    if missing:
        raise WiringError(f"the schematic does not show {sorted(missing)}")
    drawing.draw(show=False)
    axes.set_aspect("equal")
    axes.axis("off")
    left, wide, high = left_x - 11.4, 28.6, 16.6
    bottom = top + 3.9 - high
    axes.set_xlim(left, left + wide)
    axes.set_ylim(bottom, bottom + high)
    axes.text(
        left + 0.3,
        bottom + high - 0.6,
        "Bazzi: schematic",
        fontsize=17,
        fontweight="bold",
        va="center",
    )
    axes.text(
        left + 0.3,
        bottom + 0.3,
        "Ends with one name are joined. Numbers at the board are "
        "its physical pins. Decoupling and I²C pull-ups are on the display module.",
        fontsize=9,
        color="#444444",
    )
    figure.subplots_adjust(left=0.005, right=0.995, bottom=0.005, top=0.995)
    return pictures.save(figure, stem)
