"""BERTScore recall of answers, rescaled (Zhang et al. 2020): does each word of the reference have
one that means the same in the answer?

By the package `bert-score` and a model that is on this machine; nothing is fetched. Rescaled is
(R − b) / (1 − b), where b is the mean R of texts that have nothing to do with each other: the
package's own figure where it has one for the model, else that of the corpus's reference answers to
those of other persons.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

from linkmask.testbench import extras
from linkmask.testbench.corpus import BenchCorpus
from linkmask.testbench.missing import Hole

DEFAULT_MODEL = "roberta-large"
"""The package's model for English, and the thesis's."""
UNRELATED = 500
"""Pairs of references behind a baseline of our own."""


class BertScore:
    """Scores answers; pairs that were scored are remembered.

    Args:
        named: a model's name, its folder, or `minilm`: small, and with a baseline of our own.
        folder: where MiniLM is, as for retrieval.
    """

    def __init__(self, corpus: BenchCorpus, named: str = DEFAULT_MODEL, folder: str = "") -> None:
        self._corpus, self._named, self._folder = corpus, named, folder
        self._known: dict[tuple[str, str], float] = {}
        self._made: tuple[Any, float] | Hole | None = None

    def recalls(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the rescaled recall of each answer against its reference; about 0 to 1.

        An answer without a word is 0, as one about something else.

        Raises:
            Hole: the package or the model is not on this machine.
        """
        scorer, base = self._scorer
        self._score(scorer, [pair for pair in pairs if all(map(str.strip, pair))])
        return [
            (self._known[pair] - base) / (1 - base) if pair in self._known else 0.0
            for pair in pairs
        ]

    @property
    def parameters(self) -> dict[str, Any]:
        """What the figures depend on: the model, its layer, the baseline and whose that is."""
        scorer, base = self._scorer
        return {
            "model": Path(self._named).name,
            "layer": scorer.num_layers,
            "baseline": round(base, 6),
            "baseline_of": "bert-score" if _published(scorer) else "the corpus",
        }

    @property
    def _scorer(self) -> tuple[Any, float]:
        """Return what scores, not yet rescaled, and the baseline; a hole is found but once."""
        if self._made is None:
            try:
                self._made = self._make()
            except Hole as hole:
                self._made = hole
        if isinstance(self._made, Hole):
            raise self._made
        return self._made

    def _make(self) -> tuple[Any, float]:
        package = extras.need("bert_score", extras.TORCH)
        extras.need("torch", extras.TORCH).set_num_threads(1)
        path = str(extras.minilm(self._folder)) if self._named == "minilm" else self._named
        layers = _layers(Path(path)) if Path(path).is_dir() else None
        try:
            with redirect_stderr(io.StringIO()):
                scorer = package.BERTScorer(path, num_layers=layers, lang="en", device="cpu")
        except (OSError, KeyError):
            raise Hole(
                f"the model {Path(path).name} of BERTScore is not on this machine, and nothing is "
                "fetched"
            ) from None
        if _published(scorer):
            return scorer, float(scorer.baseline_vals[1])
        return scorer, self._unrelated(scorer)

    def _unrelated(self, scorer: Any) -> float:
        asked = self._corpus.questions
        step = max(1, len(asked) // 2)
        pairs = [
            (a.question.a, asked[(n + step + turn) % len(asked)].question.a)
            for turn in range(1 + UNRELATED // max(1, len(asked)))
            for n, a in enumerate(asked)
            if a.person != asked[(n + step + turn) % len(asked)].person
        ][:UNRELATED]
        if not pairs:
            raise Hole("BERTScore with this model needs questions about two persons")
        self._score(scorer, pairs)
        return sum(self._known[pair] for pair in pairs) / len(pairs)

    def _score(self, scorer: Any, pairs: Sequence[tuple[str, str]]) -> None:
        fresh = sorted({pair for pair in pairs if pair not in self._known})
        if fresh:
            _, recall, _ = scorer.score([a for a, _ in fresh], [r for _, r in fresh])
            self._known.update(zip(fresh, recall.tolist(), strict=True))


def _published(scorer: Any) -> bool:
    return Path(scorer.baseline_path).is_file()


def _layers(folder: Path) -> int:
    import json

    try:
        told = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return int(told["num_hidden_layers"])
    except (OSError, ValueError, KeyError):
        raise Hole("the folder named for BERTScore holds no model") from None
