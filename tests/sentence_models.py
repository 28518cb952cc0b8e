"""Makes tiny sentence models with random numbers, for tests."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
SIZE, LAYERS, HEADS = 24, 2, 4


def write(folder: Path, words: Sequence[str], seed: int = 0) -> Path:
    """Write a model of few word pieces into a folder, and return the folder."""
    folder.mkdir(exist_ok=True)
    pieces = [*SPECIAL, *words]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    known = {"num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "layer_norm_eps": 1e-12}
    (folder / "config.json").write_text(json.dumps(known), encoding="utf-8")
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(pieces), SIZE),
        "embeddings.position_embeddings.weight": (256, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        "embeddings.LayerNorm.weight": (SIZE,),
        "embeddings.LayerNorm.bias": (SIZE,),
    }
    for layer in range(LAYERS):
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
    rng, head, data = np.random.default_rng(seed), {}, b""
    for name, shape in shapes.items():
        drawn = rng.normal(size=shape).astype(np.float32).tobytes()
        place = [len(data), len(data) + len(drawn)]
        head[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": place}
        data += drawn
    written = json.dumps(head).encode()
    file = folder / "model.safetensors"
    file.write_bytes(len(written).to_bytes(8, "little") + written + data)
    return folder
