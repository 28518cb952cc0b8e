"""linkmask: mask the small set of values that lets a corpus of documents identify people.

    import linkmask
    result = linkmask.mask([{"id": "1", "content": "…"}, …])

The names below are loaded when first used, so that importing the package costs nothing.
"""

from typing import TYPE_CHECKING

from linkmask.lazy_import import lazy_attributes
from linkmask.version import __version__ as __version__

_HOME = {
    "mask": "api",
    "open": "masker",
    "scan": "api",
    "Scan": "api",
    "Result": "api",
    "MaskedText": "masker",
    "Masker": "masker",
    "Settings": "config",
    "load": "config",
    "Document": "records",
    "Masked": "records",
    "Plan": "records",
    "SetAside": "records",
    "LinkmaskError": "errors",
}
"""Public name → the module it lives in."""

if TYPE_CHECKING:
    from linkmask.api import Result as Result
    from linkmask.api import Scan as Scan
    from linkmask.api import mask as mask
    from linkmask.api import scan as scan
    from linkmask.config import Settings as Settings
    from linkmask.config import load as load
    from linkmask.errors import LinkmaskError as LinkmaskError
    from linkmask.masker import MaskedText as MaskedText
    from linkmask.masker import Masker as Masker
    from linkmask.masker import open as open  # noqa: A004 - the public name
    from linkmask.records import Document as Document
    from linkmask.records import Masked as Masked
    from linkmask.records import Plan as Plan
    from linkmask.records import SetAside as SetAside

if not TYPE_CHECKING:  # a type checker that saw it would take any name for one of this module
    __getattr__ = lazy_attributes(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted([*_HOME, "__version__"])
