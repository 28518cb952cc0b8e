"""Opens a finished run, and masks and unmasks texts and documents by it.

    with linkmask.open("masked.run") as masker:
        masker.mask_text("Is Ms. Brandvold covered?").text

`Masker` is what servers, adapters and distributed runs stand on (docs/masker.md).
"""

from linkmask.masker.documents import OnUnknown
from linkmask.masker.masker import Masker, open  # noqa: A004 - the public name
from linkmask.masker.texts import MaskedSpan, MaskedText

__all__ = ["MaskedSpan", "MaskedText", "Masker", "OnUnknown", "open"]
