"""linkmask: mask the smallest set of values that keeps a corpus from identifying people."""

__version__ = "0.1.0"
