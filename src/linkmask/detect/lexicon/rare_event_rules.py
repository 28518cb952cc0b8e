"""Defines the rules for rare events: one rule for each kind, with the words that trigger it.

The kinds are records, lightning, wild animals, an unusual body, titles, births on the way, offices
with a place, and membership in a small group. `rare_events` tries a rule only where one of its
trigger words stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from linkmask.detect.lexicon import unique_facts

_UP_TO = r"(?:[\w'’-]{1,20} ){0,%d}?"
"""So many words at most, as few as will do."""

_BODY = (
    r"(?:arms?|forearms?|hands?|fingers?|thumbs?|legs?|feet|foot|toes?|limbs?|eyes?|ears?|nose"
    r"|skull"
    r"|bras|avant-bras|mains?|doigts?|pouces?|jambes?|pieds?|orteils?|yeux|œil|oeil|oreilles?|nez"
    r"|Arme?n?|Unterarme?n?|Hände?n?|Hand|Fingern?|Daumen|Beine?n?|Füßen?|Fuß|Zehen?|Augen?"
    r"|Ohr(?:en)?"
    r"|Nase)"
)
_ANIMAL = (
    r"(?:shark|bear|grizzly|rattlesnake|snake|viper|cobra|adder|alligator|crocodile|ostrich"
    r"|emu|bull"
    r"|bison|buffalo|moose|elk|stag|wolf|lion|tiger|cougar|puma|leopard|elephant|hippo|rhino|camel"
    r"|llama|alpaca|kangaroo|boar|ram|swan|peacock|eagle|owl|stingray|jellyfish|barracuda"
    r"|piranha|eel"
    r"|octopus|orca|whale|seal|walrus|monkey|chimpanzee|gorilla|zebra|giraffe|badger|scorpion"
    r"|requin|ours|loup|vipère|serpent|cobra|crocodile|alligator|autruche|taureau|bison|élan"
    r"|cerf|lion"
    r"|tigre|éléphant|hippopotame|chameau|lama|kangourou|sanglier|bélier|cygne|aigle|raie|méduse"
    r"|murène|phoque|baleine|singe|chimpanzé|scorpion"
    r"|Hai|Bären?|Wolf|Kreuzotter|Schlange|Klapperschlange|Krokodil|Strauß|Stier|Bullen?|Bison|Elch"
    r"|Hirsch|Löwen?|Tiger|Elefanten?|Nilpferd|Kamel|Lama|Känguru|Wildschwein|Keiler|Schwan|Adler"
    r"|Rochen|Qualle|Seehund|Wal|Affen?|Schimpansen?|Skorpion)"
)
_HURT_BY = (
    r"(?:bitten|mauled|attacked|gored|kicked|stung|trampled|charged|swallowed|chased"
    r"|thrown|dragged)"
)
_MORDU = (
    r"(?:mordue?|attaquée?|chargée?|encornée?|piquée?|piétinée?|renversée?|poursuivie?|happée?)"
)
_GEBISSEN = (
    r"(?:gebissen|angegriffen|aufgespießt|getreten|gestochen|niedergetrampelt|verletzt|verfolgt)"
)
_SCOPE = (
    r"(?:world|national|state|county|provincial|regional|local|club|course|school|track|pool"
    r"|age-group"
    r"|Guinness|Olympic|European|American|British|Commonwealth|speed|distance|altitude|endurance)"
)
_LARGE = (
    r"(?:in the (?:world|country|state|county|nation|province|region|city|town|village"
    r"|hospital|UK|US"
    r"|USA|United States)|(?:in|on) (?!May\b|June\b|July\b)[A-Z][\w'’-]{2,20}|worldwide|nationwide"
    r"|au (?:monde|pays|Canada|village)|en [A-ZÉ][\w-]{3,20}|d(?:u|ans le) (?:pays|monde|canton"
    r"|département)|dans (?:le|la) (?:pays|monde|région|commune)|de (?:la région|France|Suisse)"
    r"|weltweit|bundesweit|landesweit|europaweit|in (?:ganz )?(?:Deutschland|Österreich|Europa"
    r"|Bayern)"
    r"|der Welt|im (?:Land|Landkreis|Kreis|Kanton|Ort|Dorf|Bundesland))(?![\w-])"
)
_FEW = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|\d{1,2}"
    r"|deux|trois"
    r"|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|zwei|drei|vier|fünf|sechs|sieben"
    r"|acht|neun|zehn|elf|zwölf|fünfzehn|zwanzig|a handful of|une poignée de|einer Handvoll)"
)
_PEOPLE = (
    r"(?:people|persons|patients|women|men|girls|boys|children|families|survivors|players"
    r"|recipients"
    r"|members|speakers|residents|holders|couples|athletes|pilots|climbers|farmers|carriers|cases"
    r"|personnes|patients|patientes|femmes|hommes|enfants|familles|survivants|titulaires|cas"
    r"|porteurs"
    r"|habitants|joueurs|élèves|pilotes|couples"
    r"|Menschen|Personen|Patienten|Patientinnen|Frauen|Männern?|Kindern?|Familien|Überlebenden"
    r"|Trägern|Betroffenen|Spielern|Bewohnern|Fällen)"
)
_ONE = (
    r"(?:patiente?|person(?:ne)?|people|titulaire|family|household|couple|case|woman|man|child"
    r"|girl|boy"
    r"|famille|foyer|ménage|femme|homme|enfant|cas|member|recipient|holder|carrier|survivor"
    r"|porteu\w+"
    r"|Patient(?:in)?|Person|Mensch|Familie|Haushalt|Ehepaar|Frau|Mann|Kind|Fall|Mitglied"
    r"|Träger(?:in)?)"
)


def _pairs(first: str, nouns: str) -> tuple[str, ...]:
    """Return how a word ends and a noun begins behind it: few places have both."""
    return tuple(
        end + blank + noun for end in first.split() for blank in _BLANKS for noun in nouns.split()
    )


_BLANKS = " \n\t\xa0\u202f"
_HOMES = "family household couple famille foyer ménage Familie Haushalt Ehepaar Paar"
_ONES = (
    "patient person people titulaire family household couple case woman man child girl boy famille"
    " foyer ménage femme homme enfant cas member recipient holder carrier survivor porteu Patient"
    " Person Mensch Familie Haushalt Ehepaar Frau Mann Kind Fall Mitglied Träger"
    " living surviving known lebende"
)
"""How the words of `_ONE` begin, and those that may stand before one."""


class Rule(NamedTuple):
    """How a rare event is recognized: trigger words of a language, its form, and how it continues.

    `open`: the span runs to the end of its clause. `alone`: it needs no person as its subject.
    `back`: the number of characters before the trigger at which it may begin.
    """

    heads: Mapping[str, tuple[str, ...]]
    form: re.Pattern[str]
    name: str
    open: bool = True
    alone: bool = False
    type: str = unique_facts.FACT
    back: int = 70


RULES = (
    Rule(
        {"en": ("record",), "fr": ("record",), "de": ("ekord",)},
        re.compile(
            rf"(?:(?:holds?|held|set|sets|broke|breaks|beat|owns|owned|equall?ed)\s(?:the|a|an"
            rf"|two|three"
            rf"|his|her|our)\s(?:{_UP_TO % 2}{_SCOPE}\s{_UP_TO % 1})?records?\s(?:for|in|as|at"
            rf"|of|over"
            rf"|by)\s|(?:holds?|held|set|broke|beat|owns|owned)\s(?:the|a|an|two|three)"
            rf"\s{_UP_TO % 1}"
            rf"{_SCOPE}\s{_UP_TO % 1}records?\b"
            r"|(?:détient|détenait|a battu|bat|a établi|possède)\s(?:le|un|deux|plusieurs)"
            r"\srecords?\s"
            r"d[eu’'](?!\s?(?:vote|donnée))"
            rf"|(?:hält|hielt|brach|hat|stellte)\s(?:den|einen|zwei|mehrere)\s{_UP_TO % 2}"
            r"(?:[\w-]{0,12}[Rr]ekord)e?\b)"
        ),
        "record",
    ),
    Rule(
        {"en": ("lightning",), "fr": ("foudr",), "de": ("Blitz",)},
        re.compile(
            r"(?:(?:struck|hit)\s(?:\w{4,7}\s)?by\slightning|(?:a\sété\s|fut"
            r"\s)?(?:foudroyée?(?!\s(?:par"
            r"\s(?:une?|la)\s(?!foudre)))|(?:frappée?|touchée?)\s(?:\w{3,6}\s(?:fois"
            r"\s)?)?par\sla\sfoudre)"
            rf"|{_UP_TO % 2}vom\sBlitz\s(?:getroffen|erschlagen|gestreift))"
        ),
        "lightning",
    ),
    Rule(
        {
            "en": tuple(_HURT_BY.removeprefix("(?:").removesuffix(")").split("|")),
            "fr": (" par u", " par le", " par la", " par l"),
            "de": (" von ein",),
        },
        re.compile(
            rf"(?:(?:{_HURT_BY})\s(?:\w{{4,7}}\s(?:times\s)?)?by\s(?:an?|the|his|her|two)"
            rf"\s{_UP_TO % 1}"
            rf"{_ANIMAL}s?(?![\w-])|{_MORDU}\s(?:\w{{3,6}}\s(?:fois\s)?)?par\s(?:une?|le|la"
            rf"|l['’])\s?"
            rf"{_UP_TO % 1}{_ANIMAL}(?![\w-])|von\s(?:einem|einer)\s{_UP_TO % 1}{_ANIMAL}"
            rf"\s{_GEBISSEN})"
        ),
        "animal",
        back=40,
    ),
    Rule(
        {
            "en": ("born with",),
            "fr": ("née sans", "né sans", "née avec", "né avec"),
            "de": ("geboren", "zur Welt"),
        },
        re.compile(
            rf"(?:born\swith(?:out|\sno|\sonly\sone|\sone|\stwo|\ssix|\sseven|\sthree|\sextra"
            rf"|\swebbed)\s"
            rf"{_UP_TO % 2}{_BODY}(?![\w-])|née?\s(?:sans|avec\s(?:un\sseul|une\sseule|six"
            rf"|deux|trois))\s"
            rf"{_UP_TO % 2}{_BODY}(?![\w-])|(?:ohne|mit\s(?:nur\s)?(?:einem|einer|zwei|drei"
            rf"|sechs))\s"
            rf"{_UP_TO % 2}{_BODY}\s(?:geboren|zur\sWelt\sgekommen))"
            r"(?:\s(?:\w{4,12}\s)?(?:and|et|und)\s(?!(?:is|was|has|had|est|a|ist|hat)"
            r"\s)[a-zà-ÿ]{3,14}\s)?"
        ),
        "born so",
        back=70,
    ),
    Rule(
        {"en": ("lost ",), "fr": ("perdu ",), "de": ("verlor",)},
        re.compile(
            rf"(?:lost\s(?:an?|one|two|three|four|five|both|half|all|part\sof|most\sof|his|her"
            rf"|the)\s"
            rf"{_UP_TO % 2}{_BODY}\s(?:to|in|at|on|when|while|during|under|from)\s"
            rf"|perdu\s(?:une?|deux|trois|quatre|cinq|les\sdeux|la|le|son|sa|ses|l['’])"
            rf"\s?{_UP_TO % 2}"
            rf"{_BODY}\s(?:dans|à|au|sur|sous|lors|en|par|avec)\s"
            rf"|verlor(?:en)?\s(?:eine[nm]?|zwei|drei|vier|fünf|beide|das|den|die|ein)"
            rf"\s{_UP_TO % 1}{_BODY}\s"
            r"(?:an|bei|beim|in|im|durch|am|unter)\s|(?:eine[nm]?|zwei|drei|vier|beide)\s"
            rf"{_BODY}\s{_UP_TO % 4}verloren(?!\w))"
        ),
        "lost a limb",
        back=60,
    ),
    Rule(
        {
            "en": (" eye", " leg", " hand", " arm", " foot"),
            "fr": (" œil", " oeil", " jambe", " main b"),
            "de": ("Glasauge", "Holzbein"),
        },
        re.compile(
            r"(?:has|had|with|wears|got)\sa\s(?:glass|wooden|peg|bionic|hook|golden"
            r"|porcelain)\s(?:eye|leg"
            r"|hand|arm|foot)|(?:a|avec|porte)\sun(?:e)?\s(?:œil\sde\sverre|oeil\sde\sverre"
            r"|jambe\sde"
            r"\sbois|main\sbionique)|(?:hat|trägt|mit)\s(?:ein|einem)\s(?:Glasauge|Holzbein)"
        ),
        "odd body",
        back=45,
    ),
    Rule(
        {
            "en": (" foot", " feet", " mouth", " toes"),
            "fr": (" pieds", " pied", " bouche"),
            "de": (" Mund", " Füßen", " Fuß"),
        },
        re.compile(
            r"(?:paints|writes|draws|plays|sculpts|types|drives|cooks|knits)\s(?:\w{2,12}"
            r"\s){0,2}with\s(?:his"
            r"|her|the)\s(?:feet|foot|mouth|toes)|(?:peint|écrit|dessine|joue|conduit)"
            r"\s(?:\w{2,12}\s){0,3}"
            r"avec\s(?:ses\spieds|la\sbouche|les\spieds|le\spied)|(?:malt|schreibt|zeichnet"
            r"|spielt)\s"
            r"(?:\w{2,12}\s){0,3}mit\s(?:dem\sMund|den\sFüßen|dem\sFuß)"
        ),
        "odd body",
        back=45,
    ),
    Rule(
        {
            "en": (
                "named ",
                "crowned ",
                "voted ",
                "elected ",
                "inducted ",
                "awarded the",
                "knighted",
                "decorated ",
                "received the ",
                "ordained ",
            )
        },
        re.compile(
            rf"(?:(?:was|been|is|and|got)\s(?:once\s|twice\s|later\s)?(?:named|crowned|voted"
            rf"|elected)\s"
            rf"(?:the\s|{_UP_TO % 2})?(?:{_UP_TO % 3}of\sthe\s(?:Year|Month|Decade|Century"
            rf"|Fair|Festival|Parade"
            r"|County|year|fair|festival)|(?:Miss|Mister|Mr\.?|King|Queen|Prince|Princess)\s[A-Z])"
            r"|inducted\sinto\s|knighted\s|ordained\sas\s|(?:awarded|decorated\swith"
            r"|received)\sthe\s"
            rf"{_UP_TO % 5}(?:Medal|Cross|Prize|Award|Order|Star|Heart|Honou?r"
            rf"|Fellowship)(?![\w-]))"
        ),
        "title",
        back=45,
    ),
    Rule(
        {
            "fr": (
                "élu",
                "reçu",
                "décoré",
                "nommé",
                "sacré",
                "Légion",
                "couronné",
                "promu",
                "titulaire",
            )
        },
        re.compile(
            rf"(?:(?:élue?|nommée?|sacrée?|couronnée?|promue?)\s(?:[Mm]eilleure?|[Cc]hampione?"
            rf"|[Cc]hampionne"
            r"|[Mm]iss|[Rr]eine|[Rr]oi|[Cc]hevalier|[Oo]fficier|[Mm]aire|[Hh]omme|[Ff]emme"
            r"|[Jj]oueu(?:r|se)"
            r"|[Ss]portive?)\s|(?:a\sreçu|reçut|décorée?\sde|titulaire\sde)\s(?:le|la|l['’]"
            r"|une?)\s?"
            rf"{_UP_TO % 3}(?:prix|médaille|Légion\sd['’]honneur|croix|ordre|palmes|Mérite"
            rf"|trophée)(?![\w-]))"
        ),
        "title",
        back=45,
    ),
    Rule(
        {"de": ("ausgezeichnet", "gekürt", "gewählt", "gekrönt", "ernannt")},
        re.compile(
            rf"(?:mit\s(?:dem|der|einem|einer)\s{_UP_TO % 3}(?:[\w-]{{3,30}})\sausgezeichnet"
            rf"|zu[mr]\s{_UP_TO % 3}[\w-]{{3,30}}\s{_UP_TO % 3}(?:gekürt|gewählt|gekrönt"
            rf"|ernannt))(?!\w)"
        ),
        "title",
        back=45,
    ),
    Rule(
        {"en": ("gave birth", "delivered "), "fr": ("accouché ",)},
        re.compile(
            r"(?:gave\sbirth\s(?:to\s(?:\w{2,12}\s){1,3})?|delivered\s(?:her|their)"
            r"\s(?:\w{2,12}\s){1,2})"
            r"(?:in|on|aboard|during|at|inside)\s(?:an?|the|her|his)\s(?!hospital|clinic|age"
            r"|end|time)\w"
            r"|gave\sbirth\sto\s(?:triplets|quadruplets|quintuplets|sextuplets)"
            r"|accouché\s(?:de\s(?:triplés|quadruplés|quintuplés)|(?:dans|sur|à\sbord)"
            r"\s(?:une?|le|la|d['’]"
            r"|l['’])\s?(?!clinique|hôpital|maternité|service))"
        ),
        "birth",
        back=2,
    ),
    Rule(
        {"de": ("hat ", "habe ", "hatte ")},
        re.compile(
            rf"(?:(?<=hat\s)|(?<=habe\s)|(?<=hatte\s)){_UP_TO % 7}(?:durchschwommen|durchquert"
            rf"|überquert"
            r"|umsegelt|umrundet|bestiegen|gewonnen|gegründet|mitgegründet|erfunden|überlebt"
            r"|gerettet"
            r"|aufgestellt|restauriert|veröffentlicht|komponiert|besiegt|entschärft)(?!\w)"
        ),
        "deed",
        open=False,
        back=0,
    ),
    Rule(
        {
            "fr": ("télé", "journa", "presse", "la une"),
            "de": ("Zeitung", "Fernsehen", "Presse", "Radio", "Tagesschau"),
        },
        re.compile(
            r"(?:passée?|parue?|apparue?|vue?|a\sfait|fait)\s(?:\w{2,12}\s){0,2}?(?:à\sla"
            r"\stélé(?:vision)?"
            r"|dans\s(?:le|les|la)\s(?:journal|journaux|presse)|la\sune)(?!\w)"
            r"|(?:stand|war|kam|erschien)\s(?:[\w.-]{1,16}\s){0,5}?(?:in\sder\s(?:Zeitung"
            r"|Presse|Tagesschau)"
            r"|im\s(?:Fernsehen|Radio))(?!\w)"
        ),
        "in the news",
        back=60,
    ),
    Rule(
        {
            "en": (
                "mayor",
                "heriff ",
                "chief ",
                "ostm",
                "lderman ",
                "ouncil",
                "governor ",
                "senator ",
            ),
            "fr": ("maire d", "maire à", "éputé", "curé d", "municipal"),
            "de": ("ürgermeister", "andrat", "andrätin", "rtsvorsteher", "farrer"),
        },
        re.compile(
            r"(?:(?:(?:deputy|vice|former|acting|first|current)\s)?(?:mayor(?:ess)?|sheriff"
            r"|postmaster"
            r"|postmistress|alderman|(?:fire|police|tribal)\schief|councill?or|councilwoman"
            r"|councilman|governor"
            r"|senator)\s(?:of|for|in)\s(?:the\s\w{3,12}\sof\s)?(?=[A-Z])"
            r"|(?:adjointe?\sau\s|ancien(?:ne)?\s)?(?:maire|députée?|curé|conseill[eè]re?\s"
            r"municipale?)\s(?:d[eu]s?\s(?:l[ae]\s)?|d['’]|à\s)(?=[A-ZÉ])"
            r"|(?:Ober|Alt|Ex-)?(?:[Bb]ürgermeister(?:in)?|Landrat|Landrätin"
            r"|Ortsvorsteher(?:in)?|Pfarrer(?:in)?)"
            r"\s(?:von|in|des|der|im)\s(?=[A-ZÄÖÜ]))[\w’-]{2,24}(?:[ -][A-ZÉ][\w’-]{2,24})?"
        ),
        "office",
        open=False,
        alone=True,
        type=unique_facts.TRAIT,
        back=40,
    ),
    Rule(
        {
            "en": ("ne of", "among"),
            "fr": ("ne des", "un des"),
            "de": ("iner von", "ine von", "ines von", "iner der"),
        },
        re.compile(
            rf"(?:(?:[Oo]ne\sof|among)\s(?:only\s|just\s|the\s(?:only\s|last\s|few\s|first\s)?"
            rf"|about\s"
            rf"|barely\s|fewer\sthan\s)?{_FEW}\s{_UP_TO % 2}{_PEOPLE}"
            rf"|[Ll]?['’]?[Uu]ne?\sdes\s(?:seulement\s|rares\s|derni[eè]re?s\s|quelque\s)?{_FEW}\s"
            rf"(?:seul[e]?s\s|rares\s|derni[eè]re?s\s)?{_UP_TO % 1}{_PEOPLE}"
            rf"|[Ee]ine?[rs]?\svon\s(?:nur\s|etwa\s|weltweit\s|bundesweit\s|gerade\s(?:mal"
            rf"|einmal)\s)?"
            rf"{_FEW}\s{_UP_TO % 1}{_PEOPLE})\s(?:in|on|to|with|who|whose|at|of|ever|living|en"
            rf"|au|aux|de|du"
            r"|dans|qui|à|atteint\w{1,3}|connu\w{1,3}|mit|im|auf|die|der|weltweit|am)(?!\w)"
        ),
        "one of few",
        alone=True,
        back=12,
    ),
    Rule(
        {
            "en": _pairs("nly irst", _HOMES),
            "fr": _pairs("eule eul nique remier remière", _HOMES),
            "de": _pairs("inzige inziger inziges rste rster rstes", _HOMES),
        },
        re.compile(
            r"(?:[Oo]nly|[Ff]irst|[Ss]eule?|[Uu]nique|[Pp]remi(?:er|ère)|[Ee]inzige[rs]?"
            r"|[Ee]rste[rs]?)\s"
            r"(?:family|household|couple|famille|foyer|ménage|Familie|Haushalt|Ehepaar"
            r"|Paar)\s(?:in|on|at|of|with"
            r"|from|to|d[eu]s?|d['’]|dans|sur|en|avec|au|à|im|am|auf|mit|aus)(?!\w)"
        ),
        "only one",
        alone=True,
        back=12,
    ),
    Rule(
        {
            "en": _pairs("nly irst ole ast", _ONES),
            "fr": _pairs("eul eule remier remière ernier ernière nique", _ONES),
            "de": _pairs("inzige inziger inziges rste rster rstes etzte etzter etztes", _ONES),
        },
        re.compile(
            r"(?:[Oo]nly|[Ss]ole|[Ff]irst|[Ll]ast|[Ss]eule?|[Uu]nique|[Pp]remi(?:er|ère)"
            r"|[Dd]erni(?:er|ère)"
            rf"|[Ee]inzige[rs]?|[Ee]rste[rs]?|[Ll]etzte[rs]?)\s(?:living\s|surviving\s|known\s"
            rf"|lebende[rs]?\s)?"
            rf"{_ONE}\s(?:{_UP_TO % 3}){_LARGE}"
        ),
        "only one",
        alone=True,
        back=12,
    ),
)


@cache
def rules_of(language: str) -> list[Rule]:
    """Return the rules of a language."""
    return [rule for rule in RULES if language in rule.heads]
