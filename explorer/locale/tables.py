"""Sentences about typed and example tables."""

from functools import cached_property

from explorer.locale.numbers import typed
from explorer.locale.phrases import Phrases
from explorer.tables import Example, Form, LeftOut, Problem, Reading, TableError


class TypedTableText(Phrases):
    """The box in which a table is typed, and where the examples come from."""

    @cached_property
    def typed_heading(self) -> str:
        """Heading of the box."""
        return self._("Type or paste a table of counts")

    @cached_property
    def typed_help(self) -> str:
        """What may be typed."""
        return self._(
            "One line a row, as spreadsheets, R and pandas write it; labels are understood and totals "
            "are left out. Only public or made-up counts: everything here is "
            "a preview, and the page shows the table as it is."
        )

    @cached_property
    def typed_example(self) -> str:
        """A table that shows the form."""
        return self._("\tyes\tno\nnorth\t40\t25\nsouth\t31\t54")

    @cached_property
    def use_table(self) -> str:
        """Label of the button that reads the table."""
        return self._("Use this table")

    @cached_property
    def source(self) -> str:
        """Label of the note on an example table."""
        return self._("source and licence")

    def example_title(self, example: Example) -> str:
        """Return the title of an example table."""
        return self._(example.title)

    def table_note(self, example: Example) -> str:
        """Return where an example table comes from."""
        return self._("{title}. {note} Source: {source}. {licence}.").format(
            title=self._(example.title),
            note=self._(example.note),
            source=example.source,
            licence=self._(example.licence),
        )

    def used_table(self, reading: Reading) -> str:
        """Return what was read from a typed table, and what was left out of it."""
        rows, columns = reading.counts.shape
        said = self._("Read: {rows} × {columns} cells, {records}.")
        sentences = [
            said.format(rows=rows, columns=columns, records=self.records(reading.counts.n))
        ]
        if reading.long:
            sentences.append(self._("Each line was read as a pair of categories and its count."))
        sentences += [self._left_out[part] for part in reading.left_out]
        return " ".join(sentences)

    @cached_property
    def _left_out(self) -> dict[LeftOut, str]:
        return {
            LeftOut.TOTAL_ROW: self._("The row of totals was left out."),
            LeftOut.TOTAL_COLUMN: self._("The column of totals was left out."),
            LeftOut.TITLE: self._("The lines above the table were left out."),
            LeftOut.NOTE: self._("The lines below the table were left out."),
            LeftOut.PERCENTAGES: self._("The percentages beside the counts were left out."),
            LeftOut.ROW_NUMBERS: self._("The row numbers were left out."),
        }

    @cached_property
    def _forms(self) -> dict[Form, str]:
        return {
            Form.TABS: self._("The cells were read as parted by tabs."),
            Form.SEMICOLONS: self._("The cells were read as parted by semicolons."),
            Form.COMMAS: self._("The cells were read as parted by commas."),
            Form.BLANKS: self._("The cells were read as parted by blanks."),
            Form.PIPES: self._("The text was read as a table with vertical bars, as in Markdown."),
            Form.BRACKETS: self._("The text was read as lists in brackets."),
            Form.LATEX: self._("The text was read as a LaTeX table."),
            Form.HTML: self._("The text was read as an HTML table."),
        }

    def table_problem(self, error: TableError) -> str:
        """Return what is wrong with a typed table, which cell, and what to do."""
        template = self._problems_of_tables(error) or self._problems_of_cells[error.problem]
        sentence = template.format(
            row=error.row,
            column=error.column,
            value=error.value,
            cells=error.got,
            most=error.expected,
            decimal=self.numbers.typed(error.as_decimal),
            thousands=typed(error.as_thousands),
        )
        sentences = [sentence, self._("Your text is kept.")]
        if error.problem is Problem.RAGGED and error.form is not None:
            sentences.insert(0, self._forms[error.form])
        return " ".join(sentences)

    def _problems_of_tables(self, error: TableError) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each problem
        match error.problem:
            case Problem.EMPTY:
                return self._("There is no table yet: type or paste the counts, one line a row.")
            case Problem.NO_COUNTS:
                return self._(
                    "The text has words and no counts. Count the records of each cell and paste "
                    "the table of counts."
                )
            case Problem.CODE:
                return self._(
                    "The text looks like a program or a list of named values. Print the table and "
                    "paste the print-out, or write [[40, 25], [31, 54]], one bracket a row."
                )
            case Problem.RAGGED:
                return self._(
                    "Row {row} has {cells} cells and most rows have {most}. Give every row as "
                    "many; put a label of several words in double quotes, and write 0 where "
                    "nobody is in a cell."
                )
            case Problem.ONE_CELL:
                return self._("One cell is not a table: type at least two counts.")
            case Problem.ZERO_TOTAL:
                return self._("All counts are 0: at least one must be positive.")
            case Problem.TOO_MANY_CELLS:
                return self._(
                    "The table has more than {most} cells, more than the page can plot. Merge "
                    "rows or columns."
                )
            case Problem.TOTALS if error.column is None:
                return self._(
                    "Row {row} may be a row of totals. If it is, delete it; if it is a category, "
                    "type a line with only ! above the table."
                )
            case Problem.TOTALS:
                return self._(
                    "Column {column} may be a column of totals. If it is, delete it; if it is a "
                    "category, type a line with only ! above the table."
                )
            case Problem.LABELS if error.column is None:
                return self._(
                    "The numbers of row {row} may be labels or counts. If they are labels, leave "
                    "the first cell of the row empty; if they are counts, type a line with only ! "
                    "above the table."
                )
            case Problem.LABELS:
                return self._(
                    "The numbers of column {column} may be labels or counts. If they are labels, "
                    "give the table a header whose first cell is empty; if they are counts, type "
                    "a line with only ! above the table."
                )
            case Problem.COMMA:
                return self._(
                    "“{value}” may be one count or several. For one, take out the commas; for "
                    "several, put blanks between them."
                )
            case Problem.LONG:
                return self._(
                    "The lines may be pairs of categories with a count, or rows of three counts. "
                    "For pairs, give the categories names with a letter; for rows, type a line "
                    "with only ! above the table."
                )
            case Problem.REPEATED_PAIR:
                return self._(
                    "The lines were read as pairs of categories with a count, and row {row} has "
                    "“{value}” a second time. Add the counts up in one line."
                )
            case Problem.MISSING_PAIR:
                return self._(
                    "The lines were read as pairs of categories with a count, and “{value}” has "
                    "no line. Add one; write 0 where nobody is in it."
                )
            case Problem.THREE_WAY:
                return self._(
                    "The lines were read as a count for {cells} categories each, and a table has "
                    "{most}. Join categories in one column, or add up over one."
                )
            case _:
                return ""

    @cached_property
    def _problems_of_cells(self) -> dict[Problem, str]:
        return {
            Problem.TEXT: self._(
                "Row {row}, column {column} holds “{value}”, not a whole number: write the count "
                "in digits."
            ),
            Problem.MISSING: self._(
                "Row {row}, column {column} is empty: write 0 if nobody is in it."
            ),
            Problem.SUPPRESSED: self._(
                "Row {row}, column {column} holds “{value}”, which stands for a count that is "
                "withheld or missing: write a count in its place, made up if need be."
            ),
            Problem.NEGATIVE: self._(
                "Row {row}, column {column} holds “{value}”: a count cannot be negative. Write 0 "
                "or a count."
            ),
            Problem.FRACTION: self._(
                "Row {row}, column {column} holds “{value}”: a count is a whole number. Write how "
                "many records the cell has."
            ),
            Problem.PROPORTIONS: self._(
                "Row {row}, column {column} holds “{value}”: the table holds proportions, not "
                "counts. Multiply them by the number of records and write whole numbers."
            ),
            Problem.PERCENTAGE: self._(
                "Row {row}, column {column} holds “{value}”, a percentage: write how many records "
                "the cell has."
            ),
            Problem.SEPARATOR: self._(
                "Row {row}, column {column} holds “{value}”, which may mean {decimal} or "
                "{thousands}: write {thousands} without a separator if that is the count."
            ),
            Problem.SCIENTIFIC: self._(
                "Row {row}, column {column} holds “{value}”, a rounded number: write the count in "
                "full."
            ),
            Problem.TOO_LARGE: self._(
                "Row {row}, column {column} holds “{value}”: a count can be at most {most}. Scale "
                "the table down."
            ),
            Problem.NOT_FINITE: self._(
                "Row {row}, column {column} holds “{value}”: a count is a finite number. Write it "
                "in digits."
            ),
        }
