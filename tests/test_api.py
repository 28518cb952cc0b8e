"""linkmask from Python: what the keyed styles need is found, as on the command line."""

import datetime
import json
from pathlib import Path

import pytest

import linkmask
from linkmask import commands
from linkmask.config import Settings
from linkmask.errors import InputError
from linkmask.records import Document

DOCUMENTS = [
    {"id": "claim", "content": "Claim by Ottoline Brandvold, tel. (906) 555-0143."},
    {"id": "memo", "content": "Ms. Brandvold called from (906) 555-0143."},
]


def test_the_audit_counts_what_summary_json_counts(tmp_path: Path) -> None:
    """Released documents, masked mentions and characters: the same in Python as from files."""
    aside = {"id": "broken", "content": "Otto Roe \ud83d"}
    result = linkmask.mask([*DOCUMENTS, aside])
    counts = result.audit.counts
    spans = [one for masked in result.documents for one in masked.replacements]
    assert (counts["released"], counts["set_aside"]) == (2, 1)
    assert counts["masked_mentions"] == len(spans) == 4
    assert counts["masked_characters"] == sum(one.end - one.start for one in spans)
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, DOCUMENTS)))
    commands.mask_files(tmp_path / "in.jsonl", tmp_path / "out", linkmask.load())
    written = json.loads((tmp_path / "out" / "summary.json").read_text())["counts"]
    assert written.pop("formats") == {"jsonl": {"released": 2, "set_aside": 0, "reasons": {}}}
    given = dict(linkmask.mask(DOCUMENTS).audit.counts)
    assert given.pop("formats") == {}
    assert written == given


def test_the_audit_names_no_document_by_a_masked_value() -> None:
    documents = [{"id": "brandvold claim", "content": DOCUMENTS[0]["content"]}, DOCUMENTS[1]]
    audit = linkmask.mask(documents).audit
    assert audit.counts["leaking_ids"] == 1
    assert "brandvold" not in str(audit).lower()


def test_only_original_gives_the_text_before_masking() -> None:
    """What a user indexes by habit is masked: id, content, metadata, and what is printed."""
    (masked,) = linkmask.mask(DOCUMENTS[:1]).documents
    assert (masked.id, masked.origin.row) == ("claim", 0)
    assert "Brandvold" in masked.original.content
    assert "Brandvold" not in f"{masked!r}{masked}{masked.content}{masked.metadata}"
    public = {name for name in dir(masked) if not name.startswith("_")} - {"original"}
    assert "Brandvold" not in str([getattr(masked, name) for name in sorted(public)])


@pytest.mark.parametrize("style", ["pseudonym", "surrogate"])
def test_keyed_styles_take_the_key_file(style: str, tmp_path: Path) -> None:
    """The same key writes the same text, another key another one."""
    texts = []
    for key in ("first key of all", "first key of all", "another key now!"):
        (tmp_path / "key").write_text(key)
        given = {"style": style, "key_file": str(tmp_path / "key")}
        settings = linkmask.load(overrides=given, environment={})
        texts.append([m.content for m in linkmask.mask(DOCUMENTS, settings).documents])
    assert texts[0] == texts[1]
    assert texts[0][0] != texts[2][0]
    assert "Brandvold" not in str(texts)


def test_a_key_is_made_where_none_is_given() -> None:
    """It lives as long as the result: the same entity reads the same in every document."""
    settings = linkmask.load(overrides={"style": "pseudonym", "linkable": True}, environment={})
    result = linkmask.mask(DOCUMENTS, settings)
    first, second = ([r.text for r in m.replacements] for m in result.documents)
    assert first == second
    assert first == [r.text for r in next(iter(result.documents)).replacements]


def test_leaves_of_metadata_are_told_apart_where_a_key_holds_a_slash() -> None:
    metadata = {"a/b": "o.brandvold@example.org", "a": {"b": "Ottoline Brandvold"}, "a~1b": 7}
    (masked,) = linkmask.mask([DOCUMENTS[0] | {"metadata": metadata}]).documents
    assert masked.metadata == {"a/b": "[EMAIL]", "a": {"b": "[NAME]"}, "a~1b": 7}


@pytest.mark.parametrize("broken", [{"content": "Otto Roe \ud83d"}, {"metadata": {"by": "\udc00"}}])
def test_half_a_character_sets_its_document_aside_and_no_other(broken: dict[str, str]) -> None:
    """What can't be written is not read, and does not end the run."""
    result = linkmask.mask([DOCUMENTS[0], {"id": "half", "content": "Otto Roe."} | broken])
    assert [masked.id for masked in result.documents] == ["claim"]
    assert [(aside.document, aside.step) for aside in result.set_aside] == [("half", "read")]


def test_a_document_that_a_detector_fails_on_is_set_aside_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from linkmask import detect

    find = detect.first_passes

    def failing(documents, *rest):  # type: ignore[no-untyped-def]
        if any(document.id == "memo" for document in documents):
            raise ValueError("Brandvold must not be told")
        return find(documents, *rest)

    monkeypatch.setattr(detect, "first_passes", failing)
    result = linkmask.mask(DOCUMENTS)
    assert [masked.id for masked in result.documents] == ["claim"]
    assert [(aside.document, aside.step) for aside in result.set_aside] == [("memo", "detect")]
    assert "Brandvold" not in str(result.set_aside)


