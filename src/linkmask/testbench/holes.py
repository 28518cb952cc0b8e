"""What is said where a cell can't be filled."""


class Hole(Exception):  # noqa: N818 - a hole is a result, no error
    """This cell can't be filled; the message is its reason."""
