"""What all adapters stand on: documents, texts and JSON-like values, masked by an opened run."""

from __future__ import annotations

import datetime
import importlib
import pickle
import stat
import sys
from pathlib import Path

import pytest

import linkmask
from adapters.planted import DOCUMENTS, HASHED, PLANTED, QUESTION, leaks
from linkmask import commands
from linkmask.adapters.framework_documents import FrameworkDocument, write_corpus
from linkmask.adapters.masking import RunMasker
from linkmask.errors import InputError, MissingExtra, RunError, UnknownDocument, UsageError

ITEMS = [FrameworkDocument(*one) for one in DOCUMENTS]


@pytest.fixture(scope="module")
def by(out: Path) -> RunMasker:
    return RunMasker(out)


def test_the_search_for_planted_values_finds_them() -> None:
    """Else the tests of the adapters would prove nothing."""
    assert set(leaks(ITEMS)) >= {*PLANTED}
    assert leaks(b"... Brandvold ...") == leaks("BRANDVOLD") == ["brandvold"]
    assert leaks({"id": HASHED[0]}) and leaks([{"x": (HASHED[-1],)}])


def test_documents_are_masked_as_the_run_released_them(by: RunMasker) -> None:
    """Text, metadata and ids of no meaning are those of the masked corpus."""
    made = by.documents(ITEMS)
    assert made == list(by.released())
    assert leaks(made) == []
    assert [one and one.metadata.keys() for one in made] == [i.metadata.keys() for i in ITEMS]
    assert [one.id for one in made if one][1::3] == ["memo", "policy"]


def test_ids_are_renewed_alike_in_each_process_and_edition(by: RunMasker, out: Path) -> None:
    other = pickle.loads(pickle.dumps(by))
    names = [item.id for item in ITEMS]
    assert other.ids(names) == by.ids(names)
    assert len(set(by.ids(names))) == len(names)


def test_a_relation_by_a_hash_stays_a_relation(by: RunMasker) -> None:
    """Where a part names its document by a hash, both have the new id."""
    document, part = (
        ITEMS[0],
        FrameworkDocument("part", "about glasses", {"source_id": ITEMS[0].id, "n": 1}),
    )
    masked, found = by.texts([document, part])
    assert found.metadata == {"source_id": masked.id, "n": 1}
    assert masked.id != document.id
    assert by.texts([masked, found]) == [masked, found]


def test_ids_of_another_run_are_other_ones(by: RunMasker, out_of_values: Path) -> None:
    """Nobody who has another run, or none, can tell what a renewed id was made of."""
    other = RunMasker(out_of_values)
    assert set(by.ids(HASHED)).isdisjoint(other.ids(HASHED))
    assert by.masker.digest != other.masker.digest


def test_the_digest_of_a_plan_is_that_of_each_opening_and_another_with_another_plan(
    out: Path, tmp_path: Path
) -> None:
    assert linkmask.open(out).digest == linkmask.open(f"{out}.run").digest
    write_corpus(ITEMS, tmp_path / "c.jsonl")
    settings = linkmask.load(overrides={"style": "pseudonym", "workers": 1}, environment={})
    commands.mask_files(tmp_path / "c.jsonl", tmp_path / "o", settings)
    before = linkmask.open(tmp_path / "o").digest
    commands.plan_run(tmp_path / "o.run", {"theta_doc": 0.4})
    commands.apply_run(tmp_path / "o.run", tmp_path / "o2", {})
    assert linkmask.open(tmp_path / "o.run").digest != before


@pytest.mark.parametrize(
    "changed",
    [
        ITEMS[1]._replace(text=f"{ITEMS[1].text} "),
        ITEMS[1]._replace(metadata={"kind": "note"}),
        ITEMS[1]._replace(id="other"),
        ITEMS[1]._replace(text="Ms. Brandvold called"),
    ],
)
def test_a_document_that_the_run_does_not_know_is_refused(
    by: RunMasker, changed: FrameworkDocument
) -> None:
    """A part of a document is another document. The error holds no value."""
    with pytest.raises(UnknownDocument) as error:
        by.documents([ITEMS[0], changed])
    assert leaks(str(error.value)) == []


def test_unknown_documents_can_be_masked_whole_or_set_aside(out: Path) -> None:
    other = FrameworkDocument(
        "new", "Ms. Zilpah Quennell called.", {"Ottoline Brandvold": "906-555-0143"}
    )
    (whole,) = RunMasker(out, on_unknown="mask_all").documents([other])
    assert whole and "Quennell" not in whole.text
    assert leaks(whole) == []
    with pytest.warns(UserWarning, match="1 of 2 documents were set aside"):
        made = RunMasker(out, on_unknown="set_aside").documents([other, ITEMS[1]])
    assert made[0] is None and made[1] is not None


