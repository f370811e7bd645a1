"""Text: words, normal forms, and how far apart two texts are.

Conventions

* A text is a `str`, a sequence of Unicode code points; a list of words is a list of texts. Nothing here depends on a
  locale. Where a list is expected a `str` is the sequence of its characters, so that rates of words and of characters
  are the same function.
* White space is the Unicode property White_Space: no-break spaces, U+0085 and line separators count; U+001C to U+001F
  and U+FEFF do not.
* Error rates are edits divided by the length of the reference. They are not capped, so a hypothesis that is longer
  than the reference can exceed 1. With an empty reference there is no rate: null, however long the hypothesis is.
  `word_errors` still shows the insertions, and sums of `WordErrors` give the rate over a corpus.
* Token F1 is a ratio of counts and divides once. Two empty lists agree (1); one empty list does not (0).

Differences from known tools

* jiwer returns the number of insertions for an empty reference (before 4.0 it raised an error) and splits at spaces
  only; here the words come from `words` or from the caller, and nothing is normalised unasked. The counts of
  `word_errors` are those of rapidfuzz, which jiwer uses too. sclite weighs substitutions 4 and insertions and
  deletions 3, so its split, and sometimes its total, is another.
* SQuAD's token F1 drops ASCII punctuation and keeps the pieces joined ("o'clock" becomes "oclock"); `words` splits
  there ("o", "clock").
* `\\w` of Python's `re` covers letters, numbers and the underscore, and no combining marks: a word ends at a vowel sign
  that has no composed form. Characters younger than Unicode 14 count as words only where Python's tables know them.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from ._alignment import cells, trace
from ._arguments import as_whole
from ._equality import canonical_column
from ._normal_forms import in_form
from .annotations import Count, NonNegative, Share
from .faults import ArgumentFault

__all__ = [
    "Alignment",
    "Match",
    "WordErrors",
    "align",
    "character_error_rate",
    "contains_run",
    "edit_distance",
    "fields",
    "join",
    "lower",
    "normalize",
    "split",
    "timecode",
    "timecode_frame",
    "token_f1",
    "trim",
    "word_error_rate",
    "word_errors",
    "words",
]

_WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
_PIECE = re.compile(f"[^{_WHITE_SPACE}]+")
_WORD = re.compile(r"\w+")
_TIMECODE = re.compile("([0-9]{2,}):([0-5][0-9]):([0-5][0-9]):([0-9]{2,})")
_ASCII_WORDS = "".join(c.lower() if _WORD.match(c) else " " for c in map(chr, range(128)))
_CATEGORIES = {"letters": "L", "marks": "M", "numbers": "N"}

# From here on a narrow band is tried first: 3 to 5 times faster where it suffices, a tenth slower where it does not.
_LONG = 4096

_MOST_CELLS = 1 << 30  # of an alignment, two bits each


def words(text: str, *, drop: Sequence[str] = ()) -> list[str]:
    """The words of a text: NFKC, then full case folding, then every run of `\\w+`, without those in `drop`.

    `drop` lists words as they are after folding (`["a", "an", "the"]`); an entry that no word could equal is refused.
    A text without words gives an empty list.
    """
    found = _split(text)
    if not drop:
        return found
    if isinstance(drop, str):
        raise ArgumentFault("drop", f"{drop!r} is one text; expected a list of words")
    dropped = _dropped(tuple(drop))
    return [word for word in found if word not in dropped]


def _split(text: str) -> list[str]:
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    return _WORD.findall(in_form("NFKC", text).casefold())


@lru_cache(maxsize=64)
def _dropped(drop: tuple[str, ...]) -> frozenset[str]:
    for word in drop:
        if _split(word) != [word]:
            raise ArgumentFault("drop", f"{word!r} is never a word: words are {_split(word)} after folding")
    return frozenset(drop)


def normalize(
    text: str,
    *,
    form: Literal["NFC", "NFD", "NFKC", "NFKD"],
    case: Literal["lower", "fold", "keep"],
    keep: str,
) -> str:
    """A text in a Unicode normal form and one case, with only some kinds of characters left; the rest is removed.

    The order is form, case, removal. `case` is full lower case (`lower`), full case folding (`fold`: sharp s becomes
    ss) or unchanged (`keep`). `keep` names what stays, separated by spaces: `letters` (general category L), `marks`
    (M), `numbers` (N), `spaces` (white space) and single characters, as in `"letters marks numbers '"`. A text of
    which nothing stays becomes empty. An unknown form, case or class is refused.
    """
    if form not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise ArgumentFault("form", f"{form!r} is not one of NFC, NFD, NFKC, NFKD")
    categories, characters = _kept(keep)
    formed = _in_case(in_form(form, text), case)
    return "".join(c for c in formed if c in characters or unicodedata.category(c)[0] in categories)


def _in_case(text: str, case: str) -> str:
    if case == "lower":
        return text.lower()
    if case == "fold":
        return text.casefold()
    if case == "keep":
        return text
    raise ArgumentFault("case", f"{case!r} is not one of lower, fold, keep")


@lru_cache(maxsize=64)
def _kept(keep: str) -> tuple[frozenset[str], frozenset[str]]:
    """The general categories and the single characters that `keep` names."""
    categories, characters = set(), set()
    for item in keep.split(" "):
        if item in _CATEGORIES:
            categories.add(_CATEGORIES[item])
        elif item == "spaces":
            characters.update(_WHITE_SPACE)
        elif len(item) == 1:
            characters.add(item)
        elif item:
            known = ", ".join((*_CATEGORIES, "spaces"))
            raise ArgumentFault("keep", f"{item!r} is neither a class ({known}) nor a single character")
    if not categories and not characters:
        raise ArgumentFault("keep", "it names nothing, so that every text would become empty")
    return frozenset(categories), frozenset(characters)


def trim(text: str) -> str:
    """The text without white space at both ends."""
    return text.strip(_WHITE_SPACE)


def split(text: str) -> list[str]:
    """The pieces of the text between white space, as they are; none of a text that is blank."""
    return _PIECE.findall(text)


def lower(text: str) -> str:
    """The text in full lower case, which is not case folding: sharp s stays."""
    return text.lower()


def join(texts: Sequence[str | None], separator: str) -> str | None:
    """The texts one after another with `separator` between them; empty for no texts, null where one is null."""
    known = [text for text in texts if text is not None]
    return separator.join(known) if len(known) == len(texts) else None


def edit_distance(a: Sequence[Any], b: Sequence[Any]) -> Count:
    """The least number of insertions, deletions and substitutions that turn `a` into `b` (Levenshtein 1966).

    Two texts are compared by characters, two lists by their entries, of any kind of data: true is not 1, 1 is 1.0.
    """
    if isinstance(a, str) and isinstance(b, str):
        return _edits(a, b)
    codes: dict[Hashable, int] = {}
    return _edits(_coded(a, codes), _coded(b, codes))


def _coded(sequence: Sequence[Any], codes: dict[Hashable, int]) -> list[int]:
    """Every entry as a small number. rapidfuzz itself compares hashes and takes "a" and 97 for the same."""
    return [codes.setdefault(key, len(codes)) for key in canonical_column(list(sequence))]


def _distance(a: Sequence[Hashable], b: Sequence[Hashable], /, *, score_cutoff: int | None = None) -> int:
    """rapidfuzz's function, which takes this one's place at the first call: importing this module stays free of it."""
    global _distance
    from rapidfuzz.distance.Levenshtein import distance as _distance

    return _distance(a, b, score_cutoff=score_cutoff)


def _edits(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """The distance; of long sequences first in a band that is cheap and wide enough for one edit in eight."""
    if len(a) < _LONG:
        return _distance(a, b)
    band = len(a) // 8
    edits = _distance(a, b, score_cutoff=band)
    return edits if edits <= band else _distance(a, b)


def word_error_rate(reference: Sequence[str], hypothesis: Sequence[str]) -> NonNegative | None:
    """Edits per reference word, from 0 upwards; null for a reference without words.

    The mean of the rates of utterances is not the rate of the corpus: add up `word_errors` for that.
    """
    if reference == hypothesis:  # most lines are heard without an error, and comparing is cheaper than aligning
        return 0.0 if reference else None
    length = len(reference)
    if not length:
        return None
    return (_distance(reference, hypothesis) if length < _LONG else _edits(reference, hypothesis)) / length


def character_error_rate(reference: str, hypothesis: str) -> NonNegative | None:
    """Edits per reference character (code point, white space included), from 0 upwards; null for an empty reference."""
    return word_error_rate(reference, hypothesis)


@dataclass(frozen=True)
class WordErrors:
    """How a hypothesis differs from its reference, in words. Counts of several utterances add up with `+`.

    `reference_words` = `hits` + `substitutions` + `deletions`; counts that do not add up are refused.
    """

    substitutions: Count
    deletions: Count
    insertions: Count
    hits: Count
    reference_words: Count

    def __post_init__(self) -> None:
        if min(self.substitutions, self.deletions, self.insertions, self.hits) < 0:
            raise ArgumentFault("hits", f"a count is negative in {self}")
        aligned = self.hits + self.substitutions + self.deletions
        if aligned != self.reference_words:
            raise ArgumentFault("reference_words", f"{self.reference_words} is not the {aligned} words of the counts")

    @classmethod
    def zero(cls) -> "WordErrors":
        """No words and no errors: the start of a sum."""
        return cls(0, 0, 0, 0, 0)

    @property
    def errors(self) -> Count:
        """Substitutions, deletions and insertions together."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> NonNegative | None:
        """Errors per reference word; null without reference words."""
        return self.errors / self.reference_words if self.reference_words else None

    def __add__(self, other: "WordErrors") -> "WordErrors":
        return WordErrors(
            self.substitutions + other.substitutions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
            self.hits + other.hits,
            self.reference_words + other.reference_words,
        )


