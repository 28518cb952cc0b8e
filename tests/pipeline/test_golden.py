"""A round trip: a server that answers from hand-made entities gives those, and their links.

The documents are development data beside the repository; without them the test is skipped.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkmask import runs
from linkmask.commands import scan_files
from linkmask.config import Settings
from linkmask.graph.entities import canonical
from linkmask.runs import Run
from linkmask.testbench.datasets import read_clusters
from serving import Scripted, reply

DATA = Path(__file__).parents[3] / "shared" / "data" / "insurance" / "tune_chains"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="../shared/data is not there")


def surface_of(value: str, content: str) -> tuple[str, bool]:
    """How a golden value is written in a document, and whether it is a date in another form."""
    at = content.lower().find(value.lower())
    if at >= 0:
        return content[at : at + len(value)], False
    words = content.replace(",", " ,").split()
    for size in (4, 3, 2, 1):
        for start in range(len(words)):
            said = " ".join(words[start : start + size]).replace(" ,", ",").strip(".;:,()")
            day = canonical("EVENT_DATE", said).lstrip("-")  # without its year, or its day
            if said in content and value in (day, f"{value[:4]}-{day}", f"{day}-01"):
                return said, True
    raise AssertionError("a golden value is not in its document")


@pytest.fixture(scope="module")
def rows() -> dict[str, list[list[object]]]:
    """The answer to each document: its golden values, typed by the clusters' own lists."""
    clusters = read_clusters(DATA, strict=False)
    kinds = {v: kind for cluster in clusters for v, kind in cluster.person.entities}
    golden = json.loads((DATA / "golden.json").read_text())["entities"]
    answers = {}
    for document in (d for cluster in clusters for d in cluster.documents):
        answers[document.id] = []
        for value in golden[document.id]:
            surface, is_date = surface_of(value, document.content)
            kind = "EVENT_DATE" if is_date else kinds.get(value, "UNIQUE_FACT")
            answers[document.id].append([surface, value, kind, 0.9])
    return answers


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    clusters = read_clusters(DATA, strict=False)
    return {d.content: d.id for cluster in clusters for d in cluster.documents}


@pytest.fixture
def server(rows, texts) -> Iterator[Scripted]:
    def answer(request):
        said = request["messages"][-1]["content"]
        (name,) = [name for text, name in texts.items() if text in said]
        return reply({"entities": rows[name]}, tokens=(9000, 100))

    with Scripted(answer) as running:
        yield running


def test_golden_entities_come_back_as_mentions_and_make_the_links_they_make(server, rows, tmp_path):
    same = {"same_thing": False, "rare_terms": 0, "floor": (), "workers": 1, "edge_threshold": 0.2}
    asked = Settings(
        detector="llm",
        llm_doubted="release",
        llm_url=server.url,
        llm_model="golden",
        llm_cache=str(tmp_path / "llm.sqlite"),
        **same,
    )
    scan_files(DATA / "documents", tmp_path / "asked", asked)
    with Run.open(tmp_path / "asked") as run:
        found = {
            name: {(m.value, m.type) for m in mentions} for name, mentions in run.by_document()
        }
    expected = {
        name: {(runs.lower_and_collapse(kind, value), kind) for _, value, kind, _ in listed}
        for name, listed in rows.items()
    }
    assert len(found) == 25
    assert found == expected

    lines = [
        {
            "document": name,
            "original_value": surface,
            "normalized_value": value,
            "entity_type": kind,
            "relevance": relevance,
        }
        for name, listed in rows.items()
        for surface, value, kind, relevance in listed
    ]
    given = tmp_path / "golden.jsonl"
    given.write_text("".join(json.dumps(line) + "\n" for line in lines))
    scan_files(DATA / "documents", tmp_path / "given", Settings(**same), mentions=given)
    risks = [json.loads((tmp_path / n / "risk.json").read_text()) for n in ("asked", "given")]
    assert risks[0]["links"]
    assert risks[0] == risks[1]
