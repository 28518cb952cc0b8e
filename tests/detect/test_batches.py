"""Documents read together: each is found in what it is found in alone."""

import json
import os
import subprocess
import sys
from itertools import chain
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect import lexicon, ner
from linkmask.detect.candidates import Scope
from linkmask.graph.entities import canonical
from linkmask.records import Document

EXAMPLES = Path(__file__).parents[2] / "examples" / "insurance" / "documents"
TEXTS = [
    json.loads(path.read_text("utf-8"))["content"] for path in sorted(EXAMPLES.rglob("*.json"))
]
EDGES = (
    *("", "\n", "M", "Anna", "Anna Lee", "Dr. Lee", "Marguerite V.", "born", "(PSP) of", "in"),
    *("palsy", "fille du", "Arlo Finch\n12", "of the", "who", "to: Lee", "$12,345", "M. 34 years"),
)
"""What is cut from something that may stand before or behind it."""


def test_documents_read_together_are_found_as_each_alone() -> None:
    documents = [Document(str(n), text, {"format": "note"}) for n, text in enumerate(TEXTS)]
    together = detect.first_passes(documents, Settings(), canonical)
    assert together == [detect.first_pass(one, Settings(), canonical) for one in documents]


ALONE = """
import json, sys
from linkmask import detect
from linkmask.config import Settings
from linkmask.graph.entities import canonical
from linkmask.records import Document
texts = list(enumerate(json.load(sys.stdin)))[:: int(sys.argv[1])]
documents = [Document(str(n), text, {"format": "note", "author": "Ada Voss"}) for n, text in texts]
for _ in range(2):
    found = detect.first_passes(documents, Settings(), canonical)
    print(sorted((one.document, one.field, one.start, repr(one)) for each in found for one in each))
"""


def test_what_is_found_hangs_on_no_order_of_documents_and_on_no_seed_of_hashes() -> None:
    """Of a document without a mask, a check takes the first pass for what it would find itself."""
    said = set[str]()
    for seed, step in ((1, 1), (2, -1)):
        told = subprocess.run(
            [sys.executable, "-c", ALONE, str(step)], input=json.dumps(TEXTS[::2]),
            env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        said.update(told.stdout.splitlines())
    (found,) = said
    assert len(found) > 10_000


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(EDGES), st.sampled_from(TEXTS), st.sampled_from(EDGES)),
        min_size=2,
        max_size=4,
    ),
    st.sampled_from(["en", "fr", "de"]),
)
def test_no_finder_looks_from_one_text_into_the_next(
    parts: list[tuple[str, str, str]], language: str
) -> None:
    """Whatever a text begins or ends with, its neighbours change nothing."""
    texts = chain.from_iterable(
        (before, " ".join((before, text[:90], after)), after) for before, text, after in parts
    )
    read = [(text, Scope(language)) for text in texts]
    for finder in (lexicon, ner):
        assert [list(found) for found in finder.finds(read)] == [
            list(finder.find(*one)) for one in read
        ]
