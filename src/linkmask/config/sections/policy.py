"""Settings of `[policy]`: the regulations that a release follows."""

from __future__ import annotations

from linkmask.config.sections.graph import GraphSettings


class PolicySettings(GraphSettings, frozen=True, kw_only=True):
    """All settings up to those of `[policy]`."""

    policy: tuple[str, ...] = ()
    """Regulations ([policies](policy.md)) by their names, as `linkmask policy list` prints them, or
    paths of TOML files. What they require is masked in addition to the floor. They need more
    types, so `schema` is then `regulated` unless you name another."""
    policy_model: bool = False
    """Let the language model classify unknown types, write reasons and check masked texts."""
    policy_embeddings: bool = False
    """Each [reason](policy.md#reasons) quotes the most similar of linkmask's own examples of
    decisions. With this setting, embeddings of the language model say what is similar, else shared
    words."""
