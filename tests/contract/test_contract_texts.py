"""The words of every game: they are there, can be filled in, and fit the screen. No game is named here."""

import re

import pytest
from contract_tools import Walk
from game_walk import SEAT_NAMES, choose
from keeper import words
from keeper.canvas import SMALL
from keeper.pen import Pen
from keeper.said import TellingCanvas

from shared_rules import catalog, text
from shared_rules.question import COMMON_WORDS, MASK, NO_ASK, OVER, WAIT, WORD
from shared_rules.rules import CELL_TEXT
from shared_rules.text import PLACE_SEAT, PLACE_SIDE, PLACE_WORD, Texts

WIDTH = 128
SEEDS = 60
STEPS = 60
PLACES = {"seat", "side", "n", "+n", "m", "+m", "word"}


@pytest.fixture(params=catalog.GAMES)
def game(request):
    """Each game of the catalogue."""
    return catalog.load(request.param)


def texts_of(game):
    """Return the game's words as the box loads them."""
    return Texts(game, [dict(words.EN), dict(text.EN), {}])


def whole(parts):
    """Return a text with its places as it stands in the source."""
    if isinstance(parts, str):
        return parts
    names = ("{seat}", "{side}", "{n}", "{+n}", "{m}", "{word}", "{+m}")
    return "".join(part if isinstance(part, str) else names[part] for part in parts)


def ids_needed(game):
    """Return the ids of all texts that a screen or a sheet asks for by the game's tables."""
    ids = {"q." + id for id in game.QUESTIONS} | {"c." + column.id for column in game.COLUMNS}
    ids |= {"void." + void for void in game.VOIDS} | {"game." + game.GAME}
    ids |= {"seat." + seat for seat in game.SEAT_WORDS}
    for option in game.OPTIONS:
        ids.add("o." + option.id)
        ids |= {f"v.{option.id}.{value}" for value in option.values or () if isinstance(value, str)}
    for column in game.COLUMNS:
        if column.kind == CELL_TEXT:
            ids |= set(column.texts)
    for _, rows, _ in game.AIDS:
        ids |= {row[0] for row in rows}
    for word in game.WORDS[len(COMMON_WORDS) :]:
        ids.add(("w.own." if word in COMMON_WORDS else "w.") + word)
    return ids


def test_every_text_that_a_game_needs_is_there(game):
    texts = texts_of(game)
    for id in sorted(ids_needed(game)):
        assert texts.has(id), id
        assert whole(texts.get(id)), id
    assert game.WORDS[: len(COMMON_WORDS)] == COMMON_WORDS
    assert len(set(game.WORDS[len(COMMON_WORDS) :])) == len(game.WORDS) - len(COMMON_WORDS)
    assert len(set(game.QUESTIONS)) == len(game.QUESTIONS)


def test_every_text_has_only_places_that_can_be_filled():
    """Also where nobody says it: a place with another name would break the box when the game is loaded."""
    catalogues = [("text", text.EN), ("keeper", words.EN)]
    catalogues += [(id, catalog.load(id).EN) for id in catalog.GAMES]
    for name, catalogue in catalogues:
        for id, parts in catalogue.items():
            said = whole(parts)
            found = re.findall(r"\{([^}]*)\}", said)
            assert set(found) <= PLACES and said.count("{") == len(found) == said.count("}"), f"{name}: {id}"


def test_texts_without_places_where_nothing_fills_them(game):
    """Names of options, values, columns, cards and words are drawn as they are."""
    texts = texts_of(game)
    for id in ids_needed(game):
        if id[:2] != "q.":
            assert isinstance(texts.get(id), str), id


class Reader:
    """Reads what a game says, as the screens do, and notes what is wrong."""

    def __init__(self, game, walk):
        self.game = game
        self.session = walk.session
        self.pen = Pen(TellingCanvas())
        self.pen.texts = texts_of(game)
        self.pen.call(walk.session.names, game.SIDES)
        self.said = set()
        self.wide = {}  # id -> the widest of its lines that do not fit

    def line(self, what, id):
        """Check one line, which ``pen.say`` holds."""
        pen, say = self.pen, self.pen.say
        assert pen.texts.has(id), f"{what}: there is no text {id}"
        self.said.add(id)
        parts = pen.texts.get(id)
        for part in parts if isinstance(parts, tuple) else ():
            if part == PLACE_SEAT:
                assert 0 <= say.seat < len(pen.names), f"{what}: {id} speaks of seat {say.seat}"
            elif part == PLACE_SIDE:
                assert 0 <= say.side < self.game.SIDES, f"{what}: {id} speaks of side {say.side}"
            elif part == PLACE_WORD:
                number = 0 < say.word < WORD
                assert number or WORD <= say.word < WORD + len(self.game.WORDS), f"{what}: {id}: word {say.word}"
        width = pen.parts_width(parts, say, SMALL)
        if not isinstance(parts, str):
            width -= 1  # the gap after the last part
        if width > WIDTH:
            self.wide[id] = max(self.wide.get(id, (0, "")), (width, self.text(parts)))

    def text(self, parts):
        """Return a line as it is read."""
        pen, say = self.pen, self.pen.say
        if isinstance(parts, str):
            return parts
        return "".join(pen._string(part, say) or str(pen._number(part, say)) for part in parts)

    def everything(self):
        """Check all lines of this moment."""
        session, rules, say = self.session, self.session.rules, self.pen.say
        question = session.question
        for place in range(9):
            if not rules.hint(place, say):
                break
            assert place < 5, "more hints than a screen has rows"
            self.line("hint", say.id)
        assert not rules.hint(90, say)
        if rules.closed and rules.void < 0:
            for place in range(9):
                if not rules.result(place, say):
                    break
                assert place < 6, "more lines about a deal than a screen has rows"
                self.line("result", say.id)
            assert not rules.result(90, say)
        if rules.warning(say):
            self.line("warning", say.id)
        if question.ask == NO_ASK:
            return
        few = range(min(question.count(), 30))
        for answer in {question.default, *(question.at(place) for place in few)}:
            if rules.detail(answer, say):
                self.line("detail", say.id)
            say.put("value", word=answer)
            if question.kind != MASK and answer:
                self.line("value", "value")
        for prefix in ("q.", "n."):
            id = prefix + self.game.QUESTIONS[question.ask]
            rules.about(question, say)
            assert say.id == "", "about says whom a prompt speaks of, not what"
            if self.pen.texts.has(id):
                self.line("prompt", id)
        say.put("ask.default", word=question.default or 1)
        self.line("default", "ask.default")


