"""What a field is that an entry lacks, by the ending of its type."""

import pytest

from rubric.engine.loading import load_text

RUBRIC = """\
rubric: shelf
version: "1"
language: 1
inputs:
  shelf: {{from: operator, record: shelf}}
records:
  book: {{fields: {{title: text}}}}
  shelf:
    fields:
      first: book or absent
      books: {books}
      width: {width}
values:
  first: shelf.first
  books: shelf.books
  width: shelf.width
"""
FAULT = "a fault"


def read(books: str, width: str, shelf: dict):
    report = load_text(RUBRIC.format(books=books, width=width), "shelf-1.yaml").run_case({"shelf": shelf}).to_dict()
    return FAULT if report["outcome"] == "error" else (report["values"]["books"], report["values"]["width"])


@pytest.mark.parametrize("books", ["list of book", "list of number"])
@pytest.mark.parametrize(
    ("ending", "absent", "null"),
    [
        ("", FAULT, FAULT),
        (" or nothing", ([], None), ([], None)),
        (" or absent", ([], None), FAULT),
        (" or omitted", (None, None), FAULT),
        (" or null", FAULT, (None, None)),
    ],
)
def test_endings(books, ending, absent, null):
    types = (books + ending, "number > 0" + ending)
    assert read(*types, {}) == absent
    assert read(*types, {"books": None, "width": None}) == null
    assert read(*types, {"books": [], "width": 2}) == ([], 2)


def test_members_may_be_null():
    assert read("list of number or null", "any", {"books": [1], "width": 0}) == ([1], 0)
    assert read("list of number or null, or absent", "any", {"books": [1, None], "width": 0}) == ([1, None], 0)


@pytest.mark.parametrize(
    ("type_", "accepted", "refused"),
    [
        ("boolean", [True, False], [0, 1, "true"]),
        ("integer from 1 to 5", [1, 5, 3.0], [0, 6, 2.5, True, "3"]),
        ("wide | narrow-ish", ["wide", "narrow-ish"], ["wid", "", 1, True]),
        ("number > 0 or null", [0.5, 2, None], [0, "2", False]),
        ("text", ["a", "\u001c"], ["", " ", "\u3000", 5]),
    ],
)
def test_what_a_type_accepts(type_, accepted, refused):
    for width in accepted:
        assert read("any", type_, {"books": 0, "width": width}) == (0, width)
    for width in refused:
        assert read("any", type_, {"books": 0, "width": width}) == FAULT
