"""MicroPython only: real littlefs on a block device in memory that writes down every operation."""

import os

import vfs

BLOCK = 4096


class Device:
    """A block device. ``on`` is called before every program or erase with (block, offset, data or None).

    programs counts pages of 256 bytes, erases counts blocks; a device that is ``dead`` changes nothing more.
    """

    def __init__(self, blocks, image=None):
        self.data = bytearray(b"\xff" * (blocks * BLOCK)) if image is None else bytearray(image)
        self.on = None
        self.programs = 0
        self.erases = 0

    def readblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        buffer[:] = memoryview(self.data)[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        if self.on is not None:
            self.on(block, offset, buffer)
        self.programs += (len(buffer) + 255) // 256
        at = block * BLOCK + offset
        self.data[at : at + len(buffer)] = buffer

    def ioctl(self, op, block):
        if op == 4:
            return len(self.data) // BLOCK
        if op == 5:
            return BLOCK
        if op == 6:
            if self.on is not None:
                self.on(block, 0, None)
            self.erases += 1
            at = block * BLOCK
            self.data[at : at + BLOCK] = b"\xff" * BLOCK
            return 0


def mount(device, path="/disk", new=False):
    """Mount a device, formatted first where it is new; as on the Pico."""
    if new:
        vfs.VfsLfs2.mkfs(device, progsize=256, readsize=32, lookahead=32)
    vfs.mount(vfs.VfsLfs2(device, progsize=256, readsize=32, lookahead=32), path)
    if new:
        os.mkdir(path + "/data")


def unmount(path="/disk"):
    vfs.umount(path)
