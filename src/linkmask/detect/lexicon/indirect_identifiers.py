"""Recognizes what identifies a person without a name: work, traits, family, events, facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import occupations
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import Text

_OF_GROUPS = w.DEMOGRAPHIC | w.NATIONALITY
_BLANK = {" ", "\n", "\u00a0", "-"}
_PERCENT = {"% ", " % ", " percent "}
# an amount to the dollar: nobody's policy limit, somebody's bill
_AMOUNT = re.compile(
    r"\$(?:\d{1,3}(?:,\d{3}){1,3}|\d{3,9})(?:\.\d{2})?(?![\d,.]{0,9}\d|\s?(?:[MKBk]\b|[mb]illion))"
)

# what many pay is nobody's bill: "the average cost $2,310"
_OF_MANY = re.compile(
    r"(?i)\b(?:average[ds]?|averaging|mean|median|typical(?:ly)?)\b[^.;$\n]{0,32}$"
)


def find(t: Text, language: str) -> Iterator[Candidate]:
    """Yield INDIRECT_IDENTIFIER, DEMOGRAPHIC, EVENT and UNIQUE_FACT spans."""
    yield from _phrases(t)
    yield from occupations.find(t, language)
    yield from t.each(_RULES)
    if "$" in t.text:
        yield from _amounts(t)


def _phrases(t: Text) -> Iterator[Candidate]:
    for i, j, bits in t.phrases:
        if not t.free(i, j):
            continue
        if bits & w.INDIRECT:
            yield t.claim(i, j, "INDIRECT_IDENTIFIER", "relation or trait", 0.7)
        elif bits & w.EVENT:
            yield t.candidate(i, j, "EVENT", "happening", 0.6)
        elif bits & w.DEMOGRAPHIC:
            yield t.claim(i, j, "DEMOGRAPHIC", "group", 0.7)


def _demographics(t: Text) -> Iterator[Candidate]:
    for i in t.words_with(_OF_GROUPS):
        m = t.marks[i]
        if t.taken[i] or m & w.OCCUPATION or not (m & w.DEMOGRAPHIC or m & w.CAP):
            continue
        if m & w.CAP and _of_disease(t, i):
            continue
        if not (_kin(t, i) if m & w.DEMOGRAPHIC else _of_state(t, i)):
            begin = i
            while t.gap[begin] == " " and t.words[begin - 1].lower() in _COLOURS:
                begin -= 1
            yield t.candidate(begin, i + 1, "DEMOGRAPHIC", "group", 0.6)


_COLOURS = {"white", "black", "brown"}
"""What belongs to a word for people behind it: "white male"."""


def _of_disease(t: Text, i: int) -> bool:
    """Is a disease named after word i: "Gaucher disease", "maladie de Gaucher"?"""
    before = i - 2 if t.words[i - 1] in {"de", "d"} else i - 1
    return bool((t.marks[i + 1] | t.marks[before]) & w.EPONYMOUS)


def _grouped(t: Text) -> Iterator[Candidate]:
    """Find "belge" in "Nationalité : belge", "de nationalité belge", "deutsch" after a label."""
    for i in t.words_with(w.GROUP):
        k, gap = i + 1, t.gap[i + 1]
        labelled = gap.strip() == ":" and "\n" not in gap
        preceded = gap == " " and t.words[i - 1].lower() in {"de", "d"}
        word = t.words[k].lower()
        if not (labelled or preceded) or t.taken[k] or not word.isalpha() or word in _SILENT:
            continue
        if len(word) > 1 and not t.marks[k] & (w.FUNCTION | w.NUMBER | w.LABEL):
            yield t.claim(k, k + 1, "DEMOGRAPHIC", "group, asked", 0.7)


_SILENT = set(
    "unknown none other declined undisclosed not inconnue inconnu autre aucune unbekannt keine"
    " divers".split()
)


def _kin(t: Text, i: int) -> bool:
    """Is "fille" at i somebody's daughter, "femme" somebody's wife?"""
    if w.KEYS[t.words[i]] not in _RELATIVES or not t.words[i - 1]:
        return False
    of, whose = t.words[i + 1], sum(t.marks[i + 2 : i + 3])
    named = of in {"de", "d"} and whose & (w.CAP | w.LABEL)
    return bool(t.words[i - 1].lower() in _WHOSE or of == "du" or named)


def _of_state(t: Text, i: int) -> bool:
    """Does a people's name at i only say whose law or money it is: "Swedish courts", "kronor"?"""
    return t.gap[i + 1] == " " and (t.words[i + 1] in _LAW or t.words[i + 1].lower() in _MONEY)


