"""Changes of what is written in place of a value, and why."""

from package_changes.change import Change, masks

STYLE = '''

def numbered(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """The type, and the number of the entity in its run."""
    return lambda entity, original, document: f"({targets[entity].type} {context.tokens[entity]})"


def next_number(taken: Set[str]) -> str:
    return str(len(taken) + 1)


def drawn(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """What `surrogate` writes."""
    return surrogate(targets, context)


def token('''
TRAITS = """    "numbered": StyleTraits(reversible=True, code=next_number, unknown="redact"),
    "drawn": StyleTraits(reversible=True, varies=True, drawn=True, tells_apart=True, tries=True),
    "shift": StyleTraits("""
KEEPS_NUMBERS = """
import pathlib, linkmask
from linkmask.commands import mask_files, update_files
base = pathlib.Path(linkmask.__file__).parents[1]
(base / "in").mkdir()


def masked(name, **overrides):
    given = {"detector": "patterns", **overrides}
    settings = linkmask.load(overrides=given, environment={})
    mask_files(base / "in", base / name, settings)
    return [path.read_text() for path in sorted((base / name / "documents").iterdir())]


for name in "ab":
    (base / "in" / f"{name}.txt").write_text("Reply to (906) 555-0143.")
print(masked("numbers", style="numbered"))
masker = linkmask.open(base / "numbers.run")
print(masker.mask_text("Not (906) 555-0143, but (906) 555-0199."))
print(masker.unmask_text("Ask (PHONE_NUMBER 1)."))
masker.close()
(base / "in" / "c.txt").write_text("Write to x@y.example, or to (906) 555-0143.")
update_files(base / "numbers.run", base / "in", base / "more", {})
print((base / "more/documents/c.txt").read_text())
for linkable in (True, False):
    both = [masked(f"{one}{linkable}", style=one, linkable=linkable, surrogate_facts="invented")
            for one in ("surrogate", "drawn")]
    opened = [linkmask.open(base / f"{one}{linkable}.run") for one in ("surrogate", "drawn")]
    texts = [str(one.mask_text("Call (906) 555-0143.")) for one in opened]
    print(both[0] == both[1] != masked(f"plain{linkable}"), texts[0] == texts[1])
"""
POLICY = """
name = "house"
title = "Rules of the house"
priority = 9
when = "personal"
claim = "linkmask follows the rules of the house."

[types.PHONE_NUMBER]
sensitivity = "high"
covered = true
technique = "removal"
citation = "Rule 1"
reason = "Numbers of telephones are removed."
"""
FIRST2 = '''
def first2(original: str, value: str, language: str) -> str | None:
    """The first two characters."""
    return original[:2]
'''
CITES_A_RULE = """
import linkmask
settings = linkmask.load(overrides={"detector": "patterns", "policy": "house"}, environment={})
result = linkmask.mask(["Reply to (906) 555-0143."], settings)
print([masked.content for masked in result.documents], result.audit.policy["policies"][0]["name"])
"""

CHANGES: dict[str, Change] = {
    "a style": Change(
        [
            ("choices.py", '"token", "shift")', '"token", "shift", "numbered", "drawn")'),
            ("redact/styles.py", "\n\ndef token(", STYLE),
            ("redact/styles.py", "token, shift)", "token, shift, numbered, drawn)"),
            ("redact/styles.py", '    "shift": StyleTraits(', TRAITS),
        ],
        KEEPS_NUMBERS,
        "['Reply to (PHONE_NUMBER 1).', 'Reply to (PHONE_NUMBER 1).']\n"
        "Not (PHONE_NUMBER 1), but [REDACTED].\nAsk +19065550143.\n"
        "Write to (EMAIL 2), or to (PHONE_NUMBER 1).\nTrue True\nTrue True",
    ),
    "a technique that a policy may name": Change(
        [
            (
                "choices.py",
                '    "shift": PolicyTechnique(',
                '    "truncation:first2": PolicyTechnique("cut to its first two characters"),\n'
                '    "shift": PolicyTechnique(',
            ),
            ("redact/techniques/prefixes.py", "", FIRST2),
            (
                "redact/techniques/__init__.py",
                "from linkmask.redact.techniques.places",
                "from linkmask.redact.techniques.prefixes import first2\n"
                "from linkmask.redact.techniques.places",
            ),
            ("redact/techniques/__init__.py", "(last4, zip3,", "(first2, last4, zip3,"),
            ("policy/house.toml", "", POLICY.replace("removal", "truncation:first2")),
        ],
        masks("Reply to (906) 555-0143.", {"policy": "house"}),
        "Reply to (9.",
    ),
    "a regulation": Change(
        [("policy/house.toml", "", POLICY)],
        CITES_A_RULE,
        "['Reply to [REDACTED].'] house",
    ),
}
