"""The summary in the terminal: verdict, risks, what was masked, in 80 columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from rich.console import Console

from linkmask.report.terminal import findings_table, progress, summary


def printed(renderable, width=80):
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


def test_summary_leads_with_the_verdict_and_fits_80_columns(small):
    text = printed(summary(small.audit()))
    assert text.splitlines()[0].strip() == "Under the limits"
    assert "The check looks for what was detected, and not what detection misses." in text
    assert "Read a random sample: linkmask review." in text
    assert "4 documents, 4 entities; 2 masked, 5 places" in text
    assert "chain stage: 1 entity, proven minimal (cover)" in text
    assert max(map(len, text.splitlines())) <= 80


def test_summary_counts_links_that_still_hold(small):
    rows = [line.split() for line in printed(summary(small.audit())).splitlines()]
    assert ["links", "1", "0"] in rows
    assert ["all", "types", "1", "0", "1", "2"] in rows


def test_summary_counts_documents_that_few_people_fit_beside_the_links(small):
    found = small.audit().singling_out
    rows = [line.split() for line in printed(summary(small.audit())).splitlines()]
    numbers = [str(found["before"]), str(found["after"])]
    assert ["documents", "that", "fit", "under", "5", "people", *numbers] in rows


def test_summary_says_what_became_of_the_chains_of_before(small):
    """One chain: 0.676 before masking, 0.116 now; were the place masked too, 0."""
    text = printed(summary(small.audit()))
    assert "the same chains after masking: 1 between 0.116 and 0.116" in text
    chains = replace(small.after.chains, risk=np.zeros(1))
    gone = replace(small, after=replace(small.after, chains=chains))
    assert "the same chains after masking: 1 has risk 0 now" in printed(summary(gone.audit()))


def test_summary_says_what_stands_against_a_release(small, aside):
    text = printed(summary(small.unmet().audit(set_aside=aside, findings=None)))
    assert "Not under the limits: 1 limit not met, 2 documents set aside, not verified" in text


def test_summary_does_not_call_pairs_under_the_limits_that_were_not_compared(small):
    links = replace(small.before.links, blocked=12)
    text = printed(summary(replace(small, before=replace(small.before, links=links)).audit()))
    assert "Not shown to be under the limits: 12 pairs not compared" in text


def test_summary_of_a_scan_masks_nothing(small):
    text = printed(summary(small.audit(planned=False)))
    assert "The scores count what was detected" in text
    assert "Scanned only: nothing was masked" in text
    assert "after" not in text


def test_summary_of_large_numbers_still_fits(small):
    made = small.audit()
    counts = {**made.counts, "documents": 1_000_000, "entities": 9_876_543}
    text = printed(summary(replace(made, counts=counts)))
    assert "1,000,000 documents" in text
    assert max(map(len, text.splitlines())) <= 80


def test_summary_holds_no_value(small):
    text = printed(summary(small.audit())).lower()
    assert not any(mention.original.lower() in text for mention in small.mentions)


def test_summary_counts_one_of_anything_as_one(small):
    made = small.audit()
    counts = {**made.counts, "documents": 1, "entities": 1, "masked_mentions": 1}
    assert "1 document, 1 entity; 2 masked, 1 place\n" in printed(
        summary(replace(made, counts=counts))
    )


def test_summary_says_what_was_decided_by_hand_and_where_it_is_counted(small):
    made = small.audit()
    assert "by hand" not in printed(summary(made))
    settings = {**made.settings, "always_mask": ["a", "b"], "never_mask": ["c"]}
    text = printed(summary(replace(made, settings=settings)))
    assert "masked by hand or as an earlier run (always_mask): 2" in text
    assert "left by hand (never_mask): 1, counted under kept" in text


def test_summary_of_a_plan_that_was_kept_names_no_solver(small):
    made = small.audit()
    size = {**made.masked["size"], "proven": False, "solver": "kept"}
    text = printed(summary(replace(made, masked={**made.masked, "size": size})))
    assert "chain stage: 1 entity, as the plan has it" in text
    assert "(kept)" not in text


def test_findings_say_what_they_mean_and_how_to_list_them(findings):
    text = printed(findings_table(findings))
    assert "risk: the risk recomputed from the masked text" in text
    assert "linkmask verify OUT --json says in which documents" in text
    assert "None of these blocks" not in text
    harmless = [one for one in findings if not one.blocking]
    assert "None of these blocks the release" in printed(findings_table(harmless))
    assert "--json" not in printed(findings_table([]))


def test_findings_are_counted_by_kind(findings):
    rows = [line.split() for line in printed(findings_table(findings)).splitlines()]
    assert ["leftover", "1", "1", "yes"] in rows
    assert ["risk", "1", "1", "no"] in rows
    assert "none" in printed(findings_table([]))


def test_silent_progress_prints_nothing(capsys):
    with progress(silent=True) as show:
        show("detect", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_the_words_of_the_summary_are_explained_beside_them(small):
    lines = printed(summary(small.audit())).splitlines()
    assert any(line.startswith(" floor: always masked; document, chain: masked") for line in lines)
    assert any(line.startswith(" link: two documents that share values") for line in lines)
    assert any(line.startswith(" chain: documents joined by links; HIGH from") for line in lines)
    assert max(map(len, lines)) <= 80
