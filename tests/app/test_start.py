"""What a start sends, and a link that is drawn once."""

import comm
import pytest
from comm.base_comm import BaseComm
from wire_format import decode

from explorer import panels
from explorer.app import explorer
from explorer.app.control import explain_link
from explorer.locale import text_for
from explorer.scenario import Scenario, View, from_query, to_query

en = text_for("en")
LINK = Scenario(mu=3.0, rows=5, view=View.TESTS)


@pytest.fixture
def messages(monkeypatch):
    """The types of all messages that widgets send."""
    sent = []

    class Comm(BaseComm):
        def publish_msg(self, msg_type, **_):
            sent.append(msg_type)

    monkeypatch.setattr(comm, "create_comm", Comm)
    return sent


def test_a_start_sends_fewer_than_two_hundred_messages(messages):
    explorer()
    # Every widget is opened complete: nothing is set afterwards or closed again.
    assert set(messages) == {"comm_open"}
    assert 100 < len(messages) < 180


@pytest.fixture
def drawn(monkeypatch):
    """The scenarios for which the first panel is computed."""
    seen, panel = [], panels.PANELS[0]
    compute = panel.compute

    def record(scenario):
        seen.append(scenario)
        return compute(scenario)

    monkeypatch.setattr(panel, "compute", record)
    return seen


def test_a_link_is_drawn_once(open_page, drawn):
    browser = open_page(query=to_query(LINK))
    assert browser.scenario == LINK
    browser.set(browser.page, query="?" + to_query(LINK))  # page.js tells the address as well
    assert drawn == [LINK]
    assert browser.box("mu").value == "3"
    assert browser.slider("mu").value == 330  # 400 log(3 / .01) / log(10 / .01)
    assert browser.choice("view").label == en.views[View.TESTS]
    assert browser.alerts() == []
    undo = browser.described(en.header["undo"])
    assert undo.disabled


def test_the_served_page_starts_from_the_address_of_its_request(open_page, drawn, monkeypatch):
    monkeypatch.setenv("QUERY_STRING", to_query(LINK))  # as Voilà sets it for each kernel
    assert open_page().scenario == LINK
    assert drawn == [LINK]


def test_a_spoilt_address_is_explained_at_the_start(open_page):
    browser = open_page(query="n=77&mu=1e9")
    assert browser.scenario == Scenario(n=77)
    [problem] = from_query("n=77&mu=1e9").problems
    assert browser.alerts() == [en.link_problems([explain_link(en, problem)])]


def test_the_slow_work_of_the_first_screen_begins_by_itself(open_page):
    browser = open_page(query=to_query(Scenario(cost_average=True, mu=0.4321)))
    values = [item["value"] for item in decode(browser.feed.readouts)["costs"]]
    assert "…" not in values
