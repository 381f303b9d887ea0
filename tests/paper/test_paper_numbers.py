"""What the notebook of the paper computes, by other routes."""

import math
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
import pytest

from explorer.core.mechanisms import JamesSteinMean, JamesSteinZero
from explorer.core.sensitivity import Table
from explorer.paper import (
    averaged,
    chosen_direction,
    gaussian,
    in_span,
    james_stein,
    laplace,
    privacy,
    rank_deficient,
)
from explorer.paper._discrete import events, fine_cuts, rounded_normals
from explorer.paper._result import MOST_ROWS, Shown, head
from explorer.paper._simulation import compare


@dataclass(frozen=True, eq=False, repr=False)
class Two(Shown):
    name: tuple[str, ...] = field(metadata=head("a < b"))
    value: np.ndarray = field(metadata=head("x"))
    note: float = field(metadata=head("note"))
    hidden: np.ndarray


def test_a_result_is_shown_as_text_and_as_a_table():
    result = Two(("one", "<two>"), np.array([-0.5, np.inf]), 3, np.zeros(9))
    assert str(result).splitlines() == ["note = 3", "a < b     x", "  one  −0.5", "<two>     ∞"]
    assert repr(result) == str(result)
    page = result._repr_html_()
    assert "<p>note = 3</p>" in page
    assert '<th scope="col">a &lt; b</th><th scope="col">x</th>' in page
    assert "<tr><td>&lt;two&gt;</td><td>∞</td></tr>" in page
    assert page.count("<tr>") == 3


def test_a_long_result_is_cut():
    result = Two(("a",) * 50, np.arange(50.0), 0, np.zeros(1))
    assert result.columns()["x"] == [*map(str, range(MOST_ROWS - 1)), "…"]


def test_events_are_all_and_different():
    chosen = events(5)
    assert chosen.shape == (32, 5)
    assert len(np.unique(chosen, axis=0)) == 32
    assert set(np.unique(chosen)) == {0, 1}


def test_rounded_laws_are_those_of_the_standard_library():
    cuts = np.array([-1.5, 0.25, 1.0, 3.0])
    for centre, law in zip((0.0, 1.0), rounded_normals(1.0, cuts), strict=True):
        below = [0.0, *map(NormalDist(centre).cdf, cuts), 1.0]
        assert law == pytest.approx(np.diff(below), rel=1e-13)


def test_rounding_finely_keeps_the_digits_of_both_tails():
    p, q = rounded_normals(1.0, fine_cuts(1.0))
    assert p.sum() == pytest.approx(1, rel=1e-14)
    np.testing.assert_allclose(q, p[::-1], rtol=1e-9)  # the cuts are symmetric about 1/2


def test_a_right_mean_passes_and_a_wrong_one_does_not():
    rng = np.random.default_rng(12)
    draws = rng.chisquare(10, 100_000)
    study = compare({"right": (10.0, draws), "one per cent more": (10.1, draws)})
    assert abs(study.deviation[0]) < study.limit < abs(study.deviation[1])
    assert study.limit == pytest.approx(-NormalDist().inv_cdf(1e-6 / 4), rel=1e-9)


@pytest.mark.parametrize("p", [4, 5, 12])
@pytest.mark.parametrize(
    ("kind", "shrink"),
    [
        (JamesSteinZero, james_stein.shrink_to_zero),
        (JamesSteinMean, james_stein.shrink_to_mean),
    ],
)
def test_shrinkage_as_the_paper_has_it_is_that_of_the_mechanisms(p, kind, shrink):
    releases = np.random.default_rng(13).normal(3, 4, (50, p))
    mechanism = kind(Table((p,)), 0.7)
    assert shrink(releases, mechanism.scale) == pytest.approx(mechanism.shrink(releases), rel=1e-12)


def test_shrinkage_in_the_span_of_the_first_coordinates_leaves_the_last():
    releases = np.random.default_rng(14).normal(3, 4, (50, 6))
    shrunk = rank_deficient_james_stein.shrink_in_span(releases, np.eye(6)[:, :5], 2.0)
    assert shrunk[:, 5] == pytest.approx(releases[:, 5])
    assert shrunk[:, :5] == pytest.approx(james_stein.shrink_to_mean(releases[:, :5], 2.0))


def test_a_rotated_basis_is_an_orthonormal_basis_of_the_span():
    table = Table((7,))
    basis = rank_deficient_james_stein.rotated_basis(table, np.random.default_rng(15))
    assert basis.T @ basis == pytest.approx(np.eye(6), abs=1e-13)
    assert basis @ basis.T == pytest.approx(table.project(np.eye(7)), abs=1e-13)


