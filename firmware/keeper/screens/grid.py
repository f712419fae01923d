"""The consecutive MASK questions of one seat as one grid: a row a question, a column a bit."""

from array import array

from ..keys import DOWN, RIGHT, UP
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
        """Move the cursor, round the edges; down is to the beginning of the next row."""
        if key == UP:
            self.row = (self.row - 1) % self.rows
        elif key == DOWN:
            self.row = (self.row + 1) % self.rows
            self.column = 0
        else:
            self.column += 1 if key == RIGHT else -1
        self.column %= len(self.labels(self.row))
        self.app.dirty = True

    def ok(self):
        """Mark the cell, or take its mark away, and go on to the right: a row is mostly marked from left to right."""
        self.marks[self.row] ^= 1 << self.column
        self.column = (self.column + 1) % len(self.labels(self.row))
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
        """Draw every cell's label, reversed where it is marked, and the cursor round its cell."""
        app = self.app
        canvas = pen.canvas
        rules = app.session.rules
        pen.text(2, 0, pen.names[app.session.question.seat], SMALL)
        canvas.number_right(WIDTH - 2, 0, self.count(), SMALL)
        for row in range(self.rows):
            page = 2 + row
            pen.text(0, page, rules.ROWS[self.first + row], SMALL)
            labels = self.labels(row)
            for column in range(len(labels)):
                x = _LEFT_PX + column * _CELL_PX
                canvas.text(x + 2, page, labels[column], SMALL)
                marked = self.marks[row] >> column & 1
                if marked:
                    canvas.invert(x, page, _CELL_PX - 1, 1)
                if row == self.row and column == self.column:
                    self._draw_cursor(canvas, x, 8 * page, marked)
        pen.foot("grid.all")

    def _draw_cursor(self, canvas, x, y, marked):
        """Draw a frame that is open at the top: so it stays within a page, and a step costs two cells."""
        canvas.vline(x - 1, y, 8)
        canvas.vline(x + _CELL_PX - 1, y, 8)
        canvas.hline(x, y + 7, _CELL_PX - 1)
        if marked:  # stands off from the light cell
            canvas.vline(x, y, 7, 0)
            canvas.vline(x + _CELL_PX - 2, y, 7, 0)
            canvas.hline(x, y + 6, _CELL_PX - 1, 0)

    def count(self):
        """Return how many cells are marked."""
        count = 0
        for row in range(self.rows):
            marks = self.marks[row]
            while marks:
                count += marks & 1
                marks >>= 1
        return count
