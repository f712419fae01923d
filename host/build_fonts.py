"""Make firmware/keeper/fonts.py and letters.py: the letters, big digits and icons of the canvas.

letters.py has the same text fonts with the letters beyond ASCII as well. The box loads it when the first
such letter is drawn.

Run by hatchling when the distribution is built or installed (also `pip install -e`),
or by hand: `python host/build_fonts.py`. It needs the package `unscii` from PyPI.

SMALL and TEXT come from Unscii (public domain): the thin 8x8 and the 8x16 face, cut to
their own widths. Three things are our own drawings, below: the 8 px high letters with
accents (the thin face leaves most of them bold), the icons, and the big digits, which
are strokes of constant width along lines and arcs, so they can have any size.

The output depends on nothing but this file and the version of `unscii`.
"""

import importlib.metadata
import itertools
import math
import unicodedata
from pathlib import Path

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, without the build backend
    BuildHookInterface = object

FONTS_PATH = "firmware/keeper/fonts.py"
LETTERS_PATH = "firmware/keeper/letters.py"
LICENSE_PATH = "firmware/keeper/FONTS-LICENSE"

# Code points of the two text fonts, in the order of their glyphs: first ASCII, then EXTRA, and in
# letters.py the block from À to the end of Latin Extended-A.
ASCII_FIRST, ASCII_LAST = 0x20, 0x7E
LATIN_FIRST, LATIN_LAST = 0xC0, 0x17F
EXTRA = "…♠♥♦♣←↑→↓✓°·€£¡¿«»"
DIGIT_FIRST, DIGIT_LAST = 0x2B, 0x39  # + , - . / 0..9

# Blocks in which a character without a glyph is drawn as the letter or sign it is built on.
FOLD_SIGN_BLOCK = (0x2010, 0x203A)
FOLD_LETTER_BLOCKS = ((0x180, 0x24F), (0x1E00, 0x1EFF))
FOLD_SIGNS = {
    0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x2014: "-", 0x2015: "-",
    0x2018: "'", 0x2019: "'", 0x201A: ",", 0x201B: "'",
    0x201C: '"', 0x201D: '"', 0x201E: '"', 0x201F: '"', 0x2022: "*", 0x2024: ".",
    0x2027: ".", 0x2028: " ", 0x2029: " ", 0x202F: " ", 0x2032: "'", 0x2033: '"',
    0x2039: "<", 0x203A: ">",
}  # fmt: skip

# Accents over a small letter, two rows, for bodies of odd and of even width.
ACCENTS = {
    "\u0300": (".#.../..#..", ".#..../..#..."),
    "\u0301": ("...#./..#..", "....#./...#.."),
    "\u0302": ("..#../.#.#.", "..##../.#..#."),
    "\u0303": (".##.#/#..#.", ".##..#/#..##."),
    "\u0304": (".###./.....", ".####./......"),
    "\u0306": ("#...#/.###.", "#....#/.####."),
    "\u0307": ("..#../.....", "..##../......"),
    "\u0308": (".#.#./.....", ".#..#./......"),
    "\u030a": (".###./.#.#.", ".####./.#..#."),
    "\u030b": ("..#.#/.#.#.", "..#..#/.#..#."),
    "\u030c": (".#.#./..#..", ".#..#./..##.."),
}
# Marks under a small letter: one row, set below the last row of the body.
MARKS_BELOW = {"\u0327": ("..#..", "..##.."), "\u0328": ("...##", "....##")}
# What stays of a capital of seven rows when an accent takes the upper two.
SQUEEZED_ROWS = (0, 2, 3, 4, 6)

