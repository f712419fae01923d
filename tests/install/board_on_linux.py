"""MicroPython on Linux only: runs the installer's scripts on a littlefs image, as a Pico would.

``micropython board_on_linux.py IMAGE OPERATIONS SCRIPT...``: every write to the image goes into the file OPERATIONS.
"""

import struct
import sys

import vfs

BLOCK = 4096


class Device:
    def __init__(self, image, log):
        self.data = bytearray(image)
        self.log = log

    def readblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        buffer[:] = memoryview(self.data)[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        self._note(block * BLOCK + offset, buffer)

    def _note(self, at, buffer):
        self.log.write(struct.pack("<II", at, len(buffer)))
        self.log.write(buffer)
        self.data[at : at + len(buffer)] = buffer

    def ioctl(self, op, block):
        if op == 4:
            return len(self.data) // BLOCK
        if op == 5:
            return BLOCK
        if op == 6:
            self._note(block * BLOCK, b"\xff" * BLOCK)
            return 0


class Machine:
    def unique_id():
        return b"\x01\x02\x03\x04\x05\x06\x07\x08"


class Flash:
    def __init__(self):
        self.readblocks = device.readblocks


class Rp2:
    Flash = Flash


image = open(sys.argv[1], "r+b")  # noqa: SIM115 - no file can be opened here once "/" is the board's
device = Device(image.read(), open(sys.argv[2], "ab"))  # noqa: SIM115
scripts = []
for path in sys.argv[3:]:
    with open(path, "rb") as file:
        scripts.append(file.read())
sys.modules["machine"] = Machine
sys.modules["rp2"] = Rp2
vfs.umount("/")
vfs.mount(vfs.VfsLfs2(device, progsize=256, readsize=32, lookahead=32), "/")
names = {}
try:
    for script in scripts:
        exec(script, names)
finally:
    device.log.close()
    image.seek(0)
    image.write(device.data)
    image.close()
