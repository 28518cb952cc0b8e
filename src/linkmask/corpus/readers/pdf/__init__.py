"""PDF files: `reader` reads them as Markdown, `redaction` writes them without what is masked.

page_text   the text of a page, in reading order
hidden      the characters of a page that must be hidden, and the objects that show them
rebuilt     a file made anew of its pages alone, and the check that nothing masked is left in it
"""
