"""The printed case as solids: bottom, lid, key caps.

Parametric: sizes come from params.toml, places of the keys from ../wiring.toml.
Everything is made where it lies in the closed box (see the axes in params.toml)
and turned onto its printing side by `printable`.  The library is manifold3d,
whose solids are closed by construction; the tests check the files all the same.

    python -m hardware.enclosure.model --display 2.42in -o lid.stl
"""

from __future__ import annotations

import argparse
import math
import struct
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from manifold3d import CrossSection, FillRule, JoinType, Manifold, set_circular_segments

from ..wiring import Wiring, load

HERE = Path(__file__).resolve().parent
PARAMS_TOML = HERE / "params.toml"
ARROWS = {"UP": 0, "LEFT": 90, "DOWN": 180, "RIGHT": 270}  # degrees from N, anticlockwise
SEATS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
SEGMENTS = 64
EPS = 0.01  # cutters stick out by this, so that no face is cut exactly on itself

set_circular_segments(SEGMENTS)


# ------------------------------------------------------------------ little shapes
def box(width, depth, height, x=0.0, y=0.0, z=0.0) -> Manifold:
    """A block whose middle is at x, y and whose bottom is at z."""
    return Manifold.cube((width, depth, height)).translate((x - width / 2, y - depth / 2, z))


def rod(diameter, height, x=0.0, y=0.0, z=0.0, top_diameter=None) -> Manifold:
    """An upright cylinder or cone on z."""
    top = -1.0 if top_diameter is None else top_diameter / 2
    return Manifold.cylinder(height, diameter / 2, top).translate((x, y, z))


def rounded(width, depth, radius) -> CrossSection:
    """A rectangle with round corners, in the middle."""
    inner = CrossSection.square((width - 2 * radius, depth - 2 * radius), center=True)
    return inner.offset(radius, JoinType.Round, 2.0, SEGMENTS)


def slab(width, depth, radius, height, z=0.0, chamfer_low=0.0, chamfer_high=0.0) -> Manifold:
    """A rounded plate; chamfers of 45 degrees print without supports."""

    def layer(shrink, at, thick=EPS):
        outline = rounded(width - 2 * shrink, depth - 2 * shrink, max(radius - shrink, 0.5))
        return Manifold.extrude(outline, thick).translate((0, 0, at))

    if not chamfer_low and not chamfer_high:
        return layer(0, z, height)
    parts = [layer(0, z + chamfer_low, height - chamfer_low - chamfer_high)]
    if chamfer_low:
        parts.append(layer(chamfer_low, z))
    if chamfer_high:
        parts.append(layer(chamfer_high, z + height - EPS))
    return Manifold.batch_hull(parts)


def union(parts) -> Manifold:
    """All of them in one solid."""
    total = Manifold()
    for part in parts:
        total = total + part
    return total


