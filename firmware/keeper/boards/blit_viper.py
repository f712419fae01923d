"""keeper/blit.py as machine code, which stands in its place on the Pico (host/bazzi/bundle.py).

A test compares every result with blit.py.
"""

import micropython


@micropython.viper
def copy(dst: ptr8, at: int, src: ptr8, start: int, n: int, flip: int):  # noqa: F821
    """See keeper.blit.copy."""
    end = at + n
    while at < end:
        dst[at] = src[start] ^ flip
        at += 1
        start += 1


@micropython.viper
def mix(dst: ptr8, at: int, n: int, keep: int, flip: int):  # noqa: F821
    """See keeper.blit.mix."""
    end = at + n
    while at < end:
        dst[at] = (dst[at] & keep) ^ flip
        at += 1


@micropython.viper
def changed(new: ptr8, at: int, old: ptr8, start: int, x: int) -> int:  # noqa: F821
    """See keeper.blit.changed."""
    while x < 128 and new[at + x] == old[start + x]:
        x += 1
    if x >= 128:
        return -1
    first = x
    x += 1
    end = x
    while x < 128 and x - end < 6:
        if new[at + x] != old[start + x]:
            end = x + 1
        x += 1
    return first << 8 | end


@micropython.viper
def shape(text: ptr8, glyphs: ptr16, count: int, index: ptr16, gap: int) -> int:  # noqa: F821
    """See keeper.blit.shape."""
    width = 0
    place = 0
    code = text[0]
    while code:
        if code < 32 or code > 126:
            return -1
        g = code - 32
        glyphs[count] = g
        width += index[g + 1] - index[g] + gap
        count += 1
        place += 1
        code = text[place]
    return width << 8 | count


@micropython.viper
def digits(
    n: int,
    plus: int,
    glyphs: ptr16,  # noqa: F821
    count: int,
    index: ptr16,  # noqa: F821
    gap: int,
    zero: int,
    powers: ptr32,  # noqa: F821
) -> int:
    """See keeper.blit.digits."""
    width = 0
    if n < 0 or plus:
        g = zero - 5
        if n < 0:
            g = zero - 3
            n = 0 - n
        glyphs[count] = g
        width = index[g + 1] - index[g] + gap
        count += 1
    place = 9
    while place and n < powers[place]:
        place -= 1
    while place >= 0:
        g = zero
        power = powers[place]
        while n >= power:
            n -= power
            g += 1
        glyphs[count] = g
        width += index[g + 1] - index[g] + gap
        count += 1
        place -= 1
    return width << 8 | count


@micropython.viper
def put(
    frame: ptr8,  # noqa: F821
    x: int,
    page: int,
    data: ptr8,  # noqa: F821
    index: ptr16,  # noqa: F821
    glyphs: ptr16,  # noqa: F821
    count: int,
    pages: int,
    gap: int,
    flip: int,
    limit: int,
) -> int:
    """See keeper.blit.put."""
    i = 0
    while i < count:
        g = glyphs[i]
        first = index[g]
        full = index[g + 1] - first
        w = full
        if w > limit - x:
            w = limit - x
        after = w + gap
        if after > limit - x:
            after = limit - x
        at = 129 * page + 1 + x
        source = first * pages
        p = 0
        while p < pages:
            column = 0
            while column < w:
                frame[at + column] = data[source + column] ^ flip
                column += 1
            while column < after:
                frame[at + column] = flip
                column += 1
            at += 129
            source += full
            p += 1
        x += after
        i += 1
    return x
