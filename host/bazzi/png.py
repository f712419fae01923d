"""A frame of the display as a picture."""

OFF = (6, 10, 16)
ON = (150, 215, 255)


def frame_to_png(frame, path, scale=6):
    """Write a frame (bytes in the layout of keeper/canvas.py, 128 x 64 px) to a PNG file.

    Every pixel becomes scale x scale, with a dark seam as on the panel if there is room.
    """
    from PIL import Image

    picture = Image.new("RGB", (128 * scale, 64 * scale), OFF)
    seam = 1 if scale >= 4 else 0
    for y in range(64):
        for x in range(128):
            if frame[129 * (y >> 3) + 1 + x] >> (y & 7) & 1:
                left, top = x * scale, y * scale
                picture.paste(ON, (left, top, left + scale - seam, top + scale - seam))
    picture.save(path)
