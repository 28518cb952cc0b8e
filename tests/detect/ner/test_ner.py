"""The trained model: what it finds lies in the text, its walk is exact, its file is small."""

from __future__ import annotations

from itertools import islice, pairwise, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hostile_shapes import names
from linkmask import schema
from linkmask.config import Settings
from linkmask.detect import first_pass, ner
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.ner import features as words
from linkmask.detect.ner import model, scoring, viterbi
from linkmask.detect.resolve import merge
from linkmask.formulas.compiling import compiled
from linkmask.graph import entities
from linkmask.records import Document

EN = Scope("en")
SENTENCE = "The hearing was held in Vienna on 3 May 2019 before Judge Aurelia Krumholtz."


def found(text: str) -> list[tuple[str, str]]:
    return [(text[f.start : f.end], f.type) for f in ner.find(text, EN)]


def test_a_name_that_is_in_no_list_is_found() -> None:
    assert ("Aurelia Krumholtz", "NAME") in found(SENTENCE)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Liebe Frau Jankowski, die Vorkasse bleibt ein Ärgernis.", ["Jankowski"]),
        ("Hola Rafa, tengo la Garantía de las Piezas y el Regalo para Pili.", ["Rafa", "Pili"]),
    ],
)
def test_common_words_with_capitals_beside_a_name_are_no_values(
    text: str, values: list[str]
) -> None:
    """The tagger sees how common a word is in subtitles, which hold few names."""
    mentions = first_pass(Document("d", text), Settings(), entities.canonical)
    assert [one.original for one in mentions] == values


def test_a_person_behind_a_clinicians_title_is_a_provider() -> None:
    document = Document("d", "The applicant was examined by Dr Krumholtz in Vienna.", {})
    mentions = first_pass(document, Settings(), entities.canonical)
    types = {m.original: m.type for m in mentions}
    assert types.get("Dr Krumholtz", types.get("Krumholtz")) == "PROVIDER"


def test_a_bodys_name_in_its_own_language_stays_with_it() -> None:
    """A bracket that closes behind words is part of the name."""
    text = "The applicant appealed to the Supreme Court (Högsta domstolen), which dismissed it."
    assert any("Högsta domstolen" in value for value, _ in found(text))


def test_so_many_of_ten_is_no_date() -> None:
    text = "Pain 6/10 today, strength 5/5 in both arms, vision 20/20, seen on 6/14. Overall: 4/5"
    assert not {"6/10", "5/5", "20/20", "4/5"} & {value for value, _ in found(text)}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The patient developed acute renal failure after treatment with cisplatin."),
        ("fr", "Antécédents : bronchiolite, appendicectomie. Elle prend de l'ibuprofène."),
        ("de", "Diagnosen: Bronchitis, Pneumonie. Therapie: Ibuprofen 400 mg."),
    ],
)
def test_conditions_and_treatments_are_found_in_each_language(language: str, text: str) -> None:
    types = {f.type for f in ner.find(text, Scope(language))}
    assert types >= {"MEDICAL_CONDITION", "TREATMENT"}


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60) | st.sampled_from([SENTENCE, SENTENCE.upper(), "İ\n\u00a0é\u0301 ß"]))
@example("A_")
@example("B&(0")
@example("A\x1bai")
@example("Mr. _Miller_ of Leeds")
def test_finds_lie_in_the_text_and_begin_and_end_with_a_letter_or_digit(text: str) -> None:
    for one in ner.find(text, EN):
        value = text[one.start : one.end]
        assert value and value[0].isalnum() and value[-1].isalnum()


def test_what_was_read_before_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are forgotten when there are too many; what is found stays the same."""
    before = found(SENTENCE)
    monkeypatch.setattr(model, "REMEMBERED", 40)
    for n in range(30):
        found(f"word{n} other{n} Name{n} and {n}")
    assert found(SENTENCE) == before


def test_a_long_text_is_read_in_blocks_of_words() -> None:
    text = "\n".join([SENTENCE] * 3)
    whole = found(text)
    assert whole
    assert len(found("\n".join([SENTENCE] * 1500))) >= 1490 * len(whole) / 3


def test_a_block_of_a_long_text_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut behind "service" or "rose", the tagger would take "rose" for a name."""
    said = "Utilization of this service rose by 37 percent. "
    alone = ner.find(said, Scope("en"))
    for block in range(40, 50):
        monkeypatch.setattr(ner, "BLOCK", block)
        assert len(ner.find(said * 12, Scope("en"))) == 12 * len(alone), block


