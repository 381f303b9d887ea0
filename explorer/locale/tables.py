"""Sentences about typed and example tables."""

from functools import cached_property

from explorer.locale.phrases import Phrases
from explorer.tables import Example, TableError


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
            "One line a row; tabs, commas, semicolons or blanks between the cells; a first row and a "
            "first column of labels are understood. Only public or made-up counts: everything here is "
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

    def used_table(self, rows: int, columns: int, n: int) -> str:
        """Return what was read from a typed table."""
        text = self._("Read: {rows} × {columns} cells, {records}.")
        return text.format(rows=rows, columns=columns, records=self.records(n))

    def table_problem(self, error: TableError) -> str:
        """Return what is wrong with a typed table, which cell, and what to do."""
        if error.kind == "totals" and error.column is None:
            template = self._(
                "The last row is called “{value}” and looks like totals. Remove it, or rename it if it "
                "is a category."
            )
        elif error.kind == "text" and not error.value:
            template = self._("Row {row}, column {column} is empty: write 0 if nobody is in it.")
        else:
            template = self._problems[error.kind]
        sentence = template.format(
            row=error.row,
            column=error.column,
            value=error.value,
            cells=error.got,
            most=error.expected,
        )
        return " ".join([sentence, self._("Your text is kept.")])

    @cached_property
    def _problems(self) -> dict[str, str]:
        return {
            "empty": self._("There is no table yet: type or paste the counts, one line a row."),
            "text": self._(
                "Row {row}, column {column} holds “{value}”, not a whole number: write the count in "
                "digits."
            ),
            "negative": self._(
                "Row {row}, column {column} holds “{value}”: a count cannot be negative. Write 0 or a "
                "count."
            ),
            "fraction": self._(
                "Row {row}, column {column} holds “{value}”: a count is whole. Take out the decimals or "
                "the thousands separator."
            ),
            "ragged": self._(
                "Row {row} has {cells} cells, the first row {most}. Give every row as many; write 0 for "
                "an empty cell."
            ),
            "one-cell": self._("One cell is not a table: type at least two counts."),
            "zero-total": self._("All counts are 0: at least one must be positive."),
            "too-large": self._(
                "Row {row}, column {column} holds “{value}”: a count can be at most {most}. Scale the "
                "table down."
            ),
            "too-many-cells": self._(
                "The table has more than {most} cells, more than the page can plot. Merge rows or "
                "columns."
            ),
            "totals": self._(
                "The last column is called “{value}” and looks like totals. Remove it, or rename it if "
                "it is a category."
            ),
            "not-finite": self._(
                "Row {row}, column {column} holds “{value}”: a count is a finite number. Write it in "
                "digits."
            ),
        }
