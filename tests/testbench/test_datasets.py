"""Reading and checking benchmark clusters."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linkmask.errors import InputError
from linkmask.testbench.datasets import read_cluster, read_clusters, read_links
from linkmask.testbench.validate import CHECKS, FORMATS, STRICT

Raw = dict[str, Any]
Change = Callable[[Raw], object]

PADDING = " ".join(["word"] * 45)


def valid() -> Raw:
    """A MEDIUM cluster: 4 entities, 2 of them in two documents, 1 of high vulnerability."""
    texts = ["Member QX-1 is a cooper.", "A cooper from Ulm rests.", "QX-1 had a fall.", "Rules."]
    documents = [
        {"id": f"cluster_7_doc{i}", "content": f"{t} {PADDING}", "metadata": {"format": FORMATS[i]}}
        for i, t in enumerate(texts, 1)
    ]
    questions = [
        {"q": "?", "a": "Yes.", "sources": [f"cluster_7_doc{s}" for s in sources], "type": kind}
        for sources, kind in (
            ([1], "specific"), ([1, 2], "specific"), ([4], "general"), ([3, 4], "general"),
        )
    ]  # fmt: skip
    entities = [
        ["QX-1", "PATIENT_ID"],
        ["cooper", "INDIRECT_IDENTIFIER"],
        ["Ulm", "LOCATION"],
        ["fall", "EVENT"],
    ]
    metadata = {
        "category": "cluster",
        "cluster_id": "cluster_7",
        "cluster_risk": "MEDIUM",
        "content_summary": "A cooper.",
        "person": {"entities": entities},
        "questions": questions,
    }
    return {"documents": documents, "metadata": metadata}


def put(folder: Path, raw: Any, name: str = "cluster_07.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


def document(change: Change) -> Change:
    return lambda raw: change(raw["documents"][0])


def meta(change: Change) -> Change:
    return lambda raw: change(raw["metadata"])


def question(number: int, **values: object) -> Change:
    return lambda raw: raw["metadata"]["questions"][number].update(values)


def entities(change: Change) -> Change:
    return lambda raw: change(raw["metadata"]["person"]["entities"])


D1, D2, D3, D4 = (f"cluster_7_doc{i}" for i in range(1, 5))

BROKEN: list[tuple[str, Change]] = [
    ("keys", lambda raw: raw.update(extra=1)),
    ("keys", lambda raw: raw.pop("documents")),
    ("documents", lambda raw: raw.update(documents=[])),
    ("documents", lambda raw: raw.update(documents={})),
    ("documents", document(lambda d: d.pop("content"))),
    ("documents", document(lambda d: d.update(content=5))),
    ("documents", document(lambda d: d.update(metadata=[]))),
    ("documents", lambda raw: raw["documents"].append("text")),
    ("document-ids", document(lambda d: d.update(id=D2))),
    ("format", document(lambda d: d["metadata"].update(format="postcard"))),
    ("format", document(lambda d: d["metadata"].pop("format"))),
    ("metadata", meta(lambda m: m.pop("content_summary"))),
    ("metadata", lambda raw: raw.update(metadata=5)),
    ("category", meta(lambda m: m.update(category="single"))),
    ("risk", meta(lambda m: m.update(cluster_risk="SOME"))),
    ("questions", meta(lambda m: m["questions"].pop())),
    ("questions", meta(lambda m: m["questions"][0].pop("a"))),
    ("questions", question(0, sources="cluster_7_doc1")),
    ("questions", question(0, a=None)),
    ("question-type", question(0, type="vague")),
    ("question-type", meta(lambda m: [q.update(type="general") for q in m["questions"]])),
    ("question-sources", question(0, sources=[D1, D2])),
    ("question-sources", question(0, sources=[])),
    ("answer", question(2, a=" ".join(["word"] * 16))),
    ("person", meta(lambda m: m.update(person=[]))),
    ("person", meta(lambda m: m["person"].update(entities=None))),
    ("person", entities(lambda e: e.append(["cooper"]))),
    ("person", entities(lambda e: e.append([" ", "EVENT"]))),
    ("person", entities(lambda e: e.append([5, "AGE"]))),
    ("entity-type", entities(lambda e: e.append(["Ulm", "TOWN"]))),
    ("entity-repeats", entities(lambda e: e.append(["Ulm", "LOCATION"]))),
]

BROKEN_STRICT: list[tuple[str, Change]] = [
    ("combinations", meta(lambda m: [q.update(type=t) for q, t in zip(
        m["questions"], ["specific", "general", "specific", "general"], strict=True)])),
    ("types-by-risk", entities(lambda e: e.append(["Rules", "NAME"]))),
    ("types-by-risk", entities(lambda e: e.append(["Rules", "NATIONAL_ID"]))),
    ("types-by-risk", meta(lambda m: m.update(cluster_risk="LOW"))),
    ("sources-exist", question(0, sources=["cluster_7_doc9"])),
    ("sources-exist", question(1, sources=[D1, D1])),
    ("verbatim", entities(lambda e: e.append(["ulm", "LOCATION"]))),
    ("verbatim", entities(lambda e: e.append(["coop", "EVENT"]))),
    ("words", document(lambda d: d.update(content="Member QX-1 is a cooper."))),
    ("words", document(lambda d: d.update(content=d["content"] + " word" * 71))),
    ("documents-number", lambda raw: (
        raw["documents"].pop(),
        question(2, sources=[D3])(raw),
        question(3, sources=[D2, D3])(raw))),
    ("documents-number", lambda raw: raw["documents"].extend(
        {**raw["documents"][3], "id": f"cluster_7_doc{i}"} for i in range(5, 8))),
    ("cluster-id", meta(lambda m: m.update(cluster_id="cluster_8"))),
    ("cluster-id", meta(lambda m: m.update(cluster_id=7))),
    ("cluster-id", lambda raw: raw["documents"].append(
        {**raw["documents"][3], "id": "cluster_7_docid5"})),
    ("profile", entities(lambda e: e.pop())),
    ("profile", entities(lambda e: e.extend([v, "EVENT"] for v in ("rests", "had", "is")))),
    ("profile", entities(lambda e: e.extend([["rests", "EMAIL"], ["had", "BIRTHDATE"]]))),
    ("profile", entities(lambda e: e.append(["word", "EVENT"]) or e.append(["a", "EVENT"]))),
]  # fmt: skip


def read_broken(tmp_path: Path, change: Change, *, strict: bool) -> str:
    raw = valid()
    change(raw)
    with pytest.raises(InputError) as caught:
        read_cluster(put(tmp_path, raw), strict=strict)
    return str(caught.value)


def names(broken: list[tuple[str, Change]]) -> list[str]:
    return [f"{i}-{name}" for i, (name, _) in enumerate(broken)]


def test_a_valid_cluster_is_read_whole(tmp_path: Path) -> None:
    cluster = read_cluster(put(tmp_path, valid()))
    assert (cluster.id, cluster.risk, cluster.summary) == ("cluster_7", "MEDIUM", "A cooper.")
    assert [d.id for d in cluster.documents] == [D1, D2, D3, D4]
    assert cluster.documents[0].origin.file == "07_cluster_7_doc1.json"
    assert cluster.person.entities[0] == ("QX-1", "PATIENT_ID")
    assert [(q.type, q.multi) for q in cluster.questions] == [
        ("specific", False), ("specific", True), ("general", False), ("general", True),
    ]  # fmt: skip


def test_every_check_has_a_failing_case() -> None:
    assert {name for name, _ in BROKEN} == set(CHECKS)
    assert {name for name, _ in BROKEN_STRICT} == set(STRICT)


@pytest.mark.parametrize(("name", "change"), BROKEN, ids=names(BROKEN))
@pytest.mark.parametrize("strict", [True, False])
def test_published_checks_are_always_made(
    tmp_path: Path, name: str, change: Change, strict: bool
) -> None:
    """The error names the file, the cluster where it can, and the check."""
    message = read_broken(tmp_path, change, strict=strict)
    assert message.startswith("cluster_07.json: cluster")
    assert f": {name}: " in message


@pytest.mark.parametrize(("name", "change"), BROKEN_STRICT, ids=names(BROKEN_STRICT))
def test_further_checks_are_made_when_strict(tmp_path: Path, name: str, change: Change) -> None:
    """What only a strict reading refuses is read without it."""
    message = read_broken(tmp_path, change, strict=True)
    assert message.startswith("cluster_07.json: cluster")
    assert f": {name}: " in message
    raw = valid()
    change(raw)
    assert read_cluster(put(tmp_path, raw), strict=False).documents


def test_no_message_holds_a_value(tmp_path: Path) -> None:
    """Messages reach logs: entities and questions are numbered, never quoted."""
    raw = valid()
    raw["metadata"]["person"]["entities"] = [["Zeppelin-Krause", "NAME"]]
    with pytest.raises(InputError) as caught:
        read_cluster(put(tmp_path, raw))
    assert "Zeppelin" not in str(caught.value)


def test_old_type_names_are_read_as_todays(tmp_path: Path) -> None:
    raw = valid()
    raw["metadata"]["person"]["entities"][3] = ["fall", "PROCESS_ID"]
    assert read_cluster(put(tmp_path, raw)).person.entities[3] == ("fall", "NON_PERSONAL_ID")


@pytest.mark.parametrize("text", ["{", "[]", "5", "\udcff"])
def test_what_is_no_cluster_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cluster_07.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"cluster_07\.json"):
        read_cluster(path)


def folder_of(tmp_path: Path) -> tuple[Path, Raw]:
    raw = valid()
    put(tmp_path / "files", raw)
    for record in raw["documents"]:
        put(tmp_path / "documents", record, f"07_{record['id']}.json")
    return tmp_path, raw


def test_a_folder_is_read_from_files_or_as_it_is(tmp_path: Path) -> None:
    folder, _ = folder_of(tmp_path)
    assert read_clusters(folder) == read_clusters(folder / "files")
    with pytest.raises(InputError, match="no cluster"):
        read_clusters(folder / "documents")


def test_single_documents_win_unless_strict(tmp_path: Path) -> None:
    """Published texts differ by a word here and there; a pipeline reads the single documents."""
    folder, raw = folder_of(tmp_path)
    other = copy.deepcopy(raw["documents"][3]) | {"content": "Other."}
    put(folder / "documents", other, f"07_{D4}.json")
    assert read_clusters(folder, strict=False)[0].documents[3].content == "Other."
    with pytest.raises(InputError, match=rf"cluster_7: single: .*{D4}\.json differs"):
        read_clusters(folder)


def test_a_missing_single_document_is_an_error_only_when_strict(tmp_path: Path) -> None:
    folder, raw = folder_of(tmp_path)
    (folder / "documents" / f"07_{D1}.json").unlink()
    text = raw["documents"][0]["content"]
    assert read_clusters(folder, strict=False)[0].documents[0].content == text
    with pytest.raises(InputError, match="single"):
        read_clusters(folder)


@pytest.mark.parametrize("key", ["golden_links", "links"])
def test_golden_links_are_sorted_distinct_and_known(tmp_path: Path, key: str) -> None:
    """Pairs and triples, by cluster or in one list; what names no document is left out."""
    folder, _ = folder_of(tmp_path)
    links: Any = [[D2, D1], [D1, D2], [D1, "cluster_9_doc1"], [D3, D1, D2]]
    put(folder, {key: {"cluster_7": links} if key == "golden_links" else links}, "golden.json")
    assert read_links(folder, read_clusters(folder)) == ((D1, D2), (D1, D2, D3))


@pytest.mark.parametrize("raw", [{}, {"links": 5}, []])
def test_a_golden_file_without_links_is_an_error(tmp_path: Path, raw: Any) -> None:
    put(tmp_path, raw, "golden.json")
    with pytest.raises(InputError, match=r"golden\.json"):
        read_links(tmp_path, ())
