"""The progress of a study on a terminal and elsewhere."""

import io

import pytest

from explorer.study.progress import Progress, duration


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_elsewhere_a_line_comes_with_every_tenth():
    stream, clock = io.StringIO(), Clock()
    with Progress(40, 10, stream, clock) as told:
        for _ in range(30):
            clock.now += 2
            told.advance(1)
    assert stream.getvalue().splitlines() == [
        "10 of 40 cells, 0 s",
        "14 of 40 cells, 8 s, about 52 s to go",
        "18 of 40 cells, 16 s, about 44 s to go",
        "22 of 40 cells, 24 s, about 36 s to go",
        "26 of 40 cells, 32 s, about 28 s to go",
        "30 of 40 cells, 40 s, about 20 s to go",
        "34 of 40 cells, 48 s, about 12 s to go",
        "38 of 40 cells, 56 s, about 4 s to go",
        "40 of 40 cells, 1 min",
    ]


def test_on_a_terminal_one_line_is_rewritten():
    stream, clock = Terminal(), Clock()
    with Progress(10, 0, stream, clock) as told:
        for seconds in (0.1, 0.05, 0.1, 60):
            clock.now += seconds
            told.advance(2)
    assert stream.getvalue().split("\r") == [
        "",
        "0 of 10 cells, 0 s\033[K",
        "6 of 10 cells, 0 s, about 0 s to go\033[K",  # not at 0.1 and 0.15 s
        "8 of 10 cells, 1 min, about 15 s to go\033[K\n",
    ]


def test_where_it_ended_is_told_in_the_end():
    stream = io.StringIO()
    with Progress(100, 0, stream, Clock()) as told:
        told.advance(3)
    assert stream.getvalue().splitlines() == [
        "0 of 100 cells, 0 s",
        "3 of 100 cells, 0 s, about 0 s to go",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (65, "1 min 5 s"),
        (3600, "1 h"),
        (5400, "1 h 30 min"),
        (86400 + 7300, "1 d 2 h"),
    ],
)
def test_a_time_is_for_a_person(seconds, text):
    assert duration(seconds) == text
