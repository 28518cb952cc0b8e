"""Rare words in a row have one mask, and no mask grows where texts of several elements meet."""

import re

from linkmask.config import Settings
from linkmask.records import CONTENT, Document, Mention, Why, entity_id
from linkmask.redact import Redactor, Target

WHY = Why("test")


def test_rare_words_in_a_row_have_one_mask() -> None:
    """Line breaks, two blanks, other types and other masks divide rows."""
    known = {
        entity_id(word, kind): Target(kind, (), value=word, style="value", shown=shown)
        for word, kind, shown in [
            ("heron", "RARE_TERM", "..."),
            ("nest", "RARE_TERM", "..."),
            ("lupus", "RARE_TERM", "MEDICAL_CONDITION"),
            ("ann", "NAME", ""),
        ]
    }
    cases = {
        "A heron nest heron, nest.": "A [...], [...].",
        "heron\nnest  heron": "[...]\n[...]  [...]",
        "heron lupus nest": "[...] [MEDICAL_CONDITION] [...]",
        "ann ann heron ann": "[NAME] [NAME] [...] [NAME]",
        "nest": "[...]",
        "nothing": "nothing",
    }
    kinds = {"ann": "NAME"}
    pairs = []
    for text in cases:
        found = [
            (m, kinds.get(m[0], "RARE_TERM")) for m in re.finditer("heron|nest|lupus|ann", text)
        ]
        document = Document(text, text)
        own = [Mention(text, CONTENT, *m.span(), kind, m[0], m[0], 0.0, WHY) for m, kind in found]
        pairs.append((document, own))
    written = list(Redactor(known, Settings()).many(pairs))
    assert [one.content for one in written] == list(cases.values())
    first = written[0].replacements
    assert [(one.start, one.end) for one in first] == [(2, 18), (20, 24)]


def test_no_mask_grows_in_a_view_of_markup() -> None:
    """The blank between two words may stand for tags: each edit stays in its own element."""
    rare = {entity_id(word, "RARE_TERM"): word for word in ("heron", "nest")}
    known = {
        entity: Target("RARE_TERM", (), value=word, style="value", shown="...")
        for entity, word in rare.items()
    }
    day = entity_id("2024-07-12", "EVENT_DATE")
    known[day] = Target(
        "EVENT_DATE", ["12 July 2024"], value="2024-07-12", style="generalization:month"
    )
    text = "A heron nest on 12 July 2024."
    for by_place, written in [
        (False, "A [...] in July 2024."),
        (True, "A [...] [...] on July 2024."),
    ]:
        own = [
            Mention("d", CONTENT, *m.span(), "RARE_TERM", m[0], m[0], 0.0, WHY)
            for m in re.finditer("heron|nest", text)
        ]
        document = Document("d", text, by_place=by_place)
        assert Redactor(known, Settings())(document, own).content == written
