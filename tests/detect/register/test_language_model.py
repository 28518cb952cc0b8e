"""The model that tells languages apart is held in less memory, and says the same."""

from __future__ import annotations

import random

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from linkmask.detect.register.language_model import SparseMoves, identifier

TEXTS = ("Is she covered?", "Ça va bien, merci", "日本語のテキスト", "привет мир", "", "\x00\x7f")


def test_sparse_moves_are_the_moves() -> None:
    rows = np.random.default_rng(1).integers(0, 4, (5, 256)).astype(np.uint32)
    moves = SparseMoves([rows[:3], rows[3:]], rows[2])
    assert [moves[place] for place in range(rows.size)] == rows.ravel().tolist()


def test_texts_have_the_language_that_py3langid_says() -> None:
    whole = LanguageIdentifier.from_model_file(MODEL_FILE)
    draw = random.Random(1)
    letters = [*range(32, 127), *range(160, 0x600), *range(0x4E00, 0x4F00)]
    texts = [*TEXTS, *("".join(map(chr, draw.choices(letters, k=40))) for _ in range(100))]
    for languages in ((), ("de", "en", "fr")):
        whole.set_languages(list(languages) or None)
        told = identifier(languages)
        assert [told.rank(text) for text in texts] == [whole.rank(text) for text in texts]
