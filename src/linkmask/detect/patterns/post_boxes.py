"""Recognizes addresses by words that only addresses have: boxes, post held at an office.

They include Québec's brackets. The rules are tried before numbers after a label, because a box can
have one: "Packstation 144, Postnummer …".
"""

from __future__ import annotations

from linkmask.detect.patterns.rule import Rule
from linkmask.detect.patterns.street_context import CODE_CA, TOWN, whole_address

PROVINCES = "Qu[ée]bec|Ontario|Nouveau-Brunswick|Manitoba|Saskatchewan|Alberta|QC|ON|NB|MB"
CODE_TOWN = rf"(?:(?:F|D|CH|A|L)-)?[0-9]{{4,5}} {TOWN}(?:(?<=[Cc]edex|CEDEX) [0-9]{{1,2}}(?!\w))?"
BREAK = r",?[ \n]{1,2}"

RULES = (
    Rule(
        "street-quebec",  # 1725, rang du Brûlé, Sainte-Perpétue (Québec) J0C 1R0
        "ADDRESS",
        r"[0-9C](?<![\w.,/$€-].)"
        r"(?:(?<=[0-9])[0-9]{0,5}(?:-[0-9]{1,4})?[A-Z]?|(?<=C)\.? ?P\. ?[0-9]{1,6})"
        rf",? [^\W_][^\n,;:()]{{1,40}}(?:, [^\W_][^\n,;:()]{{0,30}}){{0,3}} \((?:{PROVINCES})\)"
        rf",? {{1,2}}{CODE_CA}(?!\w)",
        0.95,
        near=("(québec)", "(quebec)", "(ontario)", "(nouveau-brunswick)", "(qc)", "(on)", "(nb)",
              "(manitoba)", "(mb)", "(alberta)", "(saskatchewan)"),
        reach=(170, 56),
        digit=(170, 32),
    ),
    Rule(
        "box-branch",  # C.P. 41, succ. Bureau-Chef, La Baie
        "ADDRESS",
        r"C(?<!\w.)\.? ?P\.? ?[0-9]{1,6}, ?(?i:succ(?:ursale|\.)?) [A-Z][\w-]{0,24}"
        rf"(?:, {TOWN}(?=[ ]{{0,2}}(?:[.,;:)\n]|$)))?",
        0.95,
        near=("succ",),
        reach=(16, 80),
        widen=whole_address,
    ),
    Rule(
        "box-town",  # B.P. 417, 97600 Mamoudzou; TSA 61202, 35913 Rennes Cedex 9
        "ADDRESS",
        r"[BCT](?<!\w.)(?:(?<=B)\.? ?P\.?|(?<=C)\.? ?P\.|(?<=C)S|(?<=T)SA)"
        r" ?(?:n° ?)?[0-9]{1,3}(?: ?[0-9]{2,3})?"
        rf"(?: [A-ZÀ-Þ][\w'’-]{{2,24}})?{BREAK}{CODE_TOWN}",
        0.95,
        near=("bp 0", "bp0", "b.p. 0", "b.p.0", "b. p. 0", "cs 0", "cs0", "tsa 0", "c.p. 0",
              "b.p. n", "bp n"),
        reach=(4, 120),
        countries="fr ch",
    ),
    Rule(
        "post-held",  # poste restante, 04120 Castellane; postlagernd, 6993 Mittelberg
        "ADDRESS",
        r"[PpG](?<!\w.)(?:(?<=[Pp])oste restante|(?<=[Pp])ostlagernd|(?<=G)eneral Delivery)"
        rf"{BREAK}(?:{CODE_TOWN}|{TOWN},? (?:[A-Z]{{2}}|\([^\W\d_]{{2,12}}\)),? {CODE_CA}(?!\w))",
        0.95,
        near=("poste restante", "postlagernd", "general delivery"),
        reach=(2, 96),
        digit=(0, 80),
    ),
    Rule(
        "box-parcels",  # Packstation 144, Postnummer 30417722, 04109 Leipzig
        "ADDRESS",
        r"P(?<!\w.)(?:ack|aket)(?i:station|box) [0-9]{1,4}"
        rf"(?:{BREAK}(?i:(?:DHL-?)?(?:Post|Kunden)-?(?:nummer|nr\.?))?[ :]{{0,2}}[0-9]{{6,10}})?"
        rf"(?:{BREAK}{CODE_TOWN})?",
        0.95,
        near=("packstation 0", "paketstation 0", "paketbox 0"),
        reach=(4, 96),
        countries="de ch",
    ),
)  # fmt: skip
