"""The nouns of linkmask, in the order data meets them.

    documents   Document, Origin   one document as it was read, and the file it is from
                SetAside           a document that is not released, and why
    mentions    Mention, Why       a span of a document, its value, and what found it
                MentionTable       all mentions of a corpus, as columns
    risks       Incidence          documents × entities: the corpus as the engine sees it
                Links, Chains      pairs of documents that share entities, and paths of them
                Risk               the risk in [0, 1] of documents, links and chains
    plans       Plan, PlanSize     the entities that are masked, and what is proven of the number
                TreatedChains      the chains that the plan had to bring under their targets
    results     Masked,            a document after masking, and the spans that were written over
                Replacement
                Finding            what verification sees in a masked document
                Audit              a run in numbers, without a value

A corpus is read into documents, and detectors find mentions in them. Mentions with one normalized
value and type are one entity. Two documents that share entities form a link, and a path of links is
a chain. Risk is computed on the incidence, the plan is chosen by risk, redaction carries it out,
and verification checks what redaction wrote.

Everything here is frozen. What grows with the corpus is arrays. Offsets are half-open
`[start, end)` indices into Python strings. `paths` names the fields of a record, `entity_ids` the
entities, `arrays` the types of arrays. `ids` stores the ids of millions of entities compactly.
"""

from linkmask.records.arrays import Flags, Floats, Ints, Longs
from linkmask.records.documents import Document, Origin, SetAside
from linkmask.records.entity_ids import LABEL, entity_digest, entity_id, entity_label
from linkmask.records.mentions import CapitalizedSpelling, Mention, MentionTable, Why
from linkmask.records.paths import CONTENT, METADATA, RECORD, child_path, path_keys
from linkmask.records.plans import STAGES, Plan, PlanSize, Stage, TreatedChains
from linkmask.records.results import Audit, Finding, FindingKind, Masked, Replacement
from linkmask.records.risks import Chains, Incidence, Level, Links, Risk

__all__ = [
    "CONTENT",
    "LABEL",
    "METADATA",
    "RECORD",
    "STAGES",
    "Audit",
    "CapitalizedSpelling",
    "Chains",
    "Document",
    "Finding",
    "FindingKind",
    "Flags",
    "Floats",
    "Incidence",
    "Ints",
    "Level",
    "Links",
    "Longs",
    "Masked",
    "Mention",
    "MentionTable",
    "Origin",
    "Plan",
    "PlanSize",
    "Replacement",
    "Risk",
    "SetAside",
    "Stage",
    "TreatedChains",
    "Why",
    "child_path",
    "entity_digest",
    "entity_id",
    "entity_label",
    "path_keys",
]
