"""The wiring picture and the key board picture, drawn from wiring.toml.

Units of the wiring picture: one is the distance of two Pico pins (2.54 mm).
Every wire is routed here by hand-written lanes, but what is joined to what, the
colours and all texts come from the data: a net that is not drawn is an error.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # before pyplot: no window is wanted
import matplotlib.pyplot as plt
from matplotlib.patches import Circle, FancyBboxPatch, Polygon, Rectangle

from .wiring import Keyboard, Net, Wiring, WiringError

PCB_GREEN = "#1d6b3c"
PCB_BLUE = "#1c3f78"
PAD = "#d9b74a"
INK = "#1a1a1a"
PAPER = "white"
# Fixed, so that the same data give the same bytes in the SVG.
matplotlib.rcParams["svg.hashsalt"] = "bazzi"
matplotlib.rcParams["svg.fonttype"] = "path"
matplotlib.rcParams["font.family"] = "DejaVu Sans"


def save(figure, stem: Path) -> list[Path]:
    """Write a figure as PNG and SVG without a date; returns both paths."""
    paths = [stem.with_suffix(".png"), stem.with_suffix(".svg")]
    figure.savefig(paths[0], dpi=160, metadata={"Software": None}, facecolor=PAPER)
    figure.savefig(paths[1], metadata={"Date": None, "Creator": None}, facecolor=PAPER)
    plt.close(figure)
    return paths


def _box(axes, x, y, width, height, colour, radius=0.25, edge=INK, line=1.0, z=3, **more):
    axes.add_patch(
        FancyBboxPatch(
            (x + radius, y + radius),
            width - 2 * radius,
            height - 2 * radius,
            boxstyle=f"round,pad={radius}",
            facecolor=colour,
            edgecolor=edge,
            linewidth=line,
            zorder=z,
            **more,
        )
    )


def _arrow(axes, x, y, key, size, colour, z=6):
    """The sign on a key: a triangle towards its seat, OK, or a bent arrow."""
    turn = {"UP": (0, 1), "RIGHT": (1, 0), "DOWN": (0, -1), "LEFT": (-1, 0)}.get(key)
    if turn:
        dx, dy = turn
        tip = (x + dx * size, y + dy * size)
        left = (x - dx * size * 0.7 - dy * size, y - dy * size * 0.7 + dx * size)
        right = (x - dx * size * 0.7 + dy * size, y - dy * size * 0.7 - dx * size)
        axes.add_patch(Polygon([tip, left, right], facecolor=colour, edgecolor="none", zorder=z))
    else:
        axes.text(
            x,
            y,
            key,
            ha="center",
            va="center",
            color=colour,
            zorder=z,
            fontsize=8.5,
            fontweight="bold",
        )


class _WiringPicture:
    """State while the wiring picture is drawn: where each pin is on the paper."""

    def __init__(self, wiring: Wiring):
        self.wiring = wiring
        self.figure, self.axes = plt.subplots(figsize=(13.6, 10.33))
        self.at: dict[tuple[str, str], tuple[float, float]] = {}
        self.drawn: set[str] = set()

    # ------------------------------------------------------------- the parts
    def board(self):
        axes, names = self.axes, self.wiring.board_pins
        _box(axes, 0, -0.9, 8, 20.8, PCB_GREEN, 0.35, z=2)
        for x in (1.85, 6.15):
            for y in (-0.42, 19.52):
                axes.add_patch(Circle((x, y), 0.27, facecolor=PAPER, edgecolor="#c9c9c9", zorder=3))
        _box(axes, 2.6, 18.3, 2.8, 2.5, "#c4c9cf", 0.15)
        axes.text(4, 19.5, "USB", ha="center", va="center", fontsize=9, zorder=5)
        _box(axes, 2.75, 15.3, 1.0, 1.2, "#f3f3f3", 0.1)
        axes.text(3.95, 15.9, "BOOTSEL", fontsize=6, color="white", va="center", zorder=5)
        _box(axes, 2.95, 8.6, 2.1, 2.1, "#2b2b2b", 0.1)
        axes.text(
            4, 9.65, "RP2040", color="white", fontsize=6.5, ha="center", va="center", zorder=5
        )
        axes.text(
            4,
            12.9,
            "Raspberry Pi\nPico",
            color="white",
            fontsize=9.5,
            ha="center",
            va="center",
            fontweight="bold",
            zorder=5,
            linespacing=1.3,
        )
        axes.text(
            4,
            11.5,
            f"{self.wiring.board_ref}, from above",
            color="white",
            fontsize=7,
            ha="center",
            zorder=5,
        )
        used = {pin for net in self.wiring.nets.values() for pin in net.board_pins()}
        for number, name in enumerate(names, 1):
            left = number <= 20
            y = 20 - number if left else number - 21
            x = 0.42 if left else 7.58
            self.at[(self.wiring.board_ref, str(number))] = (x, y)
            square = name in ("GND", "AGND")
            shape = Rectangle((x - 0.3, y - 0.3), 0.6, 0.6) if square else Circle((x, y), 0.31)
            shape.set(facecolor=PAD, edgecolor="#7a6212", linewidth=0.6, zorder=4)
            axes.add_patch(shape)
            hit = number in used
            axes.text(
                x,
                y,
                str(number),
                fontsize=6.2,
                ha="center",
                va="center",
                zorder=9,
                fontweight="bold" if hit else "normal",
                color=INK,
            )
            axes.text(
                x + (0.5 if left else -0.5),
                y,
                name,
                fontsize=7.4 if hit else 6.2,
                color="white" if hit else "#a9d3b8",
                va="center",
                zorder=5,
                ha="left" if left else "right",
                fontweight="bold" if hit else "normal",
            )

    def display(self):
        axes = self.axes
        part = next(p for p in self.wiring.parts.values() if p.kind == "display")
        x, y, width, height = -19.3, 8.7, 11.5, 10.3
        _box(axes, x, y, width, height, PCB_BLUE, 0.3, z=2)
        for dx in (0.8, width - 0.8):
            for dy in (0.8, height - 0.8):
                axes.add_patch(
                    Circle((x + dx, y + dy), 0.42, facecolor=PAPER, edgecolor="#c9c9c9", zorder=3)
                )
        _box(axes, x + 0.35, y + 1.7, width - 0.7, 6.5, "#10141a", 0.1)
        axes.text(
            x + width / 2,
            y + 5.6,
            "128 × 64",
            color="#bfe9ff",
            fontsize=17,
            ha="center",
            va="center",
            zorder=5,
            fontweight="bold",
        )
        axes.text(
            x + width / 2,
            y + 3.7,
            "OLED: SSD1306 or SH1106\nI2C address "
            + " or ".join(f"0x{a:02X}" for a in self.wiring.i2c["addresses"]),
            color="#bfe9ff",
            fontsize=8,
            ha="center",
            va="center",
            zorder=5,
        )
        axes.text(
            x + width / 2,
            y + 0.8,
            f"{part.ref}: read the names on YOUR module,\nsome have VCC and GND swapped",
            color="white",
            fontsize=7.2,
            ha="center",
            va="center",
            zorder=5,
        )
        for i, pin in enumerate(part.pins):
            px, py = x + width / 2 + (i - 1.5) * 1.55, y + height - 0.55
            self.at[(part.ref, pin)] = (px, py)
            axes.add_patch(
                Circle((px, py), 0.3, facecolor=PAD, edgecolor="#7a6212", linewidth=0.6, zorder=4)
            )
            axes.text(
                px,
                py - 0.75,
                pin,
                color="white",
                fontsize=7.4,
                ha="center",
                va="center",
                zorder=5,
                fontweight="bold",
            )

    def keys(self):
        axes, board = self.axes, self.wiring.keyboard
        scale, half = 5.2 / 8, 1.55
        for key in self.wiring.keys["order"]:
            part = self.wiring.key_parts[key]
            kx, ky = board.keys[key]
            x, y = -13.9 + kx * scale, -1.5 + ky * scale
            _box(axes, x - half, y - half, 2 * half, 2 * half, "#3a3a3a", 0.2)
            axes.add_patch(Circle((x, y), 1.05, facecolor="#f2f2ee", edgecolor=INK, zorder=5))
            _arrow(axes, x, y, key, 0.52, INK)
            axes.text(
                x - half - 0.12,
                y + 0.95,
                part.ref,
                fontsize=7,
                ha="right",
                va="center",
                color="#444444",
                zorder=5,
            )
            if key not in ("OK", "BACK"):
                axes.text(
                    x - half - 0.12,
                    y + 0.1,
                    f"{key}\nseat {part.seat}",
                    fontsize=6.6,
                    ha="right",
                    va="center",
                    color=INK,
                    zorder=5,
                )
            for pin, py in (("1", y + half), ("2", y - half)):
                px = x + (0.75 if pin == "1" else -0.75)
                self.at[(part.ref, pin)] = (px, py)
                axes.add_patch(
                    Rectangle(
                        (px - 0.2, py - 0.2),
                        0.4,
                        0.4,
                        facecolor=PAD,
                        edgecolor="#7a6212",
                        linewidth=0.6,
                        zorder=8,
                    )
                )
        axes.text(
            -22.6,
            -9.15,
            "Keys as they lie in the box. Each joins its GPIO to GND while "
            "pressed;\nthe pull-ups are inside the Pico, so no resistors.",
            fontsize=8,
            va="top",
            color=INK,
        )

    def buzzer(self):
        axes = self.axes
        part = next(p for p in self.wiring.parts.values() if p.kind == "buzzer")
        _box(axes, 11.6, -3.6, 12.4, 5.0, "#f7f7f7", 0.3, edge="#888888", line=1.0, z=1, ls="--")
        axes.add_patch(Circle((14.2, -1.1), 1.7, facecolor="#2b2b2b", edgecolor=INK, zorder=3))
        axes.add_patch(Circle((14.2, -1.1), 0.3, facecolor="#777777", edgecolor=INK, zorder=4))
        axes.text(16.4, -1.1, f"{part.ref} {part.name}\n(optional)", fontsize=7.6, va="center")
        for pin, py in (("1", -1.8), ("2", -0.4)):
            px = 12.95
            self.at[(part.ref, pin)] = (px, py)
            axes.add_patch(Circle((px, py), 0.28, facecolor=PAD, edgecolor="#7a6212", zorder=8))
            axes.text(px + 0.5, py, pin, fontsize=6.5, color="white", va="center", zorder=9)

    def battery(self):
        axes = self.axes
        kinds = {p.kind: p for p in self.wiring.parts.values()}
        _box(axes, 11.6, 12.3, 13.2, 8.6, "#f7f7f7", 0.3, edge="#888888", line=1.0, z=1, ls="--")
        axes.text(
            12.0,
            20.3,
            "Batteries (optional, instead of a power bank)",
            fontsize=8,
            va="center",
            fontweight="bold",
        )
        # the diode: the ring marks K
        diode, y = kinds["diode"], 18.0
        _box(axes, 13.1, y - 0.38, 1.9, 0.76, "#2b2b2b", 0.12)
        axes.add_patch(Rectangle((13.3, y - 0.38), 0.28, 0.76, facecolor="#e6e6e6", zorder=5))
        self.at[(diode.ref, "K")] = (12.7, y)
        self.at[(diode.ref, "A")] = (15.4, y)
        for x in (12.7, 15.4):
            axes.add_patch(Circle((x, y), 0.2, facecolor=PAD, edgecolor="#7a6212", zorder=8))
        axes.plot([12.7, 15.4], [y, y], color="#999999", lw=2, zorder=2)
        axes.text(
            14.05,
            y + 0.85,
            f"{diode.ref} 1N5817\nring to VSYS",
            fontsize=7,
            ha="center",
            va="center",
            linespacing=1.1,
        )
        switch = kinds["switch"]
        _box(axes, 17.0, y - 0.6, 2.6, 1.2, "#dddddd", 0.12)
        _box(axes, 17.3, y - 0.33, 0.9, 0.66, "#444444", 0.08, z=4)
        self.at[(switch.ref, "2")] = (17.0, y)
        self.at[(switch.ref, "1")] = (19.6, y)
        for x in (17.0, 19.6):
            axes.add_patch(Circle((x, y), 0.2, facecolor=PAD, edgecolor="#7a6212", zorder=8))
        axes.text(18.3, y + 1.0, f"{switch.ref} on/off", fontsize=7, ha="center")
        battery = kinds["battery"]
        _box(axes, 13.2, 12.8, 8.8, 3.5, "#3a3a3a", 0.2)
        for i in range(3):
            _box(axes, 13.7, 13.1 + i * 1.02, 7.8, 0.86, "#c9a227", 0.15, z=4)
            axes.text(
                14.4 if i % 2 else 20.8,
                13.53 + i * 1.02,
                "+",
                fontsize=8,
                ha="center",
                va="center",
                zorder=5,
            )
        axes.text(
            17.6,
            14.55,
            f"{battery.ref}  3 × AAA, 4.5 V at most",
            fontsize=7.4,
            ha="center",
            va="center",
            zorder=5,
        )
        self.at[(battery.ref, "-")] = (13.2, 14.6)
        self.at[(battery.ref, "+")] = (22.0, 14.6)
        for x in (13.2, 22.0):
            axes.add_patch(Circle((x, 14.6), 0.26, facecolor=PAD, edgecolor="#7a6212", zorder=8))

    # ------------------------------------------------------------- the wires
    def wire(self, name: str, points):
        """One wire along points, with a white rim so that crossings read as such."""
        net = self.wiring.nets[name]
        xs, ys = zip(*points)
        style = {"solid_capstyle": "round", "solid_joinstyle": "round"}
        self.axes.plot(xs, ys, color=PAPER, lw=5.6, zorder=6.0, **style)
        self.axes.plot(xs, ys, color=net.colour, lw=3.0, zorder=6.1, **style)
        self.drawn.add(name)

    def pin(self, ref: str, pin: str) -> tuple[float, float]:
        """Where a wire ends: on a pad, but beside the number of a board's pin."""
        x, y = self.at[(ref, str(pin))]
        if ref == self.wiring.board_ref:
            x += -0.32 if int(pin) <= 20 else 0.32
        return x, y

    def wires(self):
        wiring, board = self.wiring, self.wiring.board_ref
        display = next(p for p in wiring.parts.values() if p.kind == "display").ref
        # display: up from its header, then down a lane of its own
        plan = (
            (wiring.i2c["sda"], "SDA", -1.5, 21.2),
            (wiring.i2c["scl"], "SCL", -2.5, 22.0),
            ("GND", "GND", -3.5, 22.8),
        )
        for name, pin, lane, level in plan:
            x, y = self.pin(display, pin)
            number = next(n for n in wiring.nets[name].board_pins())
            px, py = self.pin(board, number)
            self.wire(name, [(x, y), (x, level), (lane, level), (lane, py), (px, py)])
        x, y = self.pin(display, "VCC")
        px, py = self.pin(board, wiring.nets["3V3"].board_pins()[0])
        self.wire("3V3", [(x, y), (x, 23.6), (10.3, 23.6), (10.3, py), (px, py)])

        # keys: signals leave above a key, GND below it
        key_grounds = []
        shelf = {"UP": 0.75, "LEFT": 1.37, "OK": 0.95, "RIGHT": 0.5, "DOWN": 1.1, "BACK": 0.65}
        lanes = {"UP": -4.4, "RIGHT": -3.9, "DOWN": -2.4, "LEFT": -3.4, "OK": -1.9, "BACK": -1.4}
        for key in wiring.keys["order"]:
            net = wiring.key_net(key)
            x, y = self.pin(wiring.key_parts[key].ref, "1")
            px, py = self.pin(board, net.board_pins()[0])
            level = y + shelf[key]
            self.wire(
                net.name, [(x, y), (x, level), (lanes[key], level), (lanes[key], py), (px, py)]
            )
            key_grounds.append(self.pin(wiring.key_parts[key].ref, "2"))
        rail = -0.8
        px, py = self.pin(board, wiring.nets["GND"].board_pins()[1])
        levels = sorted({round(y - 0.35, 3) for _, y in key_grounds})
        for x, y in key_grounds:
            level = y - 0.35
            right = max(gx for gx, gy in key_grounds if gy == y)
            self.wire("GND", [(x, y), (x, level), (right, level)])
        for level in levels:
            left = min(gx for gx, gy in key_grounds if round(gy - 0.35, 3) == level)
            self.wire("GND", [(left, level), (rail, level)])
            self.axes.add_patch(Circle((rail, level), 0.2, color=INK, zorder=7))
        self.wire("GND", [(rail, levels[0]), (rail, py), (px, py)])

        # buzzer
        buzzer = next(p for p in wiring.parts.values() if p.kind == "buzzer").ref
        x, y = self.pin(buzzer, "1")
        px, py = self.pin(board, wiring.nets[wiring.buzzer_net].board_pins()[0])
        self.wire(wiring.buzzer_net, [(x, y), (9.6, y), (9.6, py), (px, py)])
        x, y = self.pin(buzzer, "2")
        px, py = self.pin(board, wiring.nets["GND"].board_pins()[2])
        self.wire("GND", [(x, y), (10.3, y), (10.3, py), (px, py)])

        # batteries
        kinds = {p.kind: p.ref for p in wiring.parts.values()}
        px, py = self.pin(board, wiring.nets["VSYS"].board_pins()[0])
        x, y = self.pin(kinds["diode"], "K")
        self.wire("VSYS", [(px, py), (x, y)])
        self.wire("BAT_SWITCHED", [self.pin(kinds["diode"], "A"), self.pin(kinds["switch"], "2")])
        x, y = self.pin(kinds["switch"], "1")
        bx, by = self.pin(kinds["battery"], "+")
        self.wire("BAT", [(x, y), (23.6, y), (23.6, by), (bx, by)])
        x, y = self.pin(kinds["battery"], "-")
        px, py = self.pin(board, wiring.nets["GND"].board_pins()[3])
        self.wire("GND", [(px, py), (12.3, py), (12.3, y), (x, y)])

        missing = set(wiring.nets) - self.drawn
        if missing:
            raise WiringError(f"the wiring picture does not draw {sorted(missing)}")

    def legend(self):
        """The same as a list, so that the picture also works printed in grey."""
        axes, wiring = self.axes, self.wiring
        x, y = 12.0, 11.1
        axes.text(x, y, "Wire by wire", fontsize=9, fontweight="bold", va="center")
        rows = [net for net in wiring.nets.values() if net.board_pins() and net.name != "GND"]
        rows.append(wiring.nets["GND"])
        for i, net in enumerate(rows):
            row = y - 0.68 * (i + 1)
            axes.plot([x, x + 1.1], [row, row], color=net.colour, lw=3.4, solid_capstyle="round")
            axes.text(x + 1.5, row, _net_line(wiring, net), fontsize=7.4, va="center")

    def draw(self):
        self.board()
        self.display()
        self.keys()
        self.buzzer()
        self.battery()
        self.wires()
        self.legend()
        axes = self.axes
        axes.text(-22.6, 25.0, "Bazzi: wiring", fontsize=17, fontweight="bold", va="center")
        axes.text(
            -13.8,
            24.9,
            "square pads are GND; the number in a pad is the pin's number on the board",
            fontsize=8,
            va="center",
            color="#444444",
        )
        axes.set_xlim(-23.2, 25.4)
        axes.set_ylim(-11.0, 25.9)
        axes.set_aspect("equal")
        axes.axis("off")
        self.figure.subplots_adjust(left=0.005, right=0.995, bottom=0.005, top=0.995)
        return self.figure


