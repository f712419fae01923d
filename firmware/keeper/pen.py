"""Draws the words of a match on the canvas: texts with players' names, sides and numbers in them."""

from shared_rules.question import COUNT, SEAT_0, SIDE_0, WORD
from shared_rules.rules import Say
from shared_rules.text import PLACE_M_SIGNED, PLACE_N, PLACE_SEAT, PLACE_SIDE, PLACE_SIGNED, PLACE_WORD

from .canvas import SMALL, TEXT

LEFT = 0
CENTER = 1
RIGHT = 2
WIDTH = 128


class Pen:
    """A canvas that knows the words and the names.

    texts  the words of the game and the application (shared_rules.text.Texts)
    names  the players' names, by seat
    sides  the names of the sides ("Asha & Chand"), by side
    """

    def __init__(self, canvas):
        self.canvas = canvas
        self.texts = None
        self.names = []
        self.sides = []
        self.say = Say()
        self._empty = Say()

    def call(self, names, sides):
        """Take the players' names; ``sides`` is how many partnerships there are. Allocates."""
        self.names = list(names)
        self.sides = [names[side] + " & " + names[side + 2] for side in range(sides)]
        for name in names:
            self.canvas.text_width(name, TEXT)  # loads letters that play must not load

    def word(self, answer):
        """Return the text of an answer that is a word: a name, a side, or the game's word."""
        if SEAT_0 <= answer < SIDE_0:
            seat = answer - SEAT_0
            return self.names[seat] if seat < len(self.names) else ""
        if answer == SIDE_0 or answer == SIDE_0 + 1:
            return self.sides[answer - SIDE_0]
        return self.texts.words[answer - COUNT]

    def text(self, x, page, text, font, align=LEFT, right=WIDTH):
        """Draw a string between x and ``right``; returns the x after it."""
        canvas = self.canvas
        width = canvas.text_width(text, font)
        if font is TEXT and width > right - x:
            font = SMALL  # rather small than cut
            width = canvas.text_width(text, font)
        if align == CENTER and width < right - x:
            x += (right - x - width) // 2
        elif align == RIGHT and width < right - x:
            x = right - width
        return canvas.put_text(x, page, width, text, font, right)

    def id(self, x, page, id, font, align=LEFT, right=WIDTH):
        """Draw the text of an id that has no places."""
        return self.text(x, page, self.texts.get(id), font, align, right)

    def said(self, x, page, say, font, align=LEFT, right=WIDTH):
        """Draw a line that a game says; returns the x after it."""
        return self.parts(x, page, self.texts.get(say.id), say, font, align, right)

    def parts(self, x, page, parts, say, font, align=LEFT, right=WIDTH):
        """Draw the parts of a text, with what ``say`` puts into its places."""
        if type(parts) is str:
            return self.text(x, page, parts, font, align, right)
        canvas = self.canvas
        width = self._measure(parts, say, font)
        if font is TEXT and width > right - x:
            font = SMALL  # rather small than cut
            width = self._measure(parts, say, font)
        if align != LEFT and width < right - x:
            x = x + (right - x - width) // 2 if align == CENTER else right - width
        if x >= 0 and width <= right - x:
            return canvas.put_line(x, page, font, right)
        canvas.limit = right
        for part in parts:
            x = self._draw(x, page, part, say, font)
        canvas.limit = WIDTH
        return x

    def parts_width(self, parts, say, font):
        """Return the pixels that the parts of a text take."""
        if type(parts) is str:
            return self.canvas.text_width(parts, font)
        return self._measure(parts, say, font)

    def _measure(self, parts, say, font):
        """Put the parts of a text together to a line of the canvas; returns its width."""
        canvas = self.canvas
        canvas.begin_line()
        for part in parts:
            text = self._string(part, say)
            if text is not None:
                canvas.add_text(text, font)
            else:
                canvas.add_number(self._number(part, say), font, part == PLACE_SIGNED or part == PLACE_M_SIGNED)
        return canvas.line_width

    def _string(self, part, say):
        """Return the string that a part stands for, or None for a number."""
        if type(part) is str:
            return part
        if part == PLACE_SEAT:
            return self.names[say.seat]
        if part == PLACE_SIDE:
            return self.sides[say.side]
        if part == PLACE_WORD and say.word >= WORD:
            return self.word(say.word)
        return None

    def _number(self, part, say):
        if part == PLACE_WORD:
            return say.word
        return say.n if part == PLACE_N or part == PLACE_SIGNED else say.m

    def _draw(self, x, page, part, say, font):
        text = self._string(part, say)
        if text is not None:
            return self.canvas.text(x, page, text, font)
        plus = part == PLACE_SIGNED or part == PLACE_M_SIGNED
        return self.canvas.number(x, page, self._number(part, say), font, plus)

    def title(self, id):
        """Draw the heading of a list on page 0."""
        self.id(2, 0, id, SMALL)

    def foot(self, id):
        """Draw what the keys do, on page 7."""
        self.id(0, 7, id, SMALL, CENTER)
