"""Start the compose file of docs/docker.md, and ask through LiteLLM's proxy.

    python tests/compose.py COMPOSE LITELLM_IMAGE [LINKMASK_IMAGE]

COMPOSE is "docker compose" or "podman-compose"; without an image of linkmask it is built first.
A third container with a scripted model stands behind the proxy, because there is no real one here.
A step that fails ends it with its message. The test of the file's lines, which needs no engine, is
tests/distribution/test_docker.py.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "insurance" / "documents"
PROMPT = "Is Ms. Ottoline Brandvold covered? Her mail is o.brandvold@example.com."
SECRETS = ("Brandvold", "example.com")
PATIENCE = 300
"""Seconds until the proxy must answer."""
MODEL = """
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
class Scripted(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = asked["messages"][-1]["content"]
        print("SEEN", said, flush=True)
        message = {"role": "assistant", "content": "Re: " + said}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
        answer |= {"usage": usage, "choices": [choice]}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
HTTPServer(("0.0.0.0", 9000), Scripted).serve_forever()
"""


def prepare(folder: Path, image: str) -> str:
    """Write into an empty folder what the compose file mounts; return the proxy's key."""
    compose, guard = re.findall(
        r"```yaml\n(.*?)```", (ROOT / "docs" / "docker.md").read_text("utf-8"), re.DOTALL
    )[:2]
    key = secrets.token_urlsafe(24)
    source = f"image: {image}" if image else f"build: {ROOT}"
    (folder / "compose.yaml").write_text(compose.replace("build: .", source))
    models = [
        {
            "model_name": "m",
            "litellm_params": {
                "model": "openai/m",
                "api_key": "none",
                "api_base": "http://model:9000",
            },
        }
    ]
    head = {"model_list": models, "general_settings": {"master_key": key}}
    lines = [f"{name}: {json.dumps(value)}" for name, value in head.items()]  # JSON is YAML
    (folder / "litellm.yaml").write_text("\n".join([*lines, guard]))
    (folder / "model.py").write_text(MODEL)
    model = {
        **({"image": image} if image else {"build": str(ROOT)}),
        "entrypoint": ["python", "/model.py"],
        "networks": ["inside"],
        "volumes": ["./model.py:/model.py:ro"],
    }
    (folder / "model.yaml").write_text(json.dumps({"services": {"model": model}}))
    (folder / "secrets").mkdir()
    (folder / "secrets" / "token").write_text(secrets.token_urlsafe(24))
    (folder / "secrets" / "key").write_text(secrets.token_hex(32))
    shutil.copytree(EXAMPLES, folder / "claims")
    line = [sys.executable, "-m", "linkmask", "mask", "claims", "-o", "masked"]
    line += ["--style", "pseudonym", "--key-file", "secrets/key", "--quiet"]
    subprocess.run(line, cwd=folder, check=True)
    for one in [folder / "secrets", folder / "masked.run"]:
        for path in [one, *one.rglob("*")]:
            os.chown(path, 10001, -1)
    return key


def ask(key: str) -> tuple[int, str]:
    """Return the status and the text of the proxy's answer to the prompt."""
    body = {"model": "m", "messages": [{"role": "user", "content": PROMPT}]}
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    url = "http://127.0.0.1:4000/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=120) as said:
            return said.status, json.load(said)["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        return error.code, ""


def wait() -> None:
    """Wait until the proxy is there."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            urllib.request.urlopen("http://127.0.0.1:4000/health/liveliness", timeout=3)
        except OSError:
            time.sleep(2)
        else:
            return
    raise SystemExit("the proxy does not answer")


def check(run: Callable[..., str], key: str) -> None:
    """The model sees masks, the user sees values; without linkmask nothing passes."""
    wait()
    status, said = ask(key)
    assert (status, said) == (200, f"Re: {PROMPT}"), (status, said)
    seen = [line for line in run("logs", "model").splitlines() if "SEEN" in line]
    assert len(seen) == 1 and not any(value in seen[0] for value in SECRETS), seen
    print("the model saw masks; the answer has the values again")
    run("stop", "linkmask")
    status, _ = ask(key)
    assert status >= 400, status
    assert run("logs", "model").count("SEEN") == 1
    print(f"without linkmask the proxy refuses (status {status})")


def main() -> None:
    if len(sys.argv) not in {3, 4}:
        raise SystemExit(__doc__)
    compose, image = sys.argv[1].split(), sys.argv[2]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key = prepare(folder, "".join(sys.argv[3:]))
        token = (folder / "secrets" / "token").read_text()
        given = {**os.environ, "LITELLM_IMAGE": image, "LINKMASK_SERVE_TOKEN": token}
        files = ("-f", "compose.yaml", "-f", "model.yaml")

        def run(*words: str) -> str:
            done = subprocess.run(
                [*compose, *files, *words], cwd=folder, env=given, capture_output=True, text=True
            )
            if done.returncode:
                raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
            return done.stdout + done.stderr

        try:
            run("up", "-d")
            check(run, key)
        finally:
            run("down")


if __name__ == "__main__":
    main()
