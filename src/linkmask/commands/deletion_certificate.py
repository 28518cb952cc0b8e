"""Certifies what a run has forgotten: by numbers, and by a search for what is left.

The search reads every file of the run and compares bytes: each form of each value that the run no
longer holds, as text, escaped as in JSON, and as the hash that is its entity's id. What is sealed
(the vault, the table of random codes) is searched in what `forget` wrote there, not in bytes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from linkmask.records import Mention, entity_id
from linkmask.runs import Run
from linkmask.text.fold import folded_value
from linkmask.version import __version__

SHORT = 4
"""Characters below which a form is not searched for: it is part of any number or word."""
PIECE = 1 << 24
"""Bytes that are searched at once."""


def forms_of(mentions: Iterable[Mention], separator: str) -> tuple[set[bytes], int]:
    """Return the forms of values, as bytes, and how many were too short to search for."""
    texts: set[str] = set()
    for one in mentions:
        for value in (one.original, one.value):
            texts |= {value, value.lower(), value.upper(), value.title(), folded_value(value)}
        texts.add(entity_id(one.value, one.type, separator))
    long = {text for text in texts if len(text.strip()) >= SHORT}
    written = {json.dumps(text)[1:-1] for text in long} | long
    found = {text.encode("utf-8", "surrogatepass") for text in written}
    return found, len(texts) - len(long)


def found_in(paths: Mapping[str, Path], forms: Iterable[bytes]) -> dict[str, int]:
    """Return how many of some forms stand in each file, by name; files without one are left out."""
    patterns, found = sorted(forms), dict[str, int]()
    overlap = max(map(len, patterns), default=0)
    for name, path in sorted(paths.items()):
        here, end = set[bytes](), b""
        with path.open("rb") as handle:
            while piece := handle.read(PIECE):
                data = end + piece
                here |= {one for one in patterns if one in data}
                end = data[-overlap:]
        if here:
            found[name] = len(here)
    return found


def certificate_of(run: Run) -> Path:
    """Return where the certificate of what was forgotten last is."""
    return run.path / f"certificate-{len(run.about['forgotten'])}.json"


def write_certificate(
    run: Run, counts: dict[str, int], gone: Iterable[Mention], separator: str, linked: bool
) -> None:
    """Search the run for what it has forgotten, and write the certificate into it.

    Args:
        counts: how many entities, documents and mentions were forgotten.
        gone: mentions of the values that the run no longer holds.
        separator: of entity ids.
        linked: whether what links the person's documents to others was forgotten, too.

    Raises:
        RunError: it can't be written.
    """
    forms, short = forms_of(gone, separator)
    paths = run.files()
    found = found_in(paths, forms)
    about: dict[str, Any] = {
        "what": "erasure of a person from a run of linkmask",
        "linkmask": __version__,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "forgotten": counts,
        "types": run.about["forgotten"][-1]["types"],
        "linked": linked,
        "removed_from": [
            "mentions of the first pass and of the result",
            "scores, plan, releases, ledger and pinned counts",
            "decisions of a review",
            "vault and random codes",
            "look-up files",
        ],
        "search": {
            "files": len(paths),
            "forms": len(forms),
            "forms_too_short": short,
            "found_in": found,
        },
        "not_touched": ["the input", "what was released", "copies elsewhere"],
    }
    run.write(certificate_of(run).name, [json.dumps(about, indent=2).encode() + b"\n"])
