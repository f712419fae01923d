"""Playing on the box by its keys alone, looked at by what the screen says: FIELD_REPORTS rows 23 to 46."""

import json
import random
import re
import shutil
import tempfile

import pytest
from box_tools import DEAL, START, Bench, key
from keeper.app import DARK, DIM, FULL
from keeper.canvas import Canvas
from keeper.journal import Journal
from keeper.screens.ask import AskScreen
from keeper.screens.base import ListScreen

from shared_rules import catalog, record
from shared_rules.games import ten
from shared_rules.question import NUMBER, SEAT, WORD
from shared_rules.session import ANSWER, Session

LAST_CARD = WORD + ten.Game.WORDS.index("last")
NAMES = ("Agnes", "Bruno", "Clara", "David")


@pytest.fixture
def bench(tmp_path):
    """A new box."""
    return Bench(tmp_path / "box")


def standing(app):
    """Return what of the match has to survive everything."""
    session = app.session
    question = session.question
    return session.steps, session.lines, question.ask, question.seat, session.rules.score(), list(session.names)


def numbers(bench):
    """Return the numbers on the screen, with the page each begins on."""
    return [(page, what) for _, page, what in bench.app.canvas.texts() if type(what) is int]


def kept(folder):
    """Return deals and score of every match of a journal, played again from what is on the flash: number -> both.

    From a copy: opening a journal may mend it, and two must not have the same files.
    """
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        return replayed(copy)


def replayed(folder):
    """Return what ``kept`` says of a folder that nobody else uses."""
    journal = Journal(folder, "test", bytes, lambda: 10**6)
    journal.scan()
    found = {}
    for entry in journal.entries():
        header = entry.header
        game = catalog.load(header["game"])
        codes = [option.default for option in game.OPTIONS]
        for place, option in enumerate(game.OPTIONS):
            if option.id in header["options"]:
                codes[place] = option.code(header["options"][option.id])
        dealer = game.SEAT_WORDS.index(header["dealer"])
        session = Session(game(codes, len(header["players"])), dealer, header["players"], None, entry.records + 64)
        assert journal.resume(entry, session) >= 0
        found[entry.number] = (session.rules.deals, json.dumps(session.rules.score()))
    journal.close()
    return found


# -- row 29: the power goes --------------------------------------------------------------------------

SCRIPT = (
    START[6:],
    "OK RIGHT OK RIGHT OK UP RIGHT*2 OK OK",  # North deals, bid 12, East sweeps, 62 points
    "OK OK DOWN LEFT OK OK DOWN DOWN OK OK",  # South sweeps, and West and South again
    "LEFT OK RIGHT OK UP*3 OK",
    "hold-BACK RIGHT OK RIGHT OK UP OK OK",  # the last answer is taken back, and another given
    "OK OK hold-OK DOWN*2 OK RIGHT OK RIGHT OK OK",  # a deal thrown in
    "hold-OK DOWN*2 OK UP LEFT*3 OK",  # a score corrected
    "hold-OK DOWN OK OK OK BACK BACK BACK",  # a look at the deals
    "OK OK OK DOWN*4 OK OK",
)


def presses(lines):
    """Give the single presses of a script: (key, ms)."""
    for word in " ".join(lines).split():
        name, _, times = word.partition("*")
        for _ in range(int(times or 1)):
            yield (name[5:], 800) if name.startswith("hold-") else (name, 40)


def test_row_29_after_a_power_cut_at_any_press_the_match_is_there_again(bench, tmp_path):
    """A Seep match of several deals: whatever key was pressed last, all answers given stand, and the box is back
    at the question of the match; only what was chosen but not given yet is lost."""
    checked = 0
    for place, (name, ms) in enumerate(presses(SCRIPT)):
        bench.tap(key(name), ms)
        again = bench.reborn(tmp_path / str(place))
        if bench.app.session is None:
            assert again.app.session is None and "New match" in again.says(), "nothing had begun yet"
            continue
        if bench.app.ask.step >= 0:  # an old answer is looked at, so the rules here are at that moment
            assert again.app.session.steps == bench.app.session.steps
            continue
        checked += 1
        if bench.rules.over:
            assert "New match" in again.says()
            assert kept(tmp_path / str(place))[1][1] == json.dumps(bench.rules.score())
            continue
        assert standing(again.app) == standing(bench.app), f"press {place}, {name}"
        question = again.app.session.question
        assert "New match" not in again.says()
        assert again.app.screen is again.app.ask
        words = again.app.pen.texts
        again.app.session.rules.about(question, again.app.pen.say)
        prompt = [part for part in (words.prompts[question.ask],) if isinstance(part, str)]
        assert all(part in again.says() for part in prompt)
        again.box.close()
    assert checked > 60 and bench.rules.deals >= 4


