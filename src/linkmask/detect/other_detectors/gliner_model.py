"""Finds spans by a GLiNER model in a local folder.

A GLiNER model ignores, without an error, what exceeds its limits of words and tokens. So a long
text is read in overlapping windows that are small enough.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

from linkmask.detect.other_detectors.spans import LEAST, DetectorSpan
from linkmask.errors import SettingsError
from linkmask.schema import words

SHARED = 40
"""Words by which two windows of a text overlap: a longer value may be found in two parts."""
UNLIMITED = 1 << 20
"""A tokenizer's limit from which on it means none."""


class GlinerModel:
    """A GLiNER model, asked for the labels in `labels_of_others.toml`."""

    def __init__(self, folder: Path) -> None:
        kind = import_module("gliner").GLiNER
        self._model: Any = kind.from_pretrained(str(folder), local_files_only=True)
        self._labels: list[str] = words("labels_of_others")["gliner"]["labels"]
        processor = self._model.data_processor
        self._words, self._tokenizer = processor.words_splitter, processor.transformer_tokenizer
        encoder = getattr(self._model.config, "encoder_config", None)
        places = getattr(encoder, "max_position_embeddings", None) or UNLIMITED
        limit = min(int(self._tokenizer.model_max_length), int(places))
        prompt = sum(self._sizes([f"<<ENT>> {label}" for label in self._labels])) + SPECIAL
        self._room = UNLIMITED if limit >= UNLIMITED else limit - prompt
        self._most = int(self._model.config.max_len)
        if self._room <= 0 or self._most <= 0:
            raise SettingsError(f"the model in {folder} has no room for a text beside its labels")

    def _sizes(self, texts: list[str]) -> list[int]:
        """Return how many tokens the model makes of each text."""
        ids = self._tokenizer(texts, add_special_tokens=False, truncation=False)["input_ids"]
        return [len(one) for one in ids]

    def spans(self, text: str, language: str) -> list[DetectorSpan]:
        """Return the spans that the model finds in a text, sorted."""
        found: set[DetectorSpan] = set()
        spans = [(start, end) for _, start, end in self._words(text)]
        sizes = self._sizes([text[start:end] for start, end in spans]) if spans else []
        for begin, stop in word_windows(spans, sizes, self._most, self._room):
            for one in self._model.predict_entities(
                text[begin:stop], self._labels, threshold=LEAST
            ):
                start, end = begin + int(one["start"]), begin + int(one["end"])
                found.add(DetectorSpan(start, end, str(one["label"]), float(one["score"])))
        return sorted(found)


SPECIAL = 8
"""Tokens that the model adds around labels and text, at most."""


def word_windows(
    spans: Sequence[tuple[int, int]], sizes: Sequence[int], most: int, room: int
) -> Iterator[tuple[int, int]]:
    """Yield the character spans of windows that together hold all words of a text.

    Args:
        spans: the words' spans, in order.
        sizes: how many tokens each has.
        most: words that a window may have.
        room: tokens that a window may have. A longer word is read in pieces that no tokenizer
            makes more tokens of: it has at most one a byte, and a character has at most four bytes.
    """
    upto = [0, *accumulate(sizes)]
    first = 0
    while first < len(spans):
        last = min(first + most, bisect_right(upto, upto[first] + room) - 1, len(spans))
        if last == first:
            begin, end = spans[first]
            step = max(room // 4, 1)
            yield from ((at, min(at + step, end)) for at in range(begin, end, step))
            first += 1
            continue
        yield spans[first][0], spans[last - 1][1]
        if last == len(spans):
            return
        shared = max(last - min(SHARED, most // 4), bisect_left(upto, upto[last] - room // 4))
        first = max(shared, first + 1)
