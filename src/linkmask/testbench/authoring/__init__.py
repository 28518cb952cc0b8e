"""Lets a language model write benchmark corpora (formulas.md §13), and checks them by rule.

A cluster is written in two stages (`stages`), from a brief drawn by the seed (`briefs`), and passes
the validator and checks of ours after each (`checks`). It is kept as soon as it is done (`folder`):
the same command goes on where one stopped. Options and answers being the same, so are the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkmask.config import Settings
from linkmask.llm import LanguageModel, Request
from linkmask.testbench.authoring.briefs import TOPIC, Brief, Order, avoid, briefs
from linkmask.testbench.authoring.folder import Folder
from linkmask.testbench.authoring.stages import VERSION, Asking, author, is_draft
from linkmask.testbench.generate import Generated

__all__ = ["TOPIC", "Authored", "Order", "write"]

Progress = Callable[[str, int, int], None]
"""Called with "author", how many clusters are through, and how many there are."""


@dataclass(frozen=True, slots=True)
class Authored:
    """The corpus as it is now.

    `refused`: discarded drafts by stage and check; `given_up`: clusters of which each draft failed.
    """

    written: Generated
    refused: dict[str, int]
    given_up: int


def write(
    out: Path,
    order: Order,
    model: LanguageModel,
    settings: Settings,
    *,
    checker: tuple[LanguageModel, str] | None = None,
    overwrite: bool = False,
    progress: Progress = lambda step, done, total: None,
) -> Authored:
    """Have a model write the clusters of an order that are not there yet.

    Args:
        settings: those of the model.
        checker: another model for the second stage, and its name.

    Raises:
        OutputError: the folder holds something else, or a corpus of another order.
        ModelError: the model can't be asked, or its budget is spent; finished clusters are kept,
            and the same call goes on.
    """
    plan = briefs(order)
    second, name = checker or (model, settings.llm_model)
    folder = Folder(out, order, (settings.llm_model, name), VERSION, overwrite)
    try:
        for first in range(0, order.clusters, order.at_once):
            wave = [brief for brief in plan[first : first + order.at_once] if not folder.has(brief)]
            progress("author", first, order.clusters)
            work = dict(_coroutines(wave, first, folder, order, settings))
            _together(model, second, work, folder)
        progress("author", order.clusters, order.clusters)
    finally:
        written = folder.truth(plan)
    return Authored(written, folder.refused(), order.clusters - written.persons)


def _coroutines(
    wave: list[Brief], first: int, folder: Folder, order: Order, settings: Settings
) -> Iterator[tuple[int, Asking]]:
    """Yield the work on each cluster of a wave; all know the clusters before the wave alone."""
    earlier = folder.before(first) if wave else []
    for brief in wave:
        yield (
            brief.number,
            author(
                brief,
                earlier,
                folder.refusals(brief.number),
                folder.noting(brief.number),
                avoid=avoid(earlier),
                strict=order.strict,
                attempts=order.attempts,
                most=settings.llm_max_tokens,
            ),
        )


def _together(
    first: LanguageModel, second: LanguageModel, work: dict[int, Asking], folder: Folder
) -> None:
    """Drive coroutines side by side: a round asks what each of them needs next."""
    sent: dict[int, Any] = dict.fromkeys(work)
    while sent:
        asked: dict[int, Request] = {}
        for number, answer in sent.items():
            try:
                asked[number] = work[number].send(answer)
            except StopIteration as done:
                if done.value is not None:
                    folder.keep(number, done.value)
        sent = {}
        for model, drafts in ((first, True), (second, False)):
            mine = {n: request for n, request in asked.items() if is_draft(request) is drafts}
            sent |= zip(mine, model.ask_all(mine.values()), strict=True)
        sent = {number: sent[number] for number in asked}