def test_row_29_a_key_pressed_while_the_box_starts_is_answered_and_kept(tmp_path):
    """The first picture of a match that is resumed does not wait for the journal's files; the first answer does."""
    bench = Bench(tmp_path).start()
    bench.run("press OK*2")
    steps = bench.app.session.steps
    assert bench.app.screen is bench.app.ask and bench.app.session.question.ask > 0, "within a deal"
    board = bench.box.board
    presses = [key("OK"), 0]  # both came before the box looked for the first time
    board.held = lambda: presses.pop(0) if presses else 0
    board.pending = lambda: bool(presses)
    bench.box.cut()
    bench.box.run(50)
    app = bench.app
    assert app.session.steps == steps + 1 and not app.unsaved and app.screen is not app.notice
    assert Bench(tmp_path).app.session.steps == steps + 1, "kept"


@pytest.mark.parametrize(("place", "value"), ((1, 20), (1, 0x101F), (2, -1), (4, 101)))
def test_a_step_that_the_rules_refuse_ends_the_match_there_and_is_told(tmp_path, place, value):
    """Another version of the program may have allowed it: the box starts, says so, and keeps what follows."""
    bench = Bench(tmp_path).start()
    bench.run(*[DEAL] * 5)
    bench.box.cut()
    (log,) = tmp_path.glob("*.log")
    records = bytearray(log.read_bytes())
    at = record.SIZE * place
    ask, seat, match = record.ask(records, at), record.seat(records, at), record.match(records, at)
    record.pack(records, at, ANSWER, match, place, ask, seat, value, 0, 9)
    log.write_bytes(records)
    bench.box.cut()
    bench.box.run(50)
    app = bench.app
    assert app.session.steps == place and "not possible by the | rules" in bench.says()
    assert [path.read_bytes()[: record.SIZE] for path in tmp_path.glob("m*.bad")] == [records[at : at + record.SIZE]]
    bench.run("press OK")
    assert app.screen is app.ask and app.session.question.ask == ask
    bench.run("press OK")
    assert app.session.steps == place + 1
    bench.box.cut()
    assert bench.app.session.steps == place + 1


def test_row_29_a_tie_in_ten_stands_after_a_cut(tmp_path):
    """The box reckons the hands in slices before it asks those tied for their tokens: when the power comes back, it
    has to reckon them before it can take in what was answered then (RULES.md 4.9)."""
    bench = Bench(tmp_path)
    bench.app.begin({"game": "ten", "options": {}, "players": ["Ann", "Bo"], "dealer": "P1"})
    bench.box.run(100)
    for answer in [LAST_CARD, ten.DONE, ten.DONE, *[0] * 10]:  # nobody has a card: both have nothing, so they are tied
        bench.app.give(answer)
        bench.box.run(2000)
    assert bench.app.session.question.ask == ten.TOKENS
    bench.app.give(3)
    assert (bench.app.session.steps, bench.app.session.question.seat) == (14, 1)
    bench.box.cut()
    again = Bench(tmp_path)
    assert standing(again.app) == standing(bench.app)
    assert (again.app.session.steps, again.app.session.question.seat) == (14, 1)
    assert again.app.screen is again.app.ask and not again.app.journal.warnings


def test_row_29_the_match_goes_on_after_a_cut_after_every_answer(tmp_path):
    """The same answers with the plug pulled after each make the same match as without."""
    results = []
    for cuts in (False, True):
        bench = Bench(tmp_path / str(cuts)).start()
        for answer in ("OK", "RIGHT OK", "RIGHT", "OK", "UP RIGHT OK", "OK", "OK", "DOWN", "OK", "DOWN LEFT OK") * 3:
            bench.run(f"press {answer}")
            if cuts:
                bench.box.cut()
            if bench.app.screen is bench.app.result:
                bench.run("press OK")
        results.append(standing(bench.app))
        assert bench.rules.deals == 6
    assert results[0] == results[1]


def test_row_29_what_is_shown_as_given_is_on_the_flash(bench, tmp_path):
    """Acknowledged means kept: whenever the screen has the next question, a box born from the flash has it too."""
    bench.start()
    for place in range(20):
        bench.run("press OK")
        again = bench.reborn(tmp_path / str(place))
        assert standing(again.app) == standing(bench.app)
        again.box.close()


