"""Rare words that link a person's documents are masked in one of them, and there alone."""

import json
import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import linkmask
from linkmask import commands, config
from linkmask.config import Settings
from linkmask.detect.lexicon.everyday import frequent_words
from linkmask.errors import SettingsError
from linkmask.graph.linkage import score_texts
from linkmask.pipeline.linkage import related_documents
from linkmask.pipeline.linkage.readable_words import (
    EVERYDAY,
    Hashes,
    blank,
    hashes_of_document,
    words_of_document,
)
from linkmask.pipeline.linkage.related_documents import ENOUGH
from linkmask.pipeline.linkage.shared_words import (
    MANY,
    HashedWords,
    holders_of,
    parted_by_rarity,
    words_to_mask,
)
from linkmask.pipeline.values.earlier_masks import kept_beside
from linkmask.records import Document, Mention, Why
from linkmask.runs.mentions import encode
from linkmask.schema import RARE_TERM
from linkmask.testbench.corpus import corpus_of
from linkmask.testbench.datasets import HiddenPerson, PersonCluster
from linkmask.testbench.defences import DefenceBuilder, defence
from linkmask.testbench.ranking import Ranking
from linkmask.text.letters import hash_of_word
from rare_word_texts import CASES, LINES, TEXTS, TOPICS


def masked(**settings: object) -> list[str]:
    documents = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS)]
    options = Settings(workers=1, **{"rare_pairs": "linker"} | settings)  # type: ignore[arg-type]
    return [one.content for one in linkmask.mask(documents, options).documents]


def test_preset_release_masks_rare_words_and_leaves_what_a_clinic_treats() -> None:
    release, usual = config.load(preset="release", environment={}), Settings()
    assert (release.rare_terms, release.rare_pairs, release.rare_nearest) == (5, "linker", 0)
    assert (usual.rare_terms, usual.rare_pairs, usual.rare_nearest) == (5, "auto", 2)
    coarser = {k: how.replace(":specialty", ":kind") for k, how in release.generalize.items()}
    assert coarser == usual.generalize != release.generalize
    names = "preset", "rare_pairs", "rare_nearest", "generalize"
    as_usual = {name: getattr(usual, name) for name in names}
    assert msgspec.structs.replace(release, **as_usual) == usual


def test_of_two_linked_documents_one_keeps_the_rare_word() -> None:
    texts = masked(rare_terms=3)
    for topic in TOPICS:
        for word in topic.split():
            assert sum(word in text for text in texts) == 1
    assert sum(text.count("The [...] matter") for text in texts) == len(TOPICS)


def test_what_more_documents_share_than_is_rare_stays() -> None:
    assert all("matter" in text for text in masked(rare_terms=3))
    assert masked(rare_terms=0) == TEXTS


@pytest.mark.parametrize("style", ["value", "pseudonym", "surrogate", "redact"])
def test_a_rare_term_is_written_alike_in_every_style_so_that_its_mask_links_nothing(
    style: str,
) -> None:
    mask = "[REDACTED]" if style == "redact" else "[...]"
    expected = [text.replace("[...]", mask) for text in masked(rare_terms=3)]
    assert masked(rare_terms=3, style=style, unkeyed=True) == expected


def test_the_type_of_a_rare_term_is_written_if_its_style_is_set() -> None:
    expected = [text.replace("[...]", "[RARE_TERM]") for text in masked(rare_terms=3)]
    assert masked(rare_terms=3, styles={"RARE_TERM": "value"}) == expected
    with pytest.raises(SettingsError, match="RARE_TERM"):
        config.load(overrides={"styles": {"RARE_TERM": "pseudonym"}}, environment={})


NO_LIMITS = {"theta_doc": 1.0, "theta_chain": 1.0, "high": 1.0, "medium": 1.0}
USUAL = Settings().generalize
CONDITIONS_LEFT = {kind: how for kind, how in USUAL.items() if kind != "MEDICAL_CONDITION"}


def masked_texts(texts: Sequence[str], **settings: object) -> list[str]:
    """Texts as they are masked without limits, where the linker says what belongs together.

    No rule masks conditions.
    """
    left = {"rare_pairs": "linker", "generalize": CONDITIONS_LEFT}
    options = {**left, **NO_LIMITS, **settings}
    rows = [{"id": f"d{n}", "content": text} for n, text in enumerate(texts)]
    found = linkmask.mask(rows, Settings(workers=1, **options)).documents  # type: ignore[arg-type]
    return [one.content for one in sorted(found, key=lambda one: int(one.id[1:]))]


