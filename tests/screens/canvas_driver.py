"""Drawings of the canvas, for CPython and MicroPython alike; run by test_canvas.py.

    python|micropython canvas_driver.py MODE     with firmware/ and the root on the path

hashes   a line "name hash" for each drawing
locked   every drawing again under micropython.heap_lock(), twice the same frame
viper    blit_viper against blit on random bytes (MicroPython only)
say      texts(), lines() and inverted() of each drawing
"""

import sys

from keeper import blit, fonts
from keeper.canvas import BIG, SMALL, TEXT, letters
from keeper.said import TellingCanvas

NAMES = (
    "Åsa",
    "Jürgen",
    "प्रिया",
    "王",
    "Bob 🐺",
    "Ame\u0301lie",
    "Ștefan",
    "Nguyễn",
    "",
)
BROKEN = b"a\xc3b\xff\x80c\xe2\x82"


def names_small(c):
    for i in range(8):
        c.text(0, i, NAMES[i], SMALL)


def names_text(c):
    for i in range(8):
        c.text(64 * (i & 1), i & 6, NAMES[i], TEXT, limit=64 + 64 * (i & 1))


def score(c):
    c.icon(0, 0, fonts.ICON_DEALER)
    c.text_center(9, 119, 0, "Jürgen deals", SMALL)
    c.icon(120, 0, fonts.ICON_SAVED, 1)
    c.number_center(0, 64, 2, -100, BIG)
    c.number_center(64, 128, 2, 47, BIG, 1)
    c.text(0, 5, "You", TEXT)
    c.text_right(128, 5, "They", TEXT, 1)
    c.number_right(128, 7, -7, SMALL)


def huge(c):
    c.number(0, 0, 26, BIG)
    c.number_right(128, 0, -9, BIG)
    c.number(0, 5, 0, BIG, 1)
    c.number(64, 5, 1073741823, BIG)


def edges(c):
    c.text(120, 0, "Wide at the end", TEXT)
    c.text(-5, 2, "left", SMALL)
    c.text(200, 2, "right", SMALL)
    c.text(0, 7, "below", TEXT)
    c.text(0, -1, "above", SMALL)
    c.text(
        0,
        3,
        "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii" * 3,
        SMALL,
    )
    c.text(0, 4, "🐺" * 60, SMALL)
    c.text(0, 5, BROKEN, SMALL)
    c.number(120, 5, -123, BIG)
    c.icon(125, 6, 0)
    c.fill(-4, -4, 10, 7)
    c.fill(120, 60, 20, 20)
    c.hline(-3, 33, 300)
    c.vline(127, -9, 99)
    c.rect(100, 40, 500, 500)
    c.invert(-8, 6, 60, 9)


def boxes(c):
    for i in range(8):
        c.rect(2 * i + 3, 3 * i + 1, 100 - 7 * i, 50 - 6 * i)
    c.fill(40, 13, 30, 3)
    c.fill(44, 14, 3, 1, 0)
    c.hline(0, 62, 128)
    c.vline(126, 0, 64)
    c.scrollbar(122, 1, 6, 3, 4, 11)
    c.scrollbar(116, 1, 6, 99, 4, 40)
    c.scrollbar(110, 1, 6, 0, 4, 4)


def menu(c):
    for i in range(4):
        c.icon(0, 2 * i, fonts.ICON_CHECKED + (i & 1))
        c.text(10, 2 * i, ("One", "Two", "Three", "Four")[i], TEXT)
    c.invert(0, 2, 128, 2)
    c.fill(60, 48, 10, 16, 0)
    c.text(10, 6, "4", TEXT)