# -- row 30: nothing is lost by pressing about --------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_row_30_ten_thousand_short_presses_never_lose_a_deal(bench, seed):
    """Short presses wander through all the screens: the deals of every match grow in number, here and on the flash;
    one is opened again only where that was asked twice."""
    dice = random.Random(seed)
    bench.start()
    board = bench.box.board
    deals = {}
    screens = set()
    for press in range(10000 // 2):
        sure = bench.app.screen is bench.app.confirm and "Sure?" in bench.says()
        board.mask = 1 << dice.randrange(6)
        for mask in (board.mask, 0):
            board.mask = mask
            for _ in range(4):
                board.pass_time(10)
                bench.app.step(board.now)
        app = bench.app
        screens.add(type(app.screen).__name__)
        if app.session is not None and app.ask.step < 0:  # not while an old answer is looked at
            before = deals.get(app.entry.number, 0)
            deals[app.entry.number] = app.session.rules.deals
            assert app.session.rules.deals >= before or sure, f"press {press} loses a deal without two confirmations"
        if press % 250 == 249:
            assert {number: entry[0] for number, entry in kept(bench.folder).items()} == deals
    assert len(screens) >= 8 and sum(deals.values()) >= 20, (screens, deals)


@pytest.mark.parametrize(
    ("where", "steps"),
    [
        ("press BACK", ("hold BACK", "expect Deal 1 opens again")),
        ("press OK*2", ("hold OK", "press DOWN*2 OK", "expect Throw this deal in?")),
        ("press OK", ("hold OK", "press UP OK", "expect End without a winner?")),
    ],
    ids=["undo", "throw-in", "end"],
)
def test_row_30_what_destroys_asks_twice_with_no_chosen(bench, where, steps):
    """OK alone, and yes once, change nothing; yes twice does it."""
    bench.start().run("press OK OK OK UP OK", where)
    before = standing(bench.app)
    for answers in ("press OK", "press RIGHT OK OK", "press RIGHT OK BACK", "press RIGHT BACK", "press BACK"):
        bench.run(*steps, "marked No", answers)
        assert standing(bench.app) == before
    bench.run(*steps, "press RIGHT OK", "expect Sure?", "marked No", "press RIGHT OK")
    assert standing(bench.app) != before


# -- row 31: nothing stale ------------------------------------------------------------------------------


def test_row_31_after_a_match_is_stopped_nothing_of_it_is_on_any_screen_of_another(bench):
    """A match stopped in its third deal; then one of another game with other names shows no trace of it."""
    for name in NAMES:
        bench.app.settings.add_name(name)
    bench.start().run("press OK OK OK UP*2 RIGHT*3 OK OK", DEAL, "press OK OK")
    bench.run("hold OK", "press UP OK", "expect End without", "press RIGHT OK RIGHT OK", "expect Stopped, no winner")
    bench.run("press OK", "press UP OK", "expect New match")
    for place, name in enumerate(("Emily", "Frank", "Grace", "Henry")):
        assert bench.app.settings.add_name(name)[1] in ("", None)
        bench.app.settings.roster.remove(NAMES[place])
    bench.run("press OK", "press DOWN OK", "press DOWN*2 RIGHT*2 UP*2 OK")
    assert bench.rules.GAME != "seep"
    seen = bench.says()
    for screen in ("wait 2600", "hold OK", "press DOWN OK", "press BACK", "press OK", "wait 2600", "press BACK"):
        bench.run(screen)
        seen += " | " + bench.says()
    assert not [name for name in (*NAMES, "bazzi", "46", "lead") if name in seen.replace("Bazzi", "")], seen
    assert bench.rules.score() == {"A": 0, "B": 0} and bench.rules.deals == 0
    bench.run("press OK")
    assert "Emily" in seen and "Frank" in seen


def test_row_31_a_match_put_aside_is_as_it_was(bench):
    """Another match in between, and the power gone, change nothing of it."""
    bench.start().run("press OK RIGHT OK RIGHT OK UP OK OK", "press OK")
    before = standing(bench.app)
    bench.run("hold OK", "press UP*2 OK", "expect New match")
    bench.run("press DOWN OK OK DOWN*2 RIGHT UP*2 OK", DEAL, "hold OK", "press UP*2 OK", "expect New match")
    bench.box.cut()
    bench.run("press DOWN OK")
    assert standing(bench.app) == before
    bench.run("expect West bids")


# -- row 35: below zero -----------------------------------------------------------------------------


def test_row_35_minus_twelve_is_three_presses(bench):
    """A score is corrected by -12; the sign is on the screen, in the score and on the flash."""
    bench.start()
    bench.run("hold OK", "press DOWN OK", "expect Adjust", "press UP")
    assert bench.run("press DOWN LEFT*2", "expect -12") == 3
    bench.run("press OK", "expect Who deals?")
    assert bench.rules.score()["difference"] == -12
    assert (2, 12) in numbers(bench), "East and West lead by 12"
    bench.box.cut()
    assert bench.rules.score()["difference"] == -12


def test_row_35_from_three_through_zero_to_minus_three_and_back(bench):
    """Each press is one step; nothing is skipped and nothing sticks at zero."""
    bench.start().run("hold OK", "press DOWN OK", "press UP", "press RIGHT*3")
    shown = []
    for name in ["LEFT"] * 6 + ["RIGHT"] * 6:
        shown.append(numbers(bench)[-1][1])
        bench.run(f"press {name}")
    assert shown == [3, 2, 1, 0, -1, -2, -3, -2, -1, 0, 1, 2]
    bench.run("expect +3")


def test_row_35_a_held_key_runs_through_zero(bench):
    bench.start().run("hold OK", "press DOWN OK", "press UP", "press UP")
    seen = []
    bench.box.hold(key("LEFT"))
    while numbers(bench)[-1][1] > -10:
        bench.box.run(5)
        if numbers(bench)[-1][1] not in seen[-1:]:
            seen.append(numbers(bench)[-1][1])
    bench.box.hold(0)
    bench.box.run(500)
    assert seen == list(range(9, -11, -1)) or seen == list(range(10, -11, -1))
    assert numbers(bench)[-1][1] in (-10, -11)


@pytest.mark.parametrize("points", [-100, -999, 999])
def test_row_35_large_corrections_fit_their_field(bench, points):
    """All digits and the sign are there, and inside the screen."""
    bench.start().run("hold OK", "press DOWN OK", "press UP")
    steps = divmod(abs(points), 10)
    bench.run(f"press {'UP' if points > 0 else 'DOWN'}*{steps[0]}")
    if steps[1]:
        bench.run(f"press {'RIGHT' if points > 0 else 'LEFT'}*{steps[1]}")
    bench.run(f"expect {points:+d}", "press UP DOWN" if points > -999 else "wait 5")
    assert "…" not in bench.says()
    canvas = bench.app.canvas
    assert all(canvas.x1[place] <= 128 for place in range(canvas.used))


def test_row_35_scores_of_minus_a_hundred_fit_the_table(bench):
    """Two totals of three digits and a sign have room between the names."""
    bench.run("press OK DOWN OK", "press DOWN*2 RIGHT UP*2 OK", "expect Who deals?")
    for side in ("UP", "RIGHT"):
        bench.run("hold OK", f"press DOWN{'*2' if side == 'RIGHT' else ''} OK", "expect Adjust", f"press {side}")
        bench.run("press DOWN*10", "expect -100", "press OK")
    assert [what for _, what in numbers(bench) if what == -100] == [-100, -100]
    assert "…" not in bench.says()


@pytest.mark.parametrize("points", [26, -26, 99, -99])
def test_the_lead_can_be_read_whoever_has_it(bench, points):
    """What the screen says has the lead's number, so that the link's live view and these tests see it too."""
    bench.start().run("hold OK", "press DOWN OK", "press UP")
    tens, ones = divmod(abs(points), 10)
    bench.run(f"press {'UP' if points > 0 else 'DOWN'}*{tens}", f"press {'RIGHT' if points > 0 else 'LEFT'}*{ones}")
    bench.run("press OK", "expect Who deals?")
    assert (2, abs(points)) in numbers(bench)


# -- row 37: presses --------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "way", "most"), [(76, "UP*3 LEFT*4", 8), (45, "LEFT*5", 5), (100, "UP*5", 5)])
def test_row_37_card_points_are_entered_in_a_few_presses(bench, points, way, most):
    """From 50 by tens and ones: 76 in at most 8 presses before OK, 45 in 5."""
    bench.start().run("press OK*3", "expect Cards of")
    assert bench.run(f"press {way}", f"expect {points}") <= most
    bench.run("press OK", f"expect North & South {points}")


@pytest.mark.parametrize("name", ["LEFT", "RIGHT"])
def test_row_37_a_held_key_does_not_run_on_when_it_is_let_go(bench, name):
    """It gets faster; at the release the number stands."""
    bench.start().run("press OK*3", "expect Cards of")
    bench.box.hold(key(name))
    bench.box.run(2500)
    shown = numbers(bench)[0]
    bench.box.hold(0)
    bench.box.run(5)
    assert abs(numbers(bench)[0][1] - shown[1]) <= 1
    shown = numbers(bench)[0]
    bench.box.run(2000)
    assert numbers(bench)[0] == shown
    assert abs(shown[1] - 50) > 15, "it went a long way"


def test_row_37_an_ordinary_deal_is_five_presses(bench):
    bench.start()
    assert bench.run(DEAL, "expect Who deals?") == 5 and bench.rules.deals == 1


# -- rows 23, 25, 26: taking back and correcting --------------------------------------------------------


def test_row_23_each_undo_gives_back_one_step_with_dealer_and_score(bench):
    """Deals, a throw-in and a correction are taken back one by one, each exactly as it was before."""
    bench.start()
    before = []
    for lines in (
        ("press OK",),
        ("press RIGHT OK",),
        ("press RIGHT",),
        ("press OK",),
        ("press UP OK", "press OK"),
        ("press OK",),
        ("hold OK", "press DOWN*2 OK", "expect Throw", "press RIGHT OK RIGHT OK", "press OK"),
        ("hold OK", "press DOWN*2 OK", "press UP", "press LEFT*5", "press OK"),
        ("press OK",),
        ("press OK",),
    ):
        session = bench.app.session
        before.append((session.steps, session.rules.score(), session.rules.whose_deal(), session.rules.deals))
        bench.run(*lines)
        assert bench.app.session.steps == before[-1][0] + 1
    while before:
        bench.run("hold BACK", "expect Take back?")
        if "Yes" not in bench.box.inverted():
            bench.run("press RIGHT OK", "expect Sure?", "press RIGHT")
        bench.run("press OK")
        session = bench.app.session
        now = (session.steps, session.rules.score(), session.rules.whose_deal(), session.rules.deals)
        assert now == before.pop()
    bench.run("hold BACK", "expect Nothing to take back")


def test_row_23_undo_works_from_the_result_and_from_the_end_of_the_match(bench):
    bench.start().run("press OK*3 UP*5", "expect 100", "press OK", "expect Bazzi")
    bench.run("hold BACK", "expect Take back?", "expect 100", "press BACK", "expect Match over")
    bench.run("hold BACK", "expect Deal 1 opens again", "press RIGHT OK", "expect Sure?", "press RIGHT OK")
    bench.run("expect Cards of North & South")
    assert not bench.rules.over and bench.rules.deals == 0
    bench.run("press OK", "expect North & South 50")
    bench.box.cut()
    bench.run("expect Who deals?")
    assert bench.rules.deals == 1


def test_row_26_deal_two_of_twelve_is_corrected_in_twenty_presses(bench):
    """Rows 25 and 26: through the list of deals, whatever is held counted as one press; everything after is new."""
    bench.start()
    for _ in range(12):
        bench.run(DEAL)
    assert bench.rules.deals == 12 and bench.rules.score()["difference"] == 0
    count = bench.run("hold OK", "press DOWN OK", "expect Deals", "press UP*2", "press OK", "expect Deal 2")
    count += bench.run("press UP OK", "expect Cards of", "press UP*3 LEFT*4", "expect 76", "press OK")
    bench.run("expect Correct?")
    count += bench.run("marked No", "press RIGHT OK", "expect Who deals?")
    assert count <= 20
    assert bench.rules.score()["difference"] == 52 and bench.rules.deals == 12
    assert (2, 52) in numbers(bench)
    bench.run("hold OK", "press DOWN OK", "expect +52")
    bench.run("press BACK")
    before = standing(bench.app)
    bench.box.cut()
    assert standing(bench.app) == before
    bench.run("hold BACK", "expect the correction", "press RIGHT OK RIGHT OK")
    assert bench.rules.score()["difference"] == 0


def test_row_25_a_correction_that_would_end_the_match_earlier_names_the_deal_in_the_way(bench):
    """Nothing changes, on the screen or on the flash."""
    bench.start().run(DEAL, DEAL, DEAL, DEAL)
    before = standing(bench.app)
    bench.run("hold OK", "press DOWN OK", "press UP*2 OK", "expect Deal 2", "press UP OK", "press UP*5", "expect 100")
    bench.run("press OK RIGHT OK", "expect No: over before deal 3")
    bench.run("press OK", "press BACK", "expect Who deals?")
    assert standing(bench.app) == before
    bench.box.cut()
    assert standing(bench.app) == before


def test_row_25_a_correction_of_a_match_that_is_over_opens_it_again(bench):
    """The target is not reached any more: the winner is gone, and so is the match from the finished ones."""
    bench.start().run("press OK*3 UP*4 OK", "expect North & South 90", "press OK", "press OK*3 UP OK", "expect Bazzi")
    bench.run("press OK", "expect Match over", "press OK", "press DOWN*2 OK", "expect Deals")
    bench.run("press UP OK", "expect Deal 1", "press UP OK", "press DOWN*2 OK", "expect Correct?", "press RIGHT OK")
    bench.run("expect Who deals?")
    assert not bench.rules.over and bench.rules.score() == {"difference": 60, "bazzis": {"A": 0, "B": 0}}
    bench.box.cut()
    assert not bench.rules.over and bench.rules.score()["difference"] == 60


def test_row_27_editing_the_last_deal_makes_no_other_deal(bench):
    """With and without a change: as many deals as before, and the same one to deal."""
    bench.start().run(DEAL, DEAL)
    dealer = bench.rules.whose_deal()
    for change in ("", "press RIGHT"):
        bench.run("hold OK", "press DOWN OK", "press OK", "expect Deal 2", "press UP OK", change or "wait 5")
        bench.run("press OK", "expect Correct?", "press RIGHT OK", "expect Who deals?")
        assert bench.rules.deals == 2
    assert bench.rules.score()["difference"] == 2
    assert dealer == 0


# -- row 45: dimming ----------------------------------------------------------------------------------


def test_row_45_dims_after_a_minute_and_goes_dark_after_half_an_hour_in_a_match(bench):
    """The score stays to be read, dimmed; the picture moves by a pixel every minute; on waking it is the same."""
    bench.start().run("press OK", "expect West bids")
    board = bench.box.board
    frame, lines = bench.box.frame(), bench.box.lines()
    bench.leave(59)
    assert bench.app.brightness == FULL
    bright = board.contrast
    bench.leave(2)
    assert bench.app.brightness == DIM and board.on and board.contrast < bright / 4
    shifts = [board.shift]
    for _ in range(28):
        bench.leave(60)
        assert board.on
        shifts.append(board.shift)
    assert shifts.count(0) >= 10 and shifts.count(1) >= 10 and shifts[1:] != shifts[:-1]
    assert bench.box.frame() == frame
    bench.leave(60)
    bench.leave(2)
    assert bench.app.brightness == DARK and not board.on
    bench.tap(key("LEFT"))
    assert board.on and board.contrast == bright
    assert (bench.box.frame(), bench.box.lines()) == (frame, lines)


def test_row_45_the_table_shows_dealer_and_score_as_long_as_it_is_lit(bench):
    bench.start().run("press OK*3 UP*3 OK OK", "expect Who deals?")
    for _ in range(29):
        bench.leave(60)
        assert bench.box.board.on
        assert "<dealer>" in bench.says() and (2, 60) in numbers(bench)


def test_row_45_without_a_match_it_goes_dark_after_five_minutes(bench):
    board = bench.box.board
    bench.leave(299)
    assert board.on and bench.app.brightness == DIM
    bench.leave(2)
    assert not board.on
    bench.tap(key("OK"))
    assert board.on
    bench.run("expect New match")


def test_row_45_the_times_can_be_set_and_switched_off(bench):
    for id, value in (("dim_s", 0), ("blank_s", 0)):
        assert bench.app.settings.set(id, value)
    bench.app.relight()
    bench.leave(7300)
    assert bench.app.brightness == FULL
    assert bench.app.settings.set("blank_s", 20)
    bench.app.relight()
    bench.tap(key("UP"))
    bench.leave(19)
    assert bench.box.board.on
    bench.leave(2)
    assert not bench.box.board.on


# -- row 46: names ------------------------------------------------------------------------------------


def named(bench, names):
    """Begin a Seep match of players with these names."""
    for name in names:
        kept_name, reason = bench.app.settings.add_name(name)
        assert not reason and kept_name == name
    bench.app.settings.save()
    return bench.start()


def test_row_46_letters_of_europe_are_shown_and_others_have_a_fallback(bench):
    """Never another letter and never an error: what the font has not is a question mark; the names stay as given."""
    names = ["Åsa", "Jürgen", "प्रिया", "王"]
    named(bench, names)
    says = bench.says()
    assert "Åsa" in says and "Jürgen" in says
    assert "प" not in says and "王" not in says and "?" in says
    bench.run("press OK", "expect ? bids")
    assert bench.app.session.names == names
    bench.box.cut()
    assert bench.app.session.names == names
    entry = bench.app.entry
    assert entry.header["players"] == names


def test_row_46_pictures_and_combining_marks(bench):
    """A wolf becomes one question mark; an accent put on afterwards is left out, the letter stays."""
    names = ["Bob 🐺", "Ame\u0301lie", "Zoë", "O'Hara"]
    named(bench, names)
    says = bench.says()
    assert "Bob ?" in says and "Zoë" in says and "O'Hara" in says
    bench.run("hold OK", "press DOWN*2 OK", "expect Rename", "expect Amelie")
    bench.box.cut()
    assert bench.app.session.names == names


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "nul\0", "x" * 25, "王" * 9])
def test_row_47_names_that_cannot_be_shown_or_kept_are_refused(bench, name):
    """With a reason, and nothing is remembered."""
    assert bench.app.settings.add_name(name)[1]
    assert bench.app.settings.roster == []


