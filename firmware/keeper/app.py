"""The application: keys in, journal first, then the picture.

``App.step(now)`` is called again and again by whoever owns the board. It never sleeps. The world is
the board object (see docs/ARCHITECTURE.md): now_ms, held, pending, steadily, show, light, read_into, write,
random, beep, idle, device_id, and clock.
"""

from shared_rules import catalog, text
from shared_rules.question import MASK, OVER, WAIT
from shared_rules.rules import Rules
from shared_rules.session import NAME, Session
from shared_rules.text import Texts

from . import ticks, words
from .canvas import Canvas
from .journal import KEPT_IN_RAM, REFUSED
from .keys import CLICK, HOLD, KEY, OK, PRESS, REPEAT, Keys
from .pen import Pen
from .screens.ask import AskScreen
from .screens.confirm import ConfirmScreen, NoticeScreen
from .screens.home import HomeScreen
from .screens.result import OverScreen, ResultScreen

DARK = 0
DIM = 1
FULL = 2
SHIFT_MS = 60000  # the picture moves by a pixel so often
SLICES = 2  # of a long reckoning in one step: some 7 ms on the Pico
RETRY_MS = 3000  # between attempts to save what is in memory only
QUIET_MS = 10000  # after so long without a byte the link's memory is given back
ROOM = 64  # steps for which room is made when a deal opens: more than any deal has, corrections and all
_LEVELS = (0, 16, 48, 110, 180, 255)  # contrast of the display, by the setting
_MOST_EDGES = 32  # changes of keys taken in one step


