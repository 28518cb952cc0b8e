"""linkmask in LangChain (docs/adapters.md): documents, questions, answers, agents.

Needs the extra `langchain`. With tracing to LangSmith switched on, LangChain itself sends what its
parts get to that service: texts from before masking, too.
"""

from linkmask.errors import MissingExtra

try:
    from linkmask.adapters.langchain.documents import (
        LinkmaskCompressor,
        LinkmaskTransformer,
        write_corpus,
    )
    from linkmask.adapters.langchain.messages import mask_question, unmask_answer
    from linkmask.adapters.langchain.middleware import LinkmaskMiddleware
except ModuleNotFoundError as error:
    if (error.name or "").startswith("linkmask"):
        raise
    raise MissingExtra("LangChain is not installed: pip install 'linkmask[langchain]'") from None

__all__ = [
    "LinkmaskCompressor",
    "LinkmaskMiddleware",
    "LinkmaskTransformer",
    "mask_question",
    "unmask_answer",
    "write_corpus",
]
