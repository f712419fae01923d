"""What screens share: the keys' methods, and lists."""

from .. import fonts
from ..keys import DOWN, RIGHT, UP
from ..pen import SMALL, WIDTH

ARROWS = (fonts.ICON_UP, fonts.ICON_RIGHT, fonts.ICON_DOWN, fonts.ICON_LEFT)  # by key


class Screen:
    """One screen. The application calls these; a screen overrides what it needs.

    A screen is made once and entered many times. What it shows in play is drawn without allocating.
    """

    asleep = True  # whether the display may dim and go dark on this screen
    match = False  # whether OK held opens the table menu here, and BACK held offers undo

    def __init__(self, app):
        self.app = app

    def enter(self):
        """The screen is shown from now on."""

    def arrow(self, key, repeat):
        """An arrow key went down, or (``repeat``) is still down."""

    def ok(self):
        """OK was pressed."""

    def back(self):
        """BACK was pressed."""

    def ok_held(self):
        """OK was held."""
        if self.match:
            self.app.open_menu()

    def back_held(self):
        """BACK was held."""
        if self.match:
            self.app.offer_undo()

    def refresh(self):
        """The list of matches changed behind the screen's back."""

    def tick(self, now):
        """Time has passed; mark the application dirty when the picture changes by itself."""

    def draw(self, pen):
        """Draw the whole screen on the cleared canvas."""

    def retouch(self, pen):
        """Draw what an arrow changed (``app.retouch``) over the picture that ``draw`` made; False: that will not do."""
        return False


class ListScreen(Screen):
    """A list to choose from: three large rows, or six small ones."""

    title = ""
    hint = "home.hint"
    small = False

    def __init__(self, app):
        Screen.__init__(self, app)
        self.at = 0
        self.first = 0
        self._marked = -1  # the row that is reversed in the picture

    def count(self):
        """Return how many rows there are."""
        return 0

    def row(self, pen, place, page):
        """Draw a row at a page, from x = 2."""

    def arrow(self, key, repeat):
        count = self.count()
        if not count:
            return
        if key == UP or key == DOWN:
            step = 1 if key == DOWN else -1
            if repeat and not 0 <= self.at + step < count:
                return  # a held key stops at the end of the list; a press goes round
            self.at = (self.at + step) % count
            self.app.retouch = True
        else:
            self.change(1 if key == RIGHT else -1)

    def change(self, by):
        """LEFT or RIGHT was pressed on the row chosen."""

    def back(self):
        self.app.go_home()

    def draw(self, pen):
        count = self.count()
        shown = 6 if self.small else 3
        pages = 1 if self.small else 2
        if self.at >= count:
            self.at = max(0, count - 1)
        if self.at < self.first:
            self.first = self.at
        elif self.at >= self.first + shown:
            self.first = self.at - shown + 1
        self.head(pen)
        for line in range(min(shown, count - self.first)):
            page = 1 + line * pages
            self.row(pen, self.first + line, page)
            if self.first + line == self.at:
                pen.canvas.invert(0, page, WIDTH - 4, pages)
        self._marked = self.at
        if count > shown:
            pen.canvas.scrollbar(WIDTH - 3, 1, 6, self.first, shown, count)
        pen.foot(self.hint)

    def retouch(self, pen):
        shown = 6 if self.small else 3
        if self._marked < 0 or not self.first <= self.at < self.first + shown:
            return False
        pages = 1 if self.small else 2
        pen.canvas.invert(0, 1 + (self._marked - self.first) * pages, WIDTH - 4, pages)
        pen.canvas.invert(0, 1 + (self.at - self.first) * pages, WIDTH - 4, pages)
        self._marked = self.at
        return True

    def head(self, pen):
        """Draw the title."""
        pen.title(self.title)


def draw_choice(pen, rules, question, place, x, page, font, chosen, detailed):
    """Draw a choice and its arrow, reversed where OK answers it."""
    answer = question.at(place)
    pen.canvas.icon(x, page, ARROWS[place])
    end = pen.text(x + 11, page, pen.word(answer), font)
    if detailed and rules.detail(answer, pen.say):
        pen.said(end + 6, page, pen.say, SMALL)
    if answer == chosen:
        pen.canvas.invert(x, page, end + 1 - x, font.pages)
