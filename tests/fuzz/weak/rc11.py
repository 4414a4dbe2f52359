# SPDX-License-Identifier: Apache-2.0
"""Execution graphs of small programs under RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017): every choice of reads-from and of an order of the writes to each place
is tried against the axioms, as they stand in the paper. Nothing is shared with Heddle, whose graphs grow step by step.

Programs are those of axioms.py, with atomic accesses only. What main does before the threads start, and after they have ended, is in no graph."""
from itertools import permutations, product
from axioms import events_of, values_of

RELEASES, ACQUIRES = ("release", "acq_rel", "seq_cst"), ("acquire", "acq_rel", "seq_cst")


def then(a, b):
    return [union(b, s) for s in a]


def union(relation, members):
    out = 0
    i = 0
    while members:
        if members & 1:
            out |= relation[i]
        members >>= 1
        i += 1
    return out


def either(*relations):
    return [sum_of(s) for s in zip(*relations)]


def sum_of(sets):
    out = 0
    for s in sets:
        out |= s
    return out


def closure(a):
    a = list(a)
    for k in range(len(a)):
        for i in range(len(a)):
            if a[i] >> k & 1:
                a[i] |= a[k]
    return a


def irreflexive(a):
    return not any(s >> i & 1 for i, s in enumerate(a))


class Graphs:
    """The events of a program as nodes: a read-modify-write is a read and a write, each place has a first write."""

    def __init__(self, program):
        self.events = events_of(program)
        self.nodes = []  # (kind, place, order, thread, event number)
        places = sorted({e.place for e in self.events if e.place is not None})
        self.first = {}
        for p in places:
            self.first[p] = len(self.nodes)
            self.nodes.append(("W", p, "plain", -1, -1))
        self.reads, self.writes, self.rmw = {}, {}, []
        for e in self.events:
            if e.kind in "RU":
                self.reads[e.number] = len(self.nodes)
                self.nodes.append(("R", e.place, half(e.order, ACQUIRES, "acquire", e.kind), e.thread, e.number))
            if e.kind in "WU":
                if e.kind == "U":
                    self.rmw.append((len(self.nodes) - 1, len(self.nodes)))
                self.writes[e.number] = len(self.nodes)
                self.nodes.append(("W", e.place, half(e.order, RELEASES, "release", e.kind), e.thread, e.number))
            if e.kind == "F":
                self.nodes.append(("F", None, e.order, e.thread, e.number))
        self.n = len(self.nodes)
        self.places = places
        self.fixed()

    def relation(self, holds):
        return [sum_of(1 << k for k in range(self.n) if holds(i, k)) for i in range(self.n)]

    def only(self, holds):
        return [1 << i if holds(self.nodes[i]) else 0 for i in range(self.n)]

    def fixed(self):
        nodes = self.nodes
        self.po = self.relation(lambda i, k: (nodes[i][3] < 0 <= nodes[k][3]) or (nodes[i][3] == nodes[k][3] >= 0 and i < k))
        self.same = self.relation(lambda i, k: nodes[i][1] is not None and nodes[i][1] == nodes[k][1])
        self.change = self.relation(lambda i, k: (i, k) in self.rmw)
        self.identity = [1 << i for i in range(self.n)]

    def maybe(self, a):
        return either(a, self.identity)

    def count(self):
        """How many consistent graphs; what is read in each, and the last value of each place, as outcomes."""
        number, outcomes = 0, set()
        writers = {p: [e for e in self.writes if self.events[e].place == p] for p in self.places}
        for sources in product(*[[-1] + [w for w in writers[self.events[r].place] if w != r] for r in self.reads]):
            rf = dict(zip(self.reads, sources))
            values = values_of(self.events, rf)
            if values is None:
                continue
            for orders in product(*[permutations(writers[p]) for p in self.places]):
                co = dict(zip(self.places, orders))
                if self.consistent(rf, co):
                    number += 1
                    outcomes.add(tuple(values[("r", r)] for r in sorted(rf)) + tuple(values[("w", co[p][-1])] if co[p] else 0 for p in self.places))
        return number, outcomes

    def consistent(self, rf_of, co_of):
        nodes, po = self.nodes, self.po
        source = {self.reads[r]: self.writes[s] if s != -1 else self.first[self.events[r].place] for r, s in rf_of.items()}
        order = {}
        for p, list_ in co_of.items():
            order[self.first[p]] = 0
            for i, e in enumerate(list_):
                order[self.writes[e]] = i + 1
        rf = self.relation(lambda i, k: source.get(k) == i)
        co = self.relation(lambda i, k: i in order and k in order and nodes[i][1] == nodes[k][1] and order[i] < order[k])
        fr = self.relation(lambda i, k: i in source and k in order and nodes[i][1] == nodes[k][1] and order[source[i]] < order[k])
        for r, w in self.rmw:
            if order[w] != order[source[r]] + 1:
                return False
        eco = closure(either(rf, co, fr))
        hb = closure(either(po, self.synchronises(rf)))
        if not irreflexive(hb) or not irreflexive(then(hb, eco)) or not irreflexive(closure(either(po, rf))):
            return False
        return irreflexive(closure(self.psc(co, fr, hb, eco)))

    def synchronises(self, rf):
        near = [a & b for a, b in zip(self.po, self.same)]
        writes, atomic_writes = self.only(lambda n: n[0] == "W"), self.only(lambda n: n[0] == "W" and n[3] >= 0)
        fences, reads = self.only(lambda n: n[0] == "F"), self.only(lambda n: n[0] == "R")
        release = self.only(lambda n: n[0] != "R" and n[2] in RELEASES)
        acquire = self.only(lambda n: n[0] != "W" and n[2] in ACQUIRES)
        sequence = then(then(then(writes, self.maybe(near)), atomic_writes), self.maybe(closure(then(rf, self.change))))
        out = then(release, self.maybe(then(fences, self.po)))
        for part in (sequence, rf, reads, self.maybe(then(self.po, fences)), acquire):
            out = then(out, part)
        return out

    def psc(self, co, fr, hb, eco):
        sc, fences = self.only(lambda n: n[2] == "seq_cst"), self.only(lambda n: n[0] == "F" and n[2] == "seq_cst")
        far = [a & ~b for a, b in zip(self.po, self.same)]
        scb = either(self.po, then(then(far, hb), far), [a & b for a, b in zip(hb, self.same)], co, fr)
        base = then(then(either(sc, then(fences, self.maybe(hb))), scb), either(sc, then(self.maybe(hb), fences)))
        return either(base, then(then(fences, either(hb, then(then(hb, eco), hb))), fences))


def half(order, strong, name, kind):
    """Of a read-modify-write's order what its read, or its write, has."""
    if kind != "U":
        return order
    return order if order == "seq_cst" else name if order in strong else "relaxed"
