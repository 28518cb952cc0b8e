"""Makes a cluster in two stages: it is written, then its entities and questions are checked.

`author` is a coroutine: it yields what it asks a model and is sent the answers, so that several
clusters can be under way at once. Any check that fails, after any stage, discards the draft; the
next one is told what was wrong with those before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from linkmask.errors import BadAnswer, ModelError, Refused
from linkmask.llm import ModelAnswer, Request
from linkmask.llm.delimiters import mark_for
from linkmask.testbench.authoring.briefs import LANGUAGE, TYPES, Avoid, Brief
from linkmask.testbench.authoring.checks import wrong
from linkmask.testbench.validate import FORMATS, PROFILES

VERSION = "1"
"""Version of the prompts: another one asks anew."""

FREELY, CAREFULLY = 1.2, 0.1
"""Temperatures of writing and of checking (formulas.md §13.4–13.5)."""

SHOWN_COMPLAINTS = 6
"""Refusals that a new draft is told of, the latest."""

Record = dict[str, Any]
Asking = Generator[Request, ModelAnswer | ModelError, Any]
"""A coroutine that yields requests, is sent their answers, and returns a result."""


class Refusal(NamedTuple):
    """Why a draft was discarded: the stage it failed after, and the complaints; no values."""

    stage: str
    complaints: list[str]


class RejectedDraft(Exception):  # noqa: N818 - named for what the draft is
    """A draft is discarded."""

    def __init__(self, stage: str, complaints: Sequence[str]) -> None:
        super().__init__(stage)
        self.refusal = Refusal(stage, list(complaints))


def author(
    brief: Brief,
    earlier: Sequence[Record],
    refused: Sequence[Refusal],
    note: Callable[[Refusal], None],
    *,
    avoid: Avoid,
    strict: bool,
    attempts: int,
    most: int,
) -> Asking:
    """Write a cluster; return its record, or None when the last attempt failed.

    Args:
        earlier: clusters it must not repeat; what the model is shown of them is `avoid`.
        refused: drafts of this cluster that were discarded before.
        note: told of each refusal as it comes.
        most: tokens of an answer.

    Raises:
        ModelError: the model can't be asked; another draft would not help.
    """
    problems = list(refused)
    while len(problems) < attempts:
        try:
            record = yield from _draft(brief, avoid, problems, most)
            _pass(record, brief, "draft", earlier, strict)
            yield from _entities(record, brief, len(problems), most)
            _pass(record, brief, "entities", earlier, strict)
            yield from _questions(record, len(problems), most)
            _pass(record, brief, "questions", earlier, strict)
            return record
        except RejectedDraft as unfit:
            problems.append(unfit.refusal)
            note(unfit.refusal)
    return None


def _pass(
    record: Record, brief: Brief, stage: str, earlier: Sequence[Record], strict: bool
) -> None:
    if found := wrong(record, brief, stage, earlier, strict):
        raise RejectedDraft(stage, found)


def _answer_to(stage: str, request: Request) -> Asking:
    """Ask; a bad or refused answer discards the draft, any other failure ends the work."""
    answer = yield request
    if isinstance(answer, BadAnswer | Refused):
        raise RejectedDraft(stage, [f"answer: {answer}"])
    if isinstance(answer, ModelError):
        raise answer
    return answer.value


# ── the stages ──────────────────────────────────────────────────────────────────────────────────


def _draft(brief: Brief, avoid: Avoid, refused: Sequence[Refusal], most: int) -> Asking:
    """Stage 1: documents, person and questions at once."""
    told = [line for one in refused[-SHOWN_COMPLAINTS:] for line in one.complaints]
    lines = [f"Draft {len(refused) + 1}. Earlier drafts were discarded, since:", *told]
    user = _prompt("draft-user").format(
        id=brief.id,
        risk=brief.risk,
        topic=brief.topic,
        language=LANGUAGE[brief.language],
        documents=brief.documents,
        formats=", ".join(brief.formats),
        allowed=", ".join(brief.allowed),
        forbidden=", ".join(name for name in TYPES if name not in brief.allowed) or "none",
        start="; ".join(brief.start),
        avoid=avoid.as_lines(),
        refused="\n- ".join(lines) if refused else "",
    )
    messages = (("system", _prompt("draft")), ("user", user.rstrip()))
    value = yield from _answer_to("draft", _request("draft", messages, CLUSTER, most, FREELY))
    return _record(value, brief)


def _record(value: Any, brief: Brief) -> Record:
    """Return a cluster's file from what the model wrote; what was ordered is filled in here."""
    documents = [
        {"id": d["id"], "content": d["content"], "metadata": {"format": d["format"]}}
        for d in value["documents"]
    ]
    metadata = {
        "category": "cluster",
        "cluster_id": brief.id,
        "cluster_risk": brief.risk,
        "content_summary": value["summary"],
        "person": {"entities": value["entities"]},
        "questions": value["questions"],
    }
    return {"documents": documents, "metadata": metadata}


