"""Loads the model that tells languages apart (py3langid), in a third of its memory.

The model is naive Bayes over byte n-grams, which an automaton finds. Most of its memory are the
automaton's moves, 256 from each state, of which nearly all are those from the first state.
"""

from __future__ import annotations

from array import array
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


class SparseMoves:
    """The moves of an automaton: those that differ from the move from the first state, and these.

    Args:
        rows: the next state by row and byte, of shape (rows, 256); states share rows.
        first: the row of the first state.
    """

    def __init__(self, rows: NDArray[Any], first: int) -> None:
        usual = rows[first]
        differing = rows != usual
        ends = np.append(0, np.cumsum(np.count_nonzero(differing, axis=1))).astype(np.uint32)
        places = np.flatnonzero(differing)
        self._usual, self._ends = usual.tolist(), array("I", ends.tobytes())
        self._bytes = (places & 255).astype(np.uint8).tobytes()
        self._states = array("I", rows.ravel()[places].astype(np.uint32).tobytes())

    def __getitem__(self, place: int) -> int:
        """Return the next state at a place, which is 256 times the row, plus the byte."""
        row, byte = place >> 8, place & 255
        at = self._bytes.find(byte, self._ends[row], self._ends[row + 1])
        return self._states[at] if at >= 0 else int(self._usual[byte])


@cache
def identifier(languages: tuple[str, ...]) -> Any:
    """Return what tells these languages apart; without any, all that the model knows.

    The weights of other languages, 28 MB, are not kept.
    """
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    every = LanguageIdentifier.from_model_file(MODEL_FILE)
    every.set_languages(list(languages) or None)
    weights = every.nb_ptc, every.nb_pc, every.nb_classes
    moves, rows, found = every.tk_nextmove, every.tk_row, every.tk_output
    del every
    states = np.frombuffer(moves, np.dtype(f"u{moves.itemsize}")).reshape(-1, 256)
    return LanguageIdentifier(
        *weights, SparseMoves(states, rows[0]), array("i", found), tk_row=rows
    )
