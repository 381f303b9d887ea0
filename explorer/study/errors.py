"""The error of a study that is no parameter's fault."""


class StudyError(Exception):
    """A study that cannot go on, in a sentence for the person who started it."""