def _entities(record: Record, brief: Brief, attempt: int, most: int) -> Asking:
    """Stage 2, first half: the person's entities, corrected."""
    profile = PROFILES[brief.risk]
    rule = (
        f"{profile.entities[0]} to {profile.entities[1]} entities; the share that stands in two "
        f"documents or more lies between {profile.overlap[0]} and {profile.overlap[1]}"
    )
    person = record["metadata"]["person"]
    user = _prompt_of_stage("entities", record, person, attempt, risk=brief.risk, profile=rule,
                  allowed=", ".join(brief.allowed))  # fmt: skip
    request = _request("entities", (("user", user),), ENTITIES, most, CAREFULLY)
    value = yield from _answer_to("entities", request)
    person["entities"] = value["entities"]


def _questions(record: Record, attempt: int, most: int) -> Asking:
    """Stage 2, second half: the questions, audited; each keeps its type and one or many sources."""
    before = record["metadata"]["questions"]
    user = _prompt_of_stage("questions", record, {"questions": before}, attempt)
    request = _request("questions", (("user", user),), QUESTIONS, most, CAREFULLY)
    value = yield from _answer_to("questions", request)
    after = value["questions"]
    kinds = [[(q["type"], len(q["sources"]) > 1) for q in of] for of in (before, after)]
    if kinds[0] != kinds[1]:
        raise RejectedDraft(
            "questions", ["audit: it changed a question's type or its one or many sources"]
        )
    record["metadata"]["questions"] = after


def _prompt_of_stage(name: str, record: Record, so_far: Any, attempt: int, **fields: str) -> str:
    """Return a prompt of stage 2: the documents and what there is so far, between marks."""
    documents = [{"id": d["id"], "content": d["content"]} for d in record["documents"]]
    text = json.dumps({"documents": documents, **so_far}, ensure_ascii=False, indent=1)
    again = f"Draft {attempt + 1}." if attempt else ""
    filled = _prompt(name).format(mark=mark_for(text), text=text, refused=again, **fields)
    return filled.rstrip()


# ── what answers look like ──────────────────────────────────────────────────────────────────────


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(of: Any) -> dict[str, Any]:
    return {"type": "array", "items": of}


TEXT = {"type": "string"}
_LISTED = _list({"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2})
_DOCUMENT = _object(id=TEXT, format={"type": "string", "enum": list(FORMATS)}, content=TEXT)
_KIND = {"type": "string", "enum": ["specific", "general"]}
_ASKED = _list(_object(q=TEXT, a=TEXT, sources=_list(TEXT), type=_KIND))

CLUSTER = _object(documents=_list(_DOCUMENT), summary=TEXT, entities=_LISTED, questions=_ASKED)
ENTITIES = _object(entities=_LISTED)
QUESTIONS = _object(questions=_ASKED)


def _request(
    name: str,
    messages: tuple[tuple[str, str], ...],
    form: dict[str, Any],
    most: int,
    temperature: float,
) -> Request:
    return Request(messages, form, f"author-{name}/{VERSION}", most, temperature)


def is_draft(request: Request) -> bool:
    """Return whether a request is one of the first stage."""
    return request.name == f"author-draft/{VERSION}"


@cache
def _prompt(name: str) -> str:
    return (Path(__file__).parent / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
