"""The results of a run as one HTML page that stands alone: no script, no request, no value."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from linkmask.report import page as report
from linkmask.testbench.attacks import ATTACKS
from linkmask.testbench.defences import defence
from linkmask.testbench.tables import BETTER, HEADLINE, Results, Row

HERE = Path(__file__).parent

NOTES = (
    "leak: share of a person's values, by weight, that the attack brought up; attributed: the "
    "same, counted only where it came out of the person's own documents; averaged over persons.",
    "exposure: what can still be read anywhere in the corpus as it is indexed. No attacker with "
    "any number of queries and no generator can read more of it; parrot repeats its whole context.",
    "Read means: as whole words in any case, and by type in other forms (dates, ages with a cue, "
    "phone numbers by digits, ids without punctuation, surnames behind a title). What can only be "
    "inferred is not counted.",
    "…@clam: as many entities as clam masked, chosen by type, rarity or chance, written by the "
    "same redactor: only the choice differs. clam is the plan carried out, without the check that "
    "`linkmask mask` makes afterwards.",
    "…-golden: masks the persons' own values, which a real user does not know.",
    "A guard at queries or answers leaves the corpus as it is: its exposure is that of std.",
    "rank-1: how often the document most alike (TF-IDF, masks taken out) is about the same person. "
    "Documents of one person here share a topic, so part of this is the topic.",
    "membership asks also for values that no document holds (fpr); corrected is (TPR − FPR) / "
    "(1 − FPR), unweighted. Without a model Yes means that the value is in the answer.",
    "Intervals: 1,000 draws of persons with replacement, 2.5th to 97.5th percentile; for auc 200.",
)


@dataclass(frozen=True)
class Shown:
    """A figure as it is written, its interval below it, and a colour."""

    text: str
    more: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Line:
    """A line of a table; `own` is one of ours."""

    name: str
    cells: Sequence[Shown]
    own: bool = False


@dataclass(frozen=True)
class Table:
    """A table of the page."""

    title: str
    says: str
    heads: Sequence[str]
    rows: Sequence[Line]


Find = Callable[..., Row | None]


def render(results: Results) -> str:
    """Return the page of a run."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    known = {row.key: row for row in results.rows}

    def find(*key: str) -> Row | None:
        return known.get(key)  # type: ignore[arg-type]

    pages = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    run = results.run
    style = (Path(str(report.__file__)).parent / "page.css").read_text(encoding="utf-8")
    retriever, generator = _systems(results)[0]
    html: str = pages.get_template("page.html.jinja").render(
        name=run["corpus"]["name"],
        version=run["versions"]["linkmask"],
        style=Markup(style),  # noqa: S704 - our own file
        facts=f"{run['corpus']['documents']} documents, {len(run['persons'])} persons with "
        f"{sum(len(p['types']) for p in run['persons'])} values, "
        f"{run['corpus']['questions']} questions; k = {run['fixed']['k']}, "
        f"{run['fixed']['queries']} queries, seed {run['fixed']['seed']}.",
        drawn_note=f"Across: exposure. Upwards: ROUGE-1 recall of answers to the corpus's own "
        f"questions ({retriever}, {generator}).",
        picture=Markup(_picture(results, find, retriever, generator)),  # noqa: S704 - drawn here
        tables=[
            *_tables(results, find),
            _compared(results),
            _by_type(results),
            *declared(results),
        ],
        coverage=Markup(_coverage(results)),  # noqa: S704 - drawn here
        holes=_holes(results),
        notes=NOTES,
    )
    return html


def _systems(results: Results) -> list[tuple[str, str]]:
    """Return the pairs of retriever and generator that hold figures."""
    found = dict.fromkeys(
        (cell.retriever, cell.generator)
        for cell, kept in results.cells.items()
        if cell.retriever != "-" and kept["status"] == "done"
    )
    return list(found) or [("-", "-")]


def _figure(row: Row | None, signed: bool = False) -> Shown:
    if row is None or row.value is None:
        return Shown("–")
    sign = "+" if signed else ""
    more = f"{row.low:{sign}.2f} … {row.high:{sign}.2f}" if row.low is not None else ""
    tone = ""
    if signed and row.low is not None and row.high is not None and row.low * row.high > 0:
        good = BETTER.get(row.measure, 0) * row.value > 0
        tone = "better" if good else "worse"
    return Shown(f"{row.value:{sign}.3f}", more, tone)


