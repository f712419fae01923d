"""mpremote as a process: what its last words become, and that it never outlives us. A stand-in plays mpremote."""

import os

import pytest
from bazzi.errors import ArchiveError, InputError, LinkError, PortError
from bazzi.remote import BoardFault, NoPrompt, Remote

ECHO = """
import json, sys
print("@" + json.dumps(sys.argv[1:]))
for path in sys.argv[5::2]:
    print("@" + open(path).read())
print("noise")
"""


@pytest.fixture
def mpremote(tmp_path, monkeypatch):
    """Let a program stand in for mpremote; returns a function that gives it its text."""
    (tmp_path / "mpremote").mkdir()
    main = tmp_path / "mpremote" / "__main__.py"
    (tmp_path / "mpremote" / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    return main.write_text


def test_the_port_is_explicit_and_the_board_is_never_reset_by_the_way(mpremote):
    mpremote(ECHO)
    seen = []
    lines = Remote("COM12").run(["one", "two"], seen.append)
    assert lines == ['["connect", "COM12", "resume", "run", "0.py", "run", "1.py"]', "one", "two"] == seen
    mpremote("import sys; assert sys.argv[1:] == ['connect', 'COM12', 'resume', 'reset']")
    Remote("COM12").reset()


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ("mpremote: failed to access X (it may be in use by another program)", PortError, "bazzi doctor --port X"),
        ("mpremote: no device found", PortError, "cannot be used"),
        ("could not enter raw repl", NoPrompt, "hold BACK while you plug it in"),
        ('  File "/x/mpremote/transport_serial.py", line 3\nOSError: [Errno 5] broken', LinkError, "broke off"),
        ("serial.serialutil.SerialException: gone", LinkError, "broke off"),
        ("Traceback\n  File \"<stdin>\"\nOSError: [Errno 28] ENOSPC", ArchiveError, "disk is full"),
        ("Traceback\nMemoryError: memory allocation failed", LinkError, "too little memory"),
        ("/x/python: No module named mpremote", InputError, "pip install mpremote"),
        ("Traceback\nNameError: name 'x' isn't defined", BoardFault, "NameError"),
        ("", BoardFault, "says nothing"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_line_that_says_what_to_do(mpremote, words, error, said):
    mpremote(f"import sys; print('@before'); print({words!r}); sys.exit(1)")
    with pytest.raises(error, match=said) as caught:
        Remote("X").run([""])
    assert type(caught.value) is error
    assert "\n" not in str(caught.value) and str(caught.value).startswith(("X:", "mpremote is"))
    if error is BoardFault:
        assert caught.value.lines == ["before"]


def test_a_silent_mpremote_is_ended(mpremote, tmp_path):
    mpremote(f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(1000)")
    with pytest.raises(LinkError, match=r"says nothing for 0\.5 s"):
        Remote("X", quiet_s=0.5).run([""])
    if (tmp_path / "pid").exists():
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "pid").read_text()), 0)


def test_mpremote_ends_with_whoever_waits_for_it(mpremote, tmp_path):
    mpremote(
        f"import os, time\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "print('@go', flush=True)\ntime.sleep(1000)"
    )

    def interrupt(line):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Remote("X").run([""], interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_prompt_that_is_hard_to_reach_is_tried_again(mpremote, tmp_path):
    mpremote(
        f"import os, sys\nplace = {str(tmp_path / 'tries')!r}\ntries = os.path.exists(place)\nopen(place, 'w')\n"
        "print('@in' if tries else 'could not enter raw repl'); sys.exit(not tries)"
    )
    assert Remote("X").run([""]) == ["in"]
