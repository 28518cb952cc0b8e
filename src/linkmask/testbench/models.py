"""Opens the language models of a run: one answers, one judges, writes and drives agents."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from linkmask import llm
from linkmask.config import Settings
from linkmask.llm import LanguageModel
from linkmask.testbench.missing import Hole

Spent = Counter[str]
"""Requests sent, answers from the cache, tokens read and written, tries again, failures."""


class LanguageModels:
    """Models by their role, connected when first needed; both at the server of the settings.

    `speaker` answers as a generator. `helper` judges, writes what SAGE writes and thinks for
    attackers: the model `helper` names, else the same. Each has the settings' budget for the run.
    """

    def __init__(self, settings: Settings | None = None, helper: str = "") -> None:
        self.settings = settings if settings is not None and settings.llm_url else None
        self._named = helper
        self._models: dict[str, LanguageModel] = {}

    @property
    def speaker(self) -> LanguageModel:
        """The model that answers.

        Raises:
            Hole: none was given.
        """
        return self._model("")

    @property
    def helper(self) -> LanguageModel:
        """The model that judges, writes and attacks.

        Raises:
            Hole: none was given.
        """
        return self._model(self._named)

    def embedder(self, name: str = "") -> LanguageModel:
        """The model that makes vectors: the one named, else the one that answers.

        Raises:
            Hole: no server was given.
        """
        return self._model(name)

    def _model(self, name: str) -> LanguageModel:
        if self.settings is None:
            raise Hole("no language model was given (--llm-url, --llm-model)")
        name = name or self.settings.llm_model
        if name not in self._models:
            self._models[name] = llm.connect(msgspec.structs.replace(self.settings, llm_model=name))
        return self._models[name]

    def with_model(self, settings: Settings, **others: Any) -> Settings:
        """Return settings with those of the model, and with others replaced."""
        if self.settings is None:
            return settings
        about = {
            name: getattr(self.settings, name)
            for name in Settings.__struct_fields__
            if name.startswith("llm_")
        }
        about["llm_model"] = self.names["helps"]
        return msgspec.structs.replace(settings, **about, **others)

    @property
    def names(self) -> dict[str, str]:
        """The names of the models by role; empty if there are none."""
        if self.settings is None:
            return {}
        name = self.settings.llm_model
        return {"answers": name, "helps": self._named or name}

    def spent(self) -> Spent:
        """Return what was spent so far, over all models."""
        total: Spent = Counter()
        for model in self._models.values():
            used = model.usage.as_data()
            total.update({k: v for k, v in used.items() if isinstance(v, int)})
            total["failures"] += sum(used["failures"].values())
        return total

    def close(self) -> None:
        """Close the models."""
        for model in self._models.values():
            model.close()
        self._models.clear()


def spent_between(before: Spent, now: Spent) -> dict[str, Any]:
    """Return what was spent between two moments; empty where nothing was."""
    return dict(sorted((now - before).items()))
