"""What is released was read: every field of a record, in every format, and what is left is said."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import linkmask
from linkmask.cli import main
from linkmask.commands.verify import verify_files
from linkmask.config import Settings
from linkmask.pipeline.fixed_names.keys import ALIKE, Keys, keys_of
from linkmask.records import Document, Mention

CHANGED = "it is not as it was released"
NAME, OTHER = "Ottoline Brandvold", "Teemu Kallio"
ROWS: list[dict[str, Any]] = [
    {
        "id": f"t{n}",
        "reporter": NAME,
        "description": f"Ms {NAME} called about her claim. Her name is {NAME}.",
        "reply": f"Dear Ms Brandvold, it was received. Yours, Mr {OTHER}",
        "score": 1.5,
    }
    for n in range(2)
]
DELIMITERS = {".csv": ",", ".tsv": "\t"}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as a file, or a folder, of the kind that the path's ending names."""
    if path.suffix in DELIMITERS:
        with path.open("w", newline="") as handle:
            sheet = csv.DictWriter(handle, rows[0], delimiter=DELIMITERS[path.suffix])
            sheet.writeheader()
            sheet.writerows(rows)
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        path.mkdir()
        for row in rows:
            (path / f"{row['id']}.json").write_text(json.dumps(row, indent=2))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    """Read back what `write` wrote."""
    if path.suffix in DELIMITERS:
        with path.open(newline="") as handle:
            return list(csv.DictReader(handle, delimiter=DELIMITERS[path.suffix]))
    if path.suffix == ".parquet":
        return list(pq.read_table(path).to_pylist())
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.open()]
    return [json.loads(file.read_text()) for file in sorted(path.iterdir())]


def mask(source: Path, *options: str) -> tuple[Result, Path]:
    """Mask a corpus; return what was said, and where the masked corpus lies."""
    out = source.parent / "out"
    command = ["mask", str(source), "-o", str(out), "--workers", "1", *options]
    return CliRunner().invoke(main, command), out / "documents" / (
        source.name if source.suffix else ""
    )


