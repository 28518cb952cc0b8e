"""Recognizes types that only regulations name: card data, accounts, plates, devices, faces.

They are searched for only if the schema has these types. Nearly all need a trigger before them; the
tables of triggers come first, the shapes after.
"""

from __future__ import annotations

import re

from linkmask.detect.patterns.rule import Judge, Rule, Verdict, before, digits

CARD = r"card|carte|karte|kreditkarte|visa|mastercard|amex|cb|cvv2?|cvc2?|(?:[0-9]{4}[ -]?){4}"
CODE = (
    r"cvv2?|cvc2?|csc|cid|card (?:verification|security) (?:code|number|value)|security code"
    r"|cryptogramme(?: visuel)?|code de (?:s[ée]curit[ée]|v[ée]rification)|code cvv"
    r"|(?:karten)?pr[üu]f(?:nummer|ziffer)|sicherheitscode"
)
EXPIRY = (
    r"exp|expiry(?: date)?|expires?|expiration(?: date)?|exp\.? date"
    r"|valid (?:thru|through|until|to)|good thru|date d['’]expiration|expirant"
    r"|fin de validit[ée]|valable jusqu['’]au|g[üu]ltig bis|ablaufdatum|verfallsdatum"
)
PIN = r"pin|pin code|pin number|code pin|code (?:secret|confidentiel)|geheimzahl|pin-code"
SERVICE = r"service code|code de service|servicecode"
ACCOUNT = (
    r"account|acct|a/c|bank account|account (?:no|number)|compte|num[ée]ro de compte"
    r"|konto|kontonummer|konto-?nr|kto"
)
LICENSE = (
    r"licen[cs]e|licen[cs]e (?:no|number)|driver['’]?s licen[cs]e|driving licen[cs]e|dl|certificate"
    r"|certificate (?:no|number)|dea|npi|permis(?: de conduire)?|certificat|rpps|adeli"
    r"|f[üu]hrerschein(?:nummer|-?nr)?|approbation(?:snummer)?"
)
VEHICLE = (
    r"vin|chassis(?: number)?|vehicle identification number|(?:licen[cs]e|number) plate|plate"
    r"|registration|immatricul[ée]+e?|immatriculation|plaque|kennzeichen|fahrgestellnummer|fin"
)
DEVICE = (
    r"serial|serial (?:no|number)|s/?n|device id|device identifier|udi|imei"
    r"|implant (?:no|number|id)|num[ée]ro de s[ée]rie|n° de s[ée]rie|seriennummer|serien-?nr"
    r"|ger[äa]tenummer|geräte-?id"
)
BIOMETRIC = (
    r"fingerprint|voice ?print|iris|retina|faceprint|facial|biometrics?|empreintes?(?: digitales?)?"
    r"|biom[ée]triques?|fingerabdruck|fingerabdrücke|stimmprofil|biometrisch\w{0,3}"
)


LEAD = r"(?:[^\n\w]|(?i:no|number|nr|n|id|is|hash|template|ending)\b){0,8}"
"""What stands between a word and the value it names."""


def _behind_word(
    entity_type: str, words: str, gap: str = r"[^\n\d]{0,24}", size: int = 64
) -> Judge:
    """Return a judge: one of the words stands before the value, with at most `gap` between."""
    cue = re.compile(rf"(?i)(?<![^\W_])(?:{words})(?![^\W_]){gap}$")

    def judge(text: str, start: int, end: int) -> Verdict:
        return (entity_type, 0.95) if cue.search(before(text, start, size)) else None

    return judge


def _expiry(text: str, start: int, end: int) -> Verdict:
    """Take 09/27 after "exp" where a card was named: policies expire as well."""
    lead = before(text, start, 160)
    dated = re.search(rf"(?i)(?<![^\W_])(?:{EXPIRY})(?![^\W_])[^\n\d]{{0,16}}$", lead)
    card = re.search(rf"(?i)(?<![^\W_])(?:{CARD})(?![^\W_])", lead)
    return ("CARD_EXPIRY", 0.95) if dated and card else None


def _pin(text: str, start: int, end: int) -> Verdict:
    """Take four to six digits after "PIN"; an Indian postal PIN is an address."""
    lead = before(text, start, 64)
    said = re.search(rf"(?i)(?<![^\W_])(?:{PIN})(?![^\W_])[^\n\d]{{0,16}}$", lead)
    postal = re.search(r"(?i)postal|post|zip|address", lead)
    return ("CARD_PIN", 0.95) if said and not postal else None


def _code_behind_word(entity_type: str, words: str) -> Judge:
    """Return a judge for a code of letters and digits that a word right before it names."""
    said = _behind_word(
        entity_type, words, gap=r"(?:[^\n\w]|(?i:no|number|nr|n|id|is|hash|template)\b){0,8}"
    )

    def judge(text: str, start: int, end: int) -> Verdict:
        value = text[start:end]
        return said(text, start, end) if len(digits(value)) >= 2 else None

    return judge


CURRENCY = r"(?:€|EUR|USD|GBP|CHF|(?i:dollars|euros|francs|franken)(?!\w))"
VIN = "[A-HJ-NPR-Z0-9]"
SIV = "[A-HJ-NP-TV-Z]"
"""Letters of French plates since 2009."""
NUMBER = r"(?![\w%]|[.,/-][0-9])"
MIXED = r"[0-9A-Za-z](?<![\w.,/-].)[0-9A-Za-z./-]{3,28}[0-9A-Za-z](?![\w])"
"""A word that may hold digits, hyphens, points and slashes."""

