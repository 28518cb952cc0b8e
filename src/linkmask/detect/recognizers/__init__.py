"""Recognizers as data: rows of TOML files, compiled into the rules that `patterns` runs.

`linkmask.schema.recognizers` reads the files; docs/recognizers.md describes their form.
"""
