"""Puts originals back in texts: in a model's answer, as in a text that `mask_text` gave."""

from __future__ import annotations

from collections.abc import Mapping

from linkmask.records import Replacement
from linkmask.redact import REVERSIBLE, Redactor, Target
from linkmask.redact.match import Matcher
from linkmask.redact.splice import disjoint, splice


class Originals:
    """What each mask that can be taken back stands for.

    A placeholder stands for the spelling nearest to its entity's value, or else the longest; a
    surrogate for the spelling that it was made of. A mask that stands for several entities stays.
    """

    def __init__(self, targets: Mapping[str, Target], redactor: Redactor) -> None:
        means: dict[str, tuple[str, str]] = {}
        for entity, target in targets.items():
            if redactor.style_if_masked(entity) not in REVERSIBLE:
                continue
            for spelling in _nearest_first(target):
                mask = redactor.mask_for(entity, spelling)
                if means.setdefault(mask, (entity, spelling))[0] != entity:
                    means[mask] = ("", mask)
        self._masks = [mask for mask, (entity, _) in means.items() if entity]
        self._originals = [means[mask][1] for mask in self._masks]
        self._matcher = Matcher(self._masks)

    def put_back(self, text: str) -> str:
        """Return a text with the originals of its masks."""
        (hits,) = self._matcher.find([text])
        return splice(
            text,
            [
                Replacement("", start, end, "", "", self._originals[number])
                for start, end, number in disjoint(hits)
            ],
        )


def _nearest_first(target: Target) -> list[str]:
    """Return an entity's spellings, that of its normalized value first, then by falling length."""
    spellings = [*target.surfaces, *target.forms]
    return sorted(spellings, key=lambda one: (one.casefold() != target.value, -len(one)))
