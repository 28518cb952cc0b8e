"""The entity types that code names, so that a wrong name is a type error and no silent miss.

The tables beside this file define each type. A type that only rows of recognizers find needs no
line here. Code that means all types of a form or trait calls `types_of` (`words/forms.toml`).
"""

from typing import Final

NAME: Final = "NAME"
PATIENT_ID: Final = "PATIENT_ID"
ADDRESS: Final = "ADDRESS"
PHONE_NUMBER: Final = "PHONE_NUMBER"
MEDICAL_CONDITION: Final = "MEDICAL_CONDITION"
TREATMENT: Final = "TREATMENT"
NON_PERSONAL_ID: Final = "NON_PERSONAL_ID"
UNIQUE_FACT: Final = "UNIQUE_FACT"
BIRTHDATE: Final = "BIRTHDATE"
INDIRECT_IDENTIFIER: Final = "INDIRECT_IDENTIFIER"
PROVIDER: Final = "PROVIDER"
EVENT_DATE: Final = "EVENT_DATE"
AGE: Final = "AGE"
LOCATION: Final = "LOCATION"
EVENT: Final = "EVENT"
DEMOGRAPHIC: Final = "DEMOGRAPHIC"
NATIONAL_ID: Final = "NATIONAL_ID"
ORGANIZATION: Final = "ORGANIZATION"
