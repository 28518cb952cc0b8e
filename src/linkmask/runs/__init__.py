"""The run folder: what is kept between steps, private, written whole or not at all, resumed."""

from linkmask.runs.folder import Log, Run
from linkmask.runs.mentions import mention_table, plain, read_mentions, to_parquet

__all__ = ["Log", "Run", "mention_table", "plain", "read_mentions", "to_parquet"]
