"""A sentence model is read from its folder, and embeds texts as it was trained."""

from pathlib import Path

import numpy as np
import pytest
from tests.sentence_models import write

from linkmask.errors import SettingsError
from linkmask.graph.linkage import compare_texts, models, score_texts
from linkmask.graph.linkage.features import BY_SENTENCES, NAMES
from linkmask.graph.linkage.sentences import LONGEST, SentenceModel, vectors_of


@pytest.fixture
def model(tmp_path: Path) -> SentenceModel:
    return SentenceModel(write(tmp_path, ("un", "##aff", "##able", "seen", ",", "cafe")))


def test_a_word_is_cut_into_the_longest_pieces_that_fit(model: SentenceModel) -> None:
    assert model.pieces("Unaffable, seen") == [4, 5, 6, 8, 7]
    assert model.pieces("Café unseen") == [9, 1]


def test_vectors_have_length_1_and_tell_the_order_of_words(model: SentenceModel) -> None:
    rows = model.embed(["seen cafe", "cafe seen", "seen cafe", ""])
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert rows[0] @ rows[2] == pytest.approx(1, abs=1e-5)
    assert not np.allclose(rows[0], rows[1], atol=1e-4)


def test_the_pieces_of_a_text_are_told_by_the_span_they_stand_in(model: SentenceModel) -> None:
    found = model.read("seen unaffable, cafe", [(5, 14), (16, 20)])
    assert found.span.tolist() == [-1, -1, 0, 0, 0, -1, 1, -1]
    assert len(found.vectors) == len(found.span)
    assert np.allclose(found.vectors, model.read("seen unaffable, cafe").vectors, atol=1e-5)


def test_a_text_longer_than_the_model_reads_at_once_is_read_to_its_end(
    model: SentenceModel,
) -> None:
    long = "seen " * (2 * LONGEST)
    assert len(model.read(long).vectors) == 2 * LONGEST + 2 * 3
    assert not np.allclose(*model.embed([long, long + "cafe " * 99]), atol=1e-4)


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", "model.safetensors"])
@pytest.mark.parametrize("content", [None, b"", b"\xff" * 9, b"{}", b"[1, 2]"])
def test_a_folder_with_a_broken_model_is_refused(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    write(tmp_path, ("seen",))
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SettingsError, match="holds no sentence model"):
        SentenceModel(tmp_path)


def test_masks_are_no_part_of_what_is_embedded(model: SentenceModel) -> None:
    rows = vectors_of(["seen [NAME] cafe", "seen cafe"], model.embed)
    assert rows is not None
    assert rows[0] @ rows[1] == pytest.approx(1, abs=1e-5)


def test_the_linker_weighs_the_likeness_that_a_sentence_model_sees(model: SentenceModel) -> None:
    texts = ["seen cafe", "seen cafe, unaffable", "unaffable , un", "cafe seen"]
    pairs = compare_texts(texts, embed=model.embed)
    rows = model.embed(texts)
    assert pairs.features.shape[1] == len(NAMES) + len(BY_SENTENCES)
    cosine = pairs.features[:, len(NAMES)]
    assert cosine == pytest.approx((rows @ rows.T)[pairs.left, pairs.right], abs=1e-6)
    linker = models.shipped_model(sentences=True)
    assert linker.weights[-2:].tolist() != [0, 0]
    scored = score_texts(texts, embed=model.embed)
    assert scored.scores == pytest.approx(linker.score(pairs).scores)
