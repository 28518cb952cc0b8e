"""Count how often words are said in general: what a value's words tell by being rare.

    python training/everyday.py

Written to detect/lexicon/everyday.toml, by language: words by how many in a million they are, in
steps of a tenth of a decimal power, averaged over sets of unlike texts (talk, notes, abstracts,
judgments, encyclopaedia, news), so that no set's topic counts for the language. A word must be in
two sets (in French and German there are but two: in one), so no name of one text is among them.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from linkmask.detect.lexicon.everyday import FILE, RARE
from linkmask.text.fold import word_bytes

DATA = Path(__file__).parents[2] / "shared" / "data"
SETS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "mts_dialog/mts_dialog", "aci_bench/aci_bench_dev", "wikigold/wikigold",
        "bc5cdr/bc5cdr_train", "ncbi/ncbi_train", "tab/tab_dev",
    ),
    "fr": ("europeana_fr/europeana_fr", "eds_pseudo/eds_pseudo"),
    "de": ("europeana_de/europeana_de", "germeval/germeval_dev"),
}  # fmt: skip
"""Language → sets that a shipped table may be made from."""
MANY = 3
"""With as many sets a word must be in two."""
LEAST = 4
"""Occurrences below which a word is not counted."""


def frequencies(language: str) -> dict[str, float]:
    """Return the mean frequency of each word over the language's sets, in a million."""
    shares: dict[str, list[float]] = defaultdict(list)
    for name in SETS[language]:
        counts: Counter[str] = Counter()
        with (DATA / f"{name}.jsonl").open(encoding="utf-8") as records:
            for line in records:
                said = word_bytes(json.loads(line)["text"]).decode("latin-1")
                counts.update(word for word in said.split() if word.isalpha() and len(word) > 1)
        total = sum(counts.values())
        for word, count in counts.items():
            if count >= LEAST:
                shares[word].append(1e6 * count / total)
    sets = len(SETS[language])
    return {word: sum(each) / sets for word, each in shares.items() if sets < MANY or len(each) > 1}


def main() -> None:
    """Write the table."""
    lines = [
        "# Words by how many in a million they are: 3.3 is 10^3.3. Rarer ones are left out.",
        "# Made by training/everyday.py.",
    ]
    for language in SETS:
        by_step: dict[float, list[str]] = defaultdict(list)
        for word, frequency in frequencies(language).items():
            if frequency >= RARE:
                by_step[round(math.log10(frequency), 1)].append(word)
        lines += ["", f"[{language}]"]
        lines += [f'"{step}" = "{" ".join(sorted(by_step[step]))}"' for step in sorted(by_step)]
        print(language, sum(map(len, by_step.values())), "words")
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
