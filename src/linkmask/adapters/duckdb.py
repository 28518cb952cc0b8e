"""DuckDB as the engine for planning in SQL: on one machine, beyond its memory.

DuckDB can fetch extensions by itself when a statement asks for one: that is switched off, and
nothing here needs one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkmask.errors import MissingExtra

if TYPE_CHECKING:
    import pyarrow as pa

CONFIGURATION = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""`preserve_insertion_order` stays on: without it, DuckDB 2.0 also loses the order of ORDER BY."""


class DuckTables:
    """Tables in a DuckDB database: in memory, or in a file of a private folder.

    Args:
        folder: a new folder for the database and for what does not fit into memory; without it,
            nothing is written to disk.
        memory: the most that DuckDB may take, as "8GB".
        threads: by default all cores.
    """

    def __init__(
        self, folder: str | os.PathLike[str] | None = None, memory: str = "", threads: int = 0
    ) -> None:
        try:
            import duckdb
        except ImportError:
            raise MissingExtra(
                "planning in SQL needs DuckDB: pip install 'linkmask[sql]'"
            ) from None
        place = ":memory:"
        chosen: dict[str, Any] = {**CONFIGURATION, "temp_directory": ""}
        if folder is not None:
            Path(folder).mkdir(mode=0o700, parents=True)
            place = str(Path(folder) / "tables.duckdb")
            chosen["temp_directory"] = str(Path(folder) / "spill")
        if memory:
            chosen["memory_limit"] = memory
        if threads:
            chosen["threads"] = str(threads)
        self.connection: Any = duckdb.connect(place, config=chosen)

    def put(self, name: str, rows: pa.Table) -> None:
        """Make a table of Arrow rows."""
        self.connection.register("given_rows", rows)
        self.keep(name, "select * from given_rows")
        self.connection.unregister("given_rows")

    def keep(self, name: str, select: str) -> int:
        """Make a table of what a statement selects; return its rows."""
        self.connection.execute(f"create or replace table {name} as {select}")
        found = self.connection.execute(f"select count(*) from {name}").fetchall()  # noqa: S608
        return int(found[0][0])

    def read(self, select: str) -> pa.Table:
        """Return what a statement selects."""
        return self.connection.sql(select).to_arrow_table()

    def drop(self, *names: str) -> None:
        """Drop tables."""
        for name in names:
            self.connection.execute(f"drop table if exists {name}")

    def close(self) -> None:
        """Close the database."""
        self.connection.close()
