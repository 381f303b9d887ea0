"""How this process rounds: a probe of everything that computes, and the processor's features.

NumPy, OpenBLAS and the C library choose their routines by the features of the processor, and the
routines differ in the last bits of exponentials, logarithms and sums. There is no portable variant
of them to force. So results carry the probe, and only results with the same one are put together.
"""

import hashlib
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

SIZE = 4096  # of each sample: a routine that differs does so about once in a hundred values
ORDER = 24  # of matrices: too small for several threads


class Arithmetic(NamedTuple):
    """The roundings of a process.

    Attributes
    ----------
    probe : str
        Digest of the probe's results, 16 hexadecimal digits: equal where all roundings are.
    processor : str
        The groups of instructions that NumPy uses, for a person, for instance ``X86_V2 X86_V3``.
    """

    probe: str
    processor: str


@cache
def arithmetic() -> Arithmetic:
    """Return the arithmetic of this process, in about 10 ms."""
    digest = hashlib.sha256()
    for array in _results():
        digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    groups = np.show_config(mode="dicts").get("SIMD Extensions", {})
    used = [*groups.get("baseline", ()), *groups.get("found", ())]
    return Arithmetic(digest.hexdigest()[:16], " ".join(used))


def _results() -> list[NDArray[np.float64]]:
    """Return what a study's routines give for fixed arguments."""
    integers = np.random.PCG64(20261201).random_raw(SIZE)
    unit = (integers >> np.uint64(11)).astype(np.float64) * 2.0**-53  # exact, on any processor
    wide = unit * 60 - 30
    matrix = unit[: ORDER * ORDER].reshape(ORDER, ORDER)
    symmetric = matrix + matrix.T
    rng = np.random.Generator(np.random.PCG64(1))
    return [
        *(f(wide) for f in (np.exp, np.expm1, np.sin, np.cos, np.tanh, np.arctan)),
        *(f(unit + 2.0**-53) for f in (np.log, np.log1p, np.log2, np.sqrt, np.cbrt)),
        np.power(unit + 2.0**-53, wide),
        np.hypot(unit, wide),
        *(f(wide) for f in (special.ndtr, special.log_ndtr, special.erfcx)),
        special.ndtri(unit / 2 + 0.25),
        special.gammainc(unit * 50 + 0.5, unit[::-1] * 50),
        np.array([wide.sum(), wide.mean(), wide.std(), unit.prod(), wide @ unit]),
        wide[: ORDER * ORDER].reshape(ORDER, ORDER).sum(axis=0),
        matrix @ symmetric,
        matrix @ unit[:ORDER],
        np.einsum("ij,jk->ik", matrix, symmetric),
        linalg.eigvalsh(symmetric),
        linalg.solve(symmetric, unit[:ORDER]),
        np.abs(np.fft.fft(unit[:1000])),
        rng.standard_normal(SIZE),
        rng.laplace(size=SIZE),
        rng.standard_gamma(2.5, size=SIZE),
        rng.multinomial(10**6, np.full(16, 1 / 16), size=64).astype(np.float64),
    ]