def test_costs_of_the_examples():
    # Proposition 4 with E[1/chi'^2_nu(tau)] = (1/2) int_0^1 t^(nu/2 - 2) exp(-tau (1 - t)/2) dt,
    # by mpmath at 30 digits:
    #
    #     E = lambda nu, tau: quad(lambda t: t**(nu/2 - 2) * exp(-tau*(1 - t)/2), [0, 1]) / 2
    #     s2 = 2 / mu**2
    #     zero = p*s2 - (p - 2)**2 * s2 * E(p, sum(x**2)/s2)
    #     mean = p*s2 - (p - 3)**2 * s2 * E(p - 1, sum((x - xbar)**2)/s2)
    costs = james_stein.examples()
    assert costs.ordinary == pytest.approx([1000 / 9, 500, 80, 1200, 8])
    assert costs.zero == pytest.approx(
        [59.435907681935504327, 455.78602972824117987, 66.384844615556511264,
         1015.0953789334713505, 7.9946666666666666667], rel=1e-12,
    )  # fmt: skip
    assert costs.mean == pytest.approx(
        [71.311845680864601055, 452.34448524234794878, 24, 980.34691124920109713,
         7.9919676080968590832], rel=1e-12,
    )  # fmt: skip


def test_sensitivity_space_of_three_cells():
    space = rank_deficient.sensitivity_space(p=3, n=2)
    assert space.pairs == 9 * 2 * 2
    assert len(space.differences) == 6
    assert (space.l1, space.rank) == (2, 2)


def test_the_attack_on_a_chosen_direction_by_its_two_scalars():
    # Along its own line the release is N(mu, 1), in units of sigma. The other line has the cosine
    # 1/2 with it, so along that the release is half of this plus sqrt(3)/2 times one coordinate X of
    # the shrunk part, which is multiplied by 1 - 6/(X^2 + a chi-squared of 7 degrees).
    mu, draws = 0.1, 400_000
    attacks = data_dependent_direction.attacks(mu=mu, draws=50_000)
    rng = np.random.default_rng(16)
    own, x = rng.normal(mu, 1, draws), rng.normal(size=draws)
    shrunk = (1 - 6 / (x**2 + rng.chisquare(7, draws))) * x
    errors = (np.abs(own / 2 + math.sqrt(3) / 2 * shrunk) > np.abs(own)).mean()
    margin = math.sqrt(math.log(4 / 1e-6) / 2 / 50_000) + math.sqrt(math.log(4 / 1e-6) / 2 / draws)
    assert attacks.alpha[1] == pytest.approx(errors, abs=margin)
    assert attacks.beta[1] == pytest.approx(errors, abs=margin)
    assert attacks.on_the_line == pytest.approx(1 - math.exp(-3) * (1 + 3 + 9 / 2 + 27 / 6))
    assert attacks.alpha[2] == 0
    assert attacks.beta[2] == pytest.approx(1 - attacks.on_the_line, abs=margin)


def test_crossings():
    # The roots of b(mu) = 1/mu and so on, with mpmath at 30 digits from the tangency system of
    # `explorer.core.laplace`; the last two from their closed forms.
    one, two = 3.36077737919163503, 3.68706065628079359
    result = laplace.crossings()
    assert result.mu[:3] == pytest.approx([one, two, two], rel=1e-11)
    assert result.mu_of(laplace.FEW) == pytest.approx(5.23988915750, rel=1e-11)
    assert result.mu_of(laplace.MANY) == pytest.approx(3.73821666072, rel=1e-11)
    from_l1, from_pure = result.mu_of(laplace.FROM_L1), result.mu_of(laplace.FROM_PURE)
    tail = [math.erfc(mu / 8**0.5) / 2 for mu in (from_l1, from_pure)]
    assert -math.log(2 * tail[0]) == pytest.approx(from_l1, rel=1e-11)
    assert math.log(1 / tail[1] - 1) / 2 == pytest.approx(from_pure, rel=1e-11)


def test_other_arguments_are_welcome():
    assert privacy.pure(epsilon=0.3, answers=3).loss.max() == pytest.approx(0.3)
    tried = privacy.every_test(mu=2.0)
    assert tried.tried == pytest.approx(tried.by_sorting, abs=1e-14)
    assert gaussian.norms(p=3, n=2).corners[2] == pytest.approx(math.sqrt(3) / 2)
    assert gaussian.isotropic(mu=0.2).at == pytest.approx(np.full(4, 0.2))
    covariances = gaussian.covariances(p=3, mu=2.0, count=20)
    assert covariances.exact == pytest.approx(np.full(20, 2.0))
    assert covariances.cost.min() == covariances.cost[0] == pytest.approx(1)
    assert rank_deficient_james_stein.bases([9, 1, 1, 1, 1, 1], mu=0.5).random.max() < 5 * 2 / 0.25


def test_average_costs_are_those_of_an_earlier_simulation():
    # 20,000 draws of the closed forms, rounded to the digits below; their error is under 0.3%.
    averages = average_costs.average_costs()
    found = {name: row for name, *row in zip(averages.name, averages.zero, averages.mean, averages.in_span, strict=True)}  # fmt: skip
    assert found["10 equal cells, n = 500; 0.1"] == pytest.approx([1904.0, 880.4, 840.1], rel=3e-3)
    assert found["100 equal cells, n = 1,000; 0.5"] == pytest.approx(
        [747.7, 454.6, 450.1], rel=3e-3
    )
    assert found["5 equal cells, n = 100; 0.1"] == pytest.approx([846.0, 636.5, 618.3], rel=3e-3)
