"""Unicode normal forms in time that grows with the length of a text, whatever is in it."""

import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
_SHORT = 128  # characters; of so few no order takes long
_MARKS_IN_DISGUISE = frozenset("\u0f73\u0f75\u0f81")  # of no class themselves, but made of marks of two


def in_form(form: Form, text: str) -> str:
    """What `unicodedata.normalize` gives.

    That function sorts runs of combining marks by insertion, in quadratic time: 30,000 marks out of order take seconds.
    Long texts with marks are therefore decomposed and put in order first (The Unicode Standard, section 3.11, D108 and
    D109), which changes no normal form.
    """
    if len(text) > _SHORT and not text.isascii() and _has_marks(text):
        text = _decomposed_in_order("NFD" if form in ("NFC", "NFD") else "NFKD", text)
    return unicodedata.normalize(form, text)


def _has_marks(text: str) -> bool:
    return any(map(unicodedata.combining, text)) or not _MARKS_IN_DISGUISE.isdisjoint(text)


def _decomposed_in_order(form: Form, text: str) -> str:
    characters = "".join([_decomposed(form, character) for character in text])
    runs = (list(run) for _, run in groupby(characters, _is_starter))
    return "".join("".join(sorted(run, key=unicodedata.combining)) for run in runs)


@lru_cache(maxsize=4096)
def _decomposed(form: Form, character: str) -> str:
    return unicodedata.normalize(form, character)


def _is_starter(character: str) -> bool:
    return unicodedata.combining(character) == 0
