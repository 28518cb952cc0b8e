"""What generalization writes never holds a value that is masked, and sets no document aside."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkmask
from linkmask import commands, config
from linkmask.config import Settings
from linkmask.records import Document, entity_id

NAMES = ("January", "March", "May", "July", "September", "November")
FORMS = ("{y}-{m:02}-{d:02}", "{d}.{m}.{y}", "{name} {d}, {y}", "{d} {name} {y}", "{name} {y}")
YEARS = (2019, 2020, 2021)


def written(form: str, year: int, month: int, day: int) -> str:
    return form.format(y=year, m=2 * month + 1, d=day, name=NAMES[month])


DATES = st.builds(
    written,
    st.sampled_from(FORMS),
    st.sampled_from(YEARS),
    st.integers(0, len(NAMES) - 1),
    st.integers(1, 28),
)
NOTES = st.builds(
    "Otto Brandvold was treated on {} for asthma in {}.".format,
    DATES,
    st.one_of(DATES, st.sampled_from([str(year) for year in YEARS])),
)


def chosen(**overrides: object) -> Settings:
    return config.load(overrides={"workers": 1, **overrides}, environment={})


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    texts=st.lists(NOTES, min_size=2, max_size=5),
    masked=st.sets(st.sampled_from(YEARS)),
    limit=st.sampled_from((0.05, 0.3, 0.9)),
)
def test_whatever_dates_and_limits_no_coarser_form_sets_a_document_aside(
    texts: list[str], masked: set[int], limit: float
) -> None:
    """No document is left behind, and no year that is masked can be read in one."""
    documents = [Document(f"d{n}", text) for n, text in enumerate(texts)]
    years = {year for year in masked if any(text.endswith(f"in {year}.") for text in texts)}
    always = tuple(entity_id(str(year), "EVENT_DATE", "::") for year in sorted(years))
    result = linkmask.mask(documents, chosen(theta_doc=limit, always_mask=always))
    released = list(result.documents)
    assert [one.id for one in released] == [one.id for one in documents]
    assert not result.set_aside
    for one in released:
        assert not [year for year in years if re.search(rf"\b{year}\b", one.content)]


BARE = "Patient Anna Roth was treated in 2021 for asthma."
DATED = "Claim by Otto Brandvold, treated on 2021-03-14 for asthma."
YEAR = (entity_id("2021", "EVENT_DATE", "::"),)


@pytest.mark.parametrize(
    ("own", "left"),
    [
        ({}, "[EVENT_DATE]"),
        ({"styles": {"EVENT_DATE": "generalization:quarter"}}, "[EVENT_DATE]"),
        ({"styles": {"EVENT_DATE": "redact"}}, "[REDACTED]"),
    ],
)
def test_a_date_whose_month_would_show_a_masked_year_is_masked_whole(
    own: dict[str, object], left: str
) -> None:
    documents = [Document("a", BARE), Document("b", DATED)]
    result = linkmask.mask(documents, chosen(always_mask=YEAR, **own))
    assert f"treated on {left} for" in list(result.documents)[1].content


def test_an_opened_run_masks_such_a_date_as_the_release_did(tmp_path: Path) -> None:
    rows = [{"id": f"d{n}", "content": text} for n, text in enumerate((BARE, DATED))]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    commands.mask_files(tmp_path / "in.jsonl", tmp_path / "out", chosen(always_mask=YEAR))
    masker = linkmask.open(tmp_path / "out")
    assert "treated on [EVENT_DATE] for" in list(masker.mask_documents(rows))[1].content
    asked = masker.mask_text("Who was treated on 2021-03-14, who on 2021-05-02?").text
    assert "2021" not in asked


def test_a_date_that_a_line_end_or_a_blank_line_breaks_is_one_date() -> None:
    """So its year is no value by itself; a year that begins an address is none of a date."""
    texts = ["Seen on November 8,\n2021 for asthma.", "Seen on November 8,\n\n2021 for asthma."]
    documents = [Document(f"d{n}", text) for n, text in enumerate(texts)]
    released = [one.content for one in linkmask.mask(documents, chosen()).documents]
    assert released == ["Seen in November 2021 for asthma."] * 2
    letter = Document("a", "November 8,\n\n2021 Main Street\nDuluth")
    (found,) = linkmask.mask([letter], chosen()).documents
    assert found.content.startswith("November,\n\n[ADDRESS]")


def test_the_first_line_of_a_message_in_a_mailbox_is_as_coarse_as_its_date() -> None:
    """The time stands between day and year there; the line told the day that the header hid."""
    mail = (
        "From a@example.org Tue May  4 10:21:33 2021\nDate: Tue, 04 May 2021 10:21:33 +0000\n\n"
        "Dr. Ann Field has asthma."
    )
    (found,) = linkmask.mask([Document("a", mail)], chosen(policy=["hipaa"])).documents
    first, header, *_ = found.content.splitlines()
    assert (first, header) == ("From [REDACTED] 2021", "Date: 2021 10:21:33 +0000")


@pytest.mark.parametrize("style", ["value", "pseudonym"])
@pytest.mark.parametrize("limit", [0.5, 0.6, 0.7, 0.8])
def test_a_month_with_days_of_it_in_other_documents_sets_no_document_aside(
    limit: float, style: str
) -> None:
    """Where the style shows no month for these days, one document alone holds the month."""
    texts = {
        "a": "In September 2023 the patient was a 64-year-old male with sciatica.",
        "b": "He was seen on September 14, 2023 for a cough.",
        "c": "Nothing to report.",
        "d": "The form was sent.",
        "e": "The claim was paid.",
    }
    documents = [Document(name, text) for name, text in texts.items()]
    result = linkmask.mask(documents, chosen(theta_doc=limit, style=style))
    assert [one.id for one in result.documents] == list(texts)
    assert not result.set_aside


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ms. Anna Roth was seen on Monday, March 4, 2024 for asthma.", "in March 2024 for"),
        ("Sent: Mon, 4 Mar 2024. Ms. Anna Roth has asthma.", "Sent: March 2024."),
        ("Mme Anna Roth, vue jeudi 7 mars 2024 pour asthme.", "vue mars 2024 pour"),
        ("La señora Anna Roth vino el lunes 4 de marzo de 2024 por asma.", "en marzo de 2024 por"),
    ],
)
def test_no_weekday_stays_beside_the_month_of_a_date(text: str, left: str) -> None:
    """A month and a weekday leave four or five days."""
    (released,) = linkmask.mask([Document("a", text)], chosen()).documents
    assert left in released.content
