"""Formulas (formulas.md §4–7) against figures by hand (formulas.md §16), compiled and not."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask import formulas
from linkmask.formulas import Rows, compiling
from linkmask.formulas.link_batches import strengths_of
from linkmask.formulas.risks import HOP_IN_SQL, HOP_IN_WORDS


def rows(*documents: dict[int, float], ceiling: list[float]) -> Rows:
    """Build `Rows` from one {entity: relevance} per document."""
    entries = [sorted(document.items()) for document in documents]
    return formulas.make_rows(
        start=np.cumsum([0] + [len(e) for e in entries], dtype=np.int64),
        entity=np.array([e for row in entries for e, _ in row], dtype=np.int32),
        relevance=np.array([r for row in entries for _, r in row], dtype=np.float64),
        ceiling=np.array(ceiling, dtype=np.float64),
    )


NOTHING = np.zeros(4, dtype=np.bool_)


def test_uniqueness_with_nine_documents() -> None:
    got = formulas.uniqueness(np.array([1, 9, 3], dtype=np.int32), 9)
    assert got == pytest.approx([1.0, 0.0458, 0.5229], abs=5e-5)


def test_document_risk_adds_with_diminishing_returns_and_a_certain_entity_dominates() -> None:
    two = rows({0: 1.0, 1: 0.5}, {0: 1.0, 1: 0.5, 2: 1.0}, {}, ceiling=[0.5, 1.0, 1.0])
    assert [formulas.document_risk(two, NOTHING, d) for d in range(3)] == [0.75, 1.0, 0.0]


def test_two_documents_with_one_shared_name() -> None:
    """formulas.md §16.3: relevance 1 and 0.4, N = 2."""
    u = math.log(1.5) / math.log(3)
    pair = rows({0: 1.0}, {0: 0.4}, ceiling=[u])
    assert formulas.edge_strength(pair, NOTHING, 0, 1) == pytest.approx(0.3691, abs=5e-5)
    risks = formulas.document_risks(pair, NOTHING)
    assert risks == pytest.approx([0.3691, 0.1476], abs=5e-5)
    assert formulas.chain_risk(pair, NOTHING, [0, 1]) == pytest.approx(0.2322, abs=5e-5)
    assert formulas.chain_risk(pair, NOTHING, [0, 1, -1]) == pytest.approx(0.2322, abs=5e-5)
    assert formulas.chain_risk(pair, NOTHING, [1, -1]) == 0.0


def test_hop_risk_lies_between_half_the_strength_and_the_strength() -> None:
    assert formulas.hop_risk(0.8, 0.0, 0.0) == pytest.approx(0.4)
    assert formulas.hop_risk(0.8, 1.0, 1.0) == pytest.approx(0.8)


@given(st.tuples(*[st.floats(0, 1)] * 3))
def test_the_risk_of_a_hop_is_the_same_in_sql_and_in_words(three: tuple[float, ...]) -> None:
    """Both texts, with numbers in them and the signs of Python, are computed as they stand."""
    numbers = dict(zip(("strength", "left", "right"), map(repr, three), strict=True))
    for text in (HOP_IN_SQL, HOP_IN_WORDS):
        assert eval(text.format(**numbers).replace("×", "*")) == formulas.hop_risk(*three)


def test_levels_are_inclusive_also_where_rounding_is_not() -> None:
    assert [formulas.level(x, 0.75, 0.5) for x in (0.75, 0.7499, 0.5, 0.4999)] == [0, 1, 1, 2]
    almost = 1 - (1 - 0.1) * (1 - 4 / 9)  # one half on paper
    assert formulas.level(almost, 0.75, 0.5) == 1
    assert formulas.level(almost - 1e-14, 0.75, 0.5) == 1


def test_target_needs_both_parts_of_the_stopping_rule() -> None:
    """formulas.md §16.7: R 0.56, θ 0.5, ρ 0.7 → 0.392; a LOW chain is held to θ only."""
    assert formulas.target(0.56, 1, 0.5, 0.5, 0.7) == pytest.approx(0.392)
    assert formulas.target(0.9, 0, 0.3, 0.5, 0.7) == 0.3
    assert formulas.target(0.45, 2, 0.4, 0.5, 0.7) == 0.4


def test_a_masked_entity_contributes_nothing_anywhere() -> None:
    corpus = rows({0: 1.0, 1: 1.0}, {0: 1.0, 1: 1.0}, ceiling=[0.5, 0.5])
    masked = np.array([True, False])
    assert formulas.document_risk(corpus, masked, 1) == 0.5
    assert formulas.edge_strength(corpus, masked, 0, 1) == 0.5
    assert formulas.chain_risk(corpus, np.array([True, True]), [0, 1]) == 0.0


def test_formulas_take_lists_as_well_as_arrays() -> None:
    corpus = rows({0: 0.3, 1: 1.0}, {0: 0.9, 2: 0.7}, ceiling=[0.8, 0.4, 0.9])
    lists = Rows(*(column.tolist() for column in corpus))
    assert formulas.chain_risk(lists, [False] * 3, [0, 1]) == formulas.chain_risk(
        corpus, NOTHING, [0, 1]
    )


def random_rows(seed: int, documents: int = 40, entities: int = 30) -> Rows:
    draw = np.random.default_rng(seed)
    held = [
        {int(e): float(draw.random()) for e in draw.choice(entities, draw.integers(0, 9))}
        for _ in range(documents)
    ]
    return rows(*held, ceiling=list(draw.random(entities)))


def test_compiled_loops_give_the_same_bits() -> None:
    corpus = random_rows(3)
    masked = np.random.default_rng(4).random(30) < 0.3
    for function in (formulas.document_risks, formulas.contributions):
        arguments = (corpus, masked) if function is formulas.document_risks else (corpus,)
        assert np.array_equal(function(*arguments), formulas.compiled(function)(*arguments))
    path = np.array([3, 7, 9, -1], dtype=np.int32)
    plain = formulas.chain_risk(corpus, masked, path)
    assert plain == formulas.compiled(formulas.chain_risk)(corpus, masked, path)


@pytest.mark.parametrize("compile_from", [0, 10**9])
def test_strengths_of_many_pairs_are_those_of_each(
    compile_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "COMPILE_FROM", compile_from)
    corpus = random_rows(5)
    masked = np.random.default_rng(6).random(30) < 0.3
    left, right = (column.astype(np.int32) for column in np.triu_indices(40, 1))
    each = [formulas.edge_strength(corpus, masked, i, j) for i, j in zip(left, right, strict=True)]
    assert strengths_of(corpus, masked, left, right).tolist() == each


def test_formulas_do_not_import_numba() -> None:
    """Forty documents wait for no compiler."""
    code = "import sys, linkmask.formulas; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


KEPT = """
import sys
from linkmask import formulas
from linkmask.formulas.compiling import fast
print(fast(formulas.within, 9, 5) is formulas.within)
print(formulas.compiled(formulas.within)(0.5, 0.5), "numba.np.arraymath" in sys.modules)
"""


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What two processes say, of which the second has the code that the first kept."""
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    command = [sys.executable, "-c", KEPT]
    return [
        subprocess.run(command, capture_output=True, text=True, env=environment).stdout.split()
        for _ in range(2)
    ]


def test_kept_code_is_used_from_less_work(twice: list[list[str]]) -> None:
    """Where none is kept yet, work that small does not wait for the compiler."""
    assert [plain for plain, _, _ in twice] == ["True", "False"]


def test_kept_code_is_loaded_without_readying_the_compiler(twice: list[list[str]]) -> None:
    """That takes longer than to load all there is."""
    assert [said for _, *said in twice] == [["True", "True"], ["True", "False"]]


def test_one_noisy_or_makes_every_risk() -> None:
    """1 − Π (1 − chance) is spelled in one file; the loops of all rooms multiply through it."""
    assert formulas.noisy_or([0.5, 0.5, 0.2]) == pytest.approx(0.8)
    assert formulas.noisy_or([]) == 0.0
    source = Path(formulas.__file__).parents[1]
    rooms = [source / room for room in ("formulas", "graph", "plan", "report", "verify")]
    spelled = [
        path.name
        for room in rooms
        for path in room.rglob("*.py")
        if re.search(r"\*=? \(?1(\.0)? - |prod\(1", path.read_text(encoding="utf-8"))
    ]
    assert spelled == ["noisyor.py"]
