"""Light and dark: everything is legible, and strong privacy never looks like a warning."""

import pytest

# Texts with less contrast than wanted, by the colours that the browser computed.
FAINT = """(least) => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (channel) => (channel <= 10.3 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const canvas = document.createElement("canvas").getContext("2d");
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const words = (node) => [...node.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
  const texts = look.all(".gdp-app *").filter((node) => words(node) && look.seen(node) && !node.closest("option, :disabled"));
  return texts.filter((node) => !node.matches(".heatmap-label *, .heatmap-label")).flatMap((node) => {
    const style = getComputedStyle(node);
    const [one, two] = [rgb(node.closest("svg") ? style.fill : style.color), behind(node)].map(luminance);
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    return contrast < least ? [`${node.textContent}: ${contrast.toFixed(2)}`] : [];
  });
}"""
LINES = """() => {
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = luminance(getComputedStyle(document.querySelector(".gdp-app")).backgroundColor);
  return look.all(".gdp-group-mechanisms svg line").map((line) => luminance(getComputedStyle(line).stroke))
    .map((line) => (Math.max(line, paper) + 0.05) / (Math.min(line, paper) + 0.05));
}"""
WARM = """() => {
  const own = new Set(look.all(".gdp-group-mechanisms svg line").map((line) => getComputedStyle(line).stroke));
  const named = ".gdp-cost .textpoint text"; // in the colours of the lines, as text
  const parts = look.all(".gdp-app *").filter((node) => look.seen(node) && !node.matches(named));
  const warm = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return a > 0 && r > 150 && r - b > 90 && r > g + 20;
  };
  return parts.flatMap((node) => {
    const style = getComputedStyle(node);
    const used = [style.color, style.backgroundColor, style.borderTopColor, ...(node.closest("svg") ? [style.fill, style.stroke] : [])];
    return used.filter((colour) => warm(colour) && !own.has(colour)).map((colour) => `${node.textContent.slice(0, 30)} ${colour}`);
  });
}"""


def paper(app):
    return app.page.locator(".gdp-app").evaluate("node => getComputedStyle(node).backgroundColor")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_is_legible(app, scheme):
    app.page.emulate_media(color_scheme=scheme)
    app.wait("document.documentElement.dataset.theme === arg", scheme)
    app.wait_for_rest()
    assert paper(app) == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 25, 29)"}[scheme]
    assert app.page.evaluate(FAINT, 4.5) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_line_stands_out(app, scheme):
    app.page.emulate_media(color_scheme=scheme)
    app.wait("document.documentElement.dataset.theme === arg", scheme)
    contrasts = app.page.evaluate(LINES)
    assert len(contrasts) == app.page.locator(".gdp-mechanism").count()
    assert min(contrasts) >= 3


def test_the_button_changes_the_theme_and_every_plot_with_it(app):
    before = app.look("drawn()")
    app.button("Light or dark").click()
    app.wait("document.documentElement.dataset.theme === 'dark'")
    app.wait("Object.entries(look.drawn()).every(([name, count]) => count > arg[name])", before)
    assert paper(app) == "rgb(21, 25, 29)"
    axes = app.page.locator(".gdp-densities .g-xtitle text").evaluate(
        "node => getComputedStyle(node).fill"
    )
    assert axes == "rgb(163, 173, 182)"
    app.button("Light or dark").click()
    app.wait("document.documentElement.dataset.theme === 'light'")
    app.page.evaluate("localStorage.removeItem('explorer-theme')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_strong_privacy_never_looks_like_a_warning(app, scheme):
    app.page.emulate_media(color_scheme=scheme)
    app.enter("mu", "0.01")
    app.wait_for_rest()
    shown = app.page.get_by_role("alert").all_inner_texts()
    assert [text for text in shown if text] == []
    assert app.page.evaluate(WARM) == []
