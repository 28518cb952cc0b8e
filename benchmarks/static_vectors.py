"""Embeds texts by word vectors of another origin, for `benchmarks/transfer.py --vectors`.

    pip install wordllama==0.4.0.post1 tokenizers safetensors   # in an environment of its own
    python benchmarks/transfer.py --vectors "OTHER/bin/python benchmarks/static_vectors.py"

The vectors are those of tokens of a large language model, trained further so that their means are
alike for texts of one meaning (wordllama, l2_supercat, 256 dimensions, MIT). Nothing is fetched.
Reads a JSON list of texts from standard input, writes a JSON list of vectors.
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np


def main() -> None:
    """Read texts, write vectors."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        sys.exit("wordllama is not installed")
    folder = Path(spec.origin).parent
    words = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    (table,) = load_file(folder / "weights" / "l2_supercat_256.safetensors").values()
    vectors = []
    for text in json.load(sys.stdin):
        tokens = words.encode(text, add_special_tokens=False).ids
        mean = table[tokens].astype(np.float32).mean(axis=0) if tokens else 0 * table[0]
        vectors.append([round(float(one), 6) for one in mean])
    json.dump(vectors, sys.stdout)


if __name__ == "__main__":
    main()
