"""The storyline and its projection (EP-Mem, context desensitisation; privacy-model §4).

One node a fact, in order of time. `then` follows from the nodes' own times; `because` and `but` are items of their own
and stay only when both ends and the message that states them passed the gate. The projection is a function of the
released facts and links alone, its nodes numbered anew: what a store holding nothing else would give.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.items import LinkKind, RawLink
from engine.release import ReleasedFact


@dataclass(frozen=True, slots=True)
class Node:
    """A released fact at its place in the story, numbered from 1."""

    number: int
    fact: ReleasedFact


@dataclass(frozen=True, slots=True)
class Edge:
    """`left kind right`, by node number."""

    left: int
    kind: LinkKind
    right: int


@dataclass(frozen=True, slots=True)
class Projection:
    """The story that may be told."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def project(facts: Iterable[ReleasedFact], links: Iterable[RawLink]) -> Projection:
    """Order released facts in time and keep the links between them.

    Args:
        facts: `M_auth`, in any order.
        links: links that the gate let through; one with an end outside `facts` is dropped.
    """
    ordered = sorted(facts, key=lambda fact: (fact.when or fact.said_at, fact.said_at, fact.id))
    nodes = tuple(Node(number, fact) for number, fact in enumerate(ordered, 1))
    place = {node.fact.id: node.number for node in nodes}
    edges = sorted(
        (place[link.left], link.kind, place[link.right])
        for link in links
        if link.left in place and link.right in place
    )
    return Projection(nodes, tuple(Edge(left, kind, right) for left, kind, right in dict.fromkeys(edges)))
