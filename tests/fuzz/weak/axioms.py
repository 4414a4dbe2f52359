# SPDX-License-Identifier: Apache-2.0
"""Outcomes of small programs by the axioms of SC, TSO and PSO: reads-from and coherence are enumerated, and an execution counts if

  - for each place, program order with reads-from, coherence and from-reads has no cycle;
  - nothing comes between the read and the write of a read-modify-write;
  - program order as far as the model keeps it, reads-from between threads, coherence and from-reads have no cycle.

Nothing is shared with Heddle, which has store buffers instead of axioms.

A program is a list of threads, a thread a list of operations:
  ("W", place, value, order)  ("R", place, order)  ("U", place, value, order)  ("F", order)
where U adds its value, and order is plain, relaxed, acquire, release, acq_rel or seq_cst. An outcome is the values read, in order of threads and operations, and the last
value of each place."""
from itertools import permutations, product


class Event:
    def __init__(self, number, thread, index, kind, place, value, order):
        self.number, self.thread, self.index, self.kind, self.place, self.value, self.order = number, thread, index, kind, place, value, order


def events_of(program):
    events = []
    for t, ops in enumerate(program):
        for i, op in enumerate(ops):
            kind = op[0]
            place = op[1] if kind != "F" else None
            value = op[2] if kind in "WU" else None
            events.append(Event(len(events), t, i, kind, place, value, op[-1]))
    return events


def acyclic(n, edges):
    after = [[] for _ in range(n)]
    degree = [0] * n
    for a, b in edges:
        after[a].append(b)
        degree[b] += 1
    work = [i for i in range(n) if degree[i] == 0]
    done = 0
    while work:
        a = work.pop()
        done += 1
        for b in after[a]:
            degree[b] -= 1
            if degree[b] == 0:
                work.append(b)
    return done == n


def drains(e):
    """Nothing passes it in either direction."""
    return e.kind == "U" or (e.kind == "F" and e.order == "seq_cst")


def kept(model, events):
    """Pairs of program order that the model keeps."""
    out = []
    for a in events:
        for b in events:
            if a.thread != b.thread or a.index >= b.index:
                continue
            between = [e for e in events if e.thread == a.thread and a.index <= e.index <= b.index]
            if model == "sc" or any(drains(e) for e in between) or a.kind == "F" or b.kind == "F":
                if a.kind != "F" and b.kind != "F":
                    out.append((a.number, b.number))
                continue
            strong = a.kind == "W" and a.order == "seq_cst"  # it is in memory before the thread goes on
            late = b.kind == "W" and b.order == "seq_cst"    # it waits for all before it
            if a.kind == "R" or strong or late:
                out.append((a.number, b.number))
            elif b.kind == "W":
                barrier = any(e.kind == "F" and e.order in ("release", "acq_rel") for e in between) or b.order in ("release", "acq_rel")
                barrier |= any(e.kind == "W" and e is not a and e.order in ("release", "acq_rel") for e in between)
                barrier |= any(e.kind == "W" and e is not a and e.order == "seq_cst" for e in between)
                if model == "tso" or barrier or a.place == b.place:
                    out.append((a.number, b.number))
            elif any(e.kind == "W" and e.order == "seq_cst" for e in between if e is not a):
                out.append((a.number, b.number))
    return out


def outcomes(program, model):
    events = events_of(program)
    n = len(events)
    places = sorted({e.place for e in events if e.place is not None})
    writes = {p: [e.number for e in events if e.place == p and e.kind in "WU"] for p in places}
    reads = [e for e in events if e.kind in "RU"]
    ppo = kept(model, events)
    local = [(a.number, b.number) for a in events for b in events if a.thread == b.thread and a.index < b.index and a.place == b.place and a.place is not None]
    found = set()
    for sources in product(*[[-1] + writes[r.place] for r in reads]):
        rf = {r.number: s for r, s in zip(reads, sources)}
        if any(s == r for r, s in rf.items()):
            continue
        values = values_of(events, rf)
        if values is None:
            continue
        for orders in product(*[permutations(writes[p]) for p in places]):
            co = dict(zip(places, orders))
            if consistent(events, n, rf, co, ppo, local):
                last = tuple(values[("w", co[p][-1])] if co[p] else 0 for p in places)
                found.add(tuple(values[("r", r.number)] for r in reads) + last)
    return found


def values_of(events, rf):
    """What is read and written; None: a value depends on itself."""
    values = {}
    for e in events:
        if e.kind == "W":
            values[("w", e.number)] = e.value
    left = list(rf)
    while left:
        rest = []
        for r in left:
            s = rf[r]
            if s == -1:
                values[("r", r)] = 0
            elif ("w", s) in values:
                values[("r", r)] = values[("w", s)]
            else:
                rest.append(r)
                continue
            if events[r].kind == "U":
                values[("w", r)] = values[("r", r)] + events[r].value
        if len(rest) == len(left):
            return None
        left = rest
    return values


def consistent(events, n, rf, co, ppo, local):
    position = {w: i for order in co.values() for i, w in enumerate(order)}
    coherence = [(a, b) for order in co.values() for i, a in enumerate(order) for b in order[i + 1:]]
    fr = []
    for r, s in rf.items():
        for w in co[events[r].place]:
            if w != r and (s == -1 or position[w] > position[s]):
                fr.append((r, w))
        if events[r].kind == "U" and position[r] != (0 if s == -1 else position[s] + 1):
            return False
    inside = [(s, r) for r, s in rf.items() if s != -1 and events[s].thread == events[r].thread]
    outside = [(s, r) for r, s in rf.items() if s != -1 and events[s].thread != events[r].thread]
    return acyclic(n, local + inside + outside + coherence + fr) and acyclic(n, ppo + outside + coherence + fr)
