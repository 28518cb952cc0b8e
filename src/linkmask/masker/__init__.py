"""Opens a finished run, and masks and unmasks texts and documents by it.

    with linkmask.open("masked.run") as masker:
        masker.mask_text("Is Ms. Brandvold covered?").text

`Masker` is what servers, adapters and distributed runs stand on (docs/masker.md).
"""

from linkmask.masker.document_masking import OnUnknown
from linkmask.masker.masked_text import MaskedSpan, MaskedText
from linkmask.masker.masker import Masker, open  # noqa: A004 - the public name

__all__ = ["MaskedSpan", "MaskedText", "Masker", "OnUnknown", "open"]
