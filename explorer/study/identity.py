"""The identity of a study: what all results in one folder have in common.

Grid and name may change from start to start. Kind, seed, replicates, versions and roundings may not:
results that differ in one of them do not belong together.
"""

import json
from dataclasses import dataclass, field, replace

from explorer.study.arithmetic import Arithmetic
from explorer.study.errors import StudyError
from explorer.study.setting import Setting
from explorer.study.spec import Study


@dataclass(frozen=True, slots=True)
class Identity:
    """What every file of a folder must agree with; the text is that of identity.json.

    Attributes
    ----------
    kind : str
        Name of the study kind.
    seed, replicates : int
        Those of the study.
    versions : tuple of (str, str)
        Of the packages that compute.
    probe, processor : str
        The `Arithmetic` of the processes that computed; "" before the first result, and in
        studies of a time when it was not recorded.
    """

    kind: str
    seed: int
    replicates: int
    versions: tuple[tuple[str, str], ...]
    probe: str = ""
    processor: str = field(default="", compare=False)

    @classmethod
    def of(cls, study: Study, setting: Setting) -> "Identity":
        """Return the identity of a study that starts in a setting."""
        return cls(study.kind.name, study.seed, study.replicates, tuple(sorted(setting.versions)))

    @classmethod
    def from_json(cls, text: str) -> "Identity":
        """Return the identity that a file holds.

        Raises
        ------
        ValueError
            If the text is no identity; the message continues a sentence on the file.
        """
        try:
            items = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError("is no JSON") from error
        if not isinstance(items, dict):
            raise ValueError("holds no identity of a study")  # noqa: TRY004 - one error for all
        kind, seed, replicates = (items.get(name) for name in ("kind", "seed", "replicates"))
        versions = items.get("versions")
        if not isinstance(kind, str):
            raise ValueError('must have "kind", a text')  # noqa: TRY004 - one error for all
        if type(seed) is not int or type(replicates) is not int:
            raise ValueError('must have "seed" and "replicates", whole numbers')
        if not isinstance(versions, dict) or not all(
            isinstance(number, str) for number in versions.values()
        ):
            raise ValueError('must have "versions", a text for each package')
        probe, processor = (items.get(name, "") for name in ("probe", "processor"))
        if not isinstance(probe, str) or not isinstance(processor, str):
            raise ValueError('must have texts for "probe" and "processor"')  # noqa: TRY004
        return cls(kind, seed, replicates, tuple(sorted(versions.items())), probe, processor)

    def to_json(self, indent: int | None = None) -> str:
        """Return the text of the file."""
        items: dict[str, object] = {
            "kind": self.kind,
            "seed": self.seed,
            "replicates": self.replicates,
            "versions": dict(self.versions),
        }
        if self.probe:
            items |= {"probe": self.probe, "processor": self.processor}
        return json.dumps(items, indent=indent)

    def with_arithmetic(self, arithmetic: Arithmetic) -> "Identity":
        """Return the identity of the study when its results round in this way."""
        return replace(self, probe=arithmetic.probe, processor=arithmetic.processor)

    def check_arithmetic(self, arithmetic: Arithmetic) -> None:
        """Raise `StudyError` if results with this arithmetic do not belong to the study."""
        if self.probe and arithmetic.probe != self.probe:
            raise StudyError(
                f"a worker with the processor features {arithmetic.processor} rounds otherwise than"
                f" the one that began this study, with {self.processor}, so that last bits would"
                " differ; use processors of one family, or choose another --out"
            )

    def check(self, other: "Identity", folder: str) -> None:
        """Raise `StudyError` if a study with another identity is to use the folder of this one."""
        for name, old, new in (
            ("kind", self.kind, other.kind),
            ("seed", self.seed, other.seed),
            ("replicates", self.replicates, other.replicates),
            ("versions", _listed(self.versions), _listed(other.versions)),
        ):
            if old != new:
                raise StudyError(
                    f"{folder!r} holds a study with {name} {old}, this one has {new};"
                    " choose another --out, since the results would not belong together"
                )


def _listed(versions: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} {number}" for name, number in versions)
