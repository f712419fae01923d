"""The application shows the same pixels and says the same words under CPython and under MicroPython."""

import pytest
from bazzi.sim.box import Box
from bazzi.sim.demo import script_of
from bazzi.sim.micro import MicroBox
from bazzi.sim.script import Script
from keeper.settings import Settings

from shared_rules import catalog


def pictures(box, game):
    """Return the picture and the texts after each command of a game's demonstration."""
    seen = []
    script = Script(box, game, lambda command: seen.append((command, box.frame(), box.lines())))
    script.run(script_of(game).read_text(encoding="utf-8").splitlines())
    box.close()
    return seen


@pytest.mark.parametrize("game", catalog.GAMES)
def test_every_screen_of_a_demonstration_is_the_same_on_both_interpreters(tmp_path, game):
    here = pictures(Box(tmp_path / "here", seed=1), game)
    there = pictures(MicroBox(tmp_path / "there", seed=1), game)
    assert len(here) == len(there) > 30
    for (command, frame, lines), (_, other_frame, other_lines) in zip(here, there, strict=True):
        assert lines == other_lines, command
        assert frame == other_frame, command
    assert len({frame for _, frame, _ in here}) > 20


def test_the_first_game_plays_in_a_heap_of_192k_and_allocates_only_room_for_its_steps(tmp_path):
    """The heap is locked from key press to flush, drawing included, in all steps but those that open a deal."""
    box = MicroBox(tmp_path / "box", lock=True, heap="192k")
    script = Script(box, "deals")
    script.run(["press OK OK DOWN DOWN RIGHT UP UP OK", "expect Who deals?"])
    for _ in range(12):  # fifty each, so that the difference stays 0 and the match goes on
        script.run(["press OK RIGHT OK OK UP DOWN OK OK", "expect Who deals?"])
    assert box.lines()[0].startswith("Deal 13")  # the one that is next
    box.close()


def test_names_beyond_ascii_allocate_nothing_in_play_either(tmp_path):
    """Their letters are loaded with the match, when it begins and when it is resumed."""
    folder = tmp_path / "box"
    folder.mkdir()
    settings = Settings(str(folder))
    for name in ("Łucja", "Zoë", "Nguyễn", "Ǆivo"):
        assert settings.add_name(name) == (name, "")
    assert settings.save()
    box = MicroBox(folder, lock=True)
    script = Script(box, "deals")
    script.run(["press OK OK DOWN DOWN RIGHT UP UP OK", "expect Who deals?"])
    script.run(["press OK RIGHT OK OK UP DOWN OK OK", "expect Who deals?"])
    box.cut()
    script.run(["expect Who deals?", "press OK RIGHT OK OK UP DOWN OK", "expect Łucja"])
    box.close()
