# SPDX-License-Identifier: Apache-2.0
"""Small random programs with threads, and which properties they violate: every interleaving of their steps is run here, without any
reduction; races are found by vector clocks. Shares no code with Heddle.

A program is a list of threads (the first is main, which starts the others, does its own, and joins them); a thread is a list of operations,
tuples that begin with their name. Undefined behaviour and a failing assertion end an execution."""

BIG = 2000000000
LIMIT = 1 << 31


class Program:
    def __init__(self, r):
        self.mutexes, self.ints, self.atomics, self.pointers = r.randint(1, 3), r.randint(1, 2), r.randint(0, 1), r.randint(0, 2)
        self.kinds = [k for k in ('locks', 'data', 'heap', 'numbers', 'signals') if r.random() < 0.55] or ['locks']
        self.tokens = None  # of the semaphore, at the start
        if r.random() < 0.15:  # nothing here says what semaphores order: there are no data beside them
            self.kinds = [k for k in self.kinds if k in ('locks', 'signals')] + ['semaphores']
            self.tokens, self.atomics = r.choice([0, 1, 1, 2]), 1
        n = r.choice([1, 2, 2, 2, 3])
        self.threads = [self.ops(r, r.randint(0, 2), [])] + [self.body(r, r.randint(1, 5 if n < 3 else 3)) for _ in range(n)]

    def body(self, r, n):
        """Most give back what they took."""
        held = []
        ops = self.ops(r, n, held)
        if r.random() < 0.85:
            ops += [('unlock', m) for m in reversed(held)]
        return ops

    def ops(self, r, n, held):
        out = []
        for _ in range(n):
            out += self.op(r, held)
        return out

    def inner(self, r):
        """What is done on a condition: nothing with locks, so that what is held is known."""
        kinds = [k for k in self.kinds if k in ('data', 'heap', 'numbers')]
        return tuple(self.op(r, [], kinds)) if kinds and r.random() < 0.8 else ()

    def op(self, r, held, kinds=None):
        kind = r.choice(kinds or self.kinds)
        i, a, p = r.randrange(self.ints), r.randrange(max(1, self.atomics)), r.randrange(max(1, self.pointers))
        if kind == 'locks':
            m = r.randrange(self.mutexes)
            if held and r.random() < 0.4:
                return [('unlock', held.pop(r.randrange(len(held))))]
            if m in held and r.random() < 0.9:
                return []
            if r.random() < 0.15 and m not in held:
                return [('try', m, self.inner(r))]
            if m not in held:
                held.append(m)
            return [('lock', m)]
        if kind == 'data':
            if self.atomics and r.random() < 0.4:
                return [r.choice([('put', a, r.randint(0, 2)), ('get', a)])]
            if r.random() < 0.25:
                return [('if', r.randint(0, 2), self.inner(r))]
            return [r.choice([('write', i, r.randint(0, 2)), ('read', i), ('assert', r.randint(0, 3)), ('write', i, 1)])]
        if kind == 'heap' and self.pointers:
            return [r.choice([('new', p), ('new', p), ('use', p), ('use', p), ('free', p), ('drop', p)])]
        if kind == 'numbers':
            return [r.choice([('add', r.choice([1, BIG])), ('addto', i, r.choice([1, BIG])), ('divide',), ('shift',), ('read', i), ('write', i, r.choice([0, 31, BIG]))])]
        if kind == 'semaphores':
            return [r.choice([('post',), ('take',)])]
        if kind == 'signals':
            if held and r.random() < 0.6:
                return [('wait', held[-1])]
            return [('signal',)]
        return []

    # ---- as C ----
    def source(self):
        lines = ['#include <assert.h>', '#include <pthread.h>', '#include <semaphore.h>', '#include <stdatomic.h>', '#include <stdlib.h>', '']
        lines += ['static pthread_mutex_t m%d = PTHREAD_MUTEX_INITIALIZER;' % i for i in range(self.mutexes)]
        lines += ['static pthread_cond_t c = PTHREAD_COND_INITIALIZER;'] + ['static sem_t s;'] * (self.tokens is not None)
        lines += ['static int x%d;' % i for i in range(self.ints)] + ['static atomic_int a%d;' % i for i in range(self.atomics)]
        lines += ['static int *p%d;' % i for i in range(self.pointers)] + ['']
        for t in range(1, len(self.threads)):
            lines += ['static void *thread%d(void *unused) {' % t, '    (void)unused;', '    int l = 0;', '    (void)l;']
            lines += self.statements(self.threads[t], 1) + ['    return NULL;', '}', '']
        lines += ['int main(void) {', '    int l = 0;', '    (void)l;', '    pthread_t t[%d];' % len(self.threads)]
        lines += ['    sem_init(&s, 0, %d);' % self.tokens] if self.tokens is not None else []
        lines += ['    pthread_create(&t[%d], NULL, thread%d, NULL);' % (t, t) for t in range(1, len(self.threads))]
        lines += self.statements(self.threads[0], 1)
        lines += ['    pthread_join(t[%d], NULL);' % t for t in range(1, len(self.threads))] + ['    return 0;', '}', '']
        return '\n'.join(lines)

    def statements(self, ops, depth):
        out = []
        for op in ops:
            text = {
                'lock': 'pthread_mutex_lock(&m%d);', 'unlock': 'pthread_mutex_unlock(&m%d);', 'wait': 'pthread_cond_wait(&c, &m%d);', 'signal': 'pthread_cond_signal(&c);', 'post': 'sem_post(&s);', 'take': 'sem_wait(&s);',
                'put': 'a%d = %d;', 'get': 'l = a%d;', 'write': 'x%d = %d;', 'read': 'l = x%d;', 'assert': 'assert(l != %d);',
                'new': 'p%d = malloc(sizeof(int));', 'use': '*p%d = 1;', 'free': 'free(p%d);', 'drop': 'p%d = NULL;',
                'add': 'l = l + %d;', 'addto': 'x%d = l + %d;', 'divide': 'l = 10 / l;', 'shift': 'l = 1 << l;',
            }.get(op[0])
            if text:
                out.append('    ' * depth + text % op[1:])
            elif op[0] == 'if':
                out += ['    ' * depth + 'if (l == %d) {' % op[1]] + self.statements(op[2], depth + 1) + ['    ' * depth + '}']
            else:
                out += ['    ' * depth + 'if (pthread_mutex_trylock(&m%d) == 0) {' % op[1]] + self.statements(op[2], depth + 1)
                out += ['    ' * (depth + 1) + 'pthread_mutex_unlock(&m%d);' % op[1], '    ' * depth + '}']
        return out

    # ---- what they do: one step for each access that others can see ----
    def steps(self, ops):
        out = []
        for op in ops:
            if op[0] == 'if':
                inner = self.steps(op[2])
                out += [('skip', op[1], len(inner))] + inner
            elif op[0] == 'try':
                inner = self.steps(op[2]) + [('unlock', op[1])]
                out += [('trylock', op[1], len(inner))] + inner
            elif op[0] == 'new':
                out += [('alloc',), ('setp', op[1])]
            elif op[0] in ('use', 'free'):
                out += [('getp', op[1]), (op[0] + '*',)]
            elif op[0] == 'drop':
                out += [('clear', op[1])]
            elif op[0] == 'addto':
                out += [('sum', op[2]), ('store', op[1])]
            elif op[0] == 'wait':
                out += [('wait', op[1]), ('lock', op[1])]
            else:
                out.append(op)
        return out

    def violated(self, most=400000):
        """The names of the properties; None: too many states."""
        n = len(self.threads)
        code = [[('create', t) for t in range(1, n)] + self.steps(self.threads[0]) + [('join', t) for t in range(1, n)]]
        code += [self.steps(t) for t in self.threads[1:]]
        return Explorer(self, code).run(most)


