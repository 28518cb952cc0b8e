"""One command at work on one run: each job adds steps to the one before.

planner       scores and plans, without reading the corpus
masking_job   also detects, masks and checks
release_job   also releases documents, report and run together
"""
