"""The error for bad input: one sentence with the place and the expectation."""


class BadInput(Exception):  # noqa: N818
    """Shown as one sentence, without a traceback; the command line then ends with exit code 2."""
