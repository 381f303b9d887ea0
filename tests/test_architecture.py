"""How the package is built: what imports what, how long it is, and how a thing is added."""

import ast
import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import ipywidgets
import pytest
from wire_format import decode, descendants

import explorer
from explorer import panels
from explorer.app import controls, quantities
from explorer.app import explorer as build
from explorer.app.number_row import NumberRow
from explorer.app.scale import Scale
from explorer.panels import figure
from explorer.panels.drawing import Drawing, Figure
from explorer.panels.panel import Panel
from explorer.scenario import Scenario, from_query

PACKAGE = Path(explorer.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted(Path(__file__).parent.rglob("*.py"))
COMMANDS = {PACKAGE / "serving" / "command.py", PACKAGE / "study" / "command.py"}
HEAVY = {
    *("scipy.stats", "scipy.optimize", "scipy.integrate", "scipy.interpolate", "scipy.sparse"),
    *("pandas", "plotly", "matplotlib", "opendp", "dask", "voila", "tornado"),
    *("distributed", "pyarrow", "explorer.study"),
}


def name_of(path):
    return str(path.relative_to(PACKAGE.parent))


def imported(path):
    """Names that a module imports anywhere in it, `a.b` for `from a import b` too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def after(code):
    """Modules that a fresh interpreter has loaded after some code, and what it printed."""
    program = f"import sys\n{code}\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-W", "error", "-c", program],
        cwd=PACKAGE.parent,
        check=True,
        capture_output=True,
        text=True,
    )
    return set(done.stderr.split()), done.stdout


def test_the_app_starts_without_heavy_libraries():
    loaded, said = after("import explorer.app\nimport threading\nprint(threading.active_count())")
    assert not {module for module in HEAVY if module in loaded}
    assert said == "1\n"


def test_the_command_starts_without_the_studies():
    loaded, said = after("import explorer.serving.command")
    assert not {module for module in (HEAVY - {"tornado"}) | {"numpy"} if module in loaded}
    assert said == ""


def test_a_study_loads_its_packages_when_it_needs_them():
    loaded, said = after("import explorer.study.command, explorer.study.report")
    assert not {module for module in HEAVY - {"explorer.study"} if module in loaded}
    assert said == ""
    # A worker limits the threads of linear algebra before it loads any.
    assert "numpy" not in after("import explorer.study.worker")[0]


def test_the_core_loads_numpy_and_special_functions_only():
    loaded, said = after("import explorer.core.mechanisms, explorer.scenario, explorer.panels")
    others = {"ipywidgets", "traitlets", "anywidget", "IPython", "explorer.app"}
    assert not {module for module in HEAVY | others if module in loaded}
    assert said == ""


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("core/**/*.py")), ids=name_of)
def test_the_core_imports_numpy_and_special_functions_only(path):
    allowed = re.compile(r"numpy(\.|$)|scipy\.special(\.|$)|explorer\.core(\.|$)")
    outside = {
        name
        for name in imported(path)
        if name.partition(".")[0] not in sys.stdlib_module_names and not allowed.match(name)
    }
    assert outside == set()


@pytest.mark.parametrize("path", [*MODULES, *TESTS], ids=lambda path: path.stem)
def test_no_module_is_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_is_printed_and_no_value_is_logged(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called in {"print", "pprint", "warnings.warn"}:
            assert path in COMMANDS, f"line {node.lineno}"
        if re.fullmatch(r"(?i:log|logger|logging|self\.log)\.[a-z]+", called):
            values = [ast.unparse(value) for value in node.args[1:]]
            assert isinstance(node.args[0], ast.Constant)
            assert all(re.fullmatch(r"type\(\w+\)\.__name__", value) for value in values)
            assert not {word.arg for word in node.keywords} & {"exc_info", "stack_info", "extra"}
            assert not called.endswith(".exception")


@pytest.mark.parametrize("path", [path for path in MODULES if path.stem != "__main__"], ids=name_of)
def test_importing_has_no_effect(path):
    # At the top of a module there are definitions and constants, no loops and no bare calls.
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        assert not isinstance(node, (ast.For, ast.While, ast.With, ast.Try)), node.lineno
        if isinstance(node, ast.Expr):
            assert isinstance(node.value, ast.Constant), node.lineno


def test_the_import_contracts_are_kept():
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=PACKAGE.parent,
        check=False,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def parts(app, kind):
    return [widget for widget in descendants(app) if isinstance(widget, kind)]


def feed_of(app):
    [feed] = [widget for widget in descendants(app) if hasattr(widget, "palettes")]
    return feed


def test_a_mechanism_is_added_by_one_class_and_one_line():
    script = Path(__file__).parent / "support" / "new_mechanism.py"
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, script], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


class SquarePanel(Panel[float]):
    """The least panel: the square of μ, with a switch of its own."""

    name = "square"
    switches = ("cost_log",)

    def compute(self, scenario):
        return scenario.mu**2

    def draw(self, result, text, previous=None):
        del text, previous
        point = figure.points([result], [1.0])
        layout = figure.layout(
            figure.axis("square of μ", (0, 1), figure.Ticks([0.0], ["0"])),
            figure.axis("nothing", (0, 1), figure.Ticks([0.0], ["0"])),
        )
        return Drawing(Figure([point], layout), f"μ² is {result:g}.")

    def drag(self, scenario, x, y):
        del scenario, y
        return {"mu": x**0.5}


def test_a_panel_is_added_by_one_module_and_one_line(monkeypatch):
    monkeypatch.setattr(panels, "PANELS", (*panels.PANELS, SquarePanel()))
    app = build()
    feed = feed_of(app)
    assert decode(feed.get_state(["square"])["square"])["sentence"] == "μ² is 0.25."
    [view] = [w for w in descendants(app) if getattr(w, "name", None) == "square"]
    assert view.pullable
    titles = [text.value for text in parts(app, ipywidgets.HTML)]
    assert "<h2>square</h2>" in titles
    switches = [w for w in parts(app, ipywidgets.ToggleButton) if w.description == "log"]
    assert len(switches) == 2
    view.set_state({"pulled": [4.0, 0.5]})
    assert decode(feed.get_state(["square"])["square"])["sentence"] == "μ² is 4."
    assert from_query(feed.link).scenario == Scenario(mu=2.0)
    switches[1].set_state({"value": True})
    assert switches[0].value


def test_a_control_is_added_by_one_module_and_one_line(monkeypatch):
    # A slider of δ in place of its box: its range, how it is read and what it edits.
    quantity = dataclasses.replace(
        quantities.DELTA, scale=lambda _: Scale(1e-9, 0.1, logarithmic=True)
    )
    monkeypatch.setitem(
        controls.CONTROLS, "delta", lambda state, text, _: NumberRow(quantity, state, text)
    )
    app = build()
    [row] = [w for w in parts(app, ipywidgets.Box) if "gdp-delta" in w._dom_classes]
    [slider] = [w for w in row.children if isinstance(w, ipywidgets.IntSlider)]
    slider.set_state({"value": 300})
    assert from_query(feed_of(app).link).scenario == Scenario(delta=1e-3)
    slider.set_state({"value": 401})  # refused by its own range, below the row
    assert from_query(feed_of(app).link).scenario == Scenario(delta=1e-3)
    assert "δ must be" in row.children[-1].value


def test_no_word_of_a_person_or_a_machine_is_in_the_package():
    for path in [*MODULES, *PACKAGE.rglob("*.js"), *PACKAGE.rglob("*.css")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(home|work|root|Users)/|https?://\d|TODO|FIXME|XXX", text), path


def test_the_examples_and_styles_are_in_the_package():
    for pattern in ("app/*.js", "app/*.css", "tables/data/*.csv"):
        assert list(PACKAGE.glob(pattern))
    notebook = json.loads((PACKAGE.parent / "notebooks" / "explorer.ipynb").read_text())
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 1
    assert "explorer()" in code[0]
