"""Build the image, and run it as docs/docker.md says: no network, read-only root, no rights.

    python tests/image.py [ENGINE [--built]]     default: docker; podman will do

`--built`: the image is there already.

It masks the example corpus, starts the service, runs the image's own health check in it and asks
it to mask a text. A step that fails ends it with its message. The test of the Dockerfile's lines,
which needs no engine, is tests/distribution/test_docker.py.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "insurance" / "documents"
CONFINED = ("--network", "none", "--read-only", "--tmpfs", "/tmp")
ASK = """
import json, urllib.request as r
body = json.dumps({"texts": ["Ask Ms. Jane Okonkwo-Reyes."]}).encode()
sent = r.Request("http://127.0.0.1:5002/v1/mask", body, {"Content-Type": "application/json"})
print(r.urlopen(sent, timeout=60).read().decode())
"""


def said(*words: str, status: int = 0) -> str:
    """What a command prints; its exit status must be this one."""
    done = subprocess.run(words, capture_output=True, text=True)
    if (done.returncode != 0) is not (status != 0):
        raise SystemExit(f"{' '.join(words)[:200]}\nstatus {done.returncode}\n{done.stderr}")
    return done.stdout


def health_check() -> Sequence[str]:
    """The words of the Dockerfile's health check."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("HEALTHCHECK"))
    return json.loads(line.partition("CMD ")[2])


def check_masking(engine: str, folder: Path) -> None:
    """Without a network, on a read-only root, as the user who owns the files."""
    shutil.copytree(EXAMPLES, folder / "claims")
    given = ("--user", str(os.getuid()), "-v", f"{folder}:/data")
    said(engine, "run", "--rm", *CONFINED, *given, "linkmask", "mask", "claims", "-o", "masked")
    masked = {file.name for file in (folder / "masked" / "documents").iterdir()}
    assert masked == {file.name for file in EXAMPLES.iterdir()}, "documents are missing"
    print(f"masked {len(masked)} documents without a network, on a read-only root")


def check_rights(engine: str) -> None:
    """The image's own user has no rights, and nothing but the temporary folder can be written."""
    python = (engine, "run", "--rm", *CONFINED, "--entrypoint", "python", "linkmask", "-c")
    assert said(*python, "import os; print(os.getuid())").strip() == "10001"
    said(*python, "open('/opt/linkmask/x', 'w')", status=1)
    said(*python, "open('/tmp/x', 'w')")
    print("runs as user 10001, who can write to /tmp alone")


def check_service(engine: str) -> None:
    """The health check fails before the service answers and passes then; a name is masked."""
    name = said(engine, "run", "-d", *CONFINED, "linkmask", "serve", "--workers", "1").strip()
    try:
        check, until = [engine, "exec", name, *health_check()], time.monotonic() + 300
        while subprocess.run(check, capture_output=True).returncode:
            if time.monotonic() > until:
                raise SystemExit(said(engine, "logs", name))
            time.sleep(1)
        answer = said(engine, "exec", name, "python", "-c", ASK)
        assert "Okonkwo" not in answer and "[NAME_" in answer, answer
    finally:
        said(engine, "stop", "-t", "60", name)
        said(engine, "rm", name)
    print("the service is healthy and masks")


def main(engine: str = "docker", *built: str) -> None:
    if not built:
        said(engine, "build", "-t", "linkmask", str(ROOT))
        print("built")
    check_rights(engine)
    with tempfile.TemporaryDirectory() as folder:
        check_masking(engine, Path(folder))
    check_service(engine)


if __name__ == "__main__":
    main(*sys.argv[1:])
