"""The innermost loops of the canvas (copy, mix) and the panel (copy, changed), in Python that runs everywhere.

A board may replace them: `canvas.copy = ...; canvas.mix = ...` with functions of the same
arguments and the same results (boards/blit_viper.py). Nobody checks bounds here: the
canvas has clipped already.
"""


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
