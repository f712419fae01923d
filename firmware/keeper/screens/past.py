"""The list of all matches."""

from ..pen import CENTER, SMALL
from .base import ListScreen
from .confirm import DO_DELETE
from .home import draw_entry

EN = {
    "past.title": "Past matches",
    "past.over": "over",
    "past.open": "open",
    "past.hint": "OK open  hold: delete",
    "past.delete": "Delete this match?",
    "past.sure": "Sure? It is gone then.",
    "past.unsynced": "Sync it first",
    "past.running": "Not over: end it first",
}


class Part:
    """The screen of this module, loaded when it is needed."""

    EN = EN

    def __init__(self, app):
        self.past = PastScreen(app)


class PastScreen(ListScreen):
    """All matches, newest first: OK opens one, OK held deletes one that is over and synced."""

    title = "past.title"
    hint = "past.hint"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.entries = []

    def enter(self):
        self.entries = self.app.journal.entries()

    def refresh(self):
        self.app.go(self)

    def count(self):
        return len(self.entries)

    def row(self, pen, place, page):
        entry = self.entries[place]
        draw_entry(pen, self.app, entry, page)
        pen.id(50, page, "past.over" if entry.over else "past.open", SMALL, CENTER, 100)

    def draw(self, pen):
        if self.entries:
            ListScreen.draw(self, pen)
        else:
            pen.title(self.title)
            pen.id(0, 3, "home.none", SMALL, CENTER)

    def ok(self):
        if self.entries:
            app = self.app
            entry = self.entries[self.at]
            if app.entry is entry and app.session is not None:
                app.go_match()
            else:
                app.open(entry)

    def ok_held(self):
        if not self.entries:
            return
        app = self.app
        entry = self.entries[self.at]
        if not entry.over:
            app.tell("past.running", self)
        elif entry.synced < entry.records:
            app.tell("past.unsynced", self)
        else:
            app.confirm.ask("past.delete", "past.sure", DO_DELETE, entry.number)

    def delete(self, number):
        """Delete a match that is over and synced, after two confirmations."""
        app = self.app
        if app.entry is not None and app.entry.number == number:
            app.put_aside()
        app.journal.delete(number)
        app.board.forget("keeper.recovery")
        app.go(self)
