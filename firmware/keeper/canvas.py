"""Letters, big digits, icons and boxes on a frame of 128 x 64 pixels, and what they say.

The frame is a bytearray of 8 * 129 + 1 bytes: page p (eight rows of pixels) begins at byte
129 * p with 0x40, the control byte that the display wants before data, then come 128 column
bytes, lowest bit on top. So a page is an I2C message as it lies there. Text stands on pages,
never between them. x counts pixels from the left, 0..127, y from the top, 0..63, page 0..7.

No drawing call allocates, but the first of a letter beyond ASCII, which loads letters.py; none
raises; all clip at the edge of the screen. What takes its time on the board, loops over letters and
bytes, is in blit.py. `texts()`, `lines()` and `inverted()` allocate: they are for tests and for the link.

Fonts: SMALL 1 page, TEXT 2 pages: ASCII, Latin-1 letters, Latin Extended-A, and … ♠ ♥ ♦ ♣
← ↑ → ↓ ✓ ° · € £ ¡ ¿ « ». Anything else becomes the letter or sign it is built on where a
table has it (ế -> e, Ș -> S, curly quotes, dashes); combining marks and joiners vanish
(e + U+0301 -> e); the rest is '?', one for each character. BIG (3 pages, 24 px) has digits, + - and the full
stop, and leaves out everything else.
"""

from array import array

from keeper import blit, fonts
from keeper.micro import TEXT_BYTES, pack_into, utf8_into
from shared_rules.question import const

WIDTH = const(128)
HEIGHT = const(64)
PAGES = const(8)
PITCH = const(129)
FRAME_BYTES = const(1033)

TEXT_ITEM = const(0)
NUMBER = const(1)
PLUS = const(2)
ICON = const(3)
WIPED = const(4)
INVERTED = const(8)
KIND = const(7)

SKIP = const(-1)
EXTRA = const(95)  # glyph of … : after the 95 of ASCII
LATIN = const(113)  # glyph of À: after the 18 of EXTRA; this one and what follows is in letters.py
_QUESTION = const(31)
_GLYPHS = const(256)  # that a line may have
_PARTS = const(12)
_TOO_WIDE = const(9999)
_POWERS = array("i", [1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000])


class Font:
    """A font of `pages` * 8 px; between two glyphs stay `gap` px."""

    def __init__(self, pages, gap, first, index, data, smaller):
        self.pages = pages
        self.gap = gap
        self.first = first  # code point of glyph 0
        self.zero = 48 - first  # glyph of the digit 0
        self.digits_only = first != 32
        self.index = index
        self.data = data
        self.smaller = smaller  # what a number is drawn in that has no room, or None


SMALL = Font(1, 1, 32, fonts.SMALL_INDEX, fonts.SMALL_DATA, None)
TEXT = Font(2, 1, 32, fonts.TEXT_INDEX, fonts.TEXT_DATA, SMALL)
BIG = Font(3, 2, fonts.DIGIT_FIRST, fonts.BIG_INDEX, fonts.BIG_DATA, TEXT)


_loaded = []  # letters.py


def letters():
    """Return the module with the letters beyond ASCII; the first call loads it, for good, and allocates.

    Few tables need it, and it takes 8 KB. Whoever plays with such names has it before the match goes on.
    """
    if not _loaded:
        from keeper import letters as module

        _loaded.append(module)
        SMALL.index = module.SMALL_INDEX
        SMALL.data = module.SMALL_DATA
        TEXT.index = module.TEXT_INDEX
        TEXT.data = module.TEXT_DATA
    return _loaded[0]


def glyph_of(code):
    """Glyph in SMALL and TEXT of a code point, -1 if it is drawn as nothing."""
    if code < 0x7F:
        return code - 32 if code >= 32 else _QUESTION
    if code < 0xC0:
        if code == 0xA0:  # no-break space
            return 0
        if code == 0xAD:  # soft hyphen
            return SKIP
    elif code <= 0x17F:
        letters()
        return code - 0xC0 + LATIN
    elif code < 0x250:
        return letters().FOLD_180[code - 0x180] - 32
    elif code < 0x370:
        return SKIP if code >= 0x300 else _QUESTION
    elif code < 0x1E00:
        return _QUESTION
    elif code < 0x1F00:
        return letters().FOLD_1E00[code - 0x1E00] - 32
    elif 0x200B <= code <= 0x200F or 0xFE00 <= code <= 0xFE0F or code == 0xFEFF:
        return SKIP  # zero-width joiners and spaces, variation selectors
    if code < 0x10000:
        for i in range(len(fonts.EXTRA)):
            if fonts.EXTRA[i] == code:
                return EXTRA + i
    if 0x2010 <= code <= 0x203A:
        return fonts.FOLD_2010[code - 0x2010] - 32
    if code == 0x2212:  # minus sign
        return 13
    return _QUESTION


