"""The options of a game: set before a match begins, looked at while it runs. May allocate."""

from ..pen import RIGHT, SMALL, TEXT, WIDTH
from ..rare_words import rare_words
from .base import ListScreen

EN = {
    "setup.options": "House rules",
    "options.hint": "LEFT RIGHT: change",
    "options.clash": "These two exclude each other",
    "options.more": "More...",
}


class Part:
    """The screen of this module, loaded when it is needed."""

    def __init__(self, app):
        self.EN = rare_words(EN, app.plan.rules.GAME, app.board)
        self.options = OptionsScreen(app)


class OptionsScreen(ListScreen):
    """The options of the game: LEFT and RIGHT change them; a running match only shows its own."""

    title = "setup.options"
    hint = "options.hint"

    def __init__(self, app):
        ListScreen.__init__(self, app)
        self.plan = app.plan
        self.fixed = False
        self.all = False  # the options further off are shown too

    def open(self, fixed):
        """Show the options; ``fixed``: those of the match under way, which keeps them for life."""
        self.fixed = fixed
        self.at = 0
        self.first = 0
        self.all = fixed
        self.app.go(self)

    def _firsts(self):
        count = 0
        for option in self.plan.rules.OPTIONS:
            if option.first:
                count += 1
        return count

    def count(self):
        return len(self.plan.rules.OPTIONS) if self.all else self._firsts() + 1

    def row(self, pen, place, page):
        plan = self.plan
        if not self.all and place == self._firsts():
            pen.id(2, page, "options.more", TEXT)
            return
        option = plan.rules.OPTIONS[place]
        code = plan.codes[place]
        pen.text(2, page, plan.texts.get("o." + option.id), SMALL)
        value = plan.texts.option(option, code)
        if value:
            pen.text(2, page + 1, value, SMALL, RIGHT, WIDTH - 8)
        else:
            pen.canvas.number_right(WIDTH - 8, page, code, TEXT)

    def change(self, by):
        plan = self.plan
        if self.fixed or (not self.all and self.at == self._firsts()):
            return
        option = plan.rules.OPTIONS[self.at]
        former = plan.codes[self.at]
        plan.codes[self.at] = option.step(former, by)
        if plan.rules.conflict(plan.codes):
            plan.codes[self.at] = former
            self.app.tell("options.clash", self)
            return
        self.app.settings.set_house(plan.game, plan.options())
        self.app.settings.save()
        self.app.dirty = True

    def ok(self):
        if not self.all and self.at == self._firsts():
            self.all = True
            self.app.dirty = True
        else:
            self.change(1)

    def back(self):
        if self.fixed:
            self.app.go_match()
        else:
            self.app.go(self.app.part("setup").summary)
