"""Made-up names, places, bodies, addresses and dates, drawn from the lists.

Every choice comes from the generator that is handed in; the same seed makes the same values.
"""

from __future__ import annotations

import gzip
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

DATA = Path(__file__).parents[2] / "shared" / "data"
LISTS = DATA / "gazetteers"


@cache
def lines(name: str) -> list[str]:
    """Return the first column of a list."""
    path = LISTS / name
    text = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    return [line.split("\t")[0].strip() for line in text.decode().splitlines() if line.strip()]


COUNTRIES: dict[str, dict[str, str]] = {
    "es": {"ES": "Spain", "MX": "Mexico", "AR": "Argentina", "CO": "Colombia", "CL": "Chile"},
    "it": {"IT": "Italy"},
    "nl": {"NL": "Netherlands", "BE": "Belgium"},
    "pt": {"PT": "Portugal", "BR": "Brazil"},
}
"""Language without lists of names of its own → countries of the lists of all countries."""


NAMED: dict[str, str] = {
    "fi": "FI EE", "no": "NO FO IS", "da": "DK FO", "sv": "FI NO DK", "pl": "PL", "cs": "CZ SK",
    "hu": "HU", "ro": "RO MD", "tr": "TR AZ", "hr": "HR BA SI RS ME MK",
}  # fmt: skip
"""Language of which nothing but a few templates is read → countries of its names."""


@cache
def _first_by_country(lang: str = "") -> list[str]:
    return _of_countries("names/first_by_country.tsv", 3, lang)


@cache
def _surnames_by_country(lang: str = "") -> list[str]:
    return _of_countries("names/surnames_by_country.tsv", 2, lang)


def _of_countries(name: str, column: int, lang: str) -> list[str]:
    """Return a column of a list by country: that of all, or of a language's countries."""
    rows = ((LISTS / name).read_text("utf-8")).splitlines()
    parts = [row.split("\t") for row in rows if row.count("\t") >= column and row[-1] != "\t"]
    countries = COUNTRIES.get(lang) or NAMED.get(lang, "").split()
    return [part[column].strip() for part in parts if not lang or part[0] in countries]


def full_name(r: Random, lang: str) -> str:
    """Return a whole name of any origin: of a language's countries, if only templates of it are."""
    origin = lang if lang in NAMED else ""
    if not origin and r.random() < 0.5:
        given, names = first_name(r, lang), [last_name(r, lang), last_name(r, lang)]
    else:
        given = r.choice(_first_by_country(origin))
        names = r.choices(_surnames_by_country(origin), k=2)
    kind = r.random()
    if kind < 0.3:
        return f"{given} {'-'.join(names)}"
    if kind < 0.4:
        return f"{given} {r.choice(_BEFORE_SURNAMES)}{names[0]}"
    return f"{given} {names[0]}"


_BEFORE_SURNAMES = (
    "Mc", "Mac", "O'", "O’", "Fitz", "von ", "van ", "de ", "di ", "d'", "El-", "Al-", "bin ",
    "ter ", "dos ", "af ", "Ó ", "Le ",
)  # fmt: skip
"""What many surnames begin with."""


@cache
def _cities_of(lang: str) -> list[str]:
    rows = (LISTS / "places/cities_world.tsv").read_text("utf-8").splitlines()
    wanted = set(COUNTRIES[lang].values())
    return [name for name, country, *_ in (row.split("\t") for row in rows) if country in wanted]


def first_name(r: Random, lang: str) -> str:
    """Return a given name, common ones more often."""
    if lang == "fr":
        name = lines("names/first_fr_insee.tsv")[min(int(r.expovariate(1 / 600)), 9000)].title()
        return f"{name}-{first_name(r, lang)}" if r.random() < 0.06 and "-" not in name else name
    if lang in NAMED or (lang in COUNTRIES and r.random() < 0.6):
        return r.choice(_first_by_country(lang))
    source = r.random()
    if source < 0.5:
        return lines("names/first_us_ssa.tsv")[min(int(r.expovariate(1 / 1500)), 20000)]
    if source < 0.7:
        return r.choice(lines("names/first_us.txt"))
    if source < 0.85:
        return r.choice(lines("names/first_ch.txt"))
    return r.choice(_first_by_country())


