"""The hypothesis profile of `make mutants`: the same examples for every mutant, none of them shrunk."""

from hypothesis import Phase, settings

settings.register_profile(
    "mutants",
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
    database=None,
)
