"""Settings of `[redact]`: how a masked value is written, and where."""

from __future__ import annotations

from typing import Literal

from linkmask.config.sections.plan import PlanSettings


class RedactSettings(PlanSettings, frozen=True, kw_only=True):
    """All settings up to those of `[redact]`."""

    style: str = "value"
    """How a masked value is written ([styles](redact.md), [techniques](policy.md#techniques))."""
    styles: dict[str, str] = {}
    """Style of single types, in place of `style`."""
    surrogate_facts: Literal["class", "invented"] = "class"
    """What stands for conditions, treatments, events and other facts in style `surrogate`. `class`:
    the class of the fact ("respiratory condition"). `invented`: an invented fact, which a reader
    may take for true."""
    linkable: bool = False
    """Write a value with the same pseudonym, surrogate or token in all documents. Then whoever
    reads them can put the documents of one person together. By default, it is the same only within
    a document."""
    scope: Literal["documents", "corpus"] = "corpus"
    """Where a masked entity is masked. `documents`: only in documents where it was found, as in the
    thesis. `corpus`: wherever one of its spellings occurs."""
    key_file: str = ""
    """File with the key of pseudonyms and of the vault. If none is given, the key is
    `LINKMASK_KEY`; if that is not set either, the run makes one."""
    unkeyed: bool = False
    """Make pseudonyms without a key, as in the thesis. Anybody can test a guess with them, so use
    it for reproduction only."""
    seed: int = 0
    """Seed of surrogates. Another seed gives other surrogates."""
