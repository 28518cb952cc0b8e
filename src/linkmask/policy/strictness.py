"""Orders techniques by how much of a value they leave."""

DONE = {
    "removal": "removed",
    "tokenization": "replaced by a random code that only the vault turns back",
    "pseudonymization": "replaced by a code that only the key turns back",
    "truncation:zip3": "cut to its first three digits",
    "truncation:last4": "cut to its last four characters",
    "masking": "cut to its first letter and its domain",
    "generalization:kind": "replaced by its kind, or by its state",
    "generalization:specialty": "replaced by its kind and specialty, or by its state",
    "generalization:class": "replaced by its class of conditions or treatments",
    "generalization:region": "replaced by its state or region",
    "generalization:area": "replaced by its state, or by three digits of the ZIP code",
    "generalization:town": "replaced by its town",
    "generalization:year": "replaced by its year",
    "generalization:quarter": "replaced by its quarter",
    "generalization:month": "replaced by its month",
    "generalization:band": "replaced by a band of ten years, 90+ at most",
    "generalization:range": "replaced by a range",
    "shift": "moved by the days of its person",
    "generalization:under90": "replaced by 90+ where it is 90 or more",
    "keep": "left as it is; the limits may mask it",
}
"""Every technique (formulas.md §14.2), the strictest first, and what it did in words."""
STRICTNESS = tuple(DONE)