_RELATIVES = {"fille", "garcon", "femme", "veuve", "veuf", "frau", "boy", "girl"}
_WHOSE = set("sa son ma mon ta ton leur notre votre ses mes seine ihre meine unsere".split())
_LAW = set(
    "law laws legislation courts authorities constitution parliament Law Laws Courts Authorities"
    " Constitution Parliament Court Code Act Government State Embassy Consulate Civil Criminal"
    " Penal Administrative Supreme Constitutional".split()
)

_MONEY = set(
    "dollar dollars pound pounds franc francs franken lira liras crown crowns krona kronor krone"
    " kroner kronen rouble roubles ruble rubel rupee rupees peso pesos mark marks yen yuan zloty"
    " zlotys forint forints dinar dinars shilling shillings leu lei lev leva real reais".split()
)


def _mutations(t: Text) -> Iterator[Candidate]:
    """Find "TP53 mutation": a gene's name before a word for what is wrong with it."""
    for i in t.words_with(w.MUTATION):
        gene = t.words[i - 1]
        if i and t.gap[i] in _BLANK and gene.isupper() and len(gene) > 2 and not gene.isdigit():
            yield t.candidate(i - 1, i + 1, "UNIQUE_FACT", "mutation", 0.7)


def _outcomes(t: Text) -> Iterator[Candidate]:
    """Find "80% pain reduction", "40% reduction in seizure frequency": how it went."""
    for k in t.words_with(w.CHANGE):
        yield from _outcome_behind(t, k)
        i = k
        while i > 0 and k - i < 3 and t.gap[i] == " " and t.marks[i - 1] & w.OUTCOME:
            i -= 1
        if not i or t.gap[i] not in _PERCENT or not t.marks[i - 1] & w.NUMBER:
            continue
        j = k + 1
        if i == k:
            if t.words[j] not in {"in", "of"} or not t.marks[j + 1] & w.OUTCOME:
                continue
            j += 3 if t.words[j + 2] in {"frequency", "intensity", "severity", "size"} else 2
        yield t.candidate(i - 1, j, "UNIQUE_FACT", "outcome", 0.6)


def _outcome_behind(t: Text, k: int) -> Iterator[Candidate]:
    """Find "amélioration de 70 %", "réduction de 60 % des crises", "Besserung um 80 %"."""
    n = k + 1
    while n < k + 4 and t.words[n].lower() in _OF and t.gap[n] in _ELIDED_BLANK:
        n += 1
        if t.marks[n] & w.OUTCOME and t.words[n + 1].lower() in _OF:
            n += 1
    percent = t.text[t.ends[n] : t.ends[n] + 2].strip().startswith("%")
    if n == k + 1 or not t.marks[n] & w.NUMBER or not percent:
        return
    j, m = n + 1, n + 1
    while m < n + 4 and t.words[m].lower() in _OF and t.gap[m].strip(" \u00a0\u202f%'’") == "":
        m += 1
    is_outcome = any(t.marks[x] & w.OUTCOME for x in range(k + 1, n))
    if m > j and t.marks[m] & w.OUTCOME:
        j, is_outcome = m + 1, True
    if is_outcome or w.KEYS[t.words[k]] in _relieved():
        end = t.text.index("%", t.ends[n]) + 1 if j == n + 1 else t.ends[j - 1]
        yield Candidate(t.starts[k], end, "UNIQUE_FACT", "lexicon", "outcome", 0.6)


_OF = set("de d des du la le les l à a um von der den bei".split())
_ELIDED_BLANK = {" ", "\n", "\u00a0", "\u202f", "'", "’"}


@cache
def _relieved() -> frozenset[str]:
    """Return the words whose change is told by a share alone: "amélioration de 70 %"."""
    return frozenset(map(w.fold, w.entries(w.tables("facts")["relieved"])))


def _scores(t: Text) -> Iterator[Candidate]:
    """Find "UPDRS score of 52"."""
    for k in t.words_with(w.SCORE):
        test = t.marks[k - 1]
        named = k and test & w.UPPER and not test & w.STOP and t.gap[k] == " "
        if t.taken[k]:
            continue
        if named and t.words[k + 1] in {"of", "was", "is"} and t.marks[k + 2] & w.NUMBER:
            yield t.candidate(k - 1, k + 3, "UNIQUE_FACT", "score", 0.6)


def _amounts(t: Text) -> Iterator[Candidate]:
    for match in _AMOUNT.finditer(t.text):
        lead = t.text[max(match.start() - 40, 0) : match.start()]
        if not match.group().removesuffix(".00").endswith("00") and not _OF_MANY.search(lead):
            yield Candidate(match.start(), match.end(), "UNIQUE_FACT", "lexicon", "amount", 0.45)


_RULES = (
    (w.GROUP, _grouped),
    (_OF_GROUPS, _demographics),
    (w.MUTATION, _mutations),
    (w.CHANGE, _outcomes),
    (w.SCORE, _scores),
)
