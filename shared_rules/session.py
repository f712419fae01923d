"""A match under way: the list of steps that stand, and all that is done with it.

Undo, correcting an old answer, resuming and auditing are the same thing: the rules play the list
again. Steps are kept in arrays; ``reserve`` makes room, so that a step itself allocates nothing.
"""

from array import array

from .question import NO_ASK, OVER, TABLE, WAIT, Question, const

ANSWER = const(1)
UNDO = const(2)
AMEND = const(3)
REDEAL = const(4)
ADJUST = const(5)
NAME = const(6)
END = const(7)

MOST_LINES = const(65535)  # as the records of a journal are numbered

DEAL_ASK = const(0)
MOST_POINTS = const(999)


class Listener:
    """What wants to hear of the deals as they are reckoned; ``restart`` when all begins anew."""

    def restart(self):
        """Forget everything: the match is reckoned anew from its first step."""

    def deal(self, session, step):
        """A deal was closed (rules.void says whether thrown in) by the standing step ``step``."""

    def adjusted(self, session, side, points):
        """The table corrected a score."""


class Session:
    """The steps of one match and the rules that reckon them.

    question   what is asked now
    steps      how many steps stand
    lines      steps made so far, undone ones counted; the next step gets this number
    names      the players' names now

    A step is known by its number: 0 for the first. In a log file it stands ``step + 2`` lines down
    where no line is blank; the reader of a file passes its own numbers with ``line``, up to MOST_LINES.
    """

    def __init__(self, rules, dealer, names, listener=None, room=64, sliced=False):
        self.rules = rules
        self.sliced = sliced  # the caller does long reckoning in slices, with ``work``
        self.first_dealer = dealer
        self.first_names = names
        self.names = list(names)
        self.listener = listener
        self.question = Question()
        self.steps = 0
        self.lines = 0
        self.texts = []  # the names given by NAME steps
        self._kinds = bytearray(room)
        self._asks = bytearray(room)  # answer: its question; adjust: the side; name: the seat
        self._seats = bytearray(room)  # answer: the seat asked, 255 for the table
        self._values = array("h", bytes(2 * room))
        self._lines = array("H", bytes(2 * room))  # answer: its line; amend: the step whose answer it replaced
        self.stuck_step = -1  # where a refused amend became illegal
        self.stuck_deal = 0  # and in which deal, counted from 1
        self.stuck = Question()  # and what was asked there
        rules.sliced = sliced
        self._rules_ask = rules.ask  # kept, because finding a method takes long on the board
        self._rules_answer = rules.answer
        rules.start(dealer)
        self._ask()

    # -- room -----------------------------------------------------------------------------------

    def reserve(self, steps):
        """Make room for so many more steps (and allocate now, not when they are made)."""
        missing = self.steps + steps - len(self._kinds)
        if missing > 0:
            missing += 64  # not again at the next deal
            self._kinds.extend(bytes(missing))
            self._asks.extend(bytes(missing))
            self._seats.extend(bytes(missing))
            self._values.extend(array("h", bytes(2 * missing)))
            self._lines.extend(array("H", bytes(2 * missing)))

    def _push(self, kind, ask, value, line):
        place = self.steps
        if place == len(self._kinds):
            self.reserve(place + 16)
        self._kinds[place] = kind
        self._asks[place] = ask
        self._seats[place] = self.question.seat & 0xFF
        self._values[place] = value
        self._lines[place] = line
        self.steps = place + 1
        self.lines += 1

    # -- what is asked -------------------------------------------------------------------------

    def _ask(self):
        question = self.question
        self._rules_ask(question)
        if question.kind == WAIT and not self.sliced:
            self.settle()

    def settle(self):
        """Do all that a WAIT question waits for, however long it takes."""
        while not self.work():
            pass

    def work(self):
        """Do a slice of what a WAIT question waits for; True when the question is there."""
        question = self.question
        if question.kind == WAIT and self.rules.work():
            self.rules.ask(question)
        return question.kind != WAIT

    # -- steps ----------------------------------------------------------------------------------

    def answer(self, answer, line=-1):
        """Give an answer; False: refused, and nothing changed."""
        question = self.question
        if not question.accepts(answer):
            return False
        self._push(ANSWER, question.ask, answer, self.lines if line < 0 else line)
        self._rules_answer(answer)
        if self.listener is not None and self.rules.closed:
            self.listener.deal(self, self.steps - 1)
        self._ask()
        return True

    def can_redeal(self):
        """Tell whether a deal can be thrown in: at any question of a deal but who deals."""
        return self.rules.DEALS and self.question.ask != DEAL_ASK and self.question.ask != NO_ASK

    def redeal(self):
        """The table throws the deal in; False: refused."""
        if not self.can_redeal():
            return False
        self._push(REDEAL, 0, 0, 0)
        self._redeal(self.steps - 1)
        return True

    def _redeal(self, step):
        self.rules.redeal()
        if self.listener is not None:
            self.listener.deal(self, step)
        self._ask()

    def can_adjust(self):
        """Tell whether a score can be corrected: only while who deals is asked."""
        return self.rules.DEALS and self.question.ask == DEAL_ASK

    def adjust(self, side, points):
        """Correct a score in a side's favour, -999 to 999; False: refused."""
        if not self.can_adjust() or not -MOST_POINTS <= points <= MOST_POINTS:
            return False
        self._push(ADJUST, side, points, 0)
        self._adjust(side, points)
        return True

    def _adjust(self, side, points):
        self.rules.adjust(side, points)
        if self.listener is not None:
            self.listener.adjusted(self, side, points)
        self._ask()

    def running(self):
        """Tell whether something is asked: the match is not over, nor can it turn out to be."""
        return self.question.kind != OVER and self.question.kind != WAIT

    def rename(self, seat, name):
        """Call a player by another name from now on; False: refused. May allocate."""
        if not self.running():
            return False
        self._name(seat, name)
        return True

    def _name(self, seat, name):
        self._push(NAME, seat, len(self.texts), 0)
        self.texts.append(name)
        self.names[seat] = name

    def end(self):
        """The table stops the match; False: refused."""
        if not self.running():
            return False
        self._push(END, 0, 0, 0)
        self.rules.end()
        self._ask()
        return True

    def undo(self):
        """Take back the last step that stands; False: there is none."""
        if not self._drop():
            return False
        self._reckon()
        return True

    def _drop(self):
        if not self.steps:
            return False
        self.steps -= 1
        self.lines += 1
        place = self.steps
        kind = self._kinds[place]
        if kind == AMEND:
            self._values[self._lines[place]] = self._values[place]
        elif kind == NAME:
            self.texts.pop()
            self._rename_all()
        return True

    def _rename_all(self):
        for seat in range(len(self.names)):
            self.names[seat] = self.first_names[seat]
        for place in range(self.steps):
            if self._kinds[place] == NAME:
                self.names[self._asks[place]] = self.texts[self._values[place]]

    def find(self, line):
        """Return the standing step of the answer given with a line number, or -1."""
        for place in range(self.steps):
            if self._lines[place] == line and self._kinds[place] == ANSWER:
                return place
        return -1

    def amend(self, step, answer):
        """Replace the answer of a standing step and reckon anew.

        False: refused and nothing changed; ``stuck_step`` is then where a step (the amended one or
        a later one) is not legal any more, ``stuck_deal`` its deal and ``stuck`` what is asked there.
        """
        former = self._values[step]
        self._values[step] = answer
        stuck = self._reckon()
        if stuck >= 0:
            self.stuck_step = stuck
            self.stuck_deal = self.rules.deals + 1
            self.stuck.copy(self.question)
            self._values[step] = former
            self._reckon()
            return False
        self._push(AMEND, 0, former, step)
        return True

    # -- steps that were made before, when the match is resumed -------------------------------

    # They are put on the list, ``play_to`` then plays them unseen, and ``holds`` looks whether each was legal. A
    # match of hundreds of steps, whatever was undone in it, has to be there at once when the power comes back.

    def take_answers(self, buffer, at, end):
        """Put the answers of the records in buffer[at:end] (record.py) on the list."""
        place = self.steps
        line = self.lines
        self.reserve((end - at) // 16)
        kinds = self._kinds
        asks = self._asks
        seats = self._seats
        values = self._values
        lines = self._lines
        while at < end:
            answer = buffer[at + 7] | buffer[at + 8] << 8
            kinds[place] = ANSWER
            asks[place] = buffer[at + 5]
            seats[place] = buffer[at + 6]
            values[place] = answer if answer < 0x8000 else answer - 0x10000
            lines[place] = line
            place += 1
            line += 1
            at += 16
        self.steps = place
        self.lines = line

    def take(self, kind, ask, value, target):
        """Put any other step but NAME on the list; False: there is none that it could undo or amend."""
        if kind == UNDO:
            return self._drop()
        if kind == AMEND:
            step = self.find(target)
            if step < 0:
                return False
            former = self._values[step]
            self._values[step] = value
            self._push(AMEND, 0, former, step)
        else:
            self._push(kind, ask, value, 0)
        return True

    def take_name(self, seat, name):
        """Put a player's new name on the list; True. Allocates."""
        self._name(seat, name)
        return True

    def holds(self):
        """Tell whether all steps that stand are legal, each where it stands; reckons anew."""
        return self._reckon() < 0

    # -- reckoning anew -----------------------------------------------------------------------

    def _reckon(self):
        """Play all steps again; returns -1, or the first step that is not legal."""
        return self.play_to(self.steps, self.listener)

    def play_to(self, end, listener=None, unseen=False):
        """Put rules and question where they are before the step ``end``; -1, or where a step is not legal.

        After a look at the past the caller plays to ``steps`` again.

        unseen  do not look whether answers are legal. Rules that are given one that is not may raise LookupError,
                ValueError or ArithmeticError, and are then of no use.
        """
        rules = self.rules
        question = self.question
        rules_ask = self._rules_ask
        rules_answer = self._rules_answer
        kinds = self._kinds
        asks = self._asks
        values = self._values
        unseen = unseen and not rules.ASK_DECIDES
        kept = self.listener
        self.listener = listener
        if listener is not None:
            listener.restart()
        rules.start(self.first_dealer)
        self._ask()
        stuck = -1
        place = 0
        while place < end:
            kind = kinds[place]
            if unseen:
                if kind == ANSWER:
                    rules_answer(values[place])
                    place += 1
                    continue
                self._ask()
            if question.kind == WAIT:  # what follows was decided once, so it has to be reckoned now
                self.settle()
            if kind == ANSWER:
                if question.ask != asks[place] or not question.accepts(values[place]):
                    break
                rules_answer(values[place])
                if listener is not None and rules.closed:
                    listener.deal(self, place)
                rules_ask(question)
                if question.kind == WAIT and not self.sliced:
                    self.settle()
            elif kind == ADJUST:
                if not self.can_adjust():
                    break
                self._adjust(asks[place], values[place])
            elif kind == REDEAL:
                if not self.can_redeal():
                    break
                self._redeal(place)
            elif kind != AMEND:
                if question.kind == OVER:
                    break
                if kind == END:
                    rules.end()
                    self._ask()
            place += 1
        if place < end:
            stuck = place
        elif unseen:
            self._ask()
        self.listener = kept
        return stuck

    # -- looking at steps --------------------------------------------------------------------------

    def kind(self, step):
        """Return the kind of a standing step."""
        return self._kinds[step]

    def ask(self, step):
        """Return the question of an answer, the side of an ADJUST, the seat of a NAME; NO_ASK for others."""
        kind = self._kinds[step]
        return self._asks[step] if kind == ANSWER or kind == ADJUST or kind == NAME else NO_ASK

    def seat(self, step):
        """Return whom the question of an answer was asked, TABLE for the table."""
        seat = self._seats[step]
        return TABLE if seat == 0xFF else seat

    def value(self, step):
        """Return the answer, the points of an ADJUST, or the answer that an AMEND replaced."""
        return self._values[step]

    def target(self, step):
        """Return the line number of an answer, or the step that an AMEND changed."""
        return self._lines[step]
