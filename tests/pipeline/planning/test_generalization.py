"""Exact dates, named bodies and places are written coarser by rule, whatever the corpus holds."""

import json

import pytest

import linkmask
from linkmask import commands, config
from linkmask.pipeline.planning.generalization import is_exact
from linkmask.records import Document, entity_id

NOTE = (
    "Ottoline Brandvold was seen at Harbor Recovery Clinic in Denver, CO on March 12, 2024 for "
    "asthma. She comes back in May 2024."
)
PLAIN = "The plan renews on January 1, 2025. No person is named here."


def masked(*texts: str, **settings: object) -> list[str]:
    documents = [Document(f"d{n}", text) for n, text in enumerate(texts)]
    chosen = config.load(overrides={"workers": 1, **settings}, environment={})
    return [one.content for one in linkmask.mask(documents, chosen).documents]


def test_exact_dates_clinics_and_places_are_written_coarser_by_default() -> None:
    [text] = masked(NOTE)
    assert "at a clinic in Colorado in March 2024" in text
    assert "Brandvold" not in text


FACTS = "Ottoline Brandvold, a divorced electrician, was seen for asthma. She broke her leg."


def test_what_is_said_of_a_person_is_written_as_its_type_by_default() -> None:
    """Demographics, occupations and events go; a common condition is left to the limits."""
    text = masked(FACTS, theta_doc=1.0, theta_chain=1.0)[0]
    assert "divorced" not in text
    assert "[INDIRECT_IDENTIFIER]" in text
    assert "for asthma" in text
    assert "divorced electrician" in masked(FACTS, generalize={}, theta_doc=1.0)[0]


def test_the_mask_of_an_added_fact_does_not_tell_what_the_corpus_holds() -> None:
    line = "Ottoline Brandvold is a divorced electrician."
    held, absent = masked(FACTS, FACTS, line)[-1], masked(PLAIN, PLAIN, line)[-1]
    assert held == absent
    assert "electrician" not in held


@pytest.mark.parametrize(("condition", "stays"), [("asthma", True), ("glioblastoma", False)])
def test_a_condition_that_few_people_have_goes_whatever_the_corpus_holds(
    condition: str, stays: bool
) -> None:
    line = f"Ottoline Brandvold was seen for {condition}."
    for others in ((), (line, line), (PLAIN, PLAIN)):
        text = masked(*others, line, theta_doc=1.0, theta_chain=1.0)[-1]
        assert (condition in text) == stays


def test_a_quantity_and_a_text_about_nobody_are_left_to_the_limits() -> None:
    chosen = config.load(environment={})
    left = [is_exact("INDIRECT_IDENTIFIER", text, text, chosen) for text in ("pilot", "14 to 8")]
    assert left == [True, False]
    assert "electrician" in masked("The electrician connects the earth wire first.")[0]


def test_a_value_that_is_coarse_already_is_left_to_the_limits() -> None:
    assert "in May 2024" in masked(NOTE)[0]


def test_an_exact_date_that_cannot_be_written_coarser_goes_whole() -> None:
    """The year of 1923 tells an age of 90 or more; the other form is no date that is read."""
    old = "Ottoline Brandvold was admitted on September 19, 1923."
    assert masked(old, theta_doc=1.0)[0].endswith("on [EVENT_DATE].")
    torn = "Ottoline Brandvold was admitted on 10 / 03 | 2020, left 12 March 2020."
    assert "on [EVENT_DATE], left March 2020" in masked(torn, theta_doc=1.0)[0]


def test_the_mask_of_an_added_line_does_not_tell_what_the_corpus_holds() -> None:
    """Who adds a line about a clinic, a place or a day reads the same with and without them."""
    line = "She went to Harbor Recovery Clinic in Denver, CO on March 12, 2024."
    held, absent = masked(NOTE, NOTE, line)[-1], masked(PLAIN, PLAIN, line)[-1]
    assert held == absent == "She went to a clinic in Colorado in March 2024."


def test_preset_thesis_generalizes_nothing() -> None:
    settings = config.load(preset="thesis", environment={})
    assert settings.generalize == {}
    assert not settings.generalized


