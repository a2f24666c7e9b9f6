"""What is reached and what goes round, against the plainest way to say the same."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from newel.compiler.checks.graph import components, shortest, spread

NAMES = [f"n{i}" for i in range(7)]
Graph = dict[str, list[str]]
graphs = st.fixed_dictionaries({name: st.lists(st.sampled_from(NAMES), max_size=3) for name in NAMES})


def plain(start: str, graph: Graph) -> set[str]:
    seen = {start}
    while more := {to for name in seen for to in graph[name]} - seen:
        seen |= more
    return seen


@given(graphs)
def test_spread_is_all_that_is_reached(graph: Graph) -> None:
    for start in NAMES:
        assert spread([start], graph) == plain(start, graph)


@given(graphs)
def test_a_component_is_what_reaches_each_other(graph: Graph) -> None:
    reached = {name: plain(name, graph) for name in NAMES}
    expected = {frozenset(b for b in NAMES if b in reached[a] and a in reached[b]) for a in NAMES}
    found = components(graph)
    assert {frozenset(group) for group in found} == expected
    assert sum(map(len, found)) == len(NAMES)


@given(graphs, st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_the_shortest_way_is_a_way_and_none_is_shorter(graph: Graph, start: str, goal: str) -> None:
    way, looked = shortest(start, goal, graph, 100)
    assert looked <= len(NAMES)
    if way is None:
        assert goal not in plain(start, graph)
        return
    assert (way[0], way[-1]) == (start, goal)
    assert all(b in graph[a] for a, b in pairwise(way))
    nearer = {start}
    for _ in range(len(way) - 2):
        nearer |= {to for name in nearer for to in graph[name]}
    assert len(way) == 1 or goal not in nearer


def test_a_search_looks_at_no_more_than_it_may() -> None:
    chain = {str(i): [str(i + 1)] for i in range(100)} | {"100": []}
    assert shortest("0", "100", chain, 50) == (None, 50)
    assert shortest("0", "100", chain, 101)[0] == [str(i) for i in range(101)]


def test_a_chain_of_a_hundred_thousand_needs_no_recursion() -> None:
    n = 100_000
    ring = {str(i): [str((i + 1) % n)] for i in range(n)}
    (group,) = components(ring)
    assert len(group) == n
