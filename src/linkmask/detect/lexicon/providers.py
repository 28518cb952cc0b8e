"""Recognizes providers: clinicians by title, letters or role; practices, insurers, other bodies."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.names_by_trigger import AFTER_TITLE, is_title_without_name, titled_end
from linkmask.detect.lexicon.tokens import ELIDED, Text
from linkmask.schema import types, words

HEADS = w.PRACTICE | w.EITHER | w.INSTITUTION | w.ORGANIZATION | w.PLACE_HEAD | w.EVENT_HEAD
LEADS = w.PROVIDER_LEAD | w.INSTITUTION_LEAD | w.ORGANIZATION_LEAD | w.EVENT_LEAD
_OF = frozenset(words("context")["within_institution"])
_TOGETHER = {"and", "et", "und", "of"}
_COURTS = {"court", "courts", "tribunal", "authority", "parliament"}
_LONGEST = 5
_SAYS_NOTHING = w.STOP | w.FUNCTION | w.GENERIC
_CLINICAL = w.ILL_OR_CURE | w.MODIFIER
_PLAIN = w.GENERIC | w.FUNCTION
_NO_HEALER, _NO_OWNER = _SAYS_NOTHING | _CLINICAL, _CLINICAL | w.STOP
_OF_WHAT = LEADS | w.INSTITUTION
_TITLES = w.BETWEEN | w.CLINICIAN
_AFTER = AFTER_TITLE | {"-"}
_DASH = {" – ", " - "}


def find(t: Text, language: str = "en") -> Iterator[Candidate]:
    """Yield PROVIDER spans, and LOCATION, ORGANIZATION and EVENT spans of the same head words."""
    yield from _titled(t)
    yield from _headed(t)
    yield from _led(t, language)


def _titled(t: Text) -> Iterator[Candidate]:
    """Find clinicians by their titles: "Prof. Dr. med. Lind"."""
    end = 0
    for i in t.words_with(w.CLINICIAN):
        if i < end or not (t.features[i] & w.CAP or len(t.words[i]) > 5):
            continue
        k = i + 1
        while k < i + 8 and t.features[k] & _TITLES and t.gap[k] in _AFTER:
            k += 1
        if t.gap[k] not in AFTER_TITLE:
            continue
        end = titled_end(t, k, alone=False)
        if end > k and not is_title_without_name(t, k - 1):
            yield t.claim(i, end, types.PROVIDER, "clinician", 0.9)


def _headed(t: Text) -> Iterator[Candidate]:
    """Find English-style names: a capitalised run whose last word says what it is."""
    features, taken = t.features, t.taken
    before = {end: i for i, end, bits in t.phrases if bits & LEADS and features[i] & w.CAP}
    for first, j, bits in t.runs:
        if not bits & HEADS:
            continue
        i = first
        head = j - 1
        while head >= i and not features[head] & HEADS:
            head -= 1
        i = max(i, head - _LONGEST)
        i = next((k + 1 for k in range(head - 1, i - 1, -1) if _shouted(t, k)), i)
        while i < j and (taken[i] or _leads_in(features[i])):
            i += 1
        if head < i or not t.free(i, head + 1):
            continue
        if t.features[head] & w.STAGED and any(m & w.CONDITION for m in t.features[i:head]):
            continue  # "COPD Stadium III"
        end = head + 1
        if end == j and t.features[head] & _OF_WHAT:
            end = _of_something(t, head)
        distinctive = any(not m & _PLAIN for m in t.features[i:head])
        if t.features[head] & w.HEALTH:  # "Cervical Spine", "PAST MEDICAL HISTORY"
            distinctive = any(not m & _NO_HEALER for m in t.features[i:head])
            distinctive = distinctive and not (end < j and t.features[end] & _NO_OWNER)
        distinctive = distinctive or (head > i and t.words[head].lower() in _COURTS)
        if (distinctive or end > head + 1) and (decided := _decide(t, i, head)):
            if t.words[i - 1].lower() in _OF and t.gap[i] in ELIDED:
                i = before.get(i - 1, i)  # "Our Lady of Lourdes Medical Center"
            yield t.claim(i, end, *decided)


def _shouted(t: Text, k: int) -> bool:
    """Is it a small word in capitals, which only a text all in capitals writes so: "ASKED BY THE"?

    Those that join the words of a name do not count: "BANK OF THE WEST".
    """
    small = t.features[k] & w.FUNCTION and t.features[k] & w.UPPER
    return bool(small) and t.words[k].lower() not in _OF | _TOGETHER


def _leads_in(features: int) -> bool:
    """A word that opens a sentence or labels what follows, and is no part of its name."""
    return bool(features & w.FUNCTION or (features & w.STOP and not features & w.GENERIC))


def _decide(t: Text, i: int, head: int) -> tuple[str, str, float] | None:
    """Return type, rule and score of the name [i, head], by its head and the words before it."""
    m = t.features[head]
    healthy = any(b & w.HEALTH for b in t.features[i:head])
    sure = 0.8 if head - i > 1 else 0.65
    if m & w.INSTITUTION:
        return types.LOCATION, "institution", sure
    if (m & w.EITHER and healthy) or m & w.PRACTICE:
        return types.PROVIDER, "practice", sure
    if m & w.PLACE_HEAD:
        person = t.features[i] & w.GIVEN and m & w.SURNAME
        return None if person else (types.LOCATION, "place", 0.65)
    if m & w.EVENT_HEAD:
        return types.EVENT, "happening", 0.6
    if m & (w.ORGANIZATION | w.EITHER):
        return types.ORGANIZATION, "organization", sure - 0.1
    return None


def _of_something(t: Text, head: int) -> int:
    """Return the word after "University of Iowa" when `head` is "University", else head + 1."""
    k = head + 1
    while k < head + 4 and t.words[k].lower() in _OF and t.gap[k] in ELIDED:
        k += 1
    end = _capitals(t, k) if k > head + 1 else k
    body = t.features[head] & w.ORGANIZATION_LEAD
    if end == k or (not body and all(m & (w.STOP | w.FUNCTION) for m in t.features[k:end])):
        return head + 1
    if t.words[end] in _TOGETHER and t.gap[end] == " ":  # "… of Health and Human Services"
        more = _capitals(t, end + 1)
        if more > end + 1 and not t.features[more - 1] & HEADS & ~w.EITHER:
            return more
    return end


def _capitals(t: Text, k: int) -> int:
    """Return the end of the capitalised words from k on, at most five, and before "Mr X"."""
    j = k
    while j - k < _LONGEST and t.features[j] & w.CAP and not _shouted(t, j):
        if t.features[j] & (w.TITLE | w.CLINICIAN) == w.TITLE:
            break
        if t.gap[j] not in ELIDED and not (j > k and t.joins(j)):
            break
        j += 1
    return j


def _led(t: Text, language: str) -> Iterator[Candidate]:
    """Find names whose first word says what they are: "Clinique du Parc", "Klinikum Nürnberg"."""
    leads = [(i, i + 1, t.features[i]) for i in t.words_with(LEADS)]
    leads += [phrase for phrase in t.phrases if phrase[2] & LEADS]
    for i, k, bits in sorted(leads, key=lambda lead: (lead[0], -lead[1])):
        j = k
        while j < k + 3 and t.words[j].lower() in _OF and t.gap[j] in ELIDED:
            j += 1
        if not t.features[i] & w.CAP and (
            j == k or not bits & (w.PROVIDER_LEAD | w.INSTITUTION_LEAD)
        ):
            continue
        if t.gap[j] in _DASH and t.features[j] & LEADS:  # "Charité – Universitätsmedizin Berlin"
            j += 1
        end = _capitals(t, j)
        distinctive = any(not m & _SAYS_NOTHING for m in t.features[j:end])
        if t.words[i] == "Labor" and language != "de":  # "Labor Day"
            continue
        distinctive = distinctive or bool(
            end > j > k and bits & w.ORGANIZATION_LEAD
        )  # "Ministry of Justice"
        if not distinctive or not t.free(i, end):
            continue
        yield t.claim(i, end, *_led_type(bits))


def _led_type(bits: int) -> tuple[str, str, float]:
    if bits & w.INSTITUTION_LEAD:
        return types.LOCATION, "institution", 0.75
    if bits & w.PROVIDER_LEAD:
        return types.PROVIDER, "practice", 0.75
    if bits & w.EVENT_LEAD:
        return types.EVENT, "happening", 0.65
    return types.ORGANIZATION, "organization", 0.65