# Small glyphs that are drawn here: eight rows, the last one below the base line.
SMALL_ART = {
    "0": ".###. #...# #...# #...# #...# #...# .###. .....",
    # The face draws V like U; both must be told apart.
    "V": "#...# #...# #...# .#.#. .#.#. ..#.. ..#.. .....",
    "v": "..... ..... #...# #...# .#.#. .#.#. ..#.. .....",
    "W": "#...# #...# #...# #.#.# #.#.# #.#.# .#.#. .....",
    "Æ": ".#### #.#.. #.#.. ##### #.#.. #.#.. #.### .....",
    "æ": "..... ..... ##.#. ..#.# .##### #.#.. .#.## .....",
    "Ð": ".####. .#...# .#...# ###..# .#...# .#...# .####. ......",
    "ð": ".#.#. ..#.. .#.#. .#### #...# #...# .###. .....",
    "Ø": ".###.# #...#. #..#.# #.#..# ##...# .#...# #.###. ......",
    "ø": "..... ..... .##.# #..#. #.#.# .#..# #.##. .....",
    "Þ": "#.... ####. #...# #...# ####. #.... #.... .....",
    "þ": "#.... #.... ####. #...# #...# #...# ####. #....",
    "ß": ".##.. #..#. #..#. #.##. #...# #...# #.##. #....",
    "Đ": ".####. .#...# .#...# ###..# .#...# .#...# .####. ......",
    "đ": "...#. ..### .#### #..#. #..#. #..#. .###. .....",
    "Ħ": "#...# ##### #...# ##### #...# #...# #...# .....",
    "ħ": "#... ###. ###. #..# #..# #..# #..# ....",
    "Ł": ".#... .#... .##.. .#... ##... .#... .#### .....",
    "ł": "##. .#. .#. .## ##. .#. ### ...",
    "ı": "... ... ##. .#. .#. .#. ### ...",
    "Ĳ": "#..# #..# #..# #..# #..# #..# #.#. ....",
    "ĳ": "#..# .... #..# #..# #..# #..# #..# ..#.",
    "ĸ": ".... .... #..# #.#. ##.. #.#. #..# ....",
    "Ŀ": "#... #... #... #.#. #... #... #### ....",
    "ŀ": "##.. .#.. .#.# .#.. .#.. .#.. ###. ....",
    "ŉ": "#..... #..... #.###. ..#..# ..#..# ..#..# ..#..# ......",
    "Ŋ": "#...# ##..# #.#.# #..## #...# #...# #...# ..##.",
    "ŋ": ".... .... ###. #..# #..# #..# #..# ..#.",
    "Œ": ".##### #.#... #.#... #.###. #.#... #.#... .##### ......",
    "œ": "..... ..... .#.#. #.#.# #.### #.#.. .#.## .....",
    "Ŧ": "##### ..#.. ..#.. .###. ..#.. ..#.. ..#.. .....",
    "ŧ": ".#.. .#.. #### .#.. ###. .#.. ..## ....",
    "ſ": ".## #.. #.. ##. #.. #.. #.. ...",
    "ď": "...#.# ...#.# .###.. #..#.. #..#.. #..#.. .###.. ......",
    "ť": ".#..# .#..# ####. .#... .#... .#..# ..##. .....",
    "ľ": "##.# .#.# .#.. .#.. .#.. .#.. ###. ....",
    "Ľ": "#..#. #..#. #.... #.... #.... #.... ##### .....",
    "ĺ": "..#. .#.. ##.. .#.. .#.. .#.. .##. ....",
    # As wide as the plain capital: squeezed to five rows they would be the small letters.
    "Ź": "....#. ...#.. ###### ....#. ..##.. .#.... ###### ......",
    "Ż": "..##.. ...... ###### ....#. ..##.. .#.... ###### ......",
    "Ž": ".#..#. ..##.. ###### ....#. ..##.. .#.... ###### ......",
    "ĥ": "..#. .#.# #... ###. #..# #..# #..# ....",
    "ģ": "..#.. .#... .#### #...# #...# .#### ....# .###.",
    "×": "... ... ... #.# .#. #.# ... ...",
    "÷": "..... ..#.. ..... ##### ..... ..#.. ..... .....",
    "…": "..... ..... ..... ..... ..... ..... #.#.# .....",
    "♠": "...#... ..###.. .#####. ####### ####### .#.#.#. ..###.. .......",
    "♥": ".##.##. ####### ####### ####### .#####. ..###.. ...#... .......",
    "♦": "...#... ..###.. .#####. ####### .#####. ..###.. ...#... .......",
    "♣": "..###.. ..###.. ##.#.## ####### ##.#.## ...#... ..###.. .......",
    "←": "....... ..#.... .##.... ####### .##.... ..#.... ....... .......",
    "→": "....... ....#.. ....##. ####### ....##. ....#.. ....... .......",
    "↑": "..#.. .###. ##### ..#.. ..#.. ..#.. ..#.. .....",
    "↓": "..#.. ..#.. ..#.. ..#.. ##### .###. ..#.. .....",
    "✓": "...... .....# ....## #..##. ####.. .##... ...... ......",
    "°": ".#. #.# .#. ... ... ... ... ...",
    "·": ". . . # . . . .",
    "€": "..### .#... ####. .#... ####. .#... ..### .....",
    "£": "..##. .#..# .#... ###.. .#... .#... ##### .....",
    "¡": "# . # # # # # .",
    "¿": "..#.. ..... ..#.. .#... #.... #...# .###. .....",
    "«": "...... ...... ..#..# .#..#. #..#.. .#..#. ..#..# ......",
    "»": "...... ...... #..#.. .#..#. ..#..# .#..#. #..#.. ......",
}

