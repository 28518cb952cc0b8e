"""Made-up values that read like the real ones: one identity per entity, in every spelling of it.

Each maker takes what is known of an entity and a `Draw`, and returns how any spelling of it is
rewritten. What could reach or mean somebody comes from ranges kept for fiction: 555-01xx and its
like for phones, example.org for mail and web, documentation addresses, numbers whose checksum or
area was never issued.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkmask.redact.styles import Means, Target, Writer, pseudonym
from linkmask.redact.surrogates.contact import email, network, phone, url
from linkmask.redact.surrogates.dates import date
from linkmask.redact.surrogates.draw import Draw, Render
from linkmask.redact.surrogates.names import address, institution, person, place, provider
from linkmask.redact.surrogates.numbers import age, number, phrase

MAKERS: dict[str, Callable[[Target, Draw, str], Render]] = {
    "NAME": person,
    "PROVIDER": provider,
    "ORGANIZATION": institution,
    "LOCATION": place,
    "ADDRESS": address,
    "EMAIL": email,
    "PHONE_NUMBER": phone,
    "URL": url,
    "IP_ADDRESS": network,
    "BIRTHDATE": date,
    "EVENT_DATE": date,
    "AGE": age,
    **dict.fromkeys(
        ("PATIENT_ID", "NON_PERSONAL_ID", "NATIONAL_ID", "CREDIT_CARD", "IBAN"), number
    ),
}
"""Maker by type; other types take a phrase of their list."""

ATTEMPTS = 24
"""Tries per entity before a shared surrogate, or a pseudonym, has to do."""


def assign(targets: Mapping[str, Target], means: Means) -> Writer:
    """Give each entity an identity of its own; return how its spellings are rewritten."""
    renders: dict[str, Render] = {}
    taken: set[str] = set()
    for attempt in range(ATTEMPTS):
        last = attempt == ATTEMPTS - 1
        open_ = [entity for entity in sorted(targets) if entity not in renders]
        tried = {entity: _render(entity, targets[entity], means, attempt) for entity in open_}
        spelled = {
            entity: [render(s) for s in targets[entity].surfaces] or [render("")]
            for entity, render in tried.items()
        }
        texts = sorted({text for each in spelled.values() for text in each})
        refused = dict(zip(texts, means.forbidden(texts), strict=True)) if means.forbidden else {}
        for entity, each in spelled.items():
            same = {s.casefold() for s in targets[entity].surfaces}
            if any(refused.get(t) or t.casefold() in same or not t for t in each):
                continue
            if last or each[0] not in taken:
                renders[entity] = tried[entity]
                taken.update(each)
    fallback = pseudonym(targets, means)

    def write(entity: str, original: str) -> str:
        render = renders.get(entity)
        return render(original) if render else fallback(entity, original)

    return write


def _render(entity: str, target: Target, means: Means, attempt: int) -> Render:
    language = target.language if target.language in ("en", "fr", "de") else means.languages[0]
    language = language if language in ("en", "fr", "de") else "en"
    draw = Draw(means.key, means.seed, entity, attempt)
    return MAKERS.get(target.type, phrase)(target, draw, language)
