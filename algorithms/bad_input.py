"""The error for bad input from a person: one sentence that names the place and says what was expected."""


class BadInput(Exception):  # noqa: N818
    """Shown as one sentence, without a traceback; the command line then ends with exit code 2."""
