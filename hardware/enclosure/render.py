"""Pictures of the case, by a small software renderer (no graphics card, no display).

Orthographic.  The scene is rasterised into depth and face numbers, then lit in
one go: a lamp with a soft shadow, light from above, darkening in corners, and
lines where faces meet, all from those two buffers.  Twice the size, then
averaged down.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
from manifold3d import Manifold
from PIL import Image, ImageDraw, ImageFont

from .model import SEATS, Case, box, printable, rod, triangles

FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
FONT_BOLD = FONT.with_name("DejaVuSans-Bold.ttf")

SHELL = (0.22, 0.34, 0.42)
LID = (0.90, 0.87, 0.80)
CAP = (0.95, 0.60, 0.22)
CAP_OK = (0.35, 0.62, 0.38)
CAP_BACK = (0.78, 0.30, 0.27)
PAINT = (0.13, 0.13, 0.14)
PCB_GREEN = (0.12, 0.45, 0.26)
PCB_BLUE = (0.12, 0.27, 0.50)
PERFBOARD = (0.80, 0.68, 0.40)
BLACK = (0.10, 0.10, 0.11)
GLASS = (0.03, 0.04, 0.05)
LIT = (0.62, 0.93, 1.0)
METAL = (0.74, 0.75, 0.77)
BRASS = (0.82, 0.66, 0.28)
WHITE = (0.93, 0.93, 0.92)


@dataclass
class Thing:
    """A solid with a colour; `glow` is not darkened by shadow."""

    solid: Manifold
    colour: tuple[float, float, float]
    glow: bool = False

    def moved(self, dx=0.0, dy=0.0, dz=0.0) -> Thing:
        return Thing(self.solid.translate((dx, dy, dz)), self.colour, self.glow)


def _view(azimuth_deg, elevation_deg):
    """Rows: right, up and towards-the-viewer in world axes; azimuth 0 looks from S to N."""
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    right = np.array([np.cos(a), np.sin(a), 0.0])
    towards = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])
    return np.stack([right, np.cross(towards, right), towards])


def _raster(points, width, height):
    """Depth (bigger is nearer) and face numbers of triangles (n, 3, 3) in pixels."""
    depth = np.full((height, width), -1e9, dtype=np.float32)
    face = np.full((height, width), -1, dtype=np.int32)
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    x0 = np.clip(np.floor(x.min(1)), 0, width).astype(int)
    x1 = np.clip(np.ceil(x.max(1)) + 1, 0, width).astype(int)
    y0 = np.clip(np.floor(y.min(1)), 0, height).astype(int)
    y1 = np.clip(np.ceil(y.max(1)) + 1, 0, height).astype(int)
    for i in np.nonzero((area > 1e-9) & (x1 > x0) & (y1 > y0))[0]:
        px = np.arange(x0[i], x1[i]) + 0.5
        py = (np.arange(y0[i], y1[i]) + 0.5)[:, None]
        (ax, bx, cx), (ay, by, cy) = x[i], y[i]
        wa = (bx - px) * (cy - py) - (cx - px) * (by - py)
        wb = (cx - px) * (ay - py) - (ax - px) * (cy - py)
        wc = area[i] - wa - wb
        inside = (wa >= 0) & (wb >= 0) & (wc >= 0)
        if not inside.any():
            continue
        here = (wa * z[i, 0] + wb * z[i, 1] + wc * z[i, 2]) / area[i]
        window = (slice(y0[i], y1[i]), slice(x0[i], x1[i]))
        nearer = inside & (here > depth[window])
        depth[window][nearer] = here[nearer]
        face[window][nearer] = i
    return depth, face


def _blur(image, radius):
    """A box blur done twice: soft enough, and needs no other library."""
    for _ in range(2):
        for axis in (0, 1):
            pad = [(radius + 1, radius) if a == axis else (0, 0) for a in range(image.ndim)]
            total = np.cumsum(np.pad(image, pad, mode="edge"), axis=axis)
            size = image.shape[axis]
            high = np.take(total, np.arange(2 * radius + 1, 2 * radius + 1 + size), axis=axis)
            low = np.take(total, np.arange(0, size), axis=axis)
            image = (high - low) / (2 * radius + 1)
    return image


class Picture:
    """One rendered scene and where its points are on the paper."""

    def __init__(
        self,
        things,
        azimuth=-28,
        elevation=38,
        width=1500,
        height=1150,
        margin=0.06,
        ground=True,
        fit_width=None,
        lamp=(-0.45, -0.35, 1.0),
    ):
        self.scale_down = 2
        self.width, self.height = width * 2, height * 2
        corners = [triangles(thing.solid) for thing in things]
        self.tri = np.concatenate(corners).astype(float)
        self.colour = np.repeat(np.array([t.colour for t in things]), [len(c) for c in corners], 0)
        self.glow = np.repeat([t.glow for t in things], [len(c) for c in corners])
        self.part = np.repeat(np.arange(len(things)), [len(c) for c in corners])
        normal = np.cross(self.tri[:, 1] - self.tri[:, 0], self.tri[:, 2] - self.tri[:, 0])
        self.normal = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
        self.view = _view(azimuth, elevation)
        self.floor_z = self.tri[..., 2].min()
        seen = self.tri.reshape(-1, 3) @ self.view.T
        low, high = seen.min(0), seen.max(0)
        room = 1 - 2 * margin
        wide, high_mm = (high - low)[:2]
        self.scale = min(self.width * (fit_width or room) / wide, self.height * room / high_mm)
        self.middle = (low + high) / 2
        self.image = self._light(ground, np.array(lamp) / np.linalg.norm(lamp))

    def project(self, points):
        """World points to big-picture pixels x, y (down) and depth in mm."""
        seen = (np.asarray(points, dtype=float) @ self.view.T) - self.middle
        out = np.empty_like(seen)
        out[..., 0] = seen[..., 0] * self.scale + self.width / 2
        out[..., 1] = self.height / 2 - seen[..., 1] * self.scale
        out[..., 2] = seen[..., 2]
        return out

    def at(self, point):
        """A world point in pixels of the finished picture."""
        x, y, _ = self.project(point)
        return x / self.scale_down, y / self.scale_down

    def _light(self, ground, lamp):
        points = self.project(self.tri)[:, ::-1]  # y is down, so the winding turns round
        depth, face = _raster(points, self.width, self.height)
        hit = face >= 0
        ys, xs = np.mgrid[0 : self.height, 0 : self.width]
        seen = (
            np.stack(
                [
                    (xs + 0.5 - self.width / 2) / self.scale,
                    (self.height / 2 - ys - 0.5) / self.scale,
                    depth,
                ],
                -1,
            )
            + self.middle
        )
        world = (seen @ self.view).astype(np.float32)
        normal = np.where(hit[..., None], self.normal[face], 0.0)
        base = np.where(hit[..., None], self.colour[face], 1.0)
        if ground:
            # the table: meet the line of sight with z = floor
            flat = np.stack([seen[..., 0], seen[..., 1], np.zeros_like(depth)], -1) @ self.view
            towards = self.view[2]
            travel = (self.floor_z - flat[..., 2]) / towards[2]
            table = flat + travel[..., None] * towards
            world = np.where(hit[..., None], world, table)
            normal = np.where(hit[..., None], normal, np.array([0.0, 0.0, 1.0]))
        shadow = self._shadow(world, normal, lamp)
        facing = np.clip(normal @ lamp, 0, 1)
        sky = 0.5 + 0.5 * normal[..., 2]
        back = np.clip(normal @ np.array([0.6, -0.7, 0.2]), 0, 1)
        corner = self._corners(depth, hit)
        light = 0.34 + 0.24 * sky + 0.16 * back + 0.50 * facing * shadow
        light *= corner
        picture = base * np.where(hit & self.glow[face], 1.0, light)[..., None]
        if not ground:
            picture = np.where(hit[..., None], picture, 1.0)
        else:
            floor = 1.0 - 0.30 * (1 - shadow) - 0.45 * (1 - corner)
            picture = np.where(hit[..., None], picture, floor[..., None] * np.ones(3))
        picture = picture * (1 - 0.72 * self._lines(depth, face, hit))[..., None]
        picture = np.clip(picture, 0, 1)
        small = picture.reshape(self.height // 2, 2, self.width // 2, 2, 3).mean((1, 3))
        return Image.fromarray((small * 255 + 0.5).astype(np.uint8))

    def _shadow(self, world, normal, lamp):
        """1 in the light, 0 in the shadow, soft at the border."""
        side = np.cross([0.0, 1.0, 0.0], lamp)
        side /= np.linalg.norm(side)
        view = np.stack([side, np.cross(lamp, side), lamp])
        points = self.tri @ view.T
        low, high = points.reshape(-1, 3).min(0), points.reshape(-1, 3).max(0)
        scale = 1500 / max(high[0] - low[0], high[1] - low[1])
        points = points.copy()
        points[..., :2] = (points[..., :2] - low[:2]) * scale + 8
        size = ((high[:2] - low[:2]) * scale).astype(int) + 16
        depth, _ = _raster(points, size[0], size[1])
        seen = ((world + normal * 0.25) @ view.T).astype(np.float32)
        px = (seen[..., 0] - low[0]) * scale + 8
        py = (seen[..., 1] - low[1]) * scale + 8
        total = np.zeros(world.shape[:2])
        taps = [
            (dx, dy) for dx in (-4, -2, 0, 2, 4) for dy in (-4, -2, 0, 2, 4) if (dx + dy) % 4 == 0
        ]
        for dx, dy in taps:
            ix = np.clip((px + dx).astype(int), 0, size[0] - 1)
            iy = np.clip((py + dy).astype(int), 0, size[1] - 1)
            total += depth[iy, ix] < seen[..., 2] + 0.35
        return total / len(taps)

    def _corners(self, depth, hit):
        """Darker where the surroundings are nearer: hollows and corners."""
        far = np.where(hit, depth, depth[hit].min() if hit.any() else 0)
        dark = np.zeros_like(far)
        for radius, reach in ((6, 1.6), (22, 6.0), (60, 16.0)):
            dark += np.clip((_blur(far, radius) - far) / reach, 0, 1)
        return np.where(hit, 1 - 0.16 * dark, 1.0)

    def _lines(self, depth, face, hit):
        """Where parts, directions or depths jump."""
        part = np.where(hit, self.part[face], -1)
        normal = np.where(hit[..., None], self.normal[face], 0)
        line = np.zeros(depth.shape, dtype=bool)
        for axis in (0, 1):

            def step(values, axis=axis):
                return np.diff(values, axis=axis, prepend=np.take(values, [0], axis=axis))

            jump = step(part) != 0
            turn = (step(normal) ** 2).sum(-1) > 0.35
            deep = np.abs(step(np.where(hit, depth, -1e3))) > 1.2
            line |= jump | turn | deep
        wide = line.astype(float)
        wide[1:] = np.maximum(wide[1:], line[:-1] * 0.6)
        wide[:, 1:] = np.maximum(wide[:, 1:], line[:, :-1] * 0.6)
        return wide

    def labels(self, entries, size=19, gap=66):
        """Texts in two columns, each with a thin line to its world point.

        `entries`: (text, point, "left" or "right"); a column keeps the order of
        the points from top to bottom and moves texts apart when they would touch.
        """
        draw = ImageDraw.Draw(self.image)
        font = ImageFont.truetype(str(FONT), size)
        ink = (70, 70, 70)
        for side in ("left", "right"):
            column = sorted(
                (self.at(point)[1], text, point) for text, point, s in entries if s == side
            )
            last = -1e9
            for y, text, point in column:
                ty = last = max(y, last + gap)
                px, py = self.at(point)
                x0, y0, x1, y1 = draw.multiline_textbbox((0, 0), text, font=font, spacing=4)
                tx = 26 if side == "left" else self.image.width - 26 - (x1 - x0)
                end = tx + (x1 - x0) + 8 if side == "left" else tx - 8
                draw.line([(px, py), (end, ty)], fill=ink, width=2)
                draw.ellipse([px - 4, py - 4, px + 4, py + 4], fill=ink)
                draw.multiline_text(
                    (tx, ty - (y1 - y0) / 2 - y0), text, font=font, fill=(25, 25, 25), spacing=4
                )

    def title(self, text, note="", size=30):
        """A heading in the upper left corner, and a small line below it."""
        draw = ImageDraw.Draw(self.image)
        draw.text((28, 20), text, font=ImageFont.truetype(str(FONT_BOLD), size), fill=(25, 25, 25))
        if note:
            draw.text(
                (30, 26 + size * 1.25),
                note,
                font=ImageFont.truetype(str(FONT), 17),
                fill=(80, 80, 80),
            )

    def write(self, at, text, size=20, bold=True):
        """A text in the middle of a point in pixels."""
        draw = ImageDraw.Draw(self.image)
        font = ImageFont.truetype(str(FONT_BOLD if bold else FONT), size)
        draw.multiline_text(
            at, text, font=font, fill=(25, 25, 25), anchor="mm", align="center", spacing=5
        )

    def save(self, path: Path) -> Path:
        """PNG; a palette of 256 keeps it small without being seen."""
        self.image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
            path, optimize=True
        )
        return path


# --------------------------------------------------------------------- the things
def _screen_bitmap() -> np.ndarray:
    """Something like a score on 128 x 64 pixels; only an example."""
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    big = ImageFont.truetype(str(FONT_BOLD), 40)
    small = ImageFont.truetype(str(FONT_BOLD), 12)
    draw.text((32, 40), "24", font=big, fill=1, anchor="mm")
    draw.text((96, 40), "17", font=big, fill=1, anchor="mm")
    draw.text((32, 8), "N + S", font=small, fill=1, anchor="mm")
    draw.text((96, 8), "E + W", font=small, fill=1, anchor="mm")
    draw.line([(63, 2), (63, 61)], fill=1)
    draw.rectangle([2, 2, 11, 13], fill=1)
    draw.text((7, 8), "D", font=ImageFont.truetype(str(FONT_BOLD), 10), fill=0, anchor="mm")
    return np.array(image)


def lit_pixels(case: Case, name=None) -> Manifold:
    """The lit pixels as flat blocks on the glass, one per run of pixels in a row."""
    wide, high = case.display(name)["active_mm"]
    cx, cy = case.active_centre(name)
    bits = _screen_bitmap()
    z = case.glass_dummy(name).bounding_box()[5]
    step_x, step_y = wide / 128, high / 64
    blocks = []
    for row, line in enumerate(bits):
        column = 0
        while column < 128:
            if not line[column]:
                column += 1
                continue
            end = column
            while end < 128 and line[end]:
                end += 1
            blocks.append(
                Manifold.cube(((end - column) * step_x, step_y, 0.06)).translate(
                    (cx - wide / 2 + column * step_x, cy + high / 2 - (row + 1) * step_y, z)
                )
            )
            column = end
    return Manifold.compose(blocks)


def caps(case: Case):
    """The six caps in place, their signs filled with paint."""
    keys, colours = case.params["keys"], {"OK": CAP_OK, "BACK": CAP_BACK}
    top = case.params["box"]["height_mm"] + keys["cap_out_mm"]
    out = []
    for key, (x, y) in case.key_places().items():
        out.append(Thing(case.cap(key), colours.get(key, CAP)))
        sign = Manifold.extrude(case.sign(key), 0.3).translate((x, y, top - keys["engrave_mm"]))
        out.append(Thing(sign, WHITE if key in colours else PAINT))
    return out


def lid(case: Case, painted=True):
    """The lid, its letters filled with paint."""
    out = [Thing(case.lid(), LID)]
    if painted:
        depth, top = case.params["keys"]["engrave_mm"], case.params["box"]["height_mm"]
        for cut in case.engravings():
            out.append(Thing(cut ^ box(999, 999, 0.3, 0, 0, top - depth), PAINT))
    return out


def display(case: Case):
    """The display module with a lit screen and its four pins."""
    front = case.display_front()
    _, depth, thick = case.display()["board_mm"]
    cy = case.params["display_window"]["centre_y_mm"]
    pins = [
        box(0.64, 0.64, 5, (i - 1.5) * 2.54, cy + depth / 2 - 1.8, front - thick - 4)
        for i in range(4)
    ]
    return [
        Thing(case.display_dummy(), PCB_BLUE),
        Thing(case.glass_dummy(), GLASS),
        Thing(lit_pixels(case), LIT, glow=True),
        Thing(Manifold.compose(pins), BRASS),
    ]


def key_board(case: Case):
    """The perfboard with its six switches."""
    out = [Thing(case.key_board_dummy(), PERFBOARD)]
    keys = case.params["keys"]
    for x, y in case.key_places().values():
        out.append(Thing(box(12, 12, keys["body_mm"] - 0.5, x, y, case.key_board_top), BLACK))
        out.append(Thing(rod(6.8, keys["body_mm"], x, y, case.key_board_top), (0.25, 0.25, 0.26)))
        out.append(
            Thing(
                box(keys["stem_mm"], keys["stem_mm"], keys["switch_mm"], x, y, case.key_board_top),
                WHITE,
            )
        )
    return out


def pico(case: Case):
    """A Pico that can be recognised: board, socket, chip, button, gold pads."""
    board = case.pico_dummy()
    x, y = case.pico_centre()
    width, length, thick = case.params["pico"]["size_mm"]
    z = case.params["box"]["floor_mm"] + case.params["pico"]["standoff_mm"] + thick
    n_edge = y + length / 2
    pads = [
        box(1.7, 1.7, 0.08, x + side * (width / 2 - 1.4), n_edge - 1.37 - 2.54 * row, z)
        for side in (-1, 1)
        for row in range(20)
    ]
    return [
        Thing(board, PCB_GREEN),
        Thing(box(7.6, 5.7, 2.7, x, n_edge - 1.55, z), METAL),
        Thing(box(7, 7, 0.9, x, y - 1.5, z), BLACK),
        Thing(box(3.4, 4.2, 1.6, x - 3.2, n_edge - 12, z), WHITE),
        Thing(box(3, 2, 0.8, x + 4, y + 9, z), BLACK),
        Thing(Manifold.compose(pads), BRASS),
    ]


def battery(case: Case):
    """A holder with three AAA cells."""
    x, y = case.params["battery"]["centre_mm"]
    floor = case.params["box"]["floor_mm"]
    tray = box(52, 38, 12, x, y, floor) - box(48, 35, 20, x, y, floor + 1.5)
    out = [Thing(tray, BLACK)]
    for i in (-1, 0, 1):
        cell = (
            Manifold.cylinder(44, 5.2)
            .rotate((0, 90, 0))
            .translate((x - 22, y + i * 11.4, floor + 7.2))
        )
        out.append(Thing(cell, (0.80, 0.62, 0.20)))
    return out


def buzzer(case: Case):
    """The piezo buzzer in its ring."""
    x, y = case.params["buzzer"]["centre_mm"]
    floor = case.params["box"]["floor_mm"]
    return [Thing(rod(12.2, 6.5, x, y, floor) - rod(2, 1, x, y, floor + 6), BLACK)]


def screws(case: Case, dz):
    """The four screws, dz under their places."""
    screw = case.params["screw"]
    out = []
    for x, y in case.corner_screws():
        head = rod(6.0, 1.6, x, y, 0.3, 3.0) + rod(3.0, screw["length_mm"], x, y, 0.3)
        out.append(Thing(head.translate((0, 0, dz)), METAL))
    return out


def moved(things, dz):
    return [thing.moved(dz=dz) for thing in things]


# ------------------------------------------------------------------- the pictures
def draw_assembled(case: Case, path: Path) -> Path:
    """The closed box as the scorekeeper sees it."""
    things = [Thing(case.bottom(), SHELL), *lid(case), *caps(case), *display(case)]
    picture = Picture(things, azimuth=-24, elevation=46, width=1350, height=1000, margin=0.08)
    picture.title("Bazzi", "the closed box; the screen is only an example")
    return picture.save(path)


def draw_top(case: Case, path: Path) -> Path:
    """From above, with the four seats round it."""
    things = [Thing(case.bottom(), SHELL), *lid(case), *caps(case), *display(case)]
    picture = Picture(
        things,
        azimuth=0,
        elevation=89.9,
        width=1100,
        height=1100,
        margin=0.15,
        lamp=(-0.22, 0.2, 1.0),
    )
    places = {"N": (550, 80), "E": (1025, 550), "S": (550, 1025), "W": (80, 550)}
    words = {"N": "N\nopposite", "E": "E\nright", "S": "S\nthe scorekeeper", "W": "W\nleft"}
    for seat in SEATS:
        picture.write(places[seat], words[seat], 26)
    return picture.save(path)


def draw_exploded(case: Case, path: Path) -> Path:
    """All layers apart, with names."""
    up = {"screws": -36, "bottom": 0, "inside": 26, "board": 80, "lid": 156, "caps": 214}
    inside = pico(case) + battery(case) + buzzer(case)
    middle = key_board(case) + display(case)
    things = (
        screws(case, up["screws"])
        + [Thing(case.bottom(), SHELL)]
        + moved(inside, up["inside"])
        + moved(middle, up["board"])
        + moved(lid(case), up["lid"])
        + moved(caps(case), up["caps"])
    )
    picture = Picture(
        things,
        azimuth=-33,
        elevation=30,
        width=1400,
        height=1820,
        margin=0.03,
        ground=False,
        fit_width=0.57,
    )
    picture.title("Bazzi, exploded")
    w = case.outside[0]
    x, y = case.key_places()["BACK"]
    height = case.params["box"]["height_mm"]
    picture.labels(
        [
            (
                "six key caps: arrows\nfor the seats, OK, BACK",
                (x + 7, y, height + up["caps"]),
                "right",
            ),
            ("lid, printed face down", (w / 2, 10, height - 1 + up["lid"]), "right"),
            ("heat-set inserts M3\nin the ends of the posts", (-45, -50, 13 + up["lid"]), "left"),
            ("OLED module: four M2\nscrews with M3 washers", (-17, 35, 25 + up["board"]), "left"),
            (
                "key board: perfboard with\nsix switches, five M2 screws",
                (39, -30, 21 + up["board"]),
                "right",
            ),
            ("Raspberry Pi Pico,\nfour M2 screws", (-38, 10, 8 + up["inside"]), "left"),
            ("holder for 3 AAA cells\n(optional)", (40, 18, 13 + up["inside"]), "right"),
            ("piezo buzzer (optional)", (31, -31, 5 + up["inside"]), "right"),
            ("bottom, with the hole for\nthe USB plug on side N", (w / 2, -30, 12), "right"),
            ("four countersunk screws\nM3 x 16, from below", (45, -50, up["screws"] + 6), "right"),
        ]
    )
    return picture.save(path)


def draw_inside(case: Case, path: Path) -> Path:
    """The open box: bottom with its parts, and the lid from below, side by side."""
    left = [Thing(case.bottom(), SHELL), *pico(case), *battery(case), *buzzer(case)]
    turned = []
    for thing in [*lid(case, painted=False), *display(case), *key_board(case)]:
        solid = thing.solid.rotate((0, 180, 0)).translate((128, 0, case.params["box"]["height_mm"]))
        turned.append(Thing(solid, thing.colour, thing.glow))
    picture = Picture(left + turned, azimuth=0, elevation=58, width=1500, height=880, margin=0.06)
    picture.title("Bazzi, open", "left: the bottom, right: the lid from below; wires left out")
    return picture.save(path)


def draw_parts(case: Case, path: Path) -> Path:
    """Every printed part on its printing side."""
    places = {
        "bottom": (-60, 0),
        "lid-1.3in": (60, 0),
        "cap-arrow": None,
        "cap-ok": (36, -76),
        "cap-back": (62, -76),
    }
    colours = {
        "bottom": SHELL,
        "lid-1.3in": LID,
        "cap-arrow": CAP,
        "cap-ok": CAP_OK,
        "cap-back": CAP_BACK,
    }
    things = []
    for name, place in places.items():
        spots = [place] if place else [(-68 + 26 * i, -76) for i in range(4)]
        for x, y in spots:
            things.append(Thing(printable(case, name).translate((x, y, 0)), colours[name]))
    picture = Picture(things, azimuth=-12, elevation=50, width=1500, height=1060, margin=0.06)
    picture.title("Bazzi, printed parts", "as they lie on the printing bed; no supports")
    return picture.save(path)
