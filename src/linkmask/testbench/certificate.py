"""Certifies a release on disk, for anybody who holds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.errors import InputError
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.pipeline.linkage.certificate import certificate, everything_read
from linkmask.records import Document, SetAside
from linkmask.report.linker_wording import mean_and_interval, trained
from linkmask.report.wording import count, harmless_text

NAMED = 5
"""Public texts that could not be read, and are named."""


def certify(
    release: Path,
    most: float,
    likely: int = 0,
    model: Path | None = None,
    background: Path | None = None,
) -> dict[str, Any]:
    """Return what attackers would find in masked documents, for whoever has only these.

    Args:
        release: a folder or table of masked documents, or the OUT of `linkmask mask`, of which only
            `documents/` is read.
        most: limit in [0, 1] for the probability that a document's nearest is its person's.
        likely: pairs of documents to name, the likeliest first.
        model: folder of a sentence model, by which texts are compared as well.
        background: a folder or table of public texts, among which attackers look for each
            document's person, in place of the other documents.

    Returns:
        What `certificate` states; `by_document`, the probability of each by id; and `not_read`, how
        many more documents there would be. With a background, `public`, how many texts it holds,
        and `public_not_read`, the names of those that could not be read. With `likely`,
        `likeliest`: of each pair `documents`, two ids, `probability`, and `shared`: kind, term and
        how many documents hold it.

    Raises:
        InputError: there are fewer than two documents.
        SettingsError: the folder holds no sentence model.
    """
    embed = SentenceModel(model).embed if model else None
    items = _items_of(release)
    documents = [item for item in items if isinstance(item, Document)]
    texts = [everything_read(document) for document in documents]
    read = _items_of(background) if background else []
    public = [everything_read(item) for item in read if isinstance(item, Document)]
    if background and not (texts and public):
        raise InputError(f"{background if texts else release}: there is no document")
    if not background and len(texts) < 2:
        raise InputError(f"{release}: linking needs two documents, and there are {len(texts)}")
    found = certificate(texts, most, likely, embed, public)
    stated, probabilities = found.stated, found.by_text.tolist()
    stated["not_read"] = len(items) - len(texts)
    stated["by_document"] = {
        document.id: one for document, one in zip(documents, probabilities, strict=True)
    }
    if background:
        stated["public"] = len(public)
        stated["public_not_read"] = [one.document for one in read if isinstance(one, SetAside)]
    if likely:
        stated["likeliest"] = [
            {
                "documents": [documents[pair.left].id, documents[pair.right].id],
                "probability": round(pair.probability, 4),
                "shared": [one._asdict() for one in pair.shared],
            }
            for pair in found.pairs
        ]
    return stated


def unmet(found: Mapping[str, Any]) -> str:
    """Say what a certificate falls short of; "" if the limit is met and all could be read."""
    over, unread = found["over"], found["not_read"]
    public = len(found.get("public_not_read", ()))
    reasons = (
        f"for {count(over, 'document')}, an attacker finds another text about the same person with "
        f"a probability above {found['limit']:g}" * bool(over),
        f"could not read {count(unread, 'document')}" * bool(unread),
        f"could not read {count(public, 'public text')}" * bool(public),
    )
    return "; ".join(filter(None, reasons))


def strictest_limit(most: float | None, candidates: int | None) -> float:
    """Return the limit for a probability: the stricter of a limit and a number of candidates.

    Without both it is 0.1.
    """
    limits = [
        limit for limit in (most, 1 / candidates if candidates else None) if limit is not None
    ]
    return min(limits, default=0.1)


def certificate_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what `certify` found, in sentences."""
    among = f", {found['public']} public texts" if "public" in found else ""
    nearest = "public text" if among else "document"
    yield (
        f"{found['documents']} documents{among}: the {nearest} that an attacker takes for the "
        f"nearest is about the same person with probability {found['largest']:.2f} at most. The "
        f"person who is hidden least is one of {found['fewest'] or 'all'} candidates."
    )
    rows = ((one["attacker"], *mean_and_interval(one)) for one in found["attackers"])
    means = (f"{name} {mean} ({interval})" for name, mean, interval in rows)
    yield f"On average, with 95 % intervals: {', '.join(means)}."
    if not among:
        yield (
            "It holds for documents whose person has another one, and is mostly too high: linkmask "
            "mask estimates both from the originals, which are not at hand here."
        )
    if unread := found.get("public_not_read"):
        named = ", ".join(harmless_text(name, 60) for name in unread[:NAMED])
        more = ", …" if len(unread) > NAMED else ""
        yield f"Could not read {count(len(unread), 'public text')}: {named}{more}."
    yield from trained(found)
    for pair in found.get("likeliest", ()):
        one, other = pair["documents"]
        shared = ", ".join(f"{term['term']} (in {term['holders']})" for term in pair["shared"])
        yield (
            f"{one} and {other}: about one person with probability {pair['probability']:.2f}. "
            f"Both say: {shared or 'nothing rare; they are alike in all'}."
        )


def documents_of(release: Path) -> list[Document]:
    """Return the documents of a folder or table, or of the OUT of `linkmask mask`."""
    return [item for item in _items_of(release) if isinstance(item, Document)]


def _items_of(release: Path) -> list[Document | SetAside]:
    is_out = (release / "documents").is_dir() and (release / "summary.json").is_file()
    return list(Corpus(release / "documents" if is_out else release, Settings())())
