"""The command line itself: help, mistakes as one line with their code, pipes, Ctrl-C, other languages."""

import json
import os
import shutil
import signal
import subprocess
import sys

import click
import pytest
from bazzi import __version__, cli, errors, match_cli
from bazzi.cli import main
from host_cases import ROOT, ask, command, header, log, seep_deal


@pytest.fixture(autouse=True)
def _own_archive(tmp_path, monkeypatch):
    monkeypatch.setenv("BAZZI_ARCHIVE", str(tmp_path / "archive.sqlite3"))


def said(capsysbinary, *arguments):
    """Run the command in this process; returns (code, standard output, standard error)."""
    code = main(list(arguments))
    out, err = capsysbinary.readouterr()
    return code, out.decode(), err.decode()


def test_version_and_help(capsysbinary):
    assert said(capsysbinary, "--version") == (0, f"bazzi {__version__}\n", "")
    code, out, err = said(capsysbinary, "--help")
    assert (code, err) == (0, "")
    assert said(capsysbinary) == (0, out, "")
    for word in ("Matches:", "Examples:", "Exit codes:", "replay", "completion"):
        assert word in out
    for code, meaning in cli.exit_codes():
        assert f"  {code}" in out and meaning[:30] in out


def test_exit_codes_are_those_of_the_errors():
    known = {int(code) for code, _ in cli.exit_codes()}
    kinds = {kind.exit_code for kind in errors.BazziError.__subclasses__()}
    assert kinds | {0, 1, 130, cli.PIPE_CODE} == known


