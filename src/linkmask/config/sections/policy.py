"""Settings of `[policy]`: the regulations that a release follows."""

from __future__ import annotations

from linkmask.config.sections.graph import GraphSettings


class PolicySettings(GraphSettings, frozen=True, kw_only=True):
    """All settings up to those of `[policy]`."""

    policy: tuple[str, ...] = ()
    """Regulations ([policies](policy.md)) by name (`linkmask policy list`) or path of a TOML file.
    What they require is masked in addition to the floor. `schema` is then `regulated` unless you
    name another."""
    policy_model: bool = False
    """Let the language model decide about types that the policy does not name, write the
    [reasons](policy.md#reasons) for masks, and check masked texts."""
    policy_embeddings: bool = False
    """Choose the examples in [reasons](policy.md#reasons) by embeddings of the language model, not
    by shared words."""
