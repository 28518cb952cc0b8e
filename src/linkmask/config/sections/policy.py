"""Settings of `[policy]`: the regulations that a release follows."""

from __future__ import annotations

from linkmask.config.sections.graph import GraphSettings


class PolicySettings(GraphSettings, frozen=True, kw_only=True):
    """All settings up to those of `[policy]`."""

    policy: tuple[str, ...] = ()
    """Regulations to follow: `gdpr`, `hipaa`, `hipaa-expert`, `pci`, or paths of TOML files.
    Their requirements are added to the floor. With a policy, the schema is `regulated` unless you
    name another."""
    policy_model: bool = False
    """Let the language model classify unknown types, write reasons and check masked texts."""
    policy_embeddings: bool = False
    """Find the worked example for a reason by embeddings of the model, instead of by words."""
