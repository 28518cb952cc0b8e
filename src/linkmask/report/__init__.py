"""Makes audit, page, pictures and explanations from what a run knows."""
