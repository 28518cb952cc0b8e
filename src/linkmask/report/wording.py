"""Words ids, names and numbers for people: short, and harmless whatever they hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkmask.records import FindingKind

FINDINGS: dict[FindingKind, str] = {
    "leftover": "a masked value, in a known form, still stands in a field or in the name of one",
    "key": "a key, or a column's name, holds a direct identifier: rename it, or exclude the field",
    "excluded": "a masked value, or one that a model sees, stands in a field that settings exclude",
    "name": "a masked value, or a person's name, stands in a document's id or its file's name",
    "placeholder": "what stands for a masked value is malformed",
    "lost": "the first pass found a direct identifier that the result of detection does not hold",
    "risk": "the risk recomputed from the masked text differs from the plan, or is over its limit",
    "earlier-plan": "the plan changed since OUT was written; it was checked against its own plan",
    "forgotten": "the run has forgotten the person in it: only that it was not changed is known",
    "unreadable": "the document could not be checked, or differs outside its masks",
    "new-value": "detection of the masked text found what the run had not found there; "
    "blocks for types of the floor only",
}
"""Kind of finding → what it means."""

WHERE = "linkmask verify OUT --json says in which documents."

ENTITY_WORDS = "entity: one value, in all its spellings and in all documents"
STAGE_WORDS = (
    "floor: always masked; document, chain: masked to meet a limit; "
    "decided: masked by you, or since an earlier release; kept: readable"
)
"""What the columns of a table of masked entities mean."""

RARE_WORDS = "RARE_TERM: words and values that few documents hold, a word as [...] (rare_terms)"

TOGETHER = {
    "auto": "two of them share values, or are probably about one person",
    "linker": "two of them are linked, or probably about one person",
    "values": "two of them share a value that is relevant to a person",
}
"""What is true of documents that must share no rare word, by setting `rare_pairs`."""


def why_rare(settings: Mapping[str, Any]) -> str:
    """Say by which settings a word that is no value may have been masked."""
    reasons = list[str]()
    if settings["rare_terms"]:
        few, together = settings["rare_terms"], TOGETHER[settings["rare_pairs"]]
        reasons.append(
            f"at most {count(few, 'document')} held this when rare words were counted, and "
            f"{together} (setting rare_terms)"
        )
        if settings["sentence_model"] and settings["rare_pairs"] != "values":
            reasons.append("a sentence model finds another by this word (setting sentence_model)")
        if settings["link_limit"] < 1 or settings["link_candidates"] > 1:
            reasons.append("the linker finds another by this word (setting link_limit)")
    if settings["background"]:
        reasons.append("the word leads to a public text (setting background)")
    if settings["readable_share"] < 1:
        reasons.append("the language uses this word less than others (setting readable_share)")
    listing = "; or ".join(reasons)
    return f"{listing[:1].upper()}{listing[1:]}."


_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)


def harmless_text(text: str, most: int | None = None) -> str:
    """Return text without characters that move a cursor, reverse writing or can't be encoded.

    Each such character becomes `�`, so offsets stay; tabs and line ends are kept (CRLF as a blank
    and LF). Beyond `most` characters the middle is left out.
    """
    if most is not None and len(text) > most:
        half = (most - 1) // 2
        text = f"{text[: most - 1 - half]}…{text[len(text) - half :]}"
    return _UNSAFE.sub("\ufffd", text.replace("\r\n", " \n"))


_NAMED = re.compile(r"[A-Z][A-Z0-9_]*\s+([0-9a-f]{4,32})…?")


def entity_id_in(text: str) -> str:
    """Return the label from the form in which people are shown entities: `NAME 3f2a91c0de45`."""
    found = _NAMED.fullmatch(text.strip())
    return found[1] if found else text


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 document, 2 documents, 10,000 documents."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def risk_words(limits: Mapping[str, Any], edge_threshold: float) -> list[str]:
    """Say what the rows of a table of risks mean."""
    return [
        "risk: from 0 (tells nothing of a person) to 1 (names one)",
        f"link: two documents that share values, with a strength of {edge_threshold:g} or more",
        f"chain: documents joined by links; HIGH from {limits['high']:g}, MEDIUM from "
        f"{limits['medium']:g}, LOW below",
    ]


def chains_now(state: Mapping[str, Any]) -> str:
    """Say which risks the chains from before masking have now; "" where they are not listed.

    `state` is `risk.after` of an audit.
    """
    gone, low, high = (state[f"chains_{name}"] for name in ("gone", "lowest", "highest"))
    parts = [f"{gone:,} {'has' if gone == 1 else 'have'} risk 0 now"] if gone else []
    if low is not None:
        parts.append(f"{sum(state['chains']) - gone:,} between {risk(low)} and {risk(high)}")
    return ", ".join(parts)


def names_hold_values(documents: int) -> str:
    """Say how many documents are named by a masked value, and what to do about it."""
    return (
        f"A masked value, or a person's name, stands in the file name or the id of "
        f"{count(documents, 'document')}, and stays there. Rename them in the input, and mask "
        "again."
    )


def detection_caveat(checked: bool) -> tuple[str, str]:
    """Say that every number stands on what was detected, and what to do about it."""
    step = "The check looks for" if checked else "The scores count"
    return (
        f"{step} what was detected, and not what detection misses.",
        "Read a random sample: linkmask review.",
    )


def risk(value: float, limit: float = 1.0) -> str:
    """Return a risk in three decimals; rounding never makes it 0, or lifts it to a limit."""
    if 0.0 < value < 0.001:
        return "<0.001"
    if value < limit < 1.0 and round(value, 3) >= round(limit, 3):
        return f"<{limit:.3f}"
    if 0.9995 <= value < 1.0:
        return ">0.999"
    return f"{value:.3f}"


def percent(value: float) -> str:
    """Return a share in percent; rounding never makes it 0 or 100."""
    if 0 < value < 0.001:
        return "<0.1 %"
    if 0.999 < value < 1:
        return ">99.9 %"
    return f"{value:.1%}".replace("%", " %")


def singled_out(found: Mapping[str, Any]) -> str:
    """Say of how many documents few people fit what can be read."""
    return (
        f"What can be read in {count(found['after'], 'document')} matches fewer than "
        f"{found['few']} of {found['population']:,} people; before masking, this held for "
        f"{found['before']:,}. Only detected values count."
    )


def rare_words_hide(hidden: int, documents: int) -> str:
    """Say in how many of its documents a readable value is masked by the rare words in it."""
    where = "each of them" if documents > 1 else "it"
    if hidden == documents:
        return f"kept, but words of it are masked as rare terms in {where}"
    return (
        f"kept, still readable in {documents - hidden:,} of {count(documents, 'document')}; in the "
        "others words of it are masked as rare terms"
    )


def are_read_again(documents: int) -> str:
    """Say how many documents of a forgotten person INPUT still holds, and what to do."""
    return (
        f"Forgotten by linkmask forget, and still in INPUT: {count(documents, 'document')}. The "
        "run holds the values again: delete these documents from INPUT, and forget again."
    )


def ids_repeat(number: int) -> str:
    """Say how many ids several documents bring, and how these are told apart."""
    return (
        f"Brought by more than one document: {count(number, 'id')}. Each of these documents was "
        "masked and released as one of its own; the run adds a hash of its text to its id."
    )


def above_share(documents: int, share: float) -> str:
    """Say how many documents can be read to a larger share than the settings allow."""
    return (
        f"Above the share of words that may be read, {share:g}: {count(documents, 'document')}, "
        "since short words and labels stay (readable_share); summary.json lists them"
    )


def in_uncovered_languages(documents: Mapping[str, int]) -> str:
    """Say how many documents are in languages that detection does not cover, by language."""
    by_language = ", ".join(f"{code} {n:,}" for code, n in documents.items())
    return (
        f"In languages that detection does not cover: {count(sum(documents.values()), 'document')}"
        f" ({by_language}). Of these, {FOUND_ANYWAY}"
    )


FOUND_ANYWAY = "only values with a form, a title or a full name are found."


BY_FORMULA = (
    "Risks by formula count detected values, and do not predict who is found",
    "(docs/linkage.md#which-risk-predicts-linking).",
)
"""What the risks of documents, links and chains are worth."""
