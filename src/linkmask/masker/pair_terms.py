"""Lists the terms by which two originals may be linked, and which of them the release shows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.errors import LinkmaskError
from linkmask.graph.linkage.reasons import held_terms, shared_terms
from linkmask.graph.linkage.terms import read
from linkmask.masker.document_masking import DocumentMasker
from linkmask.masker.run_index import RunIndex
from linkmask.pipeline.linkage.certificate import everything_read
from linkmask.records import Document, Masked

Rows = list[dict[str, Any]]


def terms_of_pair(
    run: Path, source: Path, digest: str, settings: Settings, pair: Sequence[str]
) -> Rows | str:
    """Return the rarest terms that two originals share, or why they are not known.

    The whole input is read, because it says how many documents hold a term.

    Args:
        run: its folder.
        source, digest: the input of the run, and the digest that it had then.
        pair: ids of two documents.

    Returns:
        For each term, the rarest first: `kind` and `term`; `documents`, how many hold it; and
        `released`, how many of the two still show it in the release, None if nothing is released.
    """
    try:
        corpus = Corpus(source, settings, may_be_empty=True)
        if corpus.digest() != digest:
            return "the input has changed since the run read it"
        items = [item for item in corpus() if isinstance(item, Document)]
    except (LinkmaskError, OSError):
        return "the input can't be read any more"
    number = {item.id: n for n, item in enumerate(items)}
    if not number.keys() >= set(pair):
        return "the input holds these documents no more"
    left, right = (number[name] for name in pair)
    terms = read(map(everything_read, items))
    (shared,) = shared_terms(terms, [(left, right)])
    masked = _released(run, [items[left], items[right]])
    shown = [held_terms(read([text]), 0) for text in masked]
    return [
        {
            "kind": one.kind,
            "term": one.term,
            "documents": one.holders,
            "released": sum((one.kind, one.term) in held for held in shown) if shown else None,
        }
        for one in shared
    ]


def _released(run: Path, documents: Sequence[Document]) -> list[str]:
    """Return what the run released of documents, as an attacker reads it; nothing if it did not."""
    try:
        with closing(RunIndex(run)) as index:
            items = DocumentMasker(index, _no_detection).masked(documents, "set_aside")
            masked = [one for one in items if isinstance(one, Masked)]
    except LinkmaskError:
        return []
    return [everything_read(one.written) for one in masked] if len(masked) == 2 else []


def _no_detection() -> NoReturn:
    """Stand for what masks by detection, which a document of the run does not need."""
    raise AssertionError
