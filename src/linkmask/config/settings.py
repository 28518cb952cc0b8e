"""Settings: one flat object, every default in sight, one section per step.

The defaults are those of preset `insurance`. What may be given for a setting beside its type and
range is checked in `validation`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Unit = Annotated[float, Meta(ge=0.0, le=1.0)]
Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]

SECTIONS = ("corpus", "detect", "graph", "policy", "plan", "redact", "verify", "llm", "run")


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that can be set, flat. Risks, weights and thresholds lie in [0, 1]."""

    preset: str = "insurance"
    """A name in `presets/`; every other setting starts from it."""
    schema: str = "insurance"
    """Entity types, their weights and groups: a name in `schema/` or a path to a TOML file."""
    weights: dict[str, Unit] = {}
    """Weights laid over the schema's, by type."""

    # corpus
    text_field: str | tuple[str, ...] = "content"
    """Field or column that holds the text; several where several do. A path is written
    `report.body`, one through a list `messages[].content`."""
    id_field: str = "id"
    """Field or column that holds the id; without one, the file's name or `file:row`."""
    metadata_field: str = "metadata"
    """Field or column that holds the metadata: an object, or JSON text."""
    exclude_fields: tuple[str, ...] = ()
    """Fields, columns or metadata keys that are neither searched nor masked; or paths of keys."""
    encoding: str = ""
    """Encoding of files without a byte order mark, as `cp1252`; empty: UTF-8, or UTF-16 where every
    second byte says so."""
    max_characters: Positive = 50_000_000
    """A longer document is set aside, not cut."""

    # detect
    detector: str = "embedded"
    """`embedded`: patterns, labels, the lexicon and the model of the package; `rules`: without the
    model; `patterns`: without the lexicon, too; `llm`: a language model; `embedded+llm`: both, so
    that what patterns see is never lost."""
    countries: tuple[str, ...] = ("us", "gb", "fr", "de", "ch")
    """Whose numbering plans, addresses and ids are looked for; US also decides 03/04 dates."""
    languages: tuple[str, ...] = ("en", "fr", "de")
    """Languages that a document's is told from."""
    relevance: Literal["rules", "learned", "type"] = "learned"
    """What says how much a value tells of the document's person: rules with weights by hand, or
    with weights learned from marked texts; or nothing but its type."""
    context_pass: bool = True
    """Second pass: values found anywhere are looked for everywhere (formulas.md §3.1)."""
    filter_strength: Unit = 0.4
    """A value enters the second pass when max relevance × uniqueness ≥ this (formulas.md §3.2)."""
    type_filter: bool = False
    """Keep direct identifiers out of the list that a language model reads in stage 2, as the thesis
    does. The other detectors look for every value again, whatever its type."""
    top_k: Count = 0
    """At most this many values are on that list; 0: all."""
    top_k_by: Literal["most_relevant", "least_relevant", "most_recent"] = "most_relevant"
    """Which values those are."""
    merge: Literal["union", "stage2_only"] = "union"
    """Of a language model's two stages: keep what either found, or only what the second did. What
    other detectors found stays."""
    same_thing: bool = True
    """Unite spellings of one thing (dates, ages, ids, names); False: exact values only."""

    max_work: Positive = 200_000_000
    """A document that takes more work in detection is set aside. Work is counted, so it is the same
    on every machine: 1 for a character that is read, 20 for a span that is found, 300 for a field.
    Ordinary text takes about 2 for a character."""

    # graph
    id_separator: str = "::"
    """Stands between value and type where an entity's id is made; empty in thesis version V0."""
    edge_threshold: Unit = 0.5
    """Weakest strength at which two documents are linked."""
    chain_length: Annotated[int, Meta(ge=2, le=4)] = 2
    """Documents per chain, at most."""
    high: Unit = 0.75
    """A chain is HIGH from this risk on."""
    medium: Unit = 0.5
    """A chain is MEDIUM from this risk on, LOW below."""
    group_budget: Count = 50_000_000
    """Pairs one group of documents sharing the same values may expand to; more is reported."""

    # policy
    policy: tuple[str, ...] = ()
    """Regulations whose demands are floors: `gdpr`, `hipaa`, `pci`, or paths of TOML files. With
    one, the schema is `regulated` unless another is named."""
    policy_model: bool = False
    """The language model names types no policy knows, words reasons, looks at masked texts."""
    policy_embeddings: bool = False
    """The worked example beside a reason is found by the model's embeddings, not by words."""

    # plan
    floor: tuple[str, ...] = (
        "NAME",
        "PATIENT_ID",
        "ADDRESS",
        "PHONE_NUMBER",
        "EMAIL",
        "NATIONAL_ID",
        "CREDIT_CARD",
        "IBAN",
    )
    """Types masked whatever the risk."""
    always_mask: tuple[str, ...] = ()
    """Ids of entities masked whatever the risk, as a person decided; `plan --mask` takes values."""
    never_mask: tuple[str, ...] = ()
    """Ids of entities left readable whatever the risk, as decided; `plan --keep` takes values."""
    theta_doc: Unit = 0.95
    """Every document must lie below this risk."""
    theta_chain: Unit = 0.5
    """Every chain must lie at or below this risk."""
    rho_high: Unit = 0.5
    """Share of its risk that a HIGH chain may keep."""
    rho_medium: Unit = 0.7
    """Share of its risk that a MEDIUM chain may keep."""
    solver: Literal["cover", "greedy", "knapsack", "exact"] = "cover"
    """How the chain stage chooses."""
    cost: Literal["count", "mentions", "utility"] = "count"
    """What `cover` and `exact` keep small: entities, documents rewritten, or harmless text lost."""
    doc_order: Literal["ingest", "risk_desc"] = "ingest"
    """Order of the document stage: as read, or riskiest first."""
    chain_candidates: Literal["documents", "via"] = "documents"
    """What may be masked for a chain: all its entities, or only those its documents share."""
    knapsack_scale: Positive = 1000
    """Steps per unit of risk in the knapsack."""
    knapsack_candidates: Positive = 64
    """At most this many entities of a chain enter the knapsack."""
    exact_gap: Unit = 0.0
    """`exact` stops when (best − bound) / best is at most this."""
    exact_rounds: Positive = 200
    """`exact` stops after this many rounds, proven or not."""
    chain_budget: Positive = 5_000_000
    """Solvers that need every chain listed refuse beyond this many."""

    # redact
    style: str = "value"
    """How a masked value is written: `redact`, `value`, `pseudonym` or `surrogate`."""
    styles: dict[str, str] = {}
    """Style by type, over `style`."""
    surrogate_facts: Literal["class", "invented"] = "class"
    """Surrogates of conditions, treatments, events and other facts: their class ("respiratory
    condition"), which says less, or invented ones, which a reader takes for true."""
    scope: Literal["documents", "corpus"] = "corpus"
    """Mask where an entity was found (thesis), or wherever its forms stand in the corpus."""
    key_file: str = ""
    """Key of `pseudonym` and of the vault; else LINKMASK_KEY, else made in the run folder."""
    unkeyed: bool = False
    """Pseudonyms without a key, as the thesis prints them. Guessable: for reproduction only."""
    seed: int = 0
    """Another seed draws other surrogates."""

    # llm
    llm_url: str = ""
    """Where an OpenAI-compatible server answers, such as `http://127.0.0.1:11434/v1`."""
    llm_model: str = ""
    """The model's name as the server knows it."""
    llm_key_env: str = ""
    """Name of the environment variable that holds the server's key; empty: no key is sent."""
    llm_temperature: Annotated[float, Meta(ge=0, le=2)] = 0.01
    """How freely the model chooses its words; the thesis takes 0.01."""
    llm_seed: int = 0
    """Seed sent with each request; the second try at an answer takes the next one."""
    llm_max_tokens: Positive = 4096
    """Longest answer, in tokens, the model's thinking included."""
    llm_context: Annotated[int, Meta(ge=512, le=10_000_000)] = 8192
    """The model's window in tokens, answer included; longer documents are cut to fit, whole."""
    llm_timeout: Annotated[float, Meta(ge=0.1, le=86_400)] = 300.0
    """Seconds that one answer may take."""
    llm_retries: Count = 4
    """Further tries after a server's failure or an answer that can't be used (of those, two)."""
    llm_connections: Annotated[int, Meta(ge=1, le=256)] = 8
    """Requests under way at once."""
    llm_budget_requests: Count = 0
    """At most this many requests in one run, then it stops and can be resumed; 0: no limit."""
    llm_budget_tokens: Count = 0
    """At most this many tokens, read and written, in one run; 0: no limit."""
    llm_cache: str = ""
    """File that keeps answers, private; empty: `linkmask/llm.sqlite` in the user's cache folder."""
    llm_proxies: bool = False
    """Go through the proxies that the environment names."""
    llm_window: Annotated[int, Meta(ge=64, le=1_000_000)] = 2000
    """Tokens of text a model is given at once, at most: models miss values in long texts."""
    llm_overlap: Annotated[int, Meta(ge=0, le=1000)] = 100
    """Tokens that two windows of a long document share."""
    llm_lowercase: bool = False
    """Give the model the text in small letters, as the thesis does."""
    llm_dates: Literal["iso", "dmy"] = "iso"
    """Form of dates the model is asked for: 2024-03-12, or the thesis's 12/03/2024."""
    llm_existing: Literal["near", "corpus"] = "near"
    """Values of other documents shown in stage 2: those that share words with the document, or,
    as in the thesis, all that pass the filters."""
    llm_failed: Literal["set_aside", "embedded"] = "set_aside"
    """A document the model gives no answer on is set aside; with `embedded+llm` it can stay on
    what `embedded` found, and the report says so."""
    llm_doubted: Literal["set_aside", "release"] = "set_aside"
    """With detector `llm`, a document in which the model found far less than patterns see; with
    `embedded+llm` it is released on what both found, and listed for review."""

    # run
    workers: Count = 0
    """Processes; 0: one per core."""

    @property
    def rho(self) -> tuple[float, float, float]:
        """Share of its risk a chain may keep, by level HIGH, MEDIUM, LOW (formulas.md §9.2)."""
        return self.rho_high, self.rho_medium, 1.0


LISTS = frozenset(
    field.name for field in msgspec.structs.fields(Settings) if isinstance(field.default, tuple)
)
"""Settings that hold several words; as text they are separated by commas."""
