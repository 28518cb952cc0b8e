"""From a document, its mentions and the masked entities to a masked document."""

import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counted_work import lines_run
from linkmask import verify
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.graph.entities import canonical
from linkmask.records import CONTENT, Document, Mention, Why, entity_id
from linkmask.redact import Redactor, Target, batch_size, searched_spellings
from linkmask.redact import value_index as values
from linkmask.redact.batch_size import batch_weight
from linkmask.workers import batches


def mention(text: str, original: str, kind: str, field: str = CONTENT, value: str = "") -> Mention:
    start = text.index(original)
    value = value or original.casefold()
    end = start + len(original)
    return Mention("d", field, start, end, kind, original, value, 0.9, Why("test"))


def targets(*pairs: tuple[str, str]) -> dict[str, Target]:
    """Targets of one surface each, given as (type, surface)."""
    return {entity_id(s.casefold(), kind): Target(kind, [s]) for kind, s in pairs}


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


VALUES = [
    "Ann Field",
    "Field",
    "#77382",
    "4711",
    "Straße 12",
    "İnce",
    "é😀x",
    "B.",
    "Ann-Field",
    "1.52",
]
PIECES = [
    *VALUES,
    "ann",
    "FIELD",
    " ",
    "\r\n",
    ".",
    ",",
    "x",
    "52",
    "1",
    "\ufeff",
    "\u0301",
    "ß",
    "[NAME]",
    "[",
]


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


@settings(max_examples=150, deadline=None)
@given(data=st.data(), pieces=st.lists(st.sampled_from(PIECES), max_size=12))
@pytest.mark.parametrize("style", ["value", "redact", "pseudonym"])
def test_masking_leaves_no_value_changes_nothing_else_and_is_done_once(
    style: str, data: st.DataObject, pieces: list[str]
) -> None:
    """Any mix of overlapping, adjacent and nested values, in any Unicode text."""
    text = "".join(pieces)
    kinds = ["NAME", "PATIENT_ID", "EVENT_DATE"]
    chosen = data.draw(st.lists(st.sampled_from(VALUES), unique=True, max_size=5))
    pairs = [(kinds[n % 3], value) for n, value in enumerate(chosen)]
    cuts = data.draw(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)), max_size=3))
    spans = [(s, min(s + n, len(text))) for s, n in cuts if s < len(text)]
    stored = [
        Mention("d", CONTENT, s, e, kinds[n % 3], text[s:e], text[s:e].casefold(), 0.9, Why("test"))
        for n, (s, e) in enumerate(spans)
    ]
    known = {**targets(*pairs), **{m.entity: Target(m.type, [m.original]) for m in stored}}
    redactor = Redactor(known, Settings(style=style), key=b"k" * 32)
    masked = redactor(Document("d", text), stored)

    rebuilt, at = [], 0
    for one in masked.replacements:
        rebuilt += [text[at : one.start], one.text]
        at = one.end
    assert "".join([*rebuilt, text[at:]]) == masked.content
    again = redactor(Document("d", masked.content), [])
    assert again.content == masked.content and not again.replacements
    values = searched_spellings(known, Settings())
    assert not [f for f in verify.check([masked], values, Settings()) if f.kind == "leftover"]


@settings(max_examples=200, deadline=None)
@given(data=st.data(), scope=st.sampled_from(["corpus", "documents"]))
def test_mentions_told_by_columns_are_masked_as_those_looked_at_one_by_one(
    data: st.DataObject, scope: str
) -> None:
    """Without the values of the entities every mention is looked at by itself."""
    kinds = ["NAME", "AGE", "EVENT_DATE"]
    asked = data.draw(st.lists(st.sampled_from(VALUES), unique=True, max_size=5))
    known = targets(*((kinds[n % 2], value) for n, value in enumerate(asked)))
    pairs = []
    for name in "ab":
        texts = data.draw(st.lists(st.sampled_from(PIECES), max_size=8)), ["x ", "Ann Field"]
        document = Document(name, "".join(texts[0]), {"who": "".join(texts[1])})
        fields = dict(document.fields())
        cuts = st.tuples(st.sampled_from(list(fields)), st.integers(0, 20), st.integers(1, 9))
        spans = data.draw(st.lists(cuts, max_size=4))
        for field, text in fields.items():
            spans += [(field, text.find(value), len(value)) for value in asked]
        stored = [
            Mention(name, f, s, s + n, data.draw(st.sampled_from(kinds)), o, o.casefold(), 0.9, WHY)
            for f, s, n in spans
            if s >= 0 and len(o := fields[f][s : s + n]) == n
        ]
        pairs.append((document, stored))
    valued = {
        entity: one._replace(value=one.surfaces[0].casefold()) for entity, one in known.items()
    }
    chosen = Settings(scope=scope)
    assert list(Redactor(valued, chosen).many(pairs)) == list(Redactor(known, chosen).many(pairs))


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


