"""The statements of the paper, one after the other, on numbers.

Each function looks at one statement of Kim, Lee, Kwak and Jung, arXiv 2211.15019, and returns what
`notebooks/paper.ipynb` or `notebooks/tests.ipynb` shows and asserts. Where the statement is an inequality, both of its sides are
computed by different routes: enumeration of small cases, simulation, or a formula as the paper has it
against what `explorer.core` evaluates instead.
"""
