"""The run folder: what is kept between steps, private, written whole or not at all, resumed."""

from linkmask.runs.columns import mention_table
from linkmask.runs.folder import Run
from linkmask.runs.ledger import Ledger
from linkmask.runs.locking import recover
from linkmask.runs.log import Log
from linkmask.runs.masked_file import MaskedFile, MaskedRow, row_in, row_of
from linkmask.runs.mentions import lower_and_collapse, read_mentions, to_parquet, unchanged
from linkmask.runs.unlinked_file import UnlinkedFile

__all__ = [
    "Ledger",
    "Log",
    "MaskedFile",
    "MaskedRow",
    "Run",
    "UnlinkedFile",
    "lower_and_collapse",
    "mention_table",
    "read_mentions",
    "recover",
    "row_in",
    "row_of",
    "to_parquet",
    "unchanged",
]
