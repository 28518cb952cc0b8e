"""Documents → mentions, over a whole corpus: in two passes, by a language model, or given.

corpus_detection   detects in every document, into the logs of a run
detector           both passes over one document, as in the corpus that it belongs to
extraction         detects with a language model, in two stages; `extraction_cost`: what that costs
given_mentions     takes mentions from a file instead
stored_vocabulary  keeps the corpus's vocabulary for the next edition
"""
