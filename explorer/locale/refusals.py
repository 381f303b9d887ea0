"""Why a value was refused: which control, what it may be, what was entered, what stays."""

from functools import cached_property
from math import isinf

from explorer import numerals
from explorer.core.parameter import Parameter
from explorer.locale.controls import ControlText
from explorer.scenario import errors

NearlyANumber = numerals.AmbiguousSeparator | numerals.Percentage | numerals.FractionForm


class RefusalText(ControlText):
    """Sentences of refused edits and links."""

    @cached_property
    def unknown_error(self) -> str:
        """What is said when a callback failed."""
        return self._(
            "Something went wrong, and nothing was changed. Undo or reset, then try again."
        )

    def refused_number(self, parameter: Parameter, high: float, got: str, stays: str) -> str:
        """Return why a number or a text was refused.

        Parameters
        ----------
        parameter : Parameter
            What it should have been.
        high : float
            The upper end that holds now.
        got, stays : str
            What was entered and the value that stays.
        """
        allowed = self.allowed(parameter, high)
        label = self.name(parameter.name)
        if not got:
            text = self._("{label} must be {allowed}; nothing was entered. It stays at {stays}.")
            return text.format(label=label, allowed=allowed, stays=stays)
        text = self._("{label} must be {allowed}; you entered “{got}”. It stays at {stays}.")
        return text.format(label=label, allowed=allowed, got=got, stays=stays)

    def refused_form(self, name: str, refusal: NearlyANumber, stays: str) -> str:
        """Return why a text that is nearly a number was refused, and what to type instead."""
        label, got, typed = self.name(name), refusal.text.strip()[:40], self.numbers.typed
        match refusal:
            case numerals.AmbiguousSeparator():
                text = self._(
                    "{label}: “{got}” may mean {one} or {other}. Type one of them without a "
                    "separator for thousands. It stays at {stays}."
                )
                one, other = typed(refusal.as_decimal), typed(refusal.as_thousands)
                return text.format(label=label, got=got, one=one, other=other, stays=stays)
            case numerals.Percentage():
                text = self._(
                    "{label} must be a whole number; “{got}” is a percentage. Type a number "
                    "without %. It stays at {stays}."
                )
                return text.format(label=label, got=got, stays=stays)
            case numerals.FractionForm():
                text = self._(
                    "{label}: “{got}” is a fraction. Type it as a decimal number, here {value}. It "
                    "stays at {stays}."
                )
                return text.format(label=label, got=got, value=typed(refusal.value), stays=stays)

    def allowed(self, parameter: Parameter, high: float) -> str:
        """Return an allowed range in words."""
        low, top = self._end(parameter.low), self._end(high)
        if parameter.low_open and isinf(high):
            return self._("a number above 0")
        if parameter.low_open:
            return self._("a number above 0 and at most {high}").format(high=top)
        if parameter.whole and isinf(high):
            return self._("a whole number of at least {low}").format(low=low)
        if parameter.whole:
            text = self._("a whole number between {low} and {high}")
            return text.format(low=low, high=top)
        if isinf(high):
            return self._("a number of at least {low}").format(low=low)
        return self._("a number between {low} and {high}").format(low=low, high=top)

    def _end(self, value: float) -> str:
        if isinf(value):
            return "∞"
        whole = float(value).is_integer() and abs(value) < 1e15
        return self.numbers.whole(value) if whole else self.numbers.typed(value)

    def refused_choice(self, label: str, allowed: str, got: str) -> str:
        """Return why a message of the browser is none of the choices of a control."""
        text = self._("{label} must be one of: {allowed}; “{got}” is not. Nothing was changed.")
        start = label[:1].upper() if label.isascii() else label[:1]
        return text.format(label=start + label[1:], allowed=allowed, got=got)

    def refused_place(self, label: str, got: str) -> str:
        """Return why a message of the browser is no place in a plot."""
        text = self._(
            "In “{label}” a place is two finite numbers; “{got}” is not. Nothing was changed."
        )
        return text.format(label=label, got=got)

    def scenario_refusal(self, error: errors.ScenarioError, got: str) -> str:
        """Return why fields do not go together; `got` is what was entered."""
        return self._of_table(error, got) or self._of_page(error) or self._of_link(error, got)

    def _of_table(self, error: errors.ScenarioError, got: str) -> str:
        whole = self.numbers.whole
        match error:
            case errors.StrengthError():
                text = self._(
                    "With this pattern and table size, signal strength w is between 0 and {most}; this "
                    "needs {got}. Choose a smaller w first."
                )
                return text.format(most=self.numbers.at_most(error.most), got=got)
            case errors.CellCountError():
                text = self._(
                    "Rows times columns must give 2 to {most} cells; this would be {cells}. The table "
                    "keeps its size."
                )
                return text.format(most=whole(error.most), cells=whole(error.cells))
            case errors.ShapeError():
                text = self._(
                    "The chosen table is {rows} × {columns}. To change its size, choose another pattern "
                    "first."
                )
                rows, columns = error.table_shape
                return text.format(rows=rows, columns=columns)
            case errors.OneRowPatternError():
                return self._(
                    "This pattern sets rows against columns and needs at least two of each. Choose "
                    "another pattern for a single row or column."
                )
            case errors.NoTypedTableError():
                return self._("There is no typed table yet; type or paste one first.")
        return ""

    def _of_page(self, error: errors.ScenarioError) -> str:
        whole = self.numbers.whole
        match error:
            case errors.TestSizeError():
                text = self._(
                    "Tests are shown for tables of up to {cells} cells and {most} records. Go back to "
                    "“costs” for a larger table, or make it smaller."
                )
                return text.format(cells=whole(error.most_cells), most=whole(error.most_records))
            case errors.OneRowTestError():
                return self._(
                    "Independence is of rows and columns and needs at least two of each. Test goodness "
                    "of fit instead, or enlarge the table."
                )
            case errors.AverageError():
                text = self._(
                    "Averages over tables are computed for n up to {most}. Turn “average” off for a "
                    "larger table, or lower n."
                )
                return text.format(most=whole(error.most))
        return ""

    def _of_link(self, error: errors.ScenarioError, got: str) -> str:
        label = self.name(error.name)
        match error:
            case errors.NotAChoiceError():
                return self.refused_choice(label, ", ".join(error.allowed), got)
            case errors.TypedTableInLinkError():
                return self._(
                    "A typed table is never put in a link; the pattern is a made-up one instead."
                )
            case errors.RepeatedPartError():
                text = self._("The link says “{label}” more than once; its default is used.")
                return text.format(label=label)
            case errors.TooManyPartsError():
                return self._("The link has too many parts; the page starts from its defaults.")
        text = self._("The link has a part “{name}” that this page does not know; it was left out.")
        return text.format(name=error.name)

    def link_problems(self, sentences: list[str]) -> str:
        """Return the notice over the page when parts of a link were not used."""
        head = self._("Not everything in the link could be used.")
        return " ".join([head, *sentences])
