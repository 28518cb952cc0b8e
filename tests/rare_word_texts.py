"""Texts whose rare words link documents that share no value."""

TOPICS = ("heron nest", "quartz basalt", "lantern gravel", "rudder lever")
LINES = (
    "The {} matter of a {}-year-old patient was read by the committee.",
    "On the {} matter of a {}-year-old patient a letter went out.",
)
TEXTS = [
    line.format(topic, 31 + 7 * n + 2 * m)
    for n, topic in enumerate(TOPICS)
    for m, line in enumerate(LINES)
]
"""Of each topic two, which share no value."""

CASES = (
    "Zadie Okonkwo-Lunt, 41 years old, has lupus. The gyrfalcon came up in the call.",
    "The patient, 52 years old, has lupus and asked for a letter. The letter shows a gyrfalcon.",
    "The patient has lupus and asthma. A gyrfalcon stood on the form.",
    "Rules on travel were read by the committee, and a gyrfalcon was seen.",
)
"""The last shares no value with the others."""
