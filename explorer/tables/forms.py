"""From a text to rows of cells: which form the text has, and where its cells end."""

import re
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser

from explorer.numerals import NotANumber, NotFinite, read_number
from explorer.tables.counts import MAX_CELLS
from explorer.tables.error import Form, Problem, TableError

QUOTED_EMPTY = "\u2060"
"""Stands for a cell of two double quotes: a label that is empty, not a cell left out."""

_LONGEST = 300_000
_MOST = 5 * MAX_CELLS + 10  # cells: a long form has three or four for each count
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_SEPARATORS = {Form.TABS: "\t", Form.SEMICOLONS: ";", Form.COMMAS: ","}
_RULE = re.compile(
    r"[\s|+:=_.─━═┼┤├╪│┃║┬┴╞╡\-\u2010-\u2015]*(?:-{3}|={3}|─|━|═)[\s|+:=_─━═┼┤├╪│┃║┬┴╞╡\-]*"
)
_MARKDOWN_RULE = re.compile(r"\s*\|?[\s|:\-]*-[\s|:\-]*\|[\s|:\-]*")
_SHARE = re.compile(r"(?<=\d)[ \u00a0\u202f]*[(\[] *<?[\d.,]+ *%[)\]]")
_FOOTER = re.compile(
    r"(?:\[?\(?\d+ rows?(?: x \d+ columns?)?\)?\]?|(?:Name|Length|dtype):.*|Levels:.*)"
)
_CODE = re.compile(
    r"\b(?:c|matrix|rbind|cbind|data\.frame|tribble|DataFrame|Series|as\.table|structure)\s*\(|"
    r"[{,]\s*[\"']?[^\"'{}\[\],:\n]*[\"']?\s*:\s*[\[{\"'\d]"
)
_GROUP = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_NESTED = re.compile(r"[^\[({]{0,40}([\[({]\s*[\[({].*[\])}]\s*[\])}])[^\[({]{0,40}", re.DOTALL)
_LIST = re.compile(r"[\[({][\d\s,.;+'\-]+[\])}]")
_R_LABEL = re.compile(r"\[\d*,\d*\]")
_R_VECTOR = re.compile(r"\s*\[\d+\]\s")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_NOT_A_WORD = re.compile(r"[-+\u2212]?(?:0x[0-9a-f]+|[\d\s.,'’_()$€£¥]+)", re.IGNORECASE)
_SUPPRESSED = re.compile(
    r"[<≤]\s*=?\s*\d+|[-\u2010-\u2015\u2212.*…:]+|n\.?/?a\.?n?|null|none|nd|#n/a",
    re.IGNORECASE,
)


@dataclass
class Line:
    """One line of a text, cut into cells.

    Attributes
    ----------
    number : int
        From 1, among lines that are not blank.
    cells : list of str
        Without blanks around them; `QUOTED_EMPTY` for an empty cell in quotes.
    """

    number: int
    cells: list[str]


@dataclass
class Grid:
    """The lines of a text, its form, and whether percentages beside counts were left out."""

    form: Form
    lines: list[Line]
    percentages: bool = False


def is_number(cell: str) -> bool:
    """Return whether a cell is written like a number, in range or not."""
    return not isinstance(read_number(cell, whole=True), NotANumber) if cell else False


def is_suppressed(cell: str) -> bool:
    """Return whether a cell stands for a count that is withheld or not known."""
    return bool(_SUPPRESSED.fullmatch(cell)) or isinstance(read_number(cell, whole=True), NotFinite)


def is_word(cell: str) -> bool:
    """Return whether a cell can only be a label."""
    if not cell or cell == QUOTED_EMPTY or _NOT_A_WORD.fullmatch(cell):
        return False
    return not is_number(cell) and not is_suppressed(cell)


def grid(text: str) -> Grid:
    """Recognise the form of a text and cut it into cells.

    Returns
    -------
    Grid
        No line is blank, and no line ends in empty cells.

    Raises
    ------
    TableError
        `CODE`, `COMMA`, or `TOO_MANY_CELLS` beyond what any table has.
    """
    if len(text) > _LONGEST:
        raise TableError(Problem.TOO_MANY_CELLS, expected=MAX_CELLS, got=_most_cells(text))
    text = _INVISIBLE.sub("", text).replace("\u3000", " ").replace("｜", "|")
    text = re.sub("\u00a0{2,}", "  ", text)
    shared = _SHARE.sub("", text)
    found = _cut(shared)
    found.percentages = shared != text
    if sum(len(line.cells) for line in found.lines) > _MOST:
        got = sum(len(line.cells) for line in found.lines)
        raise TableError(Problem.TOO_MANY_CELLS, form=found.form, expected=MAX_CELLS, got=got)
    return found


