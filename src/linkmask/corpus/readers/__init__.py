"""Readers and writers of the formats in which people keep documents."""
