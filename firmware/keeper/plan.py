"""What has been chosen of a match that is being set up; the screens that choose come and go."""

from shared_rules import catalog
from shared_rules.text import Texts


class Plan:
    """A match to be. May allocate: no match runs yet.

    game, rules  the id and the Rules class
    texts        the words of the game
    codes        one code for each of its options
    names        of the players, by seat
    dealer       who is to deal first, -1: drawn by lot
    row          which line of the summary was chosen last
    """

    def __init__(self, app):
        self.app = app
        self.game = ""
        self.rules = None
        self.texts = None
        self.codes = []
        self.names = []
        self.dealer = -1
        self.row = 0

    def choose_game(self, game):
        """Take the game, with its house rules as remembered."""
        app = self.app
        self.game = game
        app.leave()  # the memory has room for one game; the match stays open, and is resumed after a power cut
        app.keep_game(game)
        self.rules = catalog.load(game)
        self.texts = Texts(self.rules, app.catalogues)
        self.codes = app.settings.house_codes(self.rules)
        self.dealer = -1
        self.row = 0
        if self.rules.MIN_SEATS != self.rules.MAX_SEATS:
            app.go(app.part("setup").players)
        else:
            self.seat(self.rules.MIN_SEATS)

    def seat(self, count):
        """Take the number of players; they are called as the roster begins, or by their seats."""
        app = self.app
        roster = app.settings.roster
        self.names = []
        for place in range(count):
            if place < len(roster):
                self.names.append(roster[place])
            else:
                self.names.append(self.texts.get("seat." + self.rules.SEAT_WORDS[place]))
        app.go(app.part("setup").summary)

    def start(self, dealer):
        """Begin the match."""
        header = {
            "game": self.game,
            "options": self.options(),
            "players": list(self.names),
            "dealer": self.rules.SEAT_WORDS[dealer],
        }
        self.rules = None  # both would keep the game's module in memory
        self.texts = None
        self.app.begin(header)

    def options(self):
        """Return the options that differ from their defaults, as LOG.md has them."""
        options = {}
        for place in range(len(self.codes)):
            option = self.rules.OPTIONS[place]
            if self.codes[place] != option.default:
                options[option.id] = option.value(self.codes[place])
        return options

    def look(self):
        """Take game, words and options of the match under way, to be looked at."""
        self.rules = self.app.session.rules
        self.texts = self.app.pen.texts
        self.codes = self.rules.options

    def choose_name(self, seat, running):
        """Choose who sits in a seat: of the match to come, or (``running``) of the one under way."""
        roster = self.app.part("names").roster
        roster.choose(seat, running)
        self.app.go(roster)

    def take_name(self, name, seat, running):
        """Take the name chosen for a seat, and remember a new one in the roster."""
        app = self.app
        settings = app.settings
        if name not in settings.roster and not settings.add_name(name)[1]:
            settings.save()
        if running:
            app.rename(seat, name)
        else:
            self.names[seat] = name
            app.go(app.part("names").seats)
