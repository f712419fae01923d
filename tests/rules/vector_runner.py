"""Runs the cases of tests/rules/vectors on CPython and on MicroPython alike.

A file of vectors is lines of words; ``#`` begins a comment, to the end of the line.

    game smear                      first, once: the game of all cases
    case M1 | RULES.md 7.2 M1       begins a case: its name, and where its expectations come from
    options target=20 kitty=0       those that differ from the defaults; before the first step
    players 4                       how many play (default: the fewest possible)
    dealer N                        who is to deal first (default N, the first seat)

    give N 2 pass . S count         steps: answers in order; a dot accepts the default
    adjust A -5                     steps: commands of LOG.md
    redeal
    undo
    end

    refuse 2 3                      each of these answers is refused now
    can adjust redeal               these commands are possible now (and "cannot")
    ask bid E pass 2 3 4            the question, of whom, and if given all that is accepted, in
                                    LOG.md's order; 9..13 stands for the numbers between
    default pass                    the default of the question asked
    score A=3 B=-2                  parts of "score", of the last entry of "deals", and of the last
    deal bid=2 won.jack=null        of "adjustments", as in LOG.md; a dot goes into an object or a list
    adjusted bazzi=A
    void all_pass                   the last deal was thrown in, for this reason
    next E                          "dealer": who deals now, or is to deal
    deals 2                         how many deals are listed
    winner A                        "winner": null, or all sides that won, or nobody
    hint smear.cut seat=W           one of the lines for the table: its text id, and parts of what it says
    result smear.side side=A n=3    one of the lines about the deal just closed
    unhint smear.take               no line says this ("unresult")
    detail none smear.fails n=2     what an answer would mean; "detail pass none": nothing
    warning ten.many.red n=7        what is odd about the last answer ("warning none": nothing)
    cell bidder=E points.B=-2       cells of the deal just closed, by column and side; a run as 2-9; "row 1" before
                                    them for another row than the first
    figure 24 0                     the score of each side or player, as a screen shows it
    count game A*2 K J*3 / A = A    cards counted with the aid of a question, by side: what is suggested

After every step everything a screen asks of a game is asked, on MicroPython under a locked heap.
"""

import sys

from shared_rules import catalog
from shared_rules.question import NO_ASK, TABLE, WORD
from shared_rules.rules import CELL_NUMBER, CELL_RUN, CELL_SEAT, CELL_SIDE, CELL_SIGNED, NO_CELL, Say
from shared_rules.session import Listener, Session

try:
    from micropython import heap_lock, heap_unlock
except ImportError:

    def heap_lock():
        """CPython has no heap to lock."""

    def heap_unlock():
        """CPython has no heap to unlock."""


ROOM = 400
MOST_LINES = 6  # more than any screen shows
SIDE_NAMES = ("A", "B")


class Case:
    """One case: its name, its source, and its lines as (number, words)."""

    def __init__(self, game, name, source):
        self.game = game
        self.name = name
        self.source = source
        self.lines = []


def cases(text):
    """Return the cases of a file of vectors; raises ValueError for a line that is out of place."""
    found = []
    game = None
    number = 0
    for line in text.split("\n"):
        number += 1
        line = line.split("#")[0].strip()
        if not line:
            continue
        words = line.split()
        if words[0] == "game":
            game = words[1]
        elif words[0] == "case":
            name, source = line[4:].split("|")
            found.append(Case(game, name.strip(), source.strip()))
        elif not found:
            raise ValueError(f"line {number} is before the first case")
        else:
            found[-1].lines.append((number, words))
    return found


class Recount(Listener):
    """Collects deals and adjustments while a session is reckoned anew."""

    def __init__(self):
        self.deals = []
        self.adjustments = []

    def restart(self):
        self.deals.clear()
        self.adjustments.clear()

    def deal(self, session, step):
        rules = session.rules
        self.deals.append({"void": rules.VOIDS[rules.void]} if rules.void >= 0 else rules.report())

    def adjusted(self, session, side, points):
        bazzi = session.rules.bazzi
        self.adjustments.append(
            {
                "side": SIDE_NAMES[side],
                "points": points,
                "bazzi": None if bazzi < 0 else SIDE_NAMES[bazzi],
            }
        )


