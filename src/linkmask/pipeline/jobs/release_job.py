"""Releases what a job masked and checked: documents, report and run together."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from linkmask import corpus, policy
from linkmask.config import Settings
from linkmask.corpus import Corpus, StagedOutput, WriteReport
from linkmask.errors import InputError
from linkmask.graph.linkage import Embed
from linkmask.pipeline.answers.questions import asked_questions
from linkmask.pipeline.edition_state import keep_state
from linkmask.pipeline.jobs.masking_job import MaskingJob
from linkmask.pipeline.linkage.background import public_texts
from linkmask.pipeline.linkage.certificate import BothTexts, not_measured, released_certificate
from linkmask.pipeline.linkage.embedding import sentence_model
from linkmask.pipeline.linkage.public_certificate import public_certificate
from linkmask.pipeline.planning import regulation
from linkmask.pipeline.reading import ByDocument
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.pipeline.release import (
    ReleaseLog,
    by_format,
    spellings,
    write_report,
    write_rows,
)
from linkmask.records import Audit, Finding, Plan, SetAside
from linkmask.redact import REVERSIBLE
from linkmask.report import stored_release
from linkmask.report.wording import why_rare
from linkmask.runs import editions
from linkmask.runs.file_names import LINKAGE, VAULT
from linkmask.runs.forgotten import is_forgotten
from linkmask.text.letters import spaced_words


class ReleaseJob(MaskingJob):
    """One command at work on one run and its corpus; made as its parent is."""

    def with_plan(self, plan: Plan, settings: Settings) -> ReleaseJob:
        """Return another job on this run and its corpus, which carries another plan out."""
        job = ReleaseJob(self.run, settings, self.source, self.progress)
        job.settings = settings  # as they were when the plan was made by them
        job.counted, job.analysis = self.counted, self.analysis
        job.demands = regulation.regulate(self.run, self.analysis.incidence, settings)
        job.chosen = plan
        return job

    def release(
        self, source: Path, out: Path, findings: Sequence[Finding], show_values: bool
    ) -> Audit:
        """Write what was checked, and report; documents, report and run come together."""
        self.rewrite()
        size, overlap = self.settings.chunk_size, self.settings.chunk_overlap
        beside = list[corpus.ChunkFile | corpus.RedactedFiles]()
        if size:
            beside.append(corpus.ChunkFile(size, overlap, self.run.path))
        if self.settings.redacted_pdf and isinstance(self.source, Corpus):
            files = self.source.files()
            beside.append(corpus.RedactedFiles(files, self.settings, self.run.path))
        with self.run.together(), ExitStack() as stack:
            with self.step("write"):
                outgoing, stage, written = self._stage(source, out, stack, beside)
            for one in beside:
                one.put(stage.path)
                written.set_aside += one.missing
                for item in one.missing:
                    outgoing.leave_out(item)
            stage.note(self._listed(written.set_aside))
            self._note_files(outgoing, written)
            self.note_edition(outgoing)
            audit = self._sum_up(findings, outgoing, written.leaking)
            self._report(stage.path, audit, show_values, outgoing.placed)
            self._keep_released(outgoing, written)
            self.run.release_shares(*stage.shares())
        return audit

    def _note_files(self, outgoing: ReleaseLog, written: WriteReport) -> None:
        """Note how what is released was written, and the files that are released whole."""
        released = outgoing.released
        released.records, released.outputs = written.digests, written.bytes
        if isinstance(self.source, Corpus):
            broken = {one.origin.file for one in outgoing.aside}
            digests = self.source.digests()
            whole = (name for name in released.documents if name not in broken)
            released.inputs = {name: digests[name] for name in whole if name in digests}

    def note_edition(self, outgoing: ReleaseLog) -> None:
        """Note in which states the files were read; an update also writes the run's ledger."""
        if isinstance(self.source, Corpus):
            editions.keep_stamps(self.run, self.source.stamps(outgoing.released.inputs))

    def sum_up(self, findings: Sequence[Finding]) -> Audit:
        """Return the audit of what `release` would write."""
        outgoing = self._outgoing()
        deque(outgoing.passing(self._documents(self._checked)), maxlen=0)
        return self._sum_up(findings, outgoing, ())

    def _outgoing(self) -> ReleaseLog:
        """Ready what goes along with the documents that are released."""
        plan, mentions = self.redaction(), None
        self._named = self.numbered(plan)
        if self.demands:
            documents = frozenset(self.run.documents())
            mentions = ByDocument(self.run.by_document(), documents)
        unnamed = partial(self._unnamed, plan=plan)
        measured = not self._not_measured()
        questions = [] if self.unchanged else asked_questions(self.settings, needed=False)
        indexes = self._words is not None and not self.index.documents
        return ReleaseLog(plan, unnamed, mentions, measured, questions, indexes)

    def _stage(
        self,
        source: Path,
        out: Path,
        stack: ExitStack,
        beside: Sequence[corpus.ChunkFile | corpus.RedactedFiles],
    ) -> tuple[ReleaseLog, StagedOutput, WriteReport]:
        """Write the documents beside what they are to replace.

        What can't be written back is set aside, and the rest is written once more: a message of a
        mailbox or a file of an archive alone, else the whole file.
        """
        read = self.source if isinstance(self.source, Corpus) else None
        while True:
            outgoing = self._outgoing()
            items = outgoing.passing(self._documents(self._checked or {}))
            for one in beside:
                items = one.passing(items)
            try:
                staging = corpus.stage_output(
                    source, out, items, self.settings,
                    overwrite=self.overwrite, ours=self.ours,
                    corpus=read, carried=self._carried,
                    holds=self.redaction().holds_masked_value,
                )  # fmt: skip
                return outgoing, *stack.enter_context(staging)
            except corpus.Unwritable as broken:
                self.counted.unwritable |= broken.files
                self.counted.unwritable_documents |= broken.documents

    def _sum_up(
        self, findings: Sequence[Finding], outgoing: ReleaseLog, leaking: Sequence[str]
    ) -> Audit:
        counts, released = outgoing.counts, outgoing.released
        counts["leaking"] = released.count_named(leaking, self._named)
        counts["repeated"] = len(self.source.repeated()) if isinstance(self.source, Corpus) else 0
        counts["parts"] = outgoing.parts_left_out()
        counts["forgotten"] = self._forgotten(released.originals.values())
        above = released.above_share.items()
        self.above_share = {self._named.get(name, name): share for name, share in above}
        self.linkage = self._measured(outgoing.texts)
        self.answers = self._answers_left(outgoing)
        return self.audit(
            findings,
            outgoing.aside,
            counts,
            leaking,
            sorted(released.excluded),
            by_format(released.documents, outgoing.aside),
        )

    def _answers_left(self, outgoing: ReleaseLog) -> dict[str, Any]:
        """Return what the release leaves of the answers to the user's questions, if there are any.

        An update reads changed files alone, so it can't tell.
        """
        if not self.settings.questions or self.unchanged:
            return {}
        held, plan = self.analysis.incidence, self.chosen
        assert plan is not None
        rows = zip(plan.masked.tolist(), plan.stage, strict=True)
        stages = {held.entities[n]: (held.types[held.type[n]], stage) for n, stage in rows}
        return outgoing.answers.figures(stages.__getitem__)

    def _forgotten(self, digests: Iterable[str]) -> int:
        """Return how many released documents, by digest, an earlier run has forgotten."""
        is_redacted = is_forgotten(self.run)
        return sum(map(is_redacted, digests)) if is_redacted else 0

    def _not_measured(self) -> str:
        """Say why nobody attacks the release; "" where somebody does."""
        if self.unchanged:
            return "an update reads changed files alone; `linkmask apply` measures the whole corpus"
        return not_measured(self.settings, self.analysis.incidence.n_documents)

    def _measured(self, texts: Mapping[str, BothTexts]) -> dict[str, Any]:
        """Return what attackers find in what is released, or why none was asked.

        What the likeliest to be right finds from each document is kept in the run.
        """
        why_not = self._not_measured() or not_measured(self.settings, len(texts))
        if why_not:
            if self.run.find(LINKAGE).exists():
                self.run.write_json(LINKAGE, {})
            return {"not_measured": why_not}
        with self.step("certify"):
            model = sentence_model(self.settings)
            arguments = self.analysis.incidence, self.settings.linking_limit
            embed = model.embed if model else None
            found = released_certificate(texts, *arguments, embed)
            names, kept = list(texts), {}
            by_text = found.by_text.tolist(), found.nearest.tolist(), found.others
            for name, sure, near, others in zip(texts, *by_text, strict=True):
                kept[name] = {
                    "probability": sure,
                    "nearest": names[near] if near >= 0 else None,
                    "others": {names[other]: likely for other, likely in others.items()},
                }
            self.run.write_json(LINKAGE, kept)
            found.stated["likeliest"] = [
                {
                    "documents": [self._named.get(names[n], names[n]) for n in pair[:2]],
                    "probability": round(pair.probability, 4),
                    "shared": dict(Counter(term.kind for term in pair.shared)),
                }
                for pair in found.pairs
            ]
            if self.settings.background:
                found.stated["public"] = self._found_in_public(list(texts.values()), embed)
            return found.stated

    def _found_in_public(self, texts: Sequence[BothTexts], embed: Embed | None) -> dict[str, Any]:
        """Return how often attackers find the public text of an original, or why that is not known.

        The texts were read when the run was made; they may be gone, or be others, when its plan is
        carried out.
        """
        try:
            public = public_texts(self.settings)
        except InputError as missing:
            return {"not_measured": str(missing)}
        return public_certificate(texts, public, embed)

    def _report(
        self, out: Path, audit: Audit, show_values: bool, placed: policy.MaskPlacement
    ) -> None:
        values = spellings(self.run, self.settings) if show_values else None
        risks = self.analysis.risk, self.chosen, self.after()
        write_report(out, audit, self._shown, *risks, values)
        if self.demands and self.chosen:
            arguments = self.analysis.incidence, self.chosen, placed
            rows = chain(
                policy.decisions(self.reasons(), *arguments, values),
                policy.rare_word_decisions(
                    why_rare(msgspec.structs.asdict(self.settings)), *arguments, self._named, values
                ),
            )
            write_rows(out / "decisions.jsonl", rows, private=show_values)

    def _keep_released(self, outgoing: ReleaseLog, written: WriteReport) -> None:
        """Keep in the run what was released, and what `unmask` needs."""
        arguments = self.analysis.incidence, self.redaction().plan, self.settings
        stored_release.store_released(self.run, *arguments, outgoing.released)
        if REVERSIBLE & regulation.styles(self.settings):
            self.run.write_vault(VAULT, outgoing.vault)
        self.run.note(leaking_names=written.leaking)
        if self._words is not None:
            index = outgoing.words.index() if outgoing.words else self.index
            keep_state(self.redaction(), self._words, self._languages or {}, index)

    def numbered(self, plan: Redaction) -> dict[str, str]:
        """Return what reports call the documents whose ids hold a masked value: their numbers."""
        aside = (one.document for one in self.counted.unread)
        names = *self.analysis.incidence.documents, *self._listing(), *aside
        plan.holds_masked_value.expect([*names, self.run.source.name])
        return {
            name: f"document {number}"
            for number, name in enumerate(self.analysis.incidence.documents, 1)
            if plan.holds_masked_value(spaced_words(name))
        }

    def _listing(self) -> Sequence[str]:
        """Return the names of the files of the input, in order."""
        return self.source.listed() if isinstance(self.source, Corpus) else ()

    def _unnamed(self, item: SetAside, plan: Redaction) -> SetAside:
        """Return a document set aside as reports show it: without a masked value in its id."""
        name = self._named.get(item.document, item.document)
        if plan.holds_masked_value(spaced_words(name)):  # set aside before it had a number
            name = "one whose id holds a masked value"
        return replace(item, document=name)

    def _listed(self, aside: Iterable[SetAside]) -> Iterator[tuple[SetAside, corpus.Place]]:
        """Yield what is set aside as OUT lists it: without a masked value in its id or file."""
        plan, listing = self.redaction(), self._listing()
        files = self.source.files() if isinstance(self.source, Corpus) else {}
        for item in aside:
            place, file = corpus.place_in_input(item.origin, files), item.origin.file
            if plan.holds_masked_value(spaced_words(file)):
                said = f"file {listing.index(file) + 1}" if file in listing else "a file"
                place["file"] = f"{said} of the input by name, which holds a value"
            yield self._unnamed(item, plan), place

    def _input_name(self) -> str:
        name = self.run.source.name
        if self.chosen is None:  # a scan masks nothing
            return name
        holds = self.redaction().holds_masked_value(spaced_words(name))
        return "an input whose name holds a value" if holds else name
