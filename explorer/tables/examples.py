"""Real public contingency tables, each with its source.

One line in `EXAMPLES` and one file `data/<key>.csv` add a table. The numbers were copied from
the data sets of R and its packages and compared with the totals their documentation states;
only the layout of the files is ours.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources

from explorer.tables.counts import Counts
from explorer.tables.typed import parse

_FACTS = "Published counts, which are facts"


@dataclass(frozen=True)
class Example:
    """A public table of counts.

    Attributes
    ----------
    key : str
        Short name, part of a shared link and of the file's name.
    title : str
        Rows by columns.
    source : str
        Where the counts were published, and the data set they were copied from.
    licence : str
        What was said of copying where they were found.
    note : str
        What a reader should know or look for.
    """

    key: str
    title: str
    source: str
    licence: str
    note: str

    @property
    def counts(self) -> Counts:
        """The table; its file is read once, at the first use."""
        return _read(self.key)


@cache
def _read(key: str) -> Counts:
    file = resources.files("explorer.tables") / "data" / f"{key}.csv"
    return parse(file.read_text(encoding="utf-8"))


EXAMPLES = (
    Example(
        key="hair-eye",
        title="Hair colour by eye colour of students",
        source="Snee (1974), The American Statistician 28, 9-12; HairEyeColor in R, summed over sex",
        licence=f"{_FACTS}; R's datasets package is under GPL 2 or later",
        note="592 statistics students at the University of Delaware.",
    ),
    Example(
        key="berkeley",
        title="Berkeley graduate admissions 1973, department by sex and decision",
        source="Bickel, Hammel and O'Connell (1975), Science 187, 398-403; UCBAdmissions in R",
        licence=f"{_FACTS}; R's datasets package is under GPL 2 or later",
        note="The six largest departments; the usual example of Simpson's paradox.",
    ),
    Example(
        key="titanic",
        title="Titanic, class and sex by age and survival",
        source="Dawson (1995), Journal of Statistics Education 3; Titanic in R",
        licence=f"{_FACTS}; R's datasets package is under GPL 2 or later",
        note="Sources disagree on the exact numbers. Eight of the 32 cells are empty.",
    ),
    Example(
        key="occupation",
        title="Occupational status, father by son",
        source="Goodman (1979), JASA 74, 537-552; occupationalStatus in R",
        licence=f"{_FACTS}; R's datasets package is under GPL 2 or later",
        note="British males. Many cells are small: the noise hides them first.",
    ),
    Example(
        key="vision",
        title="Unaided vision, right eye by left eye",
        source="Stuart (1953), Biometrika 40, 105-110; VisualAcuity in R's package vcd, women",
        licence=f"{_FACTS}; vcd is under GPL 2",
        note="7,477 women in Royal Ordnance factories, 1943-1946. Nearly symmetric.",
    ),
    Example(
        key="caithness",
        title="Eye colour by hair colour in Caithness",
        source="Fisher (1940), Annals of Eugenics 10, 422-429; caith in R's package MASS",
        licence=f"{_FACTS}; MASS is under GPL 2 or GPL 3",
        note="5,387 Scottish school children.",
    ),
    Example(
        key="midtown",
        title="Parents' socioeconomic status by mental health",
        source=(
            "Srole and others (1978), Mental Health in the Metropolis, p. 289; Mental in R's "
            "package vcdExtra"
        ),
        licence=f"{_FACTS}; vcdExtra is under GPL 2 or later",
        note="1,660 residents of Manhattan. Both margins are ordered.",
    ),
    Example(
        key="horse-kicks",
        title="Deaths by horse kicks in a year of a Prussian army corps",
        source="von Bortkiewicz (1898), Das Gesetz der kleinen Zahlen; HorseKicks in R's package vcd",
        licence=f"{_FACTS}; vcd is under GPL 2",
        note="A histogram of one row. A record is one of 200 corps-years, not a person.",
    ),
)
"""The example tables, in the order of the menu."""