RULES = (
    Rule(
        "track",
        "CARD_TRACK",
        r"[%;](?:B[0-9]{12,19}\^[^?\n]{2,60}|[0-9]{12,19}=[0-9]{4,24})\?",
        1.0,
        near=("%b", "=0000"),
    ),
    Rule(
        "cvv",
        "CARD_CODE",
        rf"[0-9](?<![\w.,/-].)[0-9]{{2,3}}{NUMBER}",
        judge=_behind_word("CARD_CODE", CODE, LEAD),
        near=("000",),
        reach=(8, 32),
    ),
    Rule(
        "expiry",
        "CARD_EXPIRY",
        rf"[01](?<![\w.,/-].)[0-9] ?[/-] ?(?:20)?[0-9]{{2}}{NUMBER}",
        judge=_expiry,
        near=("00/", "00 /", "00-"),
        reach=(8, 40),
    ),
    Rule(
        "pin-block",
        "CARD_PIN",
        r"[0-9A-F](?<![\w].)[0-9A-F]{15}(?!\w)",
        judge=_behind_word("CARD_PIN", r"pin ?block", r"[^\n\w]{0,8}"),
        near=("pin",),
        reach=(8, 64),
    ),
    Rule(
        "pin",
        "CARD_PIN",
        rf"[0-9](?<![\w.,/-].)[0-9]{{3,5}}{NUMBER}",
        judge=_pin,
        near=("pin", "code ", "geheim"),
        reach=(8, 48),
    ),
    Rule(
        "service",
        "SERVICE_CODE",
        rf"[0-9](?<![\w.,/-].)[0-9]{{2}}{NUMBER}",
        judge=_behind_word("SERVICE_CODE", SERVICE),
        near=("service",),
        reach=(8, 48),
    ),
    Rule(
        "vin",
        "VEHICLE_ID",
        rf"{VIN}(?<!\w.){VIN}{{12}}[0-9]{{4}}(?!\w)",
        judge=_code_behind_word("VEHICLE_ID", VEHICLE),
        near=("0000",),
        reach=(32, 40),
    ),
    Rule(
        "plate-fr",
        "VEHICLE_ID",
        rf"{SIV}(?<![\w-].){SIV}-[0-9]{{3}}-{SIV}{{2}}(?![\w-])",
        0.8,
        near=("-000-",),
        reach=(8, 32),
        countries="fr",
    ),
    Rule(
        "vehicle-plate",
        "VEHICLE_ID",
        r"[A-Z0-9](?<![\w-].)[A-Z0-9ÄÖÜ]{0,3}[ -]?[A-Z0-9]{1,4}[ -]?[A-Z0-9]{0,4}(?![\w-])",
        judge=_code_behind_word("VEHICLE_ID", VEHICLE),
        near=("plate", "registration", "immatricul", "plaque", "kennzeichen"),
        reach=(4, 40),
    ),
    Rule(
        "account",
        "ACCOUNT_NUMBER",
        rf"[0-9](?<![\w.,/-].)[0-9](?:[ -]?[0-9]){{4,17}}{NUMBER}",
        judge=_behind_word("ACCOUNT_NUMBER", ACCOUNT, LEAD),
        near=("acc", "a/c", "compte", "konto", "kto"),
        reach=(4, 64),
    ),
    Rule(
        "license",
        "LICENSE_NUMBER",
        MIXED,
        judge=_code_behind_word("LICENSE_NUMBER", LICENSE),
        near=(
            "licen",
            "dl",
            "certifica",
            "dea",
            "npi",
            "permis",
            "rpps",
            "adeli",
            "hrerschein",
            "approbation",
        ),
        reach=(4, 64),
    ),
    Rule(
        "device",
        "DEVICE_ID",
        r"[0-9A-Za-z(](?<![\w.,/-].)[0-9A-Za-z()./-]{3,40}[0-9A-Za-z](?!\w)",
        judge=_code_behind_word("DEVICE_ID", DEVICE),
        near=(
            "serial",
            "s/n",
            " sn",
            "device id",
            "udi",
            "imei",
            "implant ",
            "rie ",
            "seriennu",
            "serien-",
            "ger",
        ),
        reach=(4, 64),
    ),
    Rule(
        "biometric",
        "BIOMETRIC",
        MIXED,
        judge=_code_behind_word("BIOMETRIC", BIOMETRIC),
        near=(
            "finger",
            "voice",
            "iris",
            "retina",
            "facepr",
            "facial",
            "biom",
            "empreinte",
            "stimmprofil",
        ),
        reach=(4, 64),
    ),
    Rule(
        "photo",
        "PHOTO",
        r"[\w](?<![\w/.-].)[\w./-]{0,80}\.(?i:jpe?g|png|heic|tiff?|gif|bmp|dcm)(?!\w)",
        near=(".jp", ".png", ".heic", ".tif", ".gif", ".bmp", ".dcm"),
        reach=(90, 32),
    ),
    Rule(
        "amount",
        "AMOUNT",
        r"[$€£] ?[0-9](?:[0-9.,'’ ]{0,16}[0-9])?(?![\w%]|[.,][0-9])",
        near=("$", "€", "£", "?"),
        reach=(2, 48),
    ),
    Rule(
        "amount-after",
        "AMOUNT",
        rf"[0-9](?<![\w.,-].)(?:[0-9.,'’\u00a0\u202f ]{{0,16}}[0-9])? ?{CURRENCY}",
        near=("eur", "usd", "gbp", "chf", "dollars", "fran", "?"),
        reach=(32, 40),
    ),
)