def test_one_text_and_one_record_are_one_document_each() -> None:
    for given in ("Ms Ottoline Brandvold called.", {"content": "Ms Ottoline Brandvold called."}):
        (masked,) = linkmask.mask(given).documents
        assert masked.content == "Ms [NAME] called."


def test_a_data_frame_is_read_by_rows_and_given_back_as_records() -> None:
    """Whatever gives Arrow streams, as data frames do, is read without being imported."""
    import pyarrow as pa

    rows = [
        {"id": 1, "content": "Ms Ottoline Brandvold called.", "by": "Ottoline Brandvold", "n": 2}
    ]
    result = linkmask.mask(pa.Table.from_pylist(rows))
    assert list(result.records) == [
        {"id": 1, "content": "Ms [NAME] called.", "by": "[NAME]", "n": 2}
    ]


def test_a_column_of_a_data_frame_is_texts() -> None:
    """Series of pandas and Polars give such a stream, too."""
    import pyarrow as pa

    texts = ["Ms Ottoline Brandvold called.", "At ten."]
    for column in (pa.chunked_array([texts]), pa.array(texts)):
        masked = [one.content for one in linkmask.mask(column).documents]
        assert masked == ["Ms [NAME] called.", "At ten."]


def test_two_columns_of_one_name_are_an_error() -> None:
    """One of them would be lost."""
    import pyarrow as pa

    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["content", "content"])
    with pytest.raises(InputError, match="two columns have one name"):
        linkmask.mask(table)


@pytest.mark.parametrize("given", [5, b"text", None])
def test_what_is_no_documents_is_a_type_error(given: object) -> None:
    with pytest.raises(TypeError, match="give a list of records"):
        linkmask.mask(given)


def test_a_path_is_not_masked_as_if_it_were_a_text(tmp_path: Path) -> None:
    """The error says how files are masked, and how the very text is."""
    with pytest.raises(linkmask.LinkmaskError, match=r"mask_files.* as \[text\]") as error:
        linkmask.mask(str(tmp_path))
    assert str(tmp_path) not in str(error.value)
    with pytest.raises(TypeError, match="mask_files"):
        linkmask.mask(tmp_path)
    (one,) = linkmask.mask([str(tmp_path)]).documents
    assert one.original.content == str(tmp_path)
    assert len(list(linkmask.mask("no\0path \ud800").set_aside)) == 1


@pytest.mark.parametrize(
    "named", [{"exclude_fields": ("reportr",)}, {"text_field": "reportr"}, {"id_field": "reportr"}]
)
@pytest.mark.parametrize("work", [linkmask.mask, linkmask.scan])
def test_a_field_that_settings_name_and_no_record_has_is_an_error(work, named):
    records = [{"id": "1", "content": "x", "reporter": "y"}, {"id": "2", "content": "z"}]
    with pytest.raises(InputError, match="no record has the field 'reportr'"):
        work(iter(records), linkmask.load(overrides=named))


def test_an_excluded_field_is_looked_for_in_documents_too():
    document = Document("1", "x", {"reporter": "y"}, others={"pages": 2})
    for name in ("reporter", "metadata.reporter", "pages"):
        linkmask.scan([document, "a text"], linkmask.load(overrides={"exclude_fields": (name,)}))
    with pytest.raises(InputError, match="reportr"):
        linkmask.scan([document], linkmask.load(overrides={"exclude_fields": ("reportr",)}))


TOLD = "Patient Ottoline Brandvold, born 3 May 1961, called."


def test_a_key_of_any_type_is_given_back_once_and_masked() -> None:
    given = {"id": "1", "content": TOLD, 5: "Ottoline Brandvold", "who": {6: "Ottoline Brandvold"}}
    (record,) = linkmask.mask([given], Settings(workers=1)).records
    assert record.keys() == {"id", "content", "5", "who"}
    assert "Brandvold" not in str(record)
    with pytest.raises(InputError, match="two of its keys"):
        linkmask.mask([{**given, "5": "x"}], Settings(workers=1))


@pytest.mark.parametrize("part", ["metadata", "others"])
def test_every_value_of_a_document_is_read_or_refused(part: str) -> None:
    """A date is read as it is printed; what can't be read can't be masked."""
    born = {"born": [datetime.date(1961, 5, 3)], "of": {5: "Ottoline Brandvold"}}
    (masked,) = linkmask.mask([Document("1", TOLD, **{part: born})], Settings(workers=1)).documents
    written = str(getattr(masked.written, part))
    assert "1961, 5" not in written and "-05-" not in written and "Brandvold" not in written
    for value in (b"Ottoline Brandvold", {"Ottoline Brandvold"}, object()):
        with pytest.raises(InputError, match="which can't be read"):
            linkmask.mask([Document("1", TOLD, **{part: {"who": value}})], Settings(workers=1))
