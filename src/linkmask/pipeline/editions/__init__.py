"""Updates a release: the next edition of a corpus, of which only what changed is read again.

updating           the job: what `linkmask update` does, step by step
difference         which documents are new, changed or gone; `changed_corpus`: reads them
redetection        in which documents detection reads again, and what it finds
covered_again      what of an earlier mask would be readable in unchanged documents
edition_redaction  which documents are masked again, and which files stay
recounting         how often each value occurs now
reused_files       files of the last release that are as they would be written again
union_exposure     what someone knows who holds several editions
riskier            documents and chains that are over a limit now, and were not before
"""
