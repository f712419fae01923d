"""The application under MicroPython on Linux: the same bytecode as on the board, driven through pipes.

``micropython -X heapsize=192k -m keeper.boards.unix FOLDER COMMANDS ANSWERS SEED LOCK``: FOLDER holds
the matches; COMMANDS and ANSWERS are named pipes for whoever drives the box; standard input and
output are the serial line. A command is a line, and each is answered by a line:

``keys MASK``  these keys are down from now on               -> ``ok``
``run MS``     let so many milliseconds pass                 -> ``ok``
``frame``      the picture, its light and contrast           -> ``frame ON CONTRAST SHIFT FLIP HEX``
``texts``      what the screen says                          -> ``texts JSON``
``heap``       bytes allocated now, and since the last time  -> ``heap ALLOCATED GROWN``
``quit``                                                     -> ``bye``

Time passes only in ``run``; between commands the serial line is served. With LOCK 1 the heap is
locked in every step of ``run`` but those in which a deal opens, so that an allocation is an error.
"""

import gc
import json
import os
import select
import sys
from binascii import hexlify

import micropython

from keeper import ticks
from keeper.app import App
from keeper.journal import Journal
from keeper.said import TellingCanvas
from keeper.settings import Settings

STEP_MS = 5


class Board:
    """The board object of the application."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.now = 0
        self.mask = 0
        self.frame = None
        self.on = True
        self.contrast = 0
        self.shift = 0
        self.flip = 0
        self.device_id = "unix"
        self._seed = seed
        self._clock = ""
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._one = bytearray(1)
        for _ in self._out.ipoll(0):
            break
        for _ in self._poll.ipoll(0):  # the first call allocates
            break

    def now_ms(self):
        return self.now

    def held(self):
        return self.mask

    def pending(self):
        return False

    def show(self, frame):
        self.frame = frame

    def light(self, on, contrast, shift, flip):
        self.on = on
        self.contrast = contrast
        self.shift = shift
        self.flip = flip

    def panel(self, controller, offset):
        pass

    def read_into(self, buffer):
        count = 0
        one = self._one
        while count < len(buffer):
            ready = False
            for _ in self._poll.ipoll(0):
                ready = True
            if not ready or not sys.stdin.buffer.readinto(one):
                break
            buffer[count] = one[0]
            count += 1
        return count

    def write(self, buffer, start, end):
        for _ in self._out.ipoll(0):  # never waits for a reader
            return sys.stdout.buffer.write(buffer, start, min(end - start, 64))
        return 0

    def random(self, count):
        self._seed = (self._seed * 75 + 74) % 65537
        return self._seed * count // 65537

    def random_bytes(self, count):
        return os.urandom(count)

    def steadily(self, work):
        """As on the Pico: call ``work`` with the heap locked; False: it needed memory."""
        micropython.heap_lock()
        try:
            work()
            return True
        except MemoryError:
            return False
        finally:
            micropython.heap_unlock()

    def beep(self, kind):
        pass

    def clock(self):
        return self._clock

    def set_clock(self, text):
        self._clock = text

    def idle(self, ms):
        pass

    def forget(self, module):
        """Let go of a module, so that its memory can be used again."""
        if sys.modules.pop(module, None) is not None:
            parent, _, name = module.rpartition(".")
            delattr(sys.modules[parent], name)
            gc.collect()

    def tidy(self):
        gc.collect()

    def free_bytes(self):
        stat = os.statvfs(self.folder)
        return min(stat[0] * stat[3], 0x3FFFFFFF)


class Driver:
    """Reads commands, moves time, answers."""

    def __init__(self, folder, commands, answers, seed, lock):
        self.board = Board(folder, seed)
        self.lock = lock
        settings = Settings(folder)
        settings.load()
        journal = Journal(folder, self.board.device_id, self.board.random_bytes, self.board.free_bytes)
        journal.scan()
        self.app = App(self.board, journal, settings, TellingCanvas())
        self.app.start()
        self.app.step(0)
        self._in = open(commands, "rb")
        self._out = open(answers, "wb")
        self._allocated = 0
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)

    def run(self):
        """Serve commands and the serial line until told to quit."""
        while True:
            ready = False
            for _ in self._poll.ipoll(2):
                ready = True
            if not ready:
                self.app.serve(self.board.now)
                continue
            line = self._in.readline()
            if not line or not self._command(line.decode().split()):
                self.app.journal.close()
                return

    def _command(self, words):
        command = words[0]
        board = self.board
        answer = "ok"
        if command == "keys":
            board.mask = int(words[1])
        elif command == "run":
            self._pass(int(words[1]))
        elif command == "frame":
            answer = "frame %d %d %d %d %s" % (
                board.on,
                board.contrast,
                board.shift,
                board.flip,
                hexlify(board.frame).decode(),
            )
        elif command == "texts":
            answer = "texts " + json.dumps([self.app.canvas.lines(), self.app.canvas.inverted()])
        elif command == "heap":
            gc.collect()
            taken = gc.mem_alloc()
            answer = "heap %d %d" % (taken, taken - self._allocated)
            self._allocated = taken
        elif command == "quit":
            self._say("bye")
            return False
        else:
            answer = "unknown"
        self._say(answer)
        return True

    def _say(self, text):
        self._out.write(text.encode() + b"\n")  # not flushed: files here have no buffer, and a pipe no fsync

    def _pass(self, ms):
        app = self.app
        board = self.board
        step = app.step  # bound here: taking a method allocates
        for _ in range(max(1, ms // STEP_MS)):
            board.now = ticks.add(board.now, STEP_MS)
            if self.lock and not app.opening():
                micropython.heap_lock()
                try:
                    step(board.now)
                finally:
                    micropython.heap_unlock()
            else:
                step(board.now)


if __name__ == "__main__":
    Driver(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5] == "1").run()