def last_name(r: Random, lang: str) -> str:
    """Return a surname of many origins."""
    source = r.random()
    if lang == "fr" and source < 0.6:
        return r.choice(lines("names/surnames_fr.txt"))
    if lang in COUNTRIES and source < 0.8:
        return r.choice(_surnames_by_country(lang))
    if source < 0.5:
        return lines("names/surnames_us.txt")[min(int(r.expovariate(1 / 15000)), 80000)].title()
    if source < 0.65:
        return r.choice(lines("names/surnames_de.txt"))
    if source < 0.75:
        return r.choice(lines("names/surnames_ch.txt"))
    if source < 0.85:
        return r.choice(lines("names/surnames_fr.txt"))
    return r.choice(_surnames_by_country())


def person(r: Random, lang: str) -> str:
    """Return a whole name."""
    if lang in ("es", "pt") and r.random() < 0.6:
        return f"{first_name(r, lang)} {last_name(r, lang)} {last_name(r, lang)}"
    if lang == "nl" and r.random() < 0.3:
        return f"{first_name(r, lang)} {r.choice(('van', 'van der', 'de'))} {last_name(r, lang)}"
    middle = f" {r.choice('ABCDEFGHJKLMNPRSTW')}." if r.random() < 0.08 else ""
    return f"{first_name(r, lang)}{middle} {last_name(r, lang)}"


def city(r: Random, lang: str) -> str:
    """Return a town."""
    if lang == "fr" and r.random() < 0.7:
        name = r.choice(lines("places/communes_fr.txt"))
        return name
    if lang in COUNTRIES and r.random() < 0.8:
        return r.choice(_cities_of(lang))
    source = r.random()
    if lang == "de" and source < 0.6:
        return r.choice(lines(f"places/cities_{r.choice(('de', 'ch'))}.txt"))
    if source < 0.7:
        return r.choice(lines("places/cities_world.tsv"))
    if source < 0.8:
        return region(r)
    return r.choice(lines("places/cities_de.txt"))


@cache
def _regions() -> list[str]:
    rows = (LISTS / "places/admin1_world.tsv").read_text("utf-8").splitlines()
    return [row.split("\t")[1] for row in rows]


def region(r: Random) -> str:
    """Return a state or province."""
    return r.choice(_regions())


@cache
def _countries() -> list[str]:
    rows = (LISTS / "places/cities_world.tsv").read_text("utf-8").splitlines()
    return sorted({row.split("\t")[1].split(",")[0] for row in rows})


def country(r: Random) -> str:
    """Return a country."""
    return r.choice(_countries())


_SYLLABLES = "ba co de ex fi gra hol in ko lu mar ne or pa qui ro sta tri ul ver wex zan".split()
_BODIES = (
    "Ltd|Inc|Inc.|LLC|Group|Holdings|Systems|Partners|& Sons|& Co|GmbH|Bank|Foods|Motors|Labs|"
    "Industries|Consulting|Insurance|Solutions|Media|Records|Stores|Airlines|Energy|University|"
    "Company|Corporation|Technologies|Associates|Reports|Markets|Analytics|Kitchens|Hardware|Trust"
).split("|")
_PLAIN = (
    "open north happy first blue family garden lucky golden star home sunny green silver city new "
    "royal western grand super better simple bright total quality urban village pacific red rapid"
).split()
_WARES = (
    "data nation kitchen center shop burger value seed street club mart design house foods works "
    "choice network health traffic pharmacy bakery auto fitness books toys gallery market stop "
    "explorer insight builders vision music steel tools travel depot pizza room corner supply"
).split()


USUAL = {"en": 0.4, "other": 0.7}
"""Share of the bodies that are called as in `bodies.toml`; the others have English forms."""


