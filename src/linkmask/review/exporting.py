"""Exports the decisions of a review as a configuration file for the next run."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from linkmask.choices import HERE
from linkmask.commands.decide import LIMITS
from linkmask.pipeline.correcting import subject
from linkmask.records import entity_id
from linkmask.report.wording import harmless_text
from linkmask.review.decisions import Decisions
from linkmask.review.stored_review import Decision

HEAD = (
    "# Decisions of a review. Private: it holds values, and ids that are hashes of values.",
    "# linkmask mask INPUT -o OUT --config THIS_FILE; linkmask plan RUN --config THIS_FILE",
)


def as_toml(decisions: Decisions) -> str:
    """Return the decisions, also those that are pending, as a configuration file.

    It names values by the ids that they have in every run with the same schema: hashes of the
    values, which can be guessed. Values that detection missed stand in it as they are written, each
    as a recognizer's; one that was marked in one document alone is looked for in that alone.
    """
    opened, settings, pending = decisions.opened, decisions.opened.settings, decisions.pending
    always = (set(settings.always_mask) - pending.keep - pending.lift) | pending.mask
    never = (set(settings.never_mask) - pending.mask - pending.lift) | pending.keep
    limits = {name: pending.limits.get(name, getattr(settings, name)) for name in LIMITS}
    lines = [*HEAD, "[plan]", *(f"{name} = {value!r}" for name, value in limits.items())]
    for name, ids in (("always_mask", always), ("never_mask", never)):
        lines.append(f"{name} = [")
        for entity in sorted(ids):
            number = opened.ids.get(entity)
            made = Decision("") if number is None else decisions.of(number)
            kind = "" if number is None else opened.type(number)
            lines.append(f'  "{entity}",{_why(kind, made)}')
        lines.append("]")
    lines += ["", "[graph.corrections]"]
    for key, correction in sorted(decisions.corrections.items()):
        number = opened.ids.get(subject(key))
        kind = "" if number is None else opened.type(number)
        made = decisions.kept.corrections.get(key, Decision(""))
        lines.append(f'"{key}" = "{correction}"{_why(kind, made)}')
    return "\n".join([*lines, "", *_recognizers(decisions)])


def _recognizers(decisions: Decisions) -> Iterator[str]:
    """Yield a recognizer for each type of values that were marked, and the document if in one."""
    separator = decisions.opened.settings.id_separator
    values: dict[tuple[str, str], set[str]] = {}
    for mention in decisions.opened.run.mentions():
        if mention.why.detector == "review":
            entity = entity_id(mention.value, mention.type, separator)
            only = mention.document if decisions.corrections.get(entity) == HERE else ""
            values.setdefault((mention.type, only), set()).add(" ".join(mention.original.split()))
    for number, ((kind, document), own) in enumerate(sorted(values.items()), 1):
        yield "[[recognizer]]"
        yield f'id = "review-{number}"'
        yield f'type = "{kind}"'
        yield 'source = "marked in a review"'
        if document:
            yield f"documents = [{_quoted(document)}]"
        yield f"values = [{', '.join(map(_quoted, sorted(own)))}]\n"


def _quoted(text: str) -> str:
    """Write a text as a basic string of TOML, whose escapes are those of JSON."""
    return (
        json.dumps(text, ensure_ascii=True)
        if text.isascii()
        else msgspec.json.encode(text).decode()
    )


def _why(kind: str, made: Decision) -> str:
    why = ", ".join(filter(None, (kind, made.reason, made.words, made.by, made.time)))
    return f"  # {harmless_text(why)}" if why else ""
