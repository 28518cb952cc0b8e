"""A masked document beside the original, in the terminal, with colours by type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from linkmask.records import CONTENT, Masked, Mention, Replacement
from linkmask.report.wording import count, shown

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.text import Text

COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
"""A type's colour goes by its place among the types of the document, in alphabetical order."""

SIDE_BY_SIDE = 100
"""Columns from which before and after stand beside each other."""


def preview(masked: Masked, mentions: Iterable[Mention], width: int = 80) -> Group:
    """Show a document before and after. It holds values: for the terminal only.

    Masked spans are coloured on both sides; what was found and kept is underlined on the left.
    """
    from rich.columns import Columns
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    found = sorted(mentions, key=lambda mention: (mention.field, mention.start))
    types = sorted({m.type for m in found} | {one.type for one in masked.replacements})
    colour = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(types)}
    before, after = Text(), Text()
    texts = dict(masked.document.fields())
    touched = {one.field for one in masked.replacements} | {mention.field for mention in found}
    for name in [CONTENT, *sorted(touched - {CONTENT})]:
        if name not in texts:
            continue
        gone = [one for one in masked.replacements if one.field == name]
        kept = [mention for mention in found if mention.field == name]
        label = "" if name == CONTENT else f"\n{shown(name)}: "
        before.append(label, "dim").append_text(_before(texts[name], gone, kept, colour))
        after.append(label, "dim").append_text(_after(texts[name], gone, colour))
    half = (width - 1) // 2 if width >= SIDE_BY_SIDE else width
    panels: list[RenderableType] = [
        Panel(text, title=title, title_align="left", border_style="dim", width=half)
        for title, text in (("before", before), ("after", after))
    ]
    title = Text(shown(masked.document.id, 80), style="bold")
    title.append(f"  {count(len(masked.replacements), 'place')} masked", "dim")
    gone_types = sorted({one.type for one in masked.replacements})
    legend = Text("  ").join(Text(name, colour[name]) for name in gone_types)
    body = Columns(panels, padding=(0, 1)) if half < width else Group(*panels)
    return Group(title, legend, body)


def _before(
    text: str,
    gone: Sequence[Replacement],
    kept: Sequence[Mention],
    colour: dict[str, str],
) -> Text:
    from rich.text import Text

    whole = Text(shown(text))
    for mention in kept:
        covered = any(one.start < mention.end and mention.start < one.end for one in gone)
        if not covered:
            whole.stylize(f"underline {colour[mention.type]}", mention.start, mention.end)
    for one in gone:
        whole.stylize(f"reverse {colour[one.type]}", one.start, one.end)
    return whole


def _after(text: str, gone: Sequence[Replacement], colour: dict[str, str]) -> Text:
    from rich.text import Text

    whole, at = Text(), 0
    for one in gone:
        whole.append(shown(text[at : one.start]))
        whole.append(shown(one.text), f"bold {colour[one.type]}")
        at = one.end
    return whole.append(shown(text[at:]))
