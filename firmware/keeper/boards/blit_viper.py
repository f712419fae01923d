"""keeper/blit.py as machine code, for MicroPython only (mpy-cross -march=armv6m on the Pico).

`canvas.copy = blit_viper.copy; canvas.mix = blit_viper.mix`, or Canvas(frame, copy, mix).
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
    """Return the first column from x on where a page of the new frame differs from the old, 128 for none."""
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
