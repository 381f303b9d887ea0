"""Words of the page around the plots: title, header, panels, notices."""

from functools import cached_property

from explorer.locale.phrases import Phrases


class PageText(Phrases):
    """Header, headings of the panels, presets and notices."""

    @cached_property
    def title(self) -> str:
        """Name of the program."""
        return "GDP Explorer"

    @cached_property
    def subtitle(self) -> str:
        """What the program is about."""
        return self._("Gaussian differential privacy of tables")

    @cached_property
    def panels(self) -> dict[str, str]:
        """Headings of the panels by name."""
        return {
            "densities": self._("What the attacker sees"),
            "tradeoff": self._("What the attacker can achieve"),
            "cost": self._("What the noise costs"),
            "table": self._("What the table looks like"),
            "power": self._("What a test can see"),
            "p_value": self._("What one test says"),
            "readouts": self._("Read-outs"),
        }

    def panel(self, name: str) -> str:
        """Return the heading of a panel; a panel without a heading is called by its name."""
        return self.panels.get(name, name)

    @cached_property
    def header(self) -> dict[str, str]:
        """Labels of the header's buttons and lists."""
        return {
            "undo": self._("Undo"),
            "redo": self._("Redo"),
            "reset": self._("Reset"),
            "preset": self._("Preset"),
            "table": self._("Table"),
            "copy": self._("Copy link"),
            "theme": self._("Light or dark"),
            "help": self._("What is this?"),
        }

    @cached_property
    def no_preset(self) -> str:
        """First entry of the list of presets."""
        return self._("Preset …")

    @cached_property
    def no_table(self) -> str:
        """First entry of the list of tables."""
        return self._("Table: hypothetical")

    @cached_property
    def type_table(self) -> str:
        """Last entry of the list of tables."""
        return self._("Type or paste a table …")

    @cached_property
    def presets(self) -> dict[str, str]:
        """Names of the presets."""
        return {
            "first": self._("First screen"),
            "survey": self._("A survey: 2 × 3, 1 000 records"),
            "sparse": self._("A sparse table: 12 × 12, 300 records"),
            "shrink": self._("Nearly uniform: shrinkage pays"),
            "test": self._("A test on a noisy table"),
            "laplace": self._("Weak privacy: Laplace wins"),
            "strict": self._("Strong privacy: μ = 0.1"),
        }

    @cached_property
    def browser(self) -> dict[str, str]:
        """Sentences that the browser says."""
        return {
            "copied": self._("The link is copied. It holds the settings, never a typed table."),
            "not_copied": self._(
                "The browser did not allow copying; the address bar holds the link."
            ),
        }

    @cached_property
    def close(self) -> str:
        """Label of the button that closes a box."""
        return self._("Close")

    @cached_property
    def cost_head(self) -> str:
        """Heading of the costs beside the mechanisms."""
        return self._("cost, of Gaussian · exact")

    @cached_property
    def average_head(self) -> str:
        """The same for averages."""
        return self._("average, of Gaussian · exact")

    @cached_property
    def more_privacy(self) -> str:
        """Left end of the μ slider."""
        return self._("more privacy")

    @cached_property
    def more_accuracy(self) -> str:
        """Right end of the μ slider."""
        return self._("more accuracy")

    @cached_property
    def public_only(self) -> str:
        """Warning about the target and the direction of the shrinkage."""
        return self._(
            "Shrink only to a target, and leave alone only a direction, that is public. One chosen from "
            "the table itself has no known privacy level: μ no longer holds."
        )