def test_row_46_long_names_are_cut_on_the_screen_and_nowhere_else(bench):
    names = ["Maximiliane-Alexandra", "İİİİİİİİİİİİ", "W" * 24, "Åsa"]
    named(bench, names)
    for line in ("press OK", "press OK", "press RIGHT", "press OK", "press OK", "hold OK", "press DOWN OK", "press OK"):
        bench.run(line)
        canvas = bench.app.canvas
        assert all(canvas.x1[place] <= 128 for place in range(canvas.used))
    assert bench.app.session.names == names


# -- nothing cut off --------------------------------------------------------------------------------


LISTS = ("HomeScreen", "PastScreen")  # a row there has room for four names of some four letters


@pytest.mark.parametrize("game", range(len(catalog.GAMES)))
def test_with_names_of_five_letters_nothing_is_cut_off(tmp_path, game):
    """Every game pressed at random, holds too: no text ends in an ellipsis, but names in the list of matches."""
    bench = Bench(tmp_path / "box", seed=3)
    for name in (*NAMES, "Emily"):
        bench.app.settings.add_name(name)
    dice = random.Random(game)
    board = bench.box.board
    bench.run("press OK", f"press DOWN*{game} OK" if game else "press OK")
    cut = set()
    for _ in range(2500):
        board.mask = 1 << dice.choices(range(6), (3, 3, 3, 3, 5, 1))[0]
        long = board.mask >= key("OK") and dice.random() < 0.05
        for mask, steps in ((board.mask, 30 if long else 2), (0, 2)):
            board.mask = mask
            for _ in range(steps):
                board.pass_time(20)
                bench.app.step(board.now)
        for line in bench.box.lines():
            if "…" in line and type(bench.app.screen).__name__ not in LISTS:
                cut.add(f"{type(bench.app.screen).__name__}: {re.sub('[0-9]+', '9', line)}")
        bench.app.settings.roster[:] = [*NAMES, "Emily"]
        if bench.app.session is None and dice.random() < 0.5:
            bench.run("press BACK")
    assert not cut, "\n".join(sorted(cut))


