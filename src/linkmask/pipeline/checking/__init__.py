"""Masked documents → findings, before anything is written.

corpus_check       checks every masked document of a corpus, and makes findings of the results
document_check     checks one: searches it for masked values, and detects what can be read
checked_texts      makes of a masked document the text that a check reads
checked_documents  keeps the result of each document's check in the run folder
model_check        asks a language model what it still sees
"""
