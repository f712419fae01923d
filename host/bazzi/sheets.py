"""The score sheet of a match, built only from what its Rules class gives: columns, cells, texts, figures, winners.

``Sheet`` holds the rows; ``print_sheet`` shows them to a person, ``export`` writes them as CSV.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared_rules import rules as kinds
from shared_rules import text
from shared_rules.question import WORD
from shared_rules.rules import NO_CELL, Column, Rules
from shared_rules.session import Listener, Session

from .replay import Match
from .terminal import plain

if TYPE_CHECKING:
    from rich.console import Console

DEAL = "deal"
VOID = "void"  # a deal thrown in
ADJUSTMENT = "adjustment"

RUN = 16  # a CELL_RUN is lowest * RUN + highest

# How long a name may be in the table, in character cells (0: the seat's letter), and whether a side is spoken of by
# its players or by its letter: the first pair with which the table fits the terminal.
NAME_STEPS = ((40, True), (14, True), (8, True), (14, False), (8, False), (0, False))


@dataclass(slots=True)
class Row:
    """One row: a row of a deal (``part`` counts them), a deal thrown in, or a correction of the score.

    n          the deal, or the one before the correction; 0 before any
    dealer     seat, or -1 where the game has no deals
    void       place in VOIDS, or -1
    cells      one integer for each of COLUMNS (DEAL only)
    figures    the scores after it, by side or seat; with LEAD each side's lead
    minors     the smaller scores after it, or -1
    side, points, bazzi   of a correction; bazzi: the side it won one for, or -1
    """

    kind: str
    n: int
    part: int
    dealer: int
    void: int
    cells: list[int]
    figures: list[int]
    minors: list[int]
    side: int = -1
    points: int = 0
    bazzi: int = -1


class Sheet(Listener):
    """The rows of a match, and the words for them."""

    def __init__(self, match: Match):
        session = match.session
        self.rules: Rules = session.rules
        self.texts = text.Texts(self.rules, [text.EN])
        self.names: list[str] = list(session.names)
        self.started: str | None = match.header.started
        self.rows: list[Row] = []
        session.play_to(session.steps, self)

    # -- collecting ---------------------------------------------------------------------------

    def restart(self) -> None:
        self.rows.clear()

    def _scores(self) -> tuple[list[int], list[int]]:
        rules = self.rules
        owners = range(rules.SIDES or rules.seats)
        return [rules.figure(owner) for owner in owners], [rules.minor(owner) for owner in owners]

    def deal(self, session: Session, step: int) -> None:
        rules = self.rules
        dealer = rules.dealer if rules.DEALS else -1
        figures, minors = self._scores()
        if rules.void >= 0:
            self.rows.append(Row(VOID, rules.deals, 0, dealer, rules.void, [], figures, minors))
            return
        for part in range(rules.rows()):
            cells = [rules.cell(part, column) for column in range(len(rules.COLUMNS))]
            self.rows.append(Row(DEAL, rules.deals, part, dealer, -1, cells, figures, minors))

    def adjusted(self, session: Session, side: int, points: int) -> None:
        rules = self.rules
        figures, minors = self._scores()
        self.rows.append(Row(ADJUSTMENT, rules.deals, 0, -1, -1, [], figures, minors, side, points, rules.bazzi))

    # -- words --------------------------------------------------------------------------------

    def words(self, id: str) -> str:
        """Return the text of an id, without its places."""
        found = self.texts.get(id)
        return found if type(found) is str else "".join(part for part in found if type(part) is str)

    def game(self) -> str:
        """Return the game's name."""
        return self.words("game." + self.rules.GAME)

    def time(self) -> datetime | None:
        """Return when the match began, at the place where it was played; None where that is not known."""
        return moment(self.started)

    def heading(self, column: Column) -> str:
        """Return the words over a column, without its side."""
        return self.words("c." + column.id)

    def options(self) -> list[str]:
        """Return in words the options that differ from the default."""
        found = []
        for option, code in zip(self.rules.OPTIONS, self.rules.options, strict=True):
            if code != option.default:
                value = self.texts.option(option, code) or str(option.value(code))
                found.append(f"{self.words('o.' + option.id)}: {value}")
        return found

    def cell(self, value: int, column: Column, labels: "Labels") -> str:
        """Return the words for a cell."""
        kind = column.kind
        if value == NO_CELL:
            return ""
        if kind == kinds.CELL_SIGNED:
            return f"{value:+d}" if value else "0"
        if kind == kinds.CELL_SEAT:
            return labels.seats[value]
        if kind == kinds.CELL_SIDE:
            return labels.sides[value]
        if kind == kinds.CELL_WORD and value >= WORD:
            return self.texts.words[value - WORD]
        if kind == kinds.CELL_TEXT:
            return self.words(column.texts[value])
        if kind == kinds.CELL_RUN:
            first, last = divmod(value, RUN)
            return f"{first}" if first == last else f"{first}-{last}"
        return str(value)

    def score(self, labels: "Labels") -> str:
        """Return the score as it stands, in words."""
        rules = self.rules
        figures, minors = self._scores()
        if rules.LEAD:
            lead = figures[0]
            words = "Level" if lead == 0 else f"{labels.sides[0 if lead > 0 else 1]} lead by {abs(lead)}"
        else:
            words = self._each(figures, labels)
        if minors[0] >= 0:
            words += f"; {self.words('score.minor')}: {self._each(minors, labels)}"
        return words

    def _each(self, scores: list[int], labels: "Labels") -> str:
        return ", ".join(f"{name} {score}" for name, score in zip(labels.owners, scores, strict=True))

    def outcome(self, labels: "Labels") -> str:
        """Return who won, or how far the match is."""
        rules = self.rules
        if rules.over:
            winners = [name for place, name in enumerate(labels.owners) if rules.winners >> place & 1]
            if not winners:
                return "Over, without a winner."
            return f"{'Won' if len(winners) == 1 else 'Shared'} by {' and '.join(winners)}."
        if not rules.DEALS:
            return "Not over yet."
        name = labels.seats[rules.whose_deal()]
        return f"Not over yet: {name} is to deal." if rules.dealing else f"Not over yet: a deal of {name} is under way."


