"""Settings of `[detect]`: what finds values, and which words lead to other texts."""

from __future__ import annotations

from typing import Literal

from linkmask.choices import COUNTRIES, LANGUAGES
from linkmask.config.sections.corpus import CorpusSettings
from linkmask.config.sections.ranges import Count, Positive, Unit
from linkmask.schema.recognizer_rows import OwnType


class DetectSettings(CorpusSettings, frozen=True, kw_only=True):
    """All settings up to those of `[detect]`."""

    detector: str = "embedded"
    """What finds values. `embedded` uses patterns, labels, the lexicon and the trained model of the
    package. `rules` does not use the model. `patterns` uses neither model nor lexicon. `llm` uses a
    language model alone. `embedded+llm` uses `embedded` and a language model, and keeps every value
    that `embedded` finds."""
    other_detectors: tuple[str, ...] = ()
    """Further detectors, whose values are added to those of `detector`. An entry is `spacy:/path`
    (a folder with a spaCy pipeline), `gliner:/path` (a folder with a GLiNER model), the address of
    a Presidio analyzer (`http://127.0.0.1:5002/analyze`), or the address of a GLiNER server, which
    ends in `/extract`."""
    detector_digests: dict[str, str] = {}
    """SHA-256 of the files of each local model. linkmask sets it, and continues a run only with the
    same files."""
    countries: tuple[str, ...] = COUNTRIES
    """Of the US, the UK, France, Germany and Switzerland: those whose telephone numbers, addresses
    and national numbers are detected. National numbers of other countries are always searched for.
    If `us` is among them, 03/04 in an English text is March 4."""
    languages: tuple[str, ...] = LANGUAGES
    """Of English, French and German: those whose rules and word lists a document may be read
    with. Documents in other languages are recognized in any case."""
    relevance: Literal["rules", "learned", "type"] = "learned"
    """How [relevance](relevance.md) is estimated. `learned`: by rules whose weights were learned
    from annotated texts. `rules`: by rules whose weights were set by hand. `type`: it is always 1,
    so that only the weight of the type counts."""
    rare_terms: Count = 5
    """A word or a value is rare if at most this many documents contain it. If two documents that
    belong together share a rare one, it is masked in one of them, a word as `[...]` ([rare
    words](linkage.md#rare-words)). With 0 nothing is masked for this reason."""
    rare_pairs: Literal["auto", "linker", "values"] = "auto"
    """Which documents belong together. `linker`: those that are linked, and those that the linker
    takes for about one person; it needs all texts in one place. `values`: those that share a value
    relevant to a person. `auto`: `linker`, but `values` in [batches](cluster.md) and in a corpus of
    fewer than 20 documents."""
    rare_nearest: Count = 2
    """Used if the linker says which documents belong together. Two documents then belong together
    only if one of them is among the N documents that the linker finds nearest to the other. N is
    this setting. With 0, they need not be near."""
    sentence_model: str = ""
    """Folder with a sentence model of the BERT kind, such as all-MiniLM-L6-v2. The linker then
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
    """Used with `background`. Before masking, one public text is the most similar to a
    document. Words of the document are masked until at least this many other public texts
    are at least as similar to the document as that one."""
    readable_share: Unit = 1.0
    """Largest share of a document's words that may stay readable. If more would, further words are
    masked before the plan is chosen: first those that the language uses least, names and numbers
    before others ([surprising words](linkage.md#surprising-words)). Words of one or two
    characters and labels stay, so a short document or a form can exceed it. With
    1 no word is masked for this reason."""
    corpus_pass: bool = True
    """Run the corpus pass, which searches every document for the values that were found in
    any (formulas.md §3.1)."""
    filter_strength: Unit = 0.4
    """The corpus pass searches for a value if the product of its largest relevance and its
    uniqueness is at least this (formulas.md §3.2)."""
    type_filter: bool = False
    """If true, direct identifiers of other documents are not shown to a language model in stage 2,
    as in the thesis. The corpus pass of the other detectors searches for them in either case."""
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
