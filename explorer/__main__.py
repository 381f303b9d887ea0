"""Start the app or a study: ``python -m explorer``, and the command ``gdp-explorer``."""

import sys

INTERRUPTED = 130  # as a shell counts an end by Ctrl-C


def main() -> int:
    """Return the exit code of the command; Ctrl-C during its imports ends it in silence."""
    try:
        from explorer.serving import command  # noqa: PLC0415 - takes half a second

        return command.main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