def word_errors(reference: Sequence[str], hypothesis: Sequence[str]) -> WordErrors:
    """The counts of a cheapest alignment, every edit costing 1.

    Their sum is unique, the split is not: among the cheapest alignments it is the one that rapidfuzz traces back.
    """
    from rapidfuzz.distance.Levenshtein import editops

    tally = Counter(operation.tag for operation in editops(reference, hypothesis))
    changed, missing = tally["replace"], tally["delete"]
    return WordErrors(changed, missing, tally["insert"], len(reference) - changed - missing, len(reference))


@dataclass(frozen=True, init=False)
class Match:
    """Two equal words that an alignment puts together, by their indices in the lists given."""

    reference: Count
    hypothesis: Count

    def __init__(self, reference: int, hypothesis: int):
        # A frozen dataclass would set each field by a call, which costs more than aligning the words.
        own = self.__dict__
        own["reference"], own["hypothesis"] = reference, hypothesis


@dataclass(frozen=True)
class Alignment:
    """An alignment: how many words it changes, lacks and adds, and the words that are equal, in order."""

    substitutions: Count
    deletions: Count
    insertions: Count
    matches: Sequence[Match]

    @property
    def errors(self) -> Count:
        """Substitutions, deletions and insertions together."""
        return self.substitutions + self.deletions + self.insertions


