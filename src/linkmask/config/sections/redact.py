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
    """[Surrogate](redact.md#what-is-false-about-a-surrogate) of conditions, treatments, events and
    other facts: their class, or an invented fact, which readers may take for true."""
    linkable: bool = False
    """Write a value the same way in all documents. Every reader can then tell which documents are
    about one person."""
    scope: Literal["documents", "corpus"] = "corpus"
    """Where an entity is masked: only in documents where it was found, or wherever one of its
    spellings occurs. This does not hold for [rare words](linkage.md#rare-words)."""
    key_file: str = ""
    """File with the [key](redact.md#keys-and-taking-masks-back) for pseudonyms and vault, relative
    to the working folder of each command. If empty, the key is the variable `LINKMASK_KEY`, or the
    run makes one."""
    unkeyed: bool = False
    """Make pseudonyms without a key, to reproduce results. Anybody can then test guesses of the
    values."""
    seed: int = 0
    """Seed of surrogates."""