def test_a_score_of_any_size_is_shown_in_the_list_of_deals(bench):
    """Forty adjustments of -999 are legal; the list of deals keeps what they come to."""
    bench.run("press OK DOWN OK", "press DOWN DOWN RIGHT UP UP OK", "expect Who deals?")
    for _ in range(40):
        bench.app.adjust(0, -999)
    bench.run("press OK OK*4", "expect Thrown in", "press OK", "hold OK", "press DOWN OK")
    assert bench.app.session.rules.score() == {"A": -39960, "B": 0}
    assert "Deals" in " ".join(bench.box.lines())


def test_looking_at_the_set_up_leaves_the_match_to_be_resumed(bench):
    """Row 29: who only looked at a new match finds the one under way after a power cut."""
    bench.run("press OK OK DOWN DOWN RIGHT UP UP OK", "expect Who deals?", "press OK", "press BACK")
    bench.run("press DOWN OK OK", "press BACK BACK", "cut", "expect bids")


def test_counting_for_the_other_side_keeps_what_was_ticked(bench):
    """What one side does not have the other has: turning to it shows the rest of the hundred, and done suggests it."""
    bench.run("press OK OK DOWN DOWN RIGHT UP UP OK", "press OK OK OK", "hold OK", "expect Count up", "press OK")
    bench.run("press OK DOWN OK")  # king and queen of spades
    assert bench.app.part("tools").counting.points(0) == 25
    bench.run("press BACK")
    assert bench.app.part("tools").counting.points(1) == 75
    bench.run("hold OK", "expect 25", "expect the others 75")


