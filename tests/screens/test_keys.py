"""From edges of keys to what the person meant: FIELD_REPORTS rows 38, 39, 57, and the repeat of row 37."""

import itertools

import pytest
from box_tools import DEAL, START, Bench, key
from keeper import ticks
from keeper.app import DARK, DIM, FULL
from keeper.keys import (
    BACK,
    CLICK,
    DOWN,
    FAST_MS,
    HOLD,
    HOLD_MS,
    KEY,
    LEFT,
    OK,
    PRESS,
    REPEAT,
    REPEAT_AFTER_MS,
    RIGHT,
    SLOW_MS,
    UP,
    Keys,
)

STARTS = (0, 2**30 - 3000, 2**30 - 450)  # row 57: the counter wraps in the middle of it
SOME_MS = (20, 150, 600, 3000)  # row 38


@pytest.fixture(params=STARTS, ids=["from-0", "wrap-in-3s", "wrap-in-450ms"])
def start(request):
    """The tick at which a train of edges begins."""
    return request.param


class Train:
    """Keys fed with edges; ``events`` is a list of (ms since the start, kind, key)."""

    def __init__(self, start, every_ms=1):
        self.keys = Keys()
        self.start = start
        self.every_ms = every_ms
        self.ms = 0
        self.mask = 0
        self.events = []

    def until(self, ms):
        """Let time pass up to a moment."""
        while self.ms < ms:
            self.ms = min(ms, self.ms + self.every_ms)
            self.update()

    def update(self):
        """Tell the keys what is down now, and take their events."""
        self.keys.update(self.mask, ticks.add(self.start, self.ms))
        event = self.keys.next()
        while event >= 0:
            self.events.append((self.ms, event & ~KEY, event & KEY))
            event = self.keys.next()

    def edge(self, ms, *down):
        """At a moment these keys are down and all others up."""
        self.until(ms - 1)
        self.ms = ms
        self.mask = sum(1 << key for key in down)
        self.update()
        return self

    def kinds(self):
        """Return the events without their times."""
        return [event[1:] for event in self.events]


# -- row 39: one action each ------------------------------------------------------------------------


@pytest.mark.parametrize("button", [OK, BACK])
@pytest.mark.parametrize(("ms", "kind"), [(20, CLICK), (499, CLICK), (500, HOLD), (501, HOLD), (9000, HOLD)])
def test_row_39_around_the_threshold_there_is_exactly_one_action(start, button, ms, kind):
    """A press shorter than the threshold is short, any other is held; never both, and nothing at the release."""
    train = Train(start).edge(10, button).edge(10 + ms)
    train.until(10 + ms + 2000)
    assert train.kinds() == [(kind, button)]
    assert HOLD_MS == 500


def test_row_39_held_is_told_when_the_threshold_is_reached_not_at_the_release(start):
    """Somebody who holds a key sees at once that it was long enough."""
    train = Train(start).edge(10, OK)
    train.until(509)
    assert train.events == []
    train.until(510)
    assert train.events == [(510, HOLD, OK)]
    train.until(900)
    train.edge(901)
    train.until(2000)
    assert len(train.events) == 1


@pytest.mark.parametrize("every_ms", [5, 7, 37, 90])
@pytest.mark.parametrize(("ms", "kind"), [(499, CLICK), (500, HOLD), (501, HOLD)])
def test_row_39_a_slow_loop_draws_the_same_line(start, every_ms, ms, kind):
    """What counts is when the key went down and up, not when the loop came round."""
    train = Train(start, every_ms).edge(10, OK).edge(10 + ms)
    train.until(3000)
    assert train.kinds() == [(kind, OK)]


def test_row_39_a_double_press_is_two_presses(start):
    train = Train(start).edge(10, OK).edge(60).edge(110, OK).edge(160)
    train.until(2000)
    assert train.kinds() == [(CLICK, OK), (CLICK, OK)]


