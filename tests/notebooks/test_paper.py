"""The paper, reproduced: its statements, in its order."""

from pathlib import Path

import nbformat
import pytest

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "paper.ipynb"
STATEMENTS = [
    "Pure privacy", "Approximate privacy", "difficulty of a test", "trade-off functions", "(ε, δ)", "G of μ",
    "one pair (ε, δ)", "Δ₂/σ-GDP", "ε-DP for no ε", "sensitivity of a mean", "Lemma 1", "Theorem 2", "rank-deficient",
    "Theorem 3", "too small a space", "best normal noise", "as private as", "Proposition 4", "Theorem 5", "every table",
    "table is random", "one direction", "What M_rJS costs", "The basis", "chosen from the table",
    "least Laplace", "calibrate Laplace", "low privacy",
]  # fmt: skip


@pytest.fixture(scope="module")
def claims(claims_of):
    return claims_of(nbformat.read(NOTEBOOK, as_version=4))


def test_the_statements_come_in_the_order_of_the_paper(claims):
    heads = [head for heads, _ in claims for head in heads]
    assert len(heads) == len(claims) == len(STATEMENTS)
    for head, statement in zip(heads, STATEMENTS, strict=True):
        assert statement in head