def letters(text: str, height: float, bold: bool = True) -> CrossSection:
    """Outlines of a text in DejaVu Sans, middle at 0, capital letters `height` mm high."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    path = TextPath((0, 0), text, size=100, prop=font)
    polygons = [p[:-1] if np.allclose(p[0], p[-1]) else p for p in path.to_polygons()]
    shape = CrossSection([np.asarray(p) for p in polygons if len(p) > 2], FillRule.EvenOdd)
    x0, y0, x1, y1 = shape.bounds()
    cap = TextPath((0, 0), "H", size=100, prop=font).get_extents().height
    shape = shape.translate((-(x0 + x1) / 2, -(y0 + y1) / 2)).scale((height / cap, height / cap))
    return shape.simplify(0.02)


def arrow(size: float) -> CrossSection:
    """A stout arrow that points to +y, middle at 0."""
    half, stem = size / 2, size * 0.17
    return CrossSection(
        [
            np.array(
                [
                    (0, half),
                    (-half, 0.0),
                    (-stem, 0.0),
                    (-stem, -half),
                    (stem, -half),
                    (stem, 0.0),
                    (half, 0.0),
                ]
            )
        ]
    )


def back_sign(size: float) -> CrossSection:
    """An arrow that turns back to the left, as on a return key; middle at 0."""
    half, line = size / 2, size * 0.16
    low, high = -half * 0.4, half * 0.65
    bar = CrossSection.square((size * 0.7, line)).translate((half - size * 0.7, low - line / 2))
    up = CrossSection.square((line, high - low)).translate((half - line, low - line / 2))
    head = CrossSection(
        [
            np.array(
                [
                    (-half, low),
                    (-half + size * 0.42, low - size * 0.3),
                    (-half + size * 0.42, low + size * 0.3),
                ]
            )
        ]
    )
    return bar + up + head


# ------------------------------------------------------------------------ the case
@dataclass
class Case:
    """All sizes, and the solids made from them.  Lengths in mm."""

    params: dict
    wiring: Wiring

    @classmethod
    def load(cls, path: Path = PARAMS_TOML) -> Case:
        """The case as params.toml and wiring.toml describe it."""
        with open(path, "rb") as file:
            return cls(tomllib.load(file), load())

    # heights that several parts share
    @property
    def inside(self):
        return self.params["box"]["inside_mm"]

    @property
    def outside(self):
        wall = self.params["box"]["wall_mm"]
        return [size + 2 * wall for size in self.inside]

    @property
    def under_lid(self):
        """z of the lid's inner face."""
        return self.params["box"]["height_mm"] - self.params["box"]["lid_mm"]

    @property
    def key_board_top(self):
        """z of the side of the perfboard that carries the switches."""
        keys = self.params["keys"]
        # the flange lies under the lid with some air, and the stem ends in the cap
        flange_low = self.under_lid - keys["flange_air_mm"] - keys["flange_thick_mm"]
        return flange_low - keys["body_mm"] - keys["travel_mm"] - 0.2

    def corner_screws(self):
        """x, y of the four screws."""
        inset = self.params["screw"]["inset_mm"]
        x, y = (size / 2 - inset for size in self.inside)
        return [(sx * x, sy * y) for sx in (-1, 1) for sy in (-1, 1)]

    def key_places(self):
        """x, y of each key by name."""
        cx, cy = self.params["keys"]["centre_mm"]
        return {
            key: (cx + x, cy + y)
            for key, (x, y) in (
                (k, self.wiring.keyboard.key_mm(k)) for k in self.wiring.keys["order"]
            )
        }

    def key_board_screws(self):
        """x, y of the screws that hold the perfboard to the lid."""
        cx, cy = self.params["keys"]["centre_mm"]
        return [(cx + x, cy + y) for x, y in self.wiring.keyboard.screws_mm()]

    def display(self, name=None):
        return self.params["displays"][name or self.params["display"]]

    def display_screws(self, name=None):
        """x, y of the four screws beside the display module, whose washers hold its edges."""
        width, depth, _ = self.display(name)["board_mm"]
        mount, cy = self.params["display_mount"], self.params["display_window"]["centre_y_mm"]
        x, y = width / 2 + mount["screw_out_mm"], depth / 2 - mount["screw_in_mm"]
        return [(sx * x, cy + sy * y) for sx in (-1, 1) for sy in (-1, 1)]

    def display_front(self, name=None):
        """z of the side of the module's board that carries the glass."""
        return (
            self.under_lid
            - self.display(name)["glass_mm"][2]
            - self.params["display_mount"]["tape_mm"]
        )

    def active_centre(self, name=None):
        """x, y of the middle of the pixels."""
        dx, dy = self.display(name)["active_offset_mm"]
        return dx, self.params["display_window"]["centre_y_mm"] + dy

    def pico_centre(self):
        """x, y of the middle of the Pico, its USB socket at the N wall."""
        pico = self.params["pico"]
        return pico["x_mm"], self.inside[1] / 2 - pico["gap_mm"] - pico["size_mm"][1] / 2

    def pico_screws(self):
        x, y = self.pico_centre()
        dx, dy = (size / 2 for size in self.params["pico"]["holes_mm"])
        return [(x + sx * dx, y + sy * dy) for sx in (-1, 1) for sy in (-1, 1)]

    def usb_centre_z(self):
        pico, floor = self.params["pico"], self.params["box"]["floor_mm"]
        return floor + pico["standoff_mm"] + pico["size_mm"][2] + pico["usb_above_board_mm"]

    # ------------------------------------------------------------------ the parts
    def bottom(self) -> Manifold:
        """Floor and walls, posts for the screws and the Pico, places for the rest."""
        b, screw, small = self.params["box"], self.params["screw"], self.params["small_screw"]
        radius, wall, floor = b["corner_radius_mm"], b["wall_mm"], b["floor_mm"]
        shell = slab(*self.outside, radius, self.under_lid, chamfer_low=b["chamfer_mm"])
        shell -= slab(*self.inside, radius - wall, self.under_lid, floor)
        room = slab(*self.inside, radius - wall, self.under_lid)  # nothing may stand out of it

        adds = [
            rod(screw["post_mm"], screw["split_mm"] - EPS, x, y) for x, y in self.corner_screws()
        ]
        pico = self.params["pico"]
        adds += [
            rod(pico["post_mm"], pico["standoff_mm"] + floor, x, y) for x, y in self.pico_screws()
        ]
        adds.append(self._battery_ribs())
        adds.append(self._buzzer_ring())
        body = shell + (union(adds) ^ room)

        cuts = []
        for x, y in self.corner_screws():
            cuts.append(rod(screw["hole_mm"], self.under_lid, x, y, -EPS))
            # a 90 degree head needs no support when printed with the head down
            sink = (screw["head_mm"] - screw["hole_mm"]) / 2
            cuts.append(rod(screw["head_mm"], sink + 0.3, x, y, 0.3 - EPS, screw["hole_mm"] - 0.6))
            cuts.append(rod(screw["head_mm"], 0.3 + EPS, x, y, -EPS))
        for x, y in self.pico_screws():
            # not through the floor
            cuts.append(rod(small["hole_mm"], pico["standoff_mm"] + floor, x, y, floor - 1.2))
        cuts.append(self._usb_hole())
        cuts += self._switch_hole()
        cuts += self._sound_holes()
        return body - union(cuts)

    def _battery_ribs(self) -> Manifold:
        bay, centre = self.params["battery"]["bay_mm"], self.params["battery"]["centre_mm"]
        thick, high = self.params["battery"]["rib_mm"]
        floor = self.params["box"]["floor_mm"]
        ring = box(bay[0] + 2 * thick, bay[1] + 2 * thick, high + floor, *centre)
        ring -= box(*bay, 99, *centre, -EPS)
        # open in the middle of each side: less plastic, and room for wires
        ring -= box(bay[0] - 20, 99, 99, *centre, -EPS)
        ring -= box(99, bay[1] - 16, 99, *centre, -EPS)
        return ring

    def _buzzer_ring(self) -> Manifold:
        buzzer, floor = self.params["buzzer"], self.params["box"]["floor_mm"]
        thick, high = buzzer["ring_mm"]
        x, y = buzzer["centre_mm"]
        ring = rod(buzzer["hole_mm"] + 2 * thick, high + floor, x, y)
        ring -= rod(buzzer["hole_mm"], 99, x, y, -EPS)
        return ring - box(4, 99, 99, x, y, -EPS)

    def _sound_holes(self):
        x, y = self.params["buzzer"]["centre_mm"]
        floor = self.params["box"]["floor_mm"]
        places = [(0, 0)] + [
            (4 * math.cos(i * math.pi / 3), 4 * math.sin(i * math.pi / 3)) for i in range(6)
        ]
        return [rod(1.8, floor + 2 * EPS, x + dx, y + dy, -EPS) for dx, dy in places]

    def _switch_hole(self):
        """In wall E, only if the sizes say so: most boxes run from a power bank."""
        width, height = self.params["battery"]["switch_hole_mm"]
        if not width or not height:
            return []
        y, z = self.params["battery"]["switch_at_mm"]
        wall = self.params["box"]["wall_mm"]
        return [box(wall + 0.6, width, height, (self.inside[0] + wall) / 2, y, z - height / 2)]

    def _usb_hole(self) -> Manifold:
        width, height = self.params["pico"]["usb_hole_mm"]
        x, _ = self.pico_centre()
        outline = rounded(width, height, 2.0)
        wall = self.params["box"]["wall_mm"]
        # only the wall: the posts of the Pico stand right behind it
        hole = Manifold.extrude(outline, wall + 0.6).rotate((90, 0, 0))
        return hole.translate((x, self.outside[1] / 2 + 0.3, self.usb_centre_z()))

    def lid(self, display: str | None = None) -> Manifold:
        """The plate with the window and the holes of the keys, and all that hangs from it."""
        b, screw = self.params["box"], self.params["screw"]
        small, keys = self.params["small_screw"], self.params["keys"]
        radius, wall, fit = b["corner_radius_mm"], b["wall_mm"], b["fit_mm"]
        z = self.under_lid
        plate = slab(*self.outside, radius, b["lid_mm"], z, chamfer_high=b["chamfer_mm"])

        adds = []
        lip_thick, lip_high = b["lip_mm"]
        w, d = (size - 2 * fit for size in self.inside)
        lip = slab(w, d, radius - wall - fit, lip_high + 0.5, z - lip_high)
        lip -= slab(
            w - 2 * lip_thick, d - 2 * lip_thick, radius - wall - fit - lip_thick, 99, z - 50
        )
        # the USB hole ends below the lip: nothing to cut there
        adds.append(lip)
        long = z - screw["split_mm"] - fit
        adds += [rod(screw["post_mm"], long + 0.5, x, y, z - long) for x, y in self.corner_screws()]
        board_post = z - self.key_board_top
        adds += [
            rod(small["post_mm"], board_post + 0.5, x, y, z - board_post)
            for x, y in self.key_board_screws()
        ]
        adds.append(self._display_mount(display))
        body = plate + union(adds)

        cuts = []
        for x, y in self.corner_screws():
            cuts.append(
                rod(screw["insert_hole_mm"], screw["insert_depth_mm"], x, y, z - long - EPS)
            )
        for x, y in self.key_board_screws():
            depth = min(small["depth_mm"], board_post + 1.0)
            cuts.append(rod(small["hole_mm"], depth, x, y, z - board_post - EPS))
        post_low = self._display_post_low(display)
        for x, y in self.display_screws(display):
            # the posts are short, so the hole goes on into the plate, never through it
            cuts.append(
                rod(small["hole_mm"], z + b["lid_mm"] - 1.0 - post_low, x, y, post_low - EPS)
            )
        hole = keys["cap_mm"] + 2 * keys["cap_air_mm"]
        for x, y in self.key_places().values():
            cuts.append(
                slab(hole, hole, keys["cap_radius_mm"] + keys["cap_air_mm"], 9, z - 2).translate(
                    (x, y, 0)
                )
            )
        cuts.append(self._window(display))
        cuts += self.engravings()
        return body - union(cuts)

    def _display_post_low(self, display) -> float:
        """z of the ends of the posts: a little above the board's back, so that washers press."""
        return self.display_front(display) - self.display(display)["board_mm"][2] + 0.2

    def _display_mount(self, display) -> Manifold:
        """Four posts beside the module and ribs at its corners."""
        mount, small = self.params["display_mount"], self.params["small_screw"]
        width, depth, thick = self.display(display)["board_mm"]
        fit, cy = mount["fit_mm"], self.params["display_window"]["centre_y_mm"]
        z = self.under_lid
        low = self._display_post_low(display)
        posts = union(
            rod(small["post_mm"], z - low + 0.5, x, y, low) for x, y in self.display_screws(display)
        )
        rib, length = mount["rib_mm"]
        rib_low = self.display_front(display) - thick * 0.6
        ribs = union(
            box(
                length,
                rib,
                z - rib_low + 0.5,
                sx * (width - length) / 2,
                cy + sy * (depth / 2 + fit + rib / 2),
                rib_low,
            )
            for sx in (-1, 1)
            for sy in (-1, 1)
        )
        pocket = box(width + 2 * fit, depth + 2 * fit, 99, 0, cy, z - 99)
        return posts + ribs - pocket

    def _window(self, display) -> Manifold:
        window, thick = self.params["display_window"], self.params["box"]["lid_mm"]
        margin, bevel = window["margin_mm"], window["bevel_mm"]
        width, depth = (size + 2 * margin for size in self.display(display)["active_mm"])
        z, top = self.under_lid, self.under_lid + thick
        straight = slab(width, depth, 1.0, thick + 2 * EPS, z - EPS)
        inner = Manifold.extrude(rounded(width, depth, 1.0), EPS).translate((0, 0, top - bevel))
        outer = Manifold.extrude(rounded(width + 2 * bevel, depth + 2 * bevel, 1.0 + bevel), 1.0)
        cut = straight + Manifold.batch_hull([inner, outer.translate((0, 0, top))])
        x, y = self.active_centre(display)
        return cut.translate((x, y, 0))

    def engravings(self):
        top = self.params["box"]["height_mm"]
        depth = self.params["keys"]["engrave_mm"]

        def cut(shape, x, y):
            return Manifold.extrude(shape, 5).translate((x, y, top - depth))

        cx, cy = self.params["keys"]["centre_mm"]
        half_w, half_d = (size / 2 - 4.9 for size in self.outside)
        cuts = []
        for seat, (dx, dy) in SEATS.items():
            x = dx * half_w if dx else cx
            y = dy * half_d if dy else cy
            cuts.append(cut(letters(seat, 4.2), x, y))
        cuts.append(cut(letters("B A Z Z I", 4.4), 0, 11.6))
        return cuts

    def cap(self, key: str) -> Manifold:
        """One key cap, as it lies in the box over its key, at rest."""
        keys = self.params["keys"]
        z = self.under_lid - keys["flange_air_mm"] - keys["flange_thick_mm"]
        top = self.params["box"]["height_mm"] + keys["cap_out_mm"]
        radius = keys["cap_radius_mm"]
        body = slab(keys["cap_mm"], keys["cap_mm"], radius, top - z, z, chamfer_high=1.0)
        body += slab(keys["flange_mm"], keys["flange_mm"], radius, keys["flange_thick_mm"], z)
        stem = keys["stem_mm"] + keys["stem_fit_mm"]
        stem_low = self.key_board_top + keys["body_mm"]
        end = stem_low + keys["stem_depth_mm"] + 0.3
        body -= box(stem, stem, end - z + EPS, 0, 0, z - EPS)
        # a little funnel finds the stem
        funnel = [
            Manifold.extrude(rounded(stem + 1.2, stem + 1.2, 0.3), EPS).translate((0, 0, z - EPS)),
            Manifold.extrude(rounded(stem, stem, 0.3), EPS).translate((0, 0, z + 0.6)),
        ]
        body -= Manifold.batch_hull(funnel)
        sign = Manifold.extrude(self.sign(key), 5).translate((0, 0, top - keys["engrave_mm"]))
        x, y = self.key_places()[key]
        return (body - sign).translate((x, y, 0))

    def sign(self, key: str) -> CrossSection:
        """What is engraved on a cap: an arrow towards the seat, OK, or the way back."""
        if key in ARROWS:
            return arrow(9.0).rotate(ARROWS[key])
        return letters("OK", 4.6) if key == "OK" else back_sign(9.0)

    # -------------------------------------------------------------- dummies for tests
    def pico_dummy(self) -> Manifold:
        """The Pico with its socket and chips, for pictures and to see that it fits."""
        pico, floor = self.params["pico"], self.params["box"]["floor_mm"]
        x, y = self.pico_centre()
        z = floor + pico["standoff_mm"]
        board = box(*pico["size_mm"], x, y, z)
        for hx, hy in self.pico_screws():
            board -= rod(2.1, 9, hx, hy, z - 3)
        return board

    def display_dummy(self, name=None) -> Manifold:
        """The board of the display module, without its glass."""
        width, depth, thick = self.display(name)["board_mm"]
        cy = self.params["display_window"]["centre_y_mm"]
        return box(width, depth, thick, 0, cy, self.display_front(name) - thick)

    def glass_dummy(self, name=None) -> Manifold:
        """The glass of the display module."""
        width, depth, thick = self.display(name)["glass_mm"]
        cy = self.params["display_window"]["centre_y_mm"]
        return box(width, depth, thick, 0, cy, self.display_front(name))

    def key_board_dummy(self) -> Manifold:
        keyboard = self.wiring.keyboard
        cx, cy = self.params["keys"]["centre_mm"]
        mx, my = keyboard.board_centre_mm()
        board = box(*keyboard.board_mm, 1.6, cx + mx, cy + my, self.key_board_top - 1.6)
        for x, y in self.key_board_screws():
            board -= rod(2.2, 9, x, y, self.key_board_top - 5)
        return board

    def switch_dummy(self, key: str) -> Manifold:
        keys = self.params["keys"]
        x, y = self.key_places()[key]
        z = self.key_board_top
        body = box(12, 12, keys["body_mm"] - 0.5, x, y, z) + rod(6.8, keys["body_mm"], x, y, z)
        return body + box(keys["stem_mm"], keys["stem_mm"], keys["switch_mm"], x, y, z)