# Glyphs of the 16 px font that are drawn here: row number of the first row, then rows.
TEXT_ART = {
    # Zero without the slash: at a distance the slash makes an 8 of it.
    "0": (2, ".###. ##.## ##.## ##.## ##.## ##.## ##.## ##.## ##.## ##.## .###."),
    "↓": (3, "...##... ...##... ...##... ...##... ######## .######. ..####.. ...##..."),
    "↑": (3, "...##... ..####.. .######. ######## ...##... ...##... ...##... ...##..."),
    "←": (3, "...#.... ..##.... .####### ######## ######## .####### ..##.... ...#...."),
    "→": (3, "....#... ....##.. #######. ######## ######## #######. ....##.. ....#..."),
    "✓": (4, "......## .....### ....###. ##.###.. #####... .###.... ..#....."),
    # The face has an acute there.
    "ŀ": (
        2,
        "####... ..##... ..##... ..##... ..##.## ..##.## ..##... ..##... ..##... ..##... ..####.",
    ),
    "…": (10, "##.##.## ##.##.##"),
}

# Icons, 8x8, own drawings. The order is their id.
ICONS = {
    "dealer": ".######. ##..#### ##.#.### ##.##.## ##.##.## ##.#.### ##..#### .######.",
    "up": "...##... ..####.. .######. ######## ...##... ...##... ...##... ........",
    "right": "....#... ....##.. ######## ######## ######## ....##.. ....#... ........",
    "down": "...##... ...##... ...##... ######## .######. ..####.. ...##... ........",
    "left": "...#.... ..##.... ######## ######## ######## ..##.... ...#.... ........",
    "saved": "........ .......# ......## #....##. ##..##.. .####... ..##.... ........",
    "unsynced": "...#.... ..###... .#####.. ...#.... #..#..#. #.....#. #######. ........",
    "full": ".######. #......# ##....## #.####.# ######## ######## ######## .######.",
    "warning": "...##... ...##... ..#..#.. ..#..#.. .##..##. .######. ###..### ########",
    "link": "..#..#.. ..#..#.. .######. .######. .######. ..####.. ...##... ...##...",
    "lock": "..####.. .#....#. .#....#. ######## ###..### ###..### ######## ########",
    "hearts": ".##..##. ######## ######## ######## .######. ..####.. ...##... ........",
    "spades": "...##... ..####.. .######. ######## ######## ##.##.## ..####.. ........",
    "diamonds": "...##... ..####.. .######. ######## .######. ..####.. ...##... ........",
    "clubs": "...##... ..####.. ..####.. ##.##.## ######## ##.##.## ...##... ..####..",
    "checked": "######## #......# #....#.# #...##.# ##.##..# #.##...# #......# ########",
    "unchecked": "######## #......# #......# #......# #......# #......# #......# ########",
    "more_up": "........ ...#.... ..###... .#####.. #######. ........ ........ ........",
    "more_down": "........ ........ #######. .#####.. ..###... ...#.... ........ ........",
    "cursor": "#....... ##...... ###..... ####.... ###..... ##...... #....... ........",
}


# --- glyphs as lists of rows of 0 and 1 ---------------------------------------------------


def rows_of_art(art):
    """Rows of 0/1 from '#.. .#.'; rows may be of different length, the widest counts."""
    lines = art.split()
    width = max(len(line) for line in lines)
    return [[int(c == "#") for c in line.ljust(width, ".")] for line in lines]


def rows_of_bytes(values):
    return [[value >> (7 - x) & 1 for x in range(8)] for value in values]


def trimmed(rows):
    """Without the empty columns left and right; an empty glyph becomes no column at all."""
    used = [x for x in range(len(rows[0])) if any(row[x] for row in rows)]
    if not used:
        return [[] for _ in rows]
    return [row[used[0] : used[-1] + 1] for row in rows]


def centred(rows, width):
    """The same glyph with empty columns so that it is `width` wide."""
    left = (width - len(rows[0])) // 2
    right = width - len(rows[0]) - left
    return [[0] * left + row + [0] * right for row in rows]


