"""Changes that docs/contributing.md describes, as small as they can be."""

from package_changes import detection, files, masking, risks
from package_changes.change import Change

CHANGES: dict[str, Change] = {
    **detection.CHANGES,
    **masking.CHANGES,
    **files.CHANGES,
    **risks.CHANGES,
}
"""Name of a change, as the page has it → the change."""
