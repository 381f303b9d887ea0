"""The text behind the question mark."""

from explorer.locale.phrases import Phrases


class HelpText(Phrases):
    """What the page shows, how to read it, the formulas and their source."""

    def help(self) -> str:
        """Return the help as HTML."""
        parts = [
            self._("<h2>What is this?</h2>"),
            self._(
                "<p>A table of counts is released with random noise, so that it is hard to tell whether one "
                "person's record is in it. <b>Gaussian differential privacy</b> says how hard: an attacker "
                "learns at most as much as from telling apart two normal curves whose centres lie <b>μ</b> "
                "standard deviations apart. Small μ is more privacy, large μ more accuracy.</p>"
            ),
            "<ul>",
            self._(
                "<li><b>What the attacker sees</b>: the two curves. Pull the line: the attacker accuses to "
                "its right.</li>"
            ),
            self._(
                "<li><b>What the attacker can achieve</b>: for each share of innocent people accused (α), the"
                " least share of targets missed (β). Lower curves are weaker privacy.</li>"
            ),
            self._(
                "<li><b>What the noise costs</b>: the expected total squared error of the released table for "
                "every mechanism at the same μ, given the expected table; <i>average</i> takes the mean over "
                "all tables of n records with the same probabilities.</li>"
            ),
            self._(
                "<li><b>What the table looks like</b>: the expected table beside one simulated noisy "
                "table.</li>"
            ),
            self._(
                "<li><b>What a test can see</b>: how often a chi-squared test on the noisy table rejects that"
                " the table is uniform, against the signal strength, or that rows and columns are "
                "independent. The noise is in its null distribution; n is taken as public.</li>"
            ),
            self._(
                "<li><b>What one test says</b>: one simulated table, released and tested; the shaded share of"
                " the samples under the null hypothesis is the p-value, (1 + shaded)/(1 + samples).</li>"
            ),
            "</ul>",
            self._(
                "<p>Every number says what it is: <b>exact</b> (a formula or an integral, good to at least "
                "nine digits), a <b>bound</b> (no attacker does better), <b>approximate</b> (the power of a "
                "test, with the table taken for normal), or <b>simulated</b>. Simulated tables come from an "
                "ordinary random number generator and must never be released. The ± of a cell is for the "
                "noise alone, the ± of a power or a p-value for the simulation.</p>"
            ),
            self._(
                "<p>James–Stein shrinkage is private because it uses the release alone. Its target, and the "
                "direction that rank-deficient James–Stein leaves alone, must be public: chosen from the "
                "table itself they have no known privacy level.</p>"
            ),
            self._("<details><summary>Formulas</summary>"),
            self._(
                "<p>p cells, n records, θ = nπ the expected table, Δ₂ the sensitivity, σ = Δ₂/μ.</p>"
            ),
            "<ul>",
            self._(
                "<li>Trade-off: G<sub>μ</sub>(α) = Φ(Φ⁻¹(1 − α) − μ); advantage 2Φ(μ/2) − 1.</li>"
            ),
            self._("<li>δ(ε) = Φ(μ/2 − ε/μ) − e<sup>ε</sup> Φ(−μ/2 − ε/μ).</li>"),
            self._(
                "<li>Gaussian noise costs pσ², rank-deficient noise dσ², where d is the rank of what one "
                "person can change: p − 1 when one record changes, since the total stays.</li>"
            ),
            self._(
                "<li>James–Stein in m dimensions costs mσ² − (m − 2)²σ² E[1/χ′²<sub>m</sub>(τ)], with τ the "
                "squared distance of θ from the point it shrinks to, over σ²; what is left alone, as the mean"
                " of the cells, adds σ² a dimension. The positive part, which is on, costs a little "
                "less.</li>"
            ),
            self._(
                "<li>Laplace noise costs 2pb², with the least b that is μ-GDP for two cells that change at "
                "once.</li>"
            ),
            self._(
                "<li>Test statistic: T = Σ(M − nπ₀)²/(nπ₀ + σ²) for <i>ridge</i>, without σ² for "
                "<i>Pearson</i>, and with the inverse covariance of the noisy table for <i>projected</i>. For"
                " goodness of fit each keeps its level; in the bootstrap tests of homogeneity and "
                "independence plain Pearson rejects far too rarely where the noise is strong, ridge does "
                "not.</li>"
            ),
            self._(
                "<li>Signal strength: w = √(p Σ(π − 1/p)²), Cohen’s w against the uniform table; τ = "
                "n²w²/(pσ²).</li>"
            ),
            "</ul></details>",
            self._(
                "<p>Source: Kim, Lee, Kwak and Jung, Differentially Private Multivariate Statistics with an "
                "Application to Contingency Table Analysis, arXiv 2211.15019.</p>"
            ),
        ]
        return "\n".join(parts)
