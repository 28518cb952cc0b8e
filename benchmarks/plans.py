"""The plans that `frontier.py` compares, by name: settings in place of those of the default."""

from __future__ import annotations

from collections.abc import Mapping

from linkmask.config import Settings
from risk import installed

MODEL = {"sentence_model": str(installed() or "")}
NO_LIMITS = {"theta_doc": 1.0, "theta_chain": 1.0, "high": 1.0, "medium": 1.0}
"""Without a HIGH or MEDIUM chain, no chain has to lose a share of its risk."""
NO_WORDS = {"rare_terms": 0}
SPECIALTIES = {
    **{kind: how for kind, how in Settings().generalize.items() if kind != "EVENT_DATE"},
    "LOCATION": "generalization:specialty",
    "PROVIDER": "generalization:specialty",
}
"""Clinics keep their specialty, and dates are masked by limits alone."""
PLANS: Mapping[str, Mapping[str, object]] = {
    "by risk alone": {"generalize": {}, **NO_WORDS},
    "default": {},
    "no rare words": NO_WORDS,
    "only by rule, no limits": {**NO_LIMITS, **NO_WORDS},
    "strict": {"preset": "strict"},
    "strict, by risk alone": {"preset": "strict", "generalize": {}, **NO_WORDS},
    "theta_doc 0.6": {"theta_doc": 0.6},
    "theta_doc 0.6, by risk alone": {"theta_doc": 0.6, "generalize": {}, **NO_WORDS},
    "rare words, 3": {"rare_terms": 3},
    "rare words, 8": {"rare_terms": 8},
    "all pairs": {"rare_nearest": 0},
    "rare words, 3, all pairs": {"rare_terms": 3, "rare_nearest": 0},
    "by values": {"rare_pairs": "values"},
    "rare words, 3, by values": {"rare_terms": 3, "rare_pairs": "values"},
    "uniform": {"preset": "uniform"},
    "uniform, theta_doc 0.95": {"preset": "uniform", "theta_doc": 0.95},
    "uniform, rare words, 3, by values": {
        "preset": "uniform",
        "rare_terms": 3,
        "rare_pairs": "values",
    },
    "uniform, each document by itself": {
        "preset": "uniform",
        "rare_terms": 0,
        "corpus_pass": False,
        "scope": "documents",
    },
    "uniform, 0.9 readable": {"preset": "uniform", "rare_terms": 0, "readable_share": 0.9},
    "uniform, 0.8 readable": {"preset": "uniform", "rare_terms": 0, "readable_share": 0.8},
    "release": {"preset": "release"},
    "release, rare words, 4": {"preset": "release", "rare_terms": 4},
    "release, sentence model": {"preset": "release", **MODEL},
    "release, sentence model, only by rule": {"preset": "release", **NO_LIMITS, **MODEL},
    "release, sentence model, theta_doc 0.6": {"preset": "release", "theta_doc": 0.6, **MODEL},
    "conditions by limits": {
        "generalize": {
            kind: how for kind, how in Settings().generalize.items() if kind != "MEDICAL_CONDITION"
        }
    },
    "facts not by rule": {
        "generalize": {k: how for k, how in Settings().generalize.items() if how != "value"}
    },
    "ages by rule": {"generalize": {**Settings().generalize, "AGE": "generalization:band"}},
    "treatments by rule": {"floor": (*Settings().floor, "TREATMENT")},
    "providers and dates by limits": {
        "generalize": {kind: how for kind, how in SPECIALTIES.items() if kind != "PROVIDER"}
    },
    "specialties, theta_doc 0.62": {
        "generalize": {k: how for k, how in SPECIALTIES.items() if k != "MEDICAL_CONDITION"},
        "theta_doc": 0.62,
    },
    "specialties left": {
        "generalize": {
            k: how.replace("kind", "specialty") for k, how in Settings().generalize.items()
        }
    },
}


LADDERS: Mapping[str, tuple[str, ...]] = {
    "EVENT_DATE": ("left", "generalization:month", "generalization:year", "value"),
    "PROVIDER": ("left", "generalization:specialty", "generalization:kind", "value"),
    "LOCATION": ("left", "generalization:kind", "value"),
    "AGE": ("left", "generalization:band", "value"),
    "MEDICAL_CONDITION": ("left", "generalization:common", "generalization:class", "value"),
    "TREATMENT": ("left", "generalization:class", "value"),
    "INDIRECT_IDENTIFIER": ("left", "value"),
    "DEMOGRAPHIC": ("left", "value"),
    "UNIQUE_FACT": ("left", "value"),
    "EVENT": ("left", "value"),
}
"""The techniques of a type from the least to the most: each leaves less of a value."""


def with_step(kind: str, technique: str) -> Mapping[str, str]:
    """Return the default's `generalize` with another technique of a type."""
    others = {name: how for name, how in Settings().generalize.items() if name != kind}
    return others if technique == "left" else {**others, kind: technique}


STEPS: Mapping[str, Mapping[str, object]] = {
    f"{kind}, {technique}": {**NO_LIMITS, **NO_WORDS, "generalize": with_step(kind, technique)}
    for kind, ladder in LADDERS.items()
    for technique in ladder
}
"""What a technique takes from the linker: only rules mask, and one type has this technique."""
