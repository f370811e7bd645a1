import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.primitives.annotations import Column
from rubric.primitives.faults import ArgumentFault
from rubric.primitives.tables import Straddler, number_within, split, straddling

names = st.sampled_from([None, "", False, "a", "b", "é", "B", "12", 12, 12.0, 1.5, True])
tables = st.lists(st.fixed_dictionaries({"name": names, "side": st.sampled_from([None, "x", "y", "z"])}), max_size=12)


def rows_of(field, *values):
    return [{field: value, "at": position} for position, value in enumerate(values)]


def at(rows):
    return [row["at"] for row in rows]


def refused(argument, message, function, *args, **settings):
    with pytest.raises(ArgumentFault, match=message) as caught:
        function(*args, **settings)
    assert caught.value.argument == argument


class TestColumn:
    def test_the_values_are_those_of_the_rows(self):
        assert Column([{"a": 1}, {}, {"a": None}, {"a": "x"}], "a").values == [1, None, None, "x"]

    def test_of_no_rows(self):
        assert Column([], "a").values == []


class TestSplit:
    def test_groups_are_sorted_by_code_point_and_keep_their_rows_in_order(self):
        rows = rows_of("source", "b", "é", "a", "B", "b")
        groups = split(Column(rows, "source"), each=at)
        assert list(groups.items()) == [("B", [3]), ("a", [2]), ("b", [0, 4]), ("é", [1])]

    def test_rows_without_a_value_are_in_no_group(self):
        assert split(Column([*rows_of("source", None, "", False, "a"), {}], "source"), each=at) == {"a": [3]}

    def test_values_are_told_apart_by_their_json_text(self):
        rows = rows_of("n", 12, "12", 12.0, 1.5, 0, -0.0, True, "true", 1e-7, 1e22, 10**22)
        assert split(Column(rows, "n"), each=at) == {
            "0": [4, 5],
            "1.5": [3],
            "12": [0, 1, 2],
            "1e-07": [8],
            "true": [6, 7],
            "10000000000000000000000": [9, 10],
        }

    def test_texts_are_compared_verbatim(self):
        assert len(split(Column(rows_of("s", "a", "A", "a ", " a", "e\u0301", "é"), "s"), each=at)) == 6

    def test_into_names_the_groups_and_their_order(self):
        rows = rows_of("source", "b", "c", "a", "b", None)
        assert list(split(Column(rows, "source"), each=at, into=["d", "b", "a"]).items()) == [
            ("d", []),
            ("b", [0, 3]),
            ("a", [2]),
        ]
        assert split(Column([], "source"), each=len, into=["a"]) == {"a": 0}
        assert split(Column(rows, "source"), each=len, into=[]) == {}

    def test_no_rows_have_no_groups(self):
        assert split(Column([], "source"), each=len) == {}

    def test_refuses_what_cannot_name_a_group(self):
        refused(
            "column",
            "row 1 needs a text or a number in 's', not \\[1\\]",
            split,
            Column(rows_of("s", "a", [1]), "s"),
            each=len,
        )
        refused("column", "row 0 .* not nan", split, Column(rows_of("s", math.nan), "s"), each=len)
        refused("column", "row 0 .* not \\{\\}", split, Column(rows_of("s", {}), "s"), each=len)
        refused("column", "row 0 is 5, not a mapping", split, Column([5], "s"), each=len)
        refused("column", "a list of rows is needed, not 'rows'", split, Column("rows", "s"), each=len)

    @pytest.mark.parametrize("into", ["ab", [1], [""], [None], {"a": 1}])
    def test_refuses_an_into_that_is_no_list_of_texts(self, into):
        refused("into", "a list of the values", split, Column([], "s"), each=len, into=into)

    def test_refuses_an_into_with_a_value_twice(self):
        refused(
            "into",
            "a value is there twice: \\['a', 'b', 'a'\\]",
            split,
            Column([], "s"),
            each=len,
            into=["a", "b", "a"],
        )

    @given(tables, st.randoms(use_true_random=False))
    def test_the_order_of_rows_changes_no_group(self, rows, random):
        shuffled = random.sample(rows, len(rows))
        groups = split(Column(rows, "name"), each=len)
        assert list(split(Column(shuffled, "name"), each=len).items()) == list(groups.items())
        assert sum(groups.values()) == sum(row["name"] not in (None, "") and row["name"] is not False for row in rows)