ESCAPES = (
    lambda sign: "".join(f"%{byte:02X}" for byte in sign.encode()),
    lambda sign: "".join(f"%25{byte:02x}" for byte in sign.encode()),
    lambda sign: f"&#{ord(sign)};",
    lambda sign: f"&amp;#x{ord(sign):x};",
    lambda sign: f"\\u{ord(sign):04x}",
)


@given(
    st.lists(st.sampled_from((str, *ESCAPES)), min_size=15, max_size=15),
    st.sampled_from(["See ", "https://example.org/?n=", '{"n": "', "n="]),
    st.sampled_from([" now.", "&x=1", '"}', "/file", ""]),
)
@settings(max_examples=150, deadline=None)
def test_a_masked_value_is_masked_whatever_signs_of_it_are_escaped(
    ways: list, before: str, after: str
) -> None:
    """In an address of the web, in HTML and in JSON; the check reads escapes, too."""
    name = "Jörg Brandvold!"
    spelled = "".join(way(sign) for way, sign in zip(ways, name, strict=True))
    redactor = Redactor(targets(("NAME", "Jörg Brandvold")), Settings())
    masked = redactor(Document("d", before + spelled + after), [])
    assert masked.content == before + "[NAME]" + ways[-1]("!") + after


def test_rare_words_in_a_row_have_one_mask() -> None:
    """Line breaks, two blanks, other types and other masks divide rows."""
    known = {
        entity_id(word, kind): Target(kind, (), value=word, style="value", shown=shown)
        for word, kind, shown in [
            ("heron", "RARE_TERM", "..."),
            ("nest", "RARE_TERM", "..."),
            ("lupus", "RARE_TERM", "MEDICAL_CONDITION"),
            ("ann", "NAME", ""),
        ]
    }
    cases = {
        "A heron nest heron, nest.": "A [...], [...].",
        "heron\nnest  heron": "[...]\n[...]  [...]",
        "heron lupus nest": "[...] [MEDICAL_CONDITION] [...]",
        "ann ann heron ann": "[NAME] [NAME] [...] [NAME]",
        "nest": "[...]",
        "nothing": "nothing",
    }
    kinds = {"ann": "NAME"}
    pairs = []
    for text in cases:
        found = [
            (m, kinds.get(m[0], "RARE_TERM")) for m in re.finditer("heron|nest|lupus|ann", text)
        ]
        document = Document(text, text)
        own = [Mention(text, CONTENT, *m.span(), kind, m[0], m[0], 0.0, WHY) for m, kind in found]
        pairs.append((document, own))
    written = list(Redactor(known, Settings()).many(pairs))
    assert [one.content for one in written] == list(cases.values())
    first = written[0].replacements
    assert [(one.start, one.end) for one in first] == [(2, 18), (20, 24)]


def test_no_mask_grows_in_a_view_of_markup() -> None:
    """The blank between two words may stand for tags: each edit stays in its own element."""
    rare = {entity_id(word, "RARE_TERM"): word for word in ("heron", "nest")}
    known = {
        entity: Target("RARE_TERM", (), value=word, style="value", shown="...")
        for entity, word in rare.items()
    }
    day = entity_id("2024-07-12", "EVENT_DATE")
    known[day] = Target(
        "EVENT_DATE", ["12 July 2024"], value="2024-07-12", style="generalization:month"
    )
    text = "A heron nest on 12 July 2024."
    for by_place, written in [
        (False, "A [...] in July 2024."),
        (True, "A [...] [...] on July 2024."),
    ]:
        own = [
            Mention("d", CONTENT, *m.span(), "RARE_TERM", m[0], m[0], 0.0, WHY)
            for m in re.finditer("heron|nest", text)
        ]
        document = Document("d", text, by_place=by_place)
        assert Redactor(known, Settings())(document, own).content == written


