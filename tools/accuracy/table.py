"""The page that is written."""

from collections.abc import Sequence

from accuracy.samples import SEED, Measured, Row

HEAD = f"""\
# What each number is worth

`make accuracy` remakes this page: it compares every function of `explorer.core` below with mpmath at 50 digits, and fails
if a target is missed. The tests repeat every row with fewer points.

**Relative error** is |value − truth| / |truth|, and the truth is that of the float64 arguments, taken as exact numbers: what was
lost before, when a decimal became a float, is not the function's error. Where the truth is below 1e-300, close to the end of
float64, the value must be at most 1e-300 too and counts as right. Two marks need a word more.

- *log*: an error of a logarithm is absolute where the logarithm is below 1, as a relative error of the number itself would be.
- *κ*: the error is divided by the condition number where that is above 1. It says how much larger a relative change of the
  result is than one of the arguments: ε(δ, μ) near δ = δ(0), 1 − δ − e^ε α near 0, and the profile of Laplace noise near the sum of
  its shifts, where it vanishes. There the last bit of an argument decides about more than the last bit of the result.

**Points.** At least 10 000 for each row, from a fixed seed ({SEED}): the corners of the range, and the places where the program
changes its formula; the others log-uniform in the range, or in the part of it where the result is neither 0 nor 1. Probabilities
are dense at both ends. Points of Laplace curves are chosen by the slope, half of them on the straight pieces.

**Truth** comes by another route than the package takes, with as many more digits as the route loses.

| | the package | the truth here |
|---|---|---|
| δ of μ-GDP | Mills' ratio, or an integral of a positive function | the textbook difference |
| ε and μ of (ε, δ), μ of pure privacy | bracketed root search in float64 | Newton's method at 60 digits |
| G_μ and power | Φ and its inverse of scipy | Newton's method for the inverse at 60 digits |
| Laplace noise | convolutions of positive polynomials by Bernstein coefficients; closed forms for one shift and two equal ones | the alternating sum over all vectors of signs, with up to 150 digits |
| Laplace scale and exact μ | maximum over the losses | both errors equal those of G_μ: Newton's method in two unknowns, after a look at all of the curve |
| E[1/χ′²] and the plain risk | a continued fraction | a double exponential rule for ½∫exp(−zs − x(1 − e⁻ˢ))ds, z = ν/2 − 1, x = τ/2, good to 1e-25; its nodes, 531 at most, do not depend on τ |
| positive part | Stein's identity, rearranged to a short series | the definition: below ‖X‖² = (ν − 2)σ² the plain factor is negative and costs more, which is averaged over the Poisson mixture. Some 10√ν terms are above 1e-40, whatever τ is; where the Poisson distribution does not reach them, by Chernoff's bound, there is nothing to add |
| everything else | float64 | its closed form |

| function | range | points | worst relative error | reached at | target | |
|---|---|---|---|---|---|---|
"""


def page(pairs: Sequence[tuple[Row, Measured]]) -> str:
    """Return the page with one line for each row."""
    return HEAD + "".join(
        f"| {title(row)} | {result.points} | {result.worst:.1e} | {where(row, result)} "
        f"| {row.target:.0e} | {'met' if result.worst <= row.target else 'missed'} |\n"
        for row, result in pairs
    )


def title(row: Row) -> str:
    """Return the first two cells, which name the row."""
    return f"`{row.function}`{f' ({row.mark})' if row.mark else ''} | {row.domain}"


def where(row: Row, result: Measured) -> str:
    """Return the arguments of the worst point, so many of them as the row names."""
    shown = [f"{float(argument):.6g}" for argument in result.where[:5]]
    return f"{row.arguments} = {', '.join(shown)}{', …' if len(result.where) > 5 else ''}"
