"""How to reach somebody or something: e-mail, web and network addresses, phone numbers."""

from __future__ import annotations

import re
from ipaddress import ip_address

from linkmask.detect.patterns.rule import Rule, Verdict, before, digits

TOP = (
    "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "io", "ai", "app", "dev",
    "me", "tv", "health", "care", "clinic", "hospital", "online", "eu", "us", "uk", "ca", "au",
    "nz", "ie", "fr", "be", "lu", "de", "at", "ch", "li", "nl", "es", "it", "pt", "pl", "cz",
    "se", "no", "dk", "fi", "in", "jp", "br", "mx",
)  # fmt: skip
"""Last labels by which a bare host name is known; others need a scheme or `www.`."""

HEX = "[0-9A-Fa-f]"
LINE_END = r"(?<![.,;:!?])"


def _ip(text: str, start: int, end: int) -> Verdict:
    """Take what is an address; `12.3.4.5` after "version" or "section" is none."""
    try:
        ip_address(text[start:end])
    except ValueError:
        return None
    if ":" in text[start:end] and end - start < 8:  # C::B
        return None
    numbered = r"(?i)(?:version|v|section|release|chapter|§)\.? ?$"
    return None if re.search(numbered, before(text, start, 12)) else ("IP_ADDRESS", 0.95)


NET = (
    Rule(
        "email",
        "EMAIL",
        r"[\w+](?<![\w.%+'-].)[\w.%+'-]*+@"
        r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,5}[^\W\d_]{2,24}(?![\w@-])",
        1.0,
        near=("@",),
        reach=(80, 200),
    ),
    Rule(
        "email-spelled",  # anna.roth [at] example [dot] org
        "EMAIL",
        r"[\w+](?<![\w.%+'-].)[\w.%+-]*+ ?[\[({] ?(?i:at|arobase|@) ?[\])}] ?"
        r"(?:[\w-]{1,63}(?: ?[\[({] ?(?i:dot|point|punkt) ?[\])}] ?|\.)){1,4}[A-Za-z]{2,12}(?!\w)",
        0.95,
        near=("(at)", "[at]", "{at}", "( at )", "[ at ]", "(@)", "[@]", "arobase"),
        reach=(80, 160),
    ),
    Rule(
        "url",
        "URL",
        r"[hHfFwW](?<!\w.)(?:(?:(?<=[hH])(?i:ttps?)|(?<=[fF])(?i:tps?))://|(?<=[wW])(?i:ww\.))"
        rf"[^\s<>\"'`|)\]}}]{{2,2000}}{LINE_END}",
        1.0,
        near=("://", "www."),
        reach=(8, 2100),
    ),
    Rule(
        "host",
        "URL",
        r"[a-zA-Z0-9](?<![\w@.-].)(?:[a-zA-Z0-9-]{0,62}\.){1,4}"
        rf"(?:{'|'.join(TOP)})(?![\w-]|\.\w)(?:/[^\s<>\"'`|)\]}}]{{0,2000}}{LINE_END})?",
        0.85,
        near=tuple(f".{label}" for label in TOP),
        reach=(80, 2100),
    ),
    Rule(
        "mac",
        "IP_ADDRESS",
        rf"{HEX}(?<![\w:-].){HEX}(?:(?::{HEX}{{2}}){{5}}|(?:-{HEX}{{2}}){{5}})(?![\w:-])",
        0.95,
        near=(":", "-00-", *(f"-0{x}-" for x in "abcdef"), *(f"-{x}0-" for x in "abcdef")),
        reach=(16, 48),
    ),
    Rule(
        "ipv6",
        "IP_ADDRESS",
        r"[0-9A-Fa-f:](?<![\w:.].)(?=[0-9A-Fa-f]{0,3}:)[0-9A-Fa-f:]{2,39}+(?:\.[0-9.]{3,12})?"
        r"(?!\w)",
        judge=_ip,
        near=(":",),
        reach=(6, 64),
    ),
    Rule(
        "ipv4",
        "IP_ADDRESS",
        r"[0-9](?<![\w.-].)[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?![\w-]|\.[0-9])",
        judge=_ip,
        near=("0.0",),
        reach=(16, 48),
    ),
)

# ── phone numbers ───────────────────────────────────────────────────────────────────────────────

REGIONS = ("US", "GB", "FR", "DE", "CH")
"""Numbering plans a national number is tried in, in this order."""