KINDS = ["a.csv", "a.tsv", "a.parquet", "a.jsonl", "a"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_and_field_is_masked_beside_the_text(tmp_path: Path, kind: str) -> None:
    """What a name says in one column it says in all of them; numbers stay what they are."""
    source = write(tmp_path / kind, ROWS)
    said, masked = mask(source, "--text-field", "description")
    assert said.exit_code == 0, said.output
    for before, after in zip(read(source), read(masked), strict=True):
        assert list(after) == list(before)
        assert after["reporter"] == "[NAME]"
        assert (after["id"], after["score"]) == (before["id"], before["score"])
        assert not any(part in str(after) for part in ("Brandvold", "Kallio"))


def test_nested_fields_lists_and_numbers_are_masked_in_their_shape(tmp_path: Path) -> None:
    card = 4111111111111111
    row = {
        "id": "1",
        "content": f"Patient {NAME} paid with card {card}.",
        "people": [{"name": NAME, "tags": ["x", None]}, {"name": OTHER}],
        "card": card,
        "price": 12.50,
    }
    for kind in ("a.jsonl", "a.parquet"):
        (tmp_path / kind[2:]).mkdir()
        said, masked = mask(write(tmp_path / kind[2:] / kind, [row]))
        assert said.exit_code == 0, said.output
        (after,) = read(masked)
        assert [one["name"] for one in after["people"]] == ["[NAME]", "[NAME]"]
        assert after["people"][0]["tags"] == ["x", None]
        assert after["card"] == ("[CREDIT_CARD]" if kind == "a.jsonl" else None)
        assert after["price"] == 12.5


def test_texts_may_stand_in_several_fields_and_in_lists(tmp_path: Path) -> None:
    """`--text-field` repeats, and takes paths, as to the turns of a chat."""
    row = {
        "id": "1",
        "subject": f"Claim of {NAME}",
        "messages": [
            {"role": "user", "content": f"My name is {NAME}."},
            {"role": "assistant", "content": "Thank you, Ms Brandvold."},
        ],
    }
    options = ["--text-field", "subject", "--text-field", "messages[].content"]
    said, masked = mask(write(tmp_path / "a.jsonl", [row]), *options)
    assert said.exit_code == 0, said.output
    (after,) = read(masked)
    assert [turn["role"] for turn in after["messages"]] == ["user", "assistant"]
    assert after["subject"] == "Claim of [NAME]"
    assert after["messages"][0]["content"] == "My name is [NAME]."
    assert "Brandvold" not in str(after)


def test_who_speaks_is_context_for_what_is_said(tmp_path: Path) -> None:
    """A field of a turn names its speaker: the name is found in all turns, in small letters too."""
    turns = [
        {"sender": "Torvelle", "text": "hi, my claim is still open"},
        {"sender": "agent", "text": "thank you, what is your name?"},
        {"sender": "Torvelle", "text": "torvelle, spelled with two l"},
        {"from": {"name": "Quendra", "role": "customer"}, "text": "and i am quendra"},
    ]
    path = write(tmp_path / "a.jsonl", [{"id": "1", "messages": turns}])
    said, masked = mask(path, "--text-field", "messages[].text")
    assert said.exit_code == 0, said.output
    (after,) = read(masked)
    first, second, third, last = after["messages"]
    assert first == {"sender": "[NAME]", "text": "hi, my claim is still open"}
    assert second == turns[1]
    assert third == {"sender": "[NAME]", "text": "[NAME], spelled with two l"}
    assert last["from"] == {"name": "[NAME]", "role": "customer"}
    assert "quendra" not in last["text"] and "[NAME]" in last["text"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_excluded_field_stays_and_what_it_gives_away_is_found(tmp_path: Path, kind: str) -> None:
    source = write(tmp_path / kind, ROWS)
    said, masked = mask(source, "--text-field", "description", "--exclude-field", "reporter")
    assert [row["reporter"] for row in read(masked)] == [NAME, NAME]
    assert said.exit_code == 2  # with --allow-unmet 0
    assert "copied as they are: reporter" in said.output
    assert "Excluded fields hold masked values: 2 times" in said.output
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["counts"]["excluded_fields"] == ["reporter"]
    assert summary["verify"]["findings"] == {"excluded": 2}
    assert "reporter" in (tmp_path / "out" / "report.html").read_text()
    again = CliRunner().invoke(main, ["verify", str(tmp_path / "out")])
    assert "excluded" in again.output


def test_running_text_that_is_excluded_is_not_masked_where_no_text_field_was_named(
    tmp_path: Path,
) -> None:
    row = {"id": "1", "notes": f"Her name is {NAME} and she called us.", "other": NAME}
    said, masked = mask(write(tmp_path / "a.jsonl", [row]), "--exclude-field", "notes")
    assert (read(masked)[0]["notes"], read(masked)[0]["other"]) == (row["notes"], "[NAME]")
    assert said.exit_code == 2 and "copied as they are: notes" in said.output


@pytest.mark.parametrize("text", ["content", "reply", "m[].said"])
def test_a_text_field_that_is_excluded_as_well_is_an_error(tmp_path: Path, text: str) -> None:
    row = {"id": "1", "content": "Hi.", "reply": f"Dear Ms {NAME}", "m": [{"said": "Hi."}]}
    given = [] if text == "content" else ["--text-field", text]
    said, masked = mask(write(tmp_path / "a.jsonl", [row]), *given, "--exclude-field", text)
    assert said.exit_code == 1 and not masked.exists()
    assert f"the field {text!r} is read as text" in said.output


def test_a_masked_value_in_a_key_keeps_the_document_back(tmp_path: Path) -> None:
    row = {"id": "1", "content": f"Ms {NAME} called.", "votes": {NAME: 3}}
    said, masked = mask(write(tmp_path / "a.jsonl", [row, {"id": "2", "content": "Nothing."}]))
    assert said.exit_code == 2
    assert [one["id"] for one in read(masked)] == ["2"]


@pytest.mark.parametrize("option", ["text", "id", "exclude"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_field_that_no_record_has_is_an_error_without_those_there_are(
    tmp_path: Path, kind: str, option: str
) -> None:
    given = [] if option == "text" else ["--text-field", "description"]
    said, masked = mask(write(tmp_path / kind, ROWS), *given, f"--{option}-field", "reportr")
    assert said.exit_code == 1
    assert "no record has the field 'reportr'" in " ".join(said.output.split())
    assert "reporter" not in said.output
    assert not masked.parent.exists()


def test_without_a_field_name_a_table_is_masked_whole(tmp_path: Path) -> None:
    """It needs no column `content`; one whose first row is data is set aside, and not shown."""
    said, masked = mask(write(tmp_path / "a.csv", ROWS))
    assert said.exit_code == 0, said.output
    assert NAME not in masked.read_text()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "b.csv").write_text(f"1,{NAME},1980-02-03\n2,{OTHER},1981-02-03\n")
    said, masked = mask(tmp_path / "b" / "b.csv")
    assert said.exit_code == 2 and "Brandvold" not in said.output
    assert not masked.exists()


@pytest.mark.parametrize(
    ("head", "released"),
    [
        ("claim,insured,paid", True),
        ("OrderNo,Item,Unit price", True),
        ("Rechnung,Menge,Preis", True),
        ("week,Keisha,Bernd", False),
        ("Brandvold,fire,paid", False),
    ],
)
def test_words_that_only_columns_have_name_columns(
    tmp_path: Path, head: str, released: bool
) -> None:
    """A first row with any other word may be data, or name a column after a person."""
    (tmp_path / "a.csv").write_text(f"{head}\n77,{NAME},40\n78,{OTHER},35\n")
    said, masked = mask(tmp_path / "a.csv")
    assert said.exit_code == (0 if released else 2), said.output
    assert masked.exists() == released
    assert not released or (masked.read_text().startswith(head) and NAME not in masked.read_text())


def test_a_field_that_only_some_records_have_is_no_error(tmp_path: Path) -> None:
    rows = [{"id": "1", "content": "x"}, {"id": "2", "content": "y", "a": {"b": "z"}}]
    said, _ = mask(write(tmp_path / "a.jsonl", rows), "--exclude-field", "a.b")
    assert said.exit_code == 0, said.output


def test_numbers_of_things_stay_numbers(tmp_path: Path) -> None:
    """The model reads sentences; of a bare number in a field, its key says what it is."""
    things = {"pages": 2, "size": 120455, "total": 250, "lat": 48.85661, "count": 17}
    things |= {"form": "SURVEY 2024", "standard": "ISO 2015", "edition": "FORM 1998", "grade": "B"}
    row = {"id": "1", "content": f"Ms {NAME} called.", "metadata": things, **things, "mrn": 4471882}
    said, masked = mask(write(tmp_path / "a.jsonl", [row]))
    assert said.exit_code == 0, said.output
    (after,) = read(masked)
    assert after["metadata"] == things
    assert {name: after[name] for name in things} == things
    assert after["mrn"] == "[PATIENT_ID]"


def test_a_masked_number_of_a_typed_column_is_restored(tmp_path: Path) -> None:
    row = {"id": "1", "content": f"Patient {NAME}, MRN 4471882, called.", "mrn": 4471882}
    source = write(tmp_path / "a.parquet", [row])
    said, masked = mask(source, "--style", "pseudonym")
    assert said.exit_code == 0 and read(masked)[0]["mrn"] is None
    out = str(tmp_path / "back")
    undone = CliRunner().invoke(main, ["unmask", str(tmp_path / "out"), "-o", out])
    assert undone.exit_code == 0, undone.output
    assert read(tmp_path / "back" / "documents" / "a.parquet") == [row]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", ["reply", "reporter", "score"])
def test_a_field_changed_since_its_release_is_found(tmp_path: Path, kind: str, field: str) -> None:
    """The digest that a release keeps of a document covers every field, not only its texts."""
    options = ["--text-field", "description", "--exclude-field", "score"]
    _, masked = mask(write(tmp_path / kind, ROWS), *options)
    out = tmp_path / "out"
    assert {one.kind for one in verify_files(out)} <= {"excluded"}
    rows = read(masked)
    rows[1][field] = 2.5 if field == "score" else "Something else."
    if masked.is_dir():
        (masked / "t1.json").write_text(json.dumps(rows[1]))
    else:
        write(masked, rows)
    assert CHANGED in [one.detail for one in verify_files(out) if one.document == "t1"]


def test_an_older_release_is_checked_by_the_digests_of_its_texts(tmp_path: Path) -> None:
    _, masked = mask(write(tmp_path / "a.jsonl", ROWS), "--text-field", "description")
    kept = tmp_path / "out.run" / "released.json"
    table = json.loads(kept.read_text())
    del table["records"]
    texts = [sha256(row["description"].encode()).hexdigest()[:16] for row in read(masked)]
    kept.write_text(json.dumps({**table, "digests": {"a.jsonl": texts}}))
    assert verify_files(tmp_path / "out") == []
    kept.write_text(json.dumps({**table, "digests": {"a.jsonl": ["0" * 16] * 2}}))
    assert [one.detail for one in verify_files(tmp_path / "out")] == [CHANGED] * 2


HELD = {
    "EMAIL": "winaham.864@example.org",
    "PHONE_NUMBER": "906-555-0143",
    "PATIENT_ID": "mrn_4482913",
    "NAME": "replyOf_Jane_Smith",
}


@pytest.mark.parametrize("where", ["nested", "column", "list", "metadata"])
@pytest.mark.parametrize("kind", HELD)
def test_an_identifier_that_stands_only_in_a_key_keeps_the_document_back(
    tmp_path: Path, where: str, kind: str
) -> None:
    """Keys are never written over, so a document with such a key is not released."""
    held = {HELD[kind]: 1}
    shapes: dict[str, Any] = {"nested": {"k": held}, "column": held, "list": {"k": [[held]]}}
    record = {"id": "1", "content": "Nothing.", **shapes.get(where, {"metadata": held})}
    result = linkmask.mask([record, {"id": "2", "content": "Nothing."}])
    assert [one["id"] for one in result.records] == ["2"]
    (finding,) = [one for one in result.findings if one.kind == "key"]
    assert finding.blocking and kind in finding.detail and HELD[kind] not in finding.detail
    (aside,) = result.set_aside
    assert aside.document == "1"
    assert aside.reason.startswith("not safe to release: key (a key, or a column's name, holds")


def test_a_column_named_after_a_person_is_released_once_it_is_excluded(tmp_path: Path) -> None:
    """What an excluded key holds is said, and verify says it again."""
    rows = [{"id": str(n), "content": "Nothing.", "Jane Smith": n} for n in range(2)]
    (tmp_path / "a").mkdir()
    said, masked = mask(write(tmp_path / "a" / "a.csv", rows))
    assert said.exit_code == 2 and not masked.exists()
    (tmp_path / "b").mkdir()
    said, masked = mask(write(tmp_path / "b" / "b.csv", rows), "--exclude-field", "Jane Smith")
    assert len(read(masked)) == 2
    found = [one for one in verify_files(masked.parents[1]) if one.kind == "key"]
    assert [one.blocking for one in found] == [False, False]


def test_a_key_that_leads_to_a_field_not_excluded_still_blocks() -> None:
    record = {"id": "1", "content": "Nothing.", "Jane Smith": {"a": 1, "b": 2}}
    settings = linkmask.load(overrides={"exclude_fields": ("a",)})
    assert list(linkmask.mask([record], settings).documents) == []


def test_ordinary_names_of_fields_are_no_identifiers() -> None:
    names = """patient_name patientName mrn claim_no claimNumber date_of_birth dob_2024 soc_sec_id
        address_1 street_number postal_code phone_number mobilePhone email_address member_id
        icd10_code created_at 2024-01-01 Q1_2024 cluster_0_doc1 speaker_1 first_and_surname
        mother_maiden virginia_sales mark_up Bill_Amount rose_count next_of_kin dr_notes fr_label
        nom_prénom Geburtsdatum Versicherungs-Nr SocialSecurityNumber 550e8400-e29b-41d4-a716"""
    record = {"id": "1", "content": "Nothing.", "k": dict.fromkeys(names.split(), True)}
    assert [one for one in linkmask.mask([record]).findings if one.kind == "key"] == []


def kinds_in_keys(keys: Sequence[str]) -> set[str]:
    """Return the types that the keys of one record are said to hold."""
    document = Document("1", "Nothing.", dict.fromkeys(keys, "x"))
    details = [finding.detail for finding in keys_of(Settings()).findings(document)]
    return {detail.partition(" of type ")[2].partition(":")[0] for detail in details}


def test_of_many_keys_that_a_number_counts_some_are_searched() -> None:
    """Each other key is searched, and each with a number that may have been issued."""
    asked: list[str] = []

    def detect(texts: Sequence[str], language: str) -> Sequence[Sequence[Mention]]:
        asked.extend(texts)
        return [()] * len(texts)

    keys = Keys(detect, lambda document: "en", lambda one: False)
    counted = [f"entry no {n}" for n in range(1000, 9000)]
    issued = [f"entry no {n}" for n in range(1_000_000, 1_000_050)]
    names = [f"entry of {name}" for name in ("Jane Doe", "Ottoline Roth")]
    dated = [f"entry of {n} May {n + 1900}" for n in range(10, 30)]
    assert not list(keys.findings(Document("1", "", dict.fromkeys(counted + issued, 1))))
    assert len(asked) == ALIKE + len(issued)
    assert {counted[0], counted[-1]} < set(asked)
    assert not list(keys.findings(Document("2", "", dict.fromkeys(names + dated, 1))))
    assert len(asked) == ALIKE + len(issued) + len(names) + len(dated)


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        ("Jane Doe", "NAME"),
        ("patient 4711", "PATIENT_ID"),
        ("call 06 12 34 56 78", "PHONE_NUMBER"),
        ("reply 4711 of Jane Smith", "NAME"),
    ],
)
def test_an_identifier_among_thousands_of_numbered_keys_is_found(one: str, kind: str) -> None:
    counted = [f"key {n}" for n in range(3000)]
    assert kinds_in_keys(counted) == set()
    assert kinds_in_keys([*counted, one]) == {kind}
    assert kinds_in_keys([f"patient {n}" for n in range(2000, 5000)]) == {"PATIENT_ID"}


def test_a_key_may_hold_a_clinicians_name_no_more_than_a_patients() -> None:
    """In a text such a name is always masked; of a body its kind may stay."""
    for key in ("Dr. Harriet Smith", "Nurse Betty Smith"):
        assert kinds_in_keys([key]) == {"PROVIDER"}
    assert kinds_in_keys(["dr_harriet_smith"]) == {"NAME"}
    assert kinds_in_keys(["Dr. name", "nurse_notes", "Mayo Clinic", "hospital visits"]) == set()


def test_a_key_is_searched_once_however_many_records_hold_it() -> None:
    asked: list[str] = []

    def detect(texts: Sequence[str], language: str) -> list[list[Mention]]:
        asked.extend(texts)
        return [[] for _ in texts]

    keys = Keys(detect, lambda document: "en", lambda one: False)
    for n in range(3):
        assert list(keys.findings(Document(str(n), "", {"claim_no": n, "mrn": n}))) == []
    assert asked == ["claim_no", "claim no"]


@pytest.mark.parametrize("kind", ["a.csv", "a.tsv", "a.jsonl"])
def test_a_header_repeated_among_the_rows_holds_nobodys_values(tmp_path: Path, kind: str) -> None:
    """Tables that were joined end to end: a key that were masked would set all rows aside."""
    keys = ["id", "name", "rank", "member", "description"]
    row = {"id": "t1", "name": NAME, "rank": "x", "member": "y", "description": f"Ms {NAME} called"}
    header = {key: key for key in keys}
    said, masked = mask(
        write(tmp_path / kind, [row, header, {**row, "id": "t2"}]), "--text-field", "description"
    )
    assert said.exit_code == 0, said.output
    first, again, _ = read(masked)
    assert again == header
    assert NAME not in str(first)


def test_a_key_of_a_given_name_and_a_surname_joined_by_a_capital_holds_a_name() -> None:
    """Other keys of this form are a program's: the first word may be a given name as well."""
    assert kinds_in_keys(["hannahMeier"]) == kinds_in_keys(["annaSchmidt"]) == {"NAME"}
    ordinary = """firstName lastName createdBy helloWorld maxWidth gracePeriod markRead roseColor
        grantType willCall billTo dateRange artWork frankSays chartMax userMeier"""
    assert kinds_in_keys(ordinary.split()) == set()
