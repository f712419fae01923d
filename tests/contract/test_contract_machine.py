"""The session against a naive model, for every game: whatever is done in whatever order. No game is named here.

The model is the list of standing steps, played from scratch after each; see ``contract_tools.Model``.
"""

import pytest
from contract_tools import NAMES, Model, Setup, question_of, snapshot
from game_walk import Dice
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from shared_rules import catalog
from shared_rules.question import OVER, WORD

EXAMPLES = 60
STEPS = 40

numbers = st.integers(-5, 130) | st.integers(WORD - 1, WORD + 20)


class Match(RuleBasedStateMachine):
    """A session and its model; the game is set by a subclass."""

    game = None

    @initialize(seed=st.integers(0, 10000))
    def begin(self, seed):
        """Begin a match with options, seats and first dealer of a seed."""
        self.setup = Setup(self.game, Dice(seed))
        self.session = self.setup.session()
        self.model = Model(self.setup)
        self.lines = 0
        self.dirty = False

    def made(self, done, step):
        """Note a step that was made."""
        if done:
            self.lines += 1
            self.model.steps.append(step)

    def expect(self, done, step):
        """A step is possible exactly when the model takes it."""
        _, refused = self.model.play([*self.model.steps, step])
        assert done == (refused < 0), step
        self.made(done, step)

    @precondition(lambda self: self.session.question.kind != OVER)
    @rule(data=st.data())
    def answer(self, data):
        """Give a legal answer: often the default, so that deals come to their end."""
        question = self.session.question
        value = question.default
        if data.draw(st.booleans()):
            value = question.at(data.draw(st.integers(0, question.count() - 1)))
        step = ("answer", question.ask, value)
        done = self.session.answer(value)
        assert done
        self.made(done, step)

    @rule(value=numbers)
    def answer_anything(self, value):
        """Give any answer."""
        step = ("answer", self.session.question.ask, value)
        self.expect(self.session.answer(value), step)

    @rule()
    def undo(self):
        """Take the last step back."""
        done = self.session.undo()
        assert done == bool(self.model.steps)
        if done:
            self.lines += 1
            self.model.steps.pop()

    @precondition(lambda self: self.model.answers())
    @rule(data=st.data(), value=numbers)
    def amend(self, data, value):
        """Correct any standing answer, to anything or to what was possible there."""
        place = data.draw(st.sampled_from(self.model.answers()))
        if data.draw(st.booleans()):
            question = self.model.play(self.model.steps[:place])[0].question
            value = question.at(data.draw(st.integers(0, question.count() - 1)))
        step = ("amend", place, value)
        fresh, refused = self.model.play([*self.model.steps, step])
        done = self.session.amend(place, value)
        assert done == (refused < 0)
        if not done:
            assert self.session.stuck_step == refused
            assert self.session.stuck_deal == fresh.rules.deals + 1
            assert question_of(self.session.stuck) == question_of(fresh.question)
        self.made(done, step)

    @rule()
    def redeal(self):
        """Throw the deal in."""
        self.expect(self.session.redeal(), ("redeal",))

    @rule(side=st.integers(0, 1), points=st.integers(-1001, 1001) | st.integers(-20, 20))
    def adjust(self, side, points):
        """Correct a score."""
        self.expect(self.session.adjust(side, points), ("adjust", side, points))

    @rule(data=st.data(), name=st.sampled_from(NAMES))
    def rename(self, data, name):
        """Call a player by another name."""
        seat = data.draw(st.integers(0, self.setup.seats - 1))
        self.expect(self.session.rename(seat, name), ("name", seat, name))

    @rule(sure=st.integers(0, 5))
    def end(self, sure):
        """Stop the match, now and then."""
        if not sure:
            self.expect(self.session.end(), ("end",))

    @rule(data=st.data())
    def look_back(self, data):
        """Look at the match as it was, and come back."""
        session = self.session
        end = data.draw(st.integers(0, session.steps))
        assert session.play_to(end) == -1
        then = []
        for place, step in enumerate(self.model.steps[:end]):
            if step[0] == "answer":
                then.append(("answer", step[1], session.value(place)))  # with what was corrected later
            elif step[0] != "amend":
                then.append(step)
        fresh, refused = self.model.play(then)
        assert refused == -1 and question_of(session.question) == question_of(fresh.question)
        assert session.rules.score() == fresh.rules.score()
        assert session.play_to(session.steps) == -1

    @invariant()
    def as_the_model_says(self):
        """Everything that can be seen is what the model has from scratch."""
        if hasattr(self, "model"):
            assert snapshot(self.session) == self.model.now()
            assert (self.session.steps, self.session.lines) == (len(self.model.steps), self.lines)


@pytest.mark.parametrize("id", catalog.GAMES)
def test_whatever_is_done_the_match_is_its_standing_steps(id):
    """Rows 22, 23, 25, 27."""
    machine = type("MatchOf" + id, (Match,), {"game": catalog.load(id)})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],  # add Phase.shrink for a shorter example of a failure; it takes minutes
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
