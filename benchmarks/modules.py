"""What each module of detection is worth: what changes without it.

    python benchmarks/modules.py FOLDER [--sample N] [--only NAME…]

FOLDER holds `f0.npz`, as for benchmarks/ablation.py, and the documents of fold 0 are read as there,
at most N of a set. In the place of a module's functions stand some that find and change nothing,
wherever detection uses them (`MODULES`). Each module is left out in a process of its own.

documents   documents with other finds
true, false, typed   as in benchmarks/ablation.py; of those, on sets that rules were not written on
languages   direct identifiers found whole in the unseen texts of benchmarks/languages.py
packages    characters found in the descriptions of 60 installed packages (benchmarks/domains.py)
exposure, kept   means of benchmarks/exposure.py over the insurance sets; less exposure is better

A module without any change is one that none of these texts needs, and may serve others: files of a
kind that is not among them, or texts that were masked before.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import ablation, domains, exposure, languages
from linkmask.config import Settings
from linkmask.detect import candidate_search, ner
from linkmask.detect.ner import model
from linkmask.detect.register.language import LanguagePassage

SETTINGS = Settings()
PACKAGES = 60
HEADS = (
    "without", "documents", "true / false / typed", "on unseen sets", "languages",
    "packages", "exposure", "kept",
)  # fmt: skip


def nothing(*given: Any, **named: Any) -> Any:
    """Find nothing."""
    return iter(())


def false(*given: Any, **named: Any) -> bool:
    """Hold for nothing."""
    return False


def given_spans(text: Any, spans: Any, *others: Any) -> Any:
    """Return the spans of a text as they are."""
    return list(spans)


def given_span(text: Any, start: Any, end: Any, *others: Any) -> Any:
    """Return a span as it is."""
    return start, end


FIND: Mapping[str, Callable[..., Any]] = {"find": nothing}
MODULES: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "written_masks": {"with_stand_ins": lambda text: text},
    "view.non_language": {"stretches": lambda text: iter([(0, len(text), True)])},
    "view.touching_words": {
        "part_touching_words": lambda text: None, "join_broken_words": lambda text: None,
    },
    "register.language": {
        "passages": lambda text, scope, languages: [LanguagePassage(0, scope)],
        "unknown_language": lambda *given, **named: "",
    },
    "register.noise": {"without_noise": given_spans},
    "patterns.date_triggers": {
        "whole_day": given_span, "with_short_year": given_span, "score": false,
    },
    "patterns.ids": {"grouped": given_span},
    "patterns.whole_address": {"whole_address": given_span, "with_parts_beside": given_spans},
    "structured.chat": {"find": nothing, "writers": nothing},
    "structured.field_pairs": {"labels_beside": lambda *given: {}},
    "structured.label_types": {"type_by_words": lambda label: "", "names_user": false},
    "structured.messages": {
        "find": nothing, "x12": nothing, "edifact": nothing, "cut_at_separators": given_spans,
    },
    "structured.statements": FIND,
    "structured.tables": FIND,
    "structured.written_labels": {
        "beside_labels": lambda text, labels, start, found: list(found)
    },
    "lexicon.clinical": FIND,
    "lexicon.occupations": FIND,
    "lexicon.names": FIND,
    "lexicon.names_by_trigger": FIND,
    "lexicon.places": FIND,
    "lexicon.providers": FIND,
    "lexicon.unique_facts": FIND,
    "ner.boundaries": {
        "split_at_boundaries": lambda text, start, end, label: ((start, end),),
        "cannot_be": false,
    },
    "ner.code_owner": {"code_type": lambda *given: "PATIENT_ID"},
    "names.extent": {"with_whole_names": given_spans, "names_beside_masks": nothing},
    "names.paths": {"is_path": false},
    "names.search": {"names_again": nothing},
    "names.unlisted": {"unlisted_names": nothing},
    "structured.user_names": {"user_in": nothing},
    "relevance": {"rarity_factor": lambda value, language: 1.0},
    "relevance.sentence_subject": {"owner_rules": lambda *given: []},
    "resolve.bounds": {"bounded": given_spans},
    "resolve.staff": {"mark_staff_as_providers": given_spans},
    "corpus_pass.triggers": {"trigger_for": lambda *given: ""},
}  # fmt: skip
"""Module of `linkmask.detect` → its functions, and what stands in the place of each."""


class Measured(NamedTuple):
    """What detection finds in all texts, and what masking leaves."""

    finds: Mapping[ablation.Key, Sequence[Any]]
    languages: int
    packages: int
    exposure: float
    kept: float


def leave_out(name: str) -> None:
    """Put what finds and changes nothing in the place of a module's functions, everywhere."""
    home = import_module(f"linkmask.detect.{name}")
    for function, other in MODULES[name].items():
        before = getattr(home, function)
        for one in [m for n, m in sys.modules.items() if n.startswith("linkmask.")]:
            for key in [key for key, value in vars(one).items() if value is before]:
                setattr(one, key, other)
    candidate_search.finders.cache_clear()


def measure(texts: Mapping[ablation.Key, ablation.Text]) -> Measured:
    """Measure detection as it now is."""
    finds = {key: ablation.finds(key, text, SETTINGS) for key, text in texts.items()}
    unseen = languages.texts(languages.FOLDER / "unseen.jsonl")
    values = [one for text in unseen for one in languages.found(text, SETTINGS)]
    whole = sum(size == hit for value, size, hit in values if value.kind not in languages.ROLES)
    characters = 0
    for one in domains.installed(PACKAGES):
        spans = ablation.finds(("packages", one.id), ablation.Text(one.text, ()), SETTINGS)
        characters += sum(ablation.covered(len(one.text), spans))
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        scores = [
            exposure.measure(exposure.DATA / name, ["--workers", "1"])[0] for name in exposure.SETS
        ]
    general = [score.utility.get("general", (1.0, 1.0)) for score in scores]
    kept = fmean(after / before for before, after in general)
    return Measured(finds, whole, characters, fmean(s.exposure for s in scores), kept)


def row(name: str, texts: Mapping[ablation.Key, ablation.Text], before: Measured) -> str:
    """Return the line of the table for one module."""
    leave_out(name)
    after = measure(texts)
    changed = [key for key in texts if after.finds[key] != before.finds[key]]
    changes = {
        key: ablation.compare(texts[key], before.finds[key], after.finds[key]) for key in changed
    }
    unseen = [change for key, change in changes.items() if key[0] not in ("own", "nobody")]
    sums = [
        " / ".join(f"{sum(column):+}" for column in zip(*rows, strict=True)) or "–"
        for rows in (changes.values(), unseen)
    ]
    cells = [
        name, len(changed), *sums,
        f"{after.languages - before.languages:+}", f"{after.packages - before.packages:+}",
        f"{after.exposure - before.exposure:+.3f}", f"{after.kept - before.kept:+.3f}",
    ]  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Print a row for each module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=40, help="documents of a set, at most")
    parser.add_argument("--only", nargs="*", choices=MODULES, default=[*MODULES])
    given = parser.parse_args()
    tagger = model.Model(given.folder / "f0.npz")
    ner.shipped = lambda: tagger
    texts = ablation.texts(given.sample)
    before = measure(texts)
    print(f"{len(texts)} documents; exposure {before.exposure:.3f}, kept {before.kept:.3f}\n")
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    for name in given.only:
        with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
            print(process.submit(row, name, texts, before).result(), flush=True)


if __name__ == "__main__":
    main()
