"""A result as text and as a table."""

from dataclasses import dataclass, field

import numpy as np

from explorer.core.mechanisms import Gaussian, Laplace
from explorer.paper._result import MOST_ROWS, Result, heading


@dataclass(frozen=True, eq=False, repr=False)
class Two(Result):
    name: tuple[str, ...] = field(metadata=heading("a < b"))
    value: np.ndarray = field(metadata=heading("x"))
    note: float = field(metadata=heading("note"))
    hidden: np.ndarray


def test_a_result_is_shown_as_text_and_as_a_table():
    result = Two(("one", "<two>"), np.array([-0.5, np.inf]), 3, np.zeros(9))
    assert str(result).splitlines() == ["note = 3", "a < b     x", "  one  −0.5", "<two>     ∞"]
    assert repr(result) == str(result)
    page = result._repr_html_()
    assert "<p>note = 3</p>" in page
    assert '<th scope="col">a &lt; b</th><th scope="col">x</th>' in page
    assert "<tr><td>&lt;two&gt;</td><td>∞</td></tr>" in page
    assert page.count("<tr>") == 3


def test_a_long_result_is_cut():
    result = Two(("a",) * 50, np.arange(50.0), 0, np.zeros(1))
    assert result.columns()["x"] == [*map(str, range(MOST_ROWS - 1)), "…"]


@dataclass(frozen=True, eq=False, repr=False)
class Costs(Result):
    name: tuple[str, ...] = field(metadata=heading("table"))
    cost: dict = field(metadata=heading("cost of {}"))


def test_values_by_mechanism_are_one_column_each():
    cost = {Gaussian: np.array([2.0, 3.0]), Laplace: np.array([5.0, 7.0])}
    columns = Costs(("one", "two"), cost).columns()
    assert columns == {
        "table": ["one", "two"],
        "cost of M_G": ["2", "3"],
        "cost of Laplace": ["5", "7"],
    }