class TestStraddling:
    def crossing(self, *pairs, **more):
        rows = [{"base": base, "part": part, **more} for base, part in pairs]
        return straddling(Column(rows, "base"), across="part")

    def test_a_value_in_two_groups(self):
        assert self.crossing(("a", "train"), ("b", "test"), ("a", "train"), ("a", "test"), ("b", "test")) == [
            Straddler("a", ["train", "test"], 0, [3])
        ]

    def test_every_row_outside_the_owners_group_crosses_and_the_owner_never_changes(self):
        pairs = [("b", 1), ("a", 1), ("a", 2), ("a", 3), ("a", 2), ("a", 1), ("b", 2)]
        assert self.crossing(*pairs) == [Straddler("b", [1, 2], 0, [6]), Straddler("a", [1, 2, 3], 1, [2, 3, 4])]

    def test_reuse_inside_a_group_is_none(self):
        assert self.crossing(("a", 0), ("a", 0), ("b", 1), ("b", 1)) == []

    def test_rows_without_a_value_neither_own_nor_cross(self):
        assert self.crossing((None, 0), (None, 1), ("", 0), ("", 1), (False, 0), (False, 1)) == []
        assert straddling(Column([{"part": 0}, {"part": 1}], "base"), across="part") == []

    def test_values_are_compared_as_text(self):
        assert self.crossing((12, "x"), ("12", "y")) == [Straddler(12, ["x", "y"], 0, [1])]
        assert self.crossing(("a", "x"), ("A", "y"), ("a ", "z")) == []

    def test_groups_are_compared_as_data(self):
        assert self.crossing(("a", 1), ("a", 1.0)) == []
        assert self.crossing(("a", 1), ("a", True)) == [Straddler("a", [1, True], 0, [1])]
        assert self.crossing(("a", 1), ("a", "1")) == [Straddler("a", [1, "1"], 0, [1])]
        assert self.crossing(("a", 0), ("a", False)) == [Straddler("a", [0, False], 0, [1])]

    def test_a_row_without_a_group_owns_nothing(self):
        assert self.crossing(("a", None), ("a", "x"), ("a", "x")) == []
        assert self.crossing(("a", None), ("a", None)) == []

    def test_a_row_without_a_group_crosses_an_owner(self):
        assert self.crossing(("a", None), ("a", "x"), ("a", None)) == [Straddler("a", ["x", None], 1, [2])]

    def test_rows_are_called_by_their_own_numbers_where_all_have_one(self):
        rows = [{"row": 7, "base": "a", "part": 0}, {"row": 2, "base": "a", "part": 1}]
        assert straddling(Column(rows, "base"), across="part") == [Straddler("a", [0, 1], 7, [2])]
        for number in (None, "7", 7.0, True):
            odd = [{**rows[0], "row": number}, rows[1]]
            assert straddling(Column(odd, "base"), across="part") == [Straddler("a", [0, 1], 0, [1])]

    def test_no_rows(self):
        assert straddling(Column([], "base"), across="part") == []

    def test_refusals(self):
        refused("across", "no row has a field 'split'", straddling, Column([{"base": "a"}], "base"), across="split")
        refused("column", "row 0 needs a text", straddling, Column([{"base": [1], "p": 1}], "base"), across="p")
        refused("column", "a list of rows is needed", straddling, Column(None, "base"), across="p")

    @given(tables)
    def test_agrees_with_the_definition(self, rows):
        # row by row, as the definition reads
        text = {1.5: "1.5", 12: "12", "true": "true"}
        owners, crossing = {}, {}
        for position, row in enumerate(rows):
            if row["name"] is None or row["name"] is False or row["name"] == "":
                continue
            name = "true" if row["name"] is True else text.get(row["name"], row["name"])
            if name in owners:
                if rows[owners[name]]["side"] != row["side"]:
                    crossing.setdefault(name, []).append(position)
            elif row["side"] is not None:
                owners[name] = position
        found = straddling(Column(rows, "name"), across="side")
        assert {straddler.first: straddler.rows for straddler in found} == {
            owners[name]: positions for name, positions in crossing.items()
        }
        assert [straddler.first for straddler in found] == sorted(straddler.first for straddler in found)
        for straddler in found:
            assert {*straddler.groups} == {rows[at]["side"] for at in (straddler.first, *straddler.rows)}


class TestNumberWithin:
    def test_counts_from_1_in_order_of_the_rows(self):
        rows = [{"case": "a"}, {"case": "b"}, {"case": "a", "x": 1}, {"case": "a"}]
        assert number_within(rows, by="case") == [
            {"case": "a", "number": 1},
            {"case": "b", "number": 1},
            {"case": "a", "x": 1, "number": 2},
            {"case": "a", "number": 3},
        ]
        assert "number" not in rows[0]

    def test_equality_is_that_of_data(self):
        rows = rows_of("k", 1, 1.0, "1", True, None, [1], [1.0])
        assert [row["number"] for row in number_within([*rows, {}], by="k")] == [1, 2, 1, 1, 1, 1, 2, 2]

    def test_a_number_that_was_there_is_replaced(self):
        assert number_within([{"k": 1, "number": 9}], by="k") == [{"k": 1, "number": 1}]

    def test_no_rows(self):
        assert number_within([], by="k") == []

    def test_refusals(self):
        refused("by", "no row has a field 'case'", number_within, [{"k": 1}], by="case")
        refused("rows", "row 1 is 'x', not a mapping", number_within, [{"k": 1}, "x"], by="k")
        refused("rows", "a list of rows is needed, not None", number_within, None, by="k")

    @given(tables)
    def test_numbers_of_a_group_are_1_to_its_size(self, rows):
        numbered = Counter((row["side"], row["number"]) for row in number_within(rows, by="side")) if rows else {}
        sizes = Counter(row["side"] for row in rows)
        assert numbered == Counter((side, n) for side, size in sizes.items() for n in range(1, size + 1))
