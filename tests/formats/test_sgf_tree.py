"""Smart Game Format as such: every text becomes trees, and all of it belongs to something."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from bgtools.formats.sgf.tree import Collection, Tree, brackets, escape, parse, unescape

TEXT = "(;GM[6]C[a\\]b\\\\];W[31hefe]A[0][x y](;B[66])(;B[double]C[no])) (;GM[1])"


def covered(collection: Collection) -> list[tuple[int, int]]:
    return [*(tree.span for tree in collection.trees), *collection.stray, *filter(None, [collection.broken])]


def names(tree: Tree) -> list[str]:
    return [each.name for node in tree.main_line() for each in node.properties]


def test_a_tree_has_nodes_with_properties_and_branches() -> None:
    first, second = parse(TEXT).trees
    assert names(first) == ["GM", "C", "W", "A", "B"]
    assert [each.nodes[0].properties[0].values for each in first.variations()] == [["double"]]
    assert second.nodes[0].properties[0].values == ["1"]
    remark = first.nodes[0].properties[1]
    assert remark.values == ["a]b\\"]
    assert TEXT[slice(*remark.span)] == remark.text
    assert first.nodes[1].properties[1].values == ["0", "x y"]


def test_blanks_may_stand_between_everything() -> None:
    (tree,) = parse("\n (\n; GM\n[6] \r\nC [x]\t[y]\n;\nW[66] ) \n").trees
    assert names(tree) == ["GM", "C", "W"]
    assert tree.nodes[0].properties[1].values == ["x", "y"]


def test_small_letters_of_a_name_do_not_count() -> None:
    (tree,) = parse("(;GaMe[6]White[31hefe])").trees
    assert names(tree) == ["GM", "W"]


@pytest.mark.parametrize(
    ("value", "text"),
    [("a\\]b", "a]b"), ("a\\\\", "a\\"), ("a\\\nb\\\r\nc", "abc"), ("a\nb", "a\nb"), ("\\:", ":"), ("plain", "plain")],
)
def test_a_backslash_makes_text_of_the_next_character(value: str, text: str) -> None:
    assert unescape(value) == text


@given(st.text())
def test_what_is_escaped_comes_back(text: str) -> None:
    (tree,) = parse(f"(;C[{escape(text)}])").trees
    assert tree.nodes[0].properties[0].values == [text]


@given(st.lists(st.text(alphabet="ab[]\\ \n", max_size=6), min_size=1, max_size=3))
def test_values_are_told_in_one_text_and_written_again(values: list[str]) -> None:
    text = "".join(f"[{escape(value)}]" for value in values)
    (tree,) = parse(f"(;XX{text})").trees
    told = tree.nodes[0].properties[0].joined
    (again,) = parse(f"(;XX{brackets(told)})").trees
    assert again.nodes[0].properties[0].values == values


def test_what_belongs_to_no_node_is_stray() -> None:
    text = "junk(;GM[6] more;W[31hefe])) [x] ;B[66]"
    found = parse(text)
    assert [text[slice(*span)] for span in found.stray] == ["junk", "more", ")", "[x]", ";B[66]"]
    assert names(found.trees[0]) == ["GM", "W"]


def test_a_file_that_is_cut_off_keeps_what_it_has() -> None:
    found = parse("(;GM[6];W[31hefe]C[to be contin")
    assert names(found.trees[0]) == ["GM", "W"]
    assert found.broken is not None
    assert found.unclosed == 1


def test_whatever_the_text_all_of_it_belongs_to_something() -> None:
    rng = random.Random(1)
    for _ in range(3000):
        text = "".join(rng.choice("();[]\\AW\nB1a ") for _ in range(rng.randint(0, 30)))
        spans = covered(parse(text))
        for at, char in enumerate(text):
            assert char.isspace() or any(start <= at < end for start, end in spans), (text, at)


def test_trees_may_be_nested_as_deeply_as_the_file_is_long() -> None:
    depth = 20_000
    found = parse("(;" * depth + ")" * depth)
    assert sum(1 for _ in found.trees[0].main_line()) == depth
