"""The journal under the interpreter of the box: real littlefs, a locked heap, the same answers as here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MICROPYTHON = Path(sys.executable).parent / "micropython"

pytestmark = pytest.mark.skipif(not MICROPYTHON.exists(), reason="no MicroPython for this platform")


def run(script, *arguments, heap):
    """Run a script of this folder under MicroPython; returns what it printed."""
    path = os.pathsep.join(str(folder) for folder in (ROOT / "firmware", ROOT, HERE))
    done = subprocess.run(
        [str(MICROPYTHON), "-X", "heapsize=" + heap, str(HERE / script), *arguments],
        env={**os.environ, "MICROPYPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0 and "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done.stdout


def test_row_29_no_cut_within_a_flash_operation_of_littlefs_loses_anything_acknowledged():
    lines = run("lfs_cuts.py", heap="64m").splitlines()
    assert [line.split()[0] for line in lines] == ["short", "long"]


def test_no_step_allocates(tmp_path):
    assert run("heap_lock.py", str(tmp_path), heap="192k").startswith("ok 378 records")


def test_store_and_settings_do_the_same_on_both_interpreters(tmp_path):
    (tmp_path / "box").mkdir()
    (tmp_path / "here").mkdir()
    script = HERE / "dual_settings.py"
    here = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "here")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "firmware"), str(ROOT)])},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert len(here.splitlines()) > 30
    assert run("dual_settings.py", str(tmp_path / "box"), heap="1m") == here