def icons(c):
    for i in range(fonts.ICON_CURSOR + 1):
        c.icon(12 * (i % 10), i // 10, i, i & 1)


def overfull(c):
    """More texts than the canvas remembers, most of them over each other."""
    for i in range(100):
        c.number(40 * (i % 3), i % 8, i, SMALL)


def glyphs(c):
    c.text(0, 0, "…♠♥♦♣←↑→↓✓°·€£¡¿«»", SMALL)
    c.text(0, 1, "…♠♥♦♣←↑→↓✓°·€£¡¿«»", TEXT)
    c.text(0, 3, "ÆØÅæøåßÐðÞþŁłŒœ×÷", SMALL)
    c.text(0, 4, "“a” – ‘b’ − ½ ǎ ș", SMALL)
    c.text(0, 5, "+1.5 -0/2", BIG)


DRAWINGS = (
    names_small, names_text, score, huge, edges, boxes, menu, icons, overfull, glyphs,
)  # fmt: skip


def name_of(drawing):
    return str(drawing).split(" ")[1]


def frame_hash(frame):
    """31-bit checksum that both interpreters have: FNV-1a folded."""
    h = 0x811C9DC5
    for b in frame:
        h = (h ^ b) * 0x01000193 & 0xFFFFFFFF
    return h


def hashes():
    c = TellingCanvas()
    for drawing in DRAWINGS:
        c.clear()
        drawing(c)
        print(name_of(drawing), frame_hash(c.frame))


def say():
    c = TellingCanvas()
    for drawing in DRAWINGS:
        c.clear()
        drawing(c)
        print([ascii_of(t) for t in c.lines()], [ascii_of(t) for t in c.inverted()])
        print([(x, page, ascii_of(what)) for x, page, what in c.texts()])


def ascii_of(text):
    """The same on both interpreters, whatever the terminal."""
    return text if isinstance(text, int) else "".join(f"{ord(ch):04x}" for ch in text)


def locked():
    import micropython

    letters()  # a match has what its names need before it is played
    c = TellingCanvas()
    # `edges` makes long texts while it runs, which is not the canvas's doing.
    for drawing in DRAWINGS:
        if drawing is not edges:
            c.clear()
            micropython.heap_lock()
            drawing(c)
            micropython.heap_unlock()
            expected = frame_hash(c.frame)
            c.clear()
            drawing(c)
            assert frame_hash(c.frame) == expected, drawing
    micropython.heap_lock()
    c.text(100, 0, "Wide at the end", TEXT)
    c.text(0, 7, "below", TEXT)
    c.number(120, 5, -123, BIG)
    c.fill(-4, -4, 10, 7)
    c.text_width("Priya", TEXT)
    c.number_width(-26, BIG)
    micropython.heap_unlock()
    print("locked ok")


def viper():
    from keeper.boards import blit_viper

    seed = 1
    a = bytearray(FRAME)
    b = bytearray(FRAME)
    source = bytearray(300)
    for _ in range(2000):
        values = []
        for _ in range(6):
            seed = (seed * 1103515245 + 12345) & 0x3FFFFFFF
            values.append(seed >> 8)
        source[values[0] % 300] = values[1] & 255
        start, n = values[1] % 200, values[2] % 100
        at = values[3] % (FRAME - 100)
        flip = values[4] & 255 if values[5] & 1 else 255 * (values[5] >> 1 & 1)
        blit.copy(a, at, source, start, n, flip)
        blit_viper.copy(b, at, source, start, n, flip)
        assert a == b, values
        at = values[4] % (FRAME - 100)
        keep = 255 * (values[5] >> 2 & 1) if values[5] & 8 else values[1] & 255
        blit.mix(a, at, n, keep, flip)
        blit_viper.mix(b, at, n, keep, flip)
        assert a == b, values
    for drawing in DRAWINGS:
        plain = TellingCanvas()
        drawing(plain)
        portable = {name: getattr(blit, name) for name in LOOPS}
        try:
            for name in LOOPS:
                setattr(blit, name, getattr(blit_viper, name))
            hooked = TellingCanvas()
            drawing(hooked)
        finally:
            for name in LOOPS:
                setattr(blit, name, portable[name])
        assert hooked.frame == plain.frame, drawing
    old = bytearray(source)
    for place in (0, 1, 7, 8, 100, 127):
        old[place] ^= 4
        x = 0
        while x >= 0:
            x = blit.changed(source, 0, old, 0, x)
            assert blit_viper.changed(source, 0, old, 0, x & 255) == blit.changed(source, 0, old, 0, x & 255)
            x = x & 255 if x >= 0 else x
    print("viper ok")


FRAME = 1033
LOOPS = ("copy", "mix", "changed", "shape", "digits", "put")

if __name__ == "__main__":
    {"hashes": hashes, "locked": locked, "viper": viper, "say": say}[sys.argv[1]]()
