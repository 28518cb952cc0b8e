"""Properties of masking: any mix of values, in any text, by any way of telling them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask import verify
from linkmask.config import Settings
from linkmask.records import CONTENT, Document, Mention, Why
from linkmask.redact import Redactor, Target, searched_spellings
from written_masks import targets

WHY = Why("test")
VALUES = [
    "Ann Field",
    "Field",
    "#77382",
    "4711",
    "Straße 12",
    "İnce",
    "é😀x",
    "B.",
    "Ann-Field",
    "1.52",
]
PIECES = [
    *VALUES,
    "ann",
    "FIELD",
    " ",
    "\r\n",
    ".",
    ",",
    "x",
    "52",
    "1",
    "\ufeff",
    "\u0301",
    "ß",
    "[NAME]",
    "[",
]


@settings(max_examples=150, deadline=None)
@given(data=st.data(), pieces=st.lists(st.sampled_from(PIECES), max_size=12))
@pytest.mark.parametrize("style", ["value", "redact", "pseudonym"])
def test_masking_leaves_no_value_changes_nothing_else_and_is_done_once(
    style: str, data: st.DataObject, pieces: list[str]
) -> None:
    """Any mix of overlapping, adjacent and nested values, in any Unicode text."""
    text = "".join(pieces)
    kinds = ["NAME", "PATIENT_ID", "EVENT_DATE"]
    chosen = data.draw(st.lists(st.sampled_from(VALUES), unique=True, max_size=5))
    pairs = [(kinds[n % 3], value) for n, value in enumerate(chosen)]
    cuts = data.draw(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)), max_size=3))
    spans = [(s, min(s + n, len(text))) for s, n in cuts if s < len(text)]
    stored = [
        Mention("d", CONTENT, s, e, kinds[n % 3], text[s:e], text[s:e].casefold(), 0.9, Why("test"))
        for n, (s, e) in enumerate(spans)
    ]
    known = {**targets(*pairs), **{m.entity: Target(m.type, [m.original]) for m in stored}}
    redactor = Redactor(known, Settings(style=style), key=b"k" * 32)
    masked = redactor(Document("d", text), stored)

    rebuilt, at = [], 0
    for one in masked.replacements:
        rebuilt += [text[at : one.start], one.text]
        at = one.end
    assert "".join([*rebuilt, text[at:]]) == masked.content
    again = redactor(Document("d", masked.content), [])
    assert again.content == masked.content and not again.replacements
    values = searched_spellings(known, Settings())
    findings = verify.Inspector(values, Settings())(masked).findings
    assert not [one for one in findings if one.kind == "leftover"]


@settings(max_examples=200, deadline=None)
@given(data=st.data(), scope=st.sampled_from(["corpus", "documents"]))
def test_mentions_told_by_columns_are_masked_as_those_looked_at_one_by_one(
    data: st.DataObject, scope: str
) -> None:
    """Without the values of the entities every mention is looked at by itself."""
    kinds = ["NAME", "AGE", "EVENT_DATE"]
    asked = data.draw(st.lists(st.sampled_from(VALUES), unique=True, max_size=5))
    known = targets(*((kinds[n % 2], value) for n, value in enumerate(asked)))
    pairs = []
    for name in "ab":
        texts = data.draw(st.lists(st.sampled_from(PIECES), max_size=8)), ["x ", "Ann Field"]
        document = Document(name, "".join(texts[0]), {"who": "".join(texts[1])})
        fields = dict(document.fields())
        cuts = st.tuples(st.sampled_from(list(fields)), st.integers(0, 20), st.integers(1, 9))
        spans = data.draw(st.lists(cuts, max_size=4))
        for field, text in fields.items():
            spans += [(field, text.find(value), len(value)) for value in asked]
        stored = [
            Mention(name, f, s, s + n, data.draw(st.sampled_from(kinds)), o, o.casefold(), 0.9, WHY)
            for f, s, n in spans
            if s >= 0 and len(o := fields[f][s : s + n]) == n
        ]
        pairs.append((document, stored))
    valued = {
        entity: one._replace(value=one.surfaces[0].casefold()) for entity, one in known.items()
    }
    chosen = Settings(scope=scope)
    assert list(Redactor(valued, chosen).many(pairs)) == list(Redactor(known, chosen).many(pairs))


ESCAPES = (
    lambda sign: "".join(f"%{byte:02X}" for byte in sign.encode()),
    lambda sign: "".join(f"%25{byte:02x}" for byte in sign.encode()),
    lambda sign: f"&#{ord(sign)};",
    lambda sign: f"&amp;#x{ord(sign):x};",
    lambda sign: f"\\u{ord(sign):04x}",
)


@given(
    st.lists(st.sampled_from((str, *ESCAPES)), min_size=15, max_size=15),
    st.sampled_from(["See ", "https://example.org/?n=", '{"n": "', "n="]),
    st.sampled_from([" now.", "&x=1", '"}', "/file", ""]),
)
@settings(max_examples=150, deadline=None)
def test_a_masked_value_is_masked_whatever_signs_of_it_are_escaped(
    ways: list, before: str, after: str
) -> None:
    """In an address of the web, in HTML and in JSON; the check reads escapes, too."""
    name = "Jörg Brandvold!"
    spelled = "".join(way(sign) for way, sign in zip(ways, name, strict=True))
    redactor = Redactor(targets(("NAME", "Jörg Brandvold")), Settings())
    masked = redactor(Document("d", before + spelled + after), [])
    assert masked.content == before + "[NAME]" + ways[-1]("!") + after
