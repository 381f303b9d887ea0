"""Run the notebooks and write copies with their results to docs/notebooks: `make notebooks`.

A copy is Markdown: the cells' sources as they are, each table as a Markdown table, each figure as a
PNG drawn by plotly.js in Chromium. What a run adds stands between `BEGIN` and `END`, so that a test
can compare the rest with the notebook.
"""

import base64
import html
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import plotly
from nbclient import NotebookClient
from nbformat import NotebookNode
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
NOTEBOOKS = ROOT / "notebooks"
COPIES = ROOT / "docs" / "notebooks"
NAMES = ("paper", "tests")
BEGIN, END = "<!-- result: begin -->", "<!-- result: end -->"
FIGURE = "application/vnd.plotly.v1+json"
PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
SECONDS = 300
TO_PNG = """async (figure) => {
  const layout = { ...figure.layout, paper_bgcolor: "#fff", plot_bgcolor: "#fff" };
  const options = { format: "png", width: layout.width, height: layout.height, scale: 1.5 };
  return (await Plotly.toImage({ data: figure.data, layout }, options)).split(",")[1];
}"""


def read(name: str) -> NotebookNode:
    """Return a notebook as it is on disk."""
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)


def text(name: str, book: NotebookNode) -> str:
    """Return the copy of a notebook; without outputs in `book`, its sources alone."""
    link = f"[notebooks/{name}.ipynb](../../notebooks/{name}.ipynb)"
    parts = [f"Copy of {link} with its results, written by `make notebooks`."]
    for cell in book.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source.replace("](../docs/notebooks/", "]("))
        else:
            parts.append(f"```python\n{cell.source}\n```")
            shown = [_shown(name, cell, output.data) for output in cell.outputs if "data" in output]
            if shown:
                parts.append("\n\n".join([BEGIN, *shown, END]))
    return "\n\n".join(parts) + "\n"


def sources(copy: str) -> str:
    """Return a copy without its results."""
    return re.sub(f"{BEGIN}.*?{END}\n\n", "", copy, flags=re.DOTALL)


def headings(data: NotebookNode) -> list[str]:
    """Return the headings of the table that an output shows; none if it shows none."""
    names = re.findall(r'<th scope="col">(.*?)</th>', data.get("text/html", ""))
    return [html.unescape(name) for name in names]


def figure_name(name: str, cell: NotebookNode) -> str:
    """Return the file name of a cell's figure."""
    return f"{name}-{cell.id}.png"


def _shown(name: str, cell: NotebookNode, data: NotebookNode) -> str:
    if FIGURE in data:
        return f"![{data['text/plain']}]({figure_name(name, cell)})"
    page = data["text/html"]
    notes = [html.unescape(note) for note in re.findall(r"<p>(.*?)</p>", page)]
    columns = headings(data)
    if not columns:
        return "  \n".join(notes)
    rows = [
        [html.unescape(text) for text in re.findall(r"<td>(.*?)</td>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", page)
    ]
    lines = [columns, ["---"] * len(columns), *(row for row in rows if row)]
    table = ["| " + " | ".join(_escaped(text) for text in line) + " |" for line in lines]
    return "\n\n".join(["  \n".join(notes), "\n".join(table)] if notes else ["\n".join(table)])


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _draw(page: Page, name: str, book: NotebookNode) -> None:
    for cell in book.cells:
        for output in cell.get("outputs", []):
            if FIGURE in output.get("data", {}):
                figure = json.loads(json.dumps(output.data[FIGURE]))
                image = base64.b64decode(page.evaluate(TO_PNG, figure))
                (COPIES / figure_name(name, cell)).write_bytes(image)


def main() -> None:
    """Run every notebook and write its copy."""
    script = ROOT / "tests" / "browser" / "chromium.sh"
    chromium = subprocess.run(["sh", script], capture_output=True, text=True, check=True)  # noqa: S603, S607 - our own script
    COPIES.mkdir(exist_ok=True)
    for old in COPIES.glob("*.png"):
        old.unlink()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.stdout.strip(), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.add_script_tag(path=PLOTLY)
        for name in NAMES:
            book = read(name)
            resources = {"metadata": {"path": NOTEBOOKS}}
            NotebookClient(book, timeout=SECONDS, resources=resources).execute()
            _draw(page, name, book)
            (COPIES / f"{name}.md").write_text(text(name, book), encoding="utf-8")
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
