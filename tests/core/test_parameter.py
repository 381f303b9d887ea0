"""What one declaration of a parameter says and refuses."""

import math
import pickle

import numpy as np
import pytest

from explorer.core.parameter import Parameter, ParameterError

SHARE = Parameter("share", "s", "share of the cells", 0, 1, low_open=True)
COUNT = Parameter("count", "n", "number of records", 1, 9, whole=True)
LINE = Parameter("place", "x", "place on the line", -math.inf, math.inf)


@pytest.mark.parametrize(
    ("ends", "interval"),
    [
        ({"low": 0, "high": 1}, "[0, 1]"),
        ({"low": 0, "high": 1, "low_open": True}, "(0, 1]"),
        ({"low": 0, "high": 1, "high_open": True}, "[0, 1)"),
        ({"low": 0.5, "high": 1e100, "low_open": True, "high_open": True}, "(0.5, 1e+100)"),
        ({"low": 0, "high": math.inf}, "[0, inf)"),
        ({"low": -math.inf, "high": 0}, "(-inf, 0]"),
    ],
)
def test_the_interval_shows_which_ends_belong_to_it(ends, interval):
    parameter = Parameter("x", "x", "number", **ends)
    assert parameter.interval == interval
    assert parameter.rule == f"must lie in {interval}"


def test_whole_numbers_are_required():
    assert COUNT.rule == "must be a whole number in [1, 9]"


def test_ends_and_what_lies_beyond():
    assert COUNT.check([1, 9]).tolist() == [1, 9]
    assert SHARE.check(1) == 1
    assert LINE.check([-math.inf, math.inf]).tolist() == [-math.inf, math.inf]
    half_open = Parameter("x", "x", "number", 0, 1, high_open=True)
    assert half_open.check([0, np.nextafter(1, 0)]).tolist() == [0, np.nextafter(1, 0)]
    for parameter, bad in [
        (COUNT, np.nextafter(1, 0)),
        (COUNT, 10),
        (COUNT, 2.5),
        (SHARE, 0),
        (SHARE, 1.5),
        (half_open, 1),
        (LINE, math.nan),
    ]:
        with pytest.raises(ParameterError):
            parameter.check(bad)


@pytest.mark.parametrize("value", [[1, 2, 3], (True, False), np.array([[1.5]], dtype=np.float32)])
def test_numbers_come_out_as_float64_of_the_same_shape(value):
    checked = LINE.check(value)
    assert checked.dtype == np.float64
    assert checked.tolist() == np.asarray(value).tolist()
    before = np.array([1.0, 2.0])
    LINE.check(before)[0] = 5
    assert before.tolist() == [1, 2]


@pytest.mark.parametrize("bad", ["1", None, 1j, [1, "2"], [None], object()])
def test_what_is_no_number_is_shown_as_it_came(bad):
    with pytest.raises(ParameterError) as caught:
        SHARE.check(bad)
    assert caught.value.value is bad


def test_the_first_entry_outside_is_shown_as_plain_python():
    for value in ([[0.5, 2], [3, 0.25]], 2, np.float32(2)):
        with pytest.raises(ParameterError) as caught:
            SHARE.check(value)
        assert caught.value.value == 2
        assert type(caught.value.value) in {int, float}


def test_an_error_holds_its_parts_and_names_them():
    with pytest.raises(ParameterError) as caught:
        COUNT.check([3, 10, 11])
    error = caught.value
    assert str(error) == "n (number of records) must be a whole number in [1, 9], got count=10."
    parts = (error.name, error.symbol, error.meaning, error.rule, error.value)
    assert parts == ("count", "n", "number of records", "must be a whole number in [1, 9]", 10)


def test_a_scalar_is_one_number_and_comes_out_as_float():
    for value in (2, 2.0, np.int64(2), np.array(2.0)):
        assert COUNT.check_scalar(value) == 2
        assert type(COUNT.check_scalar(value)) is float
    for bad in (True, np.True_, [2], np.array([2.0]), "2", None, 2j, 0, 2.5):
        with pytest.raises(ParameterError) as caught:
            COUNT.check_scalar(bad)
        assert caught.value.name == "count"
        assert np.array_equal(caught.value.value, bad)


class RefusalError(ParameterError):
    def __init__(self, value, **facts):
        super().__init__("n", "n", "records", "must be right", value)
        self.facts = facts


@pytest.mark.parametrize(
    "error",
    [ParameterError("mu", "μ", "GDP parameter", "must be > 0", -1.0), RefusalError((1, 2), most=3)],
)
def test_a_refusal_goes_to_another_process_and_back(error):
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
    assert again.args == error.args