CUES = (
    r"tel|telephone|phones?|call(?:ed|ing)?|fax|mobile|cell|reach(?:ed)?(?: \w+)? (?:at|on)|hotline"
    r"|contact(?:ed)?|dial|text|helpline|desk|office|answering at|whatsapp|sms|pager|voicemail"
    r"|téléphon\w*|tél|portable|appel(?:er|ez)?|joindre|joignables?|ligne|télécopie|faxer"
    r"|telefon\w*|handy|mobil|anruf\w*|rufnummer|erreichbar|durchwahl"
)
CUE = re.compile(rf"(?i)(?<![^\W_])(?:{CUES})(?![^\W_])[^\n\d]{{0,24}}$")
HINTS = (
    "tel", "tél", "phon", "call", "fax", "mobil", "cell", "reach", "line", "contact", "dial",
    "text", "desk", "office", "answering", "whatsapp", "sms", "pager", "voicemail", "portable",
    "appel", "joi", "ligne", "handy", "ruf", "erreich", "durchwahl",
)  # fmt: skip
"""Pieces without which `CUE` need not be tried: it is slow, and most numbers are no phones."""
US = re.compile(
    r"(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[.-])[0-9]{3}[ .-][0-9]{4}(?![0-9])"
)
FR = re.compile(r"0[1-9](?:[ .-]?[0-9]{2}){4}$")
EXTENSION = re.compile(r"(?i)\s?(?:x|e|p|d|#)")


def _phone(text: str, start: int, end: int) -> Verdict:
    """Take unmistakable groupings, then what a numbering plan allows, then any after a cue."""
    main = EXTENSION.split(text[start:end], maxsplit=1)[0]
    count = len(digits(main))
    if not 6 <= count <= 15 or len(re.findall("[0-9]+", main)) > 7:
        return None
    if US.match(main) or FR.match(main):
        return "PHONE_NUMBER", 0.95
    cued = _cued(before(text, start, 44))
    if main.startswith("+") or re.match(r"00[1-9]|\(\+?[1-9]", main):
        return ("PHONE_NUMBER", 0.95) if count >= 8 and (cued or _possible(main)) else None
    if cued:
        return "PHONE_NUMBER", 0.9
    sure = main.startswith(("0", "(0")) or count == 10
    if sure and len(main) > count >= 9 and any(_valid(main, region) for region in REGIONS):
        return "PHONE_NUMBER", 0.75
    return None


def _cued(lead: str) -> bool:
    """Tell whether a number after these words is one to call."""
    small = lead.casefold()
    return any(hint in small for hint in HINTS) and CUE.search(lead) is not None


def _possible(value: str) -> bool:
    """Tell whether an international number has a prefix and a length that exist."""
    import phonenumbers

    bare = digits(value.replace("(0)", ""))
    try:
        number = phonenumbers.parse("+" + (bare[2:] if bare.startswith("00") else bare))
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_possible_number(number)


def _valid(value: str, region: str) -> bool:
    """Tell whether the numbering plan of a region has this number."""
    import phonenumbers

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(value, region))
    except phonenumbers.NumberParseException:
        return False


NEAR_PAIRS = ("00 00 00", "00.00.00", "00-00-00", "00000000", "00\u00a000\u00a000")

PHONES = (
    Rule(
        "phone-fr",  # 06 12 34 56 78, +33 (0)6 12 34 56 78, (33) 6 12 34 56 78
        "PHONE_NUMBER",
        r"[+(0](?<![0-9.,/+#$€£-].)(?:(?<=\+) ?33 ?(?:\(0\))?|(?<=\()\+?33\) ?(?:\(0\))?0?"
        r"|(?<=0)(?:033 ?)?(?:\(0\))?) ?[1-9]([ .\u00a0-]?)[0-9]{2}(?:\1[0-9]{2}){3}"
        r"(?!\w|[.,/-][0-9])",
        0.95,
        near=NEAR_PAIRS,
        reach=(32, 48),
        countries="fr",
    ),
    Rule(
        "phone-us",  # 617-555-0184, (617) 555-0184, +1 617.555.0184
        "PHONE_NUMBER",
        r"[+(12-9](?<![\w.,/+#$€£-].)(?:(?<=\+)1[ .-]?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])"
        r"|(?<=1)[ .-](?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[.-])|(?<=\()[2-9][0-9]{2}\) ?"
        r"|(?<=[2-9])[0-9]{2}[.-])[0-9]{3}[ .-][0-9]{4}"
        r"(?: ?(?:x|ext\.?|extension|#) ?[0-9]{1,6})?(?![\w%]|[.,/-][0-9])",
        0.95,
        near=("000-0000", "000.0000", "000 0000"),
        reach=(32, 48),
        countries="us",
    ),
    Rule(
        "phone",
        "PHONE_NUMBER",
        r"[+(0-9](?<![\w.,/+#$€£-].)"
        r"(?:(?<=\+) ?(?:\([0-9]{1,4}\)|[0-9]{1,14}+)|(?<=\()\+?[0-9]{1,5}\)"
        r"|(?<=[0-9])[0-9]{0,14}+)"
        r"(?:[ ./\u00a0‑–-]{1,2}(?:\([0-9]{1,5}\)|[0-9]{1,12}+)|\([0-9]{1,5}\)"
        r"|(?<=\))[0-9]{1,12}+){0,8}"
        r"(?: ?(?:x|ext\.?|extension|poste|Durchwahl|#) ?[0-9]{1,6})?(?![\w%]|[.,/-][0-9])",
        judge=_phone,
        near=(
            "000-0", "000.0", "000 0", "00 00", "00.00", "00-00", "000000", ")0", ") 0", "+0",
            "0/0", "00 0", "00\u00a00",
        ),
        reach=(32, 64),
    ),
)  # fmt: skip
