"""What a canvas says: its texts read back, for tests and for who looks on over the link. All of it allocates.

Text that was drawn over is left out; text that was cut has an ellipsis at its end.
"""

from keeper import fonts
from keeper.canvas import EXTRA, ICON, INVERTED, KIND, LATIN, PLUS, SKIP, TEXT_ITEM, WIPED, glyph_of

_TOUCH_PX = 3  # no further apart are the parts of one text


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
