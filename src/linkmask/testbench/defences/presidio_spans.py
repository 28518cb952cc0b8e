"""Runs Presidio's English rules over texts, without a model and without a network.

    python presidio_spans.py < TEXTS > SPANS

Reads a JSON string per line, writes `{"spans": [[[start, end, type], …], …], "seconds": …}` in the
same order. It may run in an environment of its own (`make bench-presidio`) and imports nothing of
linkmask, which names its interpreter.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from time import process_time

TYPES = json.loads(Path(__file__).with_name("presidio_types.json").read_text(encoding="utf-8"))
"""Presidio's name of a type → ours; the rest are called the same."""

Spans = list[tuple[int, int, str]]


def engine():  # type: ignore[no-untyped-def]
    """Return an analyzer that looks nothing up: no model, the built-in list of suffixes."""
    tldextract = import_module("tldextract")
    inner = import_module("tldextract.tldextract")
    analyzer = import_module("presidio_analyzer")
    nlp = import_module("presidio_analyzer.nlp_engine")

    alone = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    vars(inner)["TLD_EXTRACTOR"] = vars(tldextract)["extract"] = alone
    told = {
        "load": lambda self: None,
        "is_loaded": lambda self: True,
        "process_text": lambda self, text, lang: nlp.NlpArtifacts([], [], [], [], self, lang),
        "process_batch": lambda self, texts, lang, **_: (
            (text, self.process_text(text, lang)) for text in texts
        ),
        "is_stopword": lambda self, word, lang: False,
        "is_punct": lambda self, word, lang: not word.isalnum(),
        "get_supported_entities": lambda self: [],
        "get_supported_languages": lambda self: ["en"],
    }
    no_model = type("NoModel", (nlp.NlpEngine,), told)
    registry = analyzer.RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    return analyzer.AnalyzerEngine(registry=registry, nlp_engine=no_model())


def spans_of(texts: list[str]) -> tuple[list[Spans], float]:
    """Return what Presidio finds in each text, and the seconds of the processor that it took."""
    analyzer = engine()  # type: ignore[no-untyped-call]
    analyzer.analyze("Call 212-555-0134 or write to a@example.org.", language="en")
    start = process_time()
    found = [analyzer.analyze(text, language="en") for text in texts]
    seconds = process_time() - start
    spans = [
        sorted((one.start, one.end, TYPES.get(one.entity_type, one.entity_type)) for one in ones)
        for ones in found
    ]
    return spans, seconds


def main() -> None:
    """Answer for all texts at once."""
    spans, seconds = spans_of([json.loads(line) for line in sys.stdin if line.strip()])
    json.dump({"spans": spans, "seconds": seconds}, sys.stdout)


if __name__ == "__main__":
    main()