def organization(r: Random, lang: str) -> str:
    """Return a body's name: coined, after a founder or a place, an acronym, of plain words."""
    coined = "".join(r.choices(_SYLLABLES, k=r.choice((2, 2, 3)))).capitalize()
    plain = f"{r.choice(_PLAIN)} {r.choice(_WARES)}".title()
    founder, other = last_name(r, lang), last_name(r, lang)
    if r.random() < USUAL["en" if lang == "en" else "other"]:
        return _body(r, lang, coined, founder, other)
    forms: tuple[Callable[[], str], ...] = (
        lambda: coined,
        lambda: coined,
        lambda: f"{coined} {r.choice(_BODIES)}",
        lambda: f"{founder} {r.choice(_BODIES)}",
        lambda: f"{founder} {r.choice(_BODIES)}",
        lambda: f"{founder}, {other} and {last_name(r, lang)}",
        lambda: f"{founder}-{other}",
        lambda: f"{founder} {r.choice(('&', 'and', 'et', 'und'))} {other}",
        lambda: f"{founder}'s{r.choice(('', ' ' + r.choice(_WARES).title()))}",
        lambda: "".join(r.choices("ABCDEFGHILMNOPRSTUVW", k=r.choice((3, 3, 4)))),
        lambda: f"{coined} {''.join(r.choices(_SYLLABLES, k=2)).capitalize()}",
        lambda: plain,
        lambda: plain,
        lambda: r.choice(_WARES).title(),
        lambda: f"{r.choice(_PLAIN).title()} {r.choice(_WARES).title()} {r.choice(_BODIES)}",
        lambda: (
            f"{r.choice('ABCDEHJMRST')}. {r.choice('ABCDEHJMRST')}. {founder} {r.choice(_BODIES)}"
        ),
        lambda: f"{r.choice('23456789')}{coined}",
    )
    return r.choice(forms)()


_ELIDED = re.compile(r"\b([dl])e (?=[AEIOUYÉÈH])")


@cache
def bodies() -> dict[str, tuple[list[str], list[str]]]:
    """Return trades and forms of bodies by language."""
    tables = tomllib.loads(Path(__file__).with_name("bodies.toml").read_text("utf-8"))
    return {lang: (one["trades"].split("|"), one["forms"]) for lang, one in tables.items()}


def _body(r: Random, lang: str, coined: str, founder: str, other: str) -> str:
    """Return a firm, a public body or a club, as they are called in a language."""
    trades, forms = bodies()[lang]
    name = r.choice(forms).format(
        founder=founder,
        other=other,
        third=last_name(r, lang),
        coined=coined,
        town=city(r, lang),
        region=region(r),
        trade=r.choice(trades),
        ABC="".join(r.choices("ABCDEFGHILMNOPRSTUVW", k=r.choice((3, 3, 4)))),
    )
    return _ELIDED.sub(r"\1'", name) if lang == "fr" else name


_THINGS = (
    "lantern anchor thunder mirror ladder meadow shadow kingdom devil angel wizard giant dragon "
    "goblin engine harvest orchard comet desert island ocean candle feather hammer whistle "
    "carnival robot pirate knight queen prince stranger dancer hunter sailor neighbour cowboy "
    "monster ghost clown traveller battle victory silence freedom justice wisdom courage "
    "patience discipline hope truth mercy glory honour chaos madness desire regret envy winter "
    "summer midnight morning sunday november battery factory station railway highway window "
    "garden river bridge tower palace circus adventure comedy drama romance fantasy family "
    "action mystery horror animation"
).split()
_QUALITIES = (
    "silent broken golden crooked endless hidden last lost lonely burning frozen distant early "
    "late little long royal secret simple wild wonderful electric invisible guilty innocent "
    "perfect final famous forgotten hungry curious"
).split()


