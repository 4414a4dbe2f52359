# SPDX-License-Identifier: Apache-2.0
"""Random small programs: verdicts under TSO and PSO against axioms.py, under C11 against rc11.py.

usage: compare.py HEDDLE PROGRAMS [SEED [ENGINE]]
       compare.py --graphs HEDDLE PROGRAMS [SEED]

Of each program and model one outcome that the axioms allow has to be found (of those that sequential consistency excludes, if there are any), and one that they exclude must not.
--graphs: under C11; the number of execution graphs has to be that of rc11.py, too."""
import os
import random
import re
import subprocess
import sys
import tempfile
from axioms import events_of, outcomes
from rc11 import Graphs

ORDERS = {"W": ["plain", "plain", "plain", "relaxed", "release", "seq_cst"], "R": ["plain", "relaxed", "acquire", "seq_cst"],
          "U": ["relaxed", "seq_cst"], "F": ["seq_cst", "seq_cst", "release", "acquire"]}


ATOMIC = {"W": ["relaxed", "relaxed", "release", "seq_cst"], "R": ["relaxed", "relaxed", "acquire", "seq_cst"],
          "U": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"], "F": ["seq_cst", "release", "acquire", "acq_rel"]}


def random_program(rng, orders=ORDERS):
    threads = rng.choice([2, 2, 3])
    places = rng.choice([2, 2, 3])
    value = 0
    program = []
    for _ in range(threads):
        ops = []
        for _ in range(rng.randint(1, 4 if threads == 2 else 3)):
            kind = rng.choice("WWWRRRRUF" if rng.random() < 0.5 else "WWWRRR")
            order = rng.choice(orders[kind])
            value += 1
            if kind == "F":
                ops.append((kind, order))
            elif kind == "R":
                ops.append((kind, rng.randrange(places), order))
            else:
                ops.append((kind, rng.randrange(places), value, order))
        program.append(ops)
    return program


def atomic(order):
    return "" if order == "plain" else "atomic " if order == "seq_cst" else f"atomic {order} "


def step(op, register, memory):
    kind, order = op[0], op[-1]
    if kind == "F":
        return "fence" + ("" if order == "seq_cst" else " " + order) + ";"
    place = f"[m{op[1]}]" if memory else f"v{op[1]}"
    load = f"{register} := {atomic(order)}{'load ' if memory else ''}{place};"
    write = lambda value: f"{atomic(order)}store {place} := {value};" if memory else f"{place} := {atomic(order)}{value};"
    if kind == "R":
        return load
    if kind == "W":
        return write(f"{op[2]}:32")
    return load + " " + write(f"(add {register} {op[2]}:32)")


def text_of(program, outcome, memory):
    """The program as text: an error if it comes to this outcome. memory: places are objects, not variables."""
    events = events_of(program)
    places = sorted({e.place for e in events if e.place is not None})
    reads = [(t, i) for t, ops in enumerate(program) for i, op in enumerate(ops) if op[0] in "RU"]
    out = [f"object m{p} : global 4;" if memory else f"global v{p} : bv32 = 0:32;" for p in places]
    out += [f"global o{k} : bv32 = 0:32;" for k in range(len(reads))]
    out += ["thread main {"]
    out += [f"  local t{t} : bv32;" for t in range(len(program))] + [f"  local r{k} : bv32;" for k in range(len(outcome))]
    lines = [f"do t{t} := create w{t} (0:64);" for t in range(len(program))] + [f"do join (t{t});" for t in range(len(program))]
    lines += [f"do r{k} := o{k};" for k in range(len(reads))]
    lines += [f"do r{len(reads) + k} := " + (f"load [m{p}];" if memory else f"v{p};") for k, p in enumerate(places)]
    out += [f"  l{n} {{ {line} goto l{n + 1}; }}" for n, line in enumerate(lines)]
    is_it = "(and true true " + " ".join(f"(= r{k} {v}:32)" for k, v in enumerate(outcome)) + ")"
    out += [f"  l{len(lines)} {{ when {is_it} goto bad; when (not {is_it}) goto good; }}", '  bad error "the outcome";', "  good halt;", "}"]
    for t, ops in enumerate(program):
        out += [f"thread w{t} {{"]
        mine = [k for k, (owner, _) in enumerate(reads) if owner == t]
        out += [f"  local r{k} : bv32;" for k in mine]
        names = {reads[k][1]: k for k in mine}
        lines = ["do " + step(op, f"r{names.get(i)}", memory) for i, op in enumerate(ops)] + [f"do o{k} := r{k};" for k in mine]
        out += [f"  l{n} {{ {line} goto l{n + 1}; }}" for n, line in enumerate(lines)] + [f"  l{len(lines)} end;", "}"]
    return "\n".join(out) + "\n"


def count_text(program):
    """The program, with an error that it does not come to. Where all atomics are seq_cst nobody looks at graphs: main's is not."""
    places = sorted({e.place for e in events_of(program) if e.place is not None})
    out = [f"global v{p} : bv32 = 0:32;" for p in places] + ["thread main {"]
    out += [f"  local t{t} : bv32;" for t in range(len(program))] + ["  local r : bv32;"]
    lines = [f"do t{t} := create w{t} (0:64);" for t in range(len(program))] + [f"do join (t{t});" for t in range(len(program))]
    lines += [f"do r := atomic relaxed v{places[0]};"]
    out += [f"  l{n} {{ {line} goto l{n + 1}; }}" for n, line in enumerate(lines)]
    out += [f"  l{len(lines)} {{ when (= r 999:32) goto bad; when (not (= r 999:32)) goto good; }}", '  bad error "never";', "  good halt;", "}"]
    for t, ops in enumerate(program):
        out += [f"thread w{t} {{"] + [f"  local r{i} : bv32;" for i in range(len(ops))]
        out += [f"  l{n} {{ do {step(op, f'r{n}', False)} goto l{n + 1}; }}" for n, op in enumerate(ops)] + [f"  l{len(ops)} end;", "}"]
    return "\n".join(out) + "\n"


def graphs_of(heddle, text):
    with tempfile.NamedTemporaryFile("w", suffix=".hir", delete=False) as f:
        f.write(text)
    run = subprocess.run([heddle, "-t", "60", "-e", "explicit", "--memory-model", "c11", f.name], capture_output=True, text=True)
    os.unlink(f.name)
    found = re.search(r"all executions were visited \((\d+)\)", run.stdout)
    return int(found.group(1)) if found else -1


def compare_graphs(heddle, count, seed):
    bad = 0
    for n in range(count):
        rng = random.Random(seed * 1000003 + n)
        program = random_program(rng, ATOMIC)
        if not any(op[0] in "RWU" for ops in program for op in ops):
            continue
        expected, there = Graphs(program).count()
        text = count_text(program)
        found = graphs_of(heddle, text)
        said = verdict(heddle, text_of(program, rng.choice(sorted(there)), False), "c11", "explicit")
        if found != expected or said != "UNSAFE":
            bad += 1
            print(f"program {n}: {found} graphs, expected {expected}; an outcome: {said}\n{program}\n{text}")
    print(f"graphs of {count} programs, {bad} differ")
    return bad > 0


def verdict(heddle, text, model, engine):
    with tempfile.NamedTemporaryFile("w", suffix=".hir", delete=False) as f:
        f.write(text)
    run = subprocess.run([heddle, "-q", "-t", "60", "-e", engine, "--memory-model", model, f.name], capture_output=True, text=True)
    os.unlink(f.name)
    return (run.stdout.split() or [run.stderr.strip()])[0]


def wanted(rng, program, model):
    """Pairs of an outcome and what is to be said of it."""
    there = outcomes(program, model)
    strict = outcomes(program, "sc")
    weak = sorted(there - strict)
    yes = rng.choice(weak if weak else sorted(there))
    yield yes, "UNSAFE"
    for _ in range(40):
        k = rng.randrange(len(yes))
        values = sorted({o[k] for o in there} | {0})
        no = list(rng.choice(sorted(there)))
        no[k] = rng.choice(values)
        if tuple(no) not in there:
            yield tuple(no), "SAFE"
            return


def main():
    if sys.argv[1] == "--graphs":
        return compare_graphs(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    heddle, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    engine = sys.argv[4] if len(sys.argv) > 4 else "explicit"
    runs = bad = 0
    for n in range(count):
        rng = random.Random(seed * 1000003 + n)
        program = random_program(rng)
        if not any(op[0] in "RWU" for ops in program for op in ops):
            continue
        for model in ("tso", "pso"):
            for outcome, expected in wanted(rng, program, model):
                memory = rng.random() < 0.3
                text = text_of(program, outcome, memory)
                said = verdict(heddle, text, model, engine)
                runs += 1
                if said != expected:
                    bad += 1
                    print(f"program {n} under {model}: {said}, expected {expected}\n{program}\n{text}")
    print(f"{runs} verdicts, {bad} differ")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
