"""Texts that people paste, each with its right reading or the right refusal."""

# ruff: noqa: ISC004 - long texts in lists
import pytest

from explorer.tables import Counts, Form, LeftOut, Problem, TableError, read

ROWS = ((40, 25), (31, 54))
N_S, YES_NO = ("N", "S"), ("yes", "no")
PLAIN, FULL = Counts(ROWS), Counts(ROWS, N_S, YES_NO)

READ = [
    ("\tja\tnein\tGesamt\nN\t40\t25\t65\nS\t31\t54\t85\nGesamt\t71\t79\t150", ("ja", "nein")),
    ("\tja\tnein\tx\nN\t40\t25\t65\nS\t31\t54\t85\ny\t71\t79\t150", ("ja", "nein")),
    ("\tz\tyes\tno\nq\t150\t71\t79\nN\t65\t40\t25\nS\t85\t31\t54", YES_NO),
    ("\tyes\tno\t合計\nN\t40\t25\t65\nS\t31\t54\t85", YES_NO),
    ("\tyes\tno\nN\t40\t25\nS\t31\t54\nsomme\t71\t79", YES_NO),
    ("40 25 65\n31 54 85\n71 79 150", None),
    ("\t40\t25\n\t31\t54", None),
    (",40,25,\n,31,54,\n,,,", None),
    ("region\t2001\t2002\nN\t40\t25\nS\t31\t54", ("2001", "2002")),
    ("region,01,02\nN,40,25\nS,31,54", ("01", "02")),
    ("\t2001\t2002\nN\t40\t25\nS\t31\t54", ("2001", "2002")),
    ("  yes no\nN  40 25\nS  31 54", YES_NO),  # R: table, matrix with names
    ("   vote\n    yes no\n  N  40 25\n  S  31 54", YES_NO),  # R: table
    ("      vote\nregion yes no\n     N  40 25\n     S  31 54", YES_NO),  # R: xtabs
    ("     [,1] [,2]\n[1,]   40   25\n[2,]   31   54", None),  # R: matrix
    ("     yes no\n[1,]  40 25\n[2,]  31 54", "columns"),
    ("  region yes no\n1      N  40 25\n2      S  31 54", YES_NO),  # R: data.frame
    ('"","yes","no"\n"N",40,25\n"S",31,54', YES_NO),  # R: write.csv
    ('"yes" "no"\n"N" 40 25\n"S" 31 54', YES_NO),  # R: write.table
    ("  region yes  no\n0      N  40  25\n1      S  31  54", YES_NO),  # pandas: DataFrame
    ("   yes  no\nN   40  25\nS   31  54", YES_NO),
    ("vote    yes  no  All\nregion              \nN        40  25   65\nS        31  54   85\n"
     "All      71  79  150", YES_NO),  # pandas: crosstab with margins
    (",region,yes,no\n0,N,40,25\n1,S,31,54", YES_NO),  # pandas: to_csv
    ("   yes  no\nN   40  25\nS   31  54\n\n[2 rows x 2 columns]", YES_NO),
    ("|   | yes | no |\n|---|----:|---:|\n| N | 40 | 25 |\n| S | 31 | 54 |", YES_NO),
    ("  | yes | no\n--|-----|---\nN | 40 | 25\nS | 31 | 54", YES_NO),
    ("| | yes | **no** |\n|:-|:-|:-|\n| **N** | 40 | 25 |\n| S | 31 | 54 |", YES_NO),
    ("+---+-----+----+\n|   | yes | no |\n+===+=====+====+\n| N | 40  | 25 |\n+---+-----+----+\n"
     "| S | 31  | 54 |\n+---+-----+----+", YES_NO),
    ("┌───┬────┬────┐\n│   │ yes│ no │\n├───┼────┼────┤\n│ N │ 40 │ 25 │\n│ S │ 31 │ 54 │", YES_NO),
    ("[[40, 25], [31, 54]]", None),
    ("[[40, 25],\n [31, 54]];", None),
    ("array([[40, 25],\n       [31, 54]])", None),
    ("np.array([[40, 25], [31, 54]], dtype=int64)", None),
    ("x = [[40, 25], [31, 54]]", None),
    ("[[40 25]\n [31 54]]", None),
    ("((40, 25), (31, 54))", None),
    ("{{40, 25}, {31, 54}}", None),
    ("[40 25; 31 54]", None),
    ("\\begin{tabular}{lrr}\n\\toprule\n & yes & no \\\\\n\\midrule\nN & 40 & 25 \\\\\n"
     "S & 31 & 54 \\\\\n\\bottomrule\n\\end{tabular}", YES_NO),
    ("& \\textbf{yes} & no \\\\ \\hline N & $40$ & 25 \\\\ S & 31 & 54 \\\\", YES_NO),
    ("<table><tr><th></th><th>yes</th><th>no</th></tr>\n<tr><td>N</td><td>40</td><td>25</td></tr>"
     "<tr><td>S</td><td>31</td><td>54</td></tr></table>", YES_NO),
    ("Votes by region, 2020\n\tyes\tno\nN\t40\t25\nS\t31\t54\nSource: survey, n = 150", YES_NO),
    ("Table 1: Votes in 2020\n  yes no\nN 40 25\nS 31 54\nSource: survey 2020", YES_NO),
    ("Votes\n,yes,no\nN,40,25\nS,31,54\n* weighted", YES_NO),
    ("\tyes\tno\nN\t40 (61%)\t25 (39%)\nS\t31 (36.5 %)\t54 (63,5%)", YES_NO),
    (" yes no\nN 40 (61%) 25 (39%)\nS 31 (36%) 54 (64%)", YES_NO),
    ("\u200b40\u200b\t２５\n３１\t54", None),
    ("\ufeff40，25\n31，54", None),
    ("40；25\n31；54", None),
    ("40\u300025\n31\u300054", None),
    ("40\u00a0\u00a025\n31\u00a0\u00a054", None),
    ('region,"yes\n",no\nN,40,25\nS,31,54', YES_NO),
    ('region\t"yes"\tno\r\nN\t"40"\t25\r\nS\t31\t54\r\n', YES_NO),
    ("\tyes\tno\t\t\nN\t40\t25\t\t\nS\t31\t54\t\t\n\t\t\t\t\n", YES_NO),
    ("region,vote,n\nN,yes,40\nN,no,25\nS,yes,31\nS,no,54", YES_NO),
    ("  region vote Freq\n1      N  yes   40\n2      S  yes   31\n3      N   no   25\n"
     "4      S   no   54", YES_NO),
    ("region\tvote\tn\nN\tyes\t40\n\tno\t25\nS\tyes\t31\n\tno\t54", YES_NO),
    ("region,year,n\nN,2001,40\nN,2002,25\nS,2001,31\nS,2002,54", ("2001", "2002")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "columns"), READ)
