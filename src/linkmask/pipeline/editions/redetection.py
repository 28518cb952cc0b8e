"""Detects for the next edition: only in what is new or changed.

Unchanged documents keep the mentions that they had, except those in which a spelling stands that
the corpus's vocabulary gained, lost or took for another value: there the corpus pass runs again,
which is a search and no detection.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from linkmask.detect import Vocabulary
from linkmask.detect.corpus_pass.entry_rows import VocabularyEntry
from linkmask.detect.corpus_pass.selection import respelled
from linkmask.detect.view.readings import readings
from linkmask.graph.affected import bare_surnames, meaning_affected_by, surnames
from linkmask.graph.names import NAMES
from linkmask.pipeline.correcting import correct
from linkmask.pipeline.detection.corpus_detection import append_to_log, noting_uncovered
from linkmask.pipeline.detection.detector import (
    TOGETHER,
    Detector,
    PriorVocabulary,
    corpus_detector,
    size,
)
from linkmask.pipeline.editions.changed_corpus import LITTLE, ChangedCorpus
from linkmask.pipeline.editions.covered_again import LostMasks, covering
from linkmask.pipeline.linkage.common_words import common_words, keep_common_words
from linkmask.pipeline.linkage.linking_words import add_words_by_document, words_by_linker
from linkmask.pipeline.linkage.rare_terms import add_later_rare_terms
from linkmask.pipeline.linkage.readable_words import Hashes, rare_terms_of
from linkmask.pipeline.planning.scoring import incidence_grown, incidence_of
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.pipeline.reading import readable, with_mentions
from linkmask.pipeline.values.earlier_masks import (
    EarlierMasks,
    found_again,
    kept_beside,
    spellings_of,
)
from linkmask.pipeline.values.run_value import RunValues
from linkmask.pipeline.values.run_values import (
    mentions_digest,
    recounted,
    values_of,
    with_doubts,
    written_as,
)
from linkmask.pipeline.word_index import words_of
from linkmask.records import Document, Mention, SetAside, Why, entity_id
from linkmask.report import stored_plan, stored_release
from linkmask.runs import editions
from linkmask.runs.file_names import COMMON_WORDS
from linkmask.runs.languages import keep_uncovered, uncovered
from linkmask.runs.mentions import encode, joined, mentions_in
from linkmask.schema import RARE_TERM
from linkmask.text.codes import fold_characters
from linkmask.text.fold import folded_value
from linkmask.workers import Batched


class NextEdition(ChangedCorpus):
    """A job on the next edition of a run, up to its mentions; made as its parent is."""

    @cached_property
    def _vocabulary(self) -> Vocabulary | None:
        """The vocabulary that the last edition left."""
        return self.previous.vocabulary if self.previous else None

    @cached_property
    def detector(self) -> Detector:
        """Detection as the corpus of today makes it."""
        if self.previous is None:
            return corpus_detector(self.run, self.settings)
        fresh, before = self.difference.fresh, self.before.documents("stage1")
        only_added = set(before) == set(self.run.documents("stage1")).difference(fresh)
        assert self._vocabulary is not None
        grown = PriorVocabulary(self._vocabulary, fresh if only_added else None)
        return corpus_detector(self.run, self.settings, grown)

    # ── detection ───────────────────────────────────────────────────────────────────────────────

    def detect(self, mentions: Path | None = None) -> None:
        """Detect in what is new or changed; all else keeps its mentions, or is searched again."""
        assert mentions is None
        with self.step("detect"):
            self.counted = CorpusCounts()
            fresh = self.difference.fresh
            self._first_pass(fresh)
            self.index = self._indexed()
            self.counted.characters = self.index.length
            self.redone = fresh | self._holding_news(fresh)
            self._corpus_pass()
            self._hold()
            had = self._words_of(fresh)
            add_words_by_document(lambda: self._pairs_of(fresh), self.run, self.settings, had)
            if self.settings.rare_terms:
                self._add_rare_terms()
                for asked, why, add in words_by_linker(self.settings):
                    if asked and why not in had:
                        self._add_by_linker(add, fresh)

    def _first_pass(self, fresh: set[str]) -> None:
        detector = Detector(self.settings)
        work = Batched(detector.first_pass, detector.first_passes, size, TOGETHER)
        files = self._files_of(())
        little = sum(file.size for file in files.files().values()) <= LITTLE
        every = readable(files, self.counted)
        read = (pair for pair in every if pair[0].id in fresh)
        stay = frozenset(self.difference.documents) - fresh
        spoken = {d: language for d, language in uncovered(self.before).items() if d in stay}
        pairs = noting_uncovered(read, spoken)
        arguments = self.run, "stage1", pairs, work, self.counted, self.progress
        append_to_log(*arguments, workers=1 if little else None)
        keep_uncovered(self.run, spoken)
        found = self.run.lines("stage1")
        self._merge("stage1", {name: lines for name, lines in found if name in fresh})
        self.counted.documents = len(self.run.documents("stage1"))

    def _holding_news(self, fresh: set[str]) -> set[str]:
        """Return the unchanged documents in which a spelling stands that means something else."""
        last, words = self._vocabulary, self.detector.vocabulary
        if last is None:
            last = corpus_detector(self.before, self.settings).vocabulary
        if last is None or words is None:
            return set()  # there is no corpus pass
        news = _differing(last, words)
        if self.settings.same_thing:
            news |= self._of_other_meaning(last, words)
        if not news:
            return set()
        # All are searched for in any context, as mentions of the first pass take values in any.
        anywhere = VocabularyEntry("", "", 0.0, "form", "", distinctive=True)
        search = Vocabulary(dict.fromkeys(news, anywhere)).search
        return {
            one.id
            for one in self.unchanged_with(map(words_of, news))
            if any(True for field in readings(one, self.settings) for _ in search(field.value))
        }

    def _of_other_meaning(self, last: Vocabulary, words: Vocabulary) -> set[str]:
        """Return the spellings of values that may mean another person or body by now."""
        news = respelled(words.spelled, last.spelled)
        surfaces = {(one.type, one.value): one.surfaces for one in words.statistics}
        changed = surfaces.keys() ^ {(one.type, one.value) for one in last.statistics}
        for kind, value in meaning_affected_by(changed, surfaces.keys() - changed, surfaces):
            row = words.spelled.get((value, kind))
            news.update(surfaces[kind, value], row.ways if row else ())
        every = self._values_before.values()
        if self.settings.corrections:  # one may have given a surname any value
            spelled = ((" ".join(one.surfaces), one.surfaces) for one in every)
        else:
            spelled = ((one.value, one.surfaces) for one in every if one.type in NAMES)
        return news.union(map(folded_value, bare_surnames(spelled, surnames(changed))))

    @cached_property
    def _values_before(self) -> RunValues:
        """The values of the last edition's mentions."""
        if self.previous is not None and self._values_known:
            return self.previous.values
        return values_of(self.before, self.settings.id_separator)

    def _corpus_pass(self) -> None:
        """Look again in what is new, and where a value of the vocabulary became another."""
        pairs = with_mentions(self._files_of(self.redone), self.run, "stage1", self.counted)
        due = (one for one in pairs if not isinstance(one, SetAside) and one[0].id in self.redone)
        one, many = self.detector.corpus_pass_uncorrected, self.detector.corpus_passes_uncorrected
        search = Batched(one, many, size, TOGETHER)
        workers = self._workers_for(len(self.redone))
        append_to_log(
            self.run, "mentions", due, search, self.counted, self.progress, workers=workers
        )
        found = {name: lines for name, lines in self.run.lines("mentions") if name in self.redone}
        self._merge("mentions", found | self._with_kept(found))
        correct(self.run, self.settings)

    def _with_kept(self, found: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the lines of the documents in which mentions of the last edition stay.

        Of a document that was only searched again, nothing that was known is lost.
        """
        known = self.before.lines_by_document(self.before.uncorrected)
        again = found.keys() & known.keys() - self.difference.fresh
        kept = {name: more for name in again if (more := kept_beside(found[name], known[name]))}
        if not kept:
            return {}
        stated = self._stated(self._values_found(found))
        for document in self._documents_of(kept):
            kept[document.id] = [stated(document, one) for one in kept[document.id]]
        return {name: joined(found[name], more) for name, more in kept.items()}

    def _values_found(self, found: Mapping[str, bytes]) -> RunValues:
        """Return the values of the corpus as detection finds them: what only stays is left out."""
        separator, log = self.settings.id_separator, self.before.uncorrected
        last, known = self._values_before, self.before.lines_by_document(log)
        if log != "mentions":  # corrected ones have other values
            last = recounted({}, [(self.before.mentions(log), 1)], separator)
        changed = [(mentions_in(known[name]), -1) for name in self._affected & known.keys()]
        changed += [(mentions_in(lines), 1) for lines in found.values()]
        return recounted(last, changed, separator)

    @property
    def _affected(self) -> set[str]:
        """Ids of the documents whose mentions may differ from those of the last edition."""
        return self.redone | self.difference.deleted

    def _stated(self, values: RunValues) -> Callable[[Document, Mention], Mention]:
        """Return what gives a mention that stays a value of today.

        Whoever said its value may have been deleted. Then its spelling is a value of its own.

        Args:
            values: those that the corpus of today holds.
        """
        separator = self.settings.id_separator

        def stated(document: Document, mention: Mention) -> Mention:
            of, person = mention.type, mention.person
            if person and entity_id(person[1], person[0], separator) not in values:
                mention = replace(mention, person=None)
            if of == RARE_TERM or entity_id(mention.value, of, separator) in values:
                return mention
            return replace(mention, value=self.detector.own_value(document, mention))

        return stated

    def _merge(self, log: str, anew: Mapping[str, bytes]) -> None:
        """Bring lines of today and the log of the last edition together, in input order."""
        known = self.before.lines_by_document(self.before.uncorrected if log == "mentions" else log)
        fresh = self.difference.fresh
        order = (name for name in self.difference.documents if name in anew or name not in fresh)
        self.run.merge(log, order, known, anew)

    def _detected_languages(self, source: Source) -> Mapping[str, str]:
        """Return the languages: of documents that are as they were, what they were then."""
        languages, fresh = self.previous.languages if self.previous else {}, self.difference.fresh
        stays = [one for one in self.difference.documents if one in languages and one not in fresh]
        others = frozenset(self.difference.documents).difference(stays)
        read = super()._detected_languages(self._files_of(others)) if others else {}
        return {**{name: languages[name] for name in stays}, **read}

    def _add_rare_terms(self) -> None:
        """Mask rare words in what is new or changed; only what may share one is read beside it.

        Nothing is added to what a command that was killed has added.
        """
        if self.run.find(COMMON_WORDS).exists():
            return
        fresh, common = self.difference.fresh, self._common_words()
        rare = {
            w for pair in self._pairs_of(fresh) for w in rare_terms_of(*pair, common, self.settings)
        }
        near = fresh | self.index.documents_with(words_of(fold_characters(word)) for word in rare)
        if (pins := editions.pinned_by(self.before)) is not None:
            editions.keep_pins(self.run, pins)
        grown = incidence_grown(self.run, self.before, self.settings, CorpusCounts())
        incidence = incidence_of(self.run, self.settings) if grown is None else grown
        arguments = self.run, self.before, incidence, self.settings
        with self.run.together():
            add_later_rare_terms(self._pairs_of(near), fresh, common, *arguments)
            keep_common_words(self.run, common)

    def _words_of(self, fresh: set[str]) -> set[Why]:
        """Return the kinds of words that a command that was killed has added."""
        return {one.why for one in self.run.mentions_of(fresh) if one.type == RARE_TERM}

    def _add_by_linker(self, add: Callable[..., None], fresh: set[str]) -> None:
        """Mask words by which the linker finds what is new or changed; all is read for it."""
        every = self._files_of(self.difference.documents)
        pairs = with_mentions(every, self.run, "mentions", self.counted)
        documents = (one for one in pairs if not isinstance(one, SetAside))
        add(documents, self.run, self.settings, CorpusCounts(), fresh)

    def _common_words(self) -> Hashes:
        """Return the words that are not rare, as an earlier edition counted them."""
        return common_words(self.before)

    # ── what stays masked ───────────────────────────────────────────────────────────────────────

    def _hold(self) -> None:
        """Keep masked what an earlier edition masked, also where it is another entity by now.

        Only where documents changed, or were searched again, can it be. A value that is detected
        nowhere any more is searched for in what was read again.
        """
        separator = self.settings.id_separator
        masked, coarse = (
            stored_plan.masked_ids(self.released),
            stored_release.coarse_ids(self.released),
        )
        self.ledger = self.ledger.with_release(masked, coarse)
        ever = set(self.ledger.masked)
        affected = self._affected
        old = {
            spelling: mention
            for mention in self.before.mentions_of(affected)
            if mention.type != RARE_TERM  # it is masked in its document alone
            if entity_id(mention.value, mention.type, separator) in ever
            for spelling in spellings_of(mention)
        }
        now = {s for mention in self.run.mentions_of(affected) for s in spellings_of(mention)}
        gone = {spelling: mention for spelling, mention in old.items() if spelling not in now}
        values = self._values_without_doubts() if gone else {}
        for spelling in written_as(values.values(), gone) if gone else ():
            gone.pop(spelling)
        if gone:
            spelled = {fold_characters(mention.original) for mention in gone.values()}
            near = self.redone & self.index.documents_with(map(words_of, spelled))
            read = partial(self._documents_of, near)
            arguments = read, self.run, list(gone.values()), self._stated(values)
            self.run.add_mentions(dict(found_again(*arguments)))
        self._cover_again(ever)
        redone = list(self.run.mentions_of(self.redone))
        here = {spelling for mention in redone for spelling in spellings_of(mention)}
        hidden = EarlierMasks(dict.fromkeys(self._spelled(ever, here), None) | gone)
        if alike := hidden.matching(redone, self.settings, gone.keys()) - ever:
            self.ledger = self.ledger.with_release(alike)
        self.held = self.ledger.masked
        editions.keep_ledger(self.run, self.ledger)

    def _cover_again(self, ever: Collection[str]) -> None:
        """Mask in unchanged documents what an edition masked there, where less is found by now.

        Args:
            ever: ids of the entities that an edition masked.
        """
        separator = self.settings.id_separator

        def masked(mentions: Iterable[Mention]) -> Iterator[tuple[str, Mention]]:
            for one in mentions:
                entity = entity_id(one.value, one.type, separator)
                if one.type != RARE_TERM and entity in ever:
                    yield entity, one

        had = dict(masked(self.before.mentions_of(self._affected)))
        values = self._values_without_doubts() if had else {}
        everywhere, then = self.settings.scope == "corpus", self.before.lines_by_document()
        logs = {log: self.run.lines_by_document(log) for log in (self.run.uncorrected, "mentions")}
        lost = {e: one for e, one in had.items() if e not in values or not everywhere}
        masks = LostMasks(lost, self._values_before, self.settings)
        again = {one for one in self.redone & then.keys() if logs["mentions"][one] != then[one]}
        if everywhere:
            forms = (words_of(fold_characters(form)) for form in chain(*masks.spellings.values()))
            again |= self.index.documents_with(filter(None, forms))
        stated, covered = self._stated(values), set[str]()
        every: dict[str, dict[str, bytes]] = {log: {} for log in logs}
        for document in self._documents_of(again & then.keys() - self.difference.fresh):
            own = [one for _, one in masked(mentions_in(then[document.id]))]
            own += masks.places(document, own)
            for log, lines in logs.items():
                held = mentions_in(lines[document.id])
                found, over = covering(document, held, own, stated)
                covered.update(entity_id(one.value, one.type, separator) for one in over)
                if found != held:
                    every[log][document.id] = b"".join(map(encode, found))
        for log, anew in every.items():
            if anew:
                self.run.merge(log, logs[log], logs[log], anew)
        self.ledger = self.ledger.with_release(covered.difference(ever))

    def values_now(self) -> RunValues:
        """Return the values of the mentions, made of those that the last edition kept."""
        values = self._values_without_doubts()
        if self.previous is None or not self._values_known:
            return values
        return with_doubts(values, self.previous.values, self.previous.masks)

    def _values_without_doubts(self) -> RunValues:
        """Return the same values; whose facts may have changed is not said."""
        separator = self.settings.id_separator
        if self.previous is None or not self._values_known:
            return values_of(self.run, separator)
        return values_of(self.run, separator, self.previous.values, self.before)

    @cached_property
    def _values_known(self) -> bool:
        """Whether the last edition kept the values of the very mentions that its run holds."""
        return self.previous is not None and self.previous.mentions == mentions_digest(self.before)

    def _spelled(self, ever: set[str], wanted: set[str]) -> set[str]:
        """Return those of some spellings in which values stood that an edition masked."""
        if self.previous:
            return written_as(self.previous.hidden(), wanted)
        separator = self.settings.id_separator
        every = (mention for mention in self.before.mentions() if mention.type != RARE_TERM)
        masked = (m for m in every if entity_id(m.value, m.type, separator) in ever)
        return wanted & {spelling for mention in masked for spelling in spellings_of(mention)}


def _differing(last: Vocabulary, words: Vocabulary) -> set[str]:
    """Return the spellings that stand for another value now, and those that came or went."""
    old, new = last.entries, words.entries
    changed = old.keys() | new.keys() if words.changed is None else words.changed
    return {spelling for spelling in changed if old.get(spelling) != new.get(spelling)}
