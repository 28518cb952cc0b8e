"""linkmask in LlamaIndex (docs/adapters.md): a reader, a transformation, a postprocessor.

Needs the extra `llama-index`. A pipeline with a document store keeps the documents that it is
given, beside the transformed ones. So give it the documents of `LinkmaskReader`, or mask them
first.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Sequence
from typing import Any

from linkmask.adapters import framework_documents
from linkmask.adapters.framework_documents import FrameworkDocument
from linkmask.adapters.masking import RunMasker
from linkmask.errors import MissingExtra, RunError
from linkmask.masker import OnUnknown

try:
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import (
        BaseNode,
        Document,
        MediaResource,
        MetadataMode,
        NodeWithScore,
        QueryBundle,
        RelatedNodeInfo,
        TextNode,
        TransformComponent,
    )
except ModuleNotFoundError:
    raise MissingExtra("LlamaIndex is not installed: pip install 'linkmask[llama-index]'") from None

LAYOUT = ("text_template", "metadata_template", "metadata_separator")
"""Fields of nodes that say how they are printed."""
HIDDEN = ("excluded_embed_metadata_keys", "excluded_llm_metadata_keys")
"""Fields that name keys of the metadata."""


class LinkmaskReader(BaseReader):
    """Reads the masked documents of a run from the folder that it wrote to, and nothing else.

    Args:
        out: the folder that `linkmask mask` wrote to, its run beside it.

    Raises:
        RunError: there is no run of the folder.
    """

    def __init__(self, out: str | os.PathLike[str]) -> None:
        self._by = RunMasker(out)

    def lazy_load_data(self, *args: Any, **load_kwargs: Any) -> Iterable[Document]:
        """Yield the documents.

        Raises:
            RunError: a document in the folder is not one that the run released.
        """
        return (_node(one, Document()) for one in self._by.released())


class LinkmaskTransform(TransformComponent):
    """Masks the documents of a run as the run released them, with their metadata and ids.

    It stands first in a pipeline, before any splitter: the run knows documents, not chunks. The
    plan's digest is a field, and so a part of the key of each cache: after another plan, nothing
    of the earlier one is served. The other fields and the errors are those of
    `linkmask.adapters.masking.RunMasker`.
    """

    run: str
    on_unknown: OnUnknown = "refuse"
    id_key: str = ""
    metadata_keys: list[str] | None = None
    key_file: str | None = None
    plan: str = ""
    """Digest of the plan; filled in when the run is opened."""
    _by: RunMasker = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Open the run.

        Raises:
            RunError: `plan` was given, and is not the run's.
        """
        self._by = RunMasker(
            self.run,
            on_unknown=self.on_unknown,
            id_key=self.id_key,
            metadata_keys=self.metadata_keys,
            key_file=self.key_file,
        )
        if self.plan not in ("", self._by.masker.digest):
            raise RunError(f"{self.run} was planned again since: make a new transformation")
        self.plan = self._by.masker.digest

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which it is saved."""
        return "LinkmaskTransform"

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """Return new nodes, masked, without those that are set aside.

        Raises:
            UnknownDocument: the run does not hold one as it is given, and refuses it.
        """
        made = self._by.documents([_item(node) for node in nodes])
        pairs = zip(made, nodes, strict=True)
        return [_node(one, node, self._by) for one, node in pairs if one is not None]

    async def acall(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """Do the same in a thread."""
        return await asyncio.to_thread(self, nodes, **kwargs)


class LinkmaskPostprocessor(BaseNodePostprocessor):
    """Masks values that are still readable in retrieved nodes: a second check after retrieval.

    It serves an index in which not every document was masked; what is masked stays as it is.
    """

    run: str
    """The run's folder, or the folder that it wrote to."""
    key_file: str | None = None
    """File of the run's key, where it is not the one that the run knows."""
    _by: RunMasker = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Open the run."""
        self._by = RunMasker(self.run, key_file=self.key_file)

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which it is saved."""
        return "LinkmaskPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        made = self._by.texts([_item(one.node) for one in nodes])
        return [
            NodeWithScore(node=_node(new, old.node, self._by), score=old.score)
            for new, old in zip(made, nodes, strict=True)
        ]


def write_corpus(
    documents: Iterable[BaseNode], path: str | os.PathLike[str], *, id_key: str = ""
) -> None:
    """Write documents to a JSONL file that `linkmask mask` reads; its owner alone can read it.

    Args:
        documents: as they will be given to `LinkmaskTransform`. Give them ids: LlamaIndex draws
            another one at each loading.
        path: the file.
        id_key: key of the metadata that holds the id; "" for `id_`.

    Raises:
        InputError: the metadata of one hold a value of no JSON kind.
    """
    framework_documents.write_corpus((_item(one).selected(id_key, None) for one in documents), path)


def _item(node: BaseNode) -> FrameworkDocument:
    return FrameworkDocument(
        node.id_, node.get_content(metadata_mode=MetadataMode.NONE), node.metadata
    )


def _node(item: FrameworkDocument, like: BaseNode, masker: RunMasker | None = None) -> BaseNode:
    """Return a masked node or document; how it is printed is taken from `like`.

    Of its relations the ids stay; their metadata and hashes are those of originals.
    """
    fields = {name: getattr(like, name) for name in LAYOUT if hasattr(like, name)}
    fields |= {name: [k for k in getattr(like, name) if k in item.metadata] for name in HIDDEN}
    fields |= {"id_": item.id, "metadata": dict(item.metadata)}
    if masker and like.relationships:
        fields["relationships"] = {
            kind: [_related(one, masker) for one in held]
            if isinstance(held, list)
            else _related(held, masker)
            for kind, held in like.relationships.items()
        }
    if isinstance(like, Document):
        return Document(text_resource=MediaResource(text=item.text), **fields)
    return TextNode(text=item.text, **fields)


def _related(info: RelatedNodeInfo, masker: RunMasker) -> RelatedNodeInfo:
    return RelatedNodeInfo(node_id=masker.ids([info.node_id])[0], node_type=info.node_type)
