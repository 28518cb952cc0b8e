"""Makes audit, page, pictures and explanations of a run."""
