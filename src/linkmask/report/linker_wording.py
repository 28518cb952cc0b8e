"""Words what attackers find in a release, for the page, the terminal, and explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from linkmask.report.wording import count, harmless_text

_WITH_SENTENCES = "The linker also compared texts by a sentence model."
_WITHOUT_SENTENCES = (
    "No attacker had a sentence model. One who has it finds more: in five test sets 0.29 to 0.64, "
    "where the strongest here was expected to find 0.11 to 0.23 (docs/linkage.md#a-sentence-model)."
)
_LISTED = ": linkage.json in the run lists them"
_SHARED = {
    "date": ("date", ""),
    "month": ("month", ""),
    "code": ("number or code", "numbers or codes"),
    "name": ("capitalized word", ""),
    "word": ("word", ""),
    "phrase": ("pair of words", "pairs of words"),
}
"""Kind of term that two documents share → the noun for one, and for several."""
_RELEASED = {
    None: "",
    0: "; neither shows it in the release",
    1: "; one of the two shows it in the release",
    2: "; both show it in the release",
}
"""How many of two documents show a term in the release, in words; None: nothing is released."""


def found_lines(found: Mapping[str, Any]) -> list[str]:
    """Say what the strongest attacker finds, or why none was asked; nothing after a scan."""
    if not found:
        return []
    if why := found.get("not_measured"):
        return [f"How often an attacker finds another document of a person is not measured: {why}."]
    (now, interval), (was, _) = map(mean_and_interval, strongest(found))
    return [
        "From a released document, the strongest attacker finds another one about the same person "
        f"with probability {now} on average (95 % interval {interval}); from the originals, it "
        f"would be {was}.",
        *_limit_line(found),
    ]


def strongest(found: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return what is stated of the strongest attacker, and of who was strongest before masking."""
    rows = found["attackers"]
    return rows[0], max((one["before"] for one in rows), key=lambda one: one["expected"])


def _limit_line(found: Mapping[str, Any]) -> list[str]:
    """Say how many documents are above the limit for linking, if there is one."""
    over, limit = count(found["over"], "document"), found["limit"]
    if limit >= 1:
        return []
    as_candidates = f" ({1 / limit:.3g} candidates)" if limit else ""
    return [
        f"{over} of {found['documents']:,} {'is' if found['over'] == 1 else 'are'} above the limit "
        f"for linking, {limit:g}{as_candidates}{_LISTED if found['over'] else ''}."
    ]


def above_link_limit(found: Mapping[str, Any]) -> Iterator[str]:
    """Say what is not shown to be under the limit for linking.

    If an attacker with public texts is right more often than the limit, some document must be above
    it.
    """
    limit, public = found.get("limit", 1), found.get("public", {})
    if limit >= 1:
        return
    if over := found["over"]:
        yield (
            f"Above the limit for linking, {limit:g}: {count(over, 'document')}, "
            "listed in linkage.json of the run"
        )
    if "not_measured" in public:
        yield f"Public texts not compared with the limit for linking: {public['not_measured']}"
    elif public and (most := public["attackers"][0])["found"] > limit:
        yield (
            f"Above the limit for linking, {limit:g}: an attacker with public texts is right for "
            f"{most['found']:.2f} of the documents"
        )


def mean_and_interval(found: Mapping[str, Any]) -> tuple[str, str]:
    """Return a mean probability and its 95 % interval."""
    low, high = found["interval"]
    return f"{found['expected']:.2f}", f"{low:.2f} to {high:.2f}"


def attacker_lines(found: Mapping[str, Any]) -> list[str]:
    """Say what the figures of attackers are worth, and how well the least hidden is hidden."""
    fewest = f"{found['fewest']:.3g}" if found["fewest"] else "all"
    return [
        "This is an estimate, because nobody said who is who (docs/linkage.md#the-certificate).",
        f"Of {len(found['attackers'])} attackers, the strongest is: "
        f"{found['attackers'][0]['attacker']}.",
        *_public_line(found.get("public")),
        f"By the values that they share, {found['another']:.0%} of the documents have another one "
        "about the same person.",
        f"For any attacker, the largest probability is {found['largest']:.2f}: this document has "
        f"{fewest} candidate{'' if fewest == '1' else 's'}.",
        *trained(found),
    ]


