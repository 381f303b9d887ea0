"""A cache that forgets its oldest entries."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Memoised results by key, at most `size` of them.

    Attributes
    ----------
    size : int
        Above it the oldest entry is dropped.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._entries: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """Return an entry, None if there is none."""
        return self._entries.get(key)

    def put(self, key: K, value: V) -> None:
        """Store an entry."""
        self._entries[key] = value
        while len(self._entries) > self.size:
            self._entries.popitem(last=False)

    def drop(self, key: K) -> None:
        """Forget an entry, if there is one."""
        self._entries.pop(key, None)

    def clear(self) -> None:
        """Forget all entries."""
        self._entries.clear()
