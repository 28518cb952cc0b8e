"""Lists what was masked: by type and stage, one by one, and what is proven of the number."""

from __future__ import annotations

from typing import Any

import numpy as np
from markupsafe import Markup

from linkmask.records import STAGES, Plan
from linkmask.report.audit import stages_shown
from linkmask.report.page.cells import (
    LISTED,
    CellTable,
    PageData,
    cut_note,
    entity_cells,
    entity_headings,
    type_cell,
)
from linkmask.report.pictures import bar
from linkmask.report.wording import STAGE_WORDS, count, risk


def masked(data: PageData) -> dict[str, Any] | None:
    """Masked entities by type and stage, one by one, and what is proven about their number."""
    if data.plan is None:
        return None
    settings = data.audit.settings
    scope = (
        "wherever they stand in the corpus"
        if settings["scope"] == "corpus"
        else "in the documents where they were found"
    )
    words = (
        f"Entities are masked {scope}, in style “{settings['style']}”"
        f"{' (some types have their own style)' if settings['styles'] else ''}. "
        "The floor and what is generalized come first, then what documents need, then what chains "
        "need; the rest is kept."
    )
    if decided := len(settings["always_mask"]):
        added = count(decided, "entity", "entities")
        words += (
            f" Of these, {added} are masked because somebody decided so (plan --mask), or an "
            "earlier run masked them (mask --keep-masked)."
        )
    rare = data.audit.masked["rare_words"]
    if rare["words"]:
        is_one = rare["words"] == 1
        words += (
            f" {rare['words']:,} of them {'is a rare word' if is_one else 'are rare words'} "
            f"(RARE_TERM, written [...]) and no {'value' if is_one else 'values'}. "
            f"The reason for {'it' if is_one else 'each word'}: {rare['why']}"
        )
    legend = [
        ("floor", "floor: always masked"),
        ("document", "for a document"),
        ("chain", "for a chain"),
        ("decided", "decided, or since an earlier release"),
        ("kept", "kept"),
    ]
    return {
        "words": words,
        "legend": legend,
        "types": _types(data),
        "entities": _entities(data, data.plan),
        "proof": proof(data.audit.masked["size"]),
    }


def _types(data: PageData) -> CellTable:
    by_type, kept = data.audit.masked["by_type"], data.audit.left["by_type"]
    stages = stages_shown(data.audit.masked)
    names = [*by_type, *(name for name in kept if name not in by_type)]
    table = {
        name: [*(by_type.get(name, {}).get(stage, 0) for stage in stages), kept.get(name, 0)]
        for name in names
    }
    names.sort(key=lambda name: (-sum(table[name]), name))
    most = max([1, *(sum(cells) for cells in table.values())])
    rows: list[list[Any]] = [
        [
            type_cell(name),
            Markup(bar(zip((*stages, "kept"), table[name], strict=True), most)),  # noqa: S704
            *(f"{n:,}" if n else "" for n in table[name]),
        ]
        for name in names
    ]
    total = [sum(column) for column in zip(*table.values(), strict=True)]
    rows.append(["all types", "", *(f"{n:,}" for n in total)])
    head = ["type", "", *stages, "kept"]
    return CellTable(
        "Entities by type and stage",
        head,
        rows,
        frozenset(range(2, len(head))),
        f"{STAGE_WORDS[:1].upper()}{STAGE_WORDS[1:]}.",
        picture=1,
        wide=True,
    )


def _entities(data: PageData, plan: Plan) -> CellTable:
    incidence = data.incidence
    stage = np.array([STAGES.index(name) for name in plan.stage], dtype=np.int8)
    order = np.lexsort((plan.masked, -np.round(plan.gain, 9), -stage))[:LISTED]
    rows = []
    for i in order.tolist():
        entity = int(plan.masked[i])
        rows.append(
            [
                *entity_cells(data, incidence.label(entity)),
                type_cell(incidence.types[incidence.type[entity]]),
                plan.stage[i],
                risk(float(plan.gain[i])),
                f"{plan.served[i]:,}",
                f"{incidence.frequency[entity]:,}",
            ]
        )
    head = [*entity_headings(data), "type", "stage", "gain", "served", "documents"]
    numbers = frozenset(range(len(head) - 3, len(head)))
    note = cut_note(
        LISTED, len(plan.masked), "masked entities, chain stage first, largest gain first"
    )
    return CellTable("Masked entities one by one", head, rows, numbers, note, closed=True)


def proof(size: Any) -> str:
    """Say what is known about how small the masked set could be."""
    masked, bound, solver = size["masked"], size["lower_bound"], size["solver"]
    if not masked:
        return "No chain was above its target after the document stage: none had to be masked."
    text = f"The chain stage masked {count(masked, 'entity', 'entities')}"
    if solver == "kept":
        return f"{text}, as the plan that was applied has it."
    text += f" (solver “{solver}”). "
    if size["proven"]:
        return text + (
            "That is proven minimal: given the floor and the document stage, no smaller set "
            "meets every chain's target."
        )
    if bound:
        spare = masked - bound
        return text + (
            f"Given the floor and the document stage, it is proven that at least {bound:,} are "
            f"needed, so at most {spare:,} ({spare / masked:.1%}) could have been spared."
        )
    return text + (
        "How far that is from the smallest set was not computed; solver “exact” proves it where "
        "each mask costs the same (cost “count”, no questions)."
    )