def moment(started: str | None) -> datetime | None:
    """Return the time of a "started", with its offset; None where it is missing or no time at all."""
    try:
        return datetime.fromisoformat(started) if started else None
    except ValueError:
        return None


class Labels:
    """The names as they are shown: made safe, cut to ``most`` character cells, told apart where they are equal.

    seats, sides   by number; owners: those who have a score (sides, or seats where all play alone)
    """

    def __init__(self, rules: Rules | type[Rules], names: list[str], most: int = 40, sides_by_name: bool = True):
        words = rules.SEAT_WORDS[: len(names)]
        said = {**text.EN, **rules.EN}
        shown = [plain(name).strip() or said["seat." + word] for name, word in zip(names, words, strict=True)]
        self.seats = [shorten(name, most) or word for name, word in zip(shown, words, strict=True)]
        for name in list(self.seats):
            if most and self.seats.count(name) > 1:
                self.seats = [f"{one} {words[i]}" if one == name else one for i, one in enumerate(self.seats)]
        self.sides: list[str] = []
        if rules.SIDES:
            for side, word in enumerate("AB"):
                pair = [name for seat, name in enumerate(self.seats) if kinds.side_of(seat) == side]
                self.sides.append(" & ".join(pair) if sides_by_name else word)
        self.owners = self.sides or self.seats


