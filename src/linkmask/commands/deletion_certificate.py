"""Certifies what a run has forgotten: by numbers, and by a search for what is left.

The search reads every file of the run and compares bytes: each form of each value that the run no
longer holds, as text, escaped as in JSON, and as the hash that is its entity's id. In JSON, a form
that is only a part of words ("Ann" in "Annex") does not count. What is sealed (the vault, the table
of random codes) is searched in what `forget` wrote there, not in bytes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
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
        if here and path.suffix in (".json", ".jsonl"):
            here = _whole_words(here, path)
        if here:
            found[name] = len(here)
    return found


def _whole_words(forms: Iterable[bytes], path: Path) -> set[bytes]:
    """Return which of some forms stand as whole words in a text of a JSON file.

    In what can't be decoded, they all count.
    """
    due = {form: _unescaped(form) for form in forms}
    found = set[bytes]()
    with path.open("rb") as handle:
        for line in handle if path.suffix == ".jsonl" else [handle.read()]:
            here = {form for form in due if form in line}
            try:
                texts = list(_texts(json.loads(line))) if here else []
            except ValueError:
                texts, found = [], found | here
            found |= {form for form in here if any(_has_words(due[form], one) for one in texts)}
            due = {form: text for form, text in due.items() if form not in found}
    return found


def _unescaped(form: bytes) -> str:
    """Return the text of a form that stands in JSON as it is, or escaped."""
    text = form.decode("utf-8", "surrogatepass")
    with suppress(ValueError):
        return str(json.loads(f'"{text}"'))
    return text


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts within a JSON value, and the names of members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value:
            yield from _texts(one)
        for one in value.values() if isinstance(value, dict) else ():
            yield from _texts(one)


def _has_words(form: str, text: str) -> bool:
    """Tell whether a form stands in a text and no word or number goes on beside it."""
    at = text.find(form)
    while at >= 0:
        end = at + len(form)
        if not (_goes_on(text[max(at - 1, 0) : at + 1]) or _goes_on(text[end - 1 : end + 1])):
            return True
        at = text.find(form, at + 1)
    return False


def _goes_on(pair: str) -> bool:
    """Tell whether two characters belong to one word or number, unlike "d9" and "nB"."""
    alike = pair.isalpha() or pair.isdecimal()
    return len(pair) == 2 and alike and not (pair[0].islower() and pair[1].isupper())


def has_form(answer: bytes, forms: Iterable[bytes]) -> bool:
    """Tell whether one of some forms stands as whole words in a JSON value."""
    here = [form for form in forms if form in answer]
    try:
        texts = list(_texts(json.loads(answer))) if here else []
    except ValueError:
        return True
    return any(_has_words(_unescaped(form), text) for form in here for text in texts)


def certificate_of(run: Run) -> Path:
    """Return where the certificate of what was forgotten last is."""
    return run.path / f"certificate-{len(run.about['forgotten'])}.json"


def write_certificate(
    run: Run,
    counts: dict[str, int],
    gone: Iterable[Mention],
    separator: str,
    *,
    linked: bool,
    answers: int | None,
) -> None:
    """Search the run for what it has forgotten, and write the certificate into it.

    Args:
        counts: how many entities, documents and mentions were forgotten.
        gone: mentions of the values that the run no longer holds.
        separator: of entity ids.
        linked: whether what links the person's documents to others was forgotten, too.
        answers: how many answers were deleted from the language model's cache; None if there was
            none to search.

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
        "cached_answers": answers,
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
