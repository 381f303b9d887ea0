"""Runs in every kernel before the app: IPython executes the start-up files of its profile.

The app's start publishes about a thousand messages at once. ZeroMQ drops what exceeds the 1,000
that may wait for a subscriber, and the page then waits for ever for a widget whose message is
gone (voila-dashboards/voila#534). With this option the kernel's publishing thread waits instead
(as in nteract/nteract#4188).
"""

import zmq
from IPython import get_ipython


def drop_nothing() -> None:
    """Let the kernel's publishing socket wait for slow subscribers."""
    thread = get_ipython().kernel.iopub_thread
    # A socket belongs to the thread that uses it.
    thread.schedule(lambda: thread.socket.setsockopt(zmq.XPUB_NODROP, 1))


if __name__ == "__main__":  # as IPython runs it
    drop_nothing()
