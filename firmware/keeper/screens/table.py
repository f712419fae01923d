"""The table seen from above: names in their places, the dealer, who is asked, the score in the middle."""

from .. import fonts
from ..canvas import BIG
from ..pen import CENTER, LEFT, SMALL, TEXT, WIDTH

_MIDDLE_PX = 52  # width of the names at the top and the bottom
_SIDE_PX = 38  # width of the names at the left and the right
_TURN_MS = 2500  # how long a line of advice stays before the next


class Advice:
    """The lines of what to do now, shown one after the other on one row."""

    def __init__(self, app):
        self.app = app
        self.place = 0
        self._since = 0

    def restart(self):
        """Begin again with the first line."""
        self.place = 0
        self._since = self.app.now

    def tick(self, now):
        """Go on to the next line when it is time."""
        if self.app.since(self._since) >= _TURN_MS:
            self._since = now
            self.place += 1
            self.app.dirty = True

    def draw(self, pen, page, first=0):
        """Draw the line of now: the prompt, what OK answers, then the game's lines.

        first  1: without the prompt, and from the left
        """
        for _ in range(2):
            if self._line(pen, page, self.place + first, LEFT if first else CENTER):
                return
            self.place = 0

    def _line(self, pen, page, place, align):
        session = self.app.session
        rules = session.rules
        say = pen.say
        if place == 0:
            rules.about(session.question, say)
            pen.parts(0, page, pen.texts.prompts[session.question.ask], say, SMALL, CENTER)
            return True
        if place == 1:
            say.put("ask.default", word=session.question.default)
        elif not rules.hint(place - 2, say):
            return False
        pen.said(0, page, say, SMALL, align)
        return True


def draw_score(pen, rules, font=BIG):
    """Draw the score in the middle, on page 2 and what of the font goes below: one lead, or a total for each side."""
    canvas = pen.canvas
    if rules.LEAD:
        lead = rules.figure(0)
        size = lead if lead >= 0 else -lead
        width = canvas.number_width(size, font)
        x = (WIDTH - width) // 2
        canvas.number(x, 2, size, font)
        if lead > 0:
            canvas.icon(x - 9, 2, fonts.ICON_UP)
            canvas.icon(x - 9, 1 + font.pages, fonts.ICON_DOWN)
        elif lead < 0:
            canvas.icon(x - 10, 3, fonts.ICON_LEFT)
            canvas.icon(x + width + 3, 3, fonts.ICON_RIGHT)
        return
    first = rules.figure(0)
    second = rules.figure(1)
    if canvas.number_width(first, font) + canvas.number_width(second, font) > WIDTH - 2 * _SIDE_PX - 8:
        font = TEXT
    x = WIDTH // 2 - 4 - canvas.number_width(first, font)
    canvas.number(x, 2, first, font)
    canvas.number(WIDTH // 2 + 4, 2, second, font)
    canvas.fill(WIDTH // 2 - 1, 22 if font is BIG else 20, 2, 2)
    canvas.fill(WIDTH // 2 - 1, 30 if font is BIG else 26, 2, 2)


def draw_far_side(pen, rules, app, dealer, deal, font):
    """Draw what of the table is above the lower pages, which are left to a question or the result of a deal."""
    for seat in (0, 1, 3):
        draw_seat(pen, seat, dealer, False)
    if dealer == 2:  # whose name is not there: D and where that player sits
        pen.canvas.icon(17, 1, fonts.ICON_DEALER)
        pen.canvas.icon(26, 1, fonts.ICON_DOWN)
    draw_score(pen, rules, font)
    draw_deal(pen, rules, deal)
    draw_sign(pen, app)


def draw_corners(pen, rules, app):
    """Draw the deal's number, the journal's signs, and the smaller score (bazzis) in the corners."""
    canvas = pen.canvas
    draw_deal(pen, rules, rules.deals + 1)
    draw_sign(pen, app)
    if rules.minor(0) >= 0:
        pen.id(0, 6, "score.minor", SMALL)
        x = canvas.number(0, 7, rules.minor(0), SMALL)
        x = canvas.text(x + 1, 7, ":", SMALL)
        canvas.number(x + 1, 7, rules.minor(1), SMALL)


def draw_deal(pen, rules, deal):
    """Draw a deal's number in its corner, where the game counts deals."""
    if rules.DEALS:
        x = pen.id(0, 0, "result.deal", SMALL)
        pen.canvas.number(x + 4, 0, deal, SMALL)


def draw_sign(pen, app):
    """Draw the journal's sign in the corner: kept, not synced yet, nearly full, in trouble."""
    canvas = pen.canvas
    x = WIDTH - 8
    journal = app.journal
    if app.unsaved or journal.full():
        canvas.icon(x, 0, fonts.ICON_WARNING)
    elif journal.nearly_full():
        canvas.icon(x, 0, fonts.ICON_FULL)
    elif journal.current is not None and journal.current.synced < journal.current.records:
        canvas.icon(x, 0, fonts.ICON_UNSYNCED)
    else:
        canvas.icon(x, 0, fonts.ICON_SAVED)


def draw_seat(pen, seat, dealer, marked):
    """Draw a player's name in its place, D where the player deals, reversed where marked."""
    canvas = pen.canvas
    name = pen.names[seat]
    if seat == 0 or seat == 2:
        page = 0 if seat == 0 else 6
        width = min(canvas.text_width(name, TEXT), _MIDDLE_PX)
        x = (WIDTH - width) // 2
        pen.text(x, page, name, TEXT, LEFT, x + width)
        if seat == dealer:
            canvas.icon(x - 11, 1 if seat == 0 else 6, fonts.ICON_DEALER)
        if marked:
            canvas.invert(x - 1, page, width + 2, 2)
        return
    width = min(canvas.text_width(name, TEXT), _SIDE_PX)
    if seat == 3:
        pen.text(0, 2, name, TEXT, LEFT, _SIDE_PX)
        x = 0
    else:
        x = WIDTH - width
        pen.text(x, 2, name, TEXT, LEFT, WIDTH)
    if seat == dealer:
        canvas.icon(0 if seat == 3 else WIDTH - 8, 1, fonts.ICON_DEALER)
    if marked:
        canvas.invert(x, 2, width, 2)


def draw_table(pen, rules, app, dealer, marked):
    """Draw the whole table but the line of advice.

    dealer   the seat that gets the D
    marked   the seat shown reversed, or -1
    """
    for seat in range(4):
        draw_seat(pen, seat, dealer, seat == marked)
    draw_score(pen, rules)
    draw_corners(pen, rules, app)
