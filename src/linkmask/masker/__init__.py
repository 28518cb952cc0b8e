"""A finished run, opened: it masks texts and documents as its corpus was masked, and unmasks them.

    with linkmask.open("masked.run") as masker:
        masker.mask_text("Is Ms. Brandvold covered?").text

`Masker` is what servers, adapters and distributed runs stand on (docs/masker.md).
"""

from linkmask.masker.masker import Masker, OnUnknown, open  # noqa: A004 - the public name
from linkmask.masker.texts import MaskedSpan, MaskedText

__all__ = ["MaskedSpan", "MaskedText", "Masker", "OnUnknown", "open"]
