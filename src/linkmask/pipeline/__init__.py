"""The method, a line per step: detect → graph → plan → redact → verify → report.

`mask` below is the method. Its steps are methods of a job, one command at work on one run: a
`Planner` scores and plans, a `MaskingJob` also detects, masks and checks, a `ReleaseJob` also
releases. This folder holds what is done to a whole corpus on disk; a folder's docstring lists its
files:

    jobs           one command at work on one run
    detection      documents → mentions, in two passes, or by a language model
    correcting     applies what persons said of entities to the mentions of a run
    values         the values of a run and of an earlier one, with all their spellings
    planning       mentions → risk → plan, with generalization and policies
    fixed_names    what masking never changes: keys of records, ids and names of files
    answers        what questions ask for, and what is left of the answers
    redaction      documents + plan → masked documents
    linkage        the linker: masks rare words, and measures what can still be linked
    checking       masked documents → findings
    release        masked documents → files, report, run
    edition_state  what a release keeps for the next one
    word_index     which documents hold a word
    editions       the next edition of a release
    batches        the steps on a cluster
    sql            links, risks and plan as SQL statements
    reading        reads the corpus again, beside what a run holds of each document
    progress       counts documents and reports progress

A document is masked once and kept until the release. What is released is what was checked. If a
check leads to another plan, the documents whose masks change are masked and checked again, at most
five times. Detection reads each text once before it is masked, and each check reads masked texts
again.

The folders beside this one hold what is done in memory, to one document or to one corpus. They do
not import each other. If one of them needs a function of another, the pipeline passes it as an
argument.

    corpus      readers and writers, one for each format of files
    detect      recognizers (data by language and country), lexicon, tagger; `other_detectors`
    graph       entities, links and chains               formulas     their risks (`risks.py`)
    plan        solvers                                  policy       regulations, a table each
    redact      styles, surrogates, vault                verify       checks of the result
    report      the page, section by section             testbench    attacks, defences, measures

Entity types are data in `schema`, a file for each schema. A detector, solver or style has its name
in `choices` and its function in its folder. `adapters` connect linkmask to frameworks, such as
LangChain and Spark.
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
