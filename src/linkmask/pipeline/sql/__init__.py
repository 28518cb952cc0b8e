"""Links, risks and plan as SQL, for corpora beyond one machine's memory (docs/cluster.md).

links_and_plan  runs the statements: links, votes and rounds
statements      reads the `.sql` files of this folder, which DuckDB and Spark run as they are
local           what is done in arrays: masks of single documents, and needless masks given back
tables          all that the statements need of an engine
"""

from linkmask.pipeline.sql.links_and_plan import SqlPlan, choose, find_links, load, tables_of
from linkmask.pipeline.sql.tables import Tables

__all__ = ["SqlPlan", "Tables", "choose", "find_links", "load", "tables_of"]