def columns(rows, pages):
    """Bytes of a glyph: page by page, in each page column by column, lowest bit on top."""
    out = bytearray()
    for page in range(pages):
        for x in range(len(rows[0])):
            value = 0
            for bit in range(8):
                value |= rows[8 * page + bit][x] << bit
            out.append(value)
    return bytes(out)


# --- the small letters with accents ---------------------------------------------------------


def compose(char, plain):
    """A small letter with one mark, from the letter without it, or None if that is not it."""
    parts = unicodedata.normalize("NFD", char)
    if len(parts) != 2:
        return None
    base, mark = parts
    if char in "ĢĶĻŅŖķļņŗ":
        mark = "\u0327"
    body = trimmed(plain("ı" if base == "i" else base))
    if base == "j":
        body = [[0] * len(body[0])] * 2 + body[2:]
    if mark in MARKS_BELOW:
        art, row = MARKS_BELOW[mark], 7
    elif mark in ACCENTS:
        if any(body[0]) or any(body[1]):  # a capital, or a letter as high as one
            body = (
                [[0] * len(body[0])] * 2 + [body[y] for y in SQUEEZED_ROWS] + [body[7]]
            )
        art, row = ACCENTS[mark], 0
    else:
        return None
    lines = art[len(body[0]) % 2 == 0].split("/")
    width = max(len(body[0]), len(lines[0]))
    body, accent = centred(body, width), centred(rows_of_art(" ".join(lines)), width)
    out = [list(line) for line in body]
    for y, line in enumerate(accent):
        for x, bit in enumerate(line):
            out[row + y][x] |= bit
    return out


# --- the big digits ---------------------------------------------------------------------------


def arc(cx, cy, rx, ry, start, stop):
    """Points of an arc; degrees, 0 to the right, 90 down (y grows downwards)."""
    steps = 48
    return [
        (
            cx + rx * math.cos(math.radians(start + (stop - start) * k / steps)),
            cy + ry * math.sin(math.radians(start + (stop - start) * k / steps)),
        )
        for k in range(steps + 1)
    ]


def digit_strokes(w, h, s):
    """Centre lines of the digits in a box of w by h px when drawn with a pen s px wide."""
    left, right, top, bottom = s / 2, w - s / 2, s / 2, h - s / 2
    cx, cy = w / 2, h / 2
    r = (right - left) / 2
    upper = (
        cy - s / 8
    )  # where the bowls of 3 and 8 meet; the upper one is a little smaller
    ru, rl = (upper - top) / 2, (bottom - upper) / 2
    bowl = bottom - r  # centre of the lower bowl of 5 and 6
    high = top + r
    waist = upper - s / 4
    five = bottom - (bottom - waist) / 2
    return {
        "0": [
            arc(cx, high, r, r, 180, 360) + arc(cx, bowl, r, r, 0, 180) + [(left, high)]
        ],
        "1": [
            [(left + s / 4, top + r * 0.8), (cx + s / 4, top), (cx + s / 4, bottom)],
            [(left + s / 4, bottom), (right, bottom)],
        ],
        "2": [
            arc(cx, high, r, r, 195, 390) + [(left, bottom)],
            [(left, bottom), (right, bottom)],
        ],
        "3": [
            arc(cx, top + ru, r, ru, 205, 450),
            arc(cx, bottom - rl, r, rl, 270, 515),
            [(cx - s / 2, upper), (cx, upper)],
        ],
        # Open at the top: the counter of a closed 4 fills up at this width.
        "4": [
            [(cx - s / 8, top), (left, bottom - r), (right, bottom - r)],
            [(right - s * 0.7, cy - s / 2), (right - s * 0.7, bottom)],
        ],
        "5": [
            [(right - s / 4, top), (left, top), (left, waist + s / 4)],
            [(left, waist + s / 4)] + arc(cx, five, r, five - waist, 235, 515),
        ],
        "6": [
            arc(cx, high, r, r, 325, 180) + [(left, bowl)],
            arc(cx, bowl, r, r, 0, 360),
        ],
        "7": [[(left, top), (right, top), (cx - s / 2, bottom)]],
        "8": [
            arc(cx, top + ru, r - s / 8, ru, 0, 360),
            arc(cx, bottom - rl, r, rl, 0, 360),
        ],
        "9": [
            arc(cx, bowl, r, r, 145, 0) + [(right, high)],
            arc(cx, high, r, r, 0, 360),
        ],
    }


def distance(px, py, line):
    """From a point to a polyline."""
    best = 1e9
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        t = max(0, min(1, ((px - ax) * dx + (py - ay) * dy) / length)) if length else 0
        best = min(best, math.hypot(px - ax - t * dx, py - ay - t * dy))
    return best


