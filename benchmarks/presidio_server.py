"""Presidio's analyzer behind the HTTP server that `linkmask serve` has, for benchmarks/serve.py.

    PYTHON benchmarks/presidio_server.py [MODEL]

PYTHON has presidio-analyzer, starlette and uvicorn; MODEL is a spaCy model that it has, without one
only Presidio's rules run. Prints the address; ends when the standard input is closed.
"""

import json
import os
import socket
import sys
import threading
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

DEFENCES = Path(__file__).parents[1] / "src" / "linkmask" / "testbench" / "defences"


def analyzer(model: str):
    sys.path.insert(0, str(DEFENCES))
    from presidio_spans import engine

    rules = engine()  # looks nothing up in the network, and no other one does thereafter
    if not model:
        return rules
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "en", "model_name": model}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    return AnalyzerEngine(nlp_engine=provider.create_engine())


def main(model: str) -> None:
    engine = analyzer(model)
    engine.analyze("Call 212-555-0134 or write to a@example.org.", language="en")

    async def analyze(request: Request) -> Response:
        body = await request.json()
        found = await run_in_threadpool(engine.analyze, body["text"], language="en")
        rows = [{k: v for k, v in one.to_dict().items() if k in KEYS} for one in found]
        return Response(json.dumps(rows), media_type="application/json")

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    app = Starlette(routes=[Route("/analyze", analyze, methods=["POST"])])
    config = uvicorn.Config(app, access_log=False, log_config=None)
    uvicorn.Server(config).run([listening])


KEYS = ("analysis_explanation", "end", "entity_type", "score", "start")

if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
