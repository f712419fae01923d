"""The consecutive MASK questions of one seat as one grid: a row a question, a column a bit."""

from array import array

from .. import fonts
from ..keys import DOWN, LEFT, RIGHT, UP
from ..pen import SMALL, WIDTH

_MOST_ROWS = 6
_LEFT_PX = 16  # where the columns begin
_CELL_PX = 10


class Grid:
    """Part of the asking screen; keeps what is marked until it is done, then answers row by row."""

    def __init__(self, app):
        self.app = app
        self.first = 0  # question of the first row
        self.rows = 0
        self.row = 0
        self.column = 0
        self.marks = array("h", [0] * _MOST_ROWS)
        self.most = array("h", [0] * _MOST_ROWS)

    def open(self, question, alone, answer):
        """Begin with the question asked and those like it that follow, or with it alone."""
        labels = self.app.session.rules.LABELS
        self.first = question.ask
        self.rows = 0
        while self.first + self.rows < len(labels) and labels[self.first + self.rows] is not None:
            self.marks[self.rows] = 0
            self.rows += 1
            if alone:
                break
        self.marks[0] = answer
        self.row = 0
        self.column = 0

    def labels(self, row):
        """Return the labels of a row's bits."""
        return self.app.session.rules.LABELS[self.first + row]

    def arrow(self, key, repeat):
        """Move the cursor, round the edges."""
        if key == UP or key == DOWN:
            self.row = (self.row + (1 if key == DOWN else -1)) % self.rows
        else:
            self.column += 1 if key == RIGHT else -1
        self.column %= len(self.labels(self.row))
        self.app.dirty = True

    def ok(self):
        """Mark the cell, or take its mark away."""
        self.marks[self.row] ^= 1 << self.column
        self.app.dirty = True

    def back(self):
        """Nothing of the grid goes back; returns False."""
        return False

    def done(self, ask):
        """Answer all rows, in order."""
        if ask.step >= 0:
            ask.give(self.marks[0])
        else:
            self.app.give_rows(self.marks, self.rows)

    def draw(self, pen):
        """Draw the grid with its cursor."""
        app = self.app
        canvas = pen.canvas
        rules = app.session.rules
        rules.about(app.session.question, pen.say)
        pen.text(2, 0, pen.names[app.session.question.seat], SMALL)
        labels = self.labels(self.row)
        pen.parts(60, 0, pen.texts.prompts[self.first + self.row], pen.say, SMALL)
        canvas.invert(0, 0, WIDTH, 1)
        for column in range(len(labels)):
            pen.text(_LEFT_PX + column * _CELL_PX + 2, 1, labels[column], SMALL)
        for row in range(self.rows):
            page = 2 + row
            pen.text(0, page, rules.ROWS[self.first + row], SMALL)
            for column in range(len(self.labels(row))):
                x = _LEFT_PX + column * _CELL_PX
                marked = self.marks[row] >> column & 1
                canvas.icon(x, page, fonts.ICON_CHECKED if marked else fonts.ICON_UNCHECKED)
                if row == self.row and column == self.column:
                    canvas.invert(x - 1, page, _CELL_PX, 1)
        pen.foot("grid.all")


__all__ = ("Grid", "LEFT", "UP")