def test_row_39_a_double_press_then_held_is_two_presses_and_one_hold(start):
    train = Train(start).edge(10, BACK).edge(60).edge(110, BACK).edge(160).edge(210, BACK).edge(1400)
    train.until(3000)
    assert train.kinds() == [(CLICK, BACK), (CLICK, BACK), (HOLD, BACK)]
    assert train.events[-1][0] == 710


def test_row_39_two_holds_of_one_key_are_two(start):
    train = Train(start).edge(10, OK).edge(700).edge(800, OK).edge(1500)
    train.until(3000)
    assert train.events == [(510, HOLD, OK), (1300, HOLD, OK)]


@pytest.mark.parametrize(("tapped", "kind"), [(UP, PRESS), (LEFT, PRESS), (BACK, CLICK)])
@pytest.mark.parametrize("at", [100, 460, 900])
def test_row_39_a_tap_while_another_key_is_held_is_one_action_of_each(start, tapped, kind, at):
    """Before, across and after the threshold of the key that is held."""
    train = Train(start).edge(10, OK).edge(at, OK, tapped).edge(at + 60, OK).edge(1500)
    train.until(3000)
    assert sorted(train.kinds()) == sorted([(HOLD, OK), (kind, tapped)])
    assert (510, HOLD, OK) in train.events


def test_row_39_ok_and_back_together_are_one_action_each(start):
    train = Train(start).edge(10, OK, BACK).edge(100, BACK).edge(700)
    train.until(2000)
    assert train.kinds() == [(CLICK, OK), (HOLD, BACK)]


def test_rows_41_and_39_presses_come_in_order_and_none_is_lost():
    train = Train(0)
    order = (UP, RIGHT, DOWN, LEFT, OK, BACK, UP, UP, OK, OK, LEFT, BACK)
    for place, pressed in enumerate(order):
        train.edge(100 * place + 10, pressed).edge(100 * place + 50)
    assert [event[1:] for event in train.events] == [(PRESS if pressed < OK else CLICK, pressed) for pressed in order]


def test_sixteen_events_wait_until_somebody_takes_them():
    """A loop that was busy finds them in order; more than that is not meant by anybody, and breaks nothing."""
    keys = Keys()
    for place in range(20):
        keys.update(1 << (place & 3), 100 * place)
        keys.update(0, 100 * place + 50)
    events = []
    while (event := keys.next()) >= 0:
        events.append(event)
    assert events == [PRESS | (place & 3) for place in range(16)]


# -- row 37: repeating ------------------------------------------------------------------------------


@pytest.mark.parametrize("arrow", [UP, RIGHT, DOWN, LEFT])
def test_row_37_an_arrow_acts_at_once_and_repeats_faster_and_faster(start, arrow):
    train = Train(start).edge(10, arrow).edge(3000)
    train.until(5000)
    assert train.events[0] == (10, PRESS, arrow)
    assert {event[1:] for event in train.events[1:]} == {(REPEAT, arrow)}
    times = [event[0] for event in train.events]
    gaps = [after - before for before, after in itertools.pairwise(times)]
    assert gaps[0] == REPEAT_AFTER_MS
    assert gaps[1:] == sorted(gaps[1:], reverse=True), "never slower again"
    assert gaps[1] == SLOW_MS and gaps[-1] == FAST_MS < SLOW_MS
    assert len(times) > 25, "three seconds go a long way"


@pytest.mark.parametrize("ms", [1, 20, 399])
def test_row_37_a_short_press_of_an_arrow_is_one_step(start, ms):
    train = Train(start).edge(10, RIGHT).edge(10 + ms)
    train.until(2000)
    assert train.kinds() == [(PRESS, RIGHT)]


@pytest.mark.parametrize("every_ms", [1, 5, 60, 130, 333])
@pytest.mark.parametrize("up_at", [415, 900, 2003])
def test_row_37_nothing_comes_after_the_release_however_slow_the_loop(start, every_ms, up_at):
    """No repeats pile up while the loop is busy: at most one for each time it comes round, none after the release."""
    train = Train(start, every_ms).edge(10, RIGHT)
    train.until(up_at)
    before = len(train.events)
    train.edge(up_at + 1)
    train.until(up_at + 2000)
    assert len(train.events) == before
    times = [event[0] for event in train.events]
    assert len(set(times)) == len(times)


