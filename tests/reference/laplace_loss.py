"""The distribution of the privacy loss of Laplace noise by the textbook's alternating sum.

With ν the tilted distribution of `explorer.core.laplace._privacy_loss`, its Laplace transform is the product of
cosh(aλ) + sinh(aλ)/(2λ) over 2, which expands into one shifted polynomial for each vector of signs. The
sum cancels; so many digits are carried that 50 are left.
"""

from many_digits import DIGITS
from mpmath import mp, mpf


class ReferenceLoss:
    """The loss of some positive shifts; callers work with `digits` digits."""

    def __init__(self, shifts: tuple[mpf, ...]) -> None:
        lost = (len(shifts) + 1) * max(0.0, -float(mp.log10(min(shifts))))
        lost += 2 * len(shifts) * float(mp.log10(1 + sum(shifts)))
        self.digits = DIGITS + 20 + int(lost)
        with mp.workdps(self.digits):
            self.total = mp.fsum(shifts)
            self.terms = _terms(shifts)
            self.knots = sorted(self.terms)
            self.scale = mp.exp(-self.total / 2)
            self.weights = {knot: mp.exp(knot / 2) for knot in self.knots}
            self.falling, self.rising = self._integrals(-1), self._integrals(1)
            self.densities = {
                knot: [c / mp.factorial(k) for k, c in enumerate(self.terms[knot][1:])]
                for knot in self.knots
            }

    def _integrals(self, rate: int) -> dict[mpf, tuple[mpf, list[mpf]]]:
        """Integrate a polynomial times exp(rate · x / 2): a constant and a polynomial in x."""
        integrals = {}
        for knot in self.knots:
            atom, *coefficients = self.terms[knot]
            integral, last = [], mpf(0)
            for coefficient in reversed(coefficients):
                last = 2 * rate * (coefficient - last)
                integral.append(last)
            weight = self.weights[knot] if rate == 1 else 1 / self.weights[knot]
            polynomial = [c / mp.factorial(k) for k, c in enumerate(reversed(integral))]
            integrals[knot] = weight * (atom - last), polynomial
        return integrals

    def below(self, loss: mpf, rate: int) -> mpf:
        """Integrate exp(rate · l / 2) dν over l < loss."""
        constants, polynomials = mpf(0), mpf(0)
        for knot, (constant, polynomial) in (self.rising if rate == 1 else self.falling).items():
            if knot >= loss:
                break
            constants += constant
            polynomials += _horner(polynomial, loss - knot)
        return constants + mp.exp(rate * loss / 2) * polynomials

    def density(self, loss: mpf) -> mpf:
        """Return the density of ν."""
        begun = [knot for knot in self.knots if knot < loss]
        return mp.fsum(_horner(self.densities[knot], loss - knot) for knot in begun)

    def alpha(self, loss: mpf) -> mpf:
        """Probability of a larger loss under the shifted distribution."""
        return self.scale * self.below(-loss, 1)

    def beta(self, loss: mpf) -> mpf:
        """Probability of a smaller loss under the unshifted distribution."""
        return self.scale * self.below(loss, 1)

    def rate(self, loss: mpf) -> mpf:
        """Return the rate at which `alpha` falls."""
        return self.scale * mp.exp(-loss / 2) * self.density(loss)

    def atom(self, knot: mpf) -> mpf:
        """Probability of a loss at a knot under the shifted distribution."""
        return self.scale / self.weights[knot] * self.terms[knot][0]

    def delta(self, epsilon: mpf) -> mpf:
        """Return the privacy profile."""
        beyond = self.scale * self.below(-epsilon, -1)
        return beyond - mp.exp(epsilon) * self.alpha(epsilon)


def _terms(shifts: tuple[mpf, ...]) -> dict[mpf, list[mpf]]:
    """Return atom and coefficients of x^(k-1)/(k-1)! by the knot where they begin."""
    terms: dict[mpf, list[mpf]] = {mpf(0): [mpf(1)]}
    for shift in shifts:
        longer: dict[mpf, list[mpf]] = {}
        for knot, coefficients in terms.items():
            for sign in (1, -1):
                place = knot - sign * shift
                sums = longer.setdefault(place, [mpf(0)] * (len(coefficients) + 1))
                for k, coefficient in enumerate(coefficients):
                    sums[k] += coefficient / 2
                    sums[k + 1] += sign * coefficient / 4
        terms = longer
    return terms


def _horner(coefficients: list[mpf], x: mpf) -> mpf:
    value = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = value * x + coefficient
    return value