def work(r: Random, _: str = "en") -> str:
    """Return a title that is nobody's name: of a song, a book, a film, a heading, a virtue."""
    one, other, third = (word.capitalize() for word in r.sample(_THINGS, 3))
    quality = r.choice(_QUALITIES).capitalize()
    forms = (
        one, one, one, f"{quality} {one}", f"The {one}", f"The {quality} {one}", f"{one} & {other}",
        f"{one} and {other}", f"The {one} of {other}", f"{quality} {one}s", f"{one} {other}",
        f"{r.randint(2, 12)} {quality} {one}s", f"The {one} in the {other}", f"My {quality} {one}",
        f"{one} of the {quality} {other}", f"{one}, {other} and {third}", f"{one}!",
    )  # fmt: skip
    return r.choice(forms)


_STREETS = "Street Avenue Road Lane Drive Way Court Boulevard St Ave Rd Terrace Place".split()
_WAYS_BEFORE = (
    "Rua |Via |Calle |ul. |Avenida |Rue de |Place |Rue |Chemin du |Plaza |Viale |Corso |Avenue "
).split("|")[:-1]
_WAYS_AFTER = (
    "straat weg gasse strasse straße gata vej vägen allee platz tie katu utca laan".split()
)


_STREETS_OF = {
    "es": "Calle|C/|Avda.|Avenida|Plaza|Paseo|Camino de|calle|Travesía",
    "it": "Via|via|Viale|Piazza|Corso|Vicolo|Largo|V.le|P.zza",
    "nl": "straat|laan|weg|plein|kade|gracht|steeg|dreef|hof",
    "pt": "Rua|R.|Avenida|Av.|Praça|Travessa|Largo|rua|Estrada de",
}
"""Words for a street by language, behind the name in Dutch, before it elsewhere."""


def street(r: Random, lang: str) -> str:
    """Return a street's name."""
    if lang in COUNTRIES:
        kind, name = r.choice(_STREETS_OF[lang].split("|")), r.choice((last_name, city))(r, lang)
        return f"{name}{kind}" if lang == "nl" else f"{kind} {name}"
    if lang == "fr":
        kind = r.choice("rue avenue boulevard place chemin impasse allée Rue Avenue".split())
        return f"{kind} {r.choice(('de', 'du', 'des', 'de la'))} {last_name(r, lang)}"
    source = r.random()
    if source < 0.2 or lang == "de":
        return r.choice(lines("places/streets_ch.txt.gz"))
    if source < 0.35:
        return f"{r.choice(_WAYS_BEFORE)}{last_name(r, 'en')}"
    if source < 0.5:
        coined = "".join(r.choices(_SYLLABLES, k=2)).capitalize()
        return f"{coined}{r.choice(('', ' '))}{r.choice(_WAYS_AFTER)}"
    return f"{last_name(r, lang)} {r.choice(_STREETS)}"


def address(r: Random, lang: str = "en") -> str:
    """Return a postal address, over one line or several; some to a box or a base."""
    if lang != "en":
        return _continental(r, lang)
    number, gap = r.randint(1, 9999), r.choice((", ", "\n", " ", "\n ", "  "))
    flat = r.choice(("", "", f"Apt. {r.randint(1, 999)}", f"Suite {r.randint(1, 999):03}"))
    code = r.choice((f"{r.randint(1000, 99999)}", f"{r.randint(10000, 99999)}"))
    state = "".join(r.choices("ABCDKLMNOTVWXY", k=2))
    source = r.random()
    if source < 0.06:
        base = r.choice(
            (f"PSC {number}, Box", f"Unit {number} Box", f"CMR {number}, Box", "USS Orwex")
        )
        return (
            f"{base} {r.randint(1, 9999)}{gap}{r.choice(('APO', 'FPO'))} A{r.choice('AEP')} {code}"
        )
    if source < 0.1:
        return f"{r.choice(('P.O. Box', 'PO Box', 'Postbox', 'Box'))} {number}{gap}{town(r)} {code}"
    if source < 0.15:
        ways = f"{street(r, 'en')} and {street(r, 'en')}"
        return r.choice((f"the corner of {ways}", f"{number} {ways}"))
    way = r.choice(
        (f"{number} {street(r, 'en')}", f"{street(r, 'en')} {number % 200 + 1}",
         f"{number % 100} {street(r, 'en')} {number % 97}")
    )  # fmt: skip
    parts = [f"{flat} {way}".strip() if r.random() < 0.3 else f"{way} {flat}".strip()]
    place = town(r)
    parts.append(
        r.choice((f"{place}, {state}", place, place, f"{code} {place}", f"{place} , {state}"))
    )
    if r.random() < 0.1:
        parts.reverse()
    return gap.join(parts) + r.choice(
        (f" {code}", f"{gap}{country(r)} {code}", "", f" {country(r)}")
    )


