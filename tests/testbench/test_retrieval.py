"""Dense retrieval: exact search as the reference, Chroma beside it, vectors of three makers."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from linkmask import config, llm
from linkmask.testbench import extras
from linkmask.testbench.cells import read_grid
from linkmask.testbench.datasets import read_clusters
from linkmask.testbench.grid import bench
from linkmask.testbench.indexes import Exact, Vectors
from linkmask.testbench.missing import Hole
from linkmask.testbench.result_tables import Results
from linkmask.testbench.retrievers import RETRIEVERS, Chroma, Retrieval
from linkmask.testbench.run_folder import load_cells
from serving import Scripted

EXAMPLE = Path(__file__).parents[2] / "examples" / "insurance"
TEXTS = ["The heron nests by the lake.", "A claim was filed in March.", "", "Nothing of note."]

chroma = pytest.mark.skipif(
    not find_spec("langchain_chroma"), reason="extra rag is not installed: make test-rag"
)
minilm = pytest.mark.skipif(
    not (find_spec("sentence_transformers") and find_spec(extras.CARRIER)),
    reason="MiniLM is not installed: make test-rag",
)


def no_model() -> llm.LanguageModel:
    raise Hole("no language model was given")


def lists(index: Exact, queries: list[str], count: int) -> list[list[int]]:
    return [index.search(query, count)[0].tolist() for query in queries]


def test_exact_search_gives_the_order_of_l2() -> None:
    """By hand: distances of (0.6, 0.8) to the axes are √0.8 and √0.4; (−1, 0) is farthest."""
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    order, scores = Exact(Vectors(rows, lambda query: np.array([0.6, 0.8]))).search("", 3)
    assert order.tolist() == [1, 0, 2]
    assert scores.tolist() == [0.6, 0.8, -0.6]
    assert (2 - 2 * scores).tolist() == pytest.approx([0.8, 0.4, 3.2])


@pytest.mark.parametrize("name", sorted(set(RETRIEVERS) - {"bm25", "lsa"}))
def test_what_is_not_there_is_a_hole_that_says_what_to_do(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("langchain_chroma", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Hole, match=r"pip install|no language model"):
        Retrieval(no_model).index(name, TEXTS)


@pytest.mark.skipif(not find_spec("sentence_transformers"), reason="make test-rag")
def test_a_folder_without_the_model_is_a_hole_and_nothing_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(Hole, match="nothing is fetched"):
        Retrieval(no_model, str(tmp_path)).index("minilm", TEXTS)


def test_a_server_makes_vectors_and_is_asked_once_for_each_text(tmp_path: Path) -> None:
    with Scripted() as server:
        settings = config.load(
            overrides={"llm_url": server.url, "llm_model": "m", "llm_cache": str(tmp_path / "c")},
            environment={},
        )
        with llm.connect(settings) as model:
            retrieval = Retrieval(lambda: model)
            index = retrieval.index("server", TEXTS)
            again = retrieval.index("server", TEXTS)
            for n, text in enumerate(TEXTS):
                assert index.search(text, 1)[0].tolist() == [n]
                assert again.search(text, 1)[0].tolist() == [n]
    length = np.linalg.norm(index.vectors.rows, axis=1)  # type: ignore[attr-defined]
    assert length == pytest.approx(np.ones(len(TEXTS)))


@chroma
def test_chroma_finds_what_exact_search_finds_and_the_same_twice() -> None:
    """On 300 random vectors, 200 queries: with these settings the top three agree everywhere."""
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(300, 48))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    asked = {str(n): row for n, row in enumerate(rng.normal(size=(200, 48)))}
    vectors = Vectors(rows, lambda query: asked[query] / np.linalg.norm(asked[query]))
    texts = [f"text {n}" for n in range(300)]
    exact = lists(Exact(vectors), list(asked), 3)
    stores = Chroma(vectors, texts), Chroma(vectors, texts)
    first, second = (lists(store, list(asked), 3) for store in stores)
    assert first == second
    assert first == exact
    for store in stores:
        store.close()


@chroma
@pytest.mark.parametrize("name", ["lsa", pytest.param("minilm", marks=minilm)])
def test_on_the_example_corpus_chroma_and_exact_search_agree(name: str) -> None:
    clusters = read_clusters(EXAMPLE)
    texts = [document.content for cluster in clusters for document in cluster.documents]
    asked = [question.q for cluster in clusters for question in cluster.questions]
    retrieval = Retrieval(no_model)
    exact, store = (retrieval.index(kind, texts) for kind in (name, f"{name}-chroma"))
    for query in asked:
        assert store.search(query, 3)[0].tolist() == exact.search(query, 3)[0].tolist()
        assert store.scores(query).tolist() == exact.scores(query).tolist()


@minilm
def test_minilm_finds_a_sentence_by_its_meaning_and_says_which_weights() -> None:
    texts = ["The surgeon replaced her hip.", "Rain is expected on Sunday.", "He sells carpets."]
    retrieval = Retrieval(no_model)
    index = retrieval.index("minilm", texts)
    assert index.search("Who had an operation on a joint?", 1)[0].tolist() == [0]
    assert index.search("What will the weather be?", 1)[0].tolist() == [1]
    assert retrieval.parameters("minilm")["weights"] == "53aa51172d142c89"


@chroma
@minilm
def test_no_address_outside_is_looked_up() -> None:
    """Every socket and every name is refused; searching works all the same."""
    script = """
import socket
def refuse(*given, **named):
    raise AssertionError(f"the network was asked: {given[:2]}")
socket.getaddrinfo = refuse
connect = socket.socket.connect
def guarded(self, at):
    return connect(self, at) if self.family == socket.AF_UNIX else refuse(at)
socket.socket.connect = guarded
from linkmask.testbench.retrievers import Retrieval
index = Retrieval(lambda: None).index("minilm-chroma", ["a heron", "a claim", ""])
assert index.search("bird", 1)[0].tolist() == [0]
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-600:]


@chroma
def test_a_run_says_how_far_chroma_agrees_with_exact_search(tmp_path: Path) -> None:
    asked = {"defences": ("std",), "attacks": ("questions",), "generators": ("parrot",),
             "retrievers": ("lsa", "lsa-chroma")}  # fmt: skip
    bench(EXAMPLE, tmp_path / "run", read_grid(None, asked))
    found = Results(tmp_path / "run").figure(
        "std", "lsa-chroma", "parrot", "questions", "agreement"
    )
    assert found is not None
    assert found.value == 1


def test_a_run_asks_the_server_for_vectors_and_without_one_says_so(tmp_path: Path) -> None:
    asked = {"defences": ("std",), "attacks": ("questions",), "generators": ("parrot",),
             "retrievers": ("server",), "embeddings": "small-vectors"}  # fmt: skip
    with Scripted() as server:
        given = {"llm_url": server.url, "llm_model": "m", "llm_cache": str(tmp_path / "cache")}
        settings = config.load(overrides=given, environment={})
        bench(EXAMPLE, tmp_path / "run", read_grid(None, asked), settings)
    bench(EXAMPLE, tmp_path / "without", read_grid(None, asked))
    with_server, without = (next(iter(load_cells(tmp_path / n))) for n in ("run", "without"))
    assert with_server["status"] == "done"
    assert all(len(row["retrieved"]) == 3 for row in with_server["raw"]["questions"])
    assert without["status"] == "hole"
    assert "no language model was given" in without["reason"]
