"""The box's picture as text: two pixels a character, with half blocks."""

COLUMNS = 128
PAGES = 8
PITCH = 129
_BLOCKS = " ▀▄█"


def half_blocks(frame: bytes, shift: int = 0, flip: int = 0) -> list[str]:
    """Return a picture as 32 lines of 128 characters; ``shift`` pixels down, turned round where ``flip``."""
    rows = []
    for y in range(PAGES * 8):
        page, bit = divmod((y - shift) % (PAGES * 8), 8)
        start = page * PITCH + 1
        row = [frame[start + x] >> bit & 1 for x in range(COLUMNS)]
        rows.append(row[::-1] if flip else row)
    if flip:
        rows.reverse()
    return [
        "".join(_BLOCKS[top + 2 * bottom] for top, bottom in zip(rows[y], rows[y + 1], strict=True))
        for y in range(0, PAGES * 8, 2)
    ]


def framed(lines: list[str]) -> list[str]:
    """Return the lines in a box."""
    edge = "─" * COLUMNS
    return [f"┌{edge}┐", *(f"│{line}│" for line in lines), f"└{edge}┘"]


def braille(frame: bytes) -> list[str]:
    """Return a picture as 16 lines of 64 characters, eight pixels a character: for narrow terminals and logs."""
    lines = []
    for y in range(0, PAGES * 8, 4):
        line = ""
        for x in range(0, COLUMNS, 2):
            dots = 0
            for place, (dx, dy) in enumerate(((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))):
                page, bit = divmod(y + dy, 8)
                dots |= (frame[page * PITCH + 1 + x + dx] >> bit & 1) << place
            line += chr(0x2800 + dots)
        lines.append(line)
    return lines