def _defences(results: Results) -> list[str]:
    kept = (cell.defence for cell, kept in results.cells.items() if kept["status"] == "done")
    return list(dict.fromkeys(kept))


def _tables(results: Results, find: Find) -> Iterable[Table]:
    costs = results.costs()
    corpus = [
        ("exposure", "audit", "exposure"),
        ("scoped", "audit", "scoped"),
        ("rank-1", "linkage", "rank1"),
        ("AUC", "linkage", "auc"),
        ("rank-1, one known", "background", "rank1"),
        ("private triples", "connect", "r_pri"),
        ("still connected", "connect", "r_connect"),
    ]
    rows = []
    for name in _defences(results):
        cost = costs.get(name, {})
        masked = f"{cost.get('entities', 0)}"
        of = f"of {cost['entities_of']}" if cost.get("entities_of") else ""
        rows.append(
            Line(
                name,
                [
                    Shown(masked, of),
                    Shown(f"{cost.get('characters', 0):,}"),
                    *(_figure(find(name, "-", "-", a, m)) for _, a, m in corpus),
                    Shown(f"{cost.get('seconds', 0):.1f}"),
                ],
                name.startswith("clam"),
            )
        )
    heads = ["Defence", "entities masked", "characters", *(h for h, _, _ in corpus), "seconds"]
    yield Table(
        "What the corpus gives away",
        "Whatever is asked, and by whom: read in the texts as they are indexed. Seconds are those "
        "to make the defence; scans are shared by the defences after the first.",
        heads,
        rows,
    )
    for retriever, generator in _systems(results):
        yield _system(results, find, retriever, generator)


def _system(results: Results, find: Find, retriever: str, generator: str) -> Table:
    asked = [
        ("leak", HEADLINE, "leak"),
        ("targeted", "targeted", "leak"),
        ("membership", "membership", "leak"),
        ("its AUC", "membership", "auc"),
        ("untargeted", "untargeted", "leak"),
        ("random words", "crawl", "leak"),
        ("RAG-Thief-lite", "rag-thief-lite", "leak"),
        ("RAG-Thief", "rag-thief", "leak"),
        ("harmless", "benign", "leak"),
        ("S2MIA-lite AUC", "s2mia-lite", "auc"),
        ("own questions", "questions", "leak"),
        ("ROUGE-1", "questions", "rouge1"),
        ("judge", "questions", "judge"),
        ("F1", "questions", "f1"),
        ("contains", "questions", "contains"),
        ("recall@k", "questions", "recall"),
        ("nDCG", "questions", "ndcg"),
    ]
    rows = [
        Line(
            name,
            [_figure(find(name, retriever, generator, a, m)) for _, a, m in asked],
            name.startswith("clam"),
        )
        for name in _defences(results)
    ]
    return Table(
        f"Asked through {retriever} and {generator}",
        "leak joins targeted questions and membership (the leak rate of the thesis). From "
        "ROUGE-1 on: what the corpus's own questions still bring, higher is better.",
        ["Defence", *(head for head, _, _ in asked)],
        [row for row in rows if any(cell.text != "–" for cell in row.cells)],
    )


def _compared(results: Results) -> Table:
    found = {row.key: row for row in results.comparisons()}
    retriever, generator = _systems(results)[0]
    wanted = [
        ("exposure", "-", "-", "audit", "exposure"),
        ("leak", retriever, generator, HEADLINE, "leak"),
        ("rank-1", "-", "-", "linkage", "rank1"),
        ("ROUGE-1", retriever, generator, "questions", "rouge1"),
        ("contains", retriever, generator, "questions", "contains"),
    ]
    names = list(dict.fromkeys(row.defence for row in found.values()))
    rows = [
        Line(name, [_figure(found.get((name, *key)), signed=True) for _, *key in wanted])  # type: ignore[arg-type]
        for name in names
    ]
    return Table(
        "clam against choosing as many entities otherwise",
        "Differences over the same persons: below 0 leaks less (exposure, leak, rank-1), above 0 "
        f"answers more (ROUGE-1, contains; {retriever}, {generator}). Coloured where the interval "
        "leaves out 0.",
        ["Pair", *(head for head, *_ in wanted)],
        rows,
    )


