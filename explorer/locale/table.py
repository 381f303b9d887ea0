"""Sentences of the table and its simulated copy."""

from explorer.locale.numbers import MINUS
from explorer.locale.phrases import Phrases


class TableText(Phrases):
    """What the table looks like."""

    def table_before(self, real: bool, n: int) -> str:
        """Return the heading of the left table."""
        text = self._("the table, {records}") if real else self._("expected table, {records}")
        return text.format(records=self.records(n))

    def table_noisy(self) -> str:
        """Return the heading of the noisy table."""
        return self._("one noisy table · simulated")

    def cell(self, value: float) -> str:
        """Return the number in a cell: one decimal, none of a count and from 100 on."""
        if abs(value - round(value)) < 1e-9 or abs(value) >= 100:
            return self.numbers.whole(value) if round(value) else "0"
        text = f"{value:.1f}".replace("-0.0", "0.0")
        return text.replace("-", MINUS).replace(".", self.numbers.decimal)

    def cell_hover(self, row: int, column: int, value: float) -> str:
        """Return the hover text of a cell."""
        text = self._("row {row}, column {column}: {value}")
        return text.format(row=row, column=column, value=self.numbers.short(value, 6))

    def cell_error(self, half_width: float | None, root_mean_square: float, level: float) -> str:
        """Return the error of a cell."""
        if half_width is not None:
            text = self._("cell ± {half} at {level} · exact")
            percent = self.numbers.chosen_percent(level)
            return text.format(half=self.numbers.short(half_width), level=percent)
        text = self._("typical cell error {error} · exact")
        return text.format(error=self.numbers.short(root_mean_square))

    def total(self, kept: bool, noisy: float, n: int) -> str:
        """Return what became of the total."""
        if kept:
            return self._("total kept exactly: {n}").format(n=self.numbers.whole(n))
        text = self._("total {total} instead of {n}")
        return text.format(total=self.numbers.short(noisy, 5), n=self.numbers.whole(n))

    def table_looks(
        self, largest: float, smallest: float, deviation: float, label: str, *, real: bool
    ) -> str:
        """Return the sentence under the tables."""
        short = self.numbers.short
        if largest - smallest < 1e-9 * largest:
            text = (
                self._(
                    "Every cell holds {count} records; {label} noise has a standard deviation of "
                    "{deviation} in each."
                )
                if real
                else self._(
                    "Every cell expects {count} records; {label} noise has a standard deviation of "
                    "{deviation} in each."
                )
            )
            return text.format(count=short(largest), label=label, deviation=short(deviation))
        text = (
            self._(
                "The fullest cell holds {largest} records, the emptiest {smallest}: a difference of "
                "{times} standard deviations of the noise in one cell."
            )
            if real
            else self._(
                "The fullest cell expects {largest} records, the emptiest {smallest}: a difference of "
                "{times} standard deviations of the noise in one cell."
            )
        )
        times = (largest - smallest) / deviation
        return text.format(largest=short(largest), smallest=short(smallest), times=short(times))
