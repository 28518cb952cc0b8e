"""Settings of `[redact]`: how a masked value is written, and where."""

from __future__ import annotations

from typing import Literal

from linkmask.config.sections.plan import PlanSettings


class RedactSettings(PlanSettings, frozen=True, kw_only=True):
    """All settings up to those of `[redact]`."""

    style: str = "value"
    """How a masked value is written."""
    styles: dict[str, str] = {}
    """Style of single types, in place of `style`."""
    surrogate_facts: Literal["class", "invented"] = "class"
    """Surrogate of conditions, treatments, events and other facts: their class ("respiratory
    condition"), or an invented fact that a reader may take for true."""
    linkable: bool = False
    """Write a value alike in all documents. Whoever reads them can then put the documents of a
    person together."""
    scope: Literal["documents", "corpus"] = "corpus"
    """Where a masked entity is masked: in documents where it was found, or wherever one of its
    spellings occurs."""
    key_file: str = ""
    """File with the key of pseudonyms and vault. If empty, it is `LINKMASK_KEY`, or a key that
    the run makes."""
    unkeyed: bool = False
    """Make pseudonyms without a key, so that anybody can test a guess. Only for reproduction."""
    seed: int = 0
    """Seed of surrogates."""
