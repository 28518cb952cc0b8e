"""Generated corpora: the same bytes again, and a truth that is exact."""

import hashlib
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from linkmask.errors import OutputError
from linkmask.testbench.datasets import read_clusters, read_links
from linkmask.testbench.generate import WritingPlan, groups, write


def digest(folder: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        whole.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_same_seed_same_bytes_other_seed_others(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        write(tmp_path / name, WritingPlan(documents=30, language="both", decoys=1, seed=seed))
    assert digest(tmp_path / "a") == digest(tmp_path / "b") != digest(tmp_path / "c")


def test_processes_whose_hashes_differ_write_the_same_bytes(tmp_path: Path) -> None:
    for name in ("1", "2"):
        command = f"generate -o {tmp_path / name} --documents 40 --persons 2 --decoys 1 --jsonl"
        environment = {**os.environ, "PYTHONHASHSEED": name}
        subprocess.run(
            [sys.executable, "-m", "linkmask", *command.split()], check=True, env=environment
        )
    assert digest(tmp_path / "1") == digest(tmp_path / "2")


def test_memory_does_not_grow_with_the_number_of_documents(tmp_path: Path) -> None:
    write(tmp_path / "warm", WritingPlan(documents=10, jsonl=True))  # vocabularies are read once
    peaks = []
    for documents in (100, 1000):
        tracemalloc.start()
        write(tmp_path / str(documents), WritingPlan(documents=documents, jsonl=True))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_strict_checks_pass(tmp_path: Path, language: str) -> None:
    written = write(tmp_path / "out", WritingPlan(documents=60, language=language))
    clusters = read_clusters(tmp_path / "out", strict=True)
    assert sum(len(cluster.documents) for cluster in clusters) == written.documents
    assert len(clusters) == written.persons
    assert len(read_links(tmp_path / "out", clusters)) == written.links


def test_every_mention_stands_where_it_is_said_to_and_none_is_left_out(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, WritingPlan(documents=40, persons=3, jsonl=True))
    texts = {record["id"]: record["content"] for record in lines(out / "documents.jsonl")}
    mentions = lines(out / "mentions.jsonl")
    for m in mentions:
        assert texts[m["document"]][m["start"] : m["end"]] == m["original_value"]
    marked = {(m["document"], m["person"], m["original_value"]) for m in mentions}
    for record in lines(out / "clusters.jsonl"):
        person = record["metadata"]["cluster_id"]
        for value, _ in record["metadata"]["person"]["entities"]:
            held = {d["id"] for d in record["documents"] if value in d["content"]}
            assert held == {
                d for d, whose, v in marked if v == value and d.startswith(f"{person}_") and whose
            }


def test_links_join_just_the_documents_that_share_a_value_of_one_person(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, WritingPlan(documents=40, persons=2))
    where: dict[tuple[str, str], set[str]] = {}
    for m in lines(out / "mentions.jsonl"):
        where.setdefault((m["person"], m["normalized_value"]), set()).add(m["document"])
    shared = {frozenset((a, b)) for held in where.values() for a in held for b in held if a < b}
    golden = json.loads((out / "golden.json").read_text(encoding="utf-8"))["golden_links"]
    assert {frozenset(pair) for pairs in golden.values() for pair in pairs} == shared


def test_the_controls_do_what_they_say() -> None:
    def people(plan: WritingPlan) -> list[dict[str, Any]]:
        return [record for made in groups(plan) for record, _ in made.values()]

    def shared(plan: WritingPlan) -> float:
        shares = []
        for record in people(plan):
            texts = [document["content"] for document in record["documents"]]
            values = [value for value, _ in record["metadata"]["person"]["entities"]]
            shares.append(sum(sum(v in t for t in texts) > 1 for v in values) / len(values))
        return sum(shares) / len(shares)

    assert shared(WritingPlan(documents=60, overlap=0.0)) < 0.05
    assert shared(WritingPlan(documents=60, overlap=1.0)) == 1
    decoyed = people(WritingPlan(documents=60, decoys=2))
    topics = [
        {value for value, kind in record["metadata"]["person"]["entities"] if kind == "TREATMENT"}
        for record in decoyed
    ]
    assert len(set().union(*topics)) <= len(topics) / 2
    several = people(WritingPlan(documents=60, persons=2))
    assert any(len({m[3] for m in d["mentions"]}) == 2 for r in several for d in r["documents"])


def test_a_foreign_folder_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(OutputError):
        write(tmp_path, WritingPlan(documents=10), overwrite=True)
    out = tmp_path / "out"
    write(out, WritingPlan(documents=10))
    with pytest.raises(OutputError):
        write(out, WritingPlan(documents=10))
    write(out, WritingPlan(documents=20), overwrite=True)
