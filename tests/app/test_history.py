"""Undo, redo, reset, and a drag as one step; the state without widgets."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.app.state import MOST_STEPS, State
from explorer.locale import text_for
from explorer.scenario import TYPED, Scenario, with_counts
from explorer.scenario.errors import StrengthError
from explorer.scenario.presets import PRESETS
from explorer.tables import Counts

en = text_for("en")

UNDO, REDO, RESET = (en.header[name] for name in ("undo", "redo", "reset"))


def press(browser, tip):
    browser.click(browser.described(tip))


def test_undo_and_redo_walk_through_the_steps(browser):
    steps = [Scenario(), Scenario(mu=2.0), Scenario(mu=2.0, n=50)]
    browser.type("mu", "2")
    browser.type("n", "50")
    browser.type("n", "abc")  # refused, no step
    for step in (steps[1], steps[0], steps[0]):
        press(browser, UNDO)
        assert browser.scenario == step
    assert browser.box("mu").value == "0.5"
    for step in (steps[1], steps[2], steps[2]):
        press(browser, REDO)
        assert browser.scenario == step
    press(browser, UNDO)
    browser.type("alpha", "0.5")
    press(browser, REDO)
    assert browser.scenario == Scenario(mu=2.0, alpha=0.5)


def test_the_buttons_know_whether_there_is_a_step(browser):
    undo, redo = browser.described(UNDO), browser.described(REDO)
    assert (undo.disabled, redo.disabled) == (True, True)
    browser.type("mu", "2")
    assert (undo.disabled, redo.disabled) == (False, True)
    press(browser, UNDO)
    assert (undo.disabled, redo.disabled) == (True, False)


def test_a_held_drag_is_one_step(browser):
    browser.type("n", "50")
    for name, notches in (("mu", range(100, 120)), ("alpha", range(30, 60, 3))):
        browser.set(browser.page, held=True)
        for notch in notches:
            browser.set(browser.slider(name), value=notch)
        browser.set(browser.page, held=False)
    dragged = browser.scenario
    press(browser, UNDO)
    assert browser.scenario == Scenario(n=50, mu=dragged.mu)
    press(browser, UNDO)
    assert browser.scenario == Scenario(n=50)
    press(browser, REDO)
    press(browser, REDO)
    assert browser.scenario == dragged


def test_steps_without_a_held_handle_are_steps_of_their_own(browser):
    values = []
    for notch in (100, 101, 102):  # the arrow keys
        browser.set(browser.slider("mu"), value=notch)
        values.append(browser.scenario.mu)
    press(browser, UNDO)
    assert browser.scenario.mu == values[1]


def test_reset_is_a_step_back_to_the_first_screen(browser):
    browser.choose(browser.menu("preset"), en.presets["sparse"])
    press(browser, RESET)
    assert browser.scenario == Scenario()
    press(browser, UNDO)
    assert browser.scenario == PRESETS["sparse"]


def test_opening_a_link_leaves_nothing_to_undo(browser):
    browser.type("mu", "2")
    browser.set(browser.page, query="?mu=3&n=77")
    assert browser.scenario == Scenario(mu=3.0, n=77)
    press(browser, UNDO)
    assert browser.scenario == Scenario(mu=3.0, n=77)


def test_reset_keeps_a_typed_table_at_hand():
    state, counts = State(), Counts(((1, 2), (3, 4)))
    state.go_to(with_counts(state.scenario, counts, TYPED))
    state.reset()
    assert state.scenario == Scenario(typed=counts)


def test_the_history_is_long_but_ends():
    state = State()
    for n in range(1, MOST_STEPS + 51):
        state.edit(n=n)
    for _ in range(MOST_STEPS + 50):
        state.undo()
    assert state.scenario.n == 50
    assert not state.can_undo


def test_a_refused_edit_changes_nothing_and_returns_why_every_time():
    state = State()
    for _ in range(2):
        assert state.edit(mu=-1.0).name == "mu"
        assert isinstance(state.edit(strength=5.0), StrengthError)
    assert state.scenario == Scenario()
    assert not state.can_undo
    assert state.edit(mu=1.0) is None


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_history_is_a_list_with_a_cursor(data):
    # Against the plainest model: a list of steps and where one stands in it.
    state, steps, at, held, dragging = State(), [Scenario()], 0, False, False
    seen = []
    state.observe(lambda change: seen.append(change["new"]), "scenario")
    for _ in range(data.draw(st.integers(1, 25))):
        act = data.draw(st.sampled_from(["edit", "undo", "redo", "reset", "hold", "release"]))
        if act in {"hold", "release"}:
            held, dragging = act == "hold", False
            state.set_held(held)
        elif act in {"undo", "redo"}:
            moved = at - 1 if act == "undo" else at + 1
            if 0 <= moved < len(steps):
                at, dragging = moved, False
            getattr(state, act)()
        else:
            new = Scenario(n=data.draw(st.integers(1, 4))) if act == "edit" else Scenario()
            if new != steps[at]:
                keep = at if dragging else at + 1
                steps = [*steps[:keep], new]
                at, dragging = keep, held
            state.go_to(new)
        assert state.scenario == steps[at]
        assert (state.can_undo, state.can_redo) == (at > 0, at < len(steps) - 1)
    assert all(old != new for old, new in itertools.pairwise(seen))


def test_a_failing_observer_leaves_nothing_changed():
    state = State()
    state.edit(n=1)
    state.edit(n=2)
    state.undo()

    def fail(change):
        if change["new"].n == 3:
            raise RuntimeError

    state.observe(fail, "scenario")
    with pytest.raises(RuntimeError):
        state.edit(n=3)
    assert state.scenario == Scenario(n=1)
    state.redo()
    assert state.scenario == Scenario(n=2)
    state.undo()
    state.undo()
    assert state.scenario == Scenario()
