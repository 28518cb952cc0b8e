"""Document + plan → masked document: find every masked value, and replace each span once."""

from linkmask.redact.placeholders import Target
from linkmask.redact.redactor import Redactor
from linkmask.redact.styles import REVERSIBLE, STYLES, TELLS_APART, VARIES
from linkmask.redact.sweep import searched_spellings, sweepable, typed_spellings
from linkmask.redact.unknown_entities import UnknownEntities
from linkmask.redact.value_locator import ValueLocator

__all__ = [
    "REVERSIBLE",
    "STYLES",
    "TELLS_APART",
    "VARIES",
    "Redactor",
    "Target",
    "UnknownEntities",
    "ValueLocator",
    "searched_spellings",
    "sweepable",
    "typed_spellings",
]