def _most_cells(text: str) -> int:
    return max(text.count(mark) for mark in ("\t", ";", ",", " ", "\n")) + 1


def _cut(text: str) -> Grid:  # noqa: PLR0911 - one for each case
    if re.search(r"<t[rdh][\s>]", text, re.IGNORECASE):
        return Grid(Form.HTML, _number(_html(text)))
    lines = [line for line in text.splitlines() if line.strip()]
    if any(_R_LABEL.match(line.strip()) for line in lines):
        return Grid(Form.BLANKS, _number(_blanks(lines)))
    if lines and all(_R_VECTOR.match(line) for line in lines):
        return Grid(
            Form.BLANKS, _number([[c for x in lines for c in _R_VECTOR.sub("", x).split()]])
        )
    stripped = text.strip().rstrip(";,")
    nested = _NESTED.fullmatch(stripped)
    if _CODE.search(stripped):
        raise TableError(Problem.CODE, form=Form.BRACKETS)
    if nested or _LIST.fullmatch(stripped):
        return Grid(Form.BRACKETS, _number(_brackets(nested[1] if nested else stripped)))
    if "&" in text and re.search(r"\\\\|\\tabularnewline|\\begin", text):
        return Grid(Form.LATEX, _number(_latex(text)))
    lines = [
        line for line in lines if not _RULE.fullmatch(line) and not _MARKDOWN_RULE.fullmatch(line)
    ]
    lines = [line for line in lines if not _FOOTER.fullmatch(line.strip())]
    if _most(lines, "|") or _most(lines, "│"):
        return Grid(Form.PIPES, _number([_pipes(line) for line in lines]))
    if "\t" not in text:
        text = text.replace("，", ",").replace("；", ";")
        lines = [line.replace("，", ",").replace("；", ";") for line in lines]
    form = _form(lines)
    if form is Form.BLANKS:
        return Grid(form, _number(_blanks(lines)))
    return Grid(form, _number(_delimited("\n".join(lines), _SEPARATORS[form])))


def _most(lines: list[str], mark: str) -> bool:
    """Return whether at least half of the lines with a digit have the mark."""
    with_digits = [line for line in lines if any(map(str.isdecimal, line))] or lines
    return 2 * sum(mark in line for line in with_digits) >= max(1, len(with_digits))


def _form(lines: list[str]) -> Form:
    form = next((form for form, mark in _SEPARATORS.items() if _most(lines, mark)), Form.BLANKS)
    if form is not Form.COMMAS:
        return form
    commas = [token for line in lines for token in line.split() if "," in token]
    if all(_GROUPED.fullmatch(token) for token in commas):
        if any(len(line.split()) > 1 for line in lines):
            return Form.BLANKS
        raise TableError(Problem.COMMA, form=form, value=commas[0])
    return form


def _number(rows: list[list[str]]) -> list[Line]:
    numbered: list[Line] = []
    for row in rows:
        while row and not row[-1]:
            row.pop()
        if row:
            cells = [re.sub(r"^'(\d[\d.,]*)'$", r"\1", cell) for cell in row]
            numbered.append(Line(len(numbered) + 1, cells))
    return numbered


def _delimited(text: str, separator: str) -> list[list[str]]:
    """Cut at a separator; a cell in double quotes may hold it, and line breaks."""
    cell = re.compile(rf' *"((?:[^"]|"")*+)" *(?=[{separator}\n]|$)|([^{separator}\n]*)')
    rows: list[list[str]] = [[]]
    place, left = 0, 2 * _MOST
    while left:
        left -= 1
        match = cell.match(text, place)
        assert match is not None  # noqa: S101 - the second alternative matches anywhere
        quoted, bare = match[1], match[2]
        content = bare.strip() if quoted is None else quoted.replace('""', '"').strip()
        rows[-1].append(QUOTED_EMPTY if quoted is not None and not content else content)
        place = match.end()
        if place >= len(text):
            break
        if text[place] == "\n":
            rows.append([])
        place += 1
    return rows


