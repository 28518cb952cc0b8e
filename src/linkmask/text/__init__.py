"""Texts as the steps read them: folded, with a map of offsets back to the original."""
