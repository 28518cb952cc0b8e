"""Mask a corpus from Python and look at what was done to it.

    python examples/mask_folder.py [INPUT [OUT]]

INPUT is what `linkmask mask` takes; default: the insurance corpus next to this file. With OUT the
masked documents are written there, otherwise they are only counted.
"""

import sys
from collections import Counter
from pathlib import Path

import linkmask
from linkmask import config, corpus

CORPUS = Path(__file__).parent / "insurance" / "documents"


def main(source: Path = CORPUS, out: Path | None = None) -> None:
    # Every setting has its default in config.Settings; this one says what stands for a value.
    settings = config.load(preset="insurance", overrides={"style": "value"})

    result = linkmask.mask(corpus.read(source, settings), settings)

    plan = result.plan
    print(f"{len(plan.masked)} entities masked: {dict(Counter(plan.stage))}")
    print(f"highest document risk: {max(plan.before):.2f} before, {max(plan.after):.2f} after")
    print("every limit is met" if plan.met else "a limit was not met: look before you release")

    documents = list(result.documents)
    types = Counter(r.type for d in documents for r in d.replacements)
    for entity_type, places in types.most_common():
        print(f"{entity_type:20} {places:4} places")
    if documents:
        print("\n" + documents[0].content)

    for document in result.set_aside:
        print(f"set aside: {document.document} ({document.reason})")
    if out is not None:
        corpus.write(source, out, documents, settings)
        print(f"\nwritten to {out / 'documents'}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
