"""Structured text: values that a label, a column, a numbered field or a place in a chat names.

fields          values behind a label in the text, and in JSON, XML and rows of keys
field_pairs     what a field holds by the field beside it: {"name": "ssn", "value": "…"}
label_types     the type that a label's words name
written_labels  labels that a reader of files added, which stand nowhere in the file
rows            where the cells of a row stand: in lines, and in brackets
tables          values below the head of a table
row_numbers     the number of the person in a row, under a head such as "No"
columns         values of columns without a head, by what most of their cells are
statements      values in SQL, by the columns that it names
messages        numbered fields of HL7 and X12
chat            speakers and writers of messages
"""
