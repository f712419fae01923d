"""The box's settings: LEFT and RIGHT change the one chosen."""

from ..pen import RIGHT, SMALL, TEXT, WIDTH
from ..settings import TABLE
from .base import ListScreen

EN = {
    "settings.title": "Settings",
    "settings.hint": "LEFT RIGHT: change",
    "s.brightness": "Brightness",
    "s.flip": "Turn picture",
    "s.dim_s": "Dim after s",
    "s.blank_s": "Dark after s",
    "s.blank_match_s": "Dark in match s",
    "s.sound": "Sound",
    "s.display": "Display",
    "s.column_offset": "Column offset",
    "s.language": "Language",
}


class Part:
    """The screen of this module, loaded when it is needed."""

    EN = EN

    def __init__(self, app):
        self.settings = SettingsScreen(app)


class SettingsScreen(ListScreen):
    """A list of settings with their values, kept as soon as they are changed."""

    title = "settings.title"
    hint = "settings.hint"

    def count(self):
        return len(TABLE)

    def row(self, pen, place, page):
        setting = TABLE[place]
        value = self.app.settings.get(setting.id)
        pen.id(2, page, "s." + setting.id, SMALL)
        if type(value) is int:
            pen.canvas.number_right(WIDTH - 8, page, value, TEXT)
        else:
            pen.text(60, page, value, TEXT, RIGHT, WIDTH - 8)

    def change(self, by):
        settings = self.app.settings
        settings.step(TABLE[self.at].id, by)
        settings.save()
        self.app.relight()

    def ok(self):
        self.change(1)
