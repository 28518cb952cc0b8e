"""Writes the head of the report page: one sentence, a verdict, counts, caveats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkmask.report.answer_wording import answer_lines
from linkmask.report.editions import edition_lines
from linkmask.report.linker_wording import above_link_limit, found_lines
from linkmask.report.page.cells import LEVELS, PageData
from linkmask.report.wording import (
    WHERE,
    above_share,
    are_read_again,
    count,
    detection_caveat,
    harmless_text,
    ids_repeat,
    in_uncovered_languages,
    names_hold_values,
    singled_out,
)

EDITIONS = 20
"""Editions that are listed, the last ones."""


def lead(data: PageData) -> str:
    """Say in one sentence what was done."""
    n, counts = data.incidence.n_documents, data.audit.counts
    documents = count(n, "document")
    if data.plan is None:
        found = count(counts["entities"], "entity", "entities")
        return f"{documents} scored, {found} found; nothing was masked."
    all_ = count(counts["entities"], "entity", "entities")
    share = f"{counts['masked_entities']:,} of {all_} masked in {documents}"
    if not n:
        return "There was no document to mask."
    if counts["released"] == n and not counts["set_aside"]:
        return f"{share}; all of them released."
    return f"{share}; {counts['released']:,} released, {counts['set_aside']:,} set aside."


def verdict(data: PageData) -> dict[str, Any]:
    """Say first whether the corpus lies under the limits, and what stands against it."""
    aside, checked = data.audit.counts["set_aside"], bool(data.audit.verify["checked"])
    if not data.incidence.n_documents and aside:
        sentence = f"Every document was set aside and none released: {aside:,}."
        return _verdict("bad", "Nothing released", [sentence])
    if not data.incidence.n_documents:
        return _verdict("calm", "Nothing to mask", ["The input holds no document."])
    if data.plan is None:
        lines = [*_before_masking(data), " ".join(detection_caveat(False))]
        return _verdict("calm", "Scan only: nothing was masked", lines)
    unmet, blocked = _unmet(data), bool(data.audit.risk["blocked_pairs"])
    lines = [*unmet, *_not_compared(data)]
    lines += [*found_lines(data.audit.linkage), singled_out(data.audit.singling_out)]
    lines += [] if unmet else [_met(data)]
    lines += answer_lines(data.audit.answers)
    lines += [*_set_aside(data.audit.counts), *_verified(data), " ".join(detection_caveat(checked))]
    if unmet or any(above_link_limit(data.audit.linkage)):
        return _verdict("bad", "Not under the limits", lines)
    if blocked:
        return _verdict("bad", "Not shown to be under the limits", lines)
    if aside:
        return _verdict("warn", "Under the limits, with documents set aside", lines)
    if data.audit.counts["parts_left_out"]:
        return _verdict("warn", "Under the limits, with parts of documents left out", lines)
    if not checked:
        return _verdict("warn", "Under the limits, not verified", lines)
    return _verdict("good", "Under the limits", lines)


def _before_masking(data: PageData) -> list[str]:
    limits, before = data.audit.risk["limits"], data.before.chains.counts
    high, medium = before.get("HIGH", 0), before.get("MEDIUM", 0)
    over = data.audit.risk["before"]["documents_over"]
    return [
        f"{count(over, 'document')} at or over the limit of {limits['theta_doc']:g}.",
        f"{count(high + medium, 'chain')} at HIGH or MEDIUM risk.",
    ]


def _unmet(data: PageData) -> list[str]:
    """Return a line for documents, and one for chains, that lie over their limits."""
    risk, lines = data.audit.risk, []
    if documents := risk["unmet_documents"]:
        limit = risk["limits"]["theta_doc"]
        lines.append(f"{count(documents, 'document')} at or over the limit of {limit:g}.")
    if chains := risk["unmet_chains"]:
        least = "" if risk["all_unmet_chains_listed"] else "At least "
        lines.append(f"{least}{count(chains, 'chain')} above target.")
    return lines


def _not_compared(data: PageData) -> list[str]:
    if not (blocked := data.audit.risk["blocked_pairs"]):
        return []
    return [f"{count(blocked, 'pair')} of documents were not compared: raise group_budget."]


def _met(data: PageData) -> str:
    limits, blocked = data.audit.risk["limits"], data.audit.risk["blocked_pairs"]
    return (
        f"Every document lies below {limits['theta_doc']:g}; "
        f"every chain{' that was found' if blocked else ''} is at or below its target "
        f"(at most {limits['theta_chain']:g})."
    )


def _set_aside(counts: Mapping[str, int]) -> list[str]:
    """Say how many documents are not released, and how many parts of those that are."""
    lines = ["No document was set aside."]
    if aside := counts["set_aside"]:
        lines = [f"{count(aside, 'document')} set aside and not released: see below."]
    if parts := counts["parts_left_out"]:
        lines.append(f"{count(parts, 'part')} of released documents left out: see below.")
    return lines


def _verified(data: PageData) -> list[str]:
    """Return what verification says of the written documents, where it saw no leftover."""
    checked = data.audit.verify
    if not checked["checked"]:
        return ["The written documents were not verified."]
    if checked["blocking"]:
        return []
    lines = ["Verification found no masked value left in what was released."]
    if new := checked["findings"].get("new-value"):
        lines.append(
            f"It found something new in the masked text ({count(new, 'finding')} of kind "
            f"new-value), which blocks no release: {WHERE}"
        )
    return lines


def _verdict(kind: str, word: str, lines: list[str]) -> dict[str, Any]:
    return {"kind": kind, "word": word, "lines": lines}


def counts(data: PageData) -> list[tuple[str, str, str]]:
    """Return tiles: label, number, and a word more."""
    c, audit = data.audit.counts, data.audit
    tiles = [
        ("Documents", f"{c['documents']:,}", _size(audit.input.get("characters", 0))),
        ("Entity–document pairs", f"{c['mentions']:,}", "an entity in a document, once"),
        ("Entities", f"{c['entities']:,}", "distinct values"),
    ]
    if data.plan is None:
        levels = audit.risk["before"]["levels"]
        levels_listed = ", ".join(f"{levels.get(level, 0):,} {level}" for level in LEVELS)
        return [
            *tiles,
            ("Links", f"{c['links']:,}", "pairs of documents"),
            ("Chains", f"{c['chains']:,}", levels_listed),
        ]
    share = f"{c['masked_entities'] / c['entities']:.0%} of all" if c["entities"] else ""
    spans = f"{count(c['masked_mentions'], 'place')} in the text" if c["masked_mentions"] else ""
    return [
        *tiles,
        ("Masked entities", f"{c['masked_entities']:,}", ", ".join(filter(None, (share, spans)))),
        ("Released", f"{c['released']:,}", "documents"),
        ("Set aside", f"{c['set_aside']:,}", "documents"),
        ("Links left", *_from(c["links"], _links_left(data))),
        ("HIGH, MEDIUM chains", *_from(*_flagged(data))),
    ]


def _from(before: int, after: int | None) -> tuple[str, str]:
    return ("–", f"{before:,} before") if after is None else (f"{after:,}", f"from {before:,}")


def _size(characters: int) -> str:
    return f"{characters:,} characters" if characters else ""


def _links_left(data: PageData) -> int | None:
    """Links still at or above the threshold."""
    after = data.audit.risk["after"]
    return None if after is None else int(after["links"])


def _flagged(data: PageData) -> tuple[int, int | None]:
    now, then = (
        None
        if state is None
        else state.chains.counts.get("HIGH", 0) + state.chains.counts.get("MEDIUM", 0)
        for state in (data.before, data.after)
    )
    return now or 0, then


def notes(data: PageData) -> list[str]:
    """Say what narrows the numbers: dropped rows, pairs not looked at, chains not listed."""
    c, lines = data.audit.counts, list[str]()
    if len(data.audit.editions) > 1:
        lines += edition_lines(data.audit.editions)[:EDITIONS]
    for reason, n in sorted(c.get("dropped", {}).items()):
        if n:
            lines.append(
                f"{count(n, 'mention')} dropped on reading: {harmless_text(str(reason), 80)}."
            )
    if data.before.links.blocked:
        lines.append(
            f"{count(data.before.links.blocked, 'pair')} of documents that share the same "
            "common values were not compared, because their group is too large (group_budget)."
        )
    if not data.before.chains.complete:
        lines.append(
            "Chains were counted, not all listed: pictures show the listed ones, levels all."
        )
    if c["leaking_documents"]:
        lines.append(names_hold_values(c["leaking_documents"]))
    if repeated := c.get("repeated_ids"):
        lines.append(ids_repeat(repeated))
    if forgotten := c.get("forgotten_documents"):
        lines.append(are_read_again(forgotten))
    if above := c.get("above_readable_share"):
        lines.append(f"{above_share(above, data.audit.settings['readable_share'])}.")
    if languages := c.get("uncovered_languages"):
        lines.append(in_uncovered_languages(languages))
    if fields := c.get("excluded_fields"):
        names = ", ".join(harmless_text(str(name), 60) for name in fields[:20])
        lines.append(f"Excluded fields, copied as they are: {names}.")
    return lines
