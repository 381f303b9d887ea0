"""Example tables, and tables that are typed or pasted."""

import re

import pytest

from explorer.locale import text_for
from explorer.tables import EXAMPLES, MAX_CELLS, MAX_COUNT, Problem

en = text_for("en")

GOOD = "\tyes\tno\nnorth\t4417\t25\nsouth\t31\t5839\nislands\t7\t12"
BAD = {
    "empty": ("", "no table"),
    "no-counts": ("yes no\nno yes", "no counts"),
    "code": ("matrix(c(40, 31, 25, 54), 2)", "program"),
    "text": ("1 2 3\n4 five 6", "Row 2, column 2"),
    "missing": ("1,,2\n3,4,5", "Row 1, column 2"),
    "suppressed": ("a,b\n<5,2\n3,4", "withheld"),
    "negative": ("1 2 3\n4 5 -6", "Row 2, column 3"),
    "fraction": ("1.5 2\n3 4", "Row 1, column 1"),
    "proportions": ("0,125\t0,375\n0,250\t0,250", "proportions"),
    "percentage": ("10% 2\n3 4", "percentage"),
    "separator": ("1.000 2\n3 4", "may mean 1 or 1000"),
    "scientific": ("1.23E+05 2\n3 4", "rounded"),
    "ragged": ("1 2 3\n4 5", "Row 2"),
    "one-cell": ("7", "at least two"),
    "zero-total": ("0 0\n0 0", "positive"),
    "too-large": (f"1 2\n3 {10 * MAX_COUNT}", "Row 2, column 2"),
    "too-many-cells": ("\n".join(["1 " * 1000] * 100), str(MAX_CELLS)),
    "totals": (",a,b,total\nx,1,2,3\ny,4,5,8", "totals"),
    "labels": ("x,n\n1,7\n2,8\n3,2", "labels or counts"),
    "comma": ("1,234\n5,678", "one count or several"),
    "long": ("a,b,n\n1,1,40\n1,2,25\n2,1,31\n2,2,54", "pairs"),
    "repeated-pair": ("a,x,1\na,x,2\nb,x,3", "second time"),
    "missing-pair": ("a,x,1\nb,y,2", "no line"),
    "three-way": ("a,x,u,1\nb,y,v,2", "3 categories"),
    "not-finite": ("1 2\n3 inf", "Row 2, column 2"),
}


def counts_on_screen(app, size):
    return app.look("texts('table', '.heatmap-label')")[:size]


@pytest.fixture
def typing(app):
    """The open box in which a table is typed."""
    app.choice("Table").select_option(en.type_table)
    box = app.page.locator(".gdp-typing")
    box.wait_for()
    yield box
    if box.is_visible():
        box.get_by_role("button", name="Close").click()
        box.wait_for(state="hidden")


def use(app, typing, text):
    typing.locator("textarea").fill(text)
    typing.get_by_role("button", name="Use this table").click()
    app.wait_for_rest()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.key)
def test_an_example_is_shown_with_its_source(app, example):
    app.page.set_viewport_size({"width": 1920, "height": 1080})  # room for eight columns
    app.choice("Table").select_option(example.title)
    app.wait_for_rest()
    counts = example.counts
    shown = counts_on_screen(app, counts.array.size)
    assert shown == [en.cell(float(count)) for row in counts.rows for count in row]
    assert app.box("rows").input_value() == str(counts.shape[0])
    assert app.box("columns").input_value() == str(counts.shape[1])
    assert app.box("n").input_value() == str(counts.n)
    assert app.controls()["select-one Pattern"] == example.title
    source = app.page.locator(".gdp-source")
    source.locator("summary").click()
    for words in (example.title, example.source, example.licence):
        assert words in source.inner_text()
    assert "the table, " in " ".join(app.look("captions('table')"))


def test_a_typed_table_drives_every_panel_and_stays_on_the_page(app, typing):
    before = {plot: app.look("picture(arg)", plot) for plot in app.look("plots()")}
    numbers = app.look("numbers()")
    use(app, typing, GOOD)
    typing.wait_for(state="hidden")
    assert counts_on_screen(app, 6) == ["4\u202f417", "25", "31", "5\u202f839", "7", "12"]
    assert (app.box("rows").input_value(), app.box("columns").input_value()) == ("3", "2")
    assert app.box("n").input_value() == "10331"
    assert {plot for plot in before if app.look("picture(arg)", plot) != before[plot]} >= {
        "cost",
        "table",
    }
    assert app.look("numbers()") != numbers
    app.page.wait_for_function("location.search.includes('rows=3')")

    # Identifiers of kernels and messages, and ports, are random digits.
    random = r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|localhost:\d+"
    told = re.sub(random, "", "\n".join([*app.urls, app.page.url, *app.lines]))
    assert re.findall(r"4417|5839|islands|4\W417|5\W839", told) == []


def test_every_problem_is_tried():
    assert set(BAD) == set(Problem)


@pytest.mark.parametrize("problem", BAD)
def test_a_mistake_is_explained_and_loses_nothing(app, typing, problem):
    text, words = BAD[problem]
    numbers, pictures = app.look("numbers()"), app.look("pictures()")
    use(app, typing, text)
    alert = typing.get_by_role("alert")
    alert.wait_for()
    assert words in alert.inner_text().replace("\u202f", "")
    assert typing.is_visible()
    assert typing.locator("textarea").input_value() == text
    assert (app.look("numbers()"), app.look("pictures()")) == (numbers, pictures)
    use(app, typing, GOOD)
    typing.wait_for(state="hidden")
    assert app.box("rows").input_value() == "3"


def test_labels_are_text_and_no_part_of_the_page(app, typing):
    use(app, typing, "1\t<img src=x>\n3\t4")
    assert "<img src=x>" in typing.get_by_role("alert").inner_text()
    use(app, typing, "\t<img src=x>\tb\n<script>alert(2)</script>\t1\t2\nd\t3\t4")
    typing.wait_for(state="hidden")
    assert app.page.locator("img[src=x], .gdp-app script").count() == 0


def test_a_typed_table_can_be_opened_again_and_taken_up_after_a_reset(app, typing):
    use(app, typing, GOOD)
    typing.wait_for(state="hidden")
    app.choice("Table").select_option(en.type_table)
    typing.wait_for()
    assert typing.locator("textarea").input_value() == GOOD
    typing.get_by_role("button", name="Close").click()
    typing.wait_for(state="hidden")
    app.button("Reset").click()
    app.wait_for_rest()
    assert app.box("rows").input_value() == "4"
    app.choice("Pattern").select_option(en.typed_pattern)
    app.wait_for_rest()
    assert app.page.get_by_role("alert").count() == 0
    assert counts_on_screen(app, 6)[0] == "4\u202f417"


def test_the_size_of_a_real_table_is_its_own(app):
    app.choice("Table").select_option(EXAMPLES[0].title)
    app.wait_for_rest()
    before = app.look("numbers()")
    app.enter("rows", "7")
    app.message("rows").wait_for()
    assert "4 × 4" in app.message("rows").inner_text()
    assert app.look("numbers()") == before
    app.choice("Table").select_option(en.no_table)
    app.wait_for_rest()
    assert app.controls()["select-one Pattern"] == app.first["select-one Pattern"]
