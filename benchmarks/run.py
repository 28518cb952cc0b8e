"""All benchmarks one after another, each in a process of its own: what `make bench` runs."""

import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
BENCHMARKS = (
    "detection", "files", "rewriting", "endtoend", "planning", "exposure", "solvers", "engine",
)  # fmt: skip
"""In order of length; any of them can be run by itself, its first lines say how."""


def main() -> None:
    """Run those named on the command line, or all."""
    for name in sys.argv[1:] or BENCHMARKS:
        begin = time.perf_counter()
        print(f"\n── {name} " + "─" * (76 - len(name)), flush=True)
        subprocess.run([sys.executable, HERE / f"{name}.py"], check=True)
        print(f"({time.perf_counter() - begin:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
