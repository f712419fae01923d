"""The result of a deal, and of the match."""

from ..canvas import BIG
from ..pen import CENTER, SMALL, TEXT, WIDTH
from .base import Screen
from .table import draw_deal, draw_far_side


class ResultScreen(Screen):
    """What the deal just closed brought; any key but a held one goes on."""

    match = True

    def enter(self):
        self.app.reckon()

    def arrow(self, key, repeat):
        if not repeat:
            self._go_on()

    def ok(self):
        self._go_on()

    def back(self):
        self._go_on()

    def _go_on(self):
        self.app.go_match()

    def draw(self, pen):
        rules = self.app.session.rules
        count = 0
        if rules.void < 0:
            while count < 6 and rules.result(count, pen.say):
                count += 1
        if rules.SIDES and not rules.over and count <= 3:
            # Where the table of the next question has only its lower end: all else is there already.
            draw_far_side(pen, rules, self.app, rules.to_deal, rules.deals, BIG)
            if rules.void >= 0:
                self._draw_void(pen, rules, 5)
            else:
                for place in range(count):
                    rules.result(place, pen.say)
                    pen.said(0, 5 + place, pen.say, SMALL)
            return
        if rules.DEALS:
            draw_deal(pen, rules, rules.deals)
        else:
            pen.id(0, 0, "result.hands", SMALL)
        if rules.void >= 0:
            self._draw_void(pen, rules, 2)
        else:
            self._draw_lines(pen, rules, count, 1, count <= 3)
        if rules.over:
            pen.foot("over.title")
        else:
            pen.say.put("result.next", rules.to_deal)
            pen.said(0, 7, pen.say, SMALL)

    def _draw_void(self, pen, rules, page):
        pen.id(0, page, "result.void", TEXT)
        pen.text(0, page + 2, pen.texts.voids[rules.void], SMALL)

    def _draw_lines(self, pen, rules, count, page, large):
        """Draw the lines from a page on, in large letters if they may be and have room."""
        for place in range(count):
            rules.result(place, pen.say)
            if pen.parts_width(pen.texts.get(pen.say.id), pen.say, TEXT) > WIDTH:
                large = False
        for place in range(count):
            rules.result(place, pen.say)
            if large:
                pen.said(0, page + 2 * place, pen.say, TEXT)
            else:
                pen.said(0, page + place, pen.say, SMALL)


class OverScreen(Screen):
    """The match is over: who won, and the final score."""

    match = True

    def __init__(self, app):
        Screen.__init__(self, app)
        self._ready = False

    def enter(self):
        self.app.reckon()
        self._ready = False

    def tick(self, now):
        if not self._ready and not self.app.dirty:
            self._ready = True
            self.app.part("tools")  # the menu that OK opens, while the players look at the score

    def ok(self):
        self.app.open_menu()

    def back(self):
        self.app.go_home()

    def draw(self, pen):
        rules = self.app.session.rules
        pen.title("over.title")
        sides = rules.SIDES if rules.SIDES else rules.seats
        winners = 0
        first = -1
        for side in range(sides):
            if rules.winners >> side & 1:
                winners += 1
                if first < 0:
                    first = side
        if not winners:
            pen.id(0, 1, "over.none", TEXT, CENTER)
        elif winners > 1:
            pen.id(0, 1, "over.share", TEXT, CENTER)
        elif rules.SIDES:
            pen.text(0, 1, pen.sides[first], TEXT, CENTER)
            pen.id(0, 3, "over.wins", SMALL, CENTER)
        else:
            pen.say.put("over.seat", first)
            pen.said(0, 1, pen.say, TEXT, CENTER)
        if rules.SIDES:
            self._draw_score(pen, rules)
        else:
            self._draw_players(pen, rules)
        pen.foot("over.ok")

    def _draw_score(self, pen, rules):
        canvas = pen.canvas
        minor = rules.minor(0) >= 0
        first = rules.minor(0) if minor else rules.figure(0)
        second = rules.minor(1) if minor else rules.figure(1)
        canvas.number(60 - canvas.number_width(first, BIG), 4, first, BIG)
        canvas.text(62, 4, ":", TEXT)
        canvas.number(68, 4, second, BIG)

    def _draw_players(self, pen, rules):
        for seat in range(rules.seats):
            width = 120 if rules.seats <= 4 else 60
            page = 3 + seat % 4
            x = 0 if seat < 4 else 66
            points = rules.figure(seat)
            pen.text(x, page, pen.names[seat], SMALL, right=x + width - 18)
            if points >= 0:
                pen.canvas.number_right(x + width, page, points, SMALL)
