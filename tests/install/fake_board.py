"""A board for the installer without hardware: its scripts run under MicroPython on Linux, on a littlefs image.

What would start on it is reckoned from the files, strictly: /main.py has to name a folder of which every file is
whole, or the test fails, because then a pulled cable could have left a mixture.
"""

import hashlib
import json
import re
import struct
import subprocess
from pathlib import Path

from bazzi import payload
from bazzi.emulator import make_image, read_image
from bazzi.errors import LinkError
from bazzi.link import Hello, Listed
from bazzi.remote import MARK, BoardFault
from bazzi.sim.micro import interpreter

DRIVER = Path(__file__).parent / "board_on_linux.py"
PICO = {"name": "micropython", "version": [1, 24, 1], "mpy": 0x1306, "machine": "Raspberry Pi Pico", "platform": "rp2"}
DATA = {"/data/m1.hdr": b"header", "/data/m1.log": bytes(range(256)) * 5, "/data/tail": b"t" * 192}


class Killed(Exception):
    """The installer was killed."""


class Mixture(AssertionError):
    """What is on the board would start, and is no version that was installed as a whole."""


def starts(files):
    """Return the version that files on a board start, "" for none of ours; raises Mixture."""
    main = payload.read_main(files.get("/main.py", b"").decode())
    if main is None:
        return ""
    version, folder = main
    listed = json.loads(files.get(f"{folder}/manifest.json", b"{}"))
    if listed.get("version") != version:
        raise Mixture(f"/main.py names {version}, its list of files {listed.get('version')}")
    for name, digest in listed["files"].items():
        if hashlib.sha256(files.get(f"{folder}/{name}", b"")).hexdigest() != digest:
            raise Mixture(f"{folder}/{name} is not whole")
    return version


class FakeBoard:
    """A board and its remote in one. ``who`` is what it says of itself; ``matches`` what its application lists.

    kill_after  the installer is killed when so many pieces of files were written, None: never
    calls       scripts that were run; resets; pieces: paths written over the port
    """

    def __init__(self, folder, files=None, who=None, matches=()):
        self.port = "fake"
        self.image = folder / "image"
        self.log = folder / "operations"
        self.image.write_bytes(make_image({"/data/": b""} if files is None else files))
        self.log.write_bytes(b"")
        self.who = {**PICO, **(who or {})}
        self.matches = list(matches)
        self.kill_after = None
        self.running = True
        self.stale_hello = None
        self.calls = []
        self.resets = 0
        self.pieces = []
        self._folder = folder

    # -- remote -------------------------------------------------------------------------------------

    def run(self, scripts, step=lambda line: None):
        self.running = False
        scripts, killed = self._until_killed(scripts)
        paths = []
        for number, script in enumerate(scripts):
            paths.append(self._folder / f"script{number}.py")
            paths[-1].write_bytes(script.encode("latin-1"))
        self.calls += scripts
        command = [interpreter(), "-X", "heapsize=8m", DRIVER, self.image, self.log, *paths]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [line[1:] for line in result.stdout.splitlines() if line.startswith(MARK)]
        lines = [self._as_pico(line) for line in lines]
        for line in lines:
            if line.startswith("p "):
                self.pieces.append(json.loads(line[2:]))
            step(line)
        if killed:
            raise Killed
        if result.returncode:
            raise BoardFault("fake: a step on the board failed", lines, result.stdout + result.stderr)
        return lines

    def reset(self):
        self.resets += 1
        self.running = True

    def _as_pico(self, line):
        if not line.startswith("who "):
            return line
        return "who " + json.dumps(list(self.who.values()))

    def _until_killed(self, scripts):
        if self.kill_after is None:
            return scripts, False
        kept = []
        for script in scripts:
            lines = re.findall(".*\n", script)
            ends = [number + 1 for number, line in enumerate(lines) if line.startswith("say('p'")]
            if len(ends) > self.kill_after:
                kept.append("".join(lines[: ends[self.kill_after - 1]]) if self.kill_after else "pass")
                return kept, True
            self.kill_after -= len(ends)
            kept.append(script)
        return kept, False

    # -- what the tests look at ------------------------------------------------------------------------

    def files(self):
        return read_image(self.image.read_bytes())

    def put(self, changes):
        """Change files as somebody else would; None removes one."""
        files = {**self.files(), **changes}
        self.image.write_bytes(make_image({path: data for path, data in files.items() if data is not None}))

    def starts(self):
        return starts(self.files())

    def hello(self):
        """Return what the application says after a start."""
        version = self.starts() if self.running else ""
        if not version:
            raise LinkError("fake: the board is at the MicroPython prompt")
        return Hello((1, 0), self.stale_hello or version, "0102030405060708", 0, 1, "", "ok")

    def operations(self):
        """Return (offset, bytes) of every write and erase so far."""
        data = self.log.read_bytes()
        found = []
        at = 0
        while at < len(data):
            offset, size = struct.unpack_from("<II", data, at)
            found.append((offset, data[at + 8 : at + 8 + size]))
            at += 8 + size
        return found


def listed(number, records, synced, state="over"):
    return Listed(number, records, state, synced)