def test_generalize_is_a_setting_by_type_and_a_type_with_a_style_of_its_own_keeps_that() -> None:
    assert "March 12, 2024" in masked(NOTE, generalize={})[0]
    assert "on [REDACTED] for" in masked(NOTE, styles={"EVENT_DATE": "redact"})[0]
    quarters = {"EVENT_DATE": "generalization:quarter"}
    quarter = masked(NOTE, generalize=quarters, theta_doc=1.0)[0]
    assert "in Q1 2024" in quarter
    assert "Harbor Recovery Clinic" in quarter


def test_what_a_person_decided_on_is_not_written_coarser() -> None:
    clinic = entity_id("harbor recovery clinic", "PROVIDER", "::")
    assert "at [PROVIDER] in" in masked(NOTE, always_mask=(clinic,))[0]
    assert "at Harbor Recovery Clinic in" in masked(NOTE, never_mask=(clinic,))[0]


def test_a_policy_that_demands_a_technique_of_its_own_prevails() -> None:
    text = masked(NOTE, policy=("hipaa",))[0]
    assert "March" not in text
    assert "2024" in text


def test_an_opened_run_writes_documents_and_questions_as_coarse_as_the_release(tmp_path) -> None:
    """A question tells as little of an unknown clinic, place or day as of a known one."""
    rows = [{"id": f"d{n}", "content": text} for n, text in enumerate((NOTE, PLAIN))]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    settings = config.load(overrides={"workers": 1}, environment={})
    commands.mask_files(tmp_path / "in.jsonl", tmp_path / "out", settings)
    (file,) = (tmp_path / "out" / "documents").iterdir()
    released = [json.loads(line)["content"] for line in file.read_text().splitlines()]
    masker = linkmask.open(tmp_path / "out")
    assert [one.content for one in masker.mask_documents(rows)] == released
    assert "at a clinic in Colorado in March 2024" in released[0]
    asked = "Who went to {} on {}?"
    known = masker.mask_text(asked.format("Harbor Recovery Clinic", "March 12, 2024")).text
    unknown = masker.mask_text(asked.format("Alder Creek Clinic", "March 19, 2024")).text
    assert known == unknown == "Who went to a clinic in March 2024?"


def test_a_style_that_can_be_undone_writes_these_values_as_any_other() -> None:
    text = masked(NOTE, style="pseudonym")[0]
    assert "[PROVIDER_" in text
    assert "[EVENT_DATE_" in text


@pytest.mark.parametrize(
    ("rare_terms", "written"), [(0, ", 47, a|on [EVENT_DATE]."), (5, "[AGE], a|in July 2024.")]
)
def test_the_limits_count_what_is_left_of_a_date_and_mask_it_whole_where_they_need_to(
    rare_terms: int, written: str
) -> None:
    """Dates of one month are one value to the limits; nothing over a limit is released.

    The age is a rare value that one document would show alone, so that it is rarer to whoever
    counts again: it is masked in all, and the months may stay.
    """
    days = {3: "rituximab", 9: "prednisone", 17: "methotrexate", 24: "infliximab"}
    texts = [
        f"Ms. Holt, 47, a beekeeper with sarcoidosis, was given {drug} on July {day}, 2024."
        for day, drug in days.items()
    ]
    texts += [f"Coverage of plan {n} is limited to {n} sessions a year." for n in range(8)]
    limits = {"theta_doc": 0.5, "theta_chain": 0.2, "edge_threshold": 0.1}
    settings = limits | {"rare_terms": rare_terms}
    documents = [Document(f"d{n}", text) for n, text in enumerate(texts)]
    chosen = config.load(overrides={"workers": 1, **settings}, environment={})
    result = linkmask.mask(documents, chosen)
    released = [Document(one.id, one.content) for one in result.documents]
    for one in released[: len(days)]:
        assert all(part in one.content for part in written.split("|"))
    again = linkmask.scan(released, chosen)
    assert result.plan.met
    assert (again.risk.documents < 0.5).all()
    assert (again.risk.chains.risk <= 0.2 + 1e-9).all()
