"""What befalls few: what it is told by in three languages, and what is told of nobody."""

from __future__ import annotations

import random
import re

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import find, rare_event_rules, rare_events
from linkmask.detect.lexicon.literals import Literals, around
from samples import sample

# (language, text, words that must lie in one find)
HITS = [
    ("en", "He set the county record for a caught sturgeon.", "set the county record"),
    ("en", "She holds the record for the longest kiln firing.", "record for the longest kiln"),
    ("en", "My uncle was struck twice by lightning on the moor.", "struck twice by lightning"),
    ("en", "The patient was gored by a bison at work.", "gored by a bison"),
    ("en", "She was born without a left hand and plays the cello.", "and plays the cello"),
    ("en", "The claimant lost two toes to frostbite.", "lost two toes to frostbite"),
    ("en", "He has a glass eye.", "glass eye"),
    ("en", "She writes letters with her feet.", "writes letters with her feet"),
    ("en", "Mr. Lowry was named Teacher of the Year.", "named Teacher of the Year"),
    ("en", "She gave birth to triplets on a ferry.", "gave birth to triplets"),
    ("en", "One of only four people in the country with it.", "four people in the country"),
    ("en", "They are the only household on the bay with a kiln.", "only household on the bay"),
    ("en", "Member is the deputy mayor of Cottonfield.", "deputy mayor"),
    ("fr", "Il détient le record de France du lancer de sabots.", "détient le record"),
    ("fr", "Elle a été foudroyée sur un voilier.", "foudroyée sur un voilier"),
    ("fr", "Mon frère a été encorné par un taureau.", "encorné par un taureau"),
    ("fr", "Elle est née sans bras et joue de l'orgue.", "née sans bras et joue de l'orgue"),
    ("fr", "Il a perdu deux doigts dans une scierie.", "perdu deux doigts dans une scierie"),
    ("fr", "Elle a été élue meilleure sommelière.", "élue meilleure sommelière"),
    ("fr", "Il est l'un des trois patients en Europe.", "un des trois patients"),
    ("fr", "Nous sommes la seule famille de l'île.", "seule famille"),
    ("fr", "L'assuré est maire de Vieuxmoulin.", "maire"),
    ("fr", "Elle est passée deux fois à la télévision.", "à la télévision"),
    ("de", "Sie hält den deutschen Rekord im Weitwurf.", "deutschen Rekord"),
    ("de", "Er wurde zweimal vom Blitz getroffen.", "zweimal vom Blitz getroffen"),
    ("de", "Die Patientin wurde von einem Wolf gebissen.", "von einem Wolf gebissen"),
    ("de", "Er wurde ohne Arme geboren und malt mit dem Mund.", "ohne Arme geboren"),
    ("de", "Der Versicherte hat den Bodensee durchschwommen.", "Bodensee durchschwommen"),
    ("de", "Er ist einer von nur vier Patienten in Europa.", "vier Patienten"),
    ("de", "Wir sind der einzige Haushalt im Tal.", "einzige Haushalt im Tal"),
    ("de", "Er ist Bürgermeister von Altenrode.", "Bürgermeister"),
]  # fmt: skip

MISSES = [
    ("en", "The plan holds the record for each claim. Set the record straight."),
    ("en", "Damage by lightning is covered. Anyone struck by lightning must tell us."),
    ("en", "If a member is bitten by a snake, call us. A dog bit him."),
    ("en", "Children born with a heart defect are covered from birth."),
    ("en", "If you lost a hand in an accident, the plan pays half."),
    ("en", "One of the three forms is missing. The first person to report must sign."),
    ("en", "The only family member on the policy. The last page of the record."),
    ("en", "She was named in the letter. It was awarded to the plan."),
    ("fr", "Si un assuré est foudroyé, la garantie joue. L'un des trois formulaires manque."),
    ("fr", "Le dossier médical est perdu dans le service. La seule pièce du dossier."),
    ("de", "Wer vom Blitz getroffen wird, ist versichert. Eine von drei Rechnungen fehlt."),
    ("de", "Das Kind wurde gesund geboren. Sie hat den Antrag unterschrieben."),
]


def told(text: str, language: str) -> list[str]:
    """Return what the feats' rules find."""
    names = {rule.name for rule in rare_event_rules.RULES}
    found = find(text, Scope(language=language))
    return [
        text[f.start : f.end] for f in found if f.rule in names and f.score == rare_events.SCORE
    ]


@pytest.mark.parametrize(("language", "text", "part"), HITS, ids=[hit[1][:40] for hit in HITS])
def test_what_befalls_few_is_found_where_it_befell_somebody(language, text, part):
    found = find(text, Scope(language=language))
    assert any(part in text[f.start : f.end] for f in found if f.type in KINDS)


@pytest.mark.parametrize(("language", "text"), MISSES, ids=[miss[1][:40] for miss in MISSES])
def test_what_may_befall_anybody_is_left_alone(language, text):
    assert told(text, language) == []


KINDS = {"UNIQUE_FACT", "INDIRECT_IDENTIFIER"}


RARE = rare_event_rules.RULES


def test_every_kind_of_rare_event_is_found_in_a_text_above() -> None:
    """So that none is silent in all languages: a form without its words is never searched for."""
    rules = {one.rule for language, text, _ in HITS for one in find(text, Scope(language=language))}
    assert rules >= {rule.name for rule in RARE}


@pytest.mark.parametrize("rule", RARE, ids=[rule.name for rule in RARE])
def test_most_of_what_a_form_describes_holds_one_of_its_words_close_by(rule) -> None:
    """A form is tried near its words alone; what it matches far from them is never found."""
    words = Literals([[word for words in rule.heads.values() for word in words]])
    draw, matched, found = random.Random(rule.name), 0, 0
    for turn in range(120):
        text = " " + re.sub(r"\s", " ", sample(rule.form.pattern, draw, turn % 3))
        if len(text) < rare_events._BEHIND and rule.form.search(text):
            places = [place for _, here in words.inside(text) for place in here]
            matched += 1
            found += any(around(rule.form, text, places, rule.back, rare_events._BEHIND))
    assert found > 0.6 * matched if matched else rule.name in UNSAMPLED


UNSAMPLED = {"deed", "office"}
"""Rules of whose forms `sample` writes none that match, for what must not stand around them."""
