"""Recognizes what a person is publicly known for: a byname, the news, one known event.

Examples are "known locally as the Bee Lady", "in the papers last spring", "the skipper who ran
aground". Each needs a person as its subject. Texts are first searched for the few trigger words of
these rules, so a text without them costs next to nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import unique_facts
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import BLANK, Text

_PLACE = (
    r"(?:(?:the|our|his|her|all|every|le|la|tout le|toute la|son|sa)\s)?"
    r"[\w-]{3,20}(?:\s[\w-]{3,20})?"
)
_BYNAMES = (
    re.compile(
        r"known\s(?:(?:only|simply|best|better|fondly)\s)?"
        rf"(?:locally|affectionately|around\s{_PLACE}|(?:in|on|at|to|throughout)\s{_PLACE}"
        r"|by\s(?:everyone|everybody|locals|neighbou?rs))\s(?:simply\s|only\s)?as\s"
    ),
    re.compile(r"nicknamed\s"),
    re.compile(
        rf"connue?\s(?:de\stous|localement|(?:dans|au|à|sur)\s{_PLACE})\s"
        r"(?:comme|sous\sle\s(?:nom|surnom|sobriquet)\sde)\s"
    ),
    re.compile(r"surnommée?\s"),
)
_LEARNED = re.compile(
    r"(?:literature|medicine|medical|science|industry|practice|trade|english|french|clinic|court|law)"
)
"""Those who call a thing, not a person, by another name."""

_NEWS = ("news", "paper", "headlines", "TV", "television", "documentary", "front page")
_IN_NEWS = re.compile(
    r"(?:from|in|on|all\sover|made|hit)\s(?:all\s)?(?:the|a|that)\s"
    r"(?:(?:local|evening|national|regional|daily|state|town)\s){0,2}(?:news)?$|(?:on|made)\s$"
)
_ENDS = re.compile(
    r"s?(?!\w|\s(?:release|letter|conference|chart|claim|form|record|file|copy|trail|work))"
)
_TOLD_OF = {"him", "her", "me", "them"}
_LOOKED = re.compile(r"(?:saw|seen|watch|hear|read|listen|advert)")
_GOES_ON = {"when", "because", "where", "after"}
_DID = set(
    "a avait s est fut broke brought built burned burnt came caught cut did drove fell fought found"
    " gave got held hit jumped kept led lost made ran rode sank set shot sold stole struck stood"
    " swam took threw went won".split()
)
"""Verbs of one deed that do not end in -ed; "who had lost" is looked through."""
_NO_DEED = set(
    "called signed submitted treated referred requested handled prescribed answered asked reported"
    " presented needed wanted used received attended visited filed reviewed denied approved"
    " examined diagnosed completed applied provided operated supervised lived worked required"
    " seemed".split()
)
_BEFORE_VERB = {
    "had",
    "once",
    "also",
    "nearly",
    "almost",
    "accidentally",
    "famously",
    "later",
    "then",
    "s",
}


def find(t: Text) -> Iterator[Candidate]:
    """Yield UNIQUE_FACT spans, disjoint."""
    yield from _bynames(t)
    yield from _in_the_news(t)
    yield from _who_did(t)


def _word(t: Text, offset: int) -> int:
    """Return the first word that begins at an offset or behind it."""
    return bisect_left(t.starts, offset, 0, len(t.words))


def _of_somebody(t: Text, i: int) -> bool:
    """Is somebody spoken of before word i, in its sentence and close by, and not anybody?"""
    if i and t.words[i - 1].lower() in _TOLD_OF:
        return True  # "you may remember her"
    said = False
    for k in range(i - 1, max(i - 10, -1), -1):
        if unique_facts.is_listed(t, k, "anybody"):
            return False
        named = t.taken[k] and t.marks[k] & w.CAP and not t.marks[k] & w.PLACE
        known = (
            unique_facts.is_listed(t, k, "he")
            or unique_facts.is_listed(t, k, "somebody")
            or unique_facts.is_listed(t, k, "insured")
        )
        said = said or bool(named or known)
        if any(mark in t.gap[k] for mark in ".;?!") or "\n\n" in t.gap[k]:
            break
    return said


def _taken(t: Text, i: int, j: int, rule: str) -> Iterator[Candidate]:
    if j > i + 1 and t.free(i, j):
        yield t.claim(i, j, unique_facts.FACT, rule, 0.6)


def _bynames(t: Text) -> Iterator[Candidate]:
    """Find "known locally as the Bee Lady", "surnommé le Gros Louis"."""
    for cue, head in zip(_BYNAMES, ("known ", "nicknamed ", "connu", "surnomm"), strict=True):
        for match in cue.finditer(t.text) if head in t.text else ():
            i = _word(t, match.start())
            if not _LEARNED.search(match[0]) and _of_somebody(t, i):
                yield from _taken(t, i, unique_facts.clause_end(t, i), "byname")


def _in_the_news(t: Text) -> Iterator[Candidate]:
    """Find "from the news", "in the local paper last spring", "made headlines"."""
    for noun in _NEWS:
        at = t.text.find(noun)
        while at >= 0:
            cue = _IN_NEWS.search(t.text, max(at - 48, 0), at)
            if cue and _ENDS.match(t.text, at + len(noun)):
                i = _word(t, cue.start())
                if _of_somebody(t, i) and not _only_looked(t, i):
                    yield from _taken(t, i, _with_why(t, i), "in the news")
            at = t.text.find(noun, at + 1)


def _only_looked(t: Text, i: int) -> bool:
    """Is it somebody who saw it "on TV", and not he who was seen there?"""
    looked = any(_LOOKED.match(word.lower()) for word in t.words[max(i - 4, 0) : i])
    return looked and t.words[i - 1].lower() not in _TOLD_OF


def _with_why(t: Text, i: int) -> int:
    """Return the end of a fact with the clause that says when or why: "when her barn burned"."""
    j = unique_facts.clause_end(t, i)
    return unique_facts.clause_end(t, j) if t.words[j] in _GOES_ON and t.gap[j] in BLANK else j


def _who_did(t: Text) -> Iterator[Candidate]:
    """Find "skipper who ran aground off the point", said of somebody."""
    for pronoun in (" who ", " qui "):
        at = t.text.find(pronoun)
        while at >= 0:
            p = _word(t, at)
            if (i := _antecedent(t, p)) and _did(t, p + 1):
                j = unique_facts.clause_end(t, p)
                yield from _taken(t, i, j, "who did") if j > p + 1 else ()
            at = t.text.find(pronoun, at + 1)


def _antecedent(t: Text, p: int) -> int:
    """Return the first word of whom word p ("who") stands behind, if somebody is said to be he."""
    m = t.marks[p - 1] if p else 0
    human = m & (w.PEOPLE | w.OCCUPATION | w.AGENT["en"]) or t.words[p - 1].lower() in {
        "guy",
        "one",
        "lady",
        "fellow",
    }
    if not human or m & w.CLINICIAN or t.taken[p - 1]:
        return 0
    i = p - 1
    while (
        i and p - i < 4 and t.gap[i] in BLANK and not unique_facts.is_listed(t, i - 1, "articles")
    ):
        i -= 1
    if (
        not i
        or not unique_facts.is_listed(t, i - 1, "articles")
        or t.words[i - 1].lower() in {"a", "an", "un", "une"}
    ):
        return 0
    introduced = t.words[i - 2].lower() in {"as", "comme", "im"}
    is_he = unique_facts.is_listed(t, i - 2, "being") and _of_somebody(t, i - 2)
    return i if introduced or is_he or unique_facts.is_said_of_somebody(t, i) else 0


def _did(t: Text, v: int) -> bool:
    """Is word v, or the next behind "had", "once", a deed of one person and one day?"""
    while t.words[v].lower() in _BEFORE_VERB or t.words[v].endswith("ly"):
        v += 1
    word = t.words[v]
    return word in _DID or (word.endswith("ed") and word not in _NO_DEED)
