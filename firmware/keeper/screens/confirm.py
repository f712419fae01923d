"""Confirmations and notices."""

from shared_rules.session import ADJUST, AMEND, ANSWER, END, NAME, REDEAL

from ..keys import DOWN, RIGHT
from ..pen import CENTER, SMALL, TEXT, WIDTH
from .base import Screen

# What can be confirmed.
DO_UNDO = 0
DO_REDEAL = 1
DO_END = 2
DO_DELETE = 3

_LINE = 24  # letters that a small line holds


class ConfirmScreen(Screen):
    """Asks yes or no, with No chosen; what destroys is asked twice."""

    def __init__(self, app):
        Screen.__init__(self, app)
        self.yes = False
        self._ids = ["", ""]
        self._asked = 0
        self._action = 0
        self._kind = 0  # of the step to take back
        self._number = 0  # of the match to delete
        self._deal = 0
        self._from = None

    def ask(self, first, second, action, number=0):
        """Ask a question, and a second one after Yes ("": only one); then do the action."""
        if self.app.screen is not self:
            self._from = self.app.screen
        self._ids[0] = first
        self._ids[1] = second
        self._action = action
        self._number = number
        self._asked = 0
        self.yes = False
        self.app.go(self)

    def ask_undo(self):
        """Say what the last step was and ask whether to take it back."""
        session = self.app.session
        self._kind = session.kind(session.steps - 1)
        self._deal = session.rules.deals
        opens = session.rules.closed and (self._kind == ANSWER or self._kind == REDEAL)
        self.ask("undo.title", "undo.sure" if opens or self._kind == AMEND else "", DO_UNDO)
        # Taking back an answer of the deal under way is the cure for a slip: OK does it. What a finished
        # deal could be lost by keeps No.
        self.yes = not self._ids[1]

    def arrow(self, key, repeat):
        if not repeat:
            self.yes = key == RIGHT or key == DOWN
            self.app.dirty = True

    def back(self):
        self._leave()

    def _leave(self):
        app = self.app
        if self._action == DO_DELETE:
            app.go(app.part("past").past)
        else:
            app.go_match()

    def ok(self):
        app = self.app
        if not self.yes:
            self._leave()
            return
        self._asked += 1
        if self._asked == 1 and self._ids[1]:
            self.yes = False
            app.keys.swallow()
            app.dirty = True
        elif self._action == DO_UNDO:
            app.undo()
        elif self._action == DO_REDEAL:
            app.redeal()
        elif self._action == DO_END:
            app.end()
        else:
            app.part("past").past.delete(self._number)

    def draw(self, pen):
        id = self._ids[self._asked]
        pen.say.put(id, n=self._deal)
        pen.parts(0, 0, pen.texts.get(id), pen.say, SMALL, CENTER)
        pen.canvas.invert(0, 0, WIDTH, 1)
        if self._action == DO_UNDO:
            self._draw_step(pen)
        no = pen.id(8, 6, "no", TEXT)
        x = WIDTH - 12 - pen.canvas.text_width(pen.texts.get("yes"), TEXT)
        pen.id(x, 6, "yes", TEXT)
        if self.yes:
            pen.canvas.invert(x - 4, 6, WIDTH - x, 2)
        else:
            pen.canvas.invert(4, 6, no, 2)

    def _draw_step(self, pen):
        session = self.app.session
        step = session.steps - 1
        if self._kind == ANSWER:
            draw_answer(pen, session, step, 1)
        else:
            id = "undo.amend"
            if self._kind == REDEAL:
                id = "undo.redeal"
            elif self._kind == ADJUST:
                id = "undo.adjust"
            elif self._kind == NAME:
                id = "undo.name"
            elif self._kind == END:
                id = "undo.end"
            pen.say.put(id, n=session.value(step))
            pen.said(0, 2, pen.say, TEXT, CENTER)
        if self._ids[1]:
            pen.say.put("undo.deal", n=self._deal)
            pen.said(0, 5, pen.say, SMALL, CENTER)


def draw_answer(pen, session, step, page):
    """Draw an old answer in three pages: its question small, the answer large."""
    pen.say.put("", session.seat(step), 0)
    pen.parts(0, page, pen.texts.names[session.ask(step)], pen.say, SMALL, CENTER)
    draw_value(pen, session.value(step), 0, page + 1, TEXT, CENTER)


def draw_value(pen, answer, x, page, font, align, right=WIDTH):
    """Draw an answer: a number or a word."""
    pen.say.put("value", word=answer)
    return pen.said(x, page, pen.say, font, align, right)


class NoticeScreen(Screen):
    """Says something until a key is pressed."""

    def __init__(self, app):
        Screen.__init__(self, app)
        self._id = ""
        self._n = 0
        self._then = None
        self._title = "warn.title"
        self._say = None
        self._lines = []

    def tell(self, id, then, n=0):
        """Set what is said, and the screen that follows (None: the match)."""
        self._id = id
        self._n = n
        self._then = then
        self._say = None

    def warn(self, say):
        """Set a game's warning; the match follows."""
        self._then = None
        self._say = say

    def list_all(self, warnings, then):
        """Set lines about damage found at the start, the newest of them as far as there is room. Allocates."""
        self._then = then
        self._say = None
        self._lines = []
        for warning in warnings:
            words = warning.split(" ")
            line = words[0]
            for word in words[1:]:
                if len(line) + len(word) < _LINE:
                    line += " " + word
                else:
                    self._lines.append(line)
                    line = word
            self._lines.append(line)

    def _go_on(self):
        self._lines = []
        if self._then is not None:
            self.app.go(self._then)
        elif self.app.session is not None:
            self.app.go_match()
        else:
            self.app.go_home()

    def arrow(self, key, repeat):
        if not repeat:
            self._go_on()

    def ok(self):
        self._go_on()

    def back(self):
        self._go_on()

    def draw(self, pen):
        pen.title(self._title)
        if self._lines:
            for place in range(min(6, len(self._lines))):
                pen.text(0, 1 + place, self._lines[place], SMALL)
        elif self._say is not None:
            pen.said(0, 3, self._say, SMALL, CENTER)
        else:
            pen.say.put(self._id, n=self._n)
            pen.parts(0, 3, pen.texts.get(self._id), pen.say, SMALL, CENTER)
        pen.foot("ask.ok")
