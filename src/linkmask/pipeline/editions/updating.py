"""Updates a release: scores, plans and records the next edition, given all editions before it.

Which documents are detected in is in `redetection`, and which are masked anew in
`edition_redaction`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.errors import RunError, UsageError
from linkmask.pipeline.editions.edition_redaction import EditionRedaction
from linkmask.pipeline.editions.recounting import recount_effect, without_values
from linkmask.pipeline.editions.reused_files import Carrying, digests_of
from linkmask.pipeline.editions.riskier import riskier
from linkmask.pipeline.editions.union_exposure import (
    EditionUnion,
    UnionExcess,
    edition_union,
    shown_by,
    shown_only_before,
    union_excess,
)
from linkmask.pipeline.linkage.common_words import count_common_words
from linkmask.pipeline.linkage.readable_words import Hashes
from linkmask.pipeline.planning.scoring import incidence_grown, incidence_of, overrule
from linkmask.pipeline.reading import with_mentions
from linkmask.pipeline.release import ReleaseLog
from linkmask.records import Incidence, SetAside
from linkmask.records.ids import texts_at
from linkmask.redact.tokens import read_tokens, seal_tokens
from linkmask.report import stored_plan, stored_release
from linkmask.runs import Run, editions
from linkmask.runs.file_names import RELEASED

Confirm = Callable[[Mapping[str, Any]], bool]
"""Is shown the effect of counting anew, and tells whether to go on."""


class Update(EditionRedaction):
    """A job on the next edition of a run; made as its parent is."""

    confirm: Confirm | None = None
    """Where frequencies are to be counted anew, and pinned so: is shown what that changes
    (`recount_effect`) before anything is masked. If it returns False, nothing is released."""
    effect: dict[str, Any] | None = None
    """What counting anew changes, once it was confirmed."""
    riskier: Sequence[str] = ()
    """Ids of the released documents that became riskier by what is new."""
    readers: EditionUnion
    excess = UnionExcess()

    @property
    def recount(self) -> bool:
        """Whether frequencies are counted anew."""
        return self.confirm is not None

    # ── detection ───────────────────────────────────────────────────────────────────────────────

    def _common_words(self) -> Hashes:
        """Return the words that are not rare, as they were counted or are counted anew."""
        if not self.recount:
            return super()._common_words()
        every = with_mentions(self.whole, self.run, "mentions", self.counted)
        return count_common_words((x for x in every if not isinstance(x, SetAside)), self.settings)

    # ── scores ──────────────────────────────────────────────────────────────────────────────────

    def score(self) -> None:
        """Score under the counts that were pinned, or count anew."""
        pins = editions.pinned_by(self.before)
        if self.recount:
            editions.drop_pins(self.run)
        elif pins is not None:
            editions.keep_pins(self.run, pins)
        super().score()
        self.values = self.values_now()
        if self.recount and pins is not None and self.effect is None:
            self.effect = self._confirmed(pins)

    def _grown_incidence(self) -> Incidence | None:
        with self.step("score"):
            return incidence_grown(self.run, self.before, self.settings, self.counted)

    def _confirmed(self, pins: editions.Counts) -> dict[str, Any]:
        """Return what counting anew changes, when somebody who was shown it wants it done."""
        arguments = self.run, self.analysis, pins, self.settings, self.demands, self.held
        effect = recount_effect(*arguments)
        if self.confirm is not None and not self.confirm(effect):
            raise UsageError("not confirmed: nothing was released, no count was changed")
        return effect

    def plan(self) -> None:
        """Choose what to mask, beside what an earlier edition masked."""
        super().plan()
        self._hide_from_readers()
        self.compare(self.held, "release")
        masked = stored_plan.masked_ids(self.released)
        self.riskier = riskier(self.analysis, self.settings, masked, self.difference.fresh)

    def _hide_from_readers(self) -> None:
        """Mask beside the plan what those who kept earlier editions must not learn from this one.

        Where a document changed, or is gone, what it showed is known from the last scores.
        """
        assert self.chosen is not None
        released = self.digests.keys()
        stayed = released & set(self.analysis.incidence.documents) - self.difference.fresh
        extra = editions.shown_of(self.before)
        if gone := released - stayed:
            last = incidence_of(self.before, self.settings)
            extra = extra.union(shown_by(last, stored_plan.masked_ids(self.released), gone))
        self.readers = edition_union(
            self.analysis.incidence, stayed, self.held, extra, self.settings.entity_types.weights
        )
        self.excess = union_excess(self.readers, self.settings, self.chosen)
        if self.excess.masked:
            arguments = self.run, self.analysis, self.settings, self.chosen
            self.chosen = overrule(*arguments, self.excess.masked, ())
            self.keep()

    def _listing(self) -> Sequence[str]:
        return self.whole.listed()

    # ── the ledger ──────────────────────────────────────────────────────────────────────────────

    def note_edition(self, outgoing: ReleaseLog) -> None:
        """Note the edition in the ledger; where nothing differs from the last one there is none."""
        assert self.chosen is not None and self._carried is not None
        stays = Carrying(self.released, self.settings, self._carried.files)
        stays.into(outgoing, self.difference.files, self._named, self.before)
        incidence, released = self.analysis.incidence, outgoing.released
        ids = set(incidence.entities)
        masked = set(texts_at(incidence.entities, self.chosen.masked))
        now = digests_of({"documents": released.documents, "records": released.records})
        rows = list(self.ledger.editions)
        if self.digests != now or released.originals != self.released["originals"] or self.recount:
            rows.append(self._edition(rows[-1].number + 1, now, len(self.chosen.masked)))
        self.editions = rows
        self.ledger.editions = rows
        ledger = self.ledger.with_release(masked, self.redaction().coarse).restricted_to(ids)
        flags = np.zeros(self.readers.incidence.n_entities, np.bool_)
        flags[self.chosen.masked] = True
        shown = shown_only_before(self.readers, flags, now.keys())
        editions.note_editions(self.run, ledger, shown)
        stamps = self.whole.stamps(released.inputs) | self._carried.stamps
        editions.keep_stamps(self.run, stamps)
        self.changed = {**self.changed, **self._changes(now)}
        self._drop_codes(ids)

    def _edition(self, number: int, now: Mapping[str, str], masked: int) -> editions.Edition:
        """Return the row of this edition, given the digests of the documents it releases."""
        before, diff = self.digests, self.difference
        stayed = now.keys() & before.keys() - diff.fresh
        return editions.Edition(
            number,
            editions.now(),
            len(now),
            added=len(diff.added & now.keys()),
            changed=len(diff.changed & now.keys()),
            deleted=len(before.keys() - now.keys()),
            rewritten=sum(now[name] != before[name] for name in stayed),
            masked=masked,
            recounted=self.recount,
            riskier=len(self.riskier),
        )

    def _changes(self, now: Mapping[str, str]) -> dict[str, Any]:
        """Return what the audit says of this edition and its readers."""
        return {
            **({"recount": without_values(self.effect)} if self.effect else {}),
            **({"all_again": True} if self.previous is None else {}),
            "readers": {
                "masked": len(self.excess.masked),
                "documents": self.excess.documents,
                "chains": self.excess.chains,
            },
            "riskier": [
                {
                    "document": self._named.get(name, name),
                    "rewritten": now.get(name) != self.digests.get(name),
                }
                for name in self.riskier
            ],
        }

    def _drop_codes(self, ids: set[str]) -> None:
        """Drop the random codes of values that the corpus no longer holds."""
        key = self.redaction().key
        if key and self.run.tokens_path.exists():
            codes = read_tokens(self.run.tokens_path, key)
            kept = {entity: code for entity, code in codes.items() if entity in ids}
            if len(kept) < len(codes):
                self.run.write("tokens", [seal_tokens(key, kept)])


def updatable(before: Run, settings: Settings) -> Mapping[str, Any]:
    """Return what a run released last, if it can be updated.

    Raises:
        RunError: it has released nothing, its mentions were given or found by a language model,
            or a language model writes its documents.
    """
    again = "mask the corpus anew, with --keep-masked and this run"
    if not (before.path / RELEASED).exists():
        raise RunError(f"{before.path} has released nothing: mask or apply it first")
    if not before.has("stage1") or settings.detection.prompted:
        raise RunError(f"the mentions of {before.path} were given or found by a model: {again}")
    if settings.style == "rewrite" or settings.policy_model:
        raise RunError(f"a model writes or checks the documents of {before.path}: {again}")
    released = stored_release.last_release(before)
    if released["documents"] and not released.get("originals"):
        raise RunError(f"{before.path} is of a version that kept no digests of documents: {again}")
    return released
