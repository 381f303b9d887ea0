"""What hypothesis draws in several test modules."""

from hypothesis import strategies as st

from explorer.core import population
from explorer.core.mechanisms import MECHANISMS
from explorer.core.sensitivity import Neighbours
from explorer.scenario import MOST_AVERAGED, CostAxis, Scenario, fields
from explorer.scenario.field_types import SwitchField
from explorer.scenario.scenario import FIELDS

PARAMETERS = {field.name: field.parameter for field in fields.NUMBERS}
SWITCHES = [field.name for field in FIELDS if isinstance(field, SwitchField)]
KEYS = tuple(mechanism_class.key for mechanism_class in MECHANISMS)


def number(name):
    parameter = PARAMETERS[name]
    if parameter.whole:
        return st.integers(int(parameter.low), int(parameter.high))
    return st.floats(parameter.low, parameter.high)


@st.composite
def scenarios(draw):
    """Valid scenarios without a real table, every field at any value and at its ends."""
    shape = draw(st.tuples(st.integers(1, 7), st.integers(1, 7)).filter(lambda s: s != (1, 1)))
    pattern = draw(st.sampled_from(population.patterns_for(shape)))
    most = float(population.max_strength(shape, pattern))
    free = {name: number(name) for name in PARAMETERS if name not in {"rows", "columns"}}
    free |= {name: st.booleans() for name in SWITCHES}
    numbers = draw(st.fixed_dictionaries(free | {"strength": st.floats(0, most)}))
    numbers["cost_average"] &= numbers["n"] <= MOST_AVERAGED
    return Scenario(
        **numbers,
        rows=shape[0],
        columns=shape[1],
        neighbours=draw(st.sampled_from(Neighbours)),
        pattern=pattern,
        hidden=tuple(draw(st.lists(st.sampled_from(KEYS)))),
        sampled=draw(st.sampled_from(KEYS)),
        cost_axis=draw(st.sampled_from(CostAxis)),
    )