def test_a_value_that_few_documents_hold_is_a_rare_term_as_a_whole() -> None:
    """Its words are of everyday, or in other documents, too; as a value it joins two of them."""
    texts = [
        "The heron survey: the 47-year-old patient from Ulm has sleep apnea.",
        "A note on the heron survey, that a 52-year-old patient has sleep apnea and asthma.",
        *(f"Form {n}: no sleep after {n} apnea alarms." for n in range(6)),
    ]
    one, other, *rest = masked_texts(texts)
    assert sorted("has sleep apnea" in text for text in (one, other)) == [False, True]
    assert (one + other).count("has [MEDICAL_CONDITION]") == 1
    assert rest == texts[2:]


def test_documents_share_a_rare_term_if_neither_is_the_nearest_of_the_other() -> None:
    """On two topics stand three documents each, and each has a condition of one on the other.

    Those with gout find their own topic nearest, and those with the heron each other.
    """
    topics = ("quartz basalt gravel by the lantern", "rudder lever and the copper gantry")
    told = (
        ("gout", "scabies", "lupus, asthma; a heron came"),
        ("gout", "scabies", "lupus, mumps, asthma; a heron came"),
    )
    texts = [
        f"Note {n} on {topic}: the {41 + 9 * m + n}-year-old has {said}."
        for m, topic in enumerate(topics)
        for n, said in enumerate(told[m])
    ]
    for nearest, gout in ((0, 1), (1, 2)):
        left = masked_texts(texts, rare_terms=2, rare_nearest=nearest)
        assert [sum(word in one for one in left) for word in ("gout", "heron")] == [gout, 1]


def test_a_rare_word_that_is_a_value_of_one_type_is_shown_as_that_type(tmp_path: Path) -> None:
    """Readers see what kind of thing stood there; an opened run writes the same."""
    texts = {
        "a": "Bastien Roussel, 41 years old, has lupus. The gyrfalcon came up in the call.",
        "b": "The patient, 52 years old, has lupus and asthma. The letter shows a gyrfalcon.",
    }
    expected = "The patient, 52 years old, has [MEDICAL_CONDITION] and asthma."
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    rows = [json.dumps({"id": name, "content": text}) for name, text in texts.items()]
    source.write_text("\n".join(rows) + "\n")
    commands.mask_files(source, out, Settings(workers=1))
    lines = (out / "documents" / "in.jsonl").read_text().splitlines()
    released = {row["id"]: row["content"] for row in map(json.loads, lines)}
    assert released["b"] == f"{expected} The letter shows a [...]."
    with linkmask.open(out) as masker:
        documents = [Document(name, text) for name, text in texts.items()]
        again = {one.id: one.content for one in masker.mask_documents(documents)}
    assert again == released


