"""The closing remark of section 4: an unshrunk direction that is computed from the table itself."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from scipy.special import gammainc, ndtri

from explorer.core.mechanisms import RankDeficientJamesStein
from explorer.core.sensitivity import Table
from explorer.paper._result import Array, Result, heading
from explorer.paper._simulation import FALSE_ALARM

P: Final = 10
SAME_LINE: Final = 1e-9  # 1 - cosine below which a release counts as on a line


@dataclass(frozen=True, eq=False, repr=False)
class Attacks(Result):
    """Error rates of an attacker who knows all records but one.

    Attributes
    ----------
    name : tuple of str
        Origin of the direction, and the attacker's test.
    alpha, beta : ndarray of shape (m,)
        Shares of wrong decisions under either table.
    proved : ndarray of shape (m,)
        Lower bound on the μ of the release; it is wrong once in 10⁶ simulations like this one.
    calibrated : ndarray of shape (m,)
        μ to which the noise is calibrated.
    on_the_line : float
        Probability that the positive part of the factor is 0 when the shrunk part is only noise.
    """

    name: tuple[str, ...] = field(metadata=heading("direction; attack"))
    alpha: Array = field(metadata=heading("type I errors"))
    beta: Array = field(metadata=heading("type II errors"))
    proved: Array = field(metadata=heading("μ is at least"))
    calibrated: Array = field(metadata=heading("μ of the noise"))
    on_the_line: float = field(metadata=heading("P(χ² ≤ 6), 8 degrees of freedom"))


PUBLIC = "public; which line is nearer"
CHOSEN = "along the table; which line is nearer"
EXACT = "along the table, positive part; is it on the other line"


def attacks(mu: float = 0.1, samples: int = 50_000) -> Attacks:
    """Attack M_rJS with a public direction and with a direction computed from the table.

    Ten cells hold two records each, but for the first, which has three, and the second, which has
    one. In the other data set one person has moved from the third cell to the second. The unshrunk
    direction is the table's departure from the uniform table, or Helmert's.

    Parameters
    ----------
    mu : float
        GDP parameter, to which the noise is calibrated.
    samples : int
        Releases of each table.
    """
    rng = np.random.default_rng(10)
    tables = np.full((2, P), 2.0)
    tables[:, 0] += 1
    tables[[0, 1], [1, 2]] -= 1
    table = Table((P,))
    lines = table.project(tables)
    lines /= np.linalg.norm(lines, axis=1, keepdims=True)
    rows = []
    for data_dependent, positive in ((False, False), (True, False), (True, True)):
        shares = []
        for theta, own in zip(tables, lines, strict=True):
            direction = own if data_dependent else None
            mechanism = RankDeficientJamesStein(table, mu, positive, direction)
            release = table.project(mechanism.simulate(theta, rng, samples))
            along = np.abs(release @ lines.T) / np.linalg.norm(release, axis=1, keepdims=True)
            on_other = 1 - along[:, 1] < SAME_LINE if positive else along[:, 1] > along[:, 0]
            shares.append(on_other.mean())
        rows.append((shares[0], 1 - shares[1]))
    alpha, beta = np.array(rows).T
    # Hoeffding's bound for all six shares at once.
    margin = (np.log(len(rows) * 2 / FALSE_ALARM) / (2 * samples)) ** 0.5
    upper = np.minimum(np.array([alpha, beta]) + margin, 1.0)
    proved = np.maximum(-ndtri(upper).sum(axis=0), 0.0)
    # The factor is 0 if a chi-squared variable is below its degrees of freedom minus two.
    freedom = table.rank - 1
    on_the_line = float(gammainc(freedom / 2, (freedom - 2) / 2))
    names = (PUBLIC, CHOSEN, EXACT)
    return Attacks(names, alpha, beta, proved, np.full(len(rows), mu), on_the_line)
