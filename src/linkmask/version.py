"""The version of linkmask."""

__version__ = "0.1.0"