def _continental(r: Random, lang: str) -> str:
    number, gap = r.randint(1, 199), r.choice((", ", "\n", " ", " - "))
    if lang == "fr":
        more = r.choice(("", "", "", " bis", " ter"))
        place = f"{r.choice(lines('places/postcodes_fr.txt'))} {town(r, lang)}"
        flat = r.choice(("", "", "", f"{gap}Bât. {r.choice('ABCD')}", f"{gap}appt {number}"))
        return f"{number}{more}{r.choice((' ', ', '))}{street(r, lang)}{flat}{gap}{place}"
    if lang in COUNTRIES:
        code, low = r.randint(10000, 99999), r.randint(1, 999)
        letters = "".join(r.choices("ABCDEGHJKLNPRSTVWXZ", k=2))
        floor = r.choice(("", "", f", {r.randint(1, 9)}º {r.choice('ABCD')}"))
        more, place = {
            "es": (floor, f"{code} {town(r, lang)}"),
            "it": (r.choice(("", "", f", int. {number % 9 + 1}")), f"{code} {town(r, lang)}"),
            "nl": (r.choice(("", "", "a", "-2")), f"{code // 10} {letters} {town(r, lang)}"),
            "pt": (floor, f"{code // 10}-{low:03} {town(r, lang)}"),
        }[lang]
        comma = "" if lang == "nl" else r.choice((",", ","))
        place = r.choice(("", f"{gap}{town(r, lang)}", f"{gap}{place}", f"{gap}{place}"))
        return f"{street(r, lang)}{comma} {number}{more}{place}"
    more = r.choice(("", "", "", "a", "b"))
    return f"{street(r, lang)} {number}{more}{gap}{r.randint(1000, 99999)} {town(r, lang)}"


def town(r: Random, lang: str = "en") -> str:
    """Return a town, now and then in capitals."""
    name = city(r, lang)
    return name.upper() if r.random() < 0.15 else name


_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
}


def date(r: Random, lang: str = "en") -> str:
    """Return a date in one of many forms."""
    d, m, y = r.randint(1, 28), r.randint(1, 12), r.randint(1930, 2024)
    name = _MONTHS[lang].split()[m - 1]
    forms = {
        "en": (f"{m}/{d}/{y}", f"{name} {d}, {y}", f"{name} {d}", f"{d} {name} {y}"),
        "fr": (
            f"{d:02}/{m:02}/{y}",
            f"{d} {name} {y}",
            f"{d} {name}",
            f"{d:02}.{m:02}.{y % 100:02}",
        ),
        "de": (f"{d:02}.{m:02}.{y}", f"{d}. {name} {y}", f"{d}. {name}", f"{d}.{m}.{y % 100:02}"),
        "es": (f"{d:02}/{m:02}/{y}", f"{d} de {name} de {y}", f"{d} de {name}", f"{d}-{m}-{y}"),
        "it": (f"{d:02}/{m:02}/{y}", f"{d} {name} {y}", f"{d} {name}", f"{d}.{m}.{y}"),
        "nl": (f"{d:02}-{m:02}-{y}", f"{d} {name} {y}", f"{d} {name}", f"{d}-{m}-{y % 100:02}"),
        "pt": (f"{d:02}/{m:02}/{y}", f"{d} de {name} de {y}", f"{d} de {name}", f"{d}/{m}"),
    }[lang]
    return r.choice((*forms, f"{y}-{m:02}-{d:02}", f"{name} {y}"))
