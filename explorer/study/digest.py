"""The key of a cell: a digest of its parameters. The spelling here never changes.

Finished cells are found by their keys, and the key seeds a cell's random numbers. Another spelling
would lose every finished study and change the results of every new one. Therefore:

- the text is JSON with the names in alphabetic order, the study kind under ``kind``;
- a mechanism that existed before mechanisms had keys is spelled by its class name of that time,
  any later one by its key;
- floats have all their digits, whole numbers none after the point, and a shape is a list;
- an axis that was added later is left out where it has the value that cells had before.
"""

import hashlib
import json
from collections.abc import Iterable

from explorer.core.mechanisms import OLD_NAMES
from explorer.study.axes import Axis, Plain, Value, plain

CLASS_NAMES = {key: name for name, key in OLD_NAMES.items()}
DIGITS = 32


def key(kind: str, parameters: Iterable[tuple[Axis, Value]]) -> str:
    """Return the digest of a cell, 32 hexadecimal digits.

    Two cells of a study share one with probability below 1e-26.

    Parameters
    ----------
    kind : str
        Name of the study kind.
    parameters : iterable of (Axis, Value)
        The value of every axis.
    """
    spelled = {axis.name: _spelled(value) for axis, value in parameters if value != axis.implied}
    text = json.dumps({"kind": kind, **spelled}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _spelled(value: Value) -> Plain:
    return CLASS_NAMES.get(value.key, value.key) if isinstance(value, type) else plain(value)
