"""Markdown as these pages use it: sections of named items, which are rows of a table or paragraphs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page. `key` is the section's key in the rubric, `items` are its members by name: rows of cells where
    there is a `head`, else lines of text. A section without items is not shown.
    """

    key: str
    title: str
    items: Mapping[str, Sequence[str]]
    introduction: Sequence[str] = ()
    head: tuple[str, ...] = ()
    ending: Sequence[str] = ()

    def lines(self, names: Iterable[str] | None = None) -> list[str]:
        """The Markdown of the section, or of some of its items alone."""
        chosen = list(self.items.values()) if names is None else [self.items[name] for name in names]
        body = table(self.head, chosen) if self.head else [line for item in chosen for line in (*item, "")][:-1]
        if names is not None:
            return [f"## {self.title}", "", *body]
        before = [line for paragraph in self.introduction for line in (paragraph, "")]
        after = [line for paragraph in self.ending for line in ("", paragraph)]
        return [f"## {self.title}", "", *before, *body, *after]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table; columns that are empty in every row are left out."""
    rows = [list(row) for row in rows]
    kept = [column for column in range(len(head)) if column == 0 or any(row[column] for row in rows)]
    lines = [[cell(row[column]) for column in kept] for row in (list(head), *rows)]
    ruler = ["---"] * len(kept)
    return [f"| {' | '.join(line)} |" for line in (lines[0], ruler, *lines[1:])]


def cell(text: str) -> str:
    """A text that can stand in a table: on one line, its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def plain(text: str) -> str:
    """An author's text on one line; what would be markup to Markdown is escaped, but for code."""
    parts = " ".join(text.split()).split("`")
    return "`".join(part if number % 2 else re.sub(r"[<*\[]", r"\\\g<0>", part) for number, part in enumerate(parts))


def sentence(text: str) -> str:
    """A text that ends with a full stop."""
    text = text.strip()
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
