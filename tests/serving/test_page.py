"""The page that a visitor gets: its parts, headers and files."""

import gzip
import json
import re
from importlib.metadata import version

import pytest

from explorer.plotly_js import plotly_js

EXTENSIONS = {
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
}


@pytest.fixture(scope="module")
def front(guest):
    return guest.page


def addresses(text: str) -> set[str]:
    """Return the hosts that a text names, but for that of the SVG namespace."""
    return set(re.findall(r"//([\w-]+\.[\w.-]+)", text)) - {"www.w3.org"}


def test_the_app_is_in_the_page(front):
    assert front.status == 200
    assert '"application/vnd.jupyter.widget-view+json"' in front.text
    assert '<html lang="en"' in front.text
    assert "<title>GDP Explorer: Gaussian differential privacy of tables</title>" in front.text


def test_the_frame_comes_before_the_kernel(front):
    assert front.text.index('role="status">starting…') < front.text.index("dataset.kernelId")


def test_nothing_on_the_page_is_on_another_host(front, visitor):
    assert addresses(front.text) == set()
    files = re.findall(r'(?:src|href)="(/voila/templates/[^"]+)"', front.text)
    assert len(files) == 2
    for path in files:
        file = visitor.ask(path)
        assert file.status == 200
        assert addresses(file.text) == set()


def test_only_the_needed_extensions_are_loaded(front):
    config = json.loads(re.search(r'"jupyter-config-data"[^>]*>([^<]+)<', front.text)[1])
    assert {extension["name"] for extension in config["federated_extensions"]} == EXTENSIONS


def test_a_visitor_cannot_choose_another_template(front):
    # The page was asked for with another template and theme.
    assert 'id="skeleton"' in front.text
    assert '"jupyterLabTheme": "light"' in front.text


def test_the_headers_keep_the_page_to_itself(front):
    policy = dict(
        rule.split(" ", 1) for rule in front.headers["Content-Security-Policy"].split("; ")
    )
    assert policy["frame-ancestors"] == policy["default-src"] == "'self'"
    for name in ("object-src", "base-uri", "form-action"):
        assert policy[name] == "'none'"
    assert front.headers["Referrer-Policy"] == "same-origin"
    assert front.headers["X-Content-Type-Options"] == "nosniff"


def test_the_token_of_the_page_stays_on_its_site(front):
    (cookie,) = [c for c in front.headers.get_all("Set-Cookie") if c.startswith("_xsrf=")]
    assert "SameSite=Lax" in cookie


@pytest.mark.parametrize("encoding", ["gzip, deflate", "identity"])
def test_plotly_is_the_installed_one_and_kept_for_good(front, visitor, encoding):
    path = re.search(r'src="(/explorer/static/[^"]+)"', front.text)[1]
    assert version("plotly") in path
    script = visitor.ask(path, accept_encoding=encoding)
    compressed = encoding != "identity"
    assert (script.headers["Content-Encoding"] == "gzip") == compressed
    assert (gzip.decompress(script.body) if compressed else script.body) == plotly_js().read_bytes()
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert script.headers["Content-Type"].startswith("text/javascript")


def test_voilas_scripts_travel_compressed(visitor):
    script = visitor.ask("/voila/static/voila.js", accept_encoding="gzip")
    assert script.headers["Content-Encoding"] == "gzip"
    assert b"webpackChunk" in gzip.decompress(script.body)