def test_every_line_can_be_said_with_names_and_fits_the_screen(game):
    """Seats and sides are named within range, no id is missing, and with names of five letters nothing is cut."""
    assert all(len(name) == 5 for name in SEAT_NAMES)
    wide = {}
    for seed in range(SEEDS):
        walk = Walk(game, seed)
        reader = Reader(game, walk)
        reader.everything()
        for _ in range(STEPS):
            if walk.session.question.kind == OVER:
                break
            if walk.dice.roll(30) == 0:
                walk.redeal()
            else:
                assert walk.answer(choose(walk.session.question, walk.dice))
            reader.everything()
        for id, line in reader.wide.items():
            wide[id] = max(wide.get(id, (0, "")), line)
    assert not wide, "\n".join(f"{id}: {width} pixels: {line}" for id, (width, line) in sorted(wide.items()))


def test_every_line_of_a_game_is_said_some_time(game):
    """A text that nothing says only costs memory on the box."""
    own = {id for id in game.EN if id.startswith(game.GAME + ".")}
    said = set()
    for seed in range(1000):
        walk = Walk(game, seed, sliced=seed % 2 == 1)  # in slices, as on the box: then something may be reckoned yet
        reader = Reader(game, walk)
        for _ in range(40):
            while walk.session.question.kind == WAIT:
                reader.everything()
                walk.session.work()
            if walk.session.question.kind == OVER:
                break
            assert walk.answer(choose(walk.session.question, walk.dice))
            reader.everything()
        said |= reader.said
        if own <= said:
            break
    assert own <= said, sorted(own - said)


def test_there_are_no_texts_that_nobody_uses(game):
    """Outside the game's own lines: questions, names of answers, columns, options, cards, voids, the score's name."""
    known = ids_needed(game) | {"n." + id for id in game.QUESTIONS} | {"w." + word for word in COMMON_WORDS}
    known |= {"h." + column.id for column in game.COLUMNS}  # short heads for the box
    if game(list(option.default for option in game.OPTIONS), game.MIN_SEATS).minor(0) >= 0:
        known.add("score.minor")
    own = {id for id in game.EN if not id.startswith(game.GAME + ".")} - {text.SPLIT}
    assert own <= known, sorted(own - known)


def test_options_and_columns_fit_where_they_are_drawn(game):
    """An option's name has a row of its own, its value half a row; a head of the list of deals a narrow column."""
    canvas = TellingCanvas()
    texts = texts_of(game)
    for option in game.OPTIONS:
        name = canvas.text_width(texts.get("o." + option.id), SMALL)
        assert name <= WIDTH - 8, option.id
        for value in option.values or ():
            shown = texts.option(option, option.code(value))
            assert bool(shown) == isinstance(value, str)
            assert canvas.text_width(shown, SMALL) <= WIDTH - 10, (option.id, value)
    assert len(game.BRIEF) <= 6
    assert all(0 <= place < len(game.COLUMNS) for place in game.BRIEF)
    for place, void in enumerate(game.VOIDS):
        assert canvas.text_width(texts.voids[place], SMALL) <= WIDTH, void


def test_a_name_of_any_length_can_be_drawn(game):
    """Names are cut on the screen, never refused: nothing breaks with one of 24 bytes or of none."""
    for name in ("", "M" * 24, "प्रिया", "王" * 8):
        walk = Walk(game, 7)
        pen = Pen(TellingCanvas())
        pen.texts = texts_of(game)
        pen.call([name] * walk.setup.seats, game.SIDES)
        for _ in range(30):
            if walk.session.question.kind == OVER:
                break
            place = 0
            while walk.session.rules.hint(place, pen.say):
                assert pen.said(0, 7, pen.say, SMALL) <= WIDTH + 1
                place += 1
            walk.answer(choose(walk.session.question, walk.dice))