def test_a_renamed_player_has_the_new_name_in_the_list(bench):
    """The list of matches says who sits there now."""
    bench.run("press OK OK DOWN DOWN RIGHT UP UP OK", "expect Who deals?")
    bench.app.rename(0, "Zoe")
    bench.run("press BACK", "expect Zoe", "cut", "press BACK", "expect Zoe")


# -- what stays where it is ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", range(3))
def test_names_and_score_stand_still_while_a_deal_is_asked(tmp_path, game):
    """In the games of partners every question but a player's shows the far side of the table and the score."""
    bench = Bench(tmp_path / "box")
    bench.run("press OK", f"press DOWN*{game} OK" if game else "press OK", "press DOWN*2 RIGHT UP*2 OK")
    for side, way in (("UP", "RIGHT*3"), ("RIGHT", "RIGHT*2")):
        bench.run(
            "hold OK",
            f"press DOWN{'' if side == 'UP' else '*2'} OK",
            "expect Adjust",
            f"press {side}",
            f"press {way} OK",
        )
    score = [1] if game == 0 else [3, 2]
    seen = set()
    while bench.app.screen is not bench.app.result:
        question = bench.app.session.question
        if question.kind != SEAT:
            assert bench.app.screen is bench.app.ask, bench.says()
            far = {what: page for _, page, what in bench.app.canvas.texts() if page < 4}
            assert (far["North"], far["West"], far["East"]) == (0, 2, 2)
            assert [what for page, what in numbers(bench) if page == 2] == score
            seen.add(question.ask)
        bench.run("press RIGHT OK" if question.kind == NUMBER else "press OK")
    assert len(seen) == (2, 7, 4)[game]


