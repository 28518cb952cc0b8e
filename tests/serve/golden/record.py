"""Ask Presidio's own services again what the files beside this one hold.

    PYTHON record.py PRESIDIO/presidio-analyzer [MODEL] < presidio_analyzer.jsonl > new.jsonl
    PYTHON record.py PRESIDIO/presidio-anonymizer < presidio_anonymizer.jsonl > new.jsonl

PYTHON has presidio-analyzer, presidio-anonymizer, flask and a spaCy model (MODEL, else
en_core_web_sm). PRESIDIO is a checkout of Presidio's repository at the version of these packages,
because the services themselves (`app.py`) are in no package. Each line is a request; the status,
the content type and the body of the answer are written anew, everything else stays.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib import import_module
from typing import Any


def service(folder: str, model: str) -> Any:
    """Presidio's Flask application with its default recognizers, which looks nothing up."""
    tldextract = import_module("tldextract")
    alone = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    vars(import_module("tldextract.tldextract"))["TLD_EXTRACTOR"] = alone
    vars(tldextract)["extract"] = alone
    sys.path.insert(0, folder)
    models = [{"lang_code": "en", "model_name": model}]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump({"nlp_engine_name": "spacy", "models": models}, file)  # JSON is YAML
        file.flush()
        os.environ["NLP_CONF_FILE"] = file.name
        return import_module("app").create_app()


def main(folder: str, model: str = "en_core_web_sm") -> None:
    out, sys.stdout = sys.stdout, sys.stderr  # the service's logger writes to the standard output
    client = service(folder, model).test_client()
    for line in sys.stdin:
        row = json.loads(line)
        given = {"content_type": row["type"]} if "type" in row else {}
        given |= {"json": row["json"]} if "json" in row else {"data": row.get("body", "")}
        answer = client.open(row["path"], method=row["method"], **given)
        row["status"], row["kind"] = answer.status_code, answer.content_type
        row["answer"] = answer.get_json() if answer.is_json else answer.get_data(as_text=True)
        print(json.dumps(row, ensure_ascii=False), file=out)


if __name__ == "__main__":
    main(*sys.argv[1:])
