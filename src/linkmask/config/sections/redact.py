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
    condition"), or an invented fact, which readers may take for true."""
    linkable: bool = False
    """Write a value the same way in all documents. Every reader can then tell which documents are
    about one person."""
    scope: Literal["documents", "corpus"] = "corpus"
    """Where a masked entity is masked: only in documents where it was found, or wherever one of its
    spellings occurs. This does not hold for what is masked only because it is rare:
    `rare_terms` says where."""
    key_file: str = ""
    """File with the key for pseudonyms and vault. Each command looks for a relative path in its own
    working folder. If empty, the key is the variable `LINKMASK_KEY`, or the run makes one."""
    unkeyed: bool = False
    """Make pseudonyms without a key, to reproduce results. Anybody can then test guesses of the
    values."""
    seed: int = 0
    """Seed of surrogates; another one gives other made-up values."""
