"""Defines the settings, one module for each section: `plan` has those of the table `[plan]`.

A struct of msgspec has one base, so each section extends the one before it, and the last has all:
general → corpus → detect → graph → policy → plan → redact → llm → run. The defaults are those of
preset `insurance`.
"""
