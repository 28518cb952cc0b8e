"""benchmarks/sentences.py: texts are cut and embedded as the sentence model was trained."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

VOCABULARY = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "seen", ",", "cafe")
SIZE = 24


@pytest.fixture
def sentences(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    import sentences

    yield sentences
    sys.modules.pop("sentences", None)


@pytest.fixture
def model(sentences, tmp_path: Path):
    """A model of its form with few words, whose numbers are drawn."""
    (tmp_path / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    shapes = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), SIZE),
        "embeddings.position_embeddings.weight": (sentences.LONGEST, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        "embeddings.LayerNorm.weight": (SIZE,),
        "embeddings.LayerNorm.bias": (SIZE,),
    }
    for layer in range(sentences.LAYERS):
        at = f"encoder.layer.{layer}"
        heads = [f"attention.self.{part}" for part in ("query", "key", "value")]
        for part in (*heads, "attention.output.dense"):
            shapes |= {f"{at}.{part}.weight": (SIZE, SIZE), f"{at}.{part}.bias": (SIZE,)}
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{at}.{part}.weight": (SIZE,), f"{at}.{part}.bias": (SIZE,)}
        shapes |= {
            f"{at}.intermediate.dense.weight": (2 * SIZE, SIZE),
            f"{at}.intermediate.dense.bias": (2 * SIZE,),
            f"{at}.output.dense.weight": (SIZE, 2 * SIZE),
            f"{at}.output.dense.bias": (SIZE,),
        }
    rng, head, data = np.random.default_rng(0), {}, b""
    for name, shape in shapes.items():
        drawn = rng.normal(size=shape).astype(np.float32).tobytes()
        place = [len(data), len(data) + len(drawn)]
        head[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": place}
        data += drawn
    written = json.dumps(head).encode()
    file = tmp_path / "model.safetensors"
    file.write_bytes(len(written).to_bytes(8, "little") + written + data)
    return sentences.SentenceModel(tmp_path)


def test_a_word_is_cut_into_the_longest_pieces_that_fit(model) -> None:
    assert model.pieces("Unaffable, seen") == [2, 4, 5, 6, 8, 7, 3]
    assert model.pieces("Café unseen") == [2, 9, 1, 3]
    assert len(model.pieces("seen " * 1000)) == 256


def test_vectors_have_length_1_and_tell_the_order_of_words(model) -> None:
    rows = model.embed(["seen cafe", "cafe seen", "seen cafe", ""])
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert rows[0] @ rows[2] == pytest.approx(1, abs=1e-5)
    assert not np.allclose(rows[0], rows[1], atol=1e-4)
