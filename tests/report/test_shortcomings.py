"""What a run fell short of, and what follows for the exit status."""

from __future__ import annotations

from dataclasses import replace

from linkmask.report.shortcomings import shortcomings


def test_a_run_under_its_limits_falls_short_of_nothing(small):
    assert list(shortcomings(small.audit())) == []


def test_documents_set_aside_count_always_and_limits_unless_they_are_allowed(small, aside):
    found = list(shortcomings(small.unmet().audit(set_aside=aside)))
    assert [one.effect for one in found] == ["set_aside", "unmet"]
    assert found[0].line == "Set aside: 2 (1 × not valid JSON, …): see set-aside.jsonl"
    assert found[1].line == "Over their limit: 1 document or chain, listed in plan.json"


def test_what_the_release_before_masked_counts_unless_it_was_kept_by_hand(small):
    row, audit = {"by_hand": False}, small.audit()

    def told(since: str, **changed: bool) -> list[str]:
        changes = {"since": since, "readable": [{**row, **changed}]}
        return [one.line[:29] for one in shortcomings(replace(audit, changed=changes))]

    assert told("release") == ["Readable now, masked in the r"]
    assert told("release", by_hand=True) == told("plan") == []


def test_what_a_model_left_in_doubt_and_ids_of_nobody_are_notes_alone(small):
    audit = small.audit()
    audit = replace(audit, counts=audit.counts | {"unknown_ids": 2}, model={"review": ["a1"]})
    assert [one.effect for one in shortcomings(audit)] == ["note", "note"]
