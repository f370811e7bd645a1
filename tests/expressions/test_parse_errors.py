"""Mistakes that people make, and what they are told: where, what was found, and what may have been meant."""

from pathlib import Path

import pytest
import yaml

from rubric.engine.expressions.parser import ExpressionError, parse

MISTAKES = yaml.safe_load(Path(__file__).with_name("mistakes.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake["text"] for mistake in MISTAKES])
def test_mistakes(mistake):
    with pytest.raises(ExpressionError) as caught:
        parse(mistake["text"])
    error = caught.value
    assert {"text": mistake["text"], "at": error.at, "message": error.message, "hint": error.hint} == mistake
    assert str(error) == error.message


def test_long_pieces_are_shown_short():
    with pytest.raises(ExpressionError) as caught:
        parse("a " + "b" * 200)
    assert caught.value.message == f"'{'b' * 40}...' cannot stand here; expected an operator"


def test_what_cannot_be_seen_is_shown_escaped():
    with pytest.raises(ExpressionError) as caught:
        parse('a "\x07\n"')
    assert caught.value.message == r"""'"\x07\n"' cannot stand here; expected an operator"""
