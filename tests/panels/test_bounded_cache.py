"""The cache of panels: it returns what was put in and drops the oldest entries."""

from explorer.panels._bounded_cache import BoundedCache


def test_the_oldest_entries_are_dropped():
    cache = BoundedCache(2)
    for key in "abc":
        cache.put(key, key.upper())
    assert len(cache) == 2
    assert [cache.get(key) for key in "abc"] == [None, "B", "C"]


def test_a_value_that_is_put_again_takes_no_more_room():
    cache = BoundedCache(2)
    for key, value in [("a", 1), ("b", 2), ("a", 3)]:
        cache.put(key, value)
    assert [cache.get(key) for key in "ab"] == [3, 2]


def test_entries_are_dropped_one_by_one_or_all():
    cache = BoundedCache(3)
    for key in "abc":
        cache.put(key, key)
    cache.drop("b")
    cache.drop("nothing")
    assert [cache.get(key) for key in "abc"] == ["a", None, "c"]
    cache.clear()
    assert len(cache) == 0