def test_the_linker_finds_fewer_persons_where_rare_terms_are_masked() -> None:
    person = [n // len(LINES) for n in range(len(TEXTS))]

    def rank1(texts: list[str]) -> float:
        pairs = score_texts(texts)
        return Ranking(pairs.left, pairs.right, pairs.scores, person).rank1

    assert rank1(masked(rare_terms=3)) < rank1(TEXTS)


def hashes(*words: str) -> Hashes:
    return np.array(sorted(map(hash_of_word, words)), np.uint64)


def chosen(
    words: Sequence[str],
    linked: Collection[tuple[int, int]],
    about: Sequence[float],
    common: Sequence[str] = (),
    settled: int = 0,
) -> list[set[str]]:
    """Return the words that are masked in each document, given by its words."""
    names = {hash_of_word(word): word for text in words for word in text.split()}
    masked = words_to_mask(
        holders_of([hashes(*text.split()) for text in words]),
        hashes(*common),
        lambda a, b: np.array(
            [p in linked for p in zip(a.tolist(), b.tolist(), strict=True)], bool
        ),
        np.array(about),
        np.arange(len(words)) >= settled,
    )
    return [{names[one] for one in masked.get(n, ())} for n in range(len(words))]


def test_a_word_goes_first_from_the_text_that_shares_it_with_the_most_linked_ones() -> None:
    words, linked, about = ["heron"] * 3, {(0, 1), (1, 2)}, [0.9, 0.1, 0.9]
    assert chosen(words, linked, about) == [set(), {"heron"}, set()]
    assert chosen(words, linked, about, ["heron"]) == [set()] * 3
    assert chosen(words, (), about) == [set()] * 3


def test_of_two_linked_documents_the_one_about_nobody_keeps_the_rare_word() -> None:
    assert chosen(["heron"] * 2, {(0, 1)}, [0.2, 0.9]) == [set(), {"heron"}]
    assert chosen(["heron"] * 2, {(0, 1)}, [0.9, 0.2]) == [{"heron"}, set()]


def test_texts_that_are_settled_get_no_further_masks() -> None:
    every = {(0, 1), (0, 2), (1, 2)}
    assert chosen(["heron"] * 3, every, [0.5] * 3, settled=2) == [set(), set(), {"heron"}]


def test_a_rare_word_of_an_earlier_edition_is_masked_in_all_of_very_many_new_documents() -> None:
    many = ["heron"] * (MANY + 1)
    assert chosen(many, (), [0.5] * len(many), settled=2) == [set()] * 2 + [{"heron"}] * (MANY - 1)
    assert chosen(many[1:], (), [0.5] * MANY) == [set()] * MANY


@examples(deadline=None)
@given(
    texts=st.lists(st.sets(st.sampled_from("abcdef")), min_size=1, max_size=8),
    seed=st.integers(0, 10**6),
    most=st.integers(2, 5),
    settled=st.integers(0, 8),
)
def test_no_two_documents_that_belong_together_share_a_rare_word(
    texts: list[set[str]], seed: int, most: int, settled: int
) -> None:
    """By a plain reading of all pairs: a word is left in one of two."""
    draw = random.Random(seed)
    pairs = list(combinations(range(len(texts)), 2))
    linked = {pair for pair in pairs if draw.random() < 0.5}
    held = Counter(word for text in texts for word in text)
    common = {word for word, count in held.items() if count > most}
    hashed = [hashes(*text) for text in texts]
    rare, more = parted_by_rarity(HashedWords(hashed), most)
    assert more.tolist() == hashes(*common).tolist()
    every = holders_of(hashed)
    left = ~np.isin(every.word, more)
    assert rare.word.tolist() == every.word[left].tolist()
    assert rare.document.tolist() == every.document[left].tolist()
    about = [draw.random() for _ in texts]
    words = [" ".join(sorted(text)) for text in texts]
    masked = chosen(words, linked, about, sorted(common), settled)
    for a, b in pairs:
        shared = (texts[a] - masked[a]) & (texts[b] - masked[b]) - common
        assert not shared or (a, b) not in linked or b < settled
    for n, gone in enumerate(masked):
        assert not gone or n >= settled
        others = {w for pair in linked if n in pair for w in texts[sum(pair) - n]}
        assert gone <= (texts[n] & others) - common


def test_of_enough_documents_the_linker_says_by_default_which_belong_together() -> None:
    """Of fewer values say so: the linker would take any two of these for about one person."""
    others = [f"Form {n} is of a {72 + n}-year-old patient." for n in range(ENOUGH)]
    for many, kept in ((ENOUGH - 1, 2), (ENOUGH, 1)):
        texts = (TEXTS + others)[:many]
        rows = [{"id": f"d{n}", "content": text} for n, text in enumerate(texts)]
        masked = [one.content for one in linkmask.mask(rows, Settings(workers=1)).documents]
        assert {sum(word in text for text in masked) for word in ("heron", "quartz")} == {kept}


@pytest.mark.parametrize("shared", [False, True])
def test_the_linker_is_asked_where_two_documents_share_a_rare_word(
    shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()

    def noted(texts: Sequence[str], *more: object) -> object:
        asked.append(len(texts))
        return score_texts(texts, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(related_documents, "score_texts", noted)
    texts = [f"Form {n} is of a {22 + n}-year-old patient." for n in range(ENOUGH)]
    texts[:2] = [text + " It names a heron." for text in texts[: 2 * shared]] or texts[:2]
    linkmask.mask([{"id": f"d{n}", "content": t} for n, t in enumerate(texts)], Settings(workers=1))
    assert asked == [ENOUGH, ENOUGH] * shared


def test_documents_that_tell_of_nobody_keep_their_words() -> None:
    """Of two that are otherwise alike, whoever puts them together learns nothing of a person."""
    rows = [
        {"id": "a", "content": "The heron survey was read by the committee."},
        {"id": "b", "content": "A note on the heron survey went to the committee."},
    ]
    for more, held in (("", 2), (" The patient is {} years old.", 1)):
        given = [
            row | {"content": row["content"] + more.format(41 + n)} for n, row in enumerate(rows)
        ]
        texts = [
            one.content
            for one in linkmask.mask(given, Settings(workers=1, rare_pairs="linker")).documents
        ]
        assert sum("heron" in text for text in texts) == held


def test_words_of_everyday_are_not_rare_in_a_corpus_of_two_documents() -> None:
    documents = [
        {"id": "a", "content": "The 41-year-old patient has pain after the heron survey."},
        {"id": "b", "content": "A note on the heron survey: the patient (52 years old) has pain."},
    ]
    texts = linkmask.mask(documents, Settings(workers=1, rare_pairs="linker")).documents
    both = sorted(one.content for one in texts)
    assert all(word in text for text in both for word in ("patient", "has", "the", "pain"))
    assert [text.count("heron") for text in both].count(1) == 1


def test_a_rare_term_stays_masked_where_it_becomes_part_of_another_value() -> None:
    why = Why("rules", "by hand")
    old = Mention("d", "content", 4, 9, RARE_TERM, "heron", "heron", 0.0, why)
    new = Mention("d", "content", 4, 16, "PROVIDER", "heron clinic", "heron clinic", 0.5, why)
    other = Mention("d", "content", 4, 9, "NAME", "heron", "heron", 0.5, why)
    lines = (b"".join(map(encode, some)) for some in ([new], [old, other]))
    assert kept_beside(*lines) == [old]


def test_the_bench_masks_rare_terms_as_a_defence() -> None:
    """A setting of detection takes a scan of its own: the plan alone can't add what is found."""
    people = [
        PersonCluster(
            f"{n}",
            "HIGH",
            "",
            tuple(Document(f"{n}-{m}", TEXTS[2 * n + m]) for m in range(len(LINES))),
            HiddenPerson(()),
            (),
        )
        for n in range(len(TOPICS))
    ]
    builder = DefenceBuilder(corpus_of("small", people))
    by_name = {
        name: list(defence(name).make(builder).texts)
        for name in (
            "clam[rare_pairs=linker]",
            "clam[preset=release]",
            "clam[rare_terms=0]",
            "clam",
        )
    }
    assert by_name == {
        "clam[rare_pairs=linker]": masked(),
        "clam[preset=release]": masked(),
        "clam[rare_terms=0]": TEXTS,
        "clam": TEXTS,  # so few documents that values decide, and no two share one
    }


def test_by_values_two_documents_that_share_a_value_share_no_rare_word() -> None:
    """The last document shares no value with the others, so that it keeps its words."""
    rows = [{"id": f"d{n}", "content": text} for n, text in enumerate(CASES)]
    by_values = Settings(workers=1, rare_terms=4, rare_pairs="values")
    texts = [one.content for one in linkmask.mask(rows, by_values).documents]
    assert "gyrfalcon" in texts[-1]
    assert sum("gyrfalcon" in text for text in texts[:-1]) == 1
    plain = list(linkmask.mask(rows, Settings(workers=1, rare_terms=0)).documents)
    assert all("gyrfalcon" in one.content for one in plain)
    assert "committee" in texts[-1] and "committee" in plain[-1].content


@pytest.mark.parametrize("rare_pairs", ["linker", "values"])
def test_texts_about_nobody_by_one_author_keep_their_rare_words(rare_pairs: str) -> None:
    """The author's name alone, which is masked, tells of no person's documents."""
    readme = (
        "# gyrfalcon\n\nA parser for marlinspike files. Install it with pip, then run the tests.\n"
        "Version {0}.2 needs Linux, and a C compiler. See https://gyrfalcon.example/{0} for more.\n"
        "The parser reads a file line by line, and writes a table. Errors go to a log, with the\n"
        "number of the line. To change the format of the table, set an option on the command\n"
        "line, or write a file of options, and keep it beside the files that are read.\n"
        "\nAuthor: Zadie Okonkwo-Lunt\n"
    )
    letter = (
        "Zadie Okonkwo-Lunt, {0}1 years old, has lupus. The gyrfalcon came up in the call. She saw "
        "the marlinspike in her room, and asked for a letter about it."
    )
    options = Settings(workers=1, rare_pairs=rare_pairs, rare_terms=4, rare_nearest=0)
    for text, kept in ((readme, 2), (letter, 1)):
        rows = [{"id": f"d{n}", "content": text.format(n + 3)} for n in range(2)]
        rows += [{"id": "x", "content": "The patient has asthma, and is 52 years old."}]
        rows[1]["content"] += "\nThe last line differs.\n"
        done = [one.content for one in linkmask.mask(rows, options).documents]
        assert not any("Okonkwo" in text for text in done)
        assert sum("marlinspike" in text for text in done) == kept


def test_a_value_that_is_masked_by_rule_is_no_rare_word() -> None:
    document = Document("d", "The heron of Kroll Street is seen by the surgeon.")
    why = Why("rules", "by hand")
    found = [Mention("d", "content", 13, 25, "ADDRESS", "Kroll Street", "kroll street", 1.0, why)]
    words = words_of_document(document, found, Settings())
    assert {"heron", "surgeon"} <= words.keys() and not {"kroll", "street"} & words.keys()
    rare = {word for word in words if word not in frequent_words(EVERYDAY)}
    hashed = hashes_of_document(document, found, Settings())
    assert hashed.tolist() == sorted(map(hash_of_word, rare))


@pytest.mark.parametrize(
    "spans", [[], [(2, 5)], [(4, 6), (2, 5), (2, 3)], [(0, 9), (3, 4), (9, 9)]]
)
def test_spans_are_blanked_in_any_order_and_where_they_overlap(
    spans: list[tuple[int, int]],
) -> None:
    text = "abcdefghi"
    gone = {n for start, end in spans for n in range(start, end)}
    assert blank(text, spans) == "".join(" " if n in gone else c for n, c in enumerate(text))


def test_labels_of_a_form_are_no_rare_words() -> None:
    """A form is of use only with its labels, and they say nothing of a person."""
    text = "Member: x\nDOB : y\nSchadenshergang: v\nGyrfalcon survey: z\nBirth place: w"
    found = words_of_document(Document("d", text), [], Settings()).keys()
    assert found == {"gyrfalcon", "survey", "birth"}, (
        "a word before a colon is one of a label if it is known"
    )


LUPUS = (
    "The patient, 52 years old, has lupus and asked for a letter.",
    "The patient has lupus and asthma. It stood on the form.",
)
"""Two texts of one person: they share a value."""


@pytest.mark.parametrize("text", ["| Gyrfalcon | {} |", "Gyrfalcon .... {}", "Gyrfalcon: {}"])
def test_a_rare_word_in_the_place_of_a_label_is_masked(text: str) -> None:
    """A table of two columns may hold data in both, and a list its subject before a colon."""
    texts = [f"{text.format('seen')}\n{said}" for said in LUPUS]
    for word, readable in (("Gyrfalcon", 1), ("Country", 2)):
        spelled = [text.replace("Gyrfalcon", word) for text in texts]
        settings = Settings(workers=1, rare_terms=4, rare_pairs="values")
        released = [one.content for one in linkmask.mask(spelled, settings).documents]
        assert sum(word in text for text in released) == readable


def test_heads_of_rows_are_labels_and_cells_of_a_wider_table_are_not() -> None:
    form = "| Admitted to | ward |\nMember name .......... heron\nHe waited... then came.\n"
    table = "| gyrfalcon | osprey | kestrel |\n"
    words = {"ward", "heron", "waited", "then", "came", "gyrfalcon", "osprey", "kestrel"}
    document = Document("d", form + table)
    assert words_of_document(document, [], Settings()).keys() == words
    rare = sorted(hash_of_word(word) for word in words if word not in frequent_words(EVERYDAY))
    assert hashes_of_document(document, [], Settings()).tolist() == rare


def test_a_compound_of_everyday_words_is_no_rare_word() -> None:
    document = Document("d", "A follow-up of the year-old case, a heron-shaped one.")
    hashed = hashes_of_document(document, [], Settings()).tolist()
    assert hashed == [hash_of_word("heron-shaped")]


def test_an_age_within_a_word_is_a_value_and_no_rare_word() -> None:
    """Of "48-year-old" the limits decide on the age; the rest is a word like others."""
    text = "The 48-year-old smith came."
    why = Why("patterns", "years-old", 0.95)
    age = Mention("d", "content", 4, 6, "AGE", "48", "48", 0.9, why)
    words = words_of_document(Document("d", text), [age], Settings())
    assert "year-old" in words and not any(word.startswith("48-") for word in words)


def test_a_stopword_of_a_language_without_counts_is_never_rare() -> None:
    assert {"della", "wordt", "meu", "una"} <= frequent_words(EVERYDAY)
