"""How to reach somebody or something: e-mail, web and network addresses, phone numbers."""

from __future__ import annotations

import re
from ipaddress import ip_address

from linkmask.detect.patterns.rule import Rule, Verdict, before, digits

TOP = (
    "com|org|net|edu|gov|mil|int|info|biz|io|ai|app|dev|me|tv|health|care|clinic|hospital|online|"
    "eu|us|uk|ca|au|nz|ie|fr|be|lu|de|at|ch|li|nl|es|it|pt|pl|cz|se|no|dk|fi|in|jp|br|mx"
)
"""Last labels by which a bare host name is known; others need a scheme or `www.`."""


def _ip(text: str, start: int, end: int) -> Verdict:
    """Take what is an address; `12.3.4.5` after "version" or "section" is none."""
    try:
        ip_address(text[start:end])
    except ValueError:
        return None
    if re.search(r"(?i)(?:version|v|section|release|chapter|§)\.? ?$", before(text, start, 12)):
        return None
    return "IP_ADDRESS", 0.95


NET = (
    Rule(
        "email",
        "EMAIL",
        r"[\w+](?<![\w.%+'-].)[\w.%+'-]*+@"
        r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,5}[^\W\d_]{2,24}(?![\w@-])",
        1.0,
        needs="@",
    ),
    Rule(
        "email-spelled",
        "EMAIL",
        r"[\w+](?<![\w.%+'-].)[\w.%+-]*+ ?[\[({] ?(?i:at|arobase|@) ?[\])}] ?"
        r"(?:[\w-]{1,63}(?: ?[\[({] ?(?i:dot|point|punkt) ?[\])}] ?|\.)){1,4}[A-Za-z]{2,12}(?!\w)",
        0.95,
        needs="[({",
    ),
    Rule(
        "url",
        "URL",
        r"[hHfFwW](?<!\w.)(?:(?:(?<=[hH])(?i:ttps?)|(?<=[fF])(?i:tps?))://|(?<=[wW])(?i:ww\.))"
        r"[^\s<>\"'`|)\]}]{2,2000}+(?<![.,;:!?])",
        1.0,
        needs=".:",
    ),
    Rule(
        "host",
        "URL",
        r"[a-zA-Z0-9](?<![\w@.-].)(?:[a-zA-Z0-9-]{0,62}\.){1,4}"
        rf"(?:{TOP})(?![\w-]|\.\w)(?:/[^\s<>\"'`|)\]}}]*+(?<![.,;:!?]))?",
        0.85,
        needs=".",
    ),
    Rule(
        "mac",
        "IP_ADDRESS",
        r"[0-9A-Fa-f](?<![\w:-].)[0-9A-Fa-f](?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5}"
        r"|[0-9A-Fa-f]{2}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![\w:-])",
        0.95,
        needs=":-.",
    ),
    Rule(
        "ipv6",
        "IP_ADDRESS",
        r"[0-9A-Fa-f:](?<![\w:.].)(?=[0-9A-Fa-f]{0,3}:)[0-9A-Fa-f:]{2,39}+(?:\.[0-9.]{3,12})?(?!\w)",
        judge=_ip,
        needs=":",
    ),
    Rule(
        "ipv4",
        "IP_ADDRESS",
        r"[0-9](?<![\w.-].)[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?![\w-]|\.[0-9])",
        judge=_ip,
        needs=".",
    ),
)

# ── phone numbers ───────────────────────────────────────────────────────────────────────────────

REGIONS = ("US", "GB", "FR", "DE", "CH")
"""Numbering plans a national number is tried in, in this order."""

CUE = re.compile(
    r"(?i)(?<![^\W_])(?:tel|telephone|phones?|call(?:ed|ing)?|fax|faxer|mobile|cell|reach(?:ed)?(?: \w+)? "
    r"(?:at|on)|contact(?:ed)?|dial|text|hotline|helpline|desk|office|answering at|téléphon\w*|tél|portable|"
    r"appel(?:er|ez)?|joindre|joignables?|ligne|télécopie|telefon\w*|handy|mobil|anruf\w*|rufnummer|"
    r"erreichbar|durchwahl|whatsapp|sms|pager|voicemail|number is)(?![^\W_])[^\n\d]{0,24}$"
)
_US = re.compile(
    r"(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[.-])[0-9]{3}[ .-][0-9]{4}(?![0-9])"
)
_FR = re.compile(r"0[1-9](?:[ .-]?[0-9]{2}){4}$")


def _phone(text: str, start: int, end: int) -> Verdict:
    """Take unmistakable groupings, then what a numbering plan allows, then any after a cue."""
    value = text[start:end]
    main = re.split(r"(?i)\s?(?:x|e|p|d|#)", value, maxsplit=1)[0]
    count = len(digits(main))
    if not 6 <= count <= 15 or text[end : end + 1] == "%":
        return None
    if _US.match(value):
        return "PHONE_NUMBER", 0.95
    cued = CUE.search(before(text, start, 44)) is not None
    if value.startswith("+") or re.match(r"00[1-9]|\(\+?[1-9]", value):
        return ("PHONE_NUMBER", 0.95) if count >= 8 and (cued or _valid(main, None)) else None
    if _FR.match(main):
        return "PHONE_NUMBER", 0.95
    if cued:
        return "PHONE_NUMBER", 0.9
    grouped = len(main) > count
    if grouped and count >= 9 and any(_valid(main, region) for region in REGIONS):
        sure = main.startswith(("0", "(0")) or count == 10
        return ("PHONE_NUMBER", 0.75) if sure else None
    return None


def _valid(value: str, region: str | None) -> bool:
    """Tell whether the numbering plan of the region, or of the number's own prefix, has it."""
    import phonenumbers

    if region is None:
        bare = digits(re.sub(r"\(0\)", "", value))
        value = "+" + (bare[2:] if bare.startswith("00") else bare)
    try:
        number = phonenumbers.parse(value, region)
    except phonenumbers.NumberParseException:
        return False
    return (
        phonenumbers.is_possible_number(number)
        if region is None
        else (phonenumbers.is_valid_number(number))
    )


PHONES = (
    Rule(
        "phone",
        "PHONE_NUMBER",
        r"[+(0-9](?<![\w.,/+#$€£-].)(?:(?<=\+) ?\(?[0-9]{1,4}|(?<=\()\+?[0-9]{1,5}|(?<=[0-9])[0-9]{0,14})"
        r"\)?(?:[ ./\u00a0‑–-]{0,2}\(?[0-9]{1,12}\)?){0,7}"
        r"(?: ?(?:x|ext\.?|extension|poste|Durchwahl|#) ?[0-9]{1,6})?(?![\w%]|[.,/-][0-9])",
        judge=_phone,
    ),
)