def _public_line(public: Mapping[str, Any] | None) -> Iterator[str]:
    """Say how often an attacker with public texts finds the one to which an original leads."""
    if public and "not_measured" in public:
        yield f"Whether public texts lead to persons is not measured: {public['not_measured']}."
    elif public:
        most = public["attackers"][0]
        low, high = most["interval"]
        yield (
            f"Among {count(public['texts'], 'public text')}, an attacker ({most['attacker']}) "
            f"finds the one to which the original leads for {most['found']:.0%} of the documents "
            f"(95 % interval {low:.0%} to {high:.0%}). More clearly than by chance, "
            f"{public['leading']:.0%} of the originals lead to one."
        )


def trained(found: Mapping[str, Any]) -> Iterator[str]:
    """Say what attackers have learned from, and which one is missing."""
    yield _WITH_SENTENCES if found["sentences"] else _WITHOUT_SENTENCES
    for one in found["attackers"]:
        if one["learned_from"]:
            yield f"The {one['attacker']} has learned from {', '.join(one['learned_from'])}."
    yield "The others have learned nothing: each compares texts by one feature."
    yield "All probabilities are calibrated on the same corpora."


def shared_terms(kinds: Mapping[str, int]) -> str:
    """Say how many terms of which kind two documents share, and few others have."""
    counts = (count(kinds[kind], *noun) for kind, noun in _SHARED.items() if kinds.get(kind))
    return ", ".join(counts) or "nothing rare; they are alike in all"


def nearest_line(probability: float, nearest: str | None, limit: float) -> str:
    """Say how likely an attacker finds another document of the same person from one, at most."""
    which = f", {harmless_text(nearest, 60)}," if nearest else ""
    among = f" (one of {1 / probability:,.1f} candidates)" if probability else ""
    return (
        f"In the release, the document that an attacker takes for the nearest{which} is about the "
        f"same person with probability {probability:.2f} at most{among}"
        f"{f'; the limit is {limit:g}' if limit < 1 else ''}."
    )


def others_lines(others: Mapping[str, float]) -> list[str]:
    """Say with which documents one is most likely about the same person, by the originals."""
    if not others:
        return []
    listing = ", ".join(f"{harmless_text(name, 60)} ({sure:.2f})" for name, sure in others.items())
    return [f"By the originals, it is most likely about the same person as {listing}."]


def one_person_line(probability: float | None) -> str:
    """Say how likely two documents are about one person, by the originals.

    Args:
        probability: None if it is not among the largest of either document, which are kept.
    """
    if probability is None:
        return "By the originals, each of the two is more likely about one person with others."
    return f"By the originals, both are about one person with probability {probability:.2f}."


def pair_line(names: Sequence[str], found_with: Sequence[float | None]) -> str:
    """Say whether an attacker takes either of two documents for the other's nearest.

    Args:
        names: of the two.
        found_with: of each, how likely its nearest is the same person's, None where that is
            another document.
    """
    if found_with == [None, None]:
        return (
            "In the release, neither is the other's nearest, as the attacker sees it who is most "
            "likely right."
        )
    listing = "; ".join(
        f"from {harmless_text(name, 60)}, one finds the other, rightly with probability {sure:.2f}"
        for name, sure in zip(names, found_with, strict=True)
        if sure is not None
    )
    return f"Attackers also read words that are no detected value: in the release, {listing}."


def pair_terms_lines(terms: Sequence[Mapping[str, Any]] | str, show: bool) -> str:
    """Say which rare terms two originals share, and which of them the release still shows.

    Args:
        terms: of each its kind, the term, how many documents hold it, and how many of the two show
            it in the release; or why they are not known.
        show: whether the terms themselves may be shown.
    """
    if isinstance(terms, str):
        return f"Which words say that both are about one person is not known: {terms}."
    if not terms:
        return "No rare word says that both are about one person."
    lines = [
        f"  {_SHARED[one['kind']][0]}{_quoted(one['term']) if show else ''}, in "
        f"{count(one['documents'], 'document')}{_RELEASED[one['released']]}"
        for one in terms
    ]
    hint = "" if show else " (--show-values shows them)"
    return "\n".join([f"What both originals say, and few others{hint}:", *lines])


def _quoted(term: str) -> str:
    return f" {harmless_text(term, 60)!r}"
