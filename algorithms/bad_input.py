"""The one error for what a person typed wrong: a sentence that names the place and says what was expected."""


class BadInput(Exception):  # noqa: N818: it is the person's mistake, not the program's
    """Shown as one sentence, without a traceback; the command line then ends with exit code 2."""
