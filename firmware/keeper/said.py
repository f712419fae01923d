"""What a canvas says: its texts read back, for tests and for who looks on over the link. All of it allocates.

On a board the canvas notes nothing; who looks on has the screen drawn once more, on one that does.

Text that was drawn over is left out; text that was cut has an ellipsis at its end.
"""

from keeper import fonts
from keeper.canvas import EXTRA, ICON, INVERTED, KIND, LATIN, PLUS, SKIP, TEXT_ITEM, WIPED, Canvas, glyph_of
from shared_rules.question import const

_SLOTS = const(80)  # as many as the fullest screen, the grid, draws
_TOUCH_PX = 3  # no further apart are the parts of one text


class TellingCanvas(Canvas):
    """A canvas that notes what is drawn on it: extents, kind, characters left by a cut, object."""

    def __init__(self, frame=None):
        self.x0 = bytearray(_SLOTS)
        self.x1 = bytearray(_SLOTS)
        self.page = bytearray(_SLOTS)
        self.end = bytearray(_SLOTS)
        self.kind = bytearray(_SLOTS)
        self.cut = bytearray(_SLOTS)
        self.what = [None] * _SLOTS
        Canvas.__init__(self, frame)
        self.telling = True

    def texts(self):
        """Return [(x, page, what)] in reading order: a str as it was given, an int, '<name>' for an icon."""
        return texts(self)

    def lines(self):
        """Return the screen as it is read: a str for each row that has text."""
        return lines(self)

    def inverted(self):
        """Return the texts that stand dark on light, in reading order."""
        return inverted(self)

    def invert(self, x, page, width, pages=1):
        """See Canvas.invert."""
        Canvas.invert(self, x, page, width, pages)
        for i in range(self.used):
            inside = x <= self.x0[i] and self.x1[i] <= x + width
            if inside and page <= self.page[i] and self.end[i] <= page + pages:
                self.kind[i] ^= INVERTED

    def note(self, x0, x1, page, pages, kind, what, invert, cut):
        """Remember what was drawn. When all slots are taken, drop what was drawn over."""
        if self.used == _SLOTS:
            keep = 0
            for i in range(_SLOTS):
                if not self.covered(i):
                    self.x0[keep] = self.x0[i]
                    self.x1[keep] = self.x1[i]
                    self.page[keep] = self.page[i]
                    self.end[keep] = self.end[i]
                    self.kind[keep] = self.kind[i]
                    self.cut[keep] = self.cut[i]
                    self.what[keep] = self.what[i]
                    keep += 1
            if keep == _SLOTS:
                keep -= 1
            self.used = keep
        i = self.used
        self.x0[i] = x0
        self.x1[i] = x1
        self.page[i] = page
        self.end[i] = page + pages
        self.kind[i] = kind | INVERTED if invert else kind
        self.cut[i] = cut
        self.what[i] = what
        self.used = i + 1

    def covered(self, i):
        """Whether something was drawn later where slot i is."""
        for j in range(i + 1, self.used):
            beside = self.x0[j] >= self.x1[i] or self.x0[i] >= self.x1[j]
            if not beside and self.page[j] < self.end[i] and self.page[i] < self.end[j]:
                return True
        return False


def visible(s):
    """Return what of a str is seen: every character as it is drawn in SMALL and TEXT."""
    out = ""
    for c in s:
        g = glyph_of(ord(c))
        if g >= LATIN:
            out += chr(g - LATIN + 0xC0)
        elif g >= EXTRA:
            out += chr(fonts.EXTRA[g - EXTRA])
        elif g >= 0:
            out += chr(g + 32)
    return out


def texts(canvas):
    """Return [(x, page, what)] in reading order: a str as it was given, an int for a number, '<name>' for an icon."""
    out = []
    for i in _shown(canvas):
        kind = canvas.kind[i] & KIND
        what = _said(canvas, i) if kind == TEXT_ITEM or kind == ICON else canvas.what[i]
        out.append((canvas.x0[i], canvas.page[i], what))
    return out


def lines(canvas):
    """Return a str for each row that has text, from left to right, with a space between texts that do not touch."""
    out = []
    page = -1
    end = 0
    for i in _shown(canvas):
        said = visible(_said(canvas, i))
        if canvas.page[i] == page:
            out[-1] += said if canvas.x0[i] - end <= _TOUCH_PX else " " + said
        else:
            out.append(said)
            page = canvas.page[i]
        end = canvas.x1[i]
    return out


def inverted(canvas):
    """Return the texts that stand dark on light, in reading order."""
    return [visible(_said(canvas, i)) for i in _shown(canvas) if canvas.kind[i] & INVERTED]


def _said(canvas, i):
    what = canvas.what[i]
    kind = canvas.kind[i] & KIND
    if kind == ICON:
        return "<" + fonts.ICON_NAMES.split(" ")[what] + ">"
    if kind == PLUS and what >= 0:
        return "+" + str(what)
    if kind != TEXT_ITEM:
        return "…" if canvas.cut[i] else str(what)
    if not isinstance(what, str):
        try:
            what = bytes(what).decode("utf-8")
        except UnicodeError:
            what = "?"
    if not canvas.cut[i]:
        return what
    left = canvas.cut[i] - 1
    out = ""
    for c in what:
        if glyph_of(ord(c)) != SKIP:
            if not left:
                break
            left -= 1
        out += c
    return out + "…"


def _shown(canvas):
    """Return the items that nothing was drawn over, in reading order."""
    order = []
    for i in range(canvas.used):
        if not canvas.covered(i) and canvas.kind[i] & KIND != WIPED:
            order.append((canvas.page[i], canvas.x0[i], i))
    order.sort()
    return [entry[2] for entry in order]
