"""Documents + plan → masked documents, kept in the run until they are released.

corpus_redaction  masks every document by a plan
masked_lines      masks a batch of documents; one that fails is set aside
mask_digest       digests of how masked entities are found and written
targets           gathers the masked entities, with all that redaction has to know of each
remasking         finds the documents that another plan of the same run masks otherwise
rewriting         style `rewrite`: checks a text that a model wrote before it replaces a document
"""