def shorten(name: str, most: int) -> str:
    """Return a name cut to so many character cells of a terminal."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(name) <= most:
        return name
    return set_cell_size(name, most - 1).rstrip() + "…" if most else ""


class _Lines:
    """The table as lines of text for one way of naming: headings, and rows with their style.

    Columns of the same thing for each side stand under one heading.
    """

    def __init__(self, sheet: Sheet, labels: Labels):
        from rich.cells import cell_len

        self._cells = cell_len
        rules = sheet.rules
        self.groups: list[tuple[str, int]] = [("", 1)]  # heading, and how many columns stand under it
        self.heads: list[list[str]] = [[]]  # under it, the lines that name the column's side
        self.left = [False]  # which columns are words, set from the left
        if rules.DEALS:
            self._add("dealer", [], True)
        before = None
        for column in rules.COLUMNS:
            side = labels.owners[column.side].replace(" & ", " &\n").split("\n") if column.side >= 0 else []
            words = column.kind in (kinds.CELL_SEAT, kinds.CELL_SIDE, kinds.CELL_WORD, kinds.CELL_TEXT)
            self._add(sheet.heading(column), side, words, bool(side) and before == column.id)
            before = column.id if side else None
        self.body: list[tuple[list[str], str, str]] = []  # cells, words across the rest of the row, style
        for row in sheet.rows:
            self._add_row(row, sheet, labels)
        self.widths = [max([0] + [cell_len(line) for line in head]) for head in self.heads]
        for cells, _, _ in self.body:
            for place, cell in enumerate(cells):
                self.widths[place] = max(self.widths[place], cell_len(cell))
        place = 0
        for heading, count in self.groups:
            place += count
            missing = cell_len(heading) - sum(self.widths[place - count : place]) - (count - 1)
            for spread in range(max(0, missing)):
                self.widths[place - 1 - spread % count] += 1

    def _add(self, heading: str, side: list[str], words: bool, same: bool = False) -> None:
        if same:
            self.groups[-1] = (heading, self.groups[-1][1] + 1)
        else:
            self.groups.append((heading, 1))
        self.heads.append(side)
        self.left.append(words)

    def _add_row(self, row: Row, sheet: Sheet, labels: Labels) -> None:
        first = [str(row.n) if row.part == 0 and row.kind != ADJUSTMENT else ""]
        if sheet.rules.DEALS:
            first.append(labels.seats[row.dealer] if row.dealer >= 0 and row.part == 0 else "")
        if row.kind == DEAL:
            columns = sheet.rules.COLUMNS
            cells = [sheet.cell(value, column, labels) for value, column in zip(row.cells, columns, strict=True)]
            self.body.append((first + cells, "", ""))
        elif row.kind == VOID:
            self.body.append((first, sheet.texts.voids[row.void], "dim"))
        else:
            words = f"correction: {row.points:+d} for {labels.sides[row.side]}"
            if row.bazzi >= 0:
                words += f"; {sheet.words('score.minor')}: {labels.sides[row.bazzi]} +1"
            self.body.append((first[:1], words, "italic"))

    def width(self) -> int:
        """Return how many character cells the widest line takes, one space between columns."""
        return max(self._cells(line) for line, _ in self.lines(1))

    def _line(self, cells: list[str], gap: int, words: str = "") -> str:
        parts = []
        for place, cell in enumerate(cells):
            space = " " * (self.widths[place] - self._cells(cell))
            parts.append(cell + space if self.left[place] else space + cell)
        return (" " * gap).join(parts + [words] * bool(words)).rstrip()

    def _headings(self, gap: int) -> str:
        parts = []
        place = 0
        for heading, count in self.groups:
            width = sum(self.widths[place : place + count]) + gap * (count - 1)
            space = width - self._cells(heading)
            before = space // 2 if count > 1 else 0 if self.left[place] else space
            parts.append(" " * before + heading + " " * (space - before))
            place += count
        return (" " * gap).join(parts).rstrip()

    def lines(self, gap: int) -> list[tuple[str, str]]:
        """Return all lines with their style."""
        deep = max(len(head) for head in self.heads)
        heads = [head + [""] * (deep - len(head)) for head in self.heads]
        found = [(self._headings(gap), "bold")]
        found += [(self._line([head[line] for head in heads], gap), "bold") for line in range(deep)]
        return found + [(self._line(cells, gap, words), style) for cells, words, style in self.body]


def print_sheet(match: Match, console: "Console") -> None:
    """Show the sheet of a match; names get shorter where the terminal is narrow, letters at last."""
    from rich.text import Text

    sheet = Sheet(match)
    full = Labels(sheet.rules, sheet.names)
    time = sheet.time()
    title = sheet.game() + (f", {time:%Y-%m-%d %H:%M}" if time else "")
    console.print(Text(title, "bold"), soft_wrap=True)
    seats = zip(sheet.rules.SEAT_WORDS, full.seats, strict=False)
    console.print(Text("  ".join(f"{word} {name}" for word, name in seats)), soft_wrap=True)
    if full.sides:
        sides = zip("AB", full.sides, strict=True)
        console.print(Text("  ".join(f"{word} {name}" for word, name in sides)), soft_wrap=True)
    options = sheet.options()
    if options:
        console.print(Text("Options: " + "; ".join(options)), soft_wrap=True)
    if sheet.rows:
        for most, sides_by_name in NAME_STEPS:
            table = _Lines(sheet, Labels(sheet.rules, sheet.names, most, sides_by_name))
            if table.width() <= console.width:
                break
        roomy = table.width() + len(table.widths) <= console.width
        console.print()
        for line, style in table.lines(2 if roomy else 1):
            console.print(Text(line, style), soft_wrap=True)
        console.print()
    console.print(Text(sheet.score(full)), soft_wrap=True)
    console.print(Text(sheet.outcome(full), "bold"), soft_wrap=True)
