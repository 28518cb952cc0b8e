"""Embeds texts with a small sentence model from a local folder, in numpy.

Such a model is a transformer (Devlin et al. 2019, BERT) that was trained to put texts of one
meaning near each other; the vectors of the word pieces of a text are averaged (Reimers and Gurevych
2019, Sentence-BERT). Its folder holds `config.json`, `vocab.txt` and `model.safetensors`. Nothing
is fetched, and no code of the folder runs. A text longer than the model reads at once is read in
parts.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from linkmask.errors import SettingsError
from linkmask.graph.linkage.terms import placeholders
from linkmask.records import Ints

Array = Any
Embed = Callable[[Sequence[str]], Array]
"""Gives the vectors of texts, rows of length 1."""
LONGEST = 256
"""Word pieces that are read at once, as such models are trained."""
WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
KEPT = 10_000
"""Texts whose vectors are kept, since most are asked for again."""
SPECIAL = ("[CLS]", "[SEP]", "[UNK]")
"""Pieces that stand before and after a text, and for a word that can't be cut."""
FILES = ("config.json", "vocab.txt", "model.safetensors")


def vectors_of(texts: Sequence[str], embed: Embed | None) -> Array | None:
    """Return the vectors of texts without their masks; None where nothing embeds them."""
    if embed is None:
        return None
    plain = [placeholders().sub(" ", text) for text in texts]
    return embed(plain) if plain else np.zeros((0, 1))


class Pieces(NamedTuple):
    """The word pieces of a text: a vector for each, and the number of the span it is in, or −1."""

    vectors: Array
    span: Ints


class SentenceModel:
    """A sentence model, read from its folder.

    Raises:
        SettingsError: the folder holds no such model.
    """

    def __init__(self, folder: Path) -> None:
        try:
            sizes = json.loads((folder / FILES[0]).read_text(encoding="utf-8"))
            self.layers, self.heads = sizes["num_hidden_layers"], sizes["num_attention_heads"]
            self.tiny = sizes["layer_norm_eps"]  # added to a variance
            lines = (folder / FILES[1]).read_text(encoding="utf-8").splitlines()
            self.vocabulary = {piece: number for number, piece in enumerate(lines)}
            self.weights = dict(_tensors(folder / FILES[2]))
            self.first, self.last, self.unknown = (self.vocabulary[one] for one in SPECIAL)
            self._cut, self._embedded = cache(self._pieces_of), lru_cache(KEPT)(self._embed)
            self.embed([" ".join(SPECIAL)])
        except (OSError, ValueError, LookupError, TypeError, ArithmeticError) as error:
            raise SettingsError(
                f"sentence_model: {folder} holds no sentence model that can be read "
                f"({type(error).__name__}): it takes {', '.join(FILES)} of a BERT model"
            ) from error

    def embed(self, texts: Sequence[str]) -> Array:
        """Return a vector of length 1 for each text, a row each."""
        return np.array([self._embedded(text) for text in texts])

    def _embed(self, text: str) -> Array:
        mean = self.read(text).vectors.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def read(self, text: str, spans: Sequence[tuple[int, int]] = ()) -> Pieces:
        """Return the vectors of a text's pieces, those before and after it among them.

        Args:
            spans: of words, [start, end) in the text, ascending and apart.
        """
        pieces, owner, at = list[int](), list[int](), 0
        for number, (start, end) in enumerate((*spans, (len(text), len(text)))):
            for part, of in (text[at:start], -1), (text[start:end], number):
                found = self.pieces(part)
                pieces += found
                owner += [of] * len(found)
            at = end
        vectors, span = list[Array](), list[int]()
        for begin in range(0, max(1, len(pieces)), LONGEST - 2):
            end = begin + LONGEST - 2
            vectors.append(self._vectors([self.first, *pieces[begin:end], self.last]))
            span += [-1, *owner[begin:end], -1]
        return Pieces(np.concatenate(vectors), np.array(span, dtype=np.int32))

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of a text's word pieces, in lower case and without accents."""
        apart = unicodedata.normalize("NFD", text.lower())
        plain = "".join(one for one in apart if unicodedata.category(one) != "Mn")
        return [piece for word in WORD.findall(plain) for piece in self._cut(word)]

    def _pieces_of(self, word: str) -> list[int]:
        """Return the pieces of a word, the longest first that fits."""
        found, start = list[int](), 0
        while start < len(word):
            mark = "##" if start else ""
            ends = (
                e for e in range(len(word), start, -1) if mark + word[start:e] in self.vocabulary
            )
            end = next(ends, 0)
            if not end or len(word) > LONGEST:
                return [self.unknown]
            found.append(self.vocabulary[mark + word[start:end]])
            start = end
        return found

    def _vectors(self, pieces: Sequence[int]) -> Array:
        """Return the vector of each piece in its text."""
        names = ("word", "position", "token_type")
        word, position, kind = (self.weights[f"embeddings.{n}_embeddings.weight"] for n in names)
        at = self._normal(word[pieces] + position[: len(pieces)] + kind[0], "embeddings.LayerNorm")
        for layer in range(self.layers):
            at = self._layer(at, f"encoder.layer.{layer}")
        return at

    def _layer(self, at: Array, name: str) -> Array:
        size = len(at), self.heads, at.shape[1] // self.heads
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
        inner = _gelu(self._linear(at, f"{name}.intermediate.dense"))
        return self._normal(
            self._linear(inner, f"{name}.output.dense") + at, f"{name}.output.LayerNorm"
        )

    def _linear(self, at: Array, name: str) -> Array:
        return at @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _normal(self, at: Array, name: str) -> Array:
        apart = at - at.mean(axis=-1, keepdims=True)
        spread = np.sqrt((apart * apart).mean(axis=-1, keepdims=True) + self.tiny)
        return apart / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def _gelu(at: Array) -> Array:
    from scipy.special import erf

    return (at * 0.5 * (1 + erf(at / np.sqrt(2)))).astype(np.float32)


def _tensors(path: Path) -> Iterator[tuple[str, Array]]:
    """Yield the name and the numbers of each tensor of 32-bit floats of a safetensors file."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > path.stat().st_size:
            raise ValueError("no safetensors file")
        head, data = json.loads(file.read(size)), file.read()
    for name, place in head.items():
        if place.get("dtype") == "F32":
            first, last = place["data_offsets"]
            yield name, np.frombuffer(data[first:last], np.float32).reshape(place["shape"])
