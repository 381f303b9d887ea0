"""Plots as a notebook gets them."""

from explorer.paper._plot import MIME, line, plot, points


def test_a_plot_is_plain_data_and_has_a_description():
    two = plot(
        [line([0, 1], [1, 0], "a", color="red"), points([2], [3], "b")], "x", "y", "log", [1]
    )
    bundle = two._repr_mimebundle_()
    assert bundle["text/plain"] == repr(two) == "y against x: a, b"
    first, second = bundle[MIME]["data"]
    assert (first["x"], first["y"], first["line"]) == ([0.0, 1.0], [1.0, 0.0], {"color": "red"})
    assert (second["mode"], second["x"], second["y"]) == ("markers", [2.0], [3.0])
    assert bundle[MIME]["layout"]["xaxis"] == {
        "title": {"text": "x"},
        "type": "log",
        "tickvals": [1.0],
    }