class Canvas:
    """Draws on `frame` (see above; made here if None).

    `limit`: where text and numbers end at the latest, exclusive, if the call does not say.
    """

    def __init__(self, frame=None):
        self.frame = bytearray(FRAME_BYTES) if frame is None else frame
        self.limit = WIDTH
        for page in range(PAGES):
            self.frame[PITCH * page] = 0x40
        self._utf8 = bytearray(TEXT_BYTES + 1)  # a zero is behind the last
        self._glyphs = array("H", [0] * _GLYPHS)
        self._count = 0
        # The line that is put together from parts: what each is, its kind and its width; their widths with gaps.
        self._parts = 0
        self._part = [None] * _PARTS
        self._part_kind = bytearray(_PARTS)
        self._part_width = array("h", [0] * _PARTS)
        self.line_width = 0
        self.telling = False  # whether what is drawn is noted, see keeper.said
        self.used = 0  # how many notes there are since clear()
        self.clear()

    # --- the whole screen ---------------------------------------------------------------

    def clear(self):
        """All dark, nothing said."""
        frame = self.frame
        at = 1
        for _ in range(PAGES):
            pack_into("128s", frame, at, b"")  # fills up with zeros; the fastest way there is
            at += PITCH
        self.used = 0

    def take_back(self, used, page, pages, x=0):
        """Clear pages from x on to the right; there has to be all that was drawn since ``used`` had this value."""
        frame = self.frame
        at = PITCH * page + 1
        for _ in range(pages):
            if x:
                blit.mix(frame, at + x, WIDTH - x, 0, 0)
            else:
                pack_into("128s", frame, at, b"")
            at += PITCH
        self.used = used

    # --- text ---------------------------------------------------------------------------

    def text_width(self, s, font):
        """Pixels that `s` takes, without the gap after it, however wide the screen."""
        return self._shape(s, font)

    def text(self, x, page, s, font, invert=0, limit=0):
        """Draw str (or UTF-8 bytes) `s` with its left end at x. Returns the x after it.

        What does not fit before `limit` is cut, with … at the end. `invert`: dark on light.
        """
        width = self._shape(s, font)
        return self._put(x, page, width, s, TEXT_ITEM, font, invert, limit or self.limit)

    def put_text(self, x, page, width, s, font, limit):
        """Draw `s`, as ``text`` does, just after ``text_width`` returned its width: that saves a second look at it."""
        return self._put(x, page, width, s, TEXT_ITEM, font, 0, limit)

    def text_right(self, x1, page, s, font, invert=0, start=0):
        """Draw `s` so that it ends before x1; cut if longer than from `start`. Returns its x."""
        width = self._shape(s, font)
        x = x1 - width
        x = max(x, start)
        self._put(x, page, width, s, TEXT_ITEM, font, invert, x1)
        return x

    def text_center(self, x0, x1, page, s, font, invert=0):
        """Draw `s` in the middle of x0..x1 (exclusive), cut there. Returns the x after it."""
        width = self._shape(s, font)
        x = x0 + (x1 - x0 - width) // 2
        x = max(x, x0)
        return self._put(x, page, width, s, TEXT_ITEM, font, invert, x1)

    # --- numbers ------------------------------------------------------------------------

    def number_width(self, n, font, plus=0):
        """Pixels that the integer takes, without the gap after it."""
        return self._shape_number(n, font, plus)

    def number(self, x, page, n, font, plus=0, invert=0, limit=0):
        """Draw integer n, with a sign if it is negative or `plus` says so. Returns the x after.

        A number that does not fit before `limit` is drawn in a smaller font, and at last as
        …, never without some of its digits.
        """
        x = max(x, 0)
        limit = min(limit or self.limit, WIDTH)
        width = self._shape_number(n, font, plus)
        while width > limit - x and font.smaller:
            font = font.smaller
            width = self._shape_number(n, font, plus)
        kind = PLUS if plus else NUMBER
        return self._put(x, page, width, n, kind, font, invert, limit)

    def number_right(self, x1, page, n, font, plus=0, invert=0, start=0):
        """Draw n so that it ends before x1, not left of `start`. Returns its x."""
        width = self._shape_number(n, font, plus)
        while width > x1 - start and font.smaller:
            font = font.smaller
            width = self._shape_number(n, font, plus)
        x = x1 - width
        x = max(x, start)
        self._put(x, page, width, n, PLUS if plus else NUMBER, font, invert, x1)
        return x

    def number_center(self, x0, x1, page, n, font, plus=0, invert=0):
        """Draw n in the middle of x0..x1 (exclusive). Returns the x after it."""
        width = self._shape_number(n, font, plus)
        while width > x1 - x0 and font.smaller:
            font = font.smaller
            width = self._shape_number(n, font, plus)
        x = x0 + (x1 - x0 - width) // 2
        x = max(x, x0)
        return self._put(x, page, width, n, PLUS if plus else NUMBER, font, invert, x1)

    # --- a line of texts and numbers ---------------------------------------------------------

    def begin_line(self):
        """Begin a line that is put together from parts of one font, to be measured and then drawn at once.

        `line_width`: its pixels so far, with a gap after each part; _TOO_WIDE px where it has too many.
        """
        self._count = 0
        self._parts = 0
        self.line_width = 0

    def add_text(self, s, font):
        """Add a text to the line."""
        if self._count > _GLYPHS - TEXT_BYTES - 1 or self._parts == _PARTS:
            self.line_width = _TOO_WIDE
            return
        self._add(s, TEXT_ITEM, self._shape(s, font, self._count))

    def add_number(self, n, font, plus=0):
        """Add an integer to the line."""
        if self._count > _GLYPHS - 12 or self._parts == _PARTS:
            self.line_width = _TOO_WIDE
            return
        self._add(n, PLUS if plus else NUMBER, self._shape_number(n, font, plus, self._count))

    def _add(self, what, kind, width):
        place = self._parts
        self._part[place] = what
        self._part_kind[place] = kind
        self._part_width[place] = width
        self._parts = place + 1
        self.line_width += width + 1

    def put_line(self, x, page, font, limit):
        """Draw the line, which has room before `limit`, from x >= 0 on. Returns the x after it."""
        pages = font.pages
        gap = font.gap
        after = x
        if self._count:
            after = blit.put(
                self.frame, x, page, font.data, font.index, self._glyphs, self._count, pages, gap, 0, limit
            )
        for place in range(self._parts):
            width = self._part_width[place]
            if width:
                end = min(x + width + gap, limit)
                if self.telling:
                    self.note(x, end, page, pages, self._part_kind[place], self._part[place], 0, 0)
                x = end
        return after

    # --- icons, boxes ---------------------------------------------------------------------

    def icon(self, x, page, icon, invert=0):
        """Draw icon fonts.ICON_..., 8 x 8 px. Returns the x after it, x + 9."""
        if 0 <= x <= WIDTH - 8 and 0 <= page < PAGES:
            blit.copy(self.frame, PITCH * page + 1 + x, fonts.ICONS, 8 * icon, 8, -invert & 255)
            if self.telling:
                self.note(x, x + 8, page, 1, ICON, icon, invert, 0)
        return x + 9

    def fill(self, x, y, width, height, on=1):
        """Make a rectangle light (or dark). Text in it is gone."""
        self._box(x, y, width, height, on)
        x1 = min(x + width, WIDTH)
        y1 = min(y + height, HEIGHT)
        x = max(x, 0)
        y = max(y, 0)
        if self.telling and x < x1 and y < y1:
            page = y >> 3
            self.note(x, x1, page, ((y1 + 7) >> 3) - page, WIPED, None, 0, 0)

    def hline(self, x, y, width, on=1):
        """A line one pixel high. Lines and frames may touch text: it stays said."""
        self._box(x, y, width, 1, on)

    def vline(self, x, y, height, on=1):
        """A line one pixel wide."""
        self._box(x, y, 1, height, on)

    def rect(self, x, y, width, height, on=1):
        """The outline of a rectangle, one pixel wide."""
        self._box(x, y, width, 1, on)
        self._box(x, y + height - 1, width, 1, on)
        self._box(x, y, 1, height, on)
        self._box(x + width - 1, y, 1, height, on)

    def invert(self, x, page, width, pages=1):
        """Light becomes dark and dark light in `pages` pages: the mark of what is chosen."""
        if x < 0:
            width += x
            x = 0
        width = min(width, WIDTH - x)
        if width <= 0:
            return
        for p in range(page, page + pages):
            if 0 <= p < PAGES:
                blit.mix(self.frame, PITCH * p + 1 + x, width, 255, 255)

    def scrollbar(self, x, page, pages, first, shown, total):
        """A bar 3 px wide: `shown` rows from `first` on are seen of `total`. None if all are."""
        height = 8 * pages
        if total <= shown:
            return
        self._box(x, 8 * page, 3, height, 0)
        self._box(x + 1, 8 * page, 1, height, 1)
        thumb = height * shown // total
        thumb = max(thumb, 5)
        last = total - shown
        first = min(first, last)
        self._box(x, 8 * page + (height - thumb) * first // last, 3, thumb, 1)

    # --- inside -----------------------------------------------------------------------------

    def _shape(self, s, font, start=0):
        """The glyphs of `s` into _glyphs from `start` on, and _count. Returns the width in px."""
        utf8 = self._utf8
        glyphs = self._glyphs
        index = font.index
        digits_only = font.digits_only
        gap = font.gap
        utf8_into(utf8, s)
        if not digits_only:
            shaped = blit.shape(utf8, glyphs, start, index, gap)
            if shaped >= 0:
                self._count = shaped & 255
                return (shaped >> 8) - gap if shaped > 255 else 0
        count = start
        width = 0
        i = 0
        while i < TEXT_BYTES:
            b = utf8[i]
            i += 1
            if b < 0x80:
                if b == 0:
                    break
                g = b - 32
                if g < 0 or b == 0x7F:
                    g = _QUESTION
            else:
                more = 3 if b >= 0xF0 else 2 if b >= 0xE0 else 1 if b >= 0xC0 else 0
                if more and i + more > TEXT_BYTES:
                    break
                code = b & (0x3F >> more)
                while more and utf8[i] & 0xC0 == 0x80:
                    code = code << 6 | utf8[i] & 0x3F
                    i += 1
                    more -= 1
                if more or b < 0xC0:
                    code = 0xFFFD  # not UTF-8
                g = glyph_of(code)
                index = font.index  # it may have been loaded only now
            if digits_only:
                g += 32 - font.first
                if g < 0 or g > 14:
                    continue
            elif g < 0:
                continue
            glyphs[count] = g
            count += 1
            width += index[g + 1] - index[g] + gap
        self._count = count
        return width - gap if count > start else 0

    def _shape_number(self, n, font, plus, start=0):
        """The glyphs of integer n into _glyphs from `start` on, and _count. Returns the width in px."""
        gap = font.gap
        shaped = blit.digits(n, 1 if plus else 0, self._glyphs, start, font.index, gap, font.zero, _POWERS)
        self._count = shaped & 255
        return (shaped >> 8) - gap

    def _put(self, x, page, width, what, kind, font, invert, limit):
        """Draw _glyphs, cut at limit, and record `what`. Returns the x after them."""
        limit = min(limit, WIDTH)
        x = max(x, 0)
        pages = font.pages
        count = self._count
        if page < 0 or page + pages > PAGES or x >= limit or not count:
            return x
        glyphs = self._glyphs
        index = font.index
        gap = font.gap
        cut = 0
        if width > limit - x and not font.digits_only:
            room = limit - x - (index[EXTRA + 1] - index[EXTRA])
            if kind != TEXT_ITEM:
                count = 0
            i = 0
            while i < count:
                g = glyphs[i]
                room -= index[g + 1] - index[g] + gap
                if room < 0:
                    break
                i += 1
            glyphs[i] = EXTRA
            count = i + 1
            cut = count
        start = x
        x = blit.put(self.frame, x, page, font.data, index, glyphs, count, pages, gap, 255 if invert else 0, limit)
        if self.telling:
            self.note(start, x, page, pages, kind, what, invert, cut)
        return x

    def _box(self, x, y, width, height, on):
        if x < 0:
            width += x
            x = 0
        if y < 0:
            height += y
            y = 0
        width = min(width, WIDTH - x)
        height = min(height, HEIGHT - y)
        if width <= 0 or height <= 0:
            return
        bottom = y + height
        for page in range(y >> 3, (bottom + 7) >> 3):
            mask = 255
            if y > 8 * page:
                mask = 255 << (y & 7) & 255
            if bottom < 8 * page + 8:
                mask &= 255 >> (8 * page + 8 - bottom)
            blit.mix(self.frame, PITCH * page + 1 + x, width, 255 ^ mask, mask if on else 0)