class App:
    """One box. Made once; screens are made with it and reused."""

    def __init__(self, board, journal, settings, canvas=None):
        self.board = board
        self.journal = journal
        self.settings = settings
        self.canvas = Canvas() if canvas is None else canvas
        self.pen = Pen(self.canvas)
        self._drawing = self._picture  # kept, because taking a method allocates
        self.keys = Keys()
        self.link = None  # loaded when the laptop asks something, and forgotten when it has been quiet
        self.untidy = False  # much was allocated: memory is tidied at the end of the step
        self.sending = False  # the laptop takes what it asked for, and there is more: do not wait before the next step
        self._input = bytearray(64)
        self.session = None
        self.entry = None  # the journal's entry of the match under way
        self.now = board.now_ms()
        self.uptime_s = 0
        self._part_ms = 0
        self._began_s = 0  # uptime when second 0 of the match would have been
        self.dirty = True  # the picture has to be drawn
        self.retouch = False  # a part of it, as the screen's ``retouch`` does
        self.unsaved = False  # a step is kept in memory only, because the disk is full or failing
        self._reckoning = False  # figures that a screen wants are being reckoned, a slice a step
        self._alarm = False  # and the table has to be told
        self._retried = self.now
        self._unready = True  # something is to be done that the first picture does not wait for
        self._unseen = False  # the steps of the match that was resumed were not looked at yet
        self._wanted = None  # what begins a match once the screens that chose it are out of memory
        self.brightness = FULL
        self.shift = 0
        self._shifted = self.now
        self._touched = self.now
        self._asked = self.now
        self.fault = ""  # what broke the program, while the fault screen says so
        self._changes = 0  # counts steps of the match, for who looks on over the link
        self.catalogues = [words.EN, text.EN, {}]  # the last: of the part that is loaded
        self.game_titles = {}
        for game in catalog.GAMES:
            self.game_titles[game] = text.EN["game." + game]
        self.pen.texts = Texts(Rules, self.catalogues)
        self.ask = AskScreen(self)
        self.result = ResultScreen(self)
        self.ending = OverScreen(self)
        self.confirm = ConfirmScreen(self)
        self.notice = NoticeScreen(self)
        self._plan = None
        self.home = HomeScreen(self)
        self._part = None
        self._part_name = ""
        self.screen = self.home
        self.relight()

    def start(self):
        """Show the match that was under way when the power went, or the home screen."""
        self.go(self.home)
        for entry in self.journal.entries():
            if not entry.over and not entry.aside:
                self.resume(entry)
                break
        self.board.forget("keeper.recovery")
        self._report()

    def _report(self):
        """Show what was found damaged."""
        warnings = self.settings.warnings + self.journal.warnings
        if warnings:
            self.notice.list_all(warnings, self.screen)
            self.go(self.notice)

    # -- the loop -------------------------------------------------------------------------------

    def since(self, tick):
        """Return the milliseconds since a tick."""
        return ticks.diff(self.now, tick)

    def step(self, now):
        """Do all there is to do at a tick: keys, link, clocks, picture. Does not sleep."""
        self._part_ms += ticks.diff(now, self.now)
        self.now = now
        while self._part_ms >= 1000:
            self._part_ms -= 1000
            self.uptime_s += 1
        if not self._unready:  # keys that came meanwhile wait for the journal
            self._keys(now)
        if self._wanted is not None:
            self._begin()
        if self._alarm:
            self._alarm = False
            self.tell("save.ram", self.screen)
        if self.session is not None:
            for _ in range(SLICES):
                if self.session.question.kind == WAIT:
                    if self.session.work():
                        self._after()
                elif self._reckoning and self.session.rules.work():
                    self._reckoning = False
                    self.dirty = True
        if self.dirty or self.retouch:  # first of all: somebody waits for it
            self.draw()
        self.serve(now)
        self.screen.tick(now)
        if self.unsaved and self.since(self._retried) >= RETRY_MS:
            self._retried = now
            self.unsaved = not self.journal.retry()
            self.dirty = True
        self._sleep(now)
        if self.dirty:
            self.draw()
        if self._unready:
            self._make_ready()

    def _make_ready(self):
        """Do what the first picture of a match did not wait for: look at its steps, open the journal's files."""
        self._unready = False
        if self._unseen and self.session is not None and not self.session.holds():
            self._resume(self.entry, False)
            self._report()
        self._unseen = False
        self.journal.prepare()
        self.dirty = True  # how full the disk is was not known yet
        if self.untidy:
            self.untidy = False
            self.board.tidy()

    def _keys(self, now):
        board = self.board
        for _ in range(_MOST_EDGES):
            mask = board.held()
            if mask or self.keys.down():
                self._down(mask, now)
            if not board.pending():
                return

    def _down(self, mask, now):
        """Take the keys that are down, where some are or were."""
        keys = self.keys
        keys.update(mask, now)
        if mask:
            self._touched = now
            if self.brightness != FULL:
                keys.swallow_all()
                self.brightness = FULL
                self._light()
                self.dirty = True
        event = keys.next()
        while event >= 0:
            self._event(event)
            event = keys.next()

    def _event(self, event):
        screen = self.screen
        kind = event & ~KEY
        key = event & KEY
        if kind == PRESS or kind == REPEAT:
            screen.arrow(key, kind == REPEAT)
        elif kind == CLICK:
            if key == OK:
                screen.ok()
            else:
                screen.back()
        elif kind == HOLD:
            if key == OK:
                screen.ok_held()
            else:
                screen.back_held()
            self.dirty = True

    def _requested(self, count):
        """Tell whether the bytes that came hold ">", which begins a request."""
        for place in range(count):
            if self._input[place] == 62:
                return True
        return False

    def serve(self, now):
        """Take a few bytes of the serial line and give a few; never waits."""
        count = self.board.read_into(self._input)
        if count:
            self._asked = now
            if self.link is None and self._requested(count):
                self._load_link()
        if self.link is not None:
            self.sending = self.link.step(self._input, count)
            if ticks.diff(now, self._asked) >= QUIET_MS:
                self._drop_link()

    def _load_link(self):
        try:
            self.link = __import__("keeper.link", None, None, ("",)).Link(self, self.board)
            self.board.tidy()  # now, and not when a sync is under way
        except MemoryError:  # these bytes are lost; the laptop asks again
            self._forget_link()

    def _drop_link(self):
        """Give back the link's memory; it keeps nothing between requests, and the laptop repeats what got lost."""
        if self.link is not None and self.link.idle():
            self._forget_link()

    def _forget_link(self):
        self.link = None
        self.board.forget("keeper.link")
        self.board.forget("keeper.base64")

    def _sleep(self, now):
        idle_ms = self.since(self._touched)
        blank_ms = self._blank_ms if self.session is None else self._blank_match_ms
        brightness = FULL
        if blank_ms and idle_ms >= blank_ms:
            brightness = DARK
        elif self._dim_ms and idle_ms >= self._dim_ms:
            brightness = DIM
        if idle_ms > 0x10000000:  # long before the ticks come round and it would seem to be touched again
            self._touched = ticks.add(now, -0x10000000)
        changed = brightness != self.brightness
        self.brightness = brightness
        if self.since(self._shifted) >= SHIFT_MS:
            self._shifted = now
            self.shift ^= 1
            changed = True
        if changed:
            self._light()

    def _light(self):
        contrast = 1 if self.brightness == DIM else self._contrast
        self.board.light(self.brightness != DARK, contrast, self.shift, self._flip)

    def relight(self):
        """Take the settings of the display, and tell the board."""
        settings = self.settings
        self._contrast = _LEVELS[settings.code("brightness")]
        self._flip = settings.code("flip")
        self.board.panel(settings.get("display"), settings.code("column_offset"))
        self._dim_ms = settings.code("dim_s") * 1000
        self._blank_ms = settings.code("blank_s") * 1000
        self._blank_match_ms = settings.code("blank_match_s") * 1000
        self._light()
        self.dirty = True

    def draw(self):
        """Draw the screen and hand the picture to the board."""
        if self.dirty:
            self.retouch = False
        self.dirty = False
        if not self.board.steadily(self._drawing):
            self._picture()  # a screen that makes strings; none of a match does
        self.board.show(self.canvas.frame)

    def _picture(self):
        if self.retouch:
            self.retouch = False
            if self.screen.retouch(self.pen):
                return
        self.canvas.clear()
        self.screen.draw(self.pen)

    # -- going about ------------------------------------------------------------------------------

    def go(self, screen):
        """Show another screen; what the keys that are down would still do is forgotten."""
        self.keys.swallow()
        self.screen = screen
        screen.enter()
        self.dirty = True

    def part(self, name):
        """Return the screens of a module of ``screens`` that is in memory only while it is used.

        One such part is loaded at a time. Loading allocates; no step of a match needs one.
        """
        if name != self._part_name:
            self._drop_part()
            self._part_name = name
            self.untidy = True
            self._part = __import__("keeper.screens." + name, None, None, ("",)).Part(self)
            text.split_all(self._part.EN)
            self.catalogues[-1] = self._part.EN
        return self._part

    @property
    def plan(self):
        """What is chosen of a match to come; in memory from the first choice until a match begins. May allocate."""
        if self._plan is None:
            self._plan = __import__("keeper.plan", None, None, ("",)).Plan(self)
        return self._plan

    def _drop_part(self):
        self._drop_link()
        self._part = None
        self.catalogues[-1] = {}
        if self._part_name:
            self.board.forget("keeper.screens." + self._part_name)
            self._part_name = ""

    def go_home(self):
        """Show the home screen; the match stays open and is first in its list."""
        self.home.at = 0
        self.go(self.home)

    def go_match(self):
        """Show what the match under way asks."""
        if self.session.question.kind == OVER:
            self.go(self.ending)
        else:
            self.go(self.ask)

    def tell(self, id, then=None, n=0):
        """Show a notice until a key is pressed, then go to the screen ``then`` (default: the match)."""
        self.notice.tell(id, then, n)
        self.go(self.notice)

    def open_menu(self):
        """Show the table menu."""
        if self.session is not None:
            self.go(self.part("tools").menu)

    # -- matches -----------------------------------------------------------------------------------

    def keep_game(self, game):
        """Let go of every other game's module: one is in memory at a time."""
        for other in catalog.GAMES:
            if other != game:
                self.board.forget("shared_rules.games." + other)

    def load(self, game, codes, names, dealer):
        """Make the session of a match; the only time that a game's module is loaded."""
        self.session = None
        self.keep_game(game)
        rules = catalog.load(game)(codes, len(names))
        if self.pen.texts.rules is not type(rules):
            self.pen.texts = Texts(type(rules), self.catalogues)
        self.session = Session(rules, dealer, names, None, 2 * ROOM, True)
        self.ask.prepare(rules)
        self.call_names()

    def call_names(self):
        """Use the players' names as they are now. Allocates."""
        self.pen.call(self.session.names, self.session.rules.SIDES)

    def begin(self, header):
        """Begin a match, with the next step: only then are the screens that chose it out of memory.

        header  game, options (those that are not the default), players and dealer, as in LOG.md
        """
        self._wanted = header

    def open(self, entry):
        """Open a match of the journal, with the next step."""
        self._wanted = entry

    def _begin(self):
        wanted = self._wanted
        self._wanted = None
        self.screen = self.home  # the former one may be what has to leave the memory
        self._drop_part()
        self._plan = None
        self.board.forget("keeper.plan")
        header = wanted if type(wanted) is dict else wanted.header
        game = header["game"] if header else ""
        self.put_aside(self.session is not None and game == self.session.rules.GAME)
        self.keep_game(game)
        if type(wanted) is dict:
            started = self.board.clock()
            if started:
                wanted["started"] = started
            wanted = self.journal.create(wanted)
        if wanted is None:
            self.tell("save.full", self.home)
        else:
            self.resume(wanted)

    def resume(self, entry):
        """Open a match of the journal and show where it stands."""
        try:
            self._resume(entry, True)
        except (LookupError, ValueError, ArithmeticError):  # steps that the rules refuse: then with care
            self._resume(entry, False)

    def _resume(self, entry, quick):
        header = entry.header
        if header is None:
            self.tell("past.damaged", self.home)
            return
        rules = catalog.load(header["game"])
        codes = [option.default for option in rules.OPTIONS]
        for place in range(len(codes)):
            option = rules.OPTIONS[place]
            if option.id in header["options"]:
                code = option.code(header["options"][option.id])
                codes[place] = option.default if code < 0 else code
        names = header["players"]
        self.load(header["game"], codes, names, rules.SEAT_WORDS.index(header["dealer"]))
        self._unready = True
        self._unseen = quick
        if self.journal.resume(entry, self.session, quick) < 0:
            self.session = None
            self.tell("save.ram", self.home)
            return
        self.board.forget("keeper.recovery")
        self.entry = entry
        self.journal.set_over(entry, self.session.rules.over)
        self.untidy = True  # or memory for each call of a larger function would be searched for among the garbage
        self._began_s = self.uptime_s - entry.seconds
        self.call_names()
        self._changes += 1
        self.go_match()

    def put_aside(self, again=False):
        """Put the match under way aside; it can be resumed another day. ``again``: the same game follows."""
        if self.session is not None:
            self.journal.set_aside(self.entry, not self.entry.over)
            self.leave(again)

    def leave(self, again=False):
        """Have no match in memory; the one under way stays open. ``again``: the words of its game are kept."""
        if self.session is not None:
            self.journal.close()
            self.session = None
            self.entry = None
            if not again:
                self.pen.texts = Texts(Rules, self.catalogues)
                self.ask.drop()

    def rematch(self):
        """Begin a new match with the same game, names, options and, to deal first, whose deal it is."""
        rules = self.session.rules
        header = {
            "game": rules.GAME,
            "options": self.entry.header["options"],
            "players": list(self.session.names),
            "dealer": rules.SEAT_WORDS[rules.to_deal if rules.DEALS else rules.first_dealer],
        }
        self.begin(header)

    # -- steps of the match ---------------------------------------------------------------------

    def seconds(self):
        """Return the seconds since the match began, time without power left out."""
        return self.uptime_s - self._began_s

    def _kept(self, status):
        """Take what the journal says of a step; False: refused, nothing may change, and the table is told."""
        if status == KEPT_IN_RAM and not self.unsaved:
            self.unsaved = True
            self._alarm = True
            self._retried = self.now
        if status == REFUSED:
            self.tell("save.ram")
        return status != REFUSED

    def give(self, answer):
        """Answer the question asked: journal, then rules, then the picture."""
        session = self.session
        question = session.question
        if not question.accepts(answer):
            return
        if question.ask == 0:
            session.reserve(ROOM)
            self.journal.prepare()
        if self._kept(self.journal.answer(question.ask, question.seat, answer, self.seconds())):
            session.answer(answer)
            self._after()

    def give_rows(self, answers, count):
        """Answer so many questions in a row, each kept before the next; the picture follows at the end."""
        session = self.session
        session.reserve(ROOM)
        self.journal.prepare()
        for place in range(count):
            question = session.question
            if not question.accepts(answers[place]):
                break
            if not self._kept(self.journal.answer(question.ask, question.seat, answers[place], self.seconds())):
                return
            session.answer(answers[place])
        self._after()

    def _after(self):
        """A step was made: note it, and show what comes of it."""
        self._changes += 1
        rules = self.session.rules
        if rules.over:
            self.journal.set_over(self.entry, True)
        if rules.closed:
            self.board.beep(2)
            self.go(self.result)
            return
        self.board.beep(1)
        if self.session.rules.warning(self.pen.say):
            self.notice.warn(self.pen.say)
            self.go(self.notice)
            return
        self.go_match()

    def undo(self):
        """Take the last step back."""
        session = self.session
        if not session.steps:
            self.tell("undo.nothing")
            return
        if not self._kept(self.journal.undo(self.seconds())):
            return
        renamed = session.kind(session.steps - 1) == NAME
        was_over = session.rules.over
        session.undo()
        if renamed:
            self._renamed()
        self._reopened(was_over)

    def _reopened(self, was_over):
        """Steps before the last one changed: show the match as it is now."""
        self._changes += 1
        if was_over != self.session.rules.over:
            self.journal.set_over(self.entry, self.session.rules.over)
        self.go_match()

    def offer_undo(self):
        """Say what would be taken back, and do it when confirmed; twice where a finished deal opens again."""
        session = self.session
        if session is None:
            return
        if not session.steps:
            self.tell("undo.nothing")
            return
        self.confirm.ask_undo()

    def look_at_options(self):
        """Show the options of the match under way."""
        self.plan.look()
        self.part("options").options.open(True)

    def propose(self, step, answer):
        """Ask whether an old answer is to be replaced."""
        proposal = self.part("history").proposal
        proposal.propose(step, answer)
        self.go(proposal)

    def amend(self, step, answer):
        """Replace an old answer; a refusal names the deal that stands in the way."""
        session = self.session
        was_over = session.rules.over
        session.reserve(ROOM)
        if not session.amend(step, answer):
            if session.stuck_step == step:
                self.tell("amend.wrong", self.part("history").deals)
            else:
                id = "amend.over" if session.stuck.kind == OVER else "amend.refused"
                self.tell(id, self.part("history").deals, session.stuck_deal)
            return
        if not self._kept(self.journal.amend(session.target(step), answer, self.seconds())):
            session.undo()
            return
        self._reopened(was_over)

    def redeal(self):
        """The table throws the deal in."""
        session = self.session
        if not session.can_redeal():
            self.go_match()
        elif self._kept(self.journal.redeal(self.seconds())):
            session.redeal()
            self._after()

    def adjust(self, side, points):
        """The table corrects a score."""
        session = self.session
        if not session.can_adjust():
            self.tell("adjust.refused")
            return
        session.reserve(ROOM)
        if not self._kept(self.journal.adjust(side, points, self.seconds())):
            return
        session.adjust(side, points)
        self._changes += 1
        if session.rules.over:
            self.journal.set_over(self.entry, True)
        self.go_match()

    def rename(self, seat, name):
        """Call a player by another name from now on."""
        if not self.session.running():
            self.go_match()
            return
        self.session.reserve(ROOM)
        if not self._kept(self.journal.rename(seat, name)):
            return
        self.session.rename(seat, name)
        self._renamed()
        self._changes += 1
        self.go_match()

    def _renamed(self):
        """Use the names as they are now, here and in the list of matches."""
        self.call_names()
        self.journal.set_over(self.entry, self.entry.over, self.session.names)

    def end(self):
        """The table stops the match."""
        if not self.session.running():
            self.go_match()
            return
        if not self._kept(self.journal.end(self.seconds())):
            return
        self.session.end()
        self.journal.set_over(self.entry, True)
        self._changes += 1
        self.go_match()

    def reckon(self):
        """Have the figures of all players reckoned, where a game takes long for it, while the screen is shown."""
        rules = self.session.rules
        if not rules.SIDES:
            self._reckoning = True
            for seat in range(rules.seats):
                rules.want(seat)

    # -- for screens and the link ------------------------------------------------------------------

    def aid(self, question):
        """Return the place in AIDS of what helps with a question, or -1."""
        aids = self.session.rules.AIDS
        for place in range(len(aids)):
            if aids[place][0] == question.ask and question.kind != MASK:
                return place
        return -1

    def told(self):
        """Return the texts of the screen, a str a row, for who looks on. Allocates."""
        canvas = __import__("keeper.said", None, None, ("",)).TellingCanvas()
        self.pen.canvas = canvas
        try:
            self.screen.draw(self.pen)
            return canvas.lines()
        finally:
            self.pen.canvas = self.canvas
            self.board.forget("keeper.said")
            self.untidy = True

    def changes(self):
        """Return a number that grows with every step, for who looks on."""
        return self._changes

    def opening(self):
        """Tell whether what comes next may allocate: outside a match, and where an answer opens a deal."""
        return self.screen is not self.ask or self.session.question.ask == 0

