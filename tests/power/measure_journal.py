"""What the journal costs: bytes and flushes per deal, flash operations per answer. ``measure()`` prints them."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
for folder in (HERE, ROOT, ROOT / "firmware"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from power_files import MemoryFiles  # noqa: E402
from power_script import Runner, deal, journal_in  # noqa: E402

DEALS = 300


def measure():
    """Print bytes and flushes per deal, and with MicroPython's littlefs the page programs and erases per answer."""
    files = MemoryFiles()
    runner = Runner(journal_in("d", files))
    runner.play([("create",), ("resume", 1)])
    written, flushes, opened = files.written, files.flushes, [0]

    def count(name, path):
        opened[0] += name == "open"

    files.on = count
    runner.play(deal(50) * DEALS)
    kept = len(runner.records[1])
    print(
        f"journal, deals of {kept // 16 / DEALS:.0f} answers without sweep: {kept / DEALS:.0f} bytes kept, "
        f"{(files.written - written) / DEALS:.0f} bytes written, {(files.flushes - flushes) / DEALS:.2f} flushes, "
        f"{opened[0] / DEALS:.2f} files opened per deal"
    )
    micropython = Path(sys.executable).parent / "micropython"
    if micropython.exists():
        path = os.pathsep.join(str(folder) for folder in (ROOT / "firmware", ROOT, HERE))
        script = str(HERE / "lfs_measure.py")
        subprocess.run([str(micropython), script], env={**os.environ, "MICROPYPATH": path}, check=True)


if __name__ == "__main__":
    measure()
