"""The text view: what the recognizers read of a document, and what of that is not language.

readings        the fields of a document as texts with a label, their language and countries
non_language    stretches that are no language: base64, hexadecimal, sequences
masks           masks of an earlier run, which are not values
touching_words  a second reading, with numbers parted from the words that touch them, and with the
                words joined that a line end breaks
"""