def test_every_command_has_help(capsysbinary):
    with click.Context(cli.cli, info_name="bazzi") as context:
        names = cli.cli.list_commands(context)
    assert {"replay", "matches", "show", "export", "import", "forget", "completion"} <= set(names)
    for name in names:
        code, out, err = said(capsysbinary, name, "--help")
        assert code == 0 and out.startswith(f"Usage: bazzi {name}") and err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        ["--nosuch"],
        ["replay"],
        ["replay", "a", "b"],
        ["replay", "--jsn", "a"],
        ["show"],
        ["export", "--format", "xml"],
        ["export", "--delimiter", ";"],
        ["export", "--format", "csv", "--delimiter", ";;"],
        ["export", "--format", "csv", "--delimiter", "\n"],
        ["export", "--format", "csv", "--delimiter", '"'],
        ["import"],
        ["completion", "tcsh"],
        ["show", "last"],
        ["show", "1"],
        ["show", ""],
        ["show", "\udcff"],
        ["export"],
        ["export", "x"],
        ["forget", "1", "--yes"],
        ["import", "nosuch.jsonl"],
    ],
    ids=str,
)
def test_wrong_input_is_one_line_and_code_2(capsysbinary, arguments):
    code, out, err = said(capsysbinary, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and err.endswith("\n") and "Traceback" not in err


def test_a_fault_is_one_line_and_code_1(capsysbinary, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("x\ny")

    monkeypatch.setattr(match_cli, "read_file", fail)
    code, out, err = said(capsysbinary, "replay", "x")
    assert (code, out) == (1, "")
    assert err.count("\n") == 1 and "ZeroDivisionError" in err and "report" in err


def test_ctrl_c_is_130(capsysbinary, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(match_cli, "read_file", interrupt)
    assert said(capsysbinary, "replay", "x") == (130, "", "bazzi: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_ctrl_c_while_it_waits_for_input():
    path = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware", "."))
    code = (
        "import signal, sys; from bazzi import cli, match_cli; read = match_cli._read;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"  # who runs the tests may ignore it
        "match_cli._read = lambda name: (print('up', flush=True), read(name))[1]; sys.exit(cli.main())"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", code, "replay", "-"],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert run.stdout.readline() == b"up\n"  # it is about to read standard input, which never ends
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err) == (130, b"", b"bazzi: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="pipes are different there")
@pytest.mark.parametrize("arguments", [["--help"], ["replay", "m", "--json"], ["replay", "m"]], ids=str)
def test_a_closed_pipe_is_silent(tmp_path, arguments):
    (tmp_path / "m").write_bytes(log(header(), *seep_deal("N", 60)))
    reading, writing = os.pipe()
    os.close(reading)  # nobody will ever read
    path = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware", "."))
    run = subprocess.run(
        [sys.executable, "-m", "bazzi", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (run.returncode, run.stderr) == (cli.PIPE_CODE, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("option", [[], ["--json"]], ids=str)
def test_a_full_disk_behind_standard_output(tmp_path, option):
    (tmp_path / "m").write_bytes(log(header()))
    path = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware", "."))
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "bazzi", "replay", str(tmp_path / "m"), *option],
            env={**os.environ, "PYTHONPATH": path},
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert run.returncode == 5
    assert run.stderr == b"bazzi: the output cannot be written: no space left on device\n"


def test_standard_input_for_a_log():
    good = log(header(), *seep_deal("N", 60))
    run = command("replay", "-", "--json", stdin=good)
    assert run.returncode == 0 and run.stdout.startswith(b'{"game": "seep"')
    run = command("replay", "-", "--json", stdin=good + b"{}\n")
    assert run.returncode == 2 and run.stderr.startswith(b"-:6: ")


@pytest.mark.skipif(os.name == "nt", reason="file names are text there")
def test_a_file_name_that_is_no_text():
    run = command(b"replay", b"no\xffsuch")
    assert run.returncode == 2
    assert run.stderr == b"no\xffsuch: cannot be read: no such file or directory\n"


LOCALES = [
    {"LC_ALL": "C"},
    {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
    {"LC_ALL": "en_IN"},
    {"PYTHONIOENCODING": "ascii"},
]


def test_every_locale_gets_the_same_bytes(tmp_path):
    """Field report 102: no decimal comma, no other separator, no other encoding for the country."""
    path = str(tmp_path / "m.jsonl")
    first = header(players=["Jürgen; x", "प्रिया", "王, 明", 'a "b"'], match="m")
    (tmp_path / "m.jsonl").write_bytes(log(first, *seep_deal("N", 60)))
    assert command("import", path, BAZZI_ARCHIVE=str(tmp_path / "a.sqlite3")).returncode == 0
    exports = [["export", "m", "--format", form] for form in ("jsonl", "json", "csv")]
    for_programs = [["replay", path, "--json"], ["show", "m", "--json"], ["matches", "--json"], *exports]
    for_people = [["replay", path], ["show", "m"], ["matches"], ["--help"]]
    places = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware", "."))
    code = "import json, sys; from bazzi.cli import main; sys.exit(max([main(one) for one in json.loads(sys.argv[1])]))"
    seen = set()
    for locale in LOCALES:
        for commands in (for_programs, for_people):
            run = subprocess.run(
                [sys.executable, "-c", code, json.dumps(commands)],
                env={**os.environ, "PYTHONPATH": places, "BAZZI_ARCHIVE": str(tmp_path / "a.sqlite3"), **locale},
                capture_output=True,
                timeout=120,
                check=False,
            )
            assert (run.returncode, run.stderr) == (0, b"")
            if commands is for_programs:
                seen.add(run.stdout)
    assert len(seen) == 1


@pytest.mark.parametrize("shell", cli.SHELLS)
def test_completion_scripts(capsysbinary, shell):
    code, out, err = said(capsysbinary, "completion", shell)
    assert code == 0 and err == "" and cli.COMPLETE_VARIABLE in out
    program = shutil.which(shell)
    if program and shell != "fish":
        check = subprocess.run([program, "-n"], input=out.encode(), capture_output=True, timeout=60, check=False)
        assert check.returncode == 0, check.stderr


def test_completion_of_commands_and_matches(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_bytes(log(header(match="e661-7")))
    archive = str(tmp_path / "a.sqlite3")
    assert command("import", str(path), BAZZI_ARCHIVE=archive).returncode == 0
    words = {"_BAZZI_COMPLETE": "bash_complete", "BAZZI_ARCHIVE": archive}
    run = command(COMP_WORDS="bazzi ex", COMP_CWORD="1", **words)
    assert run.stdout == b"plain,export\n"
    run = command(COMP_WORDS="bazzi show e6", COMP_CWORD="2", **words)
    assert run.stdout == b"plain,e661-7\n"


def test_a_start_does_not_load_what_it_does_not_need():
    """Start-up stays quick: no database, no terminal library for ``replay --json`` and ``--version``."""
    path = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware", "."))
    code = (
        "import sys; from bazzi.cli import main; code = main();"
        "heavy = {'rich', 'sqlite3', 'csv', 'platformdirs', 'serial', 'hashlib'} & set(sys.modules);"
        "sys.exit(f'loaded: {heavy}' if heavy else code)"
    )
    for arguments in (["--version"], ["replay", "-", "--json"]):
        run = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            input=log(header(), ask("deal", "N")),
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (run.returncode, run.stderr) == (0, b"")
