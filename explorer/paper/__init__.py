"""The statements of the paper, one after the other, checked on numbers.

Each function examines one statement of Kim, Lee, Kwak and Jung, arXiv 2211.15019, and returns what
`notebooks/paper.ipynb` or `notebooks/tests.ipynb` shows and asserts. The two sides of a statement come
from different routes wherever possible: enumeration of small cases, simulation, or the formula as it
is printed against what `explorer.core` evaluates.

Sections 2 to 5 are in `privacy`, `tradeoff_functions`, `gaussian`, `rank_deficient`, `james_stein`,
`rank_deficient_james_stein`, `data_dependent_direction` and `average_costs`; `laplace` goes beyond the
paper. Section 6, tests of noisy tables, is in `level_and_power`, which reads finished studies, and in
`null_distribution`, `uniform_null`, `uneven_null` and `estimated_null`; `ten_cells` has their setting.
"""
