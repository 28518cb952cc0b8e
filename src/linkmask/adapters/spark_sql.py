"""Spark as the engine for planning in SQL: the same statements as on DuckDB, on a cluster.

Each table is written as Parquet when it is made, so that no plan grows from round to round and a
lost executor costs the current statement alone.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkmask.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession


class SparkTables:
    """Tables as Parquet files of a new folder, which driver and workers reach by the same path.

    Raises:
        UsageError: the folder is there already.
    """

    def __init__(self, session: SparkSession, folder: str | os.PathLike[str]) -> None:
        self._session = session
        self._place = Path(folder).absolute()
        if self._place.exists():
            raise UsageError(f"{self._place} is there already: give a new folder")
        self._place.mkdir(mode=0o700, parents=True)
        self._files: dict[str, Path] = {}
        self._made = 0

    def put(self, name: str, rows: pa.Table) -> None:
        """Make a table of Arrow rows."""
        import pyarrow.parquet as pq

        path = self._next(name)
        path.mkdir()
        pq.write_table(rows, path / "part.parquet")
        self._show(name, path)

    def keep(self, name: str, select: str) -> int:
        """Make a table of what a statement selects; return its rows."""
        path = self._next(name)
        self._session.sql(select).write.parquet(path.as_uri())
        return int(self._show(name, path).count())

    def read(self, select: str) -> pa.Table:
        """Return what a statement selects."""
        return self._session.sql(select).toArrow()

    def drop(self, *names: str) -> None:
        """Drop tables."""
        for name in names:
            self._session.catalog.dropTempView(name)
            if path := self._files.pop(name, None):
                shutil.rmtree(path, ignore_errors=True)

    def _next(self, name: str) -> Path:
        self._made += 1
        return self._place / f"{name}-{self._made}"

    def _show(self, name: str, path: Path) -> Any:
        """Bind a name to the files that were written, and delete the files of its last binding."""
        frame = self._session.read.parquet(path.as_uri())
        frame.createOrReplaceTempView(name)
        before = self._files.get(name)
        self._files[name] = path
        if before is not None:
            shutil.rmtree(before, ignore_errors=True)
        return frame
