"""Documents made by code, each place of which that can hold text holds a value of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from string import ascii_lowercase


@dataclass
class Trap:
    """A document: its file name, its bytes, and the value planted in each place.

    `unread` are the places that can't be read: each is set aside, and left out of what is written.
    `written` is the name of what is written.
    """

    name: str
    data: bytes = b""
    planted: dict[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    written: str = ""

    def plant(self, place: str) -> str:
        """Return a new value for a place."""
        first, second = divmod(len(self.planted), 26)
        value = f"Zorvek{ascii_lowercase[first]}{ascii_lowercase[second]}ov"
        assert place not in self.planted
        self.planted[place] = value
        return value

    def broken(self, place: str, mark: str) -> str:
        """Return a new value with a mark in the middle of the word."""
        value = self.plant(place)
        return f"{value[:4]}{mark}{value[4:]}"


def html(trap: Trap) -> None:
    """A page with everything in it that a page may hold."""
    p, b = trap.plant, trap.broken
    entity = p("reference")
    page = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>{p("title")}</title>
<meta name="author" content="{p("meta")}"><link rel="next" href="/{p("link")}.html">
<style>p::after {{ content: "{p("style")}" }}</style>
<script type="application/ld+json">{{"name": "{p("json-ld")}",
"x": "\\u005a{p("escape")[1:]}"}}</script>
<script>var user = '{p("script")}';</script></head>
<body data-owner="{p("data attribute")}" class={p("bare")} onclick="f('{p("event")}')">
<nav>{p("nav")}</nav><p>Name: {b("inline tags", "<b><i>")}</i></b> and
&#{ord(entity[0])};{entity[1:]}
<p>{b("line break tag", "<wbr>")} {b("comment in a word", "<!-- -->")}
<table><tr><th>Name</th><td>{p("cell")}</td></tr></table><!-- {p("comment")} -->
<img alt='{p("alt")}' title="{p("tooltip")}" src="{p("source")}.png">
<a href="mailto:{p("mailto")}@x.example">write</a><span hidden>{p("hidden")}</span>
<span style="display:none">{p("unseen")}</span><noscript>{p("noscript")}</noscript>
<form><label>Name <input name="n" value="{p("input")}"></label>
<input type=hidden value="{p("field")}">
<textarea> {p("textarea")} </textarea>
<select><option value="{p("option value")}">{p("option")}</select>
<template>{p("template")}</template><svg><text>{p("svg")}</text></svg><![CDATA[{p("cdata")}]]>
<?php {p("instruction")} ?></form></body></html> {p("after the end")} <a title="{p("unclosed")}
"""
    trap.data = page.encode()


def eml(trap: Trap) -> None:
    """A message with parts of every kind, within one another."""
    p = trap.plant
    mail = EmailMessage()
    mail["From"] = f"Zoë {p('encoded word')} <{p('address')}@x.example>"
    mail["Subject"] = f"{'long ' * 20}{p('folded subject')}"
    mail["X-Note"] = p("other header")
    mail["Message-ID"] = f"<{p('message id')}@x.example>"
    mail.set_content(f"Name: {p('plain')}\n")
    page = f"<p>{trap.broken('alternative', '<b>')}</b> é<img alt='{p('alternative alt')}'></p>"
    mail.add_alternative(page, subtype="html", cte="quoted-printable")
    inner = EmailMessage()
    inner["Subject"] = p("inner subject")
    inner.set_content(p("inner body"))
    inner.add_attachment(f"{p('inner attachment')}\n", filename=f"{p('inner file name')}.txt")
    mail.add_attachment(inner)
    mail.add_attachment(f"{p('base64 text')}\n", cte="base64", filename=f"é{p('file name')}.log")
    mail.add_attachment(f"<p title='{p('page title')}'>{p('page')}", subtype="html")
    mail.add_attachment(f"SUMMARY:{p('calendar')}\n", subtype="calendar")
    mail.preamble, mail.epilogue = p("preamble"), p("epilogue")
    trap.data = mail.as_bytes()


def picture(trap: Trap) -> None:
    """A message with a picture, which can't be read."""
    mail = EmailMessage()
    mail["Subject"] = trap.plant("subject")
    mail.set_content(trap.plant("body"))
    name = f"{trap.plant('file name')}.png"
    pixels = b"\x89PNG\r\n" + trap.plant("picture").encode()
    mail.add_attachment(pixels, maintype="image", subtype="png", filename=name)
    trap.data = mail.as_bytes()


def mbox(trap: Trap) -> None:
    """A mailbox of two messages."""
    for number in range(2):
        mail = EmailMessage()
        mail["Subject"] = trap.plant(f"subject {number}")
        mail.set_content(f"{trap.plant(f'body {number}')}\n>From here\n")
        line = f"From {trap.plant(f'envelope {number}')}@x.example Thu Jan  1 00:00:00 2026\n"
        trap.data += line.encode() + mail.as_bytes() + b"\n"


MADE: dict[str, tuple[str, Callable[[Trap], None], tuple[str, ...]]] = {
    "html": ("page.html", html, ()),
    "eml": ("mail.eml", eml, ()),
    "eml with a picture": ("picture.eml", picture, ("picture",)),
    "mbox": ("box.mbox", mbox, ()),
}
"""Name of a trap → name of its file, what makes it, and which of its places can't be read."""
TRAPS = tuple(MADE)


def made(kind: str) -> Trap:
    """Make a trap document."""
    name, make, unread = MADE[kind]
    trap = Trap(name, unread=unread, written=name)
    make(trap)
    return trap
