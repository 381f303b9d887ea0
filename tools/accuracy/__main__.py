"""Measure the accuracy of every function and write docs/accuracy.md: ``make accuracy``."""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from accuracy import calibration, gaussian, laplace, shrinkage
from accuracy.samples import Measured, Row, measure
from accuracy.table import page

PAGE = Path(__file__).parents[2] / "docs" / "accuracy.md"
PARTS = (gaussian, laplace, calibration, shrinkage)


def measured(part: int, count: int) -> list[tuple[Row, Measured]]:
    """Measure the rows of one module, in one process since they share what is exact."""
    results = []
    for row in PARTS[part].ROWS:
        began = time.monotonic()
        result = measure(row, count)
        took = time.monotonic() - began
        sys.stderr.write(f"{result.worst:.1e} in {took:3.0f} s: {row.function}, {row.domain}\n")
        results.append((row, result))
    return results


def main() -> int:
    """Write the page; fail if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=10_000, help="of each row, at least")
    count = parser.parse_args().points
    with ProcessPoolExecutor() as pool:
        parts = list(pool.map(measured, range(len(PARTS)), [count] * len(PARTS)))
    pairs = [pair for part in parts for pair in part]
    PAGE.write_text(page(pairs), encoding="utf-8")
    return int(any(result.worst > row.target for row, result in pairs))


if __name__ == "__main__":
    sys.exit(main())
