"""From everything a run knows to what people read: audit, page, pictures, explanations."""
