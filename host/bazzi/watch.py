"""Following the match that is being played on a box: each deal is told as it ends, and stored."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from shared_rules.rules import Column

from .archive import Archive
from .link import Box, Hello, Listed, Live
from .sheets import ADJUSTMENT, VOID, Labels, Row, Sheet
from .sync import Fetch

INTERVAL_S = 1.0
MATCH = "match"  # kinds of events: another match is being played,
DEAL = "deal"  # a deal ended,
CHANGED = "changed"  # one told before is different now, or taken back (then there is no row),
OVER = "over"  # the match is over

Event = dict[str, Any]
NOTHING = Live(-1, 0, 0)


class Watcher:
    """Gives what happens on a box as events: objects for a program, with "text" for a person."""

    def __init__(self, box: Box, hello: Hello, archive: Archive):
        self._box = box
        self._device = hello.device
        self._archive = archive
        self._live = NOTHING
        self._fetch: Fetch | None = None
        self._told: list[tuple[Any, ...]] = []
        self._over = False

    def look(self) -> Iterator[Event]:
        """Ask the box once and give what happened since; raises LinkError, ArchiveError."""
        live = self._box.live()
        if live == self._live:
            return
        former, self._live = self._live, live
        if not live.match:
            self._fetch = None
            return
        fetch = self._fetch
        if fetch is None or live.match != former.match or live.records < fetch.records:
            fetch = self._fetch = Fetch(self._box, self._archive, self._device, Listed(live.match, 0, "open", -1))
            fetch.begin(None)
            self._told = []
            self._over = False
            fetch.follow(live.records)
            yield self._event(MATCH)
        elif not fetch.outcome.trouble:
            fetch.follow(live.records)
        if fetch.match is None or fetch.outcome.trouble:
            return
        yield from self._changes(fetch)

    def _event(self, kind: str, **more: Any) -> Event:
        assert self._fetch is not None
        event = {"event": kind, "match": self._fetch.outcome.match, **more}
        if kind == MATCH:
            event["trouble"] = self._fetch.outcome.trouble or None
            event["text"] = f"match {event['match'] or self._fetch.outcome.number}"
            if self._fetch.outcome.trouble:
                event["text"] += f" cannot be followed: {self._fetch.outcome.trouble}"
            elif self._fetch.match is not None:
                sheet = Sheet(self._fetch.match)
                labels = Labels(sheet.rules, sheet.names)
                event["text"] = f"{sheet.game()}: {' - '.join(labels.owners)}"
        return event

    def _changes(self, fetch: Fetch) -> Iterator[Event]:
        """Compare the rows of the sheet with those told before."""
        assert fetch.match is not None
        sheet = Sheet(fetch.match)
        labels = Labels(sheet.rules, sheet.names)
        result = fetch.match.result()
        rows = [_plain(row) for row in sheet.rows]
        grown = False
        for place, row in enumerate(sheet.rows):
            new = place >= len(self._told)
            if not new and self._told[place] == rows[place]:
                continue
            grown = True
            yield self._event(
                DEAL if new else CHANGED,
                n=row.n,
                deal=next((deal for deal in result["deals"] if deal["n"] == row.n), None),
                text=("" if new else "now ") + row_text(row, sheet, labels),
            )
        for gone in self._told[len(rows) :]:
            grown = True
            yield self._event(CHANGED, n=gone[1], deal=None, text=f"deal {gone[1]} was taken back")
        over = result["over"]
        if grown or over != self._over:
            fetch.mark()  # once a deal, because the box writes its index for it
            if self._told != rows:
                yield self._event("score", score=result["score"], text=sheet.score(labels))
        if over and not self._over:
            yield self._event(OVER, winner=result["winner"], score=result["score"], text=sheet.outcome(labels))
        self._told = rows
        self._over = over

    def run(self, tell: Callable[[Event], None], wait: Callable[[float], None] = time.sleep) -> None:
        """Look again and again, until Ctrl-C (KeyboardInterrupt) or an error; ``tell`` gets the events."""
        while True:
            for event in self.look():
                tell(event)
            wait(INTERVAL_S)


def _plain(row: Row) -> tuple[Any, ...]:
    """Return a row's own words and numbers, without the score after it, which earlier rows change too."""
    return (row.kind, row.n, row.part, row.dealer, row.void, tuple(row.cells), row.side, row.points)


def row_text(row: Row, sheet: Sheet, labels: Labels) -> str:
    """Return a row of a sheet as one line of words."""
    if row.kind == ADJUSTMENT:
        return f"correction: {row.points:+d} for {labels.sides[row.side]}"
    head = f"deal {row.n}" + (f" ({labels.seats[row.dealer]} dealt)" if row.dealer >= 0 else "")
    if row.kind == VOID:
        return f"{head}: {sheet.texts.voids[row.void]}"
    cells = []
    column: Column
    for column, value in zip(sheet.rules.COLUMNS, row.cells, strict=True):
        words = sheet.cell(value, column, labels)
        if words:
            owner = f" {labels.owners[column.side]}" if column.side >= 0 else ""
            cells.append(f"{sheet.heading(column)}{owner} {words}")
    return f"{head}: {', '.join(cells)}"
