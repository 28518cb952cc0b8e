"""Computes the digest that identifies a plan in releases, reports and approvals."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from linkmask.config import Settings
from linkmask.records import Incidence, Plan, entity_label
from linkmask.records.ids import texts_at

WRITTEN = ("style", "styles", "scope", "seed", "policy")
"""Settings that decide how a plan's masks are written."""


def plan_digest(incidence: Incidence, plan: Plan, settings: Settings) -> str:
    """Return the digest of a plan, 16 hex digits: of what is masked, and in what style.

    The order of the masks does not count.
    """
    ids = texts_at(incidence.entities, plan.masked)
    masked = sorted(entity_label(name, incidence.salt) for name in ids)
    written = [getattr(settings, name) for name in WRITTEN]
    return sha256(msgspec.json.encode([masked, written], order="sorted")).hexdigest()[:16]
