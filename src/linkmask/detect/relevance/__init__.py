"""Scores how much a value, in its document, helps to identify the person the document is about.

A policy's effective date is not the patient's date. Each mention collects the rules that hold for
it (`rules`): its type, what its document and its sentence speak of (one person, or people and rules
in general), the words directly before it and beside it, how specific it is. The rules' weights add
up to a logit, so a score is explained by naming its rules (`explain`). With the weights set by hand
(`by_hand.toml`), relevance is the logistic function of the logit. With the weights learned from
annotated texts (`weights.toml`, made by training/relevance.py), that function gives the chance that
the mention is the person's, and `lift` brings it to the scale on which limits are set. Either way
`rarity_factor` lowers the score of everyday words.
"""

from __future__ import annotations

import math
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from linkmask.detect.candidates import OWN, Candidate
from linkmask.detect.lexicon.everyday import information
from linkmask.detect.register import DIRECT
from linkmask.detect.relevance.discourse import DocumentContext, trigger_words
from linkmask.detect.relevance.rules import rules_by_span
from linkmask.schema import types_of
from linkmask.text.fold import word_bytes

FILE = Path(__file__).with_name("weights.toml")
BY_HAND = FILE.with_name("by_hand.toml")
WEIGHTS: Mapping[str, float] = tomllib.loads(BY_HAND.read_text(encoding="utf-8"))
"""Rule → weight set by hand."""
LOOKS = 2.5
"""How often, on average, whoever looks for the person looks at a value: see `lift`."""
UNIT = 0.01
"""Weights are whole numbers of it, so that their sum does not depend on their order."""


class _ByType(dict[str, defaultdict[str, int]]):
    """Type → rule → weight in the logit, in `UNIT`: what holds for all types, and this one's."""

    def __init__(self, common: Mapping[str, float], added: Mapping[str, Mapping[str, float]]):
        super().__init__()
        self._common, self._added = common, added

    def __missing__(self, entity_type: str) -> defaultdict[str, int]:
        self[entity_type] = table = defaultdict[str, int](int)
        for weights in (self._common, self._added.get(entity_type, {})):
            for rule, weight in weights.items():
                table[rule] += round(weight / UNIT)
        return table


@cache
def weights(relevance: str) -> Mapping[str, Mapping[str, int]]:
    """Return the weights by type: "learned" or, by hand and the same for all types, "rules"."""
    if relevance == "rules":
        return _ByType(WEIGHTS, {})
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return _ByType(tables.pop("all"), tables)


def score(text: str, found: Sequence[Candidate], context: DocumentContext) -> list[float]:
    """Return a relevance in [0, 1] for each span of one text, sorted by start.

    Relevance is the chance that the span is the person's (raised by `lift` if learned) times its
    rarity; in a text about nobody it is 0, except direct identifiers and finds of the user's own
    recognizers. With `relevance = "type"` it is 1, so that the type's weight alone decides.
    """
    if context.relevance == "type" or not found:
        return [1.0] * len(found)
    tables, language = weights(context.relevance), context.scope.language
    learned = context.relevance == "learned"
    bases: dict[str, int] = {}
    scores = []
    rules = rules_by_span(text, found, context)
    for (start, end, kind, _, _, _), (common, own) in zip(found, rules, strict=True):
        weight_of = tables[kind].__getitem__
        if kind not in bases:
            bases[kind] = sum(map(weight_of, common))
        logit = bases[kind] + sum(map(weight_of, own))
        tells = rarity_factor(text[start:end], language) if kind in IN_WORDS else 1.0
        scores.append(_scaled(logit, learned, tells))
    if context.register.is_about_nobody(found):
        kinds = (one.type in DIRECT or one.detector == OWN for one in found)
        return [each if direct else 0.0 for each, direct in zip(scores, kinds, strict=True)]
    return scores


@lru_cache(maxsize=1 << 14)
def _scaled(logit: int, lifted: bool, tells: float) -> float:
    """Return the score of a sum of weights (in `UNIT`) of a value that tells so much."""
    likely = chance(logit)
    return round((lift(likely) if lifted else likely) * tells, 3)


@cache
def chance(logit: int) -> float:
    """Return the logistic function of a sum of weights (in `UNIT`)."""
    return 1.0 / (1.0 + math.exp(-UNIT * logit))


def lift(probability: float) -> float:
    """Return how likely one of `LOOKS` independent looks finds a value that each finds with p.

    1 − (1 − p)^2.5: 0 and 1 stay, 0.05 becomes 0.12, 0.5 becomes 0.82. Limits (0.95, 0.5) were set
    for the scores of a language model, which are high; a probability is not, and with it documents
    would stay under the limits with half of the person's values readable.
    """
    return 1.0 - math.pow(1.0 - probability, LOOKS)


# ── rarity ────────────────────────────────────────────────────────────────────────────────────

KIND_OF = 0.8
"""What is left of a value that begins or ends with a word for its kind: "physical therapy"."""
IN_WORDS = types_of("clinical", "fact") - types_of("group")
"""Types whose values are words of the language, no names, numbers or dates."""


@lru_cache(maxsize=1 << 13)  # the same conditions stand in many documents
def rarity_factor(value: str, language: str) -> float:
    """Return how much the rarest word of a value of a type in `IN_WORDS` tells, in (0, 1].

    A word's information is −log10 of its frequency; it tells as large a share of the information of
    a word said 200 times in a million: all of it if it is as rare, 0.9 at 400, 0.7 at 2,000. Of a
    kind of treatment `KIND_OF` of that is left: rules and studies speak of the kind, too.
    """
    shares, words = information(language), word_bytes(value).split()
    tells = max((shares.get(word, 1.0) for word in words), default=1.0)
    kinds = trigger_words("treatments")
    return KIND_OF * tells if words and (words[0] in kinds or words[-1] in kinds) else tells
