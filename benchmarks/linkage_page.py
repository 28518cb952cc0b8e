"""Makes the tables of docs/results/linkage.md anew: all of them, or those that are named.

    python benchmarks/linkage_page.py [TABLE…]

On the page, `<!-- table NAME -->` stands above a table that this script makes. The rows stay those
of the page, by their first cell, and so do further cells. A row that can't be
made here is an error. The figures are those of the command that the table's section names; tables
without such a comment need a model, or hours. Time is printed for each table.
"""

from __future__ import annotations

import argparse
import re
import time

from linkage_tables import MAKERS, ROOT, cells_of

PAGE = ROOT / "docs" / "results" / "linkage.md"
TABLE = r"(?<=<!-- table ){}(?: -->\n+(?:\|.*\n){{2}})((?:\|.*\n)+)"


def remade(page: str, name: str) -> str:
    """Return a page on which a table is made anew.

    Raises:
        LookupError: the page has no such table, or a row of it that is not made.
    """
    found = re.search(TABLE.format(re.escape(name)), page)
    if found is None:
        raise LookupError(f"{PAGE.name} has no table {name}")
    rows = list(map(cells_of, found[1].splitlines()))
    made = MAKERS[name]([first for first, *_ in rows])
    lines = list[str]()
    for first, *cells in rows:
        if first not in made:
            raise LookupError(f"{name}: no row {first} was made")
        cells[: len(made[first])] = made[first]
        lines.append(f"| {first} | {' | '.join(cells)} |\n")
    return page[: found.start(1)] + "".join(lines) + page[found.end(1) :]


def main() -> None:
    """Make the tables, one after another, and write the page after each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(MAKERS))
    for name in parser.parse_args().tables or MAKERS:
        begin = time.monotonic()
        PAGE.write_text(remade(PAGE.read_text("utf-8"), name), "utf-8")
        print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
