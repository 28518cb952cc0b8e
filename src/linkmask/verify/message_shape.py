"""Reads messages of X12, EDIFACT and HL7 in checks: masks add no separator, numbers of the exchange
are nobody's.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.records import Finding, Masked
from linkmask.text.message_form import messages


def added_separators(masked: Masked) -> Iterator[Finding]:
    """Yield a finding for each field in whose messages a mask holds a separator."""
    fields = dict(masked.original.fields()) if masked.replacements else {}
    for name in dict.fromkeys(one.field for one in masked.replacements):
        for message in messages(fields.get(name, "")):
            inside = (
                one
                for one in masked.replacements
                if one.field == name and message.start <= one.start < message.end
            )
            if any(not message.separators.isdisjoint(one.text) for one in inside):
                detail = f"a mask holds a separator of the message in {name}"
                yield Finding(masked.id, "unreadable", detail)
                break


def without_control_numbers(text: str, barrier: str) -> str:
    """Return a text with a barrier for each number, date and time that controls an exchange."""
    parts, at = [], 0
    for message in messages(text):
        for start, end in message.counted:
            parts += [text[at:start], barrier]
            at = end
    return "".join([*parts, text[at:]])
