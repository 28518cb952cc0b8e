"""Shows a masked document beside the original in the terminal, with colours by type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

from linkmask.records import CONTENT, Masked, Mention, Replacement
from linkmask.report.wording import count, harmless_text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text

COLOURS = (
    ("cyan", "black on cyan"),
    ("magenta", "white on magenta"),
    ("yellow", "black on yellow"),
    ("green", "black on green"),
    ("blue", "white on blue"),
    ("red", "white on red"),
)
"""As text and as ground. A type's colour goes by its name: the same in every document."""

SIDE_BY_SIDE = 100
"""Columns from which before and after stand beside each other."""

MOST = 4000
"""Characters of a field that are shown."""


def preview(masked: Masked, mentions: Iterable[Mention]) -> Preview:
    """Return a document before and after, to be printed. It holds values: for the terminal only.

    Masked spans are coloured on both sides; what was found and kept is underlined before.
    """
    return Preview(masked, sorted(mentions, key=lambda mention: (mention.field, mention.start)))


@dataclass(frozen=True, slots=True)
class Preview:
    """What `preview` returns: printed by rich, beside each other where there is room."""

    masked: Masked
    mentions: Sequence[Mention]

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        from rich.columns import Columns
        from rich.panel import Panel
        from rich.text import Text

        gone = self.masked.replacements
        kept = [one for one in self.mentions if not _covered(one, gone)]
        title = Text(harmless_text(self.masked.id, 80), style="bold")
        yield title.append(f"  {count(len(gone), 'place')} masked", "not bold dim")
        legend = [Text(name, f"bold {_colour(name)[0]}") for name in sorted({o.type for o in gone})]
        if kept:
            legend.append(Text("underlined: found and left readable", "dim underline"))
        yield Text("  ").join(legend)
        wide = options.max_width
        half = (wide - 1) // 2 if wide >= SIDE_BY_SIDE else wide
        panels = [
            Panel(text, title=name, title_align="left", border_style="dim", width=half)
            for name, text in zip(("before", "after"), self._texts(kept), strict=True)
        ]
        if half < wide:
            yield Columns(panels, padding=(0, 1))
        else:
            yield from panels
        yield ""

    def _texts(self, kept: Sequence[Mention]) -> tuple[Text, Text]:
        from rich.text import Text

        before, after = Text(), Text()
        texts = dict(self.masked.original.fields())
        touched = {one.field for one in self.masked.replacements} | {one.field for one in kept}
        for name in [CONTENT, *sorted((touched & set(texts)) - {CONTENT})]:
            text = texts[name]
            gone = [one for one in self.masked.replacements if one.field == name]
            end = min([len(text), *(one.start for one in gone if one.end > MOST), MOST])
            gone = [one for one in gone if one.end <= end]
            spans = [(one.start, one.end, one.type) for one in kept if one.field == name]
            label = "" if name == CONTENT else f"\n{harmless_text(name, 60)}: "
            rest = f"… {len(text) - end:,} more characters" if end < len(text) else ""
            for whole, part in (
                (before, _before(text[:end], gone, spans)),
                (after, _after(text[:end], gone)),
            ):
                whole.append(label, "dim").append_text(part).append(rest, "dim")
        return before, after


def _colour(name: str) -> tuple[str, str]:
    return COLOURS[crc32(name.encode()) % len(COLOURS)]


def _covered(mention: Mention, gone: Sequence[Replacement]) -> bool:
    return any(
        one.field == mention.field and one.start < mention.end and mention.start < one.end
        for one in gone
    )


def _before(
    text: str,
    gone: Sequence[Replacement],
    kept: Sequence[tuple[int, int, str]],
) -> Text:
    from rich.text import Text

    whole = Text(harmless_text(text))
    for start, end, name in kept:
        whole.stylize(f"underline {_colour(name)[0]}", start, end)
    for one in gone:
        whole.stylize(_colour(one.type)[1], one.start, one.end)
    return whole


def _after(text: str, gone: Sequence[Replacement]) -> Text:
    from rich.text import Text

    whole, at = Text(), 0
    for one in gone:
        whole.append(harmless_text(text[at : one.start]))
        whole.append(harmless_text(one.text), f"bold {_colour(one.type)[0]}")
        at = one.end
    return whole.append(harmless_text(text[at:]))