def test_advice_without_room_takes_turns_on_the_last_page(bench):
    """Smear has three lines when the trump is asked: each for its time, then the first again; the rest stands still."""
    bench.run("press OK DOWN OK", "press DOWN*2 RIGHT UP*2 OK", "press OK", "press LEFT OK", "expect East: trump?")
    before = bench.box.frame()
    for line in ("Keep trumps (up to 6)", "First lead is trump", "Take 3, keep 6"):
        bench.run("wait 2500", f"expect {line}", "expect East: trump?")
        assert bench.box.frame()[: 7 * 129] == before[: 7 * 129]
    assert bench.box.frame() == before


def test_a_result_has_the_new_score_large_where_the_next_question_has_it(bench):
    """All above the lines is already what stands above the question who deals, but for the deal's number."""
    bench.start().run("press OK*3 UP*2 OK", "expect Deal 1", "expect North & South 70", "expect East & West 30")
    assert (2, 40) in numbers(bench)
    result = bench.box.frame()
    bench.run("press OK", "expect Deal 2", "expect Who deals?")
    question = bench.box.frame()
    changed = [page for page in range(5) if question[129 * page :][:129] != result[129 * page :][:129]]
    assert changed == [0, 2, 3], "the deal's number, and the name of West, who is to deal, reversed"


