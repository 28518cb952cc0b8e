"""From a document, its mentions and the masked entities to a masked document."""

import pickle

import pytest

from counted_work import lines_run
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.records import CONTENT, Document, Mention, Why, entity_id
from linkmask.redact import Redactor, Target, batch_size, searched_spellings
from linkmask.redact import value_index as values
from linkmask.redact.batch_size import batch_weight
from linkmask.workers import batches
from written_masks import mention, targets

WHY = Why("test")
DOCUMENTS = Settings(scope="documents")


def test_a_number_is_not_cut_out_of_a_longer_one() -> None:
    """formulas.md §16.9: masking 52 leaves 152 and 52.5 mg alone."""
    text = "At 52 he took 152 pills of 52.5 mg, weighed 1,52 and was 52."
    redactor = Redactor(targets(("AGE", "52")), DOCUMENTS)
    masked = redactor(Document("d", text), [mention(text, "52", "AGE")])
    assert masked.content == ("At [AGE] he took 152 pills of 52.5 mg, weighed 1,52 and was [AGE].")


def test_values_with_punctuation_at_their_edges_are_found() -> None:
    """formulas.md §16.9: "#77382" and "50+" are replaced, which `\\b` would miss."""
    text = "Claim #77382 is for the 50+ group, not #773820 or A#77382."
    pairs = [("NON_PERSONAL_ID", "#77382"), ("AGE", "50+")]
    found = [mention(text, s, kind) for kind, s in pairs]
    masked = Redactor(targets(*pairs), DOCUMENTS)(Document("d", text), found)
    assert masked.content == (
        "Claim [NON_PERSONAL_ID] is for the [AGE] group, not #773820 or A#77382."
    )


def test_the_longest_of_nested_values_wins_and_a_second_run_changes_nothing() -> None:
    """formulas.md §16.9: nested values take the longest; masking twice changes nothing."""
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
    excluded = frozenset({"metadata/format"})
    document = Document("d", "No one.", metadata, excluded=excluded)
    masked = Redactor(targets(*pairs), Settings())(document, [])
    assert masked.metadata == {
        "patient": {"name": "[NAME]", "id": "[PATIENT_ID]", "visits": [1, "[NAME]", None, True]},
        "format": "Ann Field",
    }
    assert [r.field for r in masked.replacements] == [
        "metadata/patient/name", "metadata/patient/id", "metadata/patient/visits/1",
    ]  # fmt: skip
    assert metadata["patient"]["id"] == 4471882


def test_stored_mentions_are_masked_even_where_no_search_would_look() -> None:
    """An age is masked where it was found; the same digits elsewhere are left alone."""
    text = "Aged 52, for 52 weeks."
    redactor = Redactor(targets(("AGE", "52")), Settings())
    masked = redactor(Document("d", text), [mention(text, "52", "AGE")])
    assert masked.content == "Aged [AGE], for 52 weeks."


def test_scope_documents_masks_only_where_the_entity_was_found() -> None:
    """The thesis's scope: the same value in another document stays."""
    redactor = Redactor(targets(("NAME", "Ann Field")), DOCUMENTS)
    text = "Ann Field met ann field."
    assert redactor(Document("d", text), [mention(text, "Ann Field", "NAME")]).content == (
        "[NAME] met [NAME]."
    )
    assert redactor(Document("other", text), []).content == text


def test_a_value_of_two_types_is_the_one_found_in_the_document_else_the_weightier() -> None:
    """Two masked entities may be written alike."""
    pairs = [("LOCATION", "Lindenhof"), ("NAME", "Lindenhof")]
    redactor = Redactor(targets(*pairs), Settings())
    assert redactor(Document("d", "At Lindenhof."), []).content == "At [NAME]."
    text = "At Lindenhof, lindenhof."
    found = [mention(text, "Lindenhof", "LOCATION")]
    assert redactor(Document("d", text), found).content == "At [LOCATION], [LOCATION]."


def test_crossing_values_are_covered_from_the_first_to_the_last_character() -> None:
    """If only the longer were masked, a part of the other would stay readable."""
    pairs = [("NAME", "Ann Field"), ("LOCATION", "Field Green Parc")]
    redactor = Redactor(targets(*pairs), Settings())
    assert redactor(Document("d", "Ann Field Green Parc."), []).content == "[LOCATION]."


