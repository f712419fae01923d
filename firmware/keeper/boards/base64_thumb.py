"""keeper/base64.py in assembler; takes its place on the board. A test compares every result."""

# ruff: noqa: F821 (the words of the assembler are no names of Python)

import micropython

SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


# Arguments: where to, where from, a multiple of 3 bytes, the signs.
@micropython.asm_thumb
def _threes(r0, r1, r2, r3):
    add(r2, r2, r1)
    mov(r7, 63)
    label(NEXT)
    cmp(r1, r2)
    bge(DONE)
    ldrb(r4, [r1, 0])
    ldrb(r5, [r1, 1])
    ldrb(r6, [r1, 2])
    add(r1, 3)
    lsl(r4, r4, 16)
    lsl(r5, r5, 8)
    orr(r4, r5)
    orr(r4, r6)
    lsr(r5, r4, 18)
    add(r5, r5, r3)
    ldrb(r5, [r5, 0])
    strb(r5, [r0, 0])
    lsr(r5, r4, 12)
    and_(r5, r7)
    add(r5, r5, r3)
    ldrb(r5, [r5, 0])
    strb(r5, [r0, 1])
    lsr(r5, r4, 6)
    and_(r5, r7)
    add(r5, r5, r3)
    ldrb(r5, [r5, 0])
    strb(r5, [r0, 2])
    and_(r4, r7)
    add(r4, r4, r3)
    ldrb(r4, [r4, 0])
    strb(r4, [r0, 3])
    add(r0, 4)
    b(NEXT)
    label(DONE)


def encode(dst, src, n):
    """See keeper.base64.encode."""
    rest = n % 3
    n -= rest
    _threes(dst, src, n, SIGNS)
    at = n // 3 * 4
    if rest:
        two = src[n] << 8 | (src[n + 1] if rest == 2 else 0)
        dst[at] = SIGNS[two >> 10]
        dst[at + 1] = SIGNS[two >> 4 & 63]
        dst[at + 2] = SIGNS[two << 2 & 63] if rest == 2 else 61
        dst[at + 3] = 61
        at += 4
    return at
