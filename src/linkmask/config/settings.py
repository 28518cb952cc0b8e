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
"""The type of words that lead to other texts; it says nothing of a person by itself."""

DAYS = 365.25
"""Days of a year."""

EntityId = str
"""32 hexadecimal digits; of one spelling alone `id/id of the spelling`."""

SECTIONS = ("corpus", "detect", "graph", "policy", "plan", "redact", "verify", "llm", "run")


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings in one flat object. Risks, weights and thresholds are in [0, 1]."""

    preset: str = "insurance"
    """Name of a preset, which gives the other settings their values."""
    schema: str = "insurance"
    """Name or path of the table of entity types, with their weights and groups. It is a file in
    `schema/` or a TOML file of your own."""
    weights: dict[str, Unit] = {}
    """Weights by type, which replace those of the schema."""

    # corpus
    text_field: str | tuple[str, ...] = "content"
    """Field or column that holds the text, or a list of several. A path such as `report.body` leads
    into an object, and `messages[].content` through a list. If no field is named, a record without
    `content` is read as well: its long values are text, and the other values are read with their
    keys."""
    id_field: str = "id"
    """Field or column that holds the id. In a record without one, the id is the name of the file or
    `file:row`."""
    metadata_field: str = "metadata"
    """Field or column that holds the metadata, as an object or as JSON text."""
    exclude_fields: tuple[str, ...] = ()
    """Fields, columns, metadata keys or paths of keys that are neither searched nor masked."""
    encoding: str = ""
    """Encoding of files without a byte order mark, such as `cp1252`. If none is given, a file in
    which every second byte is zero is read as UTF-16, and any other as UTF-8."""
    ocr: str = ""
    """Command that recognizes the text of scanned pages of PDF files, such as `tesseract stdin
    stdout`. It reads a PNG picture of a page from its standard input, and writes UTF-8 text."""
    max_characters: Positive = 50_000_000
    """Maximum number of characters of a document. A longer one is set aside, not cut."""
    chunk_size: Count = 0
    """Number of characters of a chunk in `chunks.jsonl`. With 0, no chunks are written."""
    chunk_overlap: Count = 0
    """Number of characters at the end of a chunk that the next chunk repeats. It is at most half of
    `chunk_size`."""
    redacted_pdf: bool = False
    """Whether PDF files are also written as redacted PDF files, to `OUT/redacted-pdf`."""

    # detect
    detector: str = "embedded"
    """What finds values. `embedded` uses patterns, labels, the lexicon and the trained model of the
    package. `rules` does not use the model. `patterns` uses neither model nor lexicon. `llm` uses a
    language model. `embedded+llm` uses both, and keeps every value that `embedded` finds."""
    other_detectors: tuple[str, ...] = ()
    """Further detectors, whose values are added to those of `detector`. An entry is `spacy:/path`
    (a folder with a spaCy pipeline), `gliner:/path` (a folder with a GLiNER model), the address of
    a Presidio analyzer (`http://127.0.0.1:5002/analyze`), or the address of a GLiNER server, which
    ends in `/extract`."""
    detector_digests: dict[str, str] = {}
    """SHA-256 of the files of each local model. linkmask sets it, and continues a run only with the
    same files."""
    countries: tuple[str, ...] = COUNTRIES
    """Countries whose telephone numbers, addresses and ids are detected. If `us` is among them,
    03/04 in an English text is March 4."""
    languages: tuple[str, ...] = LANGUAGES
    """Languages that a document may be recognized as."""
    relevance: Literal["rules", "learned", "type"] = "learned"
    """How [relevance](relevance.md) is estimated. `learned`: by rules whose weights were learned
    from annotated texts. `rules`: by rules whose weights were set by hand. `type`: it is always 1,
    so that only the weight of the type counts."""
    rare_terms: Count = 3
    """A word is rare if at most this many documents contain it. If two documents that belong
    together share a rare word, it is masked as `[...]` in one of them ([rare
    words](linkage.md#rare-words)). With 0 no word is masked for this reason."""
    rare_pairs: Literal["auto", "linker", "values"] = "auto"
    """Which documents belong together. `linker`: those that are linked, and those that the linker
    takes for about one person; it needs all texts in one place. `values`: those that share a value
    relevant to a person. `auto`: `linker`, but `values` in [batches](cluster.md) and in a corpus of
    fewer than 20 documents."""
    sentence_model: str = ""
    """Folder with a sentence model of the form of BERT, such as all-MiniLM-L6-v2. The linker then
    also compares what texts are about. Unless `rare_pairs` is `values`, the words by which this
    model finds another document of the person are masked ([sentence
    model](linkage.md#a-sentence-model))."""
    sentence_model_digest: str = ""
    """SHA-256 of the files of `sentence_model`. linkmask sets it, and continues a run only with the
    same files."""
    background: str = ""
    """File or folder of public texts that may be about the same persons, such as articles. Words by
    which a document leads to one of these texts are masked ([linkage](linkage.md))."""
    candidates: Positive = 5
    """Used with `background`. Words of a document are masked until at least this many other public
    texts are as near to it as the text that was nearest before masking."""
    readable_share: Unit = 1.0
    """Largest share of a document's words that may stay readable before the plan. Words that the
    language uses least are masked first, names and numbers before others ([surprising
    words](linkage.md#surprising-words)). Words of one or two characters and words before a
    colon stay, so a short document or a form can exceed it. With 1 no word is masked for this
    reason."""
    corpus_pass: bool = True
    """Run the corpus pass, which searches every document for the values that were found in
    any (formulas.md §3.1)."""
    filter_strength: Unit = 0.4
    """The corpus pass searches for a value if the product of its largest relevance and its
    uniqueness is at least this (formulas.md §3.2)."""
    type_filter: bool = False
    """Whether direct identifiers of other documents are kept from a language model in stage 2, as
    in the thesis. The corpus pass of the other detectors searches for them in either case."""
    top_k: Count = 0
    """Largest number of values of other documents that a language model reads in stage 2. 0 means
    all."""
    top_k_by: Literal["most_relevant", "least_relevant", "most_recent"] = "most_relevant"
    """Which values of other documents `top_k` keeps."""
    merge: Literal["union", "stage2_only"] = "union"
    """Which values of a language model count: those of both stages, or those of the second stage
    only. Values of other detectors always count."""
    same_thing: bool = True
    """Treat the spellings of one value (of dates, ages, ids, names) as one entity. If false, only
    equal values are one entity."""

    max_work: Positive = 200_000_000
    """Largest amount of work that detection spends on a document; a document that needs more is set
    aside. Work is counted, so it is the same on every machine: 1 for a character that is read, 20
    for a span that is found, 300 for a field. Ordinary text takes about 2 per character."""

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
    """Corrections of entities by a user. [`linkmask review`](review.md#the-setting-corrections)
    writes them, and lists their forms."""
    id_separator: str = "::"
    """Text between value and type in the hash that is the id of an entity. It is empty in the first
    version of the thesis (schema `thesis-v0`)."""
    edge_threshold: Unit = 0.5
    """Smallest strength at which two documents are linked."""
    link_contained: bool = False
    """Whether a document is also linked to one that holds all of its values. Somebody who puts such
    two documents together learns no further value (formulas.md §6.4)."""
    chain_length: Annotated[int, Meta(ge=2, le=4)] = 2
    """Maximum number of documents in a chain."""
    high: Unit = 0.75
    """Smallest risk of a HIGH chain."""
    medium: Unit = 0.5
    """Smallest risk of a MEDIUM chain. Chains with less are LOW."""
    population: Positive = 1_000_000
    """Number of people among whom an attacker looks for a person. Reports estimate how many of them
    fit what a document says (formulas.md §5.2). It does not change what is masked."""
    group_budget: Count = 50_000_000
    """Largest number of pairs that are compared within a group of documents that share the same
    rare values. A larger group is not compared, and the number of its pairs is reported."""

    # policy
    policy: tuple[str, ...] = ()
    """Regulations to follow: `gdpr`, `hipaa`, `hipaa-expert`, `pci`, or paths of TOML files.
    Their requirements are added to the floor. With a policy, the schema is `regulated` unless you
    name another."""
    policy_model: bool = False
    """Let the language model classify unknown types, write reasons and check masked texts."""
    policy_embeddings: bool = False
    """Find the worked example for a reason by embeddings of the model, instead of by words."""

    # plan
    floor: tuple[str, ...] = tuple(words("forms")["traits"]["floor"])
    """Types that are masked whatever the risk."""
    generalize: dict[str, str] = msgspec.field(
        default_factory=lambda: dict(words("forms")["generalize"])
    )
    """Types whose values are always written coarser in texts about a person, each with the
    technique for it (`value`: as its type). Only style `value` writes coarser; other styles write
    these values like any other. A value that is already as coarse is masked only where a limit
    requires it."""
    always_mask: tuple[str, ...] = ()
    """Ids of entities that are always masked, by a user's decision. `plan --mask` takes values."""
    never_mask: tuple[str, ...] = ()
    """Ids of entities that are never masked, by a user's decision. `plan --keep` takes values."""
    theta_doc: Unit = 0.95
    """Limit for documents. The risk of each document must be below it."""
    theta_chain: Unit = 0.5
    """Limit for chains. The risk of each chain must not be above it."""
    rho_high: Unit = 0.5
    """Share of its risk that a HIGH chain may keep."""
    rho_medium: Unit = 0.7
    """Share of its risk that a MEDIUM chain may keep."""
    solver: str = "cover"
    """Solver of the chain stage."""
    cost: Literal["count", "mentions", "utility"] = "count"
    """What `cover` and `exact` keep small. `count`: the number of masked entities. `mentions`: the
    number of documents that are rewritten. `utility`: the amount of lost text that identifies
    nobody."""
    doc_order: Literal["ingest", "risk_desc"] = "ingest"
    """Order in which the document stage treats the documents. `ingest`: as they are read.
    `risk_desc`: the riskiest first."""
    chain_candidates: Literal["documents", "via"] = "documents"
    """Which entities may be masked for a chain. `documents`: all entities of its documents. `via`:
    only those that its documents share."""
    knapsack_scale: Positive = 1000
    """Steps per unit of risk in the solver `knapsack`."""
    knapsack_candidates: Positive = 64
    """Maximum number of entities of a chain that the solver `knapsack` considers."""
    exact_gap: Unit = 0.0
    """`exact` stops when (best − bound) / best is at most this. `best` is the cost of the best plan
    found, and `bound` the proven lower bound."""
    exact_rounds: Positive = 200
    """Largest number of rounds of `exact`. Then it stops, even if nothing is proven."""
    chain_budget: Positive = 5_000_000
    """Largest number of chains that are listed. If there are more, solvers that need the whole list
    refuse to run."""

    link_limit: Unit = 1.0
    """Limit for the linker: the largest probability with which the document nearest to a released
    one may be about the same person ([certificate](linkage.md#the-certificate)). With 1 there is no
    limit, and the linker does not run."""
    link_candidates: Positive = 1
    """The same limit as a number of candidates: each person must be hidden among at least this
    many. 5 candidates mean `link_limit = 0.2`. If both are set, the stricter one counts."""

    # redact
    style: str = "value"
    """How a masked value is written ([styles](redact.md), [techniques](policy.md#techniques))."""
    styles: dict[str, str] = {}
    """Style of single types, in place of `style`."""
    surrogate_facts: Literal["class", "invented"] = "class"
    """What stands for conditions, treatments, events and other facts in style `surrogate`. `class`:
    the class of the fact ("respiratory condition"). `invented`: an invented fact, which a reader
    may take for true."""
    linkable: bool = False
    """Write a value with the same pseudonym, surrogate or token in all documents. Then whoever
    reads them can put the documents of one person together. By default, it is the same only within
    a document."""
    scope: Literal["documents", "corpus"] = "corpus"
    """Where a masked entity is masked. `documents`: only in documents where it was found, as in the
    thesis. `corpus`: wherever one of its spellings occurs."""
    key_file: str = ""
    """File with the key of pseudonyms and of the vault. If none is given, the key is
    `LINKMASK_KEY`; if that is not set either, the run makes one."""
    unkeyed: bool = False
    """Make pseudonyms without a key, as in the thesis. Anybody can test a guess with them, so use
    it for reproduction only."""
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
    """Context window of the model in tokens, including the answer. A longer document is read in
    several windows, none of which exceeds it."""
    llm_timeout: Annotated[float, Meta(ge=0.1, le=86_400)] = 300.0
    """Maximum number of seconds for one answer."""
    llm_retries: Count = 4
    """Largest number of further attempts after the server has failed. After an answer that cannot
    be used, there are at most two."""
    llm_connections: Annotated[int, Meta(ge=1, le=256)] = 8
    """Maximum number of requests at the same time."""
    llm_budget_requests: Count = 0
    """Largest number of requests in one run. After these, the run stops and can be resumed. 0 means
    no limit."""
    llm_budget_tokens: Count = 0
    """Largest number of tokens in one run, sent and received. After these, the run stops and can be
    resumed. 0 means no limit."""
    llm_cache: str = ""
    """Private file that keeps answers. If empty, it is `linkmask/llm.sqlite` in the user's cache
    folder."""
    llm_proxies: bool = False
    """Use the proxies that the environment names."""
    llm_window: Annotated[int, Meta(ge=64, le=1_000_000)] = 2000
    """Largest number of tokens of text in one request. It is small, because models miss values in
    long texts."""
    llm_overlap: Annotated[int, Meta(ge=0, le=1000)] = 100
    """Tokens that two windows of a long document share."""
    llm_lowercase: bool = False
    """Send the text to the model in lower case, as the thesis does."""
    llm_dates: Literal["iso", "dmy"] = "iso"
    """Form in which the model writes dates. `iso`: 2024-03-12. `dmy`: 12/03/2024, as in the
    thesis."""
    llm_existing: Literal["near", "corpus"] = "near"
    """Which values of other documents the model reads in stage 2. `near`: those that share words
    with the document. `corpus`: all that pass the filters, as in the thesis."""
    llm_failed: Literal["set_aside", "embedded"] = "set_aside"
    """What happens to a document for which the model gives no answer. `embedded`, with detector
    `embedded+llm`: it is processed with the values of `embedded` alone, and the report says so."""
    llm_doubted: Literal["set_aside", "release"] = "set_aside"
    """What detector `llm` does with a document in which the model found far less than the patterns.
    Detector `embedded+llm` always releases it, and lists it for review."""

    # run
    workers: Count = 0
    """Number of processes. 0 means one for each core."""
    approvals: Count = 0
    """Number of reviewers who must approve a plan in `linkmask review` before `apply` releases it.
    If it is 1 or more, only `apply` releases documents."""

    @property
    def entity_types(self) -> Schema:
        """The table of entity types: that of the schema, types of the user's own, and weights."""
        words = self.rare_terms or self.background or self.readable_share < 1
        own = (*self.own_types.values(), *((RARE,) if words else ()))
        return _table(self.schema, own, tuple(self.weights.items()))

    @property
    def asks_linker(self) -> bool:
        """Whether the linker says which documents belong together, at least of many documents."""
        return self.rare_pairs != "values"

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
    def masked_by_rule(self) -> frozenset[str]:
        """Types whose values are masked or generalized whatever else the corpus holds."""
        return frozenset(self.floor).union(self.generalize)

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