def test_what_is_found_does_not_hang_on_where_a_block_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nothing ends a sentence, a block ends anywhere: behind "service" or "rose", say."""
    text = "the bill of Aurelia Krumholtz for this service rose by 37 percent and " * 60
    whole = found(text)
    for around, alike in ((ner.AROUND, True), (0, False)):
        monkeypatch.setattr(ner, "AROUND", around)
        seen = []
        for block in range(240, 253):
            monkeypatch.setattr(ner, "BLOCK", block)
            seen.append(sorted(found(text)) == sorted(whole))
        assert all(seen) == alike


def test_a_find_longer_than_a_block_is_found_in_each_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The tagger takes a list of capitalized words for one find, which begins in the first one."""
    text = " ".join(islice(names(), 32_000, 34_000))
    monkeypatch.setattr(ner, "BLOCK", 500)
    covered = {at for one in ner.find(text, EN) for at in range(one.start, one.end)}
    assert len(covered) > 0.9 * len(text)


def test_texts_read_together_are_read_as_each_alone() -> None:
    texts = [SENTENCE, "", "Seen by Dr Krumholtz in [LOCATION], then in Vienna.", "é\n\n", SENTENCE]
    texts += ["\n".join([SENTENCE] * 400), SENTENCE.lower()]
    assert ner.finds((text, EN) for text in texts) == [ner.find(text, EN) for text in texts]
    assert ner.finds([]) == []


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40) | st.text("a_é1 .\n\u00a0\u0301\x1f😀", max_size=40))
@example("\ud800x")
def test_words_are_the_matches_of_their_expression(text: str) -> None:
    matches = list(words.TOKEN.finditer(text))
    expected = [m[0] for m in matches], [m.start() for m in matches], [m.end() for m in matches]
    assert words.split(text) == expected


def best_by_trying(score: np.ndarray, transitions: np.ndarray) -> int:
    n, size = score.shape
    return max(
        sum(int(score[i, k]) for i, k in enumerate(path))
        + sum(int(transitions[a, b]) for a, b in pairwise(path))
        for path in product(range(size), repeat=n)
    )