def plain(value):
    """Return a value of a report as a vector writes it."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    return str(value)


def part(value, path):
    """Return the part of a report at a path with dots, as a vector writes it."""
    for name in path.split("."):
        if type(value) is list:
            if int(name) >= len(value):
                return "(missing)"
            value = value[int(name)]
        elif type(value) is dict and name in value:
            value = value[name]
        else:
            return "(missing)"
    return plain(value)


class Run:
    """A case while it is run; ``failures`` says what differs, a line each."""

    def __init__(self, case):
        self.case = case
        self.failures = []
        self.number = 0
        self.game = catalog.load(case.game)
        self.given = {}
        self.players = self.game.MIN_SEATS
        self.dealer = 0
        self.session = None
        self.recount = Recount()
        self.say = Say()

    def fail(self, what, want, got):
        """Note a difference."""
        self.failures.append(f"{self.case.name}, line {self.number}: {what}: want {want}, got {got}")

    def expect(self, what, want, got):
        """Note a difference unless the two are equal."""
        if want != got:
            self.fail(what, want, got)

    def run(self):
        """Run all lines; returns the failures."""
        for number, words in self.case.lines:
            self.number = number
            rest = words[1:]
            if words[0] == "options":
                for item in rest:
                    id, value = item.split("=")
                    self.given[id] = value
            elif words[0] == "players":
                self.players = int(rest[0])
            elif words[0] == "dealer":
                self.dealer = self.game.SEAT_WORDS.index(rest[0])
            else:
                if self.session is None:
                    self.begin()
                getattr(self, "do_" + words[0])(rest)
        return self.failures

    def begin(self):
        """Begin the match."""
        codes = [option.default for option in self.game.OPTIONS]
        for id in self.given:
            for place in range(len(codes)):
                option = self.game.OPTIONS[place]
                if option.id == id:
                    codes[place] = option.code(self.given[id])
                    if codes[place] < 0:
                        codes[place] = option.code(int(self.given[id]))
                    if codes[place] < 0:
                        raise ValueError(f"option {id}")
                    break
            else:
                raise ValueError(f"option {id}")
        if self.game.conflict(codes):
            raise ValueError("options exclude each other")
        rules = self.game(codes, self.players)
        self.session = Session(rules, self.dealer, list(self.game.SEAT_WORDS[: rules.seats]), None, ROOM)
        self.look()

    # -- steps ----------------------------------------------------------------------------------

    def code(self, word):
        """Return the answer that a word of a vector stands for."""
        question = self.session.question
        if word == ".":
            return question.default
        if word in self.game.WORDS:
            return self.game.code(question.ask, word)
        return int(word)

    def do_give(self, rest):
        session = self.session
        for word in rest:
            answer = self.code(word)
            heap_lock()
            taken = session.answer(answer)
            heap_unlock()
            if not taken:
                self.fail("answer to " + self.asked(), "accepted", word + " refused")
            elif session.rules.closed:
                self.recount.deal(session, 0)
            self.look()

    def do_adjust(self, rest):
        heap_lock()
        taken = self.session.adjust(SIDE_NAMES.index(rest[0]), int(rest[1]))
        heap_unlock()
        if taken:
            self.recount.adjusted(self.session, SIDE_NAMES.index(rest[0]), int(rest[1]))
        else:
            self.fail("adjust", "possible", "refused")
        self.look()

    def do_redeal(self, rest):
        heap_lock()
        taken = self.session.redeal()
        heap_unlock()
        if taken:
            self.recount.deal(self.session, 0)
        else:
            self.fail("redeal", "possible", "refused")
        self.look()

    def do_undo(self, rest):
        self.session.listener = self.recount
        if not self.session.undo():
            self.fail("undo", "possible", "refused")
        self.session.listener = None
        self.look()

    def do_end(self, rest):
        if not self.session.end():
            self.fail("end", "possible", "refused")
        self.look()

    def look(self):
        """Ask all that a screen asks; the default has to be accepted."""
        rules = self.session.rules
        question = self.session.question
        say = self.say
        heap_lock()
        sound = question.ask == NO_ASK or question.accepts(question.default)
        for place in range(MOST_LINES):
            rules.hint(place, say)
        for owner in range(rules.SIDES or rules.seats):
            rules.figure(owner)
            rules.minor(owner)
        rules.warning(say)
        if rules.closed:
            for place in range(MOST_LINES):
                rules.result(place, say)
            for row in range(rules.rows()):
                for column in range(len(rules.COLUMNS)):
                    rules.cell(row, column)
        if question.ask != NO_ASK:
            for place in range(question.count()):
                rules.detail(question.at(place), say)
        heap_unlock()
        if not sound:
            self.fail("default of " + self.asked(), "accepted", question.default)

    # -- expectations ---------------------------------------------------------------------------

    def asked(self):
        """Return the id of the question asked, for a message."""
        ask = self.session.question.ask
        return "nothing" if ask == NO_ASK else self.game.QUESTIONS[ask]

    def do_refuse(self, rest):
        for word in rest:
            if self.session.question.accepts(self.code(word)):
                self.fail("answer to " + self.asked(), word + " refused", "accepted")

    def do_can(self, rest):
        for command in rest:
            if not getattr(self.session, "can_" + command)():
                self.fail(command, "possible", "not possible")

    def do_cannot(self, rest):
        for command in rest:
            if getattr(self.session, "can_" + command)():
                self.fail(command, "not possible", "possible")

    def do_ask(self, rest):
        question = self.session.question
        self.expect("question", rest[0], self.asked())
        if len(rest) > 1 and question.ask != NO_ASK:
            seat = "table" if question.seat == TABLE else self.game.SEAT_WORDS[question.seat]
            self.expect("asked of", rest[1], seat)
        if len(rest) > 2:
            want = []
            for word in rest[2:]:
                if ".." in word:
                    low, high = word.split("..")
                    want.extend([str(value) for value in range(int(low), int(high) + 1)])
                else:
                    want.append(word)
            word = self.session.rules.word
            got = [str(word(question.at(place))) for place in range(question.count())]
            self.expect("choices", " ".join(want), " ".join(got))

    def do_default(self, rest):
        self.expect(
            "default",
            rest[0],
            str(self.session.rules.word(self.session.question.default)),
        )

    def parts(self, what, found, rest):
        """Compare parts of a report."""
        for item in rest:
            path, want = item.split("=")
            self.expect(what + " " + path, want, part(found, path))

    def do_score(self, rest):
        self.parts("score", self.session.rules.score(), rest)

    def do_deal(self, rest):
        self.parts("deal", self.recount.deals[-1] if self.recount.deals else {}, rest)

    def do_adjusted(self, rest):
        self.parts("adjusted", self.recount.adjustments[-1], rest)

    def do_void(self, rest):
        self.do_deal(["void=" + rest[0]])

    def do_deals(self, rest):
        self.expect("deals", int(rest[0]), len(self.recount.deals))
        self.expect("deals of the rules", int(rest[0]), self.session.rules.deals)

    def do_next(self, rest):
        rules = self.session.rules
        self.expect("dealer", rest[0], rules.SEAT_WORDS[rules.whose_deal()])

    def do_winner(self, rest):
        winner = self.session.rules.winner()
        got = "null" if winner is None else " ".join(winner) or "nobody"
        self.expect("winner", " ".join(rest), got)
        self.expect(
            "question when over",
            winner is not None,
            self.session.question.ask == NO_ASK,
        )

    def says(self, rest):
        """Tell whether the line just said has the text id and the parts expected."""
        say = self.say
        if say.id != rest[0]:
            return False
        for item in rest[1:]:
            name, want = item.split("=")
            got = getattr(say, name)
            if name == "seat":
                got = self.game.SEAT_WORDS[got]
            elif name == "side":
                got = SIDE_NAMES[got]
            elif name == "word":
                got = self.session.rules.word(got)
            if str(got) != want:
                return False
        return True

    def lines(self, line, rest):
        """Tell whether one of the lines is the one expected; its text has to be there."""
        found = False
        for place in range(MOST_LINES):
            if line(place, self.say):
                self.game.EN[self.say.id]
                found = found or self.says(rest)
        return found

    def do_hint(self, rest):
        self.expect("hint " + " ".join(rest), True, self.lines(self.session.rules.hint, rest))

    def do_unhint(self, rest):
        self.expect("hint " + rest[0], False, self.lines(self.session.rules.hint, rest))

    def do_result(self, rest):
        self.expect(
            "result " + " ".join(rest),
            True,
            self.lines(self.session.rules.result, rest),
        )

    def do_unresult(self, rest):
        self.expect("result " + rest[0], False, self.lines(self.session.rules.result, rest))

    def do_detail(self, rest):
        there = self.session.rules.detail(self.code(rest[0]), self.say)
        what = "detail " + " ".join(rest)
        if rest[1] == "none":
            self.expect(what, False, bool(there))
        else:
            self.expect(what, True, bool(there) and self.says(rest[1:]))

    def do_warning(self, rest):
        there = self.session.rules.warning(self.say)
        if rest[0] == "none":
            self.expect("warning", False, bool(there))
        else:
            self.expect("warning " + " ".join(rest), True, bool(there) and self.says(rest))
            self.game.EN[rest[0]]

    def do_figure(self, rest):
        rules = self.session.rules
        got = [str(rules.figure(owner)) for owner in range(rules.SIDES or rules.seats)]
        self.expect("figures", " ".join(rest), " ".join(got))

    def do_cell(self, rest):
        row = 0
        if rest[0] == "row":
            row = int(rest[1])
            rest = rest[2:]
        for item in rest:
            path, want = item.split("=")
            name = path.split(".")
            for place in range(len(self.game.COLUMNS)):
                column = self.game.COLUMNS[place]
                if column.id == name[0] and (len(name) == 1 or SIDE_NAMES[column.side] == name[1]):
                    self.expect(
                        "cell " + path,
                        want,
                        self.shown(column.kind, self.session.rules.cell(row, place)),
                    )
                    break
            else:
                self.fail("cell", path, "no such column")

    def shown(self, kind, value):
        """Return the value of a cell as a vector writes it."""
        if value == NO_CELL:
            return "null"
        if kind == CELL_NUMBER or kind == CELL_SIGNED:
            return str(value)
        if kind == CELL_RUN:
            return f"{value >> 4}-{value & 15}"
        if kind == CELL_SEAT:
            return self.game.SEAT_WORDS[value]
        return SIDE_NAMES[value] if kind == CELL_SIDE else str(self.session.rules.word(value))

    def do_count(self, rest):
        ask = self.game.QUESTIONS.index(rest[0])
        for aid in self.game.AIDS:
            if aid[0] == ask:
                break
        else:
            self.fail("aid", rest[0], "none")
            return
        sums = [0, 0]
        side = 0
        for word in rest[1 : rest.index("=")]:
            if word == "/":
                side = 1
                continue
            card, many = word.split("*") if "*" in word else (word, "1")
            for row in aid[1]:
                if row[0] == "card." + card:
                    sums[side] += row[1] * int(many)
                    break
            else:
                self.fail("card", card, "not in the aid")
        if aid[2] and "/" not in rest:
            sums[1] = aid[2] - sums[0]
        got = self.session.rules.suggest(ask, sums[0], sums[1])
        self.expect(
            "suggested",
            rest[-1],
            str(got if got < WORD else self.game.WORDS[got - WORD]),
        )


def run(case):
    """Run a case; returns what differs, as a list of lines."""
    return Run(case).run()


def main(files):
    """Run all cases of some files; prints what differs and the number of cases. Returns how many failed."""
    failed = 0
    count = 0
    for name in files:
        with open(name) as file:
            found = cases(file.read())
        for case in found:
            count += 1
            failures = run(case)
            failed += 1 if failures else 0
            for failure in failures:
                print(name + ": " + failure)
    print(f"{count} cases, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
