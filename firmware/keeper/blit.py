"""The innermost loops of the canvas and the panel, in Python that runs everywhere.

On the Pico boards/blit_viper.py stands in the place of this module: machine code of the same
arguments and the same results (host/bazzi/bundle.py). Nobody checks bounds here: the canvas has
clipped already.
"""

PITCH = 129  # bytes from one page of a frame to the next


def copy(dst, at, src, start, n, flip):
    """n bytes src[start..] to dst[at..], each one XOR `flip` (0 as they are, 255 inverted)."""
    if flip:
        for i in range(at, at + n):
            dst[i] = src[start] ^ flip
            start += 1
    else:
        for i in range(at, at + n):
            dst[i] = src[start]
            start += 1


def mix(dst, at, n, keep, flip):
    """n bytes of dst from `at` on become (byte & keep) ^ flip.

    Fill: keep 0, flip the value. Invert: keep 255, flip 255. Set the bits of a mask: keep
    255 ^ mask, flip mask; clear them: keep 255 ^ mask, flip 0.
    """
    if keep:
        for i in range(at, at + n):
            dst[i] = dst[i] & keep ^ flip
    else:
        for i in range(at, at + n):
            dst[i] = flip


def changed(new, at, old, start, x):
    """The next columns from x on in which two pages of 128 differ: first << 8 | end, -1 if none do.

    The pages are new[at..] and old[start..]. Up to five equal columns in between are taken along:
    beginning anew would cost the display as many bytes.
    """
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


def shape(text, glyphs, count, index, gap):
    """The glyphs of a text that ends with a zero byte, from glyphs[count] on: their width << 8 | count with them.

    The width is in px, with a gap after each. Only for signs of ASCII: -1 where there is any other byte.
    """
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


def digits(n, plus, glyphs, count, index, gap, zero, powers):
    """The glyphs of an integer, as ``shape``; with its sign where it is negative or ``plus`` is set.

    zero  the glyph of 0; powers  1, 10, 100, ... 1000000000
    """
    width = 0
    if n < 0 or plus:
        g = zero - 5  # +
        if n < 0:
            g = zero - 3  # -
            n = -n
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


def put(frame, x, page, data, index, glyphs, count, pages, gap, flip, limit):
    """Draw glyphs side by side from x on, `gap` px after each, cut off at limit. Returns the x after them.

    data has the columns of each page of glyph g one after the other, from pages * index[g] on.
    """
    for i in range(count):
        g = glyphs[i]
        first = index[g]
        full = index[g + 1] - first
        w = min(full, limit - x)
        at = PITCH * page + 1 + x
        source = first * pages
        for _ in range(pages):
            for column in range(w):
                frame[at + column] = data[source + column] ^ flip
            for column in range(w, min(w + gap, limit - x)):
                frame[at + column] = flip
            at += PITCH
            source += full
        x = min(x + w + gap, limit)
    return x
