"""The words that are not rare in a corpus: counted, kept in the run, forgotten with a person."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.pipeline.linkage.readable_words import NUMBER_OR_WORD, Hashes, hashes_of_document
from linkmask.pipeline.linkage.shared_words import HashedWords, parted_by_rarity
from linkmask.pipeline.reading import Pair
from linkmask.runs import Run
from linkmask.runs.damaged_file import damaged
from linkmask.runs.file_names import COMMON_WORDS
from linkmask.text.letters import hash_of_word, plain_letters

COUNTED = "common_words"
"""Fact of a run: the number of the words that are not rare."""


def count_common_words(pairs: Iterable[Pair], settings: Settings) -> Hashes:
    """Return the words that are not rare in some documents."""
    words = HashedWords(hashes_of_document(*pair, settings) for pair in pairs)
    return parted_by_rarity(words, settings.rare_terms)[1]


def common_words(run: Run) -> Hashes:
    """Return the words that are not rare, as they were counted last, by hash, ascending.

    Raises:
        RunError: the run holds no such list, or it is damaged.
    """
    path = run.find(COMMON_WORDS)
    if not path.exists():
        raise RunError(f"{run.path} holds no {COMMON_WORDS}: mask the corpus anew")
    data = path.read_bytes()
    words = np.frombuffer(data, np.uint64, len(data) // 8)
    shorter = len(words) != run.about.get(COUNTED, len(words))  # earlier versions noted no number
    if shorter or words.nbytes != len(data) or (words[1:] <= words[:-1]).any():
        raise damaged(path)
    return words


def keep_common_words(run: Run, words: Hashes) -> None:
    """Write the words that are not rare into a run, and note how many they are."""
    with run.together():
        run.write(COMMON_WORDS, [words.tobytes()])
        run.note(**{COUNTED: len(words)})


def forget_words(run: Run, values: Iterable[str]) -> None:
    """Remove values and their words from a run's list of terms that are not rare, if it has one."""
    if run.find(COMMON_WORDS).exists():
        folded = {plain_letters(value).casefold() for value in values}
        words = {m.group() for value in folded for m in NUMBER_OR_WORD.finditer(value)}
        common = common_words(run)
        gone = np.array([hash_of_word(one) for one in words | folded], np.uint64)
        keep_common_words(run, common[~np.isin(common, gone)])
