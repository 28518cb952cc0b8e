"""linkmask inside the frameworks of others, each behind an extra of its own."""
