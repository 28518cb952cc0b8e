"""Measures whether masking helps: attacks a corpus behind defences, and compares the results."""
