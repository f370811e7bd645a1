"""The grammar is LALR(1) without conflicts, and its terminals do not overlap."""

import logging
from pathlib import Path

import pytest
from lark import Lark, logger

from rubric.engine.expressions import parser, syntax
from rubric.engine.expressions.parser import KEYWORDS, ExpressionError, parse

GRAMMAR = Path(parser.__file__).with_name("grammar.lark").read_text(encoding="utf-8")


def test_there_are_no_conflicts(caplog):
    """Lark resolves a shift/reduce conflict silently, but logs it when it is asked to; reduce/reduce it refuses."""
    before = logger.level
    logger.setLevel(logging.DEBUG)
    logger.propagate = True
    try:
        with caplog.at_level(logging.DEBUG, logger=logger.name):
            Lark(GRAMMAR, parser="lalr", debug=True)
            ambiguous = 'start: "x" start | "x" start "y" start | "x"'
            grammar_messages = [record.message for record in caplog.records]
            Lark(ambiguous, parser="lalr", debug=True)
    finally:
        logger.setLevel(before)
    assert not [message for message in grammar_messages if "conflict" in message.lower()]
    assert [record for record in caplog.records if "conflict" in record.message.lower()], "conflicts are logged"


def test_there_are_no_conflicts_in_strict_mode():
    pytest.importorskip("interegular")
    Lark(GRAMMAR, parser="lalr", strict=True)


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_words_of_the_language_can_be_fields(word):
    assert parse(f"row.{word}") == syntax.Field(syntax.Name("row"), word)


@pytest.mark.parametrize("word", ["if", "else", "and", "or", "not", "in"])
def test_words_of_the_language_are_no_values(word):
    for text in (word, f"{word} * 1", f"f({word})", f"({word})", f"f({word} -> 1)"):
        with pytest.raises(ExpressionError):
            parse(text)


@pytest.mark.parametrize("text", ["notx", "inside", "android", "iffy", "nullable", "truest", "order", "elsewhere"])
def test_names_may_begin_like_words_of_the_language(text):
    assert parse(f"{text} + 1").left == syntax.Name(text)
    assert parse(f"a if {text} else {text}") == syntax.Conditional(
        syntax.Name(text), syntax.Name("a"), syntax.Name(text)
    )


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a + bc.d", {"Name a": 0, "Name bc": 4, "Binary": 2, "Field": 7}),
        ("f(x, [true], null)", {"Call": 0, "Items": 5, "Boolean": 6, "Null": 13, "Name x": 2}),
        ("text.words( s )", {"Call": 0, "Name s": 12}),
        ("not a < b <= c", {"Unary": 0, "Comparison": 6}),
        ("  a if b else 'c'", {"Conditional": 4, "Text": 14}),
        ("f(e -> e.x)", {"Lambda": 2, "Field": 9}),
        ("a.b.c", {"Name a": 0}),
    ],
)
def test_places(text, places):
    """Every node knows the character at which an error about it should point."""
    found = {}
    for node in syntax.walk(parse(text)):
        found[f"{type(node).__name__} {getattr(node, 'id', '')}".strip()] = node.at
    assert {name: found[name] for name in places} == places


def test_dotted_names_and_numbers_need_no_parser_and_come_out_the_same():
    for text in ("a", "a.b", "a.b.c", "12", "1.5", "0", "x_1.y2"):
        plain, parsed = parse(text), parse(f" {text}")
        assert plain == parsed
        assert [node.at + 1 for node in syntax.walk(plain)] == [node.at for node in syntax.walk(parsed)]
