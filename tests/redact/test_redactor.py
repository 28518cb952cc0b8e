"""From a document, its mentions and the masked entities to a masked document."""

import pytest

from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.records import CONTENT, Document, Mention, Why, entity_id
from linkmask.redact import Redactor, Target


def mention(text: str, original: str, kind: str, field: str = CONTENT, value: str = "") -> Mention:
    start = text.index(original)
    value = value or original.casefold()
    end = start + len(original)
    return Mention("d", field, start, end, kind, original, value, 0.9, Why("test"))


def targets(*pairs: tuple[str, str]) -> dict[str, Target]:
    """Targets of one surface each, given as (type, surface)."""
    return {entity_id(s.casefold(), kind): Target(kind, [s]) for kind, s in pairs}


DOCUMENTS = Settings(scope="documents")


def test_a_number_is_not_cut_out_of_a_longer_one() -> None:
    """SPEC §14.9: masking 52 leaves 152 and 52.5 mg alone."""
    text = "At 52 he took 152 pills of 52.5 mg, weighed 1,52 and was 52."
    redactor = Redactor(targets(("AGE", "52")), DOCUMENTS)
    masked = redactor(Document("d", text), [mention(text, "52", "AGE")])
    assert masked.content == ("At [AGE] he took 152 pills of 52.5 mg, weighed 1,52 and was [AGE].")


def test_values_with_punctuation_at_their_edges_are_found() -> None:
    """SPEC §14.9: "#77382" and "50+" are replaced, which `\\b` would miss."""
    text = "Claim #77382 is for the 50+ group, not #773820 or A#77382."
    pairs = [("NON_PERSONAL_ID", "#77382"), ("AGE", "50+")]
    found = [mention(text, s, kind) for kind, s in pairs]
    masked = Redactor(targets(*pairs), DOCUMENTS)(Document("d", text), found)
    assert masked.content == (
        "Claim [NON_PERSONAL_ID] is for the [AGE] group, not #773820 or A#77382."
    )


def test_the_longest_of_nested_values_wins_and_a_second_run_changes_nothing() -> None:
    """SPEC §14.9: nested values take the longest; masking twice changes nothing."""
    redactor = Redactor(
        targets(("LOCATION", "Potrero"), ("PROVIDER", "Potrero Hill Clinic")), Settings()
    )
    masked = redactor(Document("d", "The Potrero Hill  Clinic in POTRERO."), [])
    assert masked.content == "The [PROVIDER] in [LOCATION]."
    again = redactor(Document("d", masked.content), [])
    assert again.content == masked.content and not again.replacements


def test_a_mention_that_does_not_stand_where_it_should_stops_the_document() -> None:
    """A text that changed since the scan is never masked at the wrong places."""
    redactor = Redactor(targets(("NAME", "Ann Field")), Settings())
    with pytest.raises(RunError) as error:
        redactor(Document("d", "Xnn Field"), [mention("Ann Field", "Ann Field", "NAME")])
    assert "Field" not in str(error.value)


def test_metadata_is_masked_by_the_same_plan_and_keeps_its_shape() -> None:
    """Nested texts and numbers are masked, excluded and untouched fields stay as they are."""
    metadata = {
        "patient": {"name": "Ann Field", "id": 4471882, "visits": [1, "Ann Field", None, True]},
        "format": "Ann Field",
    }
    pairs = [("NAME", "Ann Field"), ("PATIENT_ID", "4471882")]
    masked = Redactor(targets(*pairs), Settings())(Document("d", "No one.", metadata), [])
    assert masked.metadata == {
        "patient": {"name": "[NAME]", "id": "[PATIENT_ID]", "visits": [1, "[NAME]", None, True]},
        "format": "Ann Field",
    }
    assert [r.field for r in masked.replacements] == [
        "metadata/patient/name", "metadata/patient/id", "metadata/patient/visits/1",
    ]  # fmt: skip
    assert metadata["patient"]["id"] == 4471882