@pytest.mark.parametrize(
    ("text", "day", "written"),
    [
        ("Seen on 12 July 2024.", "12 July 2024", "Seen in July 2024."),
        ("On July 12, 2024 she left.", "July 12, 2024", "In July 2024 she left."),
        ("Seen ON 07/12/2024.", "07/12/2024", "Seen IN 2024-07."),
        ("Seen on the 12th of July 2024.", "12th of July 2024", "Seen in July 2024."),
        ("Le 12 juillet 2024, puis", "12 juillet 2024", "En juillet 2024, puis"),
        ("depuis le 12 juillet 2024", "12 juillet 2024", "depuis juillet 2024"),
        ("daté du 3 avril 2024", "3 avril 2024", "daté d'avril 2024"),
        ("à partir du 3 mars 2024", "3 mars 2024", "à partir de mars 2024"),
        ("jusqu'au 3 mars 2024", "3 mars 2024", "jusqu'en mars 2024"),
        ("Am 3. März 2024 operiert", "3. März 2024", "Im März 2024 operiert"),
        ("Zürich, den 3. März 2024", "3. März 2024", "Zürich, März 2024"),
        ("seit dem 3. März 2024", "3. März 2024", "seit März 2024"),
        # what asks for its preposition, is no preposition, or is one of a month, too
        ("based on 12 July 2024", "12 July 2024", "based on July 2024"),
        ("at 9 am 07/12/2024", "07/12/2024", "at 9 am 2024-07"),
        ("Simon 12 July 2024", "12 July 2024", "Simon July 2024"),
        ("until 12 July 2024", "12 July 2024", "until July 2024"),
        ("on  12 July 2024", "12 July 2024", "on  July 2024"),
    ],
)
def test_a_month_has_the_preposition_of_a_month(text: str, day: str, written: str) -> None:
    own = mention(text, day, "EVENT_DATE", value=canonical("EVENT_DATE", day))
    target = Target("EVENT_DATE", [day], value=own.value, style="generalization:month")
    masked = Redactor({own.entity: target}, Settings())(Document("d", text), [own])
    assert masked.content == written
    (one,) = masked.replacements
    assert text[: one.start] + one.text + text[one.end :] == written


@pytest.mark.parametrize(
    ("text", "day", "written"),
    [
        ("wurde am 12. Juli 2024 operiert", "12. Juli 2024", "wurde im Jahr 2024 operiert"),
        ("Seen on 12 July 2024.", "12 July 2024", "Seen in 2024."),
        ("opérée le 12 juillet 2024", "12 juillet 2024", "opérée en 2024"),
    ],
)
def test_a_year_has_the_preposition_of_a_year(text: str, day: str, written: str) -> None:
    own = mention(text, day, "EVENT_DATE", value=canonical("EVENT_DATE", day))
    target = Target("EVENT_DATE", [day], value=own.value, style="generalization:year")
    masked = Redactor({own.entity: target}, Settings()).many([(Document("d", text), [own])] * 2)
    assert [document.content for document in masked] == [written] * 2


def test_a_preposition_within_another_mask_stays_there() -> None:
    text = "Ann on 12 July 2024"
    found = [
        mention(text, "Ann on", "NAME"),
        mention(text, "12 July 2024", "EVENT_DATE", value="2024-07-12"),
    ]
    known = {
        found[0].entity: Target("NAME", ["Ann on"]),
        found[1].entity: Target(
            "EVENT_DATE", ["12 July 2024"], value="2024-07-12", style="generalization:month"
        ),
    }
    assert Redactor(known, Settings())(Document("d", text), found).content == "[NAME] July 2024"


@pytest.mark.parametrize(
    ("text", "name", "written"),
    [
        ("Seen at Alpine Pain Clinic.", "Alpine Pain Clinic", "Seen at a clinic."),
        ("Billed by Harbor Institute.", "Harbor Institute", "Billed by an institute."),
        ("Referred to Northgate University", "Northgate University", "Referred to a university"),
        # where a name has an article, or a kind has none
        ("Seen at the Alpine Clinic.", "Alpine Clinic", "Seen at the clinic."),
        ("Alpine Clinic called.", "Alpine Clinic", "Clinic called."),
        ("Late again. Alpine Clinic called.", "Alpine Clinic", "Late again. Clinic called."),
        ("ALPINE CLINIC\nNote", "ALPINE CLINIC", "Clinic\nNote"),
        ("Notes of Coastal Specialists", "Coastal Specialists", "Notes of specialists"),
        ("Seen at Rehaklinik Aarau", "Rehaklinik Aarau", "Seen at Rehaklinik"),
        ("vue au Centre Clair", "Centre Clair", "vue au centre"),
        ("at Dr. Roe", "Dr. Roe", "at [PROVIDER]"),
    ],
)
def test_the_kind_of_a_clinic_has_an_article_where_its_name_had_none(
    text: str, name: str, written: str
) -> None:
    own = mention(text, name, "PROVIDER")
    language = "de" if "klinik" in name else "en"
    style = "generalization:kind"
    target = Target("PROVIDER", [name], language=language, value=own.value, style=style)
    masked = Redactor({own.entity: target}, Settings()).many([(Document("d", text), [own])] * 2)
    assert [document.content for document in masked] == [written] * 2
