"""A change of the package, what then uses it, and what that prints."""

import json
from typing import Any, NamedTuple

Edit = tuple[str, str, str]
"""File, what stands in it (nothing: it is new, or what is added stands at its end), what then."""

MASKS_A_TEXT = """
import json, linkmask
text, overrides = json.loads({given!r})
settings = linkmask.load(overrides={{"detector": "patterns", **overrides}}, environment={{}})
[masked] = linkmask.mask([text], settings).documents
print(masked.content)
"""


class Change(NamedTuple):
    """Edits of the package; a program that uses what they add; what it prints."""

    edits: list[Edit]
    program: str
    printed: str


def masks(text: str, overrides: dict[str, Any]) -> str:
    """Return a program that prints a text masked with settings."""
    return MASKS_A_TEXT.format(given=json.dumps([text, overrides]))