def _pipes(line: str) -> list[str]:
    cells = re.split(r"[|│┃║]", line.strip().strip("|│┃║"))
    return [re.sub(r"^(\*\*|__|`|\*)(.+)\1$", r"\2", cell.strip()) for cell in cells]


def _brackets(text: str) -> list[list[str]]:
    groups = [part for found in _GROUP.findall(text) for part in found.split(";")]
    return [
        [cell.strip(" '\"\n\t") for cell in (part.split(",") if "," in part else part.split())]
        for part in groups
        if part.strip()
    ]


def _latex(text: str) -> list[list[str]]:
    text = re.sub(r"(?<!\\)%.*", "", text)
    text = re.sub(r"\\(?:begin|end)\{[^}]*\}(?:\[[^\]]*\])?(?:\{[^}]*\})?", "", text)
    text = re.sub(r"\\(?:caption|label)\{[^}]*\}", "", text)
    text = re.sub(
        r"\\(?:hline|toprule|midrule|bottomrule|centering|c(?:mid)?rule?(?:\([^)]*\))?)\b", "", text
    )
    text = re.sub(r"\\(?:cline|cmidrule)(?:\([^)]*\))?\{[^}]*\}", "", text)
    text = re.sub(r"\\multicolumn\{\d+\}\{[^}]*\}", "", text).replace("{,}", ",")
    text = re.sub(
        r"\\(?:textbf|textit|emph|mathbf|text|num|multirow\{[^}]*\})\{([^{}]*)\}", r"\1", text
    )
    text = text.replace("\\&", "\0").replace("\\,", "\u2009").replace("$", "").replace("~", " ")
    rows = re.split(r"\\\\(?:\[[^\]]*\])?|\\tabularnewline", text)
    return [
        [
            re.sub(r"[{}]|\\(?=[%_#])", "", cell).replace("\0", "&").strip()
            for cell in row.split("&")
        ]
        for row in rows
        if row.strip()
    ]


class _Rows(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            if not self.rows:
                self.rows.append([])
            self.rows[-1].append("")
        self._open = tag in {"td", "th"} or (self._open and tag not in {"tr", "table"})

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th", "tr"}:
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open and self.rows and self.rows[-1]:
            self.rows[-1][-1] = " ".join((self.rows[-1][-1] + data).split())


def _html(text: str) -> list[list[str]]:
    parser = _Rows()
    parser.feed(text)
    parser.close()
    return parser.rows


def _tokens(line: str) -> list[str]:
    parts = re.findall(r'"((?:[^"]|"")*+)"(?=\s|$)|([^ \t]+)', line)
    plain = [bare.strip() or quoted.replace('""', '"') for quoted, bare in parts]
    quotes = [not bare for _, bare in parts]
    filled = [(cell, quoted) for cell, quoted in zip(plain, quotes, strict=True) if cell or quoted]
    return [
        QUOTED_EMPTY if quoted and not cell.strip() else cell.strip() for cell, quoted in filled
    ]


def _counts_at_end(tokens: list[str]) -> int:
    count = 0
    for token in reversed(tokens):
        if not (is_number(token) or is_suppressed(token)):
            break
        count += 1
    return count


def _blanks(lines: list[str]) -> list[list[str]]:
    """Cut at blanks; words before the counts of a line are one label."""
    rows = [_tokens(line) for line in lines]
    counts = [_counts_at_end(row) for row in rows]
    usual = Counter(count for count in counts if count)
    if not usual:
        return rows
    width = max(usual, key=lambda count: (usual[count], count))
    cells = Counter(
        width + 1 if is_word(row[0]) else len(row)
        for count, row in zip(counts, rows, strict=True)
        if count >= width and len(row) > count
    )
    total = max(cells, key=lambda size: (cells[size], size)) if cells else width
    merged = []
    for line, row, count in zip(lines, rows, counts, strict=True):
        if count >= width and len(row) > width + 1 == total and is_word(row[0]):
            merged.append([" ".join(row[:-width]), *row[-width:]])
        elif count == 0 and _has_columns(line, len(row), total):
            merged.append(re.split(r" {2,}", line.strip()))
        else:
            merged.append(row)
    return merged


def _has_columns(line: str, words: int, total: int) -> bool:
    """Return whether a header has labels of several words, two blanks apart."""
    apart = len(re.split(r" {2,}", line.strip()))
    if apart < 2 or apart == words:
        return False
    below_corner = line.startswith(" ") and apart == total - 1 != words
    return below_corner or (words not in {total, total - 1} and apart in {total, total - 1})
