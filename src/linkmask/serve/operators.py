"""Runs Presidio's operators (2.2.366): what each writes over a text, and what it takes."""

from __future__ import annotations

import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256, sha512
from typing import Any, NamedTuple

from linkmask.serve.service import HttpError

Operate = Callable[[str, str, Mapping[str, Any]], str]
"""Text, entity type and parameters → what is written in its place."""
JSON = {str: "string", bool: "boolean", int: "number", list: "array"}
HASHES = {"sha256": sha256, "sha512": sha512}
FEWEST = 16
"""Bytes of a salt."""


def invalid(message: str) -> HttpError:
    """Return the fault of a parameter that is wrong."""
    return HttpError(422, message)


def shown(name: Any) -> str:
    """Return a name that a request holds, as an error may show it: a word in small letters."""
    return name if isinstance(name, str) and re.fullmatch(r"[a-z0-9_]{1,32}", name) else "…"


def check_type(value: Any, name: str, kind: type) -> None:
    """Refuse a value of another type; empty ones pass, as in Presidio.

    Raises:
        HttpError: it has another type.
    """
    if value and not isinstance(value, kind):
        json_type = JSON.get(type(value))
        if json_type is None:
            raise invalid(f"Invalid parameter value for '{name}'.")
        raise invalid(
            f"Invalid parameter value for {name}. Expecting '{JSON[kind]}', but got '{json_type}'."
        )


def parameter(given: Mapping[str, Any], name: str, kind: type) -> Any:
    """Return a parameter that must be there.

    Raises:
        HttpError: it is missing, or of another type.
    """
    if given.get(name) is None:
        raise invalid(f"Expected parameter {name}")
    check_type(given[name], name, kind)
    if not isinstance(given[name], kind) and kind is not bool:
        raise invalid(f"Invalid parameter value for '{name}'.")
    return given[name]


def replace(text: str, entity: str, given: Mapping[str, Any]) -> str:
    """Write `new_value`, or the type in angle brackets."""
    check_type(given.get("new_value"), "new_value", str)
    return str(given.get("new_value") or f"<{entity}>")


def redact(text: str, entity: str, given: Mapping[str, Any]) -> str:
    """Write nothing."""
    return ""


def keep(text: str, entity: str, given: Mapping[str, Any]) -> str:
    """Leave the text."""
    return text


def mask(text: str, entity: str, given: Mapping[str, Any]) -> str:
    """Write a character over some of the text, from its begin or end."""
    character: str = parameter(given, "masking_char", str)
    if len(character) > 1:
        raise invalid("Invalid input, masking_char must be a character")
    number: int = parameter(given, "chars_to_mask", int)
    from_end = parameter(given, "from_end", bool)
    number = min(len(text), max(number, 0))
    if from_end:
        return text[: len(text) - number] + character * number
    return character * number + text[number:]


def hash_(text: str, entity: str, given: Mapping[str, Any]) -> str:
    """Write a salted hash; without `salt` each has its own, so that it can't be guessed."""
    name = given.get("hash_type", "sha256")
    if name is None:
        raise invalid("Expected parameter hash_type")
    if not isinstance(name, str) or name not in HASHES:
        raise invalid(
            f"Parameter hash_type value {shown(name)} is not in range of values {list(HASHES)}"
        )
    salt = os.urandom(32)
    if "salt" in given:
        check_type(given["salt"] or " ", "salt", str)
        salt = str(given["salt"] or "").encode("utf-8", "surrogatepass")
        if not salt:
            raise invalid(EMPTY_SALT)
        if len(salt) < FEWEST:
            raise invalid(
                f"Salt must be at least {FEWEST} bytes (128 bits). "
                f"Provided salt is {len(salt)} bytes."
            )
    return HASHES[name](text.encode("utf-8", "surrogatepass") + salt).hexdigest()


EMPTY_SALT = (
    "Salt parameter cannot be empty. Either omit the salt parameter to auto-generate a random salt,"
    " or provide a salt of at least 16 bytes (128 bits)."
)


def encrypt(text: str, entity: str, given: Mapping[str, Any]) -> str:
    """Write the text encrypted by AES-CBC with PKCS7 padding, its random vector before it."""
    from cryptography.hazmat.primitives.padding import PKCS7

    key, vector = _key(given), os.urandom(16)
    padder = PKCS7(128).padder()
    padded = padder.update(text.encode("utf-8", "surrogatepass")) + padder.finalize()
    encryptor = _cipher(key, vector).encryptor()
    return urlsafe_b64encode(vector + encryptor.update(padded) + encryptor.finalize()).decode()


def decrypt(text: str, entity: str, given: Mapping[str, Any]) -> str:
    """Write what `encrypt` was given.

    Raises:
        HttpError: the text is not of that, or the key is another one.
    """
    from cryptography.hazmat.primitives.padding import PKCS7

    key = _key(given)
    try:
        data = urlsafe_b64decode(text.encode("ascii"))
        decryptor = _cipher(key, data[:16]).decryptor()
        padded = decryptor.update(data[16:]) + decryptor.finalize()
        unpadder = PKCS7(128).unpadder()
        return (unpadder.update(padded) + unpadder.finalize()).decode("utf-8")
    except ValueError:
        raise HttpError(500, "Internal server error") from None


def _key(given: Mapping[str, Any]) -> bytes:
    key = str(parameter(given, "key", str)).encode("utf-8", "surrogatepass")
    if len(key) not in (16, 24, 32):
        raise invalid("Invalid input, key must be of length 128, 192 or 256 bits")
    return key


def _cipher(key: bytes, vector: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    return Cipher(algorithms.AES(key), modes.CBC(vector))


class Direction(NamedTuple):
    """The operators of `/anonymize`, or those of `/deanonymize`."""

    operators: Mapping[str, Operate]
    listed: tuple[str, ...]
    """What the list of operators holds, also what is refused over HTTP."""
    default: str = ""


ANONYMIZE = Direction(
    {
        "encrypt": encrypt,
        "hash": hash_,
        "keep": keep,
        "mask": mask,
        "redact": redact,
        "replace": replace,
    },
    ("custom", "encrypt", "hash", "keep", "mask", "redact", "replace"),
    "replace",
)
DEANONYMIZE = Direction(
    {"decrypt": decrypt, "deanonymize_keep": keep}, ("decrypt", "deanonymize_keep")
)