@settings(max_examples=60)
@given(
    st.integers(1, 5), st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(0, 99999)
)
def test_the_walk_is_the_best_of_all_in_each_family(n: int, sizes: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    ends = np.cumsum(sizes)
    families = np.array(
        [(end - size, end) for size, end in zip(sizes, ends, strict=True)], np.int32
    )
    moves = viterbi.within(random.integers(-9, 9, (ends[-1], ends[-1]), np.int32), families)
    score = np.zeros((n, len(moves)), np.int32)
    score[:, : ends[-1]] = random.integers(-9, 9, (n, ends[-1]), np.int32)
    paths = np.empty((len(families), n), np.int32)
    viterbi.viterbi(score, moves, viterbi.steps(moves, families), families, paths)
    for (first, last), best in zip(families, paths, strict=True):
        reached = sum(int(score[i, k]) for i, k in enumerate(best)) + sum(
            int(moves[a, b]) for a, b in pairwise(best)
        )
        own = slice(first, last)
        assert reached == best_by_trying(score[:, own], moves[own, own])


def test_a_words_scores_are_the_weights_of_all_that_is_seen_of_it() -> None:
    """Of itself and two neighbours to each side, of combinations of them, and the bias."""
    one, text = model.shipped(), words.split(f"{SENTENCE} Diabetes, seen 1999.")[0]
    read = ["\n", "\n", *text, "\n", "\n"]
    score = np.empty((len(text), one.bias.shape[1]), np.int32)
    known, number = one._numbers(read)
    scoring.weigh(
        number, known.ids, known.rows, one._places, one._keys, one._combined, one.bias[0], score,
        one.bias.shape[1],
    )  # fmt: skip
    row_of = dict(zip(one._keys.tolist(), one._combined[1:].astype(int), strict=True))
    for i in range(len(text)):
        expected = one.bias[0].copy()
        for at, feature in enumerate(one._feature):
            for name in words.attributes(read[i + at])[at]:
                expected[: len(one.labels)] += one._weights[feature.get(name, 0)]
        for which, (_, what, offsets) in enumerate(words.COMBINED):
            near = [number[i + 2 + offset] for offset in offsets]
            ids = [int(known.ids[word, int(what == "k")]) for word in near]
            key = (scoring.pair if what == "t" else scoring.triple)(which, *ids)
            expected += row_of.get(key, 0)
        assert score[i].tolist() == expected.tolist()


@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(2, 3), st.integers(0, 2**32 - 1), st.booleans())
def test_chances_are_those_of_all_paths(n: int, size: int, seed: int, inside: bool) -> None:
    """Of every way to label a run, between words that say nothing or all of the text."""
    random = np.random.default_rng(seed)
    score = random.integers(-9, 9, (n + 2, size), np.int32)
    transitions = random.integers(-9, 9, (size, size), np.int32)
    bias = random.integers(-3, 3, size, np.int32)
    i, j, unit = (1, n + 1, 0.3) if inside else (0, n + 2, 0.3)
    expected = np.zeros((j - i, size))
    for path in product(range(size), repeat=j - i):
        whole = [0, *path, 0] if inside else path
        total = sum(transitions[a, b] for a, b in pairwise(whole))
        total += sum(score[i + at, k] - bias[k] for at, k in enumerate(path))
        for at, k in enumerate(path):
            expected[at, k] += np.exp(unit * total)
    expected /= expected.sum(1, keepdims=True)
    moves, odds = np.exp(unit * transitions), np.exp(-unit * np.arange(viterbi.APART))
    chance = viterbi.chances(score, moves, odds, bias, 0, size, i, j)
    assert chance == pytest.approx(expected, abs=1e-9)


def test_no_find_begins_behind_an_apostrophe_in_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    span = (3, 5, "TREATMENT", 0.9)
    monkeypatch.setattr(model.Model, "tag", lambda self, text: [span])
    assert found("You don't concentrate.") == [("concentrate", "TREATMENT")]


def test_a_long_run_of_unlikely_words_is_no_name() -> None:
    """A bias alone would make each word of it cheap; the place is found all the same."""
    values = [
        value for value, _ in found("The corner of {street_name} and {street_name} in Vienna.")
    ]
    assert values == ["Vienna"]


