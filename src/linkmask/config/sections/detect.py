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
    """What finds values ([detectors](detectors.md))."""
    other_detectors: tuple[str, ...] = ()
    """[Third-party detectors](detectors.md#third-party-detectors), such as `spacy:/path`,
    `gliner:/path` or the address of a server."""
    detector_digests: dict[str, str] = {}
    """SHA-256 of each local model. linkmask sets it, and refuses a model that has changed."""
    countries: tuple[str, ...] = COUNTRIES
    """Countries, of these five, whose telephone numbers, addresses and national numbers are
    searched for. Numbers of [further countries](recognizers.md#the-recognizers-of-linkmask) are
    always searched for. With `us`, 03/04 in an English text is March 4."""
    languages: tuple[str, ...] = LANGUAGES
    """Languages whose rules and word lists are used, of these three."""
    relevance: Literal["rules", "learned", "type"] = "learned"
    """How [relevance](relevance.md) is estimated."""
    rare_terms: Count = 5
    """A word or value is [rare](linkage.md#rare-words) if at most this many documents contain it.
    With 0, none is. If two documents that belong together share such a word or value,
    it is masked in one of them."""
    rare_pairs: Literal["auto", "linker", "values"] = "auto"
    """Which documents [belong together](linkage.md#rare-words), so that a rare word or value which
    they share is masked in one of them: those that share a value relevant to a person (`values`),
    or those that are linked or probably about one person (`linker`). `auto` is `linker`, but
    `values` in [batches](cluster.md) or with fewer than 20 documents."""
    rare_nearest: Count = 2
    """Number of nearest documents that count. With `linker`, two documents belong together only if
    one of them is among these nearest documents of the other. 0 means no limit."""
    sentence_model: str = ""
    """Folder of a sentence model, such as all-MiniLM-L6-v2 ([what it
    changes](linkage.md#a-sentence-model))."""
    sentence_model_digest: str = ""
    """SHA-256 of the files of `sentence_model`. linkmask sets it."""
    background: str = ""
    """Path of public texts that may be about the same persons. Words that lead to one of them [are
    masked](linkage.md#surprising-words)."""
    background_digest: str = ""
    """SHA-256 of the files of `background`. linkmask sets it."""
    candidates: Positive = 5
    """Words of a document are masked until at least this many other `background` texts are as near
    to it as the text that was nearest before masking."""
    readable_share: Unit = 1.0
    """Largest share of a document's words that may [stay readable](linkage.md#surprising-words). 1
    means no limit."""
    corpus_pass: bool = True
    """Search all documents for the values that were found in one of them (formulas.md §3.1)."""
    filter_strength: Unit = 0.4
    """The corpus pass searches only for values whose uniqueness × relevance is at least this
    (formulas.md §3.2)."""
    type_filter: bool = False
    """Show a language model no values of other documents whose type is in group `direct`
    ([types](types.md)) or in `floor`."""
    top_k: Count = 0
    """Largest number of values of other documents that a language model is
    [shown](detectors.md#with-a-language-model). 0 means no limit."""
    top_k_by: Literal["most_relevant", "least_relevant", "most_recent"] = "most_relevant"
    """Which values `top_k` keeps."""
    merge: Literal["union", "stage2_only"] = "union"
    """Which values of a language model count: those of both
    [stages](detectors.md#with-a-language-model), or only those of the second."""
    same_thing: bool = True
    """Treat the spellings of one value as one entity."""

    max_work: Positive = 200_000_000
    """Largest number of steps of detection in a document; one that needs more is set aside.
    Ordinary text takes about 2 steps per character."""

    recognizers: tuple[str, ...] = ()
    """Files with [recognizers](recognizers.md) of your own."""
    recognizers_digest: str = ""
    """SHA-256 of the files in `recognizers`. linkmask sets it."""
    own_types: dict[str, OwnType] = {}
    """Entity types of your own. linkmask reads them from `recognizers`."""
