"""linkmask in Haystack (docs/adapters.md): documents, questions, answers.

It stands in the namespace of Haystack's integrations, since a saved pipeline loads components from
there and from no other package that is not allowed by name. Needs the extra `haystack`.
"""

from linkmask.errors import MissingExtra

try:
    from haystack_integrations.components.preprocessors.linkmask.components import (
        LinkmaskAnswerUnmasker,
        LinkmaskDocumentMasker,
        LinkmaskQuestionMasker,
        LinkmaskSecondNet,
        write_corpus,
    )
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "haystack":
        raise
    raise MissingExtra("Haystack is not installed: pip install 'linkmask[haystack]'") from None

__all__ = [
    "LinkmaskAnswerUnmasker",
    "LinkmaskDocumentMasker",
    "LinkmaskQuestionMasker",
    "LinkmaskSecondNet",
    "write_corpus",
]