def _net_line(wiring: Wiring, net: Net) -> str:
    """'GP4, pin 6: DS1 SDA (blue)' for the legend."""
    if net.name == "GND":
        pins = ", ".join(str(n) for n in net.board_pins())
        return f"GND, pins {pins}: all keys, display, buzzer, battery (black)"
    number = net.board_pins()[0]
    ref, pin = next(node for node in net.nodes if node[0] != wiring.board_ref)
    what = f"{ref} {net.key or pin}"
    return f"{wiring.board_pins[number - 1]}, pin {number}: {what} ({net.colour_name})"


def draw_wiring(wiring: Wiring, stem: Path) -> list[Path]:
    """The wiring picture as PNG and SVG."""
    return save(_WiringPicture(wiring).draw(), stem)


def draw_keyboard(wiring: Wiring, stem: Path) -> list[Path]:
    """The perfboard from the side of the keys: which hole each pin and screw uses."""
    board: Keyboard = wiring.keyboard
    figure, axes = plt.subplots(figsize=(11.2, 8.6))
    centre_x = board.first_column + (board.columns - 1) / 2
    centre_y = board.first_row + (board.rows - 1) / 2
    width, height = (mm / board.pitch_mm for mm in board.board_mm)
    _box(
        axes,
        centre_x - width / 2,
        centre_y - height / 2,
        width,
        height,
        "#e8d9a8",
        0.4,
        edge="#9c8740",
        z=1,
    )
    holes = [
        (board.first_column + column, board.first_row + row)
        for column in range(board.columns)
        for row in range(board.rows)
    ]
    axes.plot(
        *zip(*holes),
        "o",
        markersize=8.4,
        markerfacecolor="white",
        markeredgecolor="#b79d4c",
        markeredgewidth=0.8,
        zorder=2,
    )
    low_y, left_x = centre_y - height / 2, centre_x - width / 2
    for number in range(1, board.columns + 1):
        axes.text(
            board.first_column + number - 1,
            low_y + 0.42,
            str(number),
            fontsize=6.2,
            ha="center",
            va="center",
            color="#6d5c22",
            zorder=3,
        )
    for number in range(1, board.rows + 1):
        axes.text(
            left_x + 0.6,
            board.first_row + number - 1,
            str(number),
            fontsize=6.2,
            ha="center",
            va="center",
            color="#6d5c22",
            zorder=3,
        )
    ground = wiring.nets["GND"]
    for key in wiring.keys["order"]:
        net, part = wiring.key_net(key), wiring.key_parts[key]
        x, y = board.keys[key]
        half = 6.0 / board.pitch_mm
        _box(axes, x - half, y - half, 2 * half, 2 * half, "#3a3a3a", 0.25, z=3, alpha=0.90)
        axes.add_patch(Circle((x, y), 1.45, facecolor="#f2f2ee", edgecolor=INK, zorder=4))
        _arrow(axes, x, y, key, 0.72, INK)
        signal = (net.colour, net.colour_name)
        for i, (px, py) in enumerate(board.pads(key)):
            # the two pins of one long side are joined inside the switch
            colour = signal[0] if i < 2 else ground.colour
            axes.add_patch(
                Circle((px, py), 0.36, facecolor=colour, edgecolor="white", linewidth=1.2, zorder=6)
            )
        number = net.board_pins()[0]
        axes.text(
            x, y - 2.0, part.ref, fontsize=6.5, color="white", ha="center", va="center", zorder=7
        )
        axes.text(
            x,
            y + 1.95,
            f"{wiring.board_pins[number - 1]}",
            fontsize=7,
            color="white",
            ha="center",
            va="center",
            zorder=7,
            fontweight="bold",
        )
    # one bare wire per row of keys joins the lower pins, one upright joins the rows
    rows = sorted({pads[2][1] for pads in map(board.pads, board.keys)})
    upright = min(board.pads(key)[2][0] for key in board.keys) - 1
    for row in rows:
        xs = [px for key in board.keys for px, py in board.pads(key)[2:] if py == row]
        axes.plot([upright, max(xs)], [row, row], color=ground.colour, lw=2.6, alpha=0.75, zorder=5)
    axes.plot(
        [upright, upright], [rows[0], rows[-1]], color=ground.colour, lw=2.6, alpha=0.75, zorder=5
    )
    axes.text(
        upright - 1.0,
        (rows[0] + rows[-1]) / 2,
        "GND: bare wire on the solder side",
        rotation=90,
        ha="center",
        va="center",
        fontsize=8,
        zorder=6,
        bbox={"facecolor": "#e8d9a8", "edgecolor": "none", "pad": 1.5},
    )
    for x, y in board.screws:
        axes.add_patch(Circle((x, y), 0.62, facecolor="#b9c0c7", edgecolor=INK, zorder=6))
        axes.plot([x - 0.4, x + 0.4], [y, y], color=INK, lw=1.3, zorder=7)
        axes.plot([x, x], [y - 0.4, y + 0.4], color=INK, lw=1.3, zorder=7)
    axes.text(
        centre_x, centre_y + height / 2 + 1.15, "N: the player opposite", ha="center", fontsize=9
    )
    axes.text(centre_x, centre_y - height / 2 - 1.15, "S: the scorekeeper", ha="center", fontsize=9)
    axes.text(centre_x + width / 2 + 0.8, centre_y, "E", va="center", fontsize=9)
    axes.text(centre_x - width / 2 - 1.5, centre_y, "W", va="center", fontsize=9)
    axes.text(
        centre_x,
        centre_y + height / 2 + 2.6,
        "Key board, seen from the keys",
        ha="center",
        fontsize=14,
        fontweight="bold",
    )
    axes.text(
        centre_x,
        centre_y - height / 2 - 2.7,
        f"holes {board.columns} × {board.rows}, {board.pitch_mm} mm apart; coloured: the wire "
        "to the Pico (either of the two upper pins); black: GND;\ngrey crosses: drill 2.2 mm "
        "for the M2 screws. Columns are counted from W, rows from S.",
        ha="center",
        va="center",
        fontsize=8,
        color="#333333",
    )
    axes.set_xlim(centre_x - width / 2 - 2.2, centre_x + width / 2 + 2.2)
    axes.set_ylim(centre_y - height / 2 - 4.0, centre_y + height / 2 + 3.6)
    axes.set_aspect("equal")
    axes.axis("off")
    figure.subplots_adjust(left=0.005, right=0.995, bottom=0.005, top=0.995)
    return save(figure, stem)