def test_what_people_paste_is_read(text, columns):
    counts = read(text).counts
    assert counts.rows == ROWS
    if columns == "columns":
        assert counts == Counts(ROWS, (), YES_NO)
    elif columns is None:
        assert counts == PLAIN
    else:
        assert counts == Counts(ROWS, N_S, columns)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("x,n\n007,3\n008,5", Counts(((3,), (5,)), ("007", "008"), ("n",))),
        ("year,n\n2001,40\n2002,25", Counts(((40,), (25,)), ("2001", "2002"), ("n",))),
        ("1,250\t2,500\n3,000\t4,000", Counts(((1250, 2500), (3000, 4000)))),
        ("1.234.567\t1.000\n3\t4", Counts(((1234567, 1000), (3, 4)))),
        ("12,34,567\t1\n3\t4", Counts(((1234567, 1), (3, 4)))),
        ("1,234 5,678", Counts(((1234, 5678),))),
        ("dark brown 1 2\nred 3 4", Counts(((1, 2), (3, 4)), ("dark brown", "red"))),
        ("\tmen\t\twomen\n\tyes\tno\tyes\tno\nN\t1\t2\t3\t4\nS\t5\t6\t7\t9",
         Counts(((1, 2, 3, 4), (5, 6, 7, 9)), N_S, ("men yes", "men no", "women yes", "women no"))),
        ("sex,dept,yes,no\nM,A,1,2\nM,B,3,4\nF,A,5,7",
         Counts(((1, 2), (3, 4), (5, 7)), ("M A", "M B", "F A"), YES_NO)),
        ("     gear\ncyl   3  4  5\n  4   1  8  2\n  6   2  4  1\n  8  12  0  2",
         Counts(((1, 8, 2), (2, 4, 1), (12, 0, 2)), ("4", "6", "8"), ("3", "4", "5"))),
        ("    dark hair  red\nN   1          2\nS   3          4", Counts(((1, 2), (3, 4)), N_S, ("dark hair", "red"))),
        ("1. 40 25\n2. 31 54\n3. 7 9", Counts(((40, 25), (31, 54), (7, 9)), ("1.", "2.", "3."))),
        ("yes,no\n'40','25'\n'31','54'", Counts(ROWS, (), YES_NO)),
        ("Pearson's Chi-squared test\n\n  yes no\nN 40 25\nS 31 54", FULL),
        ("[1] 40 25 31 54", Counts(((40, 25, 31, 54),))),
        ("\tyes\tno\nN\t40\t25\nTotal\t40\t25", Counts(((40, 25),), ("N",), YES_NO)),
        ("10 10\n10 10", Counts(((10, 10), (10, 10)))),
    ],
)  # fmt: skip
def test_other_tables_that_people_paste(text, counts):
    assert read(text).counts == counts


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0,125\t0,375\n0,250\t0,250", "proportions"),
        ("0.1 0.2\n0.3 0.4", "proportions"),
        ("0,125\t1,375\n2,250\t1,250", "fraction"),
        ("1.000\t2.000\n3.000\t4.000", "separator"),
        ("1,000\t2,000\n3,000\t4,000", "separator"),
        ("½\t2\n3\t4", "fraction"),
        ("10%\t20%\n30%\t40%", "percentage"),
        *((f"\tyes\tno\nN\t{cell}\t25\nS\t31\t54", "suppressed") for cell in ["<5", "≤5", "-", "–", "*", ".", "NA", "n/a"]),
        ("\tyes\tno\nN\t\t25\nS\t31\t54", "missing"),
        ("40 25 65", "totals"),
        ("a b\n1 2\n1 2", "totals"),
        ("\tyes\tno\nN\t40\t25\nx\t40\t25", "totals"),
        ("\tyes\tno\nN\t40\t25\nS\t0\t0\nx\t40\t25", "totals"),
        ("N\t40\t25\nS\t31\t54\nTotal\t71\t78", "totals"),
        ("x,n\n1,7\n2,8\n3,2", "labels"),
        ("class,1,2,3\nN,40,25,7\nS,31,54,9", "labels"),
        ("region,1850,1990\nN,40,25\nS,31,54", "labels"),
        ("1,234\n5,678", "comma"),
        ("a,b,n\n1,1,40\n1,2,25\n2,1,31\n2,2,54", "long"),
        ("N,yes,40\nN,yes,25\nS,no,54", "repeated-pair"),
        ("N,yes,40\nN,no,25\nS,yes,31", "missing-pair"),
        ("M,A,yes,1\nM,A,no,2\nF,A,yes,3", "three-way"),
        ("N,yes\nS,no", "no-counts"),
        ("matrix(c(40, 31, 25, 54), nrow = 2)", "code"),
        ('{"yes": [40, 31], "no": [25, 54]}', "code"),
        ('[{"yes": 40, "no": 25}]', "code"),
        ("1 2\n3 1.23E+05", "scientific"),
        ("$40 $25\n31 54", "text"),
        ("N\t40\t(61%)\nS\t31\t(36%)", "percentage"),
    ],
)  # fmt: skip
def test_what_can_be_meant_in_two_ways_is_asked_about(text, problem):
    with pytest.raises(TableError) as caught:
        read(text)
    assert caught.value.problem is Problem(problem)


def test_an_answer_is_accepted():
    assert read("!\n40 25 65").counts.rows == ((40, 25, 65),)
    assert read("!\na b\n1 2\n1 2").counts.rows == ((1, 2), (1, 2))
    assert read("!\nx,n\n1,7\n2,8\n3,2").counts.shape == (3, 2)


def test_a_reading_says_what_was_left_out():
    text = "Votes\n\tyes\tno\tall\nN\t40 (62%)\t25 (38%)\t65\nS\t31\t54\t85\nSource: us"
    reading = read(text)
    assert reading.form is Form.TABS
    assert set(reading.left_out) == {
        *(LeftOut.TITLE, LeftOut.NOTE, LeftOut.PERCENTAGES, LeftOut.TOTAL_COLUMN)
    }
    assert read("a,x,1\na,y,2\nb,x,3\nb,y,4").long