def test_a_deal_thrown_in_says_so_below_the_score(bench):
    bench.run("press OK DOWN OK", "press DOWN*2 RIGHT UP*2 OK", "press OK", "press OK*4", "expect Deal 1")
    bench.run("expect Thrown in", "expect All passed")
    assert [what for page, what in numbers(bench) if page == 2] == [0, 0]


def test_a_long_word_leaves_the_advice_its_room(bench):
    """Seep's longest answer and the line of advice are on the screen in full."""
    bench.start().run("press OK", "expect West bids", "press LEFT*3", "expect none above 8")
    bench.run("expect a 9-13 held, or none", "refuse …")


# -- pictures that are only retouched -----------------------------------------------------------------


@pytest.mark.parametrize("game", range(len(catalog.GAMES)))
def test_a_retouched_picture_is_the_one_that_would_be_drawn_anew(tmp_path, game, monkeypatch):
    """On every screen that a few hundred random keys come to: lists, menu, numbers."""
    retouched = set()
    for kind in (AskScreen, ListScreen):

        def spy(screen, pen, retouch=kind.retouch, kind=kind):
            done = retouch(screen, pen)
            if done:
                retouched.add(kind)
            return done

        monkeypatch.setattr(kind, "retouch", spy)
    bench = Bench(tmp_path)
    bench.run("press OK" + " DOWN" * game + " OK" * 9)
    chance = random.Random(game)
    for _ in range(500):
        name = chance.choice(("UP", "RIGHT", "DOWN", "LEFT", "OK", "OK"))
        bench.tap(key(name), chance.choice((40, 40, 40, 600)))
        while bench.app._reckoning:  # the picture shows what is reckoned when all of it is
            bench.box.run(4)
        picture = bench.box.frame(), bench.box.lines(), bench.box.inverted()
        bench.app.draw()
        assert (bench.box.frame(), bench.box.lines(), bench.box.inverted()) == picture, bench.says()
    assert retouched == {AskScreen, ListScreen}


@pytest.mark.parametrize("game", range(len(catalog.GAMES)))
def test_looking_on_disturbs_no_canvas_that_notes_nothing(tmp_path, game, monkeypatch):
    """As on a board: who looks on has the screen drawn on another canvas, and the next keys find the first as it was."""
    told = Bench(tmp_path / "told")
    monkeypatch.setattr("bazzi.sim.box.TellingCanvas", Canvas)
    plain = Bench(tmp_path / "plain")
    for bench in (told, plain):
        bench.box.board.clock = lambda: ""
        for name in ["OK", *["DOWN"] * game, *["OK"] * 9]:
            bench.tap(key(name))
    chance = random.Random(game)
    for _ in range(300):
        name = chance.choice(("UP", "RIGHT", "DOWN", "LEFT", "OK", "OK"))
        ms = chance.choice((40, 40, 40, 600))
        for bench in (told, plain):
            bench.tap(key(name), ms)
            bench.box.run(200)
        assert plain.app.told() == told.box.lines()
        assert plain.box.frame() == told.box.frame(), told.says()
