"""What masking never changes: keys of records, names of columns, ids and file names.

keys           finds direct identifiers in keys and in names of columns
names_in_keys  tells which keys hold names that the recognizers do not find in them
leaking_names  tells which names of documents and files hold a masked value, or name a person
"""
