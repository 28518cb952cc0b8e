"""The method, a line per step: detect → graph → plan → redact → verify → report.

`mask` below is the method. Its steps are methods of a job, one command at work on one run: a
`Planner` scores and plans, a `MaskingJob` also detects, masks and checks, a `ReleaseJob` also
releases. Each step over a whole corpus has a folder or a file here; a folder's docstring lists its
files:

    jobs           one command at work on one run
    detection      documents → mentions, in two passes, or by a language model
    correcting     applies what persons said of entities to the mentions of a run
    values         the values of a run and of an earlier one, with all their spellings
    planning       mentions → risk → plan, with generalization and policies
    fixed_names    what masking never changes: keys of records, ids and names of files
    redaction      documents + plan → masked documents
    linkage        words that are no entity, but lead to other texts about a person
    checking       masked documents → findings
    release        masked documents → files, report, run
    edition_state  what a release keeps for the next; `word_index`: documents by their words
    editions       the next edition of a release
    batches        the steps on a cluster
    sql            links, risks and plan as SQL statements
    reading        reads the corpus again, beside what a run holds of each document
    progress       counts documents and reports progress

A document is masked once and kept until the release. What is released is what was checked. If a
check leads to another plan, the documents whose masks change are masked and checked again, at most
five times. So detection reads a text once before it is masked, and once in each check if it has a
mask.

What a step does to one document or one corpus in memory is in the folder of its name. These folders
do not import each other. If a step needs a function of another, it is passed in here.

    corpus      readers and writers, one for each format of files
    detect      recognizers (data by language and country), lexicon, tagger, other detectors
    graph       entities, links, chains and their risks, by the loops of `formulas`
    plan        solvers                                  policy       regulations, a table each
    redact      styles, surrogates, vault                verify       checks of the result
    report      the page, section by section             testbench    attacks, defences, measures

Entity types are data in `schema`. A detector, solver or style has its name in `choices` and its
function in its step. `adapters` connect linkmask to frameworks and engines of others.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkmask.pipeline.jobs.masking_job import MaskingJob
    from linkmask.pipeline.jobs.release_job import ReleaseJob
    from linkmask.records import Audit, Finding


def mask(
    job: ReleaseJob,
    source: Path,
    out: Path,
    mentions: Path | None = None,
    show_values: bool = False,
) -> Audit:
    """Do the whole method on a job's run, and release into OUT what is safe."""
    job.detect(mentions)
    job.score()
    findings = plan_and_check(job)
    return job.release(source, out, findings, show_values)


def plan_and_check(job: MaskingJob) -> list[Finding]:
    """Plan, mask and check the corpus; plan again as long as this repairs what a check finds."""
    while True:
        job.plan()
        job.redact()
        checked = job.check()
        if not job.may_improve(checked):
            return job.accept(checked)
        job.improve(checked)