def stroked(lines, w, h, s):
    # 0.02 keeps pixels that lie on the edge from depending on the last bit of a float.
    return [
        [
            int(any(distance(x + 0.5, y + 0.5, line) <= s / 2 + 0.02 for line in lines))
            for x in range(w)
        ]
        for y in range(h)
    ]


def digit_font(w, h, s):
    """Glyphs for DIGIT_FIRST..DIGIT_LAST, h rows each; `,` and `/` are empty."""
    strokes = digit_strokes(w, h, s)
    glyphs = []
    long = (
        w // 2 * 2 - 2
    )  # both ways of the plus, even like the pen, so that it is symmetric
    for code in range(DIGIT_FIRST, DIGIT_LAST + 1):
        char = chr(code)
        rows = [[0] * w for _ in range(h)]
        if char in strokes:
            rows = stroked(strokes[char], w, h, s)
        elif char in "+-.":
            for y in range(h):
                for x in range(w):
                    flat = abs(y + 0.5 - h / 2) < s / 2
                    if char == "+":
                        upright = abs(x + 0.5 - long / 2) < s / 2
                        inside = abs(y + 0.5 - h / 2) < long / 2
                        rows[y][x] = int(x < long and inside and (flat or upright))
                    elif char == "-":
                        rows[y][x] = int(x < long - 2 and flat)
                    else:
                        rows[y][x] = int(y >= h - s and x < s)
            rows = trimmed(rows)
        else:
            rows = [[] for _ in range(h)]
        glyphs.append(rows)
    return glyphs


# --- the fonts --------------------------------------------------------------------------------


def text_codes():
    yield from range(ASCII_FIRST, ASCII_LAST + 1)
    yield from (ord(c) for c in EXTRA)
    yield from range(LATIN_FIRST, LATIN_LAST + 1)


def tabular(glyphs, codes):
    """All ten digits as wide as the widest: a counting number must not move its neighbours."""
    digits = [k for k, code in enumerate(codes) if chr(code) in "0123456789"]
    width = max(len(glyphs[k][0]) for k in digits)
    for k in digits:
        glyphs[k] = centred(glyphs[k], width)
    return glyphs


def small_font():
    from unscii.raw_unscii.unscii_8_thin import unscii_8_thin_bytes as thin

    def plain(char):
        if char in SMALL_ART:
            return rows_of_art(SMALL_ART[char])
        return rows_of_bytes(thin[ord(char)])

    codes = list(text_codes())
    glyphs = []
    for code in codes:
        char = chr(code)
        rows = plain(char) if char in SMALL_ART else compose(char, plain) or plain(char)
        glyphs.append(trimmed(rows) if char != " " else [[0] * 3 for _ in range(8)])
    return tabular(glyphs, codes)


def text_font():
    from unscii.raw_unscii.unscii_16 import unscii_16_bytes as face

    codes = list(text_codes())
    glyphs = []
    for code in codes:
        char = chr(code)
        if char in TEXT_ART:
            first, art = TEXT_ART[char]
            rows = rows_of_art(art)
            blank = [0] * len(rows[0])
            rows = [blank] * first + rows + [blank] * (16 - first - len(rows))
        else:
            rows = rows_of_bytes(face[code])
        glyphs.append(trimmed(rows) if char != " " else [[0] * 4 for _ in range(16)])
    return tabular(glyphs, codes)


def fold_block(first, last):
    """One ASCII byte for each code point: its base letter, or '?'."""
    out = ""
    for code in range(first, last + 1):
        base, *marks = unicodedata.normalize("NFKD", chr(code))
        if code in FOLD_SIGNS:
            out += FOLD_SIGNS[code]
        elif (
            base.isascii() and base.isalpha() and all(map(unicodedata.combining, marks))
        ):
            out += base
        else:
            out += "?"
    return out.encode()


# --- the generated file -------------------------------------------------------------------------


def literal(data):
    """A bytes literal of several lines."""
    lines = [repr(data[k : k + 24]) for k in range(0, len(data), 24)]
    return "(\n    " + "\n    ".join(lines or ["b''"]) + "\n)"


def font_source(name, glyphs, pages):
    index, data = bytearray(), bytearray()
    count = 0
    for rows in glyphs:
        index += count.to_bytes(2, "little")
        data += columns(rows, pages)
        count += len(rows[0])
    index += count.to_bytes(2, "little")
    return (
        f"# {len(glyphs)} glyphs, {8 * pages} px high, {len(index) + len(data)} bytes\n"
        f"{name}_INDEX = array('H', {literal(bytes(index))})\n"
        f"{name}_DATA = {literal(bytes(data))}\n"
    )


