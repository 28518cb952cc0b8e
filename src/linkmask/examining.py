"""Settings that name what there is not are refused before any work is done."""

from __future__ import annotations

from linkmask import detect, regulating, schema
from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.redact.styles import style_of

LANGUAGES = ("en", "fr", "de")
COUNTRIES = ("us", "gb", "fr", "de", "ch")


def examine(settings: Settings) -> None:
    """Refuse, before any work is done, settings that name what there is not.

    Raises:
        SettingsError: an unknown detector, schema, type or style.
    """
    types = schema.load(settings.schema).with_weights(settings.weights)
    detect.modules(settings.detector)
    regulating.policies(settings)
    for style in (settings.style, *settings.styles.values()):
        style_of(style)
    if "rewrite" in settings.styles.values() or (
        settings.style == "rewrite" and (settings.styles or settings.policy)
    ):
        raise SettingsError(
            "style rewrite is for whole documents: it goes with no other style, and with no policy"
        )
    if settings.style == "rewrite" and not (settings.llm_url and settings.llm_model):
        raise SettingsError("style rewrite needs a language model: give --llm-url and --llm-model")
    for name, known in (("languages", LANGUAGES), ("countries", COUNTRIES)):
        given = getattr(settings, name)
        if not given or not set(given) <= set(known):
            raise SettingsError(f"{name} must be some of {', '.join(known)}")
    unknown = sorted({*settings.floor, *settings.styles} - set(types.types))
    if unknown:
        raise SettingsError(
            f"schema {settings.schema} has no type {', '.join(unknown)}; "
            f"it has: {', '.join(types.types)}"
        )
