"""Document + plan → masked document: find every masked value, and replace each span once.

The names below are loaded when first used: who plans needs only the techniques of this folder.
"""

from typing import TYPE_CHECKING

from linkmask.lazy_import import lazy_attributes

_HOME = {
    "BY_PERSON": "redact.styles",
    "CODES": "redact.styles",
    "REVERSIBLE": "redact.styles",
    "STYLES": "redact.styles",
    "TELLS_APART": "redact.styles",
    "TRIES": "redact.styles",
    "VARIES": "redact.styles",
    "Redactor": "redact.redactor",
    "Rules": "redact.changes",
    "Target": "redact.placeholders",
    "UnknownEntities": "redact.unknown_entities",
    "ValueLocator": "redact.value_locator",
    "searched_spellings": "redact.sweep",
    "sweepable": "redact.sweep",
    "typed_spellings": "redact.sweep",
}
"""Public name → the module it lives in."""

if TYPE_CHECKING:
    from linkmask.redact.changes import Rules as Rules
    from linkmask.redact.placeholders import Target as Target
    from linkmask.redact.redactor import Redactor as Redactor
    from linkmask.redact.styles import BY_PERSON as BY_PERSON
    from linkmask.redact.styles import CODES as CODES
    from linkmask.redact.styles import REVERSIBLE as REVERSIBLE
    from linkmask.redact.styles import STYLES as STYLES
    from linkmask.redact.styles import TELLS_APART as TELLS_APART
    from linkmask.redact.styles import TRIES as TRIES
    from linkmask.redact.styles import VARIES as VARIES
    from linkmask.redact.sweep import searched_spellings as searched_spellings
    from linkmask.redact.sweep import sweepable as sweepable
    from linkmask.redact.sweep import typed_spellings as typed_spellings
    from linkmask.redact.unknown_entities import UnknownEntities as UnknownEntities
    from linkmask.redact.value_locator import ValueLocator as ValueLocator

if not TYPE_CHECKING:  # a type checker that saw it would take any name for one of this module
    __getattr__ = lazy_attributes(__name__, _HOME)
