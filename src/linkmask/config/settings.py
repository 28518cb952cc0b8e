"""Defines the settings: one flat object with every default, in one section per step.

The defaults are those of preset `insurance`. `validation` checks what types and ranges can't.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from linkmask.choices import COUNTRIES, LANGUAGES
from linkmask.schema import RARE_TERM, Schema, words
from linkmask.schema import load as load_schema
from linkmask.schema.recognizer_rows import OwnType

Unit = Annotated[float, Meta(ge=0.0, le=1.0)]
Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]

RARE = OwnType(
    name=RARE_TERM,
    weight=0.0,
    definition="a word that links a document to another of its person, or to a public text",
)
"""The type of what `rare_terms` and `background` find; it says nothing of a person by itself."""

DAYS = 365.25
"""Days of a year."""

EntityId = str
"""32 hexadecimal digits; of one spelling alone `id/id of the spelling`."""

SECTIONS = ("corpus", "detect", "graph", "policy", "plan", "redact", "verify", "llm", "run")


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings in one flat object. Risks, weights and thresholds are in [0, 1]."""

    preset: str = "insurance"
    """Name of a preset in `presets/`, which gives the other settings their values."""
    schema: str = "insurance"
    """Table of entity types, weights and groups: a name in `schema/` or the path of a TOML file."""
    weights: dict[str, Unit] = {}
    """Weights by type, which replace those of the schema."""

    # corpus
    text_field: str | tuple[str, ...] = "content"
    """Field or column that holds the text, or several of them. A path has the form `report.body`,
    or `messages[].content` through a list. By default, a record without it is read as well: its
    long values are text, and the keys of the others say what they are."""
    id_field: str = "id"
    """Field or column that holds the id. Without one, the id is the file's name or `file:row`."""
    metadata_field: str = "metadata"
    """Field or column that holds the metadata, as an object or as JSON text."""
    exclude_fields: tuple[str, ...] = ()
    """Fields, columns, metadata keys or paths of keys that are neither searched nor masked."""
    encoding: str = ""
    """Encoding of files without a byte order mark, such as `cp1252`. If empty, it is UTF-16 where
    every second byte is zero, and UTF-8 otherwise."""
    ocr: str = ""
    """Command that recognizes the text of scanned pages of PDF files: it gets a PNG picture of a
    page on its standard input, and writes UTF-8 text, such as `tesseract stdin stdout`."""
    max_characters: Positive = 50_000_000
    """Maximum number of characters of a document. A longer one is set aside, not cut."""
    chunk_size: Count = 0
    """Characters of a chunk in `chunks.jsonl`. With 0 there are none."""
    chunk_overlap: Count = 0
    """Characters that a chunk repeats of the one before, at most half of `chunk_size`."""
    redacted_pdf: bool = False
    """Whether PDF files are also written as redacted PDF files, to `OUT/redacted-pdf`."""

    # detect
    detector: str = "embedded"
    """`embedded` uses patterns, labels, the lexicon and the trained model of the package. `rules`
    leaves out the model, `patterns` also the lexicon. `llm` uses a language model, and
    `embedded+llm` uses both, so that the results of `embedded` are never lost."""
    other_detectors: tuple[str, ...] = ()
    """Further detectors, which add to what `detector` finds: `spacy:/path` (a spaCy pipeline in a
    local folder), `gliner:/path` (a GLiNER model in one), the address of Presidio's analyzer
    (`http://127.0.0.1:5002/analyze`), or that of a GLiNER server (it ends in `/extract`)."""
    detector_digests: dict[str, str] = {}
    """SHA-256 of the files of each local model. linkmask sets it, and continues a run only with the
    same files."""
    countries: tuple[str, ...] = COUNTRIES
    """Countries whose numbering plans, addresses and ids are detected. If `us` is among
    them, 03/04 in an English text is March 4."""
    languages: tuple[str, ...] = LANGUAGES
    """Languages among which a document's language is recognized."""
    relevance: Literal["rules", "learned", "type"] = "learned"
    """How [relevance](relevance.md) is estimated. `rules`: by rules with weights set by hand.
    `learned`: with weights learned from annotated texts. `type`: it is 1, so that only the type's
    weight counts."""
    rare_terms: Count = 0
    """Number of documents up to which a word is rare. Where two documents that are probably about
    one person share a rare word, it is masked in one of them
    ([rare words](linkage.md#rare-words)). 0 masks none; preset `release` has 4."""
    sentence_model: str = ""
    """Folder of a sentence model with the form of BERT, such as all-MiniLM-L6-v2. The linker then
    also compares what texts are about, and with `rare_terms`, words by which the model finds a
    person's other documents are masked ([sentence model](linkage.md#a-sentence-model))."""
    sentence_model_digest: str = ""
    """SHA-256 of the files of `sentence_model`. linkmask sets it, and continues a run only with the
    same files."""
    background: str = ""
    """File or folder of public texts that may be about the same persons, such as articles. Words of
    a document that lead to one of these texts are masked ([linkage](linkage.md))."""
    candidates: Positive = 5
    """With `background`: the number of other public texts that must be at least as near to a masked
    document as the text that is nearest to its original. Words are masked until this holds."""
    corpus_pass: bool = True
    """Run the corpus pass, which searches every document for the values that were found in
    any (formulas.md §3.1)."""
    filter_strength: Unit = 0.4
    """The corpus pass searches for a value if the product of its largest relevance and its
    uniqueness is at least this (formulas.md §3.2)."""
    type_filter: bool = False
    """Leave direct identifiers out of the list that a language model reads in stage 2, as the
    thesis does. The other detectors look for every value again, whatever its type."""
    top_k: Count = 0
    """Maximum number of values on the list that a language model reads in stage 2. 0 means all."""
    top_k_by: Literal["most_relevant", "least_relevant", "most_recent"] = "most_relevant"
    """Which values `top_k` keeps on this list."""
    merge: Literal["union", "stage2_only"] = "union"
    """Keep the values of both stages of a language model, or those of the second only. Values of
    other detectors are kept in either case."""
    same_thing: bool = True
    """Unite the spellings of one value (dates, ages, ids, names). If false, values must be
    equal."""

    max_work: Positive = 200_000_000
    """A document that takes more work in detection is set aside. Work is counted, so it is the same
    on every machine: 1 for a character that is read, 20 for a span that is found, 300 for a field.
    Ordinary text takes about 2 for a character."""

    recognizers: tuple[str, ...] = ()
    """Files with recognizers of your own: TOML, or Presidio's YAML ([recognizers](recognizers.md)).
    A file given with `--config` may hold some as well."""
    recognizers_digest: str = ""
    """SHA-256 of the content of the files in `recognizers`. linkmask sets it, and continues a run
    only with the same recognizers."""
    own_types: dict[str, OwnType] = {}
    """Entity types of your own, which linkmask reads from the blocks `[[type]]` of the files in
    `recognizers`."""

    # graph
    corrections: dict[EntityId, str] = {}
    """Corrections of entities by a user, by id; [`linkmask review`](review.md) writes them. The
    value is `nobody` (no entity), an entity type, the id of another entity that means the same, or
    `here` (mask it only where it was found). With the key `id/id of a spelling`, the correction
    holds for mentions with this spelling alone; `apart` makes them an entity of their own. With
    the key `id@hash of a document's id`, it holds in this document alone; `another-2` makes a name
    that of a second person."""
    id_separator: str = "::"
    """Text between value and type in the hash that is an entity's id. It is empty for
    the ids of the first version of the thesis (schema `thesis-v0`)."""
    edge_threshold: Unit = 0.5
    """Smallest strength at which two documents are linked."""
    chain_length: Annotated[int, Meta(ge=2, le=4)] = 2
    """Maximum number of documents in a chain."""
    high: Unit = 0.75
    """Smallest risk of a HIGH chain."""
    medium: Unit = 0.5
    """Smallest risk of a MEDIUM chain. Chains with less are LOW."""
    population: Positive = 1_000_000
    """People whom an attacker takes into account: reports say how many of them fit what a document
    says (formulas.md §5.2). It chooses no mask."""
    group_budget: Count = 50_000_000
    """Maximum number of pairs that are compared in a group of documents with the same rare values.
    A group with more pairs is not compared, and the number of its pairs is reported."""

    # policy
    policy: tuple[str, ...] = ()
    """Regulations to follow: `gdpr`, `hipaa`, `hipaa-expert`, `pci`, or paths of TOML files.
    Their requirements are added to the floor. With a policy, the schema is `regulated` unless you
    name another."""
    policy_model: bool = False
    """Let the language model classify unknown types, write reasons and check masked texts."""
    policy_embeddings: bool = False
    """Find the worked example for a reason by the model's embeddings, not by its words."""

    # plan
    floor: tuple[str, ...] = tuple(words("forms")["traits"]["floor"])
    """Types that are masked whatever the risk."""
    generalize: dict[str, str] = msgspec.field(
        default_factory=lambda: dict(words("forms")["generalize"])
    )
    """Types, such as exact dates, whose values are masked whatever the risk in a text about a
    person, each with a technique. If `style` is `value`, they are written coarser by this technique
    (technique `value`: as their type); other styles write them like all values. A value that is
    already so coarse is masked only where a limit requires it."""
    always_mask: tuple[str, ...] = ()
    """Ids of entities that are always masked, by a user's decision. `plan --mask` takes values."""
    never_mask: tuple[str, ...] = ()
    """Ids of entities that are never masked, by a user's decision. `plan --keep` takes values."""
    theta_doc: Unit = 0.95
    """Limit for documents: each must have a lower risk."""
    theta_chain: Unit = 0.5
    """Limit for chains: each must have this risk or a lower one."""
    rho_high: Unit = 0.5
    """Share of its risk that a HIGH chain may keep."""
    rho_medium: Unit = 0.7
    """Share of its risk that a MEDIUM chain may keep."""
    solver: str = "cover"
    """Solver of the chain stage."""
    cost: Literal["count", "mentions", "utility"] = "count"
    """What `cover` and `exact` minimize. `count`: masked entities. `mentions`: documents that are
    rewritten. `utility`: lost text that identifies nobody."""
    doc_order: Literal["ingest", "risk_desc"] = "ingest"
    """Order of documents in the document stage. `ingest`: as they are read. `risk_desc`: by falling
    risk."""
    chain_candidates: Literal["documents", "via"] = "documents"
    """Entities that may be masked for a chain. `documents`: all of its documents. `via`: only those
    that its documents share."""
    knapsack_scale: Positive = 1000
    """Steps per unit of risk in the solver `knapsack`."""
    knapsack_candidates: Positive = 64
    """Maximum number of entities of a chain that the solver `knapsack` considers."""
    exact_gap: Unit = 0.0
    """`exact` stops when (best − bound) / best is at most this."""
    exact_rounds: Positive = 200
    """Maximum number of rounds of `exact`. After these it stops, also without a proof."""
    chain_budget: Positive = 5_000_000
    """Maximum number of listed chains. With more, solvers that need the whole list refuse to
    run."""

    link_limit: Unit = 1.0
    """Largest probability, by the linker, that the document nearest to a released one is about the
    same person ([certificate](linkage.md#the-certificate)). With 1 there is no limit, and
    the linker does not run."""
    link_candidates: Positive = 1
    """Smallest number of candidates among whom the linker must leave each person. With 5, the limit
    for the probability is 0.2, as with `link_limit = 0.2`; the stricter of both counts."""

    # redact
    style: str = "value"
    """How a masked value is written ([styles](redact.md), [techniques](policy.md#techniques))."""
    styles: dict[str, str] = {}
    """Styles by type, which replace `style`."""
    surrogate_facts: Literal["class", "invented"] = "class"
    """Surrogates of conditions, treatments, events and other facts. `class`: the class of the fact
    ("respiratory condition"). `invented`: an invented fact, which readers may take for true."""
    linkable: bool = False
    """Write a value with the same pseudonym, surrogate or token in all documents, so that whoever
    reads them can put those of one person together. By default it is the same within a document."""
    scope: Literal["documents", "corpus"] = "corpus"
    """Where an entity is masked. `documents`: where it was found, as in the thesis. `corpus`:
    wherever one of its forms stands in the corpus."""
    key_file: str = ""
    """File with the key of pseudonyms and of the vault. If empty, the key is LINKMASK_KEY, or else
    a new one in the run folder."""
    unkeyed: bool = False
    """Make pseudonyms without a key, as in the thesis. They can be guessed: for reproduction
    only."""
    seed: int = 0
    """Seed of surrogates. Another seed gives other surrogates."""

    # llm
    llm_url: str = ""
    """Address of an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`."""
    llm_model: str = ""
    """Name of the model on the server."""
    llm_key_env: str = ""
    """Environment variable that holds the server's key. If empty, no key is sent."""
    llm_temperature: Annotated[float, Meta(ge=0, le=2)] = 0.01
    """Sampling temperature of the model. The thesis uses 0.01."""
    llm_seed: int = 0
    """Seed that is sent with each request. The second attempt uses the next number."""
    llm_max_tokens: Positive = 4096
    """Longest answer in tokens, including the model's reasoning."""
    llm_context: Annotated[int, Meta(ge=512, le=10_000_000)] = 8192
    """Context window of the model in tokens, including the answer. Longer documents are split into
    windows that fit, and are read whole."""
    llm_timeout: Annotated[float, Meta(ge=0.1, le=86_400)] = 300.0
    """Maximum number of seconds for one answer."""
    llm_retries: Count = 4
    """Maximum number of further attempts after a failure of the server; after an unusable answer,
    at most two."""
    llm_connections: Annotated[int, Meta(ge=1, le=256)] = 8
    """Maximum number of requests at the same time."""
    llm_budget_requests: Count = 0
    """Maximum number of requests in one run. It then stops and can be resumed. 0 means no limit."""
    llm_budget_tokens: Count = 0
    """Maximum number of tokens in one run, read and written. 0 means no limit."""
    llm_cache: str = ""
    """Private file that keeps answers. If empty, it is `linkmask/llm.sqlite` in the user's cache
    folder."""
    llm_proxies: bool = False
    """Use the proxies that the environment names."""
    llm_window: Annotated[int, Meta(ge=64, le=1_000_000)] = 2000
    """Maximum number of tokens of text in one request; models miss values in long texts."""
    llm_overlap: Annotated[int, Meta(ge=0, le=1000)] = 100
    """Tokens that two windows of a long document share."""
    llm_lowercase: bool = False
    """Send the text to the model in lower case, as the thesis does."""
    llm_dates: Literal["iso", "dmy"] = "iso"
    """Form in which the model writes dates: 2024-03-12, or 12/03/2024 as in the thesis."""
    llm_existing: Literal["near", "corpus"] = "near"
    """Values of other documents that the model reads in stage 2: those that share words with the
    document, or all that pass the filters, as in the thesis."""
    llm_failed: Literal["set_aside", "embedded"] = "set_aside"
    """What happens to a document for which the model gives no answer. With `embedded+llm`, it can
    be processed with the values of `embedded` alone, and the report says so."""
    llm_doubted: Literal["set_aside", "release"] = "set_aside"
    """With detector `llm`, what happens to a document in which the model found far less than the
    patterns did. With `embedded+llm`, it is released and listed for review."""

    # run
    workers: Count = 0
    """Number of processes. 0 means one per core."""
    approvals: Count = 0
    """Number of reviewers who must approve a plan in `linkmask review` before `apply` releases it.
    Where it is not 0, no other command releases anything."""

    @property
    def entity_types(self) -> Schema:
        """The table of entity types: that of the schema, types of the user's own, and weights."""
        own = (*self.own_types.values(), *((RARE,) if self.rare_terms or self.background else ()))
        return _table(self.schema, own, tuple(self.weights.items()))

    @property
    def generalized(self) -> dict[str, str]:
        """Technique by type as it is used: in style `value`, for types without their own style."""
        own = self.styles if self.style == "value" else self.generalize
        return {name: how for name, how in self.generalize.items() if name not in own}

    @property
    def direct_types(self) -> frozenset[str]:
        """Types that identify a person alone: those of the schema, and the types of the floor."""
        groups = self.entity_types.groups.items()
        return frozenset(name for name, group in groups if group == "direct").union(self.floor)

    @property
    def masked_if_unknown(self) -> frozenset[str]:
        """Types that are masked where no plan knows the entity.

        They are those of the floor; where it has none, all direct identifiers of the schema.
        """
        groups = load_schema(self.schema).groups.items()
        return frozenset(self.floor or (name for name, group in groups if group == "direct"))

    @property
    def known_shares(self) -> dict[str, float]:
        """Share of people of whom a value is true, by type, if it does not depend on the corpus."""
        table = words("population")
        years = float(table["life"])
        part = {"year": 1 / years, "day": 1 / (years * DAYS)}
        by_arithmetic = {name: part[unit] for name, unit in table["share"].items()}
        return dict.fromkeys(self.direct_types, 0.0) | by_arithmetic

    @property
    def linking_limit(self) -> float:
        """Return the limit for the linker's probability, by the stricter of two settings."""
        return min(self.link_limit, 1 / self.link_candidates)

    @property
    def rho(self) -> tuple[float, float, float]:
        """Share of its risk a chain may keep, by level HIGH, MEDIUM, LOW (formulas.md §9.2)."""
        return self.rho_high, self.rho_medium, 1.0


@cache
def _table(name: str, own: tuple[OwnType, ...], weights: tuple[tuple[str, float], ...]) -> Schema:
    return load_schema(name).with_types(own).with_weights(dict(weights))


LISTS = frozenset(
    field.name for field in msgspec.structs.fields(Settings) if isinstance(field.default, tuple)
)
"""Settings that hold several words, which commas separate when they are given as text."""
