"""A small spaCy tagger for `candidates.py`, run by an interpreter of its own; imports spaCy alone.

Reads {"learn": rows, "read": rows, "width": …, "depth": …, "rounds": …} from its input, a row being
[words, labels], and answers {"labels": rows of labels, "learned": seconds, "read": seconds}.
"""

from __future__ import annotations

import json
import random
import sys
from itertools import groupby
from time import process_time
from typing import Any


def document(vocab: Any, words: list[str], labels: list[str]) -> Any:
    """Return a row as spaCy knows it: runs of one label are its entities, which hold no blanks."""
    from spacy.tokens import Doc, Span

    made = Doc(vocab, words=[word if word.strip() else "¶" for word in words])
    at, spans = 0, []
    for label, run in groupby(labels):
        size = len(list(run))
        if label:
            spans.append(Span(made, at, at + size, label=label))
        at += size
    made.set_ents(spans)
    return made


def main() -> None:
    """Learn, read, answer."""
    import spacy
    from spacy.training import Example
    from spacy.training.batchers import minibatch_by_words
    from spacy.util import fix_random_seed

    given = json.load(sys.stdin)
    fix_random_seed(2026)
    shuffled = random.Random(2026)
    nlp = spacy.blank("xx")
    layer = {
        "@architectures": "spacy.HashEmbedCNN.v2",
        "pretrained_vectors": None,
        "width": given["width"],
        "depth": given["depth"],
        "embed_size": 2000,
        "window_size": 1,
        "maxout_pieces": 3,
        "subword_features": True,
    }
    nlp.add_pipe("ner", config={"model": {"tok2vec": layer}})
    examples = [
        Example(document(nlp.vocab, words, [""] * len(words)), document(nlp.vocab, words, labels))
        for words, labels in given["learn"]
    ]
    started = process_time()
    optimizer = nlp.initialize(lambda: examples[:500])
    for _ in range(given["rounds"]):
        shuffled.shuffle(examples)
        for batch in minibatch_by_words(examples, size=800, discard_oversize=False):
            nlp.update(batch, sgd=optimizer, drop=0.2)
    learned = process_time() - started
    started = process_time()
    made = [document(nlp.vocab, words, [""] * len(words)) for words, _ in given["read"]]
    labels = [[word.ent_type_ for word in one] for one in nlp.pipe(made, batch_size=128)]
    size = len(nlp.to_bytes())
    answer = {"labels": labels, "learned": learned, "read": process_time() - started, "size": size}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