def test_the_id_may_stand_in_the_metadata_and_keys_may_be_left_out(tmp_path: Path) -> None:
    """What a framework adds to the metadata is no part of the document, and is left out."""
    rows = [item._replace(id="", metadata={**item.metadata, "ref": item.id}) for item in ITEMS]
    write_corpus((row.selected("ref", None) for row in rows), tmp_path / "c.jsonl")
    settings = linkmask.load(overrides={"workers": 1}, environment={})
    commands.mask_files(tmp_path / "c.jsonl", tmp_path / "o", settings)
    keys = ["member", "holder", "pages", "kind", "etag", "author", "ref"]
    by = RunMasker(tmp_path / "o", id_key="ref", metadata_keys=keys)
    loaded = [row._replace(metadata={**row.metadata, "path": "/home/brandvold"}) for row in rows]
    made = by.documents(loaded)
    assert leaks(made) == []
    assert [one.metadata["ref"] for one in made if one] == [one.id for one in made if one]


def test_a_document_without_an_id_is_an_error(by: RunMasker, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="document 1 has no id"):
        by.documents([ITEMS[0], ITEMS[1]._replace(id="")])
    with pytest.raises(UsageError, match="document 0 has no id"):
        write_corpus([ITEMS[1]._replace(id="")], tmp_path / "c.jsonl")


def test_the_second_net_masks_parts_keys_and_numbers(by: RunMasker) -> None:
    """Of parts of raw documents nothing planted is left, and what is masked stays as it is."""
    part = FrameworkDocument(
        "x", ITEMS[0].text[9:29], {"Maëlle Kervoazou": [9065550143, 2, True, None, 0.25]}
    )
    (once,) = by.texts([part])
    assert leaks(once) == [] and "9065550143" not in str(once)
    assert next(iter(once.metadata.values()))[1:] == [2, True, None, 0.25]
    assert by.texts([once]) == [once]
    made = [one for one in by.documents(ITEMS) if one]
    assert by.texts(made) == made


def test_a_value_of_no_json_kind_is_an_error(by: RunMasker, tmp_path: Path) -> None:
    odd = ITEMS[1]._replace(metadata={"blob": b"Brandvold"})
    for call in (by.documents, by.texts, lambda items: write_corpus(items, tmp_path / "c.jsonl")):
        with pytest.raises(InputError, match="type bytes"):
            call([odd])
    ((_, dated),) = by.parts([("", {"on": datetime.date(2024, 5, 6)})])
    assert isinstance(dated["on"], str)


def test_the_corpus_file_is_its_owners_alone(tmp_path: Path) -> None:
    write_corpus(ITEMS, tmp_path / "c.jsonl")
    assert stat.S_IMODE((tmp_path / "c.jsonl").stat().st_mode) == 0o600


def test_a_question_is_masked_as_the_corpus_is_and_the_answer_gets_its_originals(
    by: RunMasker,
) -> None:
    asked = by.question(QUESTION)
    memo = by.documents(ITEMS)[1]
    mask = next(word for word in asked.split() if word.startswith("["))
    assert leaks(asked) == [] and memo and mask in memo.text
    told = by.answer({"said": [f"Yes, {mask} did.", 3]})
    assert "Brandvold" in told["said"][0] and told["said"][1] == 3


def test_originals_need_a_vault(out_of_values: Path) -> None:
    with pytest.raises(RunError):
        RunMasker(out_of_values).check_originals()


def test_what_the_run_did_not_release_is_not_read_from_its_folder(tmp_path: Path) -> None:
    """A raw file in the folder of masked documents is an error, which holds no value."""
    write_corpus(ITEMS, tmp_path / "c.jsonl")
    settings = linkmask.load(overrides={"workers": 1}, environment={})
    commands.mask_files(tmp_path / "c.jsonl", tmp_path / "o", settings)
    (tmp_path / "o" / "documents" / "more.txt").write_text("Ottoline Brandvold")
    with pytest.raises(RunError, match=r"more\.txt .*not what the run released"):
        list(RunMasker(tmp_path / "o").released())


def test_a_run_whose_documents_have_several_texts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('{"id": "1", "a": "Jane Roe", "b": "called"}\n')
    settings = linkmask.load(overrides={"text_field": ["a", "b"], "workers": 1}, environment={})
    commands.mask_files(tmp_path / "c.jsonl", tmp_path / "o", settings)
    with pytest.raises(UsageError, match="several texts"):
        RunMasker(tmp_path / "o")


@pytest.mark.parametrize(
    ("module", "framework", "extra"),
    [
        ("linkmask.adapters.langchain", "langchain", "langchain"),
        ("linkmask.adapters.llamaindex", "llama_index", "llama-index"),
        ("haystack_integrations.components.preprocessors.linkmask", "haystack", "haystack"),
    ],
)
def test_an_adapter_without_its_framework_says_what_to_install(
    module: str, framework: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == framework]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.startswith(module)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, framework, None)
    with pytest.raises(MissingExtra, match=rf"linkmask\[{extra}\]"):
        importlib.import_module(module)
