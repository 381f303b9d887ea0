"""Rows of Laplace noise: trade-off function and privacy profile."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from laplace_loss import ReferenceLoss
from laplace_mu import Parts
from mpmath import mp, mpf
from numpy.random import Generator

from accuracy.samples import TINY, Row, Sample, log_uniform
from explorer.core import laplace, tradeoff

PARTS, LARGEST = 50, 700.0
ONE: tuple[Parts, ...] = ((1.0,),)
TWO: tuple[Parts, ...] = ((1.0, 1.0),)
EQUAL: tuple[Parts, ...] = ((1.0,) * 3, (1.0,) * 4)
UNEQUAL: tuple[Parts, ...] = (
    (2.0, 1.0),
    (1.0, 0.999),
    (1.0, 0.6, 0.2),
    (1.0, 1.0, 0.01),
    (3.0, 1.0, 1.0, 1.0),
)


def vectors(
    rng: Generator, count: int, differences: tuple[Parts, ...]
) -> Iterator[tuple[int, Parts]]:
    """Return shifts of total in [1e-9, 700], and how many points each gets."""
    number = max(3, count // PARTS)
    totals = np.concatenate([[LARGEST, 1e-9, 1.0], log_uniform(rng, 1e-9, LARGEST, number - 3)])
    for index, total in enumerate(totals):
        parts = np.array(differences[index % len(differences)])
        if differences == UNEQUAL and index >= len(differences):
            parts = log_uniform(rng, 0.01, 1, int(rng.integers(2, 5)))
        factor = np.nextafter(total / parts.sum(), 0)
        # A fifth more, for points that lie outside the range of the levels.
        yield -(-count * 6 // (5 * number)), tuple((parts * factor).tolist())


def tradeoff_samples(
    differences: tuple[Parts, ...], rng: Generator, count: int
) -> Iterator[Sample]:
    for points, shifts in vectors(rng, count, differences):
        reference = ReferenceLoss(tuple(map(mpf, shifts)))
        with mp.workdps(reference.digits):
            points_of_curve = [errors_at_a_knot(reference, rng) for _ in range(points // 2)]
            points_of_curve += [
                errors_between_knots(reference, rng) for _ in range(points - points // 2)
            ]
        usable = [pair for pair in points_of_curve if TINY <= pair[0] <= 1 - 1e-12]
        alpha = np.array([pair[0] for pair in usable])
        values = tradeoff.laplace(alpha, shifts)
        for (level, exact), value in zip(usable, values, strict=True):
            yield Sample((level, *shifts), value, exact)


def errors_at_a_knot(reference: ReferenceLoss, rng: Generator) -> tuple[float, mpf]:
    """Return the errors of a test that rejects at some of the draws with one loss."""
    knot = reference.knots[rng.integers(len(reference.knots))]
    above, here = reference.alpha(knot), reference.atom(knot)
    part = float(log_uniform(rng, 1e-12, 1, 1)[0])
    level = float(above + here * mpf(part))
    if reference.knots[-1] == knot and rng.random() < 0.2:
        level = TINY if here > TINY else level
    if reference.knots[0] == knot and rng.random() < 0.2:
        level = 1 - 1e-12 if here > 1e-12 else level
    if not above <= level <= above + here:
        return 0.0, mpf(1)
    return level, reference.beta(knot) + mp.exp(knot) * (above + here - level)


def errors_between_knots(reference: ReferenceLoss, rng: Generator) -> tuple[float, mpf]:
    """Return the errors of a test that rejects above a loss."""
    index = rng.integers(len(reference.knots) - 1)
    low, high = reference.knots[index], reference.knots[index + 1]
    loss = low + (high - low) * mpf(rng.uniform(0.001, 0.999))
    level = float(reference.alpha(loss))
    for _ in range(8):
        excess = reference.alpha(loss) - level
        if abs(excess) < mpf(10) ** -30 * min(level, 1 - level):
            return level, reference.beta(loss)
        loss += excess / reference.rate(loss)
        if not low < loss < high:
            break
    return 0.0, mpf(1)  # within rounding of a knot


def delta_samples(differences: tuple[Parts, ...], rng: Generator, count: int) -> Iterator[Sample]:
    for points, shifts in vectors(rng, count, differences):
        reference = ReferenceLoss(tuple(map(mpf, shifts)))
        total = float(reference.total)
        near_end = total * (1 - log_uniform(rng, 1e-9, 1, points // 2))
        epsilon = np.concatenate([[0.0], rng.uniform(0, total, points - points // 2), near_end])
        for e, value in zip(epsilon, laplace.delta(epsilon, shifts), strict=True):
            with mp.workdps(reference.digits):
                exact = reference.delta(mpf(e))
                slope = mp.exp(e) * reference.alpha(mpf(e))
                condition = slope * (e + reference.total) / exact if exact > 0 else mpf(1)
            yield Sample((e, *shifts), value, exact, condition)


TOTAL = "shifts of total in [1e-9, 700]"
DIFFERENCES = (
    ("one shift", ONE),
    ("two equal shifts", TWO),
    ("three or four equal shifts", EQUAL),
    ("two to four unequal shifts", UNEQUAL),
)
ROWS = (
    *(
        Row(
            "tradeoff.laplace",
            f"{name}, {TOTAL}, α in [1e-300, 1 - 1e-12]",
            "α, shifts",
            1e-11,
            partial(tradeoff_samples, differences),
        )
        for name, differences in DIFFERENCES
    ),
    *(
        Row(
            "laplace.delta",
            f"{name}, {TOTAL}, ε from 0 to the total",
            "ε, shifts",
            1e-11,
            partial(delta_samples, differences),
            "κ",
        )
        for name, differences in DIFFERENCES
    ),
)
