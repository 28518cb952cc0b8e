"""Techniques: ways to write a value that leave a stated part of it, as regulations name them.

Each is a function of the value as it stands in the text (`original`), its normalized form
(`value`: dates in ISO form, ages as numbers) and the language of the document. It returns the text
to write, or None if it cannot read the value; then `[TYPE]` is written, so that such a value is
never left as it is. The names of techniques are also names of styles. formulas.md §14.2 lists the
techniques.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkmask import choices
from linkmask.choices import bound
from linkmask.redact.techniques.dates import month, quarter, year
from linkmask.redact.techniques.facts import class_, common
from linkmask.redact.techniques.numbers import band, last4, range_, under90
from linkmask.redact.techniques.organizations import kind, specialty
from linkmask.redact.techniques.places import area, masking, region, town, zip3

Technique = Callable[[str, str, str], str | None]
"""`(original, value, language)` → what to write, or None."""

TECHNIQUES: Mapping[str, Technique] = bound(
    choices.TECHNIQUES,
    (
        *(last4, zip3, masking, month, quarter, year, band, under90, common),
        *(town, region, area, kind, specialty, class_, range_),
    ),
)
"""Technique by name; what follows the colon says how much is left."""

DATED = frozenset(name for name, one in TECHNIQUES.items() if one in (month, quarter, year))
"""Techniques for dates. What they can't read, as "last week", mostly names no day."""

KINDS = frozenset(name for name, one in TECHNIQUES.items() if one in (kind, specialty))
"""Techniques that write the kind of a body in place of its name."""
