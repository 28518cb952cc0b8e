"""What regulations name: each class of HIPAA's Safe Harbor and each element of PCI DSS.

A row: a type, a text, and the value in it; no value: a near-miss that must not be of that type.
"""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import find

ROWS = [
    # PCI DSS: the card number, what is printed with it, and what may never be kept
    ("CREDIT_CARD", "card 4242 4242 4242 4242 was charged", "4242 4242 4242 4242"),
    ("CREDIT_CARD", "parcel 4242 4242 4242 4243 was sent", ""),
    ("CARD_CODE", "card on file, CVV 123, exp 09/27", "123"),
    ("CARD_CODE", "cryptogramme visuel : 842", "842"),
    ("CARD_CODE", "Kartenprüfnummer 5512", "5512"),
    ("CARD_CODE", "room 123 was booked", ""),
    ("CARD_CODE", "the security code of practice of 2019 applies", ""),
    ("CARD_EXPIRY", "Visa 4242 4242 4242 4242 exp 09/27", "09/27"),
    ("CARD_EXPIRY", "carte bancaire, expire 09/2027", "09/2027"),
    ("CARD_EXPIRY", "Karte gültig bis 11/28", "11/28"),
    ("CARD_EXPIRY", "the policy expires 09/27", ""),
    ("CARD_TRACK", "swipe %B4242424242424242^QU^27091010? ok", "%B4242424242424242^QU^27091010?"),
    ("CARD_TRACK", "swipe ;4242424242424242=27091010000? ok", ";4242424242424242=27091010000?"),
    ("CARD_TRACK", "ratio ;42=27 and more", ""),
    ("CARD_PIN", "she wrote her PIN 4471 on the form", "4471"),
    ("CARD_PIN", "le code secret est 4471", "4471"),
    ("CARD_PIN", "PIN block 8A3F11C90D2E4B77 logged", "8A3F11C90D2E4B77"),
    ("CARD_PIN", "postal PIN 600041", ""),
    ("CARD_PIN", "a pin of 3 mm was set in 2019", ""),
    ("SERVICE_CODE", "track data: service code 201", "201"),
    ("SERVICE_CODE", "service code 99213 was billed", ""),
    # HIPAA, beside the types every schema has
    ("ACCOUNT_NUMBER", "refund to account no. 4471-882-09", "4471-882-09"),
    ("ACCOUNT_NUMBER", "numéro de compte 00012345678", "00012345678"),
    ("ACCOUNT_NUMBER", "Kontonummer 532013000", "532013000"),
    ("ACCOUNT_NUMBER", "account manager for 12 years", ""),
    ("LICENSE_NUMBER", "driver's license D4410-88231", "D4410-88231"),
    ("LICENSE_NUMBER", "permis de conduire n° 14AA00002", "14AA00002"),
    ("LICENSE_NUMBER", "Führerscheinnummer B072RRE2I55", "B072RRE2I55"),
    ("LICENSE_NUMBER", "licensed practitioner since 2001", ""),
    ("VEHICLE_ID", "VIN 1HGCM82633A004352", "1HGCM82633A004352"),
    ("VEHICLE_ID", "véhicule immatriculé AB-123-CD", "AB-123-CD"),
    ("VEHICLE_ID", "license plate 7XKZ921 was seen", "7XKZ921"),
    ("VEHICLE_ID", "Kennzeichen M-AB 1234", "M-AB 1234"),
    ("VEHICLE_ID", "registration of 40 patients", ""),
    ("DEVICE_ID", "pump serial number SN-55102-AX", "SN-55102-AX"),
    ("DEVICE_ID", "Seriennummer 4471-0098", "4471-0098"),
    ("DEVICE_ID", "IMEI 490154203237518", "490154203237518"),
    ("DEVICE_ID", "a serial killer novel of 1999", ""),
    ("BIOMETRIC", "fingerprint template FP-88213-77", "FP-88213-77"),
    ("BIOMETRIC", "empreinte digitale n° EB20931", "EB20931"),
    ("BIOMETRIC", "a fingerprint smudge was cleaned", ""),
    ("PHOTO", "see photo mquill_face.jpg attached", "mquill_face.jpg"),
    ("PHOTO", "see letter mquill.pdf attached", ""),
    ("PHONE_NUMBER", "fax 303-555-0142", "303-555-0142"),
    ("URL", "see https://example.org/quill", "https://example.org/quill"),
    ("IP_ADDRESS", "from 192.0.2.17 at noon", "192.0.2.17"),
    ("IP_ADDRESS", "version 2.0.17 of the form", ""),
    # amounts, which policies may make coarser
    ("AMOUNT", "paid $1,234.50 in cash", "$1,234.50"),
    ("AMOUNT", "soit 1 234,50 € par an", "1 234,50 €"),
    ("AMOUNT", "CHF and other currencies", ""),
]  # fmt: skip


@pytest.mark.parametrize(("entity_type", "text", "value"), ROWS)
def test_a_regulated_value_is_told_from_its_near_miss(
    entity_type: str, text: str, value: str
) -> None:
    """The value is found, whole; the near-miss is not taken for one."""
    found = find(text, Scope(regulated=True))
    assert [text[f.start : f.end] for f in found if f.type == entity_type] == [value] * bool(value)


def test_they_are_looked_for_only_where_asked() -> None:
    """Without a policy nothing changes."""
    assert find("CVV 123", Scope()) == []