def test_placeholders_in_a_text_are_kept_even_under_a_stored_mention() -> None:
    """What an earlier run wrote is neither masked again nor part of a value."""
    text = "See [NAME] Field and [EVENT_DATE_0a1b2c3d]."
    pairs = [("NAME", "[NAME] Field"), ("LOCATION", "name"), ("LOCATION", "0a1b2c3d")]
    masked = Redactor(targets(*pairs), Settings())(
        Document("d", text), [mention(text, "[NAME] Field", "NAME")]
    )
    assert masked.content == "See [NAME][NAME] and [EVENT_DATE_0a1b2c3d]."


def test_styles_can_be_set_by_type() -> None:
    styled = Settings(style="redact", styles={"NAME": "value"})
    redactor = Redactor(targets(("NAME", "Ann Field"), ("EMAIL", "a@b.org")), styled)
    assert redactor(Document("d", "Ann Field, a@b.org"), []).content == "[NAME], [REDACTED]"
    assert not redactor.reversible


def test_one_document_at_a_time_equals_many_at_once() -> None:
    redactor = Redactor(targets(("NAME", "Ann Field"), ("AGE", "52")), Settings())
    texts = ["Ann Field", "", "52 Ann Field 52", "none", "Ann", "Field"] * 60
    pairs = [(Document(str(n), text), []) for n, text in enumerate(texts)]
    assert [redactor(*pair) for pair in pairs] == list(redactor.many(pairs))


def test_a_redactor_can_be_sent_to_another_process() -> None:
    redactor = Redactor(targets(("NAME", "Ann Field")), Settings())
    copy = pickle.loads(pickle.dumps(redactor))
    assert copy(Document("d", "Ann Field"), []).content == "[NAME]"


def test_a_value_that_a_mask_sets_free_behind_a_hidden_character_is_masked() -> None:
    """One number, 4711<BOM>.4711, is two when its end is masked."""
    text = "4711\ufeff.4711"
    last = Mention("d", CONTENT, 6, 10, "PATIENT_ID", "4711", "4711", 0.9, Why("test"))
    redactor = Redactor({last.entity: Target(last.type, ["4711"])}, Settings(), key=b"k" * 32)
    assert redactor(Document("d", text), [last]).content.count("[PATIENT_ID]") == 2


def test_a_value_with_a_hidden_character_at_its_end_is_masked_where_it_stands_without() -> None:
    """The check for leftovers reads it so, too."""
    mention = Mention("d", CONTENT, 2, 7, "NAME", "ann \ufeff", "ann \ufeff", 0.9, Why("test"))
    known = {mention.entity: Target("NAME", ["ann \ufeff"])}
    masked = Redactor(known, Settings())(Document("d", "x ann \ufeffAnn Field"), [mention])
    assert masked.content == "x [NAME][NAME] Field"


@pytest.mark.parametrize("span", [(-10, -1), (3, 12), (0, 9)])
def test_a_mention_is_not_taken_for_what_stands_in_the_next_document(span: tuple[int, int]) -> None:
    """Documents are searched as one text; places outside of one's own are refused."""
    known = {entity_id("ann field", "NAME"): Target("NAME", ["Ann Field"], value="ann field")}
    stray = Mention("b", CONTENT, *span, "NAME", "Ann Field", "ann field", 0.9, WHY)
    texts = ["Ann Field", "no", "Ann Field"]
    pairs = [
        (Document(n, text), [stray] if n == "b" else [])
        for n, text in zip("abc", texts, strict=True)
    ]
    with pytest.raises(RunError):
        list(Redactor(known, Settings()).many(pairs))


