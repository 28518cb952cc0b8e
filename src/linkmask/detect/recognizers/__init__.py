"""Compiles recognizers, which are rows of TOML files, into the rules that `patterns` runs.

`linkmask.schema.recognizers` reads the files; docs/recognizers.md describes their form.
"""