def align(reference: Sequence[str], hypothesis: Sequence[str]) -> Alignment:
    """The words of a reference and a hypothesis put together, every edit costing 1, with those that are equal.

    Of the cheapest alignments it is the one that is traced back from the end where a pair of words (equal or
    substituted) goes before a deletion and a deletion before an insertion. So of a repeated word that was heard once
    the last copy is matched. `errors` is unique and the edit distance; other tools split it differently, and
    `word_errors` does too.

    Time grows with the words times the errors. Refused: more than 2^30 cells around the diagonal, which no less than
    32,768 words on each side have.
    """
    codes: dict[Hashable, int] = {}
    a, b = _coded(reference, codes), _coded(hypothesis, codes)
    distance = _edits(a, b)
    if (size := cells(len(a), len(b), distance)) > _MOST_CELLS:
        reason = f"{len(a)} and {len(b)} words with {distance} errors take {size} cells, more than 2^30"
        raise ArgumentFault("reference", reason)
    found = trace(a, b, distance)
    matches = [Match(i, j) for i, j in found.matches]
    return Alignment(found.substitutions, found.deletions, found.insertions, matches)


def token_f1(truth: Sequence[str], answer: Sequence[str]) -> Share:
    """F1 of the tokens that two lists share, each counted as often as both have it: 2 x shared / all tokens.

    Order does not matter. Two empty lists give 1, one empty list 0 (Rajpurkar et al. 2016, SQuAD).
    """
    total = len(truth) + len(answer)
    if not total:
        return 1.0
    left: dict[str, int] = {}
    for token in truth:
        left[token] = left.get(token, 0) + 1
    shared = 0
    for token in answer:
        copies = left.get(token, 0)
        if copies:
            left[token] = copies - 1
            shared += 1
    return 2 * shared / total


def contains_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether `run` stands in `words` in one piece. An empty run stands only in no words at all.

    Linear time, also where tokens repeat (Knuth, Morris and Pratt 1977).
    """
    if not run:
        return not words
    borders = _borders(run)
    matched = 0
    for word in words:
        while matched and run[matched] != word:
            matched = borders[matched - 1]
        matched += run[matched] == word
        if matched == len(run):
            return True
    return False


def _borders(run: Sequence[str]) -> list[int]:
    """For every prefix of `run`, the length of its longest proper prefix that is also its suffix."""
    borders = [0] * len(run)
    length = 0
    for position in range(1, len(run)):
        while length and run[length] != run[position]:
            length = borders[length - 1]
        length += run[length] == run[position]
        borders[position] = length
    return borders


_FIELD = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*:(.*)")


def fields(text: str) -> dict[str, str]:
    """What the lines `NAME: value` of a text say, by name, without white space around the values.

    Names are letters, digits and `_`. Lines of another form say nothing; of a name that stands twice the first counts.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        if match := _FIELD.fullmatch(line):
            found.setdefault(match[1], trim(match[2]))
    return found


def timecode(frame: Count, fps: Count) -> str:
    """The SMPTE timecode HH:MM:SS:FF of a frame, counted from 0, at a whole rate, without dropped frames (ST 12-1)."""
    if not (_is_whole(frame) and frame >= 0):
        raise ArgumentFault("frame", f"a whole number of at least 0 is needed, not {frame!r}")
    if not (_is_whole(fps) and fps >= 1):
        raise ArgumentFault("fps", f"a whole number of frames a second is needed, not {fps!r}")
    seconds, frames = divmod(int(frame), int(fps))
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}:{frames:02d}"


def _is_whole(value: Any) -> bool:
    return type(value) in (int, float) and value == value // 1


def timecode_frame(timecode: str, fps: Count) -> Count | None:
    """The frame of a timecode HH:MM:SS:FF; null for a text that is none at this rate. The inverse of `timecode`."""
    rate = as_whole("fps", fps, least=1)
    match = _TIMECODE.fullmatch(timecode)
    if match is None or int(match[4]) >= rate:
        return None
    hours, minutes, seconds, part = map(int, match.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * rate + part
