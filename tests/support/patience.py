"""How long a test waits for anything before it fails."""

SECONDS = 50
"""Less than the minute after which the server ends a kernel that no page watches: a kernel that
ends within this time was ended by its tab."""
