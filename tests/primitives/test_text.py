import re
import subprocess
import sys
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.primitives import text
from rubric.primitives.faults import ArgumentFault
from rubric.primitives.text import (
    WordErrors,
    align,
    character_error_rate,
    contains_run,
    edit_distance,
    join,
    lower,
    normalize,
    split,
    token_f1,
    trim,
    word_error_rate,
    word_errors,
    words,
)

few_words = st.lists(st.sampled_from(["a", "b", "ab", "ba", ""]), max_size=12)


def textbook_distance(a, b):
    """Wagner and Fischer's table, row by row: the oracle of every edit distance here."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def test_importing_the_module_loads_no_library():
    code = "import sys, rubric.primitives.text; print({'numpy', 'rapidfuzz'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


class TestWords:
    def test_folds_compatibility_forms_case_and_punctuation(self):
        assert words("The ﬁne STRASSE, at 5½!") == ["the", "fine", "strasse", "at", "51", "2"]
        assert words("Straße") == ["strasse"]
        assert words("it's snake_case") == ["it", "s", "snake_case"]

    def test_composed_and_decomposed_letters_are_one_word(self):
        assert words("café") == words("cafe\u0301") == ["café"]

    def test_every_white_space_separates(self):
        assert words("a\tb\u00a0c\u2003d\u3000e\u0085f") == list("abcdef")

    def test_drops_only_whole_words(self):
        assert words("The theatre and a band", drop=["a", "an", "the"]) == ["theatre", "and", "band"]
        assert words("a an the", drop=("a", "an", "the")) == []

    def test_a_text_without_words_is_empty(self):
        assert words("") == words(" ... !") == []

    @pytest.mark.parametrize("entry", ["The", "new york", "", "don't"])
    def test_refuses_a_dropped_word_that_nothing_could_equal(self, entry):
        with pytest.raises(ArgumentFault, match="is never a word") as caught:
            words("text", drop=["a", entry])
        assert caught.value.argument == "drop"

    def test_refuses_one_text_as_a_list_of_words(self):
        with pytest.raises(ArgumentFault, match="expected a list of words"):
            words("text", drop="the")

    @given(st.text() | st.text(st.characters(max_codepoint=127)))
    def test_is_its_definition(self, string):
        assert words(string) == re.findall(r"\w+", unicodedata.normalize("NFKC", string).casefold())


class TestNormalize:
    def test_keeps_what_is_named_and_nothing_else(self):
        kept = normalize("Don’t 3.5 isn't", form="NFKC", case="lower", keep="letters marks numbers '")
        assert kept == "dont35isn't"

    def test_marks_go_unless_named(self):
        assert normalize("हिन्दी", form="NFC", case="keep", keep="letters marks") == "हिन्दी"
        assert normalize("हिन्दी", form="NFC", case="keep", keep="letters") == "हनद"
        assert normalize("cafe\u0301", form="NFC", case="keep", keep="letters") == "café"
        assert normalize("café", form="NFD", case="keep", keep="letters") == "cafe"

    def test_lower_case_is_not_case_folding(self):
        assert normalize("STRAßE", form="NFC", case="lower", keep="letters") == "straße"
        assert normalize("STRAßE", form="NFC", case="fold", keep="letters") == "strasse"
        assert normalize("STRAßE", form="NFC", case="keep", keep="letters") == "STRAßE"

    def test_compatibility_forms(self):
        assert normalize("½ ﬁ", form="NFKC", case="keep", keep="letters numbers") == "12fi"
        assert normalize("½ ﬁ", form="NFC", case="keep", keep="letters numbers") == "½ﬁ"

    def test_spaces_are_a_class(self):
        assert normalize("a\u00a0b\tc.", form="NFC", case="keep", keep="letters spaces") == "a\u00a0b\tc"

    @pytest.mark.parametrize(
        ("change", "argument", "message"),
        [
            ({"form": "nfkc"}, "form", "not one of NFC"),
            ({"case": "upper"}, "case", "not one of lower, fold, keep"),
            ({"keep": "letters digits"}, "keep", "'digits' is neither a class"),
            ({"keep": " "}, "keep", "names nothing"),
        ],
    )
    def test_refuses_unknown_words(self, change, argument, message):
        with pytest.raises(ArgumentFault, match=message) as caught:
            normalize("x", **({"form": "NFC", "case": "keep", "keep": "letters"} | change))
        assert caught.value.argument == argument

    @given(st.text(), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
    def test_leaves_only_the_classes_named(self, string, form):
        kept = normalize(string, form=form, case="lower", keep="letters numbers '")
        assert all(c == "'" or unicodedata.category(c)[0] in "LN" for c in kept)


class TestPlainFunctions:
    def test_trim_knows_the_white_space_of_unicode(self):
        assert trim("\u00a0\u2028 a b\u3000\u0085\t") == "a b"
        assert trim("\u001ca\ufeff") == "\u001ca\ufeff"

    def test_lower(self):
        assert lower("ÄẞABC") == "äßabc"

    def test_join(self):
        assert join(["a", "b"], ", ") == "a, b"
        assert join([], ", ") == ""
        assert join(["a", None], ", ") is None


# jiwer 4.0.0, recomputed by the table of Wagner and Fischer: (reference, hypothesis, rate)
RATES = [
    ("the cat sat on the mat", "the cat sit on mat", 2 / 6),
    ("a", "b c d", 3.0),
    ("hello", "", 1.0),
    ("  a   b ", "a b", 0.0),
    ("a\tb", "a\u00a0b", 0.0),
    ("café", "cafe\u0301", 1.0),
    ("Hello", "hello", 1.0),
    ("", "a b c", None),
    ("", "", None),
]


class TestErrorRates:
    @pytest.mark.parametrize(("reference", "hypothesis", "rate"), RATES)
    def test_of_words(self, reference, hypothesis, rate):
        assert word_error_rate(reference.split(), hypothesis.split()) == rate
        assert word_errors(reference.split(), hypothesis.split()).rate == rate

    def test_of_characters(self):
        assert character_error_rate("kitten", "sitting") == 0.5
        assert character_error_rate("", "abc") is None
        assert character_error_rate("", "") is None

    def test_insertions_stay_visible_without_a_reference(self):
        assert word_errors([], ["a", "b", "c"]) == WordErrors(0, 0, 3, 0, 0)

    # jiwer 4.0.0: pooled, not the mean of the rates of lines
    @pytest.mark.parametrize(
        ("lines", "rate"),
        [
            ([("hello world", "hello world"), ("", "done")], 0.5),
            ([("a b c d e f g h i j", "a b c d e f g h i j"), ("k", "z")], 1 / 11),
        ],
    )
    def test_pooled_over_lines(self, lines, rate):
        total = WordErrors.zero()
        for reference, hypothesis in lines:
            total += word_errors(reference.split(), hypothesis.split())
        assert total.rate == rate

    def test_counts_that_do_not_add_up_are_refused(self):
        with pytest.raises(ArgumentFault, match="4 is not the 3 words"):
            WordErrors(substitutions=1, deletions=1, insertions=0, hits=1, reference_words=4)
        with pytest.raises(ArgumentFault, match="negative"):
            WordErrors(substitutions=-1, deletions=1, insertions=0, hits=1, reference_words=1)

    @given(few_words, few_words)
    def test_counts_agree_with_the_distance(self, reference, hypothesis):
        found = word_errors(reference, hypothesis)
        assert found.errors == textbook_distance(reference, hypothesis)
        assert found.hits + found.substitutions + found.insertions == len(hypothesis)
        assert found.rate == word_error_rate(reference, hypothesis)

    @given(few_words, few_words, few_words)
    def test_errors_of_lines_add_up(self, one, other, third):
        sides = [(one, other), (other, third), (third, one)]
        forward = sum((word_errors(*side) for side in sides), WordErrors.zero())
        assert forward.errors == sum(textbook_distance(*side) for side in sides)
        assert forward == sum((word_errors(*side) for side in reversed(sides)), WordErrors.zero())

    def test_a_list_and_a_tuple_of_the_same_words_agree(self):
        assert word_error_rate(["a", "b"], ("a", "b")) == 0.0


class TestEditDistance:
    def test_of_texts(self):
        assert edit_distance("intention", "execution") == 5
        assert edit_distance("", "abc") == 3

    def test_of_lists_of_any_data(self):
        assert edit_distance(["new", "york"], ["york"]) == 1
        assert edit_distance([1, "a", None, [1, 2]], [1.0, "a", None, [1, 2]]) == 0
        assert edit_distance(["a"], [97]) == 1
        assert edit_distance([-1], [-2]) == 1
        assert edit_distance([True], [1]) == 1
        assert edit_distance([""], ["\0"]) == 1

    @given(few_words, few_words)
    def test_is_the_textbook_distance(self, a, b):
        assert edit_distance(a, b) == textbook_distance(a, b)

    @given(few_words, few_words, few_words)
    def test_is_a_metric(self, a, b, c):
        assert edit_distance(a, b) == edit_distance(b, a)
        assert (edit_distance(a, b) == 0) == (a == b)
        assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)

    @pytest.mark.parametrize("every", [3, 40])
    def test_long_sequences_with_many_and_with_few_errors(self, every):
        reference = [f"w{n % 97}" for n in range(text._LONG + 1)]
        hypothesis = ["wrong" if n % every == 0 else word for n, word in enumerate(reference)]
        changed = len(range(0, len(reference), every))  # a word that occurs nowhere replaces: no cheaper alignment
        assert edit_distance(reference, hypothesis) == changed
        assert word_error_rate(reference, hypothesis) == changed / len(reference)


class TestTokenF1:
    def test_divides_once(self):
        shared = [f"s{n}" for n in range(9)]
        truth = shared + [f"t{n}" for n in range(4)]
        answer = shared + [f"a{n}" for n in range(8)]
        assert token_f1(truth, answer) == 0.6

    def test_counts_repeated_tokens_as_often_as_both_have_them(self):
        assert token_f1(["a", "a", "b"], ["a", "a", "a"]) == 4 / 6

    def test_empty_lists(self):
        assert token_f1([], []) == 1
        assert token_f1([], ["a"]) == 0
        assert token_f1(["a"], []) == 0

    @given(few_words, few_words)
    def test_is_the_harmonic_mean_of_precision_and_recall(self, truth, answer):
        shared = (Counter(truth) & Counter(answer)).total()
        if shared:
            precision, recall = shared / len(answer), shared / len(truth)
            assert token_f1(truth, answer) == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-12)
        assert token_f1(truth, answer) == token_f1(answer, truth)
        assert 0 <= token_f1(truth, answer) <= 1
        assert (token_f1(truth, answer) == 1) == (Counter(truth) == Counter(answer))


class TestContainsRun:
    def test_only_whole_words_in_one_piece(self):
        assert contains_run(["the", "red", "ball"], ["red", "ball"])
        assert not contains_run(["the", "red", "big", "ball"], ["red", "ball"])
        assert not contains_run(["redball"], ["red"])
        assert not contains_run(["a b"], ["a", "b"])

    def test_an_empty_run_stands_only_in_no_words(self):
        assert contains_run([], [])
        assert not contains_run(["a"], [])
        assert not contains_run([], ["a"])

    @given(few_words, few_words)
    def test_is_a_slice(self, sequence, run):
        starts = range(len(sequence) - len(run) + 1)
        expected = any(sequence[i : i + len(run)] == run for i in starts) if run else not sequence
        assert contains_run(sequence, run) == expected

    def test_repeated_tokens_cost_linear_time(self):
        sequence, run = [Counted("a")] * 2000, [*[Counted("a")] * 1000, Counted("b")]
        assert not contains_run(sequence, run)
        assert Counted.comparisons < 4 * (len(sequence) + len(run))


class Counted(str):
    """A text that counts how often it is compared."""

    comparisons = 0
    __hash__ = str.__hash__

    def __eq__(self, other):
        Counted.comparisons += 1
        return str.__eq__(self, other)

    def __ne__(self, other):
        Counted.comparisons += 1
        return str.__ne__(self, other)


class TestSplit:
    def test_pieces_between_white_space_as_they_are(self):
        assert split(" The\u00a0cat\u2003sat\u3000 ") == ["The", "cat", "sat"]
        assert split("") == split("\u2028\u0085 ") == []

    def test_what_only_looks_like_white_space_does_not_separate(self):
        assert split("a\ufeffb\u200bc\u001cd") == ["a\ufeffb\u200bc\u001cd"]


def traced_back(reference, hypothesis):
    """The whole table, and the path from its end that prefers diagonal, then deletion: the oracle of `align`."""
    rows, columns = len(reference) + 1, len(hypothesis) + 1
    table = [[i + j for j in range(columns)] for i in range(rows)]
    for i in range(1, rows):
        for j in range(1, columns):
            diagonal = table[i - 1][j - 1] + (reference[i - 1] != hypothesis[j - 1])
            table[i][j] = min(diagonal, table[i - 1][j] + 1, table[i][j - 1] + 1)
    i, j, counts, matches = rows - 1, columns - 1, [0, 0, 0], []
    while i or j:
        differ = i and j and reference[i - 1] != hypothesis[j - 1]
        if i and j and table[i][j] == table[i - 1][j - 1] + differ:
            i, j = i - 1, j - 1
            counts[0] += differ
            matches += [] if differ else [(i, j)]
        elif i and table[i][j] == table[i - 1][j] + 1:
            i, counts[1] = i - 1, counts[1] + 1
        else:
            j, counts[2] = j - 1, counts[2] + 1
    return (*counts, matches[::-1])


def aligned(reference, hypothesis):
    found = align(reference, hypothesis)
    matches = [(match.reference, match.hypothesis) for match in found.matches]
    return found.substitutions, found.deletions, found.insertions, matches


class TestAlign:
    # by hand
    def test_counts_and_matches(self):
        said, heard = ["so", "we", "talk", "about", "bees"], ["so", "we", "walk", "bees"]
        assert aligned(said, heard) == (1, 1, 0, [(0, 0), (1, 1), (4, 3)])
        assert aligned(["a", "b", "c"], ["a", "x", "b", "c"]) == (0, 0, 1, [(0, 0), (1, 2), (2, 3)])

    def test_of_a_repeated_word_heard_once_the_last_copy_is_matched(self):
        assert aligned(["very", "very", "good"], ["very", "good"]) == (0, 1, 0, [(1, 0), (2, 1)])
        assert aligned(["very", "good"], ["very", "very", "good"]) == (0, 0, 1, [(0, 1), (1, 2)])

    def test_substitutions_go_before_a_match_between_a_deletion_and_an_insertion(self):
        assert aligned(["x", "y"], ["y", "z"]) == (2, 0, 0, [])

    def test_a_deletion_goes_before_an_insertion(self):
        assert aligned(list("xab"), list("abx")) == (0, 1, 1, [(1, 0), (2, 1)])
        assert aligned(list("abcabx"), list("xabcab")) == (0, 1, 1, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])

    def test_nothing_on_either_side(self):
        assert aligned([], []) == (0, 0, 0, [])
        assert aligned([], ["a"]) == (0, 0, 1, [])
        assert aligned(["a"], []) == (0, 1, 0, [])

    def test_true_is_not_one(self):
        assert align([True], [1]).substitutions == 1

    @given(few_words, few_words)
    def test_is_the_path_through_the_whole_table(self, reference, hypothesis):
        assert aligned(reference, hypothesis) == traced_back(reference, hypothesis)

    @given(st.lists(st.sampled_from("abcdefgh"), max_size=60), st.data())
    def test_of_a_narrow_band_too(self, reference, data):
        hypothesis = list(reference)
        for _ in range(data.draw(st.integers(0, 4))):
            place = data.draw(st.integers(0, len(hypothesis)))
            end = place + data.draw(st.integers(0, 2))
            hypothesis[place:end] = data.draw(st.lists(st.sampled_from("az"), max_size=2))
        assert aligned(reference, hypothesis) == traced_back(reference, hypothesis)

    @given(few_words, few_words)
    def test_errors_are_the_edit_distance(self, reference, hypothesis):
        found = align(reference, hypothesis)
        assert found.errors == edit_distance(reference, hypothesis)
        assert found.substitutions + found.deletions + len(found.matches) == len(reference)
        assert found.substitutions + found.insertions + len(found.matches) == len(hypothesis)

    def test_what_no_memory_holds_is_refused(self):
        with pytest.raises(ArgumentFault, match="40000 and 40000 words with 40000 errors"):
            align(["a"] * 40000, ["b"] * 40000)


class TestFields:
    def test_lines_of_name_and_value(self):
        found = text.fields("ORDER: a, b\r\n\nno colon here\n  AT :  00:00:14:03  \nEMPTY:\n")
        assert found == {"ORDER": "a, b", "AT": "00:00:14:03", "EMPTY": ""}

    def test_of_a_name_that_stands_twice_the_first_counts(self):
        assert text.fields("A: 1\nA: 2") == {"A": "1"}
        assert text.fields("") == {}


class TestTimecode:
    def test_by_hand(self):
        assert text.timecode(0, 25) == "00:00:00:00"
        assert text.timecode(353, 25) == "00:00:14:03"
        assert text.timecode(3600 * 25 + 61 * 25 + 24, 25) == "01:01:01:24"
        assert text.timecode(119, 120) == "00:00:00:119"

    @pytest.mark.parametrize(
        "given_",
        ["", "00:00:14", "00:00:14:25", "0:00:14:03", "00:60:00:00", "00:00:14;03", " 00:00:14:03"],
    )
    def test_what_is_no_timecode_is_null(self, given_):
        assert text.timecode_frame(given_, 25) is None

    @given(st.integers(0, 10**6), st.sampled_from([1, 24, 25, 30, 60, 100, 120, 1000]))
    def test_they_are_inverse(self, frame, fps):
        assert text.timecode_frame(text.timecode(frame, fps), fps) == frame

    def test_impossible_numbers_are_refused(self):
        with pytest.raises(ArgumentFault, match="frame: "):
            text.timecode(-1, 25)
        with pytest.raises(ArgumentFault, match="fps: "):
            text.timecode(1, 29.97)  # type: ignore[arg-type]
