"""How a process of the study's own behaves; it must not import NumPy, see `prepare`."""

import multiprocessing
import os
import signal
import threading

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def prepare() -> None:
    """Make a fresh process a worker.

    The threads of linear algebra are limited to one before NumPy is loaded: with more, sums are
    split differently and their last bits change with the number of cores. Ctrl-C is left to the
    parent. If the parent is killed the worker ends too; it would wait for work forever.
    """
    os.environ.update(dict.fromkeys(THREADS, "1"))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