def test_row_37_what_was_missed_while_the_loop_was_busy_is_not_made_up_for(start):
    """After a second in which nobody looked, repeats go on at their pace instead of all at once."""
    train = Train(start).edge(10, RIGHT)
    train.until(2500)
    train.ms = 3500
    train.until(4000)
    times = [event[0] for event in train.events]
    late = [after - before for before, after in itertools.pairwise(times) if after >= 3500]
    assert late[0] > 900 and set(late[1:]) == {FAST_MS}


def test_two_arrows_repeat_each_for_itself(start):
    train = Train(start).edge(10, UP).edge(200, UP, RIGHT).edge(450, RIGHT).edge(700)
    train.until(2000)
    assert train.events == [(10, PRESS, UP), (200, PRESS, RIGHT), (410, REPEAT, UP), (600, REPEAT, RIGHT)]


# -- what the application lets go of ------------------------------------------------------------------


def test_after_swallow_nothing_more_comes_of_the_keys_that_are_down(start):
    train = Train(start).edge(10, OK, RIGHT)
    train.until(100)
    train.keys.swallow()
    train.edge(900, RIGHT).edge(1000, RIGHT, UP).edge(1040, RIGHT).edge(1100)
    train.edge(1200, OK).edge(1240).edge(1300, RIGHT).edge(1340)
    assert train.kinds() == [(PRESS, RIGHT), (PRESS, UP), (CLICK, OK), (PRESS, RIGHT)]


def test_row_38_after_swallow_all_nothing_comes_of_any_key_until_all_are_up(start):
    train = Train(start)
    train.mask = 1 << OK
    train.ms = 10
    train.keys.update(train.mask, ticks.add(start, 10))
    train.keys.swallow_all()
    train.edge(100, OK, RIGHT).edge(200, RIGHT).edge(1500, RIGHT, BACK).edge(2600)
    assert train.events == []
    train.edge(2700, OK).edge(2750).edge(2800, UP).edge(2810)
    assert train.kinds() == [(CLICK, OK), (PRESS, UP)]


# -- row 38: the key that wakes the box ---------------------------------------------------------------


def asleep(tmp_path, how, start_ms=0):
    """Return a box in the middle of a match, asked for a bid, with its picture dimmed or dark."""
    bench = Bench(tmp_path, start_ms).start()
    bench.run("press OK", "expect West bids", "press RIGHT", "expect 12")
    bench.leave(1801 if how == DARK else 61)
    assert bench.app.brightness == how
    return bench


def state(bench):
    """Return all that a key could have changed."""
    return bench.box.lines(), bench.box.frame(), bench.app.session.steps, bench.app.session.lines, bench.app.screen


@pytest.mark.parametrize("how", [DIM, DARK], ids=["dimmed", "dark"])
def test_row_38_the_key_that_wakes_the_box_does_nothing_else(tmp_path, how):
    """Every key for 20, 150, 600 and 3000 ms: the picture comes back as it was; the next press acts."""
    bench = asleep(tmp_path, how)
    for name in ("UP", "RIGHT", "DOWN", "LEFT", "OK", "BACK"):
        for ms in SOME_MS:
            before = state(bench)
            bench.tap(key(name), ms)
            assert bench.app.brightness == FULL and bench.box.board.on
            assert state(bench) == before, (name, ms)
            bench.leave(1801 if how == DARK else 61)
            assert bench.app.brightness == how
    bench.tap(key("OK"))
    bench.run("press RIGHT", "expect 13", "press OK", "expect Who swept?")


