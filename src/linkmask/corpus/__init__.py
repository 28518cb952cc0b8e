"""Files → documents, and masked documents → files of the same names, shape and order."""

from linkmask.corpus.files import digest
from linkmask.corpus.normalize import document_id, normalize
from linkmask.corpus.read import read
from linkmask.corpus.write import Written, check_out, write

__all__ = ["Written", "check_out", "digest", "document_id", "normalize", "read", "write"]
