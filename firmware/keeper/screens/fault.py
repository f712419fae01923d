"""What is shown when the program broke: the error, and that the match is safe."""

from ..pen import SMALL
from .base import Screen

EN = {
    "fault.title": "Fault: match is safe",
    "fault.ok": "OK: go on",
}


class FaultScreen(Screen):
    """Shows an error until OK; the owner of the loop then starts the application again."""

    def __init__(self, app):
        Screen.__init__(self, app)
        app.catalogues[-1] = EN  # for good: the application ends with this screen
        self.lines = []
        self.done = False

    def show(self, text):
        """Set the error's text, broken into lines of the screen. Allocates."""
        self.lines = [text[start : start + 21] for start in range(0, min(len(text), 105), 21)]
        self.done = False

    def ok(self):
        self.done = True

    def draw(self, pen):
        pen.title("fault.title")
        for place in range(len(self.lines)):
            pen.text(0, 1 + place, self.lines[place], SMALL)
        pen.foot("fault.ok")
