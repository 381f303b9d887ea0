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


def N_(message: str) -> str:  # noqa: N802 - gettext's own name, which pybabel looks for
    """Mark a message for translators; it is translated where it is shown."""
    return message


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
        title=N_("Hair colour by eye colour of students"),
        source="Snee (1974), The American Statistician 28, 9-12; HairEyeColor in R, summed over sex",
        licence=N_(
            "Published counts, which are facts; R's datasets package is under GPL 2 or later"
        ),
        note=N_("592 statistics students at the University of Delaware."),
    ),
    Example(
        key="berkeley",
        title=N_("Berkeley graduate admissions 1973, department by sex and decision"),
        source="Bickel, Hammel and O'Connell (1975), Science 187, 398-403; UCBAdmissions in R",
        licence=N_(
            "Published counts, which are facts; R's datasets package is under GPL 2 or later"
        ),
        note=N_("The six largest departments; the usual example of Simpson's paradox."),
    ),
    Example(
        key="titanic",
        title=N_("Titanic, class and sex by age and survival"),
        source="Dawson (1995), Journal of Statistics Education 3; Titanic in R",
        licence=N_(
            "Published counts, which are facts; R's datasets package is under GPL 2 or later"
        ),
        note=N_("Sources disagree on the exact numbers. Eight of the 32 cells are empty."),
    ),
    Example(
        key="occupation",
        title=N_("Occupational status, father by son"),
        source="Goodman (1979), JASA 74, 537-552; occupationalStatus in R",
        licence=N_(
            "Published counts, which are facts; R's datasets package is under GPL 2 or later"
        ),
        note=N_("British males. Many cells are small: the noise hides them first."),
    ),
    Example(
        key="vision",
        title=N_("Unaided vision, right eye by left eye"),
        source="Stuart (1953), Biometrika 40, 105-110; VisualAcuity in R's package vcd, women",
        licence=N_("Published counts, which are facts; vcd is under GPL 2"),
        note=N_("7,477 women in Royal Ordnance factories, 1943-1946. Nearly symmetric."),
    ),
    Example(
        key="caithness",
        title=N_("Eye colour by hair colour in Caithness"),
        source="Fisher (1940), Annals of Eugenics 10, 422-429; caith in R's package MASS",
        licence=N_("Published counts, which are facts; MASS is under GPL 2 or GPL 3"),
        note=N_("5,387 Scottish school children."),
    ),
    Example(
        key="midtown",
        title=N_("Parents' socioeconomic status by mental health"),
        source=(
            "Srole and others (1978), Mental Health in the Metropolis, p. 289; Mental in R's "
            "package vcdExtra"
        ),
        licence=N_("Published counts, which are facts; vcdExtra is under GPL 2 or later"),
        note=N_("1,660 residents of Manhattan. Both margins are ordered."),
    ),
    Example(
        key="horse-kicks",
        title=N_("Deaths by horse kicks in a year of a Prussian army corps"),
        source="von Bortkiewicz (1898), Das Gesetz der kleinen Zahlen; HorseKicks in R's package vcd",
        licence=N_("Published counts, which are facts; vcd is under GPL 2"),
        note=N_("A histogram of one row. A record is one of 200 corps-years, not a person."),
    ),
)
"""The example tables, in the order of the menu."""
