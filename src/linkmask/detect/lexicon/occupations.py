"""Recognizes what people do, and to what groups they belong: "Ms. Dietz, 46, monument engraver".

Listed occupations count wherever they stand. Other nouns with an occupation's ending ("engraver",
"timpanist") count where they describe somebody: beside an age or a name, after a label, after
"works as", "I am a", "our only". The span includes the words between the article and the noun; the
more of them there are, the more it identifies.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import ELIDED, WRAPPED, Text
from linkmask.schema import types, words

OF_PERSON = "occupation, said"
"""Rule of an occupation that is said of one person."""

_JOINED = WRAPPED | {"-"}
_MOST = 5  # words of an occupation
_SOMEBODY = {"i", "he", "she", "who", "je", "il", "elle", "qui", "ich", "er", "sie"}
_NO_WORK = w.NUMBER | w.ILL_OR_CURE
_NO_NOUN = w.FUNCTION | w.NUMBER
_OF = {"de", "d", "du", "des", "en", "à"}
_COLONS = (":", "...", "   ", "?")
"""What stands behind the label of a field: also dots and blanks of a form."""


def find(t: Text, language: str) -> Iterator[Candidate]:
    """Yield INDIRECT_IDENTIFIER spans: occupations, each with its modifiers."""
    ends = {i: i + 1 for i in t.words_with(w.OCCUPATION)}
    if language == "de":  # "nun" is no nun there
        ends = {i: end for i, end in ends.items() if not t.features[i] & w.FUNCTION}
    ends.update({i: j for i, j, bits in t.phrases if bits & w.OCCUPATION})
    spans = {i: (j, True) for i, j in _labelled(t)}
    agents = t.words_with(w.AGENT.get(language, w.AGENT["en"]))
    if ends or agents:
        nouns = bytearray(len(t.words))
        for i in (*ends, *agents):
            nouns[i] = 1
        near = {i for noun in (*ends, *agents) for i in range(max(noun - _MOST + 1, 1), noun + 1)}
        for start, of_person in _leads(t, nouns, sorted(i for i in near if t.gap[i] == ", ")):
            if start not in spans and (span := _noun(t, start, of_person, ends, nouns, language)):
                spans[span[0]] = span[1:]
    for i, j in ends.items():
        if not t.features[i] & w.CAP or language == "de":
            spans.setdefault(_phrase_start(t, i), (_right(t, j, language), False))
    end = 0
    for i, (j, of_person) in sorted(spans.items()):
        if i < end or j <= i or not t.free(i, j):
            continue
        lone = not of_person and j - i == 1
        if not of_person and t.gap[j] in _JOINED and t.features[j] & w.NOT_AFTER_WORK:
            continue  # "pilot program", "driver license"
        if _counsel(t, i, j) or (lone and t.words[i].lower() in _ACTING and t.gap[i - 1] != ", "):
            continue
        if lone and t.gap[j] == " " and t.words[j].endswith("s") and not t.features[j] & w.FUNCTION:
            continue  # "pilot ladders"
        end = j
        score = 0.8 if of_person else 0.5 if lone else 0.7
        rule = OF_PERSON if of_person else "everyday occupation" if lone else "occupation"
        yield t.claim(i, j, types.INDIRECT_IDENTIFIER, rule, score)


def _counsel(t: Text, i: int, j: int) -> bool:
    """Does [i, j) say only in what part somebody acts: "a lawyer practising in", "my driver's"?"""
    noun, after = t.words[j - 1].lower(), t.words[j].lower()
    if noun == "historian" and t.words[j - 2].lower() in _SAYING:
        return True
    if noun in _ACTING and (after in _PRACTISING or t.words[i - 1].lower() in {"of", "en"}):
        return True
    return t.gap[j] in {"'s ", "’s "} and after in {"license", "licence", "office", "fee", "fees"}


_ACTING = frozenset(words("context")["acting"])
_SAYING = {"poor", "good", "fair", "reliable", "unreliable", "limited"}
_PRACTISING = {"practising", "practicing", "appearing", "exerçant", "inscrit", "inscrite"}


def _leads(t: Text, nouns: bytearray, listed: list[int]) -> Iterator[tuple[int, bool]]:
    """Yield where an occupation may begin, and whether it would be said of one person.

    `listed`: words behind a comma from which a noun is not far.
    """
    lists, find, words = w.word_lists("work"), nouns.find, t.words
    for i in t.words_with(w.WORK_LEAD):
        if find(1, i + 1, i + 1 + _MOST) < 0:
            continue
        key = words[i].lower()
        if key in lists["articles"]:
            yield i + 1, _is_predicate(t, i)
            continue
        of_person = key in lists["rare"] or (key in lists["years"] and t.gap[i + 1] == ", ")
        before = (
            lists["verbs"] if key in lists["as"] else _SOMEBODY if key in lists["being"] else ()
        )
        if of_person or (i and t.words[i - 1].lower() in before):
            yield i + 1, True
    for i in listed:
        if t.taken[i - 1] or _age(t, i - 1):
            yield i, True


def _age(t: Text, i: int) -> bool:
    """Is word i an age between commas: "Dietz, 46, engraver"?"""
    return bool(t.features[i] & w.NUMBER) and len(t.words[i]) < 4 and t.gap[i] == ", "


def _is_predicate(t: Text, i: int) -> bool:
    """Does the article at i stand where it is said what somebody is?"""
    if not i:
        return False
    before, key = t.features[i - 1], t.words[i - 1].lower()
    lists = w.word_lists("work")
    if t.gap[i] == ", ":
        return bool(t.taken[i - 1] or before & w.GIVEN or _age(t, i - 1)) or key in lists["years"]
    if before & w.NUMBER or i < 2:
        return False
    earlier = w.KEYS[t.words[i - 2]]
    predicate = key in lists["as"] and earlier in lists["verbs"]
    return predicate or (key in lists["being"] and earlier in _SOMEBODY)


def _noun(
    t: Text, start: int, of_person: bool, ends: dict[int, int], nouns: bytearray, language: str
) -> tuple[int, int, bool] | None:
    """Return the span of the occupation after a lead, and whether it is said of one person."""
    k, end, head = start, 0, 0
    while k < start + _MOST and (k == start or t.gap[k] in WRAPPED) and not t.taken[k]:
        m = t.features[k]
        if not t.words[k] or m & _NO_NOUN or (m & w.CAP and language != "de"):
            break
        if k in ends:
            head, end = k, ends[k]
            k = end - 1
        elif nouns[k]:
            head, end = k, k + 1
        k += 1
    if not end:
        return None
    after = t.words[end].lower()
    of_person = of_person or (
        t.gap[end] == ", " and bool(t.features[end] & w.NUMBER) and len(after) < 4
    )
    of_person = of_person or (t.gap[end] in WRAPPED and after in w.word_lists("work")["after"])
    modified = head > start and t.features[head - 1] & w.OCCUPATION_MODIFIER
    if w.KEYS[t.words[end - 1]] in w.word_lists("work")["roles"] and not (modified and of_person):
        return None
    if not of_person and head not in ends:
        return None
    while (
        start < head
        and t.features[start] & w.WEAK
        and not t.features[start] & w.OCCUPATION_MODIFIER
    ):
        start += 1
    return start, _right(t, end, language), of_person


def _phrase_start(t: Text, i: int) -> int:
    """Return where the listed occupation at i begins, over the listed words that may modify it."""
    k = i
    while k and i - k < 3 and t.gap[k] in _JOINED:
        m = t.features[k - 1]
        if m & w.FUNCTION or not m & (w.OCCUPATION_MODIFIER | w.NATIONALITY):
            break
        k -= 1
    return k


def _right(t: Text, j: int, language: str) -> int:
    """Return the end of what follows in French: "retraitée"."""
    if language != "fr":
        return j
    while t.gap[j] == " " and t.features[j] & w.OCCUPATION_MODIFIER:
        j += 1
    return j


def _labelled(t: Text) -> Iterator[tuple[int, int]]:
    """Yield what stands after "Occupation:", up to the end of the line or the next mark."""
    for i in t.words_with(w.WORK_LABEL):
        ahead = range(i + 1, min(i + 4, len(t.words)))
        start = next((k for k in ahead if any(mark in t.gap[k] for mark in _COLONS)), 0)
        if not start or w.KEYS[t.words[start]] in w.word_lists("work")["no_answer"]:
            continue
        j = start
        while j < start + _MOST and (j == start or t.gap[j] in ELIDED):
            m, of = t.features[j], t.words[j].lower() in _OF
            if m & _NO_WORK or t.taken[j] or not t.words[j] or (m & w.FUNCTION and not of):
                break
            j += 1
        while j > start and t.features[j - 1] & w.FUNCTION:
            j -= 1
        if j > start:
            yield start, j


# ── groups ──────────────────────────────────────────────────────────────────────────────────────


def groups(t: Text, language: str) -> Iterator[Candidate]:
    """Yield DEMOGRAPHIC spans: words of the language for people of an origin, an age or a sex.

    In another language they are other words: "man" is "one" in German.
    """
    of_language = w.GROUPS.get(language, w.GROUPS["en"])
    for i in t.words_with(of_language | w.NATIONALITY):
        m = t.features[i]
        if t.taken[i] or m & w.OCCUPATION or not (m & of_language or m & w.CAP):
            continue
        if m & w.CAP and _of_disease(t, i):
            continue
        if not (m & of_language and _kin(t, i)):
            begin = i
            while t.gap[begin] == " " and t.words[begin - 1].lower() in _COLOURS:
                begin -= 1
            yield t.candidate(begin, i + 1, types.DEMOGRAPHIC, "group", 0.6)


_COLOURS = {"white", "black", "brown"}
"""What belongs to a word for people behind it: "white male"."""


def _of_disease(t: Text, i: int) -> bool:
    """Is a disease named after word i: "Gaucher disease", "maladie de Gaucher"?"""
    before = i - 2 if t.words[i - 1] in {"de", "d"} else i - 1
    return bool((t.features[i + 1] | t.features[before]) & w.EPONYMOUS)


def _kin(t: Text, i: int) -> bool:
    """Is "fille" at i somebody's daughter, "femme" somebody's wife?"""
    if w.KEYS[t.words[i]] not in _RELATIVES or not t.words[i - 1]:
        return False
    of, whose = t.words[i + 1], sum(t.features[i + 2 : i + 3])
    named = of in {"de", "d"} and whose & (w.CAP | w.LABEL)
    return bool(t.words[i - 1].lower() in _WHOSE or of == "du" or named)


_RELATIVES = {"fille", "garcon", "femme", "veuve", "veuf", "frau", "boy", "girl"}
_WHOSE = frozenset(words("context")["whose"])