@pytest.mark.parametrize("how", [DIM, DARK], ids=["dimmed", "dark"])
@pytest.mark.parametrize("names", [("OK", "BACK"), ("UP", "OK"), ("LEFT", "RIGHT")])
def test_row_38_two_keys_that_wake_the_box_do_nothing_else(tmp_path, how, names):
    """Together, one after the other, and the second one longer than the first."""
    first, second = key(names[0]), key(names[1])
    bench = asleep(tmp_path, how)
    for train in (
        [(first | second, 150)],
        [(first | second, 3000)],
        [(first, 100), (first | second, 700), (second, 900)],
        [(first, 20), (first | second, 20), (second, 20), (first | second, 600), (first, 600)],
    ):
        before = state(bench)
        for mask, ms in train:
            bench.box.hold(mask)
            bench.box.run(ms)
        bench.box.hold(0)
        bench.box.run(100)
        assert state(bench) == before and bench.app.brightness == FULL
        bench.leave(1801 if how == DARK else 61)
        assert bench.app.brightness == how
    bench.tap(first)
    bench.run("press RIGHT", "expect 13")


def test_row_38_a_key_that_goes_on_being_held_does_not_act_later(tmp_path):
    """Held for a minute and longer, the box stays awake and the key does nothing, also when it is let go."""
    bench = asleep(tmp_path, DARK)
    before = state(bench)
    bench.box.hold(key("OK"))
    bench.leave(90)
    assert bench.app.brightness == FULL and state(bench) == before
    bench.box.hold(0)
    bench.box.run(50)
    assert state(bench) == before


def test_row_39_the_screen_shows_that_the_threshold_is_reached(tmp_path):
    """The menu is there while OK is still down, and letting go does nothing to it."""
    bench = Bench(tmp_path).start()
    bench.box.hold(key("OK"))
    bench.box.run(495)
    assert "Who deals?" in bench.says()
    bench.box.run(10)
    shown = bench.says()
    assert shown.startswith("Match")
    bench.box.run(2000)
    bench.box.hold(0)
    bench.box.run(100)
    assert bench.says() == shown


# -- row 57: the wrap -----------------------------------------------------------------------------------


def test_row_57_a_match_across_the_wrap_is_the_same_match(tmp_path):
    """Keys, holds, repeats, lines of advice, dimming, blanking and seconds, all while the counter wraps."""
    shown = []
    for start_ms in (5000, 2**30 - 3000):
        bench = Bench(tmp_path / str(start_ms), start_ms)
        pictures = []

        def look(bench=bench, pictures=pictures):
            pictures.append((bench.box.lines(), bench.box.frame(), bench.app.brightness, bench.app.shift))

        for line in (
            *(f"press {name}" for name in START.split()[1:]),
            *("press OK", "hold RIGHT 1200", "press OK", "wait 2600", "hold OK", "press BACK", "press RIGHT"),
            *("hold BACK 510", "press BACK", "press OK", "hold UP 900", "press OK", DEAL, DEAL),
        ):
            bench.run(line)
            look()
        for seconds in (57, 4, 60, 1700, 30):
            bench.leave(seconds)
            look()
        bench.run("press OK", DEAL)
        look()
        assert bench.rules.deals >= 3
        shown.append((pictures, bench.app.seconds(), bench.app.uptime_s))
    assert shown[0] == shown[1]


def test_row_57_thirteen_days_alone_and_the_first_key_still_only_wakes(tmp_path):
    """Longer than the counter's whole range: the box is dark, and goes dark again only after its time."""
    bench = asleep(tmp_path, DARK)
    before = state(bench)
    seconds = bench.app.seconds()
    for _ in range(13 * 24):
        bench.box.board.pass_time(3600 * 1000)
        bench.app.step(bench.box.board.now)
        assert bench.app.brightness == DARK
    assert bench.app.seconds() == seconds + 13 * 24 * 3600, "and the match knows how long it has been"
    bench.tap(key("OK"))
    assert state(bench) == before and bench.app.brightness == FULL
    bench.leave(59)
    assert bench.app.brightness == FULL
    bench.leave(2)
    assert bench.app.brightness == DIM
