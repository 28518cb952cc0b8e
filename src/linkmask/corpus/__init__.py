"""Files → documents, and masked documents → files of the same names, shape and order."""

from linkmask.corpus.chunks import ChunkFile
from linkmask.corpus.field_names import check_fields, check_records
from linkmask.corpus.file_kinds import format_of
from linkmask.corpus.files import Place, place_in_input
from linkmask.corpus.listing import digest
from linkmask.corpus.normalize import document_id, normalize
from linkmask.corpus.read import Corpus, read
from linkmask.corpus.readback import record_digest
from linkmask.corpus.redacted_files import RedactedFiles
from linkmask.corpus.staging import (
    Carried,
    StagedOutput,
    check_out,
    check_replaceable,
    unchanged_files,
)
from linkmask.corpus.write import Unwritable, WriteReport, stage_output, write

__all__ = [
    "Carried",
    "ChunkFile",
    "Corpus",
    "Place",
    "RedactedFiles",
    "StagedOutput",
    "Unwritable",
    "WriteReport",
    "check_fields",
    "check_out",
    "check_records",
    "check_replaceable",
    "digest",
    "document_id",
    "format_of",
    "normalize",
    "place_in_input",
    "read",
    "record_digest",
    "stage_output",
    "unchanged_files",
    "write",
]
