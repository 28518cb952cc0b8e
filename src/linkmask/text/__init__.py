"""Normalizes texts for the steps, with a map of offsets back to the original."""
