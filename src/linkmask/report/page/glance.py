"""Sums up what was masked, what an attacker still gets, and what a reader lost."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from linkmask.report.exposure import exposure_shares
from linkmask.report.page.cells import PageData
from linkmask.report.pictures import bar
from linkmask.report.wording import count, percent, risk

STYLE = """\
.glance {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
  gap: .8rem; margin: .8rem 0;
}
.glance > div {
  background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: .7rem 1rem; break-inside: avoid;
}
.glance h3 { margin: 0; color: var(--soft); font-size: .95rem; }
.glance p { margin: .5rem 0 0; font-size: .93rem; }
.glance .number {
  margin: .1rem 0; font-size: 1.7rem; line-height: 1.3; font-variant-numeric: tabular-nums;
}
@media print { .glance { grid-template-columns: repeat(3, 1fr); } }
"""


def glance(data: PageData) -> list[dict[str, Any]]:
    """Return three statements, each with a number, a bar and a sentence; none without a plan."""
    if data.plan is None or not data.incidence.n_documents:
        return []
    return [_masked(data), _attacker(data), _reader(data)]


def _masked(data: PageData) -> dict[str, Any]:
    counts = data.audit.counts
    masked, every = counts["masked_entities"], counts["entities"]
    places = counts["masked_mentions"]
    where = f", in {count(places, 'place')} of the texts" if places else ""
    return _card(
        "What was masked",
        f"{masked:,} of {every:,}",
        masked / every if every else 0.0,
        "document",
        f"distinct values are masked{where}. “What was masked” says which types, and why.",
    )


def _attacker(data: PageData) -> dict[str, Any]:
    audit, held = data.audit, data.incidence
    exposed = float(exposure_shares(held)[~data.masked].sum())
    after = data.plan.after if data.plan is not None else data.before.documents
    limit = audit.settings["theta_doc"]
    state = audit.risk["after"]
    linked = f" {count(state['links'], 'pair')} of documents are linked by values." if state else ""
    return _card(
        "What an attacker still gets",
        percent(exposed),
        exposed,
        "floor",
        "of what the unmasked documents give away is readable (exposure). The riskiest document "
        f"has risk {risk(float(after.max(initial=0.0)), limit)} of 1.{linked}",
    )


def _reader(data: PageData) -> dict[str, Any]:
    counts, characters = data.audit.counts, data.audit.input.get("characters", 0)
    gone = counts["masked_characters"]
    if not (characters and gone):
        masked = int(data.incidence.frequency[data.masked].sum())
        every = data.incidence.n_mentions
        share, of = masked / every if every else 0.0, "of the pairs of a value and a document"
    else:
        share, of = gone / characters, f"of {characters:,} characters"
    return _card(
        "What a reader lost",
        percent(share),
        share,
        "chain",
        f"{of} were written over; all other text is as it was.",
    )


def _card(title: str, number: str, share: float, kind: str, words: str) -> dict[str, Any]:
    part = round(1000 * min(max(share, 0.0), 1.0))
    picture = bar([(kind, part), ("kept", 1000 - part)], 1000)
    return {"title": title, "number": number, "words": words, "bar": Markup(picture)}  # noqa: S704