@settings(max_examples=40)
@given(st.integers(1, 6), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_the_gain_of_a_span_is_what_the_path_loses_without_it(n: int, size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    score = random.integers(-9, 9, (n, size), np.int32)
    transitions = random.integers(-9, 9, (size, size), np.int32)
    best = random.integers(0, size, n, np.int32)
    i = int(random.integers(n))
    best[i] = max(best[i], 1)
    j = i + 1
    while j < n and best[j] == best[i]:
        j += 1
    while i and best[i - 1] == best[i]:
        i -= 1

    def total(path: np.ndarray) -> int:
        moves = sum(int(transitions[a, b]) for a, b in pairwise(path))
        return moves + sum(int(score[at, k]) for at, k in enumerate(path))

    without = best.copy()
    without[i:j] = 0
    bias = np.zeros(size, np.int32)
    assert viterbi.gain(score, transitions, bias, best, 0, i, j) == total(best) - total(without)


def test_confidence_is_a_chance_and_no_matter_of_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    one, text = model.shipped(), words.split(SENTENCE)[0]
    before = {span[:3]: span[3] for span in one.tag(text)}
    assert before and all(0 < sure <= 1 for sure in before.values())
    monkeypatch.setattr(one, "bias", np.zeros_like(one.bias))
    after = {span[:3]: span[3] for span in one.tag(text)}
    same = before.keys() & after.keys()
    assert same and all(before[span] == after[span] for span in same)


def test_compiled_loops_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = words.split(f"{SENTENCE}\n{SENTENCE.lower()}")[0]
    plain = model.shipped().tag(text)
    monkeypatch.setattr(model, "fast", lambda function, *_: compiled(function))
    assert model.shipped().tag(text) == plain


def test_the_file_is_small_and_knows_the_labels_that_are_used() -> None:
    assert model.FILE.stat().st_size < 6_000_000
    assert set(ner.TYPES) <= set(model.shipped().labels)
    assert {entity_type for entity_type, _ in ner.TYPES.values()} <= set(
        schema.load("insurance").weights
    )


def test_no_name_is_seen_beside_a_mask() -> None:
    """What it stood on may be what was masked; a name there is left to the rules."""
    assert not found("The hearing of [NAME] Krumholtz was held.")


def test_a_masked_text_reads_as_the_original_did() -> None:
    text = "{} developed acute renal failure and was treated with cisplatin."
    assert {v for v, _ in found(text.format("[NAME]"))} == {"acute renal failure", "cisplatin"}


# ── how its finds go with the others' ───────────────────────────────────────────────────────────


def at(start: int, end: int, entity_type: str, detector: str = "lexicon", score: float = 0.7):  # type: ignore[no-untyped-def]
    return Candidate(start, end, entity_type, detector, "rule", score)


def spans(*ones: Candidate) -> list[tuple[int, int, str]]:
    weights = schema.load("insurance").weights
    return [(f.start, f.end, f.type) for f in merge(ones, weights, Settings().floor)]


def test_the_model_widens_what_the_lists_saw_of_the_same_thing() -> None:
    assert spans(at(0, 5, "NAME"), at(0, 12, "NAME", "ner")) == [(0, 12, "NAME")]
    assert spans(at(0, 5, "PROVIDER"), at(3, 12, "NAME", "ner")) == [(0, 12, "PROVIDER")]


def test_the_model_does_not_touch_what_is_something_else_or_certain() -> None:
    assert spans(at(0, 5, "AGE"), at(0, 12, "NAME", "ner")) == [(0, 5, "AGE")]
    certain = at(0, 5, "NON_PERSONAL_ID", "patterns", 1.0)
    assert spans(certain, at(0, 12, "NON_PERSONAL_ID", "ner")) == [(0, 5, "NON_PERSONAL_ID")]


def test_the_model_knows_better_where_a_condition_ends() -> None:
    told, seen = at(0, 20, "MEDICAL_CONDITION"), at(4, 12, "MEDICAL_CONDITION", "ner")
    assert spans(told, seen) == [(4, 12, "MEDICAL_CONDITION")]


@settings(max_examples=60)
@given(
    st.lists(
        st.builds(
            lambda a, n, t, d: at(a, a + n, t, d),
            st.integers(0, 30),
            st.integers(1, 9),
            st.sampled_from(["NAME", "PROVIDER", "AGE", "TREATMENT", "ORGANIZATION"]),
            st.sampled_from(["lexicon", "ner", "patterns"]),
        ),
        max_size=9,
    )
)
def test_merged_spans_are_disjoint_and_do_not_depend_on_the_order(ones: list[Candidate]) -> None:
    merged = spans(*ones)
    assert all(a[1] <= b[0] for a, b in pairwise(merged))
    assert merged == spans(*reversed(ones))


def test_the_embedded_detector_asks_the_model() -> None:
    document = Document("d", "The Government of Ostrovia were heard in Brackwell.", {})
    by = {m.why.detector for m in first_pass(document, Settings(), entities.canonical)}
    assert "ner" in by


def test_a_double_name_that_the_model_cuts_is_found_whole():
    text = "hospitalisé pour un syndrome de Guillain-Barré en mai"
    (disease,) = (f for f in ner.find(text, Scope()) if f.type == "MEDICAL_CONDITION")
    assert text[disease.start : disease.end] == "syndrome de Guillain-Barré"
