"""PROTOCOL.md says what the programs do."""

import re
from pathlib import Path

import pytest
from bazzi import line, link
from bazzi.line import parse_reply, seal
from bazzi.sim.box import Box
from keeper import link as device
from link_tools import begin, deal

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "host" / "bazzi" / "PROTOCOL.md").read_text(encoding="utf-8")
SOURCE = (ROOT / "firmware" / "keeper" / "link.py").read_text(encoding="utf-8")
EXAMPLES = [text for text in PAGE.split("## Examples")[1].splitlines() if text[:1] in "<>" and text]
TABLE = {row.split("`")[1].split()[0]: row for row in PAGE.splitlines() if row.startswith("| `")}


def test_the_checks_of_all_examples_are_right():
    assert len(EXAMPLES) > 20
    for example in EXAMPLES:
        assert example[1:].encode() == seal(example[1:].rpartition("*")[0])


def test_every_command_is_described_and_shown():
    commands = {name.decode() for name in device._COMMANDS}
    assert commands == set(TABLE)
    shown = {example.split()[1].partition("*")[0] for example in EXAMPLES if example[0] == ">"}
    assert shown == commands | {"jump"}


def test_every_reason_is_described_and_has_words():
    reasons = set(re.findall(r'Refused\("([a-z.]+)"\)', SOURCE)) | {"memory", "fault"}
    reasons |= {"name.empty", "name.long", "name.sign", "roster.full"}
    assert reasons == set(line.REASONS)
    for reason in reasons:
        assert f"`{reason}`" in PAGE


def test_the_numbers_are_those_of_the_programs():
    assert ".".join(str(part) for part in link.PROTOCOL) == device.PROTOCOL
    assert f"version {device.PROTOCOL}" in PAGE and f"protocol={device.PROTOCOL}" in PAGE
    assert f"request has at most {device.MOST_REQUEST} characters, a reply at most 1000" in PAGE
    assert f"{line.MOST_REPLY} in a line of a stream" in PAGE and f"up to {device.MANY} records" in PAGE
    assert f"(since {link.STREAMS[0]}.{link.STREAMS[1]})" in PAGE
    assert f"single requests, {device.RECORDS} records" in PAGE
    assert f"`ID` is 1 to {device.MOST_ID} characters" in PAGE
    assert f"up to {device.RECORDS} records" in PAGE and f"up to {device.HEAD_BYTES} bytes" in PAGE
    assert f"up to {device._MATCHES} of them" in PAGE and f"up to {device._TEXTS} of them" in PAGE
    assert f"at most {device._TEXT_BYTES} bytes" in PAGE
    assert f"after {line.SILENT_S:g} s without a byte" in PAGE
    assert f"at most {line.TRIES} times and {line.MOST_S:g} s in all" in PAGE


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e[0] == ">"])
def test_the_examples_are_understood(tmp_path, example):
    """Each is answered by a box with three matches, as the page shows where it shows the answer."""
    box = Box(tmp_path / "box", seed=1)
    for dealer in "NES":
        begin(box, dealer="NESW".index(dealer))
        deal(box, dealer, 60)
    if "noname" in example:
        box.app.settings.add_name("Priya")
    box.board.line_in += example.encode() + b"\n"
    box.run(100)
    id, words, whole = parse_reply(bytes(box.board.line_out).strip().split(b"\n")[0])
    assert whole and id == example[1:].split()[0]
    shown = [parse_reply(e.encode())[1] for e in EXAMPLES if e.startswith(f"<{id} ")] or [["ok"]]
    assert words[0] == shown[0][0] and (words[0] == "ok" or words == shown[0])
    box.close()