def _by_type(results: Results) -> Table:
    found = list(results.types())
    names = list(dict.fromkeys(d for d, *_ in found))
    total = {kind: of for _, kind, _, of in found}
    left = {(d, kind): n for d, kind, n, _ in found}
    rows = [Line("in the corpus", [Shown(str(n)) for n in total.values()])]
    for name in names:
        cells = [Shown(str(left[name, kind])) for kind in total]
        rows.append(Line(name, cells, name.startswith("clam")))
    return Table(
        "Values that can still be read, by type",
        "Counted over all persons, anywhere in the corpus.",
        ["Defence", *(kind.replace("_", " ").lower() for kind in total)],
        rows,
    )


def declared(results: Results) -> Iterable[Table]:
    """Yield what defences and attacks say of themselves, and what was asked and spent."""
    grid = results.run["grid"]
    said = [(name, defence(name)) for name in grid["defences"]]
    rows = [Line(name, [Shown(one.stage), Shown(one.says)]) for name, one in said]
    yield Table("Defences", "Where each acts.", ["Defence", "stage", "what it does"], rows)
    counts = results.asked()
    lines = []
    for name in grid["attacks"]:
        one, mine = ATTACKS[name], counts.get(name, {})
        budget = one.budget.replace("QUERIES", str(grid["queries"]))
        numbers = [mine.get(key, 0) for key in ("asked", "refused", "hidden", "failed", "tokens")]
        told = [Shown(text) for text in (one.says, one.knows, budget)]
        lines.append(Line(name, [*told, *(Shown(f"{number:,.0f}") for number in numbers)]))
    heads = ["does", "knows", "queries", "asked", "refused", "best hidden", "failed", "tokens"]
    yield Table(
        "Attacks",
        "What the attacker knows and may ask; then, on average over the cells that were filled: "
        "queries asked, refused, with the best document hidden, without an answer of the model; "
        "tokens the models read and wrote.",
        ["Attack", *heads],
        lines,
    )


@dataclass(frozen=True)
class Gap:
    """Cells with one reason."""

    name: str
    count: int
    reason: str


def _holes(results: Results) -> list[Gap]:
    counts: Counter[tuple[str, str]] = Counter()
    for cell, kept in results.cells.items():
        if kept["status"] != "done":
            reason = str(kept.get("reason", ""))
            made = cell.generator == "llm" and "language model was given" in reason
            name = f"generator {cell.generator}" if made else cell.defence
            status = "" if kept["status"] == "hole" else f"{kept['status']}: "
            counts[name, status + reason] += 1
    return [Gap(name, n, reason) for (name, reason), n in counts.items()]


# ── pictures ────────────────────────────────────────────────────────────────────────────────────

WIDE, TALL, EDGE = 820, 460, 56
COLOURS = ("#2272b4", "#b3261e", "#128277", "#8a5a00", "#6a4c9c", "#5d6771", "#1a6e33", "#c2571a")


def _axes(across: str, up: str, least: float, most: float, top: float = 1.0) -> list[str]:
    parts = []
    for step in range(6):
        share = step / 5
        x, y = EDGE + share * (WIDE - 2 * EDGE), TALL - EDGE - share * (TALL - 2 * EDGE)
        parts += [
            f'<line class="grid" x1="{EDGE}" x2="{WIDE - EDGE}" y1="{y:.1f}" y2="{y:.1f}"/>',
            f'<text class="soft" x="{EDGE - 8}" y="{y + 4:.1f}" text-anchor="end">'
            f"{least + share * (most - least):.2f}</text>",
            f'<text class="soft" x="{x:.1f}" y="{TALL - EDGE + 18}" text-anchor="middle">'
            f"{share * top:g}</text>",
        ]
    parts += [
        f'<text x="{WIDE / 2}" y="{TALL - 14}" text-anchor="middle">{across}</text>',
        f'<text x="{EDGE}" y="{EDGE - 18}">{up}</text>',
    ]
    return parts


