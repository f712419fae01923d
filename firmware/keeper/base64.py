"""Base64 into a buffer that is there, for the link's streams: the one of ``binascii`` allocates.

On the Pico boards/base64_thumb.py stands in the place of this module.
"""

SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def encode(dst, src, n):
    """Write src[:n] as base64 to dst; returns how many signs that are. Allocates nothing."""
    rest = n % 3
    n -= rest
    at = 0
    for place in range(0, n, 3):
        three = src[place] << 16 | src[place + 1] << 8 | src[place + 2]
        dst[at] = SIGNS[three >> 18]
        dst[at + 1] = SIGNS[three >> 12 & 63]
        dst[at + 2] = SIGNS[three >> 6 & 63]
        dst[at + 3] = SIGNS[three & 63]
        at += 4
    if rest:
        two = src[n] << 8 | (src[n + 1] if rest == 2 else 0)
        dst[at] = SIGNS[two >> 10]
        dst[at + 1] = SIGNS[two >> 4 & 63]
        dst[at + 2] = SIGNS[two << 2 & 63] if rest == 2 else 61
        dst[at + 3] = 61
        at += 4
    return at
