"""Names the files of a run's folder."""

from __future__ import annotations

NEXT = "next"
PLAN, RELEASED = "plan.json", "released.json"
"""The plan as it stands, and what the last release was made by."""
RECOGNIZERS = "recognizers.json"
"""The run's copy of the user's recognizers."""
ASKED = "llm.jsonl"
"""What a language model was asked, and what it cost."""
SCORED = "scored.arrays"
VAULT = "vault"
LOOKUP = "lookup.arrays"
"""Lookup file of an opened run; made again from the run if it is missing."""
COUNTS, LEDGER, SHOWN = "counts.json", "ledger.json", "shown.json"
"""Kept from one edition to the next: pinned counts, what was released, and what was readable in an
earlier edition and is no more."""
COMMON_WORDS = "common-words"
"""The words that are not rare, as the first edition counted them."""
LINKAGE = "linkage.json"
"""By document, its nearest in the release and the probability that both are about one person, if
that has a limit."""
UNCOVERED = "uncovered-languages.json"
"""Language by document, of the documents in languages that detection does not cover."""
DECIDED = "review.json"
"""What was decided in a review, by the ids of the entities."""
VISITS = "review-visits.msgpack"
"""What each reviewer has signed to have seen, as keyed hashes; it outlives the run's editions."""
FILE_STAMPS = "file-stamps"
"""Which files an update need not read: numbers made by `corpus.files.stamp`."""
KNOWN = "known.msgpack"
"""What the next edition compares with; made again from the run if it is missing."""
DETECTED = "detected"
"""The log of mentions as they were detected, if a user has corrected them since."""
LOGS = ("stage1", DETECTED, "mentions")
OURS = (
    SCORED, DECIDED, RECOGNIZERS, COUNTS, LEDGER, SHOWN, KNOWN, COMMON_WORDS, LINKAGE, UNCOVERED,
    FILE_STAMPS, "README.txt", "run.json", "risk.json", PLAN, "policy.json", VAULT,
    "mentions.parquet", "risk-documents.parquet", "risk-links.parquet", "risk-entities.parquet",
    RELEASED, "set-aside.jsonl", ASKED,
    "plan-masked.parquet", "plan-documents.parquet", "plan-chains.parquet",
    *(f"{log}{end}" for log in LOGS for end in (".jsonl", ".done.jsonl")),
)  # fmt: skip
"""Names a run makes, and that go with it. Nothing else in its folder is ever removed: the key and
the random codes serve the run that replaces it, and the log of decisions stays."""
BEGUN = frozenset({".lock", "README.txt", ".README.txt.partial", ".run.json.partial"})
"""Files in the folder of a run that was killed before it began."""

README = """\
This folder belongs to a run of linkmask. It holds identifying values of the masked documents:
the mentions that were found, and what is needed to undo the masks. Keep it private, back it up
only where the original documents may lie, and delete it when nobody has to explain or undo the
run any more. The masked documents do not need it.
"""