def _picture(results: Results, find: Find, retriever: str, generator: str) -> str:
    points = []
    for name in _defences(results):
        across = find(name, "-", "-", "audit", "exposure")
        up = find(name, retriever, generator, "questions", "rouge1")
        drawn = name != "no-rag" and defence(name).stage in ("corpus", "none")
        if drawn and across and up:
            points.append((name, across, up))
    highs = [row.high or row.value or 0.0 for _, _, row in points]
    lows = [row.low if row.low is not None else row.value or 0.0 for _, _, row in points]
    most = math.ceil(10 * max(highs, default=1.0)) / 10
    least = math.floor(10 * min(lows, default=0.0)) / 10
    span = (most - least) or 1.0

    def x(value: float) -> float:
        return EDGE + value * (WIDE - 2 * EDGE)

    def y(value: float) -> float:
        return TALL - EDGE - (value - least) / span * (TALL - 2 * EDGE)

    parts = _axes("exposure (less is safer)", "ROUGE-1 recall (more is more useful)", least, most)
    marks: list[str] = []
    taken: list[tuple[float, float]] = []
    for number, (name, across, up) in enumerate(points, 1):
        colour = (
            COLOURS[0] if name.startswith("clam") else COLOURS[1] if "@" in name else COLOURS[5]
        )
        px, py = x(across.value or 0.0), y(up.value or 0.0)
        if across.low is not None and across.high is not None:
            parts.append(_bar(x(across.low), py, x(across.high), py, colour))
        if up.low is not None and up.high is not None:
            parts.append(_bar(px, y(up.low), px, y(up.high), colour))
        marks.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4.5" fill="{colour}"/>')
        at = _free(px, py, taken)
        taken += [at, (px, py)]
        marks.append(
            f'<text x="{at[0]:.1f}" y="{at[1] + 4:.1f}" text-anchor="middle" '
            f'style="fill:{colour};font-weight:600">{number}</text>'
        )
        column, line = divmod(number - 1, -(-len(points) // 4))
        marks.append(
            f'<text x="{EDGE + column * 190}" y="{TALL + 16 + 17 * line}" style="fill:{colour}">'
            f"{number} {name}</text>"
        )
    tall = TALL + 17 * -(-len(points) // 4) + 12
    return _svg([*parts, *marks], "Each defence by exposure and ROUGE-1 recall", tall)


def _free(x: float, y: float, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return a place near a point where no other mark is."""
    for far in range(13, 200, 7):
        for turn in range(12):
            angle = math.pi * (turn / 6 - 0.25)
            at = x + far * math.cos(angle), y - far * math.sin(angle)
            if all(abs(at[0] - a) > 15 or abs(at[1] - b) > 12 for a, b in taken):
                return at
    return x, y


def _bar(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        'stroke-opacity=".35" stroke-width="1.5"/>'
    )


def _coverage(results: Results) -> str:
    curves = []
    for cell, kept in results.cells.items():
        here = cell.attack == "crawl" and (cell.retriever, cell.generator) == ("bm25", "parrot")
        if here and kept["status"] == "done" and kept["raw"]["curve"]:
            curves.append((cell.defence, kept["raw"]["curve"]))
    shown = [c for c in curves if c[0] in ("std", "clam", "mask-all", "mask-all-golden")]
    most = max((point[0] for _, curve in shown for point in curve), default=1)
    parts = _axes("queries", "share of documents", 0.0, 1.0, float(most))
    for number, (name, curve) in enumerate(shown):
        colour = COLOURS[number % len(COLOURS)]
        points = [
            (EDGE + q / most * (WIDE - 2 * EDGE), TALL - EDGE - c * (TALL - 2 * EDGE))
            for q, c in curve
        ]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(
            f'<text x="{WIDE - EDGE - 8}" y="{TALL - EDGE - 14 - 16 * number}" text-anchor="end" '
            f'style="fill:{colour}">{name}</text>'
        )
    return _svg(parts, "Share of documents seen against number of queries")


def _svg(parts: Sequence[str], title: str, tall: int = TALL) -> str:
    return (
        f'<svg viewBox="0 0 {WIDE} {tall}" role="img" aria-label="{title}" width="100%">'
        f"{''.join(parts)}</svg>"
    )
