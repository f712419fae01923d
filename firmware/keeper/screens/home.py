"""The home screen."""

from ..pen import RIGHT, SMALL, TEXT, WIDTH
from .base import ListScreen

_NEW = 0
_PAST = 1
_SETTINGS = 2


class HomeScreen(ListScreen):
    """Open matches to resume, a new match, past matches, settings."""

    title = "home.title"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.open = []

    def enter(self):
        self.open = [entry for entry in self.app.journal.entries() if not entry.over]
        self.at = 0
        self.first = 0

    def refresh(self):
        self.app.go(self)

    def count(self):
        return len(self.open) + 3

    def row(self, pen, place, page):
        if place < len(self.open):
            draw_entry(pen, self.app, self.open[place], page)
        else:
            place -= len(self.open)
            id = "home.new" if place == _NEW else "home.past" if place == _PAST else "home.settings"
            pen.id(2, page, id, TEXT)

    def back(self):
        if self.app.session is not None:
            self.app.go_match()

    def ok(self):
        app = self.app
        place = self.at - len(self.open)
        if place < 0:
            entry = self.open[self.at]
            if app.session is not None and app.entry is entry:
                app.go_match()
            else:
                app.open(entry)
        elif place == _NEW:
            app.go(app.part("setup").games)
        elif place == _PAST:
            app.go(app.part("past").past)
        else:
            app.go(app.part("settings").settings)

    def head(self, pen):
        ListScreen.head(self, pen)
        draw_state(pen, self.app)


def draw_state(pen, app):
    """Draw the signs of the journal at the right end of page 0: not synced, nearly full."""
    journal = app.journal
    if journal.full():
        pen.id(60, 0, "save.full", SMALL, RIGHT, WIDTH - 2)
    elif journal.nearly_full():
        pen.id(60, 0, "save.low", SMALL, RIGHT, WIDTH - 2)


def draw_entry(pen, app, entry, page):
    """Draw a match of a list in two pages: game and number, and the players."""
    header = entry.header
    if header is None:
        pen.id(2, page, "past.damaged", SMALL)
        pen.canvas.number_right(WIDTH - 8, page, entry.number, SMALL)
        return
    pen.text(2, page, app.game_titles[header["game"]], SMALL)
    pen.canvas.number_right(WIDTH - 8, page, entry.number, SMALL)
    names = entry.summary or header["players"]  # the summary has the names since a player was renamed
    width = 0
    for name in names:
        width += pen.canvas.text_width(name, SMALL) + 4
    x = 2
    for place in range(len(names)):
        share = WIDTH
        if width > WIDTH - 3 - 2:  # then of every name as much as there is room for
            share = (WIDTH - 5 - x) // (len(names) - place)
        x = pen.text(x, page + 1, names[place], SMALL, right=min(WIDTH - 4, x + share)) + 3
