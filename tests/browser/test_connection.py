"""The page before its widgets, without its kernel and after its tab."""

import json
import sys

import pytest
from patience import SECONDS
from playwright.sync_api import expect

BROKEN = """
import sys
from pathlib import Path
from explorer.serving.command import listen
from explorer.serving.server import serve
sockets = listen("localhost", 0)
ready = lambda: print(f"http://localhost:{sockets[0].getsockname()[1]}/", flush=True)
serve(Path(sys.argv[1]), sockets, ready)
"""


SOCKET = "`ws://${location.host}/api/kernels/${document.body.dataset.kernelId}/channels`"


@pytest.fixture
def shown(tab):
    """A tab that shows the app and has nothing to do."""
    tab.page.goto(tab.address)
    expect(tab.page.locator("#skeleton")).to_have_count(0)
    tab.page.wait_for_function("document.querySelectorAll('.js-plotly-plot .main-svg').length")
    tab.wait_until_idle()
    return tab


def test_the_frame_is_there_before_the_widgets_and_then_goes(tab):
    page = tab.page
    page.goto(tab.address, wait_until="commit")
    expect(page).to_have_title("GDP Explorer: Gaussian differential privacy of tables")
    expect(page.get_by_role("status").get_by_text("starting…")).to_be_visible()
    expect(page.locator("#skeleton section")).to_have_count(4)
    expect(page.locator("#skeleton")).to_have_count(0)
    expect(page.locator("#app .jupyter-widgets").first).to_be_visible()
    page.wait_for_function("globalThis.Plotly")
    assert tab.errors == []


def test_closing_the_tab_ends_its_kernel(shown):
    kernel = shown.kernel
    shown.page.close()
    kernel.wait(SECONDS)


def test_reloading_ends_the_old_kernel(shown):
    kernel = shown.kernel
    shown.page.reload()
    kernel.wait(SECONDS)


def test_a_download_leaves_the_kernel_alone(shown):
    sent = shown.page.evaluate("""() => {
        let sent = 0;
        navigator.sendBeacon = () => ++sent;
        dispatchEvent(new Event("beforeunload"));
        delete navigator.sendBeacon; // the browser's own again
        return sent;
    }""")
    assert sent == 0


def test_a_dead_kernel_is_told_in_words_and_a_reload_goes_on(shown):
    alert = shown.page.locator("#alert")
    expect(alert).to_be_empty()
    shown.kernel.kill()
    expect(alert).to_contain_text("connection to the program was lost")
    alert.get_by_role("button", name="Reload").click()
    expect(shown.page.locator("#skeleton")).to_have_count(0)
    expect(alert).to_be_empty()


def test_an_app_that_cannot_start_says_so_and_no_more(tab_at, start, tmp_path):
    cell = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": []}
    notebook = {"cells": [{**cell, "source": "1 / 0"}], "metadata": {}}
    path = tmp_path / "broken.ipynb"
    path.write_text(json.dumps({**notebook, "nbformat": 4, "nbformat_minor": 5}))
    with start(tmp_path, [sys.executable, "-c", BROKEN, str(path)]) as broken:
        tab = tab_at(broken)
        tab.page.goto(tab.address)
        expect(tab.page.get_by_role("alert")).to_contain_text("The app did not start.")
        assert "ZeroDivisionError" not in tab.page.content()


def test_a_start_that_gets_stuck_is_tried_once_more(tab):
    held = []

    def hold(route):
        held.append(route)  # never answered

    page = tab.page
    page.route("**/anywidget/**", hold, times=1)
    page.goto(tab.address + "?mu=2", wait_until="commit")
    page.wait_for_url("**#again", timeout=2_000 * SECONDS)  # on a busy machine both starts are slow
    expect(page.locator("#skeleton")).to_have_count(0)
    page.wait_for_function("document.querySelectorAll('.js-plotly-plot .main-svg').length")
    assert page.locator(".gdp-mu input").input_value() == "2"
    assert len(held) == 1
    page.wait_for_function("!location.hash")  # the address follows the page again
    assert tab.errors == []


def test_a_start_that_stays_stuck_is_said(tab):
    tab.page.route("**/anywidget/**", lambda _: None)
    tab.page.goto(tab.address + "#again", wait_until="commit")
    alert = tab.page.locator("#alert")
    expect(alert).to_contain_text("The app did not start.")
    # A connection that opens does not wipe the sentence.
    tab.page.evaluate(f"new Promise((opened) => {{ new WebSocket({SOCKET}).onopen = opened; }})")
    expect(alert).to_contain_text("The app did not start.")
    tab.page.unroute("**/anywidget/**")
    alert.get_by_role("button", name="Reload").click()
    expect(tab.page.locator("#skeleton")).to_have_count(0)
    expect(alert).to_be_empty()


def test_a_large_file_on_a_slow_line_is_not_given_up(tab):
    held = []
    tab.page.route("**/voila/static/voila.js*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks the function
    tab.page.clock.install()
    tab.page.goto(tab.address, wait_until="commit")
    tab.page.wait_for_function("document.readyState === 'interactive'")
    tab.page.clock.run_for(60_000)
    (route,) = held
    route.continue_()
    expect(tab.page.locator("#skeleton")).to_have_count(0)
    assert "#again" not in tab.page.url


def test_the_app_works_where_site_data_are_blocked(tab):
    tab.page.add_init_script("""Object.defineProperty(window, "localStorage", {
      get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
    });""")
    page = tab.page
    page.goto(tab.address + "?mu=2")
    page.wait_for_function("document.querySelectorAll('.js-plotly-plot .main-svg').length")
    expect(page.locator(".gdp-mu input")).to_have_value("2")
    page.get_by_role("button", name="Light or dark").click()
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert tab.errors == []
