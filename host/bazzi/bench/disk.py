"""What the journal writes: bytes kept, bytes written and flushes for each deal."""

import tempfile

from keeper import store
from keeper.journal import Journal

from shared_rules.record import SIZE

from .figures import say

DEALS = 250
ANSWERS = 4  # of an ordinary deal


class CountingFile:
    """A file that counts what is written."""

    def __init__(self, file, counts: dict[str, int]):
        self._file = file
        self._counts = counts

    def write(self, data: bytes) -> int:
        """Count and write."""
        self._counts["bytes"] += len(data)
        return self._file.write(data)

    def __getattr__(self, name: str):
        return getattr(self._file, name)


class CountingFiles(store.Files):
    """The file operations of the box, counted."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = {"bytes": 0, "flushes": 0, "opened": 0}

    def open(self, path: str, mode: str):
        """Count and open."""
        self.counts["opened"] += 1
        return CountingFile(super().open(path, mode), self.counts)

    def sync(self, file) -> None:
        """Count and flush."""
        self.counts["flushes"] += 1
        file.flush()


def run() -> None:
    """Print the figures."""
    files = CountingFiles()
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(folder, "bench", bytes, lambda: 1 << 29, files=files)
        journal.scan()
        header = {"game": "", "options": {}, "players": ["N", "E", "S", "W"], "dealer": "N"}
        entry = journal.create(header)
        journal.resume(entry, _Nobody())
        before = dict(files.counts)
        for deal in range(DEALS):
            journal.prepare()
            for answer in range(ANSWERS):
                journal.answer(answer, 0, 0, deal * 60 + answer)
        made = {name: (files.counts[name] - before[name]) / DEALS for name in before}
        journal.close()
    say("bytes of a record", SIZE, "at most 16")
    say("bytes kept a deal", ANSWERS * SIZE)
    say("bytes written a deal", made["bytes"])
    say("flushes a deal", made["flushes"])
    say("files opened a deal", made["opened"], "0")


class _Nobody:
    """A session that takes no record: the journal is new."""

    names: list[str] = []

    def reserve(self, steps: int) -> None:
        """There is nothing to make room for."""