class Explorer:
    """A state: threads (place, local, pointer, waiting for a signal, clock), owners of mutexes, ints, atomics, pointers, which heap objects
    live, clocks of mutexes and atomics, and for each place of memory the last accesses by each thread."""

    def __init__(self, program, code):
        self.p, self.code, self.bad = program, code, set()

    def run(self, most):
        n, p = len(self.code), self.p
        zero = tuple([0] * n)
        threads = tuple((0 if t == 0 else -1, 0, None, False, tuple(1 if k == t else 0 for k in range(n))) for t in range(n))
        start = (threads, (None,) * p.mutexes, (0,) * p.ints, (p.tokens or 0,) * p.atomics, (None,) * p.pointers, (), (zero,) * p.mutexes, (zero,) * p.atomics, ())
        seen, work = {start}, [start]
        while work:
            s = work.pop()
            following = [x for t in range(n) for x in self.step(s, t)] if not self.ended(s, 0) else []
            if not self.ended(s, 0) and self.deadlock(s):
                self.bad.add('no-deadlock')
            for x in following:
                if x not in seen:
                    if len(seen) >= most:
                        return None
                    seen.add(x)
                    work.append(x)
        return self.bad

    def ended(self, s, t):
        return s[0][t][0] >= len(self.code[t])

    def waits(self, s, t):
        """False: it does not; else (owner or thread waited for or None, for a lock)."""
        place, _, _, sleeping, _ = s[0][t]
        if place < 0 or self.ended(s, t):
            return False
        if sleeping:
            return (None, False)
        op = self.code[t][place]
        if op[0] == 'lock' and s[1][op[1]] is not None:
            return (s[1][op[1]], True)
        if op[0] == 'take' and s[3][0] == 0:
            return (None, False)
        if op[0] == 'join' and not self.ended(s, op[1]):
            return (op[1], False)
        return False

    def deadlock(self, s):
        n = len(self.code)
        waits = [self.waits(s, t) for t in range(n)]
        for t in range(n):
            seen, u = set(), t
            while waits[u] and waits[u][1] and u not in seen:
                seen.add(u)
                u = waits[u][0]
                if self.ended(s, u) or u in seen:
                    return True
        alive = [t for t in range(n) if s[0][t][0] >= 0 and not self.ended(s, t)]
        return bool(alive) and all(waits[t] for t in alive)

    def access(self, state, t, where, write):
        """Does it race? Then that is noted."""
        threads, history = state[0], dict(state[8])
        clock = threads[t][4]
        entry = dict(history.get(where, ()))
        for (u, w), time in entry.items():
            if u != t and (write or w) and time > clock[u]:
                self.bad.add('no-data-race')
        entry[(t, write)] = clock[t]
        history[where] = tuple(sorted(entry.items()))
        return state[:8] + (tuple(sorted(history.items())),)

    def step(self, s, t):
        place, l, ptr, sleeping, clock = s[0][t]
        if place < 0 or self.ended(s, t):
            return []
        if sleeping:  # it may wake up by itself
            return [self.moved(s, t, sleeping=False)]
        op = self.code[t][place]
        return getattr(self, 'do_' + op[0].replace('*', '_it').replace('assert', 'assert_'))(s, t, op, l, ptr)

    def moved(self, s, t, by=1, **new):
        place, l, ptr, sleeping, clock = s[0][t]
        mine = clock[:t] + (clock[t] + 1,) + clock[t + 1:]
        x = (place + (0 if 'sleeping' in new and not new['sleeping'] else by), new.get('l', l), new.get('ptr', ptr), new.get('sleeping', False), new.get('clock', mine))
        threads = s[0][:t] + (x,) + s[0][t + 1:]
        return (threads,) + s[1:]

    @staticmethod
    def put(s, part, i, value):
        return s[:part] + (s[part][:i] + (value,) + s[part][i + 1:],) + s[part + 1:]

    def ticked(self, s, t, other=None):
        clock = s[0][t][4]
        if other:
            clock = tuple(max(a, b) for a, b in zip(clock, other))
        return clock[:t] + (clock[t] + 1,) + clock[t + 1:]

    def do_create(self, s, t, op, l, ptr):
        u, clock = op[1], s[0][t][4]
        child = (0, 0, None, False, clock[:u] + (1,) + clock[u + 1:])
        return [self.moved(s[:0] + (s[0][:u] + (child,) + s[0][u + 1:],) + s[1:], t)]

    def do_join(self, s, t, op, l, ptr):
        if not self.ended(s, op[1]):
            return []
        x = self.moved(s, t, clock=self.ticked(s, t, s[0][op[1]][4]))
        if self.ended(x, t):
            self.at_end(x)
        return [x]

    def at_end(self, s):
        if any(alive and i not in s[4] for i, alive in enumerate(s[5])):
            self.bad.add('valid-memsafety')

    def take(self, s, t, m, **new):
        return self.moved(self.put(s, 1, m, t), t, clock=self.ticked(s, t, s[6][m]), **new)

    def do_lock(self, s, t, op, l, ptr):
        return [self.take(s, t, op[1])] if s[1][op[1]] is None else []

    def do_trylock(self, s, t, op, l, ptr):
        return [self.take(s, t, op[1])] if s[1][op[1]] is None else [self.moved(s, t, 1 + op[2])]

    def release(self, s, t, m):
        return self.put(self.put(s, 1, m, None), 6, m, s[0][t][4])

    def do_unlock(self, s, t, op, l, ptr):
        return [self.moved(self.release(s, t, op[1]), t)]

    def do_wait(self, s, t, op, l, ptr):
        return [self.moved(self.release(s, t, op[1]), t, sleeping=True)]

    def do_signal(self, s, t, op, l, ptr):
        sleepers = [u for u in range(len(self.code)) if s[0][u][3]]
        after = self.moved(s, t)
        return [self.moved(after, u, sleeping=False, clock=after[0][u][4]) for u in sleepers] or [after]

    def do_post(self, s, t, op, l, ptr):
        return [self.moved(self.put(s, 3, 0, s[3][0] + 1), t)]

    def do_take(self, s, t, op, l, ptr):
        return [self.moved(self.put(s, 3, 0, s[3][0] - 1), t)] if s[3][0] else []

    def do_put(self, s, t, op, l, ptr):
        return [self.moved(self.put(self.put(s, 3, op[1], op[2]), 7, op[1], s[0][t][4]), t)]

    def do_get(self, s, t, op, l, ptr):
        return [self.moved(s, t, l=s[3][op[1]], clock=self.ticked(s, t, s[7][op[1]]))]

    def do_write(self, s, t, op, l, ptr):
        return [self.moved(self.put(self.access(s, t, ('x', op[1]), True), 2, op[1], op[2]), t)]

    def do_store(self, s, t, op, l, ptr):
        return [self.moved(self.put(self.access(s, t, ('x', op[1]), True), 2, op[1], ptr), t, ptr=None)]

    def do_read(self, s, t, op, l, ptr):
        return [self.moved(self.access(s, t, ('x', op[1]), False), t, l=s[2][op[1]])]

    def do_assert_(self, s, t, op, l, ptr):
        if l != op[1]:
            return [self.moved(s, t)]
        self.bad.add('unreach-call')
        return []

    def do_skip(self, s, t, op, l, ptr):
        return [self.moved(s, t, 1 if l == op[1] else 1 + op[2])]

    def do_alloc(self, s, t, op, l, ptr):
        return [self.moved(s[:5] + (s[5] + (True,),) + s[6:], t, ptr=len(s[5]))]

    def do_setp(self, s, t, op, l, ptr):
        return [self.moved(self.put(self.access(s, t, ('p', op[1]), True), 4, op[1], ptr), t, ptr=None)]

    def do_clear(self, s, t, op, l, ptr):
        return [self.moved(self.put(self.access(s, t, ('p', op[1]), True), 4, op[1], None), t)]

    def do_getp(self, s, t, op, l, ptr):
        return [self.moved(self.access(s, t, ('p', op[1]), False), t, ptr=s[4][op[1]])]

    def fault(self, name):
        self.bad.add(name)
        return []

    def do_use_it(self, s, t, op, l, ptr):
        if ptr is not None:  # a race, even if it comes after the free
            s = self.access(s, t, ('h', ptr), True)
        if ptr is None or not s[5][ptr]:
            return self.fault('valid-memsafety')
        return [self.moved(s, t, ptr=None)]

    def do_free_it(self, s, t, op, l, ptr):
        if ptr is None:
            return [self.moved(s, t)]
        s = self.access(s, t, ('h', ptr), True)
        if not s[5][ptr]:
            return self.fault('valid-memsafety')
        return [self.moved(self.put(s, 5, ptr, False), t, ptr=None)]

    def number(self, s, t, value, **new):
        if not -LIMIT <= value < LIMIT:
            return self.fault('no-overflow')
        return [self.moved(s, t, **new)]

    def do_add(self, s, t, op, l, ptr):
        return self.number(s, t, l + op[1], l=l + op[1])

    def do_sum(self, s, t, op, l, ptr):
        return self.number(s, t, l + op[1], ptr=l + op[1])

    def do_divide(self, s, t, op, l, ptr):
        return self.fault('no-overflow') if l == 0 else [self.moved(s, t, l=int(10 / l))]

    def do_shift(self, s, t, op, l, ptr):
        return self.fault('no-overflow') if not 0 <= l <= 30 else [self.moved(s, t, l=1 << l)]