PARTS = (
    "bottom",
    "lid-0.96in",
    "lid-1.3in",
    "lid-1.54in",
    "lid-2.42in",
    "cap-arrow",
    "cap-ok",
    "cap-back",
)


def printable(case: Case, name: str) -> Manifold:
    """One of PARTS on the bed: its printing side down at z = 0, its middle at x = y = 0."""
    if name == "bottom":
        part = case.bottom()
    elif name.startswith("lid-"):
        part = case.lid(name[4:]).rotate((180, 0, 0))  # the face down: smooth, and no supports
    elif name.startswith("cap-"):
        part = case.cap({"cap-arrow": "UP", "cap-ok": "OK", "cap-back": "BACK"}[name])
    else:
        raise ValueError(f"no part {name}; there are {', '.join(PARTS)}")
    x0, y0, z0, x1, y1, _ = part.bounding_box()
    return part.translate((-(x0 + x1) / 2, -(y0 + y1) / 2, -z0))


def triangles(solid: Manifold) -> np.ndarray:
    """Corners of all triangles, float32, shape (n, 3, 3), outside seen anticlockwise.

    Corners are rounded to a thousandth of a millimetre and triangles that
    vanish by it dropped, because slicers join corners by their coordinates.
    """
    mesh = solid.simplify(0.002).to_mesh()
    points = np.round(np.asarray(mesh.vert_properties)[:, :3].astype(np.float64), 3) + 0.0
    return points[np.asarray(mesh.tri_verts)].astype(np.float32)


def write_stl(solid: Manifold, path: Path) -> None:
    """A binary STL without a date, so that the same solid gives the same file."""
    corners = triangles(solid)
    edge_a, edge_b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(edge_a, edge_b)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = (normals / np.where(length > 0, length, 1)).astype(np.float32)
    record = np.zeros(len(corners), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["n"], record["v"] = normals, corners
    header = b"Bazzi case, millimetres, CERN-OHL-P-2.0"
    path.write_bytes(header.ljust(80, b"\0") + struct.pack("<I", len(corners)) + record.tobytes())


def main(argv=None) -> int:
    """Writes one lid for another display, or any part."""
    case = Case.load()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--display", choices=sorted(case.params["displays"]))
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args(argv)
    name = options.part or f"lid-{options.display or case.params['display']}"
    write_stl(printable(case, name), options.output)
    print(f"{options.output}: {name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
