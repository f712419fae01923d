"""Scripts for a simulated box: presses, waits, expectations, pictures, power cuts.

One command a line; ``#`` begins a comment:

``press KEY [KEY ...]``   press keys one after the other (UP RIGHT DOWN LEFT OK BACK; ``OK*3`` three times)
``hold KEY [MS]``         hold a key, 800 ms if nothing is said
``wait MS``               let time pass
``expect TEXT``           the screen has to say this (runs of blanks count as one)
``refuse TEXT``           the screen must not say this
``marked TEXT``           this has to stand reversed
``shot FILE``             save the picture as PNG, six times as large
``cut``                   pull the plug and put it in again
``note TEXT``             show a line to whoever watches
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import CheckError, InputError
from .box import KEYS, AnyBox

PRESS_MS = 40
GAP_MS = 40
HOLD_MS = 800


class Script:
    """Runs the lines of a script on a box.

    name   stands in messages
    watch  called after each command with the words of it, for who wants to show the screen
    base   the folder where pictures go
    """

    def __init__(
        self, box: AnyBox, name: str = "script", watch: Callable[[str], None] | None = None, base: Path = Path()
    ):
        self._box = box
        self._name = name
        self._watch = watch
        self._base = base
        self.presses = 0
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "press": self._press,
            "hold": self._hold,
            "wait": self._wait,
            "expect": self._expect,
            "refuse": self._refuse,
            "marked": self._marked,
            "shot": self._shot,
            "cut": self._cut,
            "note": lambda words: None,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Run all lines; raises InputError for what is no command, CheckError for what does not hold."""
        for number, line in enumerate(lines, 1):
            words = line.split("#", 1)[0].split()
            if not words:
                continue
            command = self._commands.get(words[0])
            if command is None:
                raise InputError(
                    f"{self._name}:{number}: {words[0]!r} is no command; possible: {', '.join(self._commands)}"
                )
            try:
                command(words[1:])
            except (ValueError, IndexError):
                raise InputError(f"{self._name}:{number}: {line.strip()!r} is not understood") from None
            except (CheckError, InputError) as error:
                raise type(error)(f"{self._name}:{number}: {error}") from None
            if self._watch is not None:
                self._watch(" ".join(words))

    def _cut(self, words: list[str]) -> None:
        if words:
            raise ValueError(words)
        self._box.cut()

    @staticmethod
    def _count(word: str) -> int:
        if int(word) < 1:
            raise ValueError(word)
        return int(word)

    @staticmethod
    def _text(words: list[str]) -> str:
        if not words:
            raise ValueError("nothing to look for")
        return " ".join(words)

    def _key(self, word: str) -> int:
        if word not in KEYS:
            raise InputError(f"{word!r} is no key; possible: {', '.join(KEYS)}")
        return 1 << KEYS.index(word)

    def _press(self, words: list[str]) -> None:
        self._text(words)
        for word in words:
            key, _, times = word.partition("*")
            for _ in range(self._count(times or "1")):
                self._box.hold(self._key(key))
                self._box.run(PRESS_MS)
                self._box.hold(0)
                self._box.run(GAP_MS)
                self.presses += 1
                if self._watch is not None:
                    self._watch(f"press {key}")

    def _hold(self, words: list[str]) -> None:
        self._box.hold(self._key(words[0]))
        self._box.run(self._count(words[1]) if len(words) > 1 else HOLD_MS)
        self._box.hold(0)
        self._box.run(GAP_MS)
        self.presses += 1

    def _wait(self, words: list[str]) -> None:
        self._box.run(self._count(words[0]))

    def _said(self) -> str:
        return "\n".join(" ".join(line.split()) for line in self._box.lines())

    def _expect(self, words: list[str]) -> None:
        if self._text(words) not in self._said():
            raise CheckError(f"the screen does not say {' '.join(words)!r}; it says: {self._flat()}")

    def _refuse(self, words: list[str]) -> None:
        if self._text(words) in self._said():
            raise CheckError(f"the screen says {' '.join(words)!r}: {self._flat()}")

    def _marked(self, words: list[str]) -> None:
        if self._text(words) not in " | ".join(self._box.inverted()):
            raise CheckError(f"{' '.join(words)!r} is not marked; marked: {' | '.join(self._box.inverted())}")

    def _flat(self) -> str:
        return self._said().replace("\n", " | ")

    def _shot(self, words: list[str]) -> None:
        from ..png import frame_to_png

        path = self._base / self._text(words)
        if path.suffix != ".png":
            raise InputError(f"{path}: a picture is a .png file")
        try:
            frame_to_png(self._box.frame(), str(path))
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
