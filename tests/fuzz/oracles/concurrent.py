# SPDX-License-Identifier: Apache-2.0
"""Random programs with threads, and what they can do: all interleavings of their accesses, explored here, with nothing of Heddle's.

A program is a list of statements for main and each thread. A statement is a tuple: its name, its operands, perhaps lists of statements. `text`
writes it in C, `compiled` as operations on the state, one for each access that others can see. What a program has done counts even if the
process ends right after it (return from main, exit, abort, an assumption that is false), or if the next thing it does is undefined (a division by zero, a null
pointer, a dead object): the others may have looked before. What is behind a fault is not judged."""

INTS = ('l0', 'l1')
LARGEST = 12  # of int variables: programs that count further are left out
ENDS = ['exit(0);', '_exit(0);', 'abort();', '__VERIFIER_assume(0);', 'quick_exit(0);', '__builtin_trap();']
TYPES = {'int': ('int', None), 'mem': ('int', None), 'u8': ('unsigned char', 256), 'u32': ('unsigned', 1 << 32)}


class Maker:
    def __init__(self, r, flavour):
        self.r, self.flavour = r, flavour
        self.type, self.modulus = TYPES[flavour]
        self.names = ['x', 'y', 'z'][:r.choice([2, 2, 3])]
        self.mutexes = r.choice([0, 1, 1, 2])
        self.semaphore = r.choice([None, None, 0, 1])
        self.threads = r.choice([1, 2, 2, 2, 3])
        self.ends = r.random() < .6
        self.faults = r.random() < .5

    def chance(self, p):
        return self.r.random() < p

    def local(self):
        return self.r.choice(INTS)

    def condition(self):
        c = self.r.randint(0, 2)
        if self.modulus and self.chance(.3):
            c = self.r.choice([3, 5, 128, 255, self.modulus - 1])
        return self.r.choice(['==', '!=', '<']), c

    def block(self, depth, n, inside=''):
        return [s for _ in range(n) for s in self.statement(depth, inside)]

    def branch(self, depth, inside):
        return [('if', self.local(), *self.condition(), self.block(depth - 1, self.r.randint(1, 2), inside), self.block(depth - 1, self.r.randint(0, 1), inside))]

    def wrapping(self):
        l, g, c = self.local(), self.r.choice(self.names), self.r.choice([1, 2, 3, 7, 100, 255, self.modulus - 1, self.modulus // 2])
        k = self.r.random()
        if k < .5:
            return [('read', l, g), ('scale', l, self.r.choice([1, 1, 2, 3, self.modulus - 1]), c), ('write', g, l, 0)]
        return [('scale', l, self.r.choice([1, 1, 2, 3]), c)] if k < .8 else [('mix', l)]

    def memory(self):
        l, i = self.local(), self.local()
        return [self.r.choice([('element', l, i), ('store', i, l, self.r.randint(0, 2)), ('store_at', self.r.randint(0, 1), self.r.randint(0, 2)),
                               ('point', self.r.randint(0, len(self.names) + 1)), ('point_at', i), ('through', l), ('through', l),
                               ('write_through', l, self.r.randint(0, 2))])]

    def fault(self):
        l, m = self.local(), self.local()
        kinds = [('divide', l, m), ('divide', l, m), ('shift', l, m), ('null_read', l, m), ('null_write', m, self.r.randint(0, 2))]
        kinds += [('overflow', l, m)] if self.type == 'int' else []
        kinds += [('beyond', l, m)] if self.flavour == 'mem' else []
        return [self.r.choice(kinds)]

    def end(self, inside):
        if inside != 'atomic' and self.chance(.4):
            return [('return',)] if self.chance(.6) else [('pthread_exit',)]
        return [('end', self.r.choice(ENDS))]

    def statement(self, depth, inside):
        r, l, g = self.r, self.local(), self.r.choice(self.names)
        if self.ends and depth < 2 and self.chance(.06):
            return self.end(inside)
        if self.faults and self.chance(.12):
            return self.fault()
        if self.modulus and self.chance(.3):
            return self.wrapping()
        if self.flavour == 'mem' and self.chance(.4):
            return self.memory()
        k = r.random()
        if k < .17:
            return [('read', l, g)]
        if k < .28:
            return [('write', g, l, r.choice([0, 1, 1, 2]))]
        if k < .40:
            return [('set', g, r.randint(0, 2))]
        if k < .46:
            return [('increment', g)]
        if k < .57 and self.mutexes and not inside and depth:
            m = r.randrange(self.mutexes)
            if self.chance(.85):
                return [('lock', m)] + self.block(depth - 1, r.randint(1, 2)) + [('unlock', m)]
            return [('trylock', l, m), ('if', l, '==', 0, self.block(depth - 1, 1) + [('unlock', m)], [])]
        if k < .63 and depth and not inside:
            return [('atomic', self.block(0, r.randint(2, 3), 'atomic'))]
        if k < .75 and depth:
            return self.branch(depth, inside)
        if k < .78 and depth and not inside:
            return [('twice', self.block(depth - 1, r.randint(1, 2)))]
        if k < .81 and not inside:
            return [('spin', g, r.randint(0, 1))]
        if k < .84:
            return [('fetch_add', l, g)]
        if k < .87:
            return [('swap', l, g, r.randint(0, 1), r.randint(0, 2))]
        if k < .89 and self.semaphore is not None and not inside:
            return [(r.choice(['post', 'wait']),)]
        if k < .92:
            return [('input', l)]
        if k < .95:
            return [('assume', l, *self.condition())]
        return [('constant', l, r.randint(0, 2))] if k < .98 else [('add', l, 1)]

    def assertion(self):
        l = self.local()
        c = self.r.choice([0, 1, 2, 3, 5, self.modulus - 1, self.modulus // 2, self.r.randrange(self.modulus)]) if self.modulus else self.r.randint(0, 3)
        return [('read', l, self.r.choice(self.names)), ('assert', l, self.r.choice(['!=', '!=', '<', '==']), c)]

    def asserted(self, block, p):
        at = self.r.randint(0, len(block))
        return block[:at] + self.assertion() + block[at:] if self.chance(p) else block

    def thread(self, number):
        """Ends with whatever it did last, often with a write."""
        b = self.asserted(self.block(2, self.r.randint(1, 4)), .6)
        if self.flavour == 'mem' and self.chance(.35):
            b = b[:1] + [('lives', number, self.chance(.4), self.r.randint(0, 2), b[1:] or [('through', 'l0')])]
        if self.chance(.1):
            b = b + [('for_ever', self.block(1, self.r.randint(1, 2)))]
        if self.ends and self.chance(.35):
            b = b + self.last() + self.end('')
        return b

    def last(self):
        return [self.r.choice([('set', self.r.choice(self.names), self.r.randint(1, 2)), ('write', self.r.choice(self.names), self.local(), 1)])]

    def program(self):
        threads = [self.thread(i + 1) for i in range(self.threads)]
        order = list(range(self.threads))
        if self.threads > 1 and self.chance(.15):  # the last is created by the first
            last = order.pop()
            threads[0] = threads[0][:1] + [('create', last)] + threads[0][1:] + ([('join', last)] if self.chance(.5) else [])
        main = []
        for i in order:
            main += [('create', i)] + (self.block(1, 1) if self.chance(.3) else [])
        main += self.block(1, self.r.randint(0, 1))
        joined = [i for i in order if self.chance(.5)]
        self.r.shuffle(joined)
        main += [('join', i) for i in joined]
        if self.chance(.5):
            main += self.assertion()
        if self.chance(.7):
            main += self.last()
        if self.ends and self.chance(.4):
            main += self.end('')
        return threads, main


# ---- in C ----

PLAIN = {
    'read': '{0} = {1};', 'write': '{0} = {1} + {2};', 'set': '{0} = {1};', 'increment': '{0}++;', 'lock': 'pthread_mutex_lock(&m{0});',
    'unlock': 'pthread_mutex_unlock(&m{0});', 'trylock': '{0} = pthread_mutex_trylock(&m{1}) ? 1 : 0;', 'spin': 'while ({0} != {1}) ;',
    'assert': 'assert({0} {1} {2}{u});', 'assume': '__VERIFIER_assume({0} {1} {2}{u});', 'fetch_add': '{0} = __sync_fetch_and_add(&{1}, 1);',
    'swap': '{0} = __sync_bool_compare_and_swap(&{1}, {2}, {3});', 'post': 'sem_post(&sem);', 'wait': 'sem_wait(&sem);',
    'scale': '{0} = {0} * {1}u + {2}u;', 'element': '{0} = a[{1} & 1];', 'store': 'a[{0} & 1] = {1} + {2};', 'store_at': 'a[{0}] = {1};',
    'point_at': 'p = &a[{0} & 1];', 'through': '{0} = *p;', 'write_through': '*p = {0} + {1};', 'constant': '{0} = {1};', 'add': '{0} = {0} + {1};',
    'input': '{0} = __VERIFIER_nondet_bool();', 'create': 'pthread_create(&t{0}, 0, thread{0}, 0);', 'join': 'pthread_join(t{0}, 0);',
    'divide': '{0} = 6 / {1};', 'shift': '{0} = 4 >> {1} * 16;', 'overflow': '{0} = {1} + 2147483647 - 2147483647;', 'beyond': '{0} = a[{1}];',
    'null_read': '{0} = *({1} ? &x : ({type} *)0);', 'null_write': '*({0} ? &x : ({type} *)0) = {1};', 'end': '{0}', 'return': 'return 0;',
    'pthread_exit': 'pthread_exit(0);'}


def lines(maker, block, indent=1):
    out, pad = [], '  ' * indent
    for s in block:
        if s[0] in PLAIN:
            out.append(pad + PLAIN[s[0]].format(*s[1:], u='u' if maker.modulus else '', type=maker.type))
        elif s[0] == 'mix':
            out.append(pad + ('l0 = l0 - l1;' if s[1] == 'l0' else 'l1 = l1 + l0;'))
        elif s[0] == 'point':
            out.append(pad + 'p = &%s;' % (maker.names + ['a[0]', 'a[1]'])[s[1]])
        elif s[0] == 'atomic':
            out += [pad + '__VERIFIER_atomic_begin();'] + lines(maker, s[1], indent) + [pad + '__VERIFIER_atomic_end();']
        elif s[0] == 'if':
            out += ['%sif (%s %s %d%s) {' % (pad, s[1], s[2], s[3], 'u' if maker.modulus else '')] + lines(maker, s[4], indent + 1)
            out += [pad + '} else {'] + lines(maker, s[5], indent + 1) + [pad + '}']
        elif s[0] == 'lives':
            first = '%s *v = malloc(sizeof *v); *v = %d; p = v;' if s[2] else '%s v = %d; p = &v;'
            out += [pad + '{ ' + first % (maker.type, s[3])] + lines(maker, s[4], indent + 1) + [pad + ('  free(v); }' if s[2] else '}')]
        else:
            head = {'twice': 'for (int i%d = 0; i%d < 2; i%d++) {' % (indent, indent, indent), 'for_ever': 'while (1) {'}[s[0]]
            out += [pad + head] + lines(maker, s[1], indent + 1) + [pad + '}']
    return out


HEAD = '''#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
'''


def text(maker, threads, main, creation=()):
    t = maker.type
    out = [HEAD + ' '.join('%s %s;' % (t, g) for g in maker.names)] + ['pthread_mutex_t m%d = PTHREAD_MUTEX_INITIALIZER;' % i for i in range(maker.mutexes)]
    if maker.flavour == 'mem':
        out.append('%s a[2], *p = &x;' % t)
    out += ['sem_t sem;'] + ['pthread_t t%d; void *thread%d(void *);' % (i, i) for i in range(len(threads))]
    for i, b in enumerate(threads):
        out += ['void *thread%d(void *unused) {' % i, '  %s l0 = 0, l1 = 0;' % t] + lines(maker, b) + ['  return 0;', '}']
    out += ['int main(void) {', '  %s l0 = 0, l1 = 0;' % t, '  sem_init(&sem, 0, %d);' % (maker.semaphore or 0)]
    return '\n'.join(out + list(creation) + lines(maker, main) + ['  return 0;', '}']) + '\n'


# ---- as operations ----

def compiled(block, code, is_main):
    for s in block:
        kind = s[0]
        if kind == 'atomic':
            code.append(('enter',))
            compiled(s[1], code, is_main)
            code.append(('leave',))
        elif kind == 'increment':
            code += [('read', 't', s[1]), ('write', s[1], 't', 1)]
        elif kind == 'if':
            at = len(code)
            code.append(None)
            compiled(s[4], code, is_main)
            over = len(code)
            code.append(None)
            code[at] = ('branch', s[1], s[2], s[3], len(code))
            compiled(s[5], code, is_main)
            code[over] = ('goto', len(code))
        elif kind == 'twice':
            compiled(s[1], code, is_main)
            compiled(s[1], code, is_main)
        elif kind == 'for_ever':
            at = len(code)
            compiled(s[1], code, is_main)
            code.append(('goto', at))
        elif kind == 'spin':
            at = len(code)
            code += [('read', 't', s[1]), ('branch', 't', '!=', s[2], at + 3), ('goto', at)]
        elif kind == 'through':
            code += [('pointer',), ('load', s[1])]
        elif kind == 'write_through':
            code += [('pointer',), ('put', s[1], s[2])]
        elif kind == 'lives':
            slot = 2 * s[1] + s[2]
            code += [('alive', slot, s[3]), ('point_slot', slot)]
            compiled(s[4], code, is_main)
            code.append(('dead', slot))
        elif kind == 'return':
            code.append(('process_ends',) if is_main else ('thread_ends',))
        elif kind == 'pthread_exit':
            code.append(('thread_ends',))
        elif kind == 'end':
            code.append(('process_ends',))
        else:
            code.append(s)
    return code


HOLDS = {'==': lambda a, b: a == b, '!=': lambda a, b: a != b, '<': lambda a, b: a < b}
PRIVATE = {'branch', 'constant', 'add', 'scale', 'mix'}  # nobody else sees them, and they neither fault nor end anything


class Violation(Exception):
    pass


class TooLarge(Exception):
    pass


class Explorer:
    """A state: globals (variables, a[0], a[1], p, of each thread a local and a heap object: None is dead), owners of mutexes, the semaphore, what each thread is (0 not yet
    created, 1 runs, 2 has ended), where and with which locals, and who is in an atomic section."""

    def __init__(self, maker, threads, main, most=25000):
        self.maker, self.most = maker, most
        self.codes = [compiled(main, [], True) + [('process_ends',)]] + [compiled(b, [], False) + [('thread_ends',)] for b in threads]
        self.place = {g: i for i, g in enumerate(maker.names)}
        self.array = len(maker.names)
        self.pointer = self.array + 2
        self.slot = self.pointer + 1

    def wrapped(self, v):
        if not self.maker.modulus and v > LARGEST:
            raise TooLarge
        return v % self.maker.modulus if self.maker.modulus else v

    def violates(self):
        """True if an assertion can fail. Raises TooLarge."""
        n = len(self.codes)
        init = ((0,) * self.slot + (None,) * (2 * n), (None,) * self.maker.mutexes, self.maker.semaphore or 0, (1,) + (0,) * (n - 1), ((0, (0, 0, 0)),) * n, None)
        seen, work = {init}, [init]
        try:
            while work:
                for after in self.steps(work.pop()):
                    if after not in seen:
                        seen.add(after)
                        work.append(after)
                        if len(seen) > self.most:
                            raise TooLarge
        except Violation:
            return True
        return False

    def steps(self, state):
        for t in range(len(self.codes)):
            if state[3][t] == 1 and state[5] in (None, t):
                for after in self.step(state, t):
                    yield self.privately(after, t)

    def privately(self, state, t):
        for _ in range(50):
            pc = state[4][t][0]
            if state[3][t] != 1 or self.codes[t][pc][0] not in PRIVATE:
                break
            state, = self.step(state, t)
        return state

    def step(self, state, t):
        """The states after thread t's next operation: none if it waits, if it faults, or if the process ends with it."""
        g, owners, count, status, threads, atomic = state
        pc, locals_ = threads[t]
        op = self.codes[t][pc]
        kind = op[0]
        value = dict(zip(('l0', 'l1', 't'), locals_))

        def on(g=g, owners=owners, count=count, status=status, pc=pc + 1, atomic=atomic, **changed):
            new = tuple({**value, **changed}.values())
            return [(g, owners, count, status, threads[:t] + ((pc, new),) + threads[t + 1:], atomic)]

        def put(i, v):
            return g[:i] + (v,) + g[i + 1:]

        def own(m, who):
            return owners[:m] + (who,) + owners[m + 1:]

        def is_now(who, what):
            return status[:who] + (what,) + status[who + 1:]

        if kind == 'read':
            return on(**{op[1]: g[self.place[op[2]]]})
        if kind == 'write':
            return on(put(self.place[op[1]], self.wrapped(value[op[2]] + op[3])))
        if kind == 'set':
            return on(put(self.place[op[1]], op[2]))
        if kind == 'branch':
            return on(pc=pc + 1 if HOLDS[op[2]](value[op[1]], op[3]) else op[4])
        if kind == 'goto':
            return on(pc=op[1])
        if kind == 'constant':
            return on(**{op[1]: op[2]})
        if kind == 'add':
            return on(**{op[1]: self.wrapped(value[op[1]] + op[2])})
        if kind == 'scale':
            return on(**{op[1]: self.wrapped(value[op[1]] * op[2] + op[3])})
        if kind == 'mix':
            return on(**{op[1]: self.wrapped(value['l0'] - value['l1'] if op[1] == 'l0' else value['l1'] + value['l0'])})
        if kind == 'input':
            return on(**{op[1]: 0}) + on(**{op[1]: 1})
        if kind == 'assert':
            if not HOLDS[op[2]](value[op[1]], op[3]):
                raise Violation
            return on()
        if kind == 'assume':
            return on() if HOLDS[op[2]](value[op[1]], op[3]) else []
        if kind == 'lock':
            return on(owners=own(op[1], t)) if owners[op[1]] is None else []
        if kind == 'unlock':
            return on(owners=own(op[1], None))
        if kind == 'trylock':
            return on(owners=own(op[2], t), **{op[1]: 0}) if owners[op[2]] is None else on(**{op[1]: 1})
        if kind == 'enter':
            return on(atomic=t)
        if kind == 'leave':
            return on(atomic=None)
        if kind == 'fetch_add':
            i = self.place[op[2]]
            return on(put(i, self.wrapped(g[i] + 1)), **{op[1]: g[i]})
        if kind == 'swap':
            i = self.place[op[2]]
            return on(put(i, op[4]), **{op[1]: 1}) if g[i] == op[3] else on(**{op[1]: 0})
        if kind == 'post':
            if count > 6:
                raise TooLarge
            return on(count=count + 1)
        if kind == 'wait':
            return on(count=count - 1) if count else []
        if kind == 'element':
            return on(**{op[1]: g[self.array + (value[op[2]] & 1)]})
        if kind == 'store':
            return on(put(self.array + (value[op[1]] & 1), self.wrapped(value[op[2]] + op[3])))
        if kind == 'store_at':
            return on(put(self.array + op[1], op[2]))
        if kind == 'point':
            return on(put(self.pointer, op[1]))
        if kind == 'point_at':
            return on(put(self.pointer, self.array + (value[op[1]] & 1)))
        if kind == 'point_slot':
            return on(put(self.pointer, self.slot + op[1]))
        if kind == 'pointer':
            return on(t=g[self.pointer])
        if kind == 'load':
            return on(**{op[1]: g[value['t']]}) if g[value['t']] is not None else []
        if kind == 'put':
            return on(put(value['t'], self.wrapped(value[op[1]] + op[2]))) if g[value['t']] is not None else []
        if kind == 'alive':
            return on(put(self.slot + op[1], op[2]))
        if kind == 'dead':
            return on(put(self.slot + op[1], None))
        if kind == 'divide':
            return on(**{op[1]: 6 // value[op[2]]}) if value[op[2]] else []
        if kind == 'shift':
            by = value[op[2]] * 16
            by = by % (1 << 32) if self.maker.type == 'unsigned' else by
            return on(**{op[1]: 4 >> by}) if by < 32 else []
        if kind == 'overflow':
            return on(**{op[1]: 0}) if not value[op[2]] else []
        if kind == 'beyond':
            return on(**{op[1]: g[self.array + value[op[2]]]}) if value[op[2]] < 2 else []
        if kind == 'null_read':
            return on(**{op[1]: g[0]}) if value[op[2]] else []
        if kind == 'null_write':
            return on(put(0, op[2])) if value[op[1]] else []
        if kind == 'create':
            return on(status=is_now(op[1] + 1, 1))
        if kind == 'join':
            return on() if status[op[1] + 1] == 2 else []
        if kind == 'thread_ends':
            return on(put(self.slot + 2 * t, None), status=is_now(t, 2), pc=pc)
        assert kind == 'process_ends', kind
        return []


# ---- programs and their truth ----

def shrunk(blocks, is_wrong):
    """Lists of statements, with as few of them as still show it."""
    def without(block):
        for i, s in enumerate(block):
            yield block[:i] + block[i + 1:]
            for k, part in enumerate(s):
                if isinstance(part, list):
                    yield block[:i] + part + block[i + 1:]
                    for smaller in without(part):
                        yield block[:i] + [s[:k] + (smaller,) + s[k + 1:]] + block[i + 1:]
    again = True
    while again:
        again = False
        for i, b in enumerate(blocks):
            for smaller in without(b):
                if is_wrong(blocks[:i] + [smaller] + blocks[i + 1:]):
                    blocks, again = blocks[:i] + [smaller] + blocks[i + 1:], True
                    break
            if again:
                break
    return blocks


def is_sane(before, blocks):
    """What shrinking must not change: threads are created, and mutexes unlocked, as often as before."""
    return all(str(blocks).count(word) == str(before).count(word) for word in ("('create'", "('unlock'", "('lock'", "('trylock'"))


class Threads:
    """As many threads as are created, all interleavings."""

    def __init__(self, r):
        self.maker = Maker(r, r.choice(['int', 'int', 'mem', 'mem', 'u8', 'u32']))
        threads, main = self.maker.program()
        self.blocks = [main] + threads

    def source(self, blocks=None):
        blocks = blocks or self.blocks
        return text(self.maker, blocks[1:], blocks[0])

    def truth(self, blocks=None):
        blocks = blocks or self.blocks
        if "'assert'" not in str(blocks):
            raise TooLarge
        return 'UNSAFE' if Explorer(self.maker, blocks[1:], blocks[0]).violates() else 'SAFE'

    def is_wrong(self, verdict, truth):
        return verdict != truth

    def smaller(self, verdict_of):
        def is_wrong(blocks):
            try:
                if not is_sane(self.blocks, blocks):
                    return False
                truth, verdict = self.truth(blocks), verdict_of(self.source(blocks))
                return verdict in ('SAFE', 'UNSAFE') and self.is_wrong(verdict, truth)
            except TooLarge:
                return False
        self.blocks = shrunk(self.blocks, is_wrong)
        return self.source()


class Many(Threads):
    """Any number of threads of one or two kinds. UNSAFE with few of them is UNSAFE; with many the trace that Heddle replayed must do."""

    def __init__(self, r):
        self.maker = m = Maker(r, r.choice(['int', 'int', 'mem', 'u8']))
        m.threads = r.choice([1, 1, 1, 2])
        threads = [m.asserted(m.block(2, r.randint(1, 3)), .8) for _ in range(m.threads)]
        if m.ends:
            threads = [b + m.last() + m.end('') if m.chance(.4) else b for b in threads]
        main = [] if m.chance(.4) else m.block(1, 1) + m.assertion()
        if m.chance(.6):
            main += m.last()
        if m.ends and m.chance(.4):
            main += m.end('')
        self.blocks = [main] + threads
        self.fewest = r.choice([1, 1, 2])  # an error needs more threads than that

    def source(self, blocks=None):
        blocks = blocks or self.blocks
        n = len(blocks) - 1
        create = ['  while (__VERIFIER_nondet_bool()) {'] + ['    %spthread_create(&t%d, 0, thread%d, 0);' % ('if (__VERIFIER_nondet_bool()) ' if n > 1 else '', i, i) for i in range(n)] + ['  }']
        return text(self.maker, blocks[1:], blocks[0], create)

    def few(self, blocks, n):
        threads = [b for b in blocks[1:] for _ in range(n)]
        return Explorer(self.maker, threads, [('create', i) for i in range(len(threads))] + blocks[0]).violates()

    def truth(self, blocks=None):
        blocks = blocks or self.blocks
        if "'assert'" not in str(blocks):
            raise TooLarge
        if blocks is self.blocks and self.few(blocks, self.fewest) and self.maker.chance(.8):
            raise TooLarge  # most are found at once: these say little
        for n in (1, 2, 3):
            try:
                if self.few(blocks, n):
                    return 'UNSAFE'
            except TooLarge:
                if n == 1:
                    raise
        return 'SAFE?'

    def is_wrong(self, verdict, truth):
        return verdict == 'SAFE' and truth == 'UNSAFE'

    def smaller(self, verdict_of):
        self.fewest = 0
        return super().smaller(verdict_of)