def test_a_batch_is_full_by_documents_or_by_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few long texts are as much as many short ones."""
    monkeypatch.setattr(batch_size, "CHARACTERS", 10)
    texts = ["a", "b", "c", "d", "x" * 30, "y" * 9, "z" * 9, "e"]
    made = list(batches(texts, 10, lambda text: batch_weight(text, 3)))
    assert [len(batch) for batch in made] == [3, 2, 2, 1]


def test_a_bare_surname_that_was_not_seen_is_masked_with_its_capital_only() -> None:
    """Banks is somebody, banks are not; a surname seen as a mention goes in any case."""
    target = Target("NAME", ["Ann Banks"], ["Banks", "ann banks"])
    redactor = Redactor({"e": target}, Settings())
    text = "Banks, BANKS's, Bánks; the banks. ANN banks"
    masked = redactor(Document("d", text, {"tags": ["Banks", "banks"]}), [])
    assert masked.content == "[NAME], [NAME]'s, [NAME]; the banks. [NAME]"
    assert masked.metadata == {"tags": ["[NAME]", "banks"]}
    seen = Target("NAME", ["Ann Banks", "banks"], ["Banks"])
    assert Redactor({"e": seen}, Settings())(Document("d", "banks"), []).content == "[NAME]"


def test_a_value_in_italics_or_in_the_name_of_a_file_is_masked() -> None:
    known = targets(("NAME", "Ann Field"), ("PATIENT_ID", "SFH-419"))
    text = "_Ann Field_, __SFH-419__, scan_ann_field_2.pdf, A\u200bnn Field; annfield_x"
    masked = Redactor(known, Settings())(Document("d", text), [])
    assert masked.content == ("_[NAME]_, __[PATIENT_ID]__, scan_[NAME]_2.pdf, [NAME]; annfield_x")


def test_what_a_mask_makes_whole_beyond_an_accent_is_masked_too() -> None:
    mention = Mention("d", CONTENT, 0, 4, "PATIENT_ID", "4711", "4711", 0.9, Why("test"))
    known = {mention.entity: Target("PATIENT_ID", ["4711"])}
    masked = Redactor(known, Settings())(Document("d", "4711\u03014711"), [mention])
    assert masked.content == "[PATIENT_ID]\u0301[PATIENT_ID]"


def test_a_value_with_the_hash_of_a_masked_one_is_not_taken_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(values, "hash", lambda text: 7, raising=False)
    masked = {entity_id("52", "AGE"): Target("AGE", ["52"], value="52")}
    text = "52 and 61"
    found = [mention(text, "52", "AGE"), mention(text, "61", "AGE")]
    assert Redactor(masked, Settings())(Document("d", text), found).content == "[AGE] and 61"


def test_a_number_that_is_not_masked_stays_a_number() -> None:
    """Also where its digits are a value that is masked elsewhere only."""
    redactor = Redactor(targets(("PATIENT_ID", "4471882")), DOCUMENTS)
    masked = redactor(Document("d", "x", {"id": 4471882}), [])
    assert masked.metadata == {"id": 4471882} and not masked.replacements


def test_replacements_are_a_sequence_that_travels() -> None:
    """They are columns until somebody looks at one, or sends them to another process."""
    redactor = Redactor(targets(("NAME", "Ann Field")), Settings())
    text = "Ann Field, ANN FIELD"
    made = redactor(Document("d", text, {"by": "Ann Field"}), []).replacements
    assert [(one.field, one.start, one.text) for one in made] == [
        (CONTENT, 0, "[NAME]"), (CONTENT, 11, "[NAME]"), ("metadata/by", 0, "[NAME]"),
    ]  # fmt: skip
    assert len(made) == 3 and made[-1].type == "NAME"
    assert pickle.loads(pickle.dumps(made)) == list(made)


def test_initials_of_three_letters_are_looked_for_only_where_they_were_found() -> None:
    target = Target("PROVIDER", ["Tolling Vale Hospital"], ["TVH", "TVMH", "Tolling Vale"])
    assert searched_spellings({"e": target}, Settings()) == {
        "e": ["Tolling Vale Hospital", "TVMH", "Tolling Vale"]
    }
    seen = Target("PROVIDER", ["Tolling Vale Hospital", "TVH"], ["TVH"])
    assert "TVH" in searched_spellings({"e": seen}, Settings())["e"]


def test_each_field_of_a_wide_record_is_masked_by_itself() -> None:
    """Four times the fields take about four times the work, counted in lines of code run."""
    redactor = Redactor(targets(("AGE", "52")), Settings())

    def work(n: int) -> int:
        document = Document("d", "Aged.", {f"age {i}": "52 years" for i in range(n)})
        found = [mention("52 years", "52", "AGE", f"metadata/age {i}") for i in range(n)]
        assert len(redactor(document, found).replacements) == n
        return lines_run(lambda: redactor(document, found))

    assert work(800) < 5 * work(200)
