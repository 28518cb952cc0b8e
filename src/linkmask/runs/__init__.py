"""The run folder: what is kept between steps, private, written whole or not at all, resumed."""

from linkmask.runs.columns import mention_table
from linkmask.runs.folder import Run, recover
from linkmask.runs.ledger import Ledger
from linkmask.runs.log import Log
from linkmask.runs.mentions import as_it_is, plain, read_mentions, to_parquet

__all__ = [
    "Ledger",
    "Log",
    "Run",
    "as_it_is",
    "mention_table",
    "plain",
    "read_mentions",
    "recover",
    "to_parquet",
]
