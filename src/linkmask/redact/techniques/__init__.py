"""Techniques: ways to write a value that leave a stated part of it, as regulations name them.

Each is a function of the value as it stands in the text (`original`), its normalized form
(`value`: dates in ISO form, ages as numbers) and the language of the document. It returns the text
to write, or None if it cannot read the value; then `[TYPE]` is written, so that such a value is
never left as it is. The names of techniques are also names of styles. formulas.md §14.2 lists the
techniques.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkmask.redact.techniques.dates import month, quarter, year
from linkmask.redact.techniques.numbers import age_band, amount_range, last_four, under_90
from linkmask.redact.techniques.places import area, mailbox, region, town, zip3

Technique = Callable[[str, str, str], str | None]
"""`(original, value, language)` → what to write, or None."""

TECHNIQUES: Mapping[str, Technique] = {
    "truncation:last4": last_four,
    "truncation:zip3": zip3,
    "masking": mailbox,
    "generalization:month": month,
    "generalization:quarter": quarter,
    "generalization:year": year,
    "generalization:band": age_band,
    "generalization:under90": under_90,
    "generalization:town": town,
    "generalization:region": region,
    "generalization:area": area,
    "generalization:range": amount_range,
}
"""Technique by name; what follows the colon says how much is left."""
