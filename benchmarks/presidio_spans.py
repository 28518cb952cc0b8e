"""Run Presidio's own English rules over texts, without a language model and without a network.

    python benchmarks/presidio_spans.py < TEXTS > SPANS

Reads a JSON string per line, writes `{"spans": [[[start, end, type], …], …], "seconds": …}` in the
same order. It runs in an environment of its own (`make bench-presidio`) and imports nothing of
linkmask; `benchmarks/detect.py` asks it.
"""

import json
import sys
from time import process_time

TYPES = {
    "PERSON": "NAME",
    "EMAIL_ADDRESS": "EMAIL",
    "IBAN_CODE": "IBAN",
    "DATE_TIME": "EVENT_DATE",
    "NRP": "DEMOGRAPHIC",
    "US_SSN": "NATIONAL_ID",
    "US_ITIN": "NATIONAL_ID",
    "US_PASSPORT": "NATIONAL_ID",
    "US_DRIVER_LICENSE": "NATIONAL_ID",
    "US_BANK_NUMBER": "IBAN",
    "UK_NHS": "PATIENT_ID",
    "UK_NINO": "NATIONAL_ID",
    "MEDICAL_LICENSE": "NON_PERSONAL_ID",
}
"""Presidio's name of a type → ours; the rest are called the same."""


def engine():
    """Return an analyzer that looks nothing up: no model, the built-in list of suffixes."""
    import tldextract
    import tldextract.tldextract as inner
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

    inner.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    tldextract.extract = inner.TLD_EXTRACTOR

    class NoModel(NlpEngine):
        def load(self): ...

        def is_loaded(self):
            return True

        def process_text(self, text, language):
            return NlpArtifacts([], [], [], [], self, language)

        def process_batch(self, texts, language, **_):
            return ((text, self.process_text(text, language)) for text in texts)

        def is_stopword(self, word, language):
            return False

        def is_punct(self, word, language):
            return not word.isalnum()

        def get_supported_entities(self):
            return []

        def get_supported_languages(self):
            return ["en"]

    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    return AnalyzerEngine(registry=registry, nlp_engine=NoModel())


def main() -> None:
    """Answer for all texts at once."""
    texts = [json.loads(line) for line in sys.stdin if line.strip()]
    analyzer = engine()
    analyzer.analyze("Call 212-555-0134 or write to a@example.org.", language="en")
    start = process_time()
    found = [analyzer.analyze(text, language="en") for text in texts]
    seconds = process_time() - start
    spans = [
        sorted((one.start, one.end, TYPES.get(one.entity_type, one.entity_type)) for one in ones)
        for ones in found
    ]
    json.dump({"spans": spans, "seconds": seconds}, sys.stdout)


if __name__ == "__main__":
    main()