def head_source(title):
    version = importlib.metadata.version("unscii")
    return f'''"""{title} Made by host/build_fonts.py: do not edit.

SMALL and TEXT: Unscii (thin 8x8 and 8x16) by Viznut, public domain, from the PyPI package
unscii {version}. Accented letters of SMALL, digits of BIG, and the icons are this
project's own drawings. See FONTS-LICENSE beside this file.

X_INDEX[g] is the first column of glyph g, X_INDEX[g + 1] the one after its last. X_DATA holds
page after page of a glyph, a byte for each column, lowest bit on top, from byte
X_INDEX[g] * pages on. Two-byte numbers are little-endian.
"""

from array import array
'''


def folds_source(*blocks):
    lines = [f"FOLD_{first:X} = {literal(fold_block(first, last))}\n" for first, last in blocks]
    return "# Base letters of characters without a glyph\n\n" + "\n".join(lines)


def fonts_source():
    """The text of fonts.py."""
    icons = b"".join(columns(rows_of_art(art), 1) for art in ICONS.values())
    extra = b"".join(ord(c).to_bytes(2, "little") for c in EXTRA)
    count = ASCII_LAST - ASCII_FIRST + 1 + len(EXTRA)
    parts = [
        head_source("Fonts and icons."),
        f"""DIGIT_FIRST = {DIGIT_FIRST:#x}
DIGIT_LAST = {DIGIT_LAST:#x}
# Code points of the glyphs after ASCII
EXTRA = array('H', {literal(extra)})
""",
        font_source("SMALL", small_font()[:count], 1),
        font_source("TEXT", text_font()[:count], 2),
        font_source("BIG", digit_font(14, 24, 4), 3),
        folds_source(FOLD_SIGN_BLOCK),
        f"# Icons of 8 bytes each\nICONS = {literal(icons)}\n",
        f"ICON_NAMES = {' '.join(ICONS)!r}\n",
        "".join(f"ICON_{name.upper()} = {k}\n" for k, name in enumerate(ICONS)),
    ]
    return "\n".join(parts)


def letters_source():
    """The text of letters.py."""
    parts = [
        head_source("The text fonts with the letters beyond ASCII."),
        font_source("SMALL", small_font(), 1),
        font_source("TEXT", text_font(), 2),
        folds_source(*FOLD_LETTER_BLOCKS),
    ]
    return "\n".join(parts)


def license_source():
    """What must travel with the fonts."""
    distribution = importlib.metadata.distribution("unscii")
    path = next(p for p in distribution.files if p.name.upper().startswith("LICENSE"))
    return (
        "Fonts of the display (keeper/fonts.py and keeper/letters.py)\n"
        "============================================================\n\n"
        "SMALL and TEXT are made from Unscii by Viznut (Ville-Matias Heikkila),\n"
        "http://viznut.fi/unscii/ : unscii-8-thin and unscii-16. Both are in the public domain\n"
        "(of the Unscii faces only unscii-16-full is not, and it is not used).\n"
        "Accented letters of SMALL, the digits of BIG and the icons were drawn for this\n"
        "project and are in the public domain too (CC0 1.0).\n\n"
        f"The data was read from the PyPI package unscii {distribution.version}, whose licence is:\n\n"
        + distribution.locate_file(path).read_text(encoding="utf-8").rstrip()
        + "\n"
    )


def generate(root):
    """Write the files under the project folder `root`, if they differ. Returns the paths."""
    paths = []
    made = ((FONTS_PATH, fonts_source()), (LETTERS_PATH, letters_source()), (LICENSE_PATH, license_source()))
    for name, text in made:
        path = Path(root) / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


class CustomBuildHook(BuildHookInterface):
    """Makes the fonts before hatchling collects the files (sdist, wheel and editable)."""

    def initialize(self, version, build_data):
        generate(self.root)
        build_data["artifacts"] += ["/" + FONTS_PATH, "/" + LETTERS_PATH, "/" + LICENSE_PATH]

    def clean(self, versions):
        for name in (FONTS_PATH, LETTERS_PATH, LICENSE_PATH):
            (Path(self.root) / name).unlink(missing_ok=True)


if __name__ == "__main__":
    for made in generate(Path(__file__).resolve().parent.parent):
        print(made)
