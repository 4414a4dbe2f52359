# SPDX-License-Identifier: Apache-2.0
"""Small C programs with threads, for a comparison of all their outcomes. The globals o0 … are what is looked at. Nothing depends on what C leaves
open: uninitialised values, the numbers of addresses, padding. Undefined behaviour may happen: an execution is compared up to there."""
import random

HEAD = '''#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
'''
# declarations that a feature needs
GLOBALS = {
    'mutex': 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;',
    'recursive': 'pthread_mutex_t rec = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, chk = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;',
    'cond': 'pthread_mutex_t cm = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t cv = PTHREAD_COND_INITIALIZER;\nint ready;',
    'atomic': 'atomic_int at;\n_Atomic unsigned char ac = 250;\natomic_flag af = ATOMIC_FLAG_INIT;',
    'sem': 'sem_t sem;',
    'rwlock': 'pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;',
    'once': 'pthread_once_t once = PTHREAD_ONCE_INIT;\nvoid routine(void) { o1 += 3; }',
    'array': 'int a[3] = {1, 2, 3};',
    'struct': 'struct S { char c; int i; short h; } s = {1, 2, 3}, t;',
    'nested': 'struct N { struct { short a; unsigned char b[2]; } in; long l; } na[2] = {{{1, {2, 3}}, 4}};',
    'bits': 'struct B { unsigned p : 3; unsigned q : 7; signed r : 4; } bf;',
    'union': 'union U { unsigned u; unsigned char b[4]; unsigned short h[2]; } un;',
    'local': 'int *p;',
    'threadlocal': '_Thread_local int tl = 4;\n_Thread_local short ta[2] = {5, 6};\nint *tp;',
    'heap': 'int *h;',
    'pair': 'struct P { int a, b; };\nstruct P pair(int a, int b) { struct P r = {a, b}; return r; }\nint total(struct P v) { return v.a + 2 * v.b; }',
    'table': 'int inc(int v) { return v + 1; }\nint twice(int v) { return v * 2; }\nint (*table[2])(int) = {inc, twice};',
    'static': 'int count(void) { static int calls; return ++calls; }',
    'pointer': 'int pa = 1, pb = 2;\nint *q0 = &pa, **qq = &q0;',
    'bytes': 'char buf[4] = "ab";',
    'volatile': 'volatile short vo;',
    'whole': 'struct W { short a, b; };\n_Atomic struct W aw;',
    'float': 'double gd = 1.5;\nfloat gf;',
    'section': 'int __VERIFIER_atomic_swap(void) { int was = o0; o0 = o1; o1 = was; return was; }',
    'constant': 'const int fixed[3] = {7, 8, 9};\nchar *text = "xy";',
    'helper': 'void set(int *to, int v) { *to = v; }\nint get(int *from) { return *from + 1; }\nint cell;',
    'leave': 'void leave(int l) { int mine = l; p2 = &mine; if (l) pthread_exit(0); o2 = 1; }',
    'matrix': 'short mx[2][2] = {{1, 2}, {3, 4}};',
    'enum': 'enum E { RED, GREEN = 5, BLUE } en = GREEN;',
}
LAYOUTS = {'struct': '12:0,1,4,4,8,2', 'nested': '16:0,2,2,1,3,1,8,8'}
ENDS = ['exit(0);', '_exit(1);', 'abort();', '__VERIFIER_assume(0);', '__builtin_trap();', 'quick_exit(0);', '_Exit(2);']


class Maker:
    def __init__(self, seed):
        self.r = r = random.Random(seed)
        kinds = ['int', 'int', 'unsigned', 'unsigned char', 'short', 'long', 'signed char', 'unsigned long long', '_Bool']
        self.types = [r.choice(kinds) for _ in range(3)]
        self.features = {f for f in GLOBALS if r.random() < (0.35 if f == 'local' else 0.2)}
        self.functions, self.names, self.fresh, self.cost, self.section, self.who = [], 0, 0, 0, False, 0

    def chance(self, p):
        return self.r.random() < p

    def has(self, feature):
        return feature in self.features

    def name(self, prefix):
        self.names += 1
        return '%s%d' % (prefix, self.names)

    def out(self):
        return 'o%d' % (3 + self.who)

    def scalar(self):
        return 'o%d' % self.r.randrange(3)

    # ---- values and places: (text, visible steps) ----
    def leaf(self):
        r, c = self.r, [(self.scalar(), 1)] * 4 + [('l', 0)] * 3 + [(str(self.r.choice([0, 1, 2, 3, 5, 255, -1])), 0)] * 2
        if self.has('array'):
            c += [('a[%d]' % r.randrange(3), 1), ('a[%s]' % r.choice(['l & 1', 'l', 'l & 3']), 1)]
        if self.has('struct'):
            c += [('s.' + r.choice('cih'), 1), ('t.i', 1)]
        if self.has('nested'):
            c += [('na[l & 1].in.b[%d]' % r.randrange(2), 1), ('na[1].l', 1)]
        if self.has('bits'):
            c += [('bf.' + r.choice('pqr'), 1)] * 2
        if self.has('union'):
            c += [('un.b[%d]' % r.randrange(4), 1), ('un.h[l & 1]', 1), ('un.u', 1)]
        if self.has('threadlocal'):
            c += [('tl', 0), ('ta[l & 1]', 0)]
        if self.has('atomic'):
            c += [('atomic_load(&at)', 1), ('ac', 1), ('__atomic_load_n(&o0, __ATOMIC_%s)' % r.choice(['RELAXED', 'SEQ_CST', 'ACQUIRE']), 1)]
        if self.has('pointer'):
            c += [('*q0', 2), ('**qq', 3), ('(q0 == &pa)', 1), ('(*qq != &pb)', 2)]
        if self.has('bytes'):
            c += [('buf[%d]' % r.randrange(4), 1)]
        if self.has('volatile'):
            c += [('vo', 1)]
        if self.has('constant'):
            c += [('fixed[l]', 0), ('text[l & 1]', 2)]
        if self.has('matrix'):
            c += [('mx[l & 1][%d]' % r.randrange(2), 1), ('mx[1][l]', 1)]
        if self.has('enum'):
            c += [('en', 1), ('(en == BLUE)', 1)]
        if self.has('helper'):
            c += [('get(&cell)', 1)]
        if self.has('section'):
            c += [('__VERIFIER_atomic_swap()', 1)]
        return r.choice(c)

    def value(self, depth=1):
        r = self.r
        a, n = self.leaf()
        if depth == 0 or self.chance(0.4):
            return a, n
        b, k = self.value(depth - 1)
        form = r.choice(['%s + %s', '%s - %s', '%s * %s', '%s & %s', '%s | %s', '%s ^ %s', '(signed char)(%s) + %s', '%s == %s', '%s < %s',
            '%s && %s', '%s || %s',
                         '(%s << 2) + %s', '(%s >> 1) ^ %s', '!%s + %s', '~%s & %s', '%s %% 5 + %s', '(unsigned char)(%s - %s)', '(short)%s >= %s', '(%s, %s)'])
        if 'l' == a and self.chance(0.1):
            form = '(%s ? 4 : (%s))'
        return '(' + form % (a, b) + ')', n + k

    def place(self):
        r, c = self.r, [(self.scalar(), 1)] * 5
        if self.has('array'):
            c += [('a[%d]' % r.randrange(3), 1), ('a[l & 1]', 1)]
        if self.has('struct'):
            c += [('s.' + r.choice('cih'), 1), ('t.' + r.choice('cih'), 1)]
        if self.has('nested'):
            c += [('na[%s].in.%s' % (r.choice(['0', 'l & 1']), r.choice(['a', 'b[0]', 'b[1]'])), 1), ('na[1].l', 1)]
        if self.has('bits'):
            c += [('bf.' + r.choice('pqr'), 2)] * 2
        if self.has('union'):
            c += [('un.b[%d]' % r.randrange(4), 1), ('un.h[%d]' % r.randrange(2), 1), ('un.u', 1)]
        if self.has('threadlocal'):
            c += [('tl', 0), ('ta[l & 1]', 0)]
        if self.has('pointer'):
            c += [('(*q0)', 2), ('(**qq)', 3)]
        if self.has('bytes'):
            c += [('buf[%d]' % r.randrange(3), 1)]
        if self.has('volatile'):
            c += [('vo', 1)]
        if self.has('matrix'):
            c += [('mx[l & 1][%d]' % r.randrange(2), 1), ('(*mx)[1]', 1)]
        if self.has('enum'):
            c += [('en', 1)]
        return r.choice(c)

    def condition(self):
        v, n = self.leaf()
        self.cost += n
        return '%s %s %d' % (v, self.r.choice(['==', '!=', '>', '<']), self.r.choice([0, 1, 1, 2, 3])) if self.chance(0.8) else v

    # ---- statements ----
    def assign(self):
        p, n = self.place()
        if self.chance(0.25):
            self.cost += 2 * n
            return [self.r.choice(['%s++;', '%s += 2;', '%s -= 1;', '%s |= 4;', '--%s;']) % p]
        v, k = self.value()
        self.cost += n + k
        return ['%s = %s;' % (p, v)]

    def observe(self):
        v, k = self.value()
        if self.chance(0.3):
            self.cost += k
            return ['l = %s;' % v]
        self.cost += k + 1
        if self.chance(0.25):
            self.cost += 1
            return ['%s = %s * 7 + (%s);' % (self.out(), self.out(), v)]
        return ['%s = %s;' % (self.out(), v)]

    def faulty(self):
        """Undefined unless the values are lucky, often right after a write that others see."""
        r = self.r
        before = ['o%d = %d;' % (r.randrange(3), r.randint(2, 3))] if self.chance(0.4) else self.assign() if self.chance(0.7) else []
        self.cost += 1
        kinds = ['%s = 7 / l;', '%s = 9 %% (l - 1);', '%s = 1 / (l - l);', '%s = 0x7fffffff + l;', '%s = 1 << (31 + l);', '%s = 1u >> (l - 1);']
        k = r.random()
        if k < 0.6:  # into a local: nobody sees that
            return before + (['l = ' + (r.choice(kinds) % '')[3:], '%s = l;' % self.out()] if self.chance(0.6) else [r.choice(kinds) % self.out()])
        if k < 0.75:
            v = self.name('v')
            return before + ['int %s[2] = {4, 5};' % v, '%s = %s[l];' % (self.out(), v)]
        if k < 0.85:
            self.cost += 1
            q = self.name('q')
            return before + ['int *%s = l ? (int *)0 : &own;' % q, r.choice(['%s = *%s;' % (self.out(), q), '*%s = 6;' % q])]
        if k < 0.93:
            v, c = self.leaf()
            self.cost += c
            return before + [r.choice(['%s = 12 / %s;', '%s = 12 %% %s;']) % (self.out(), v)]
        if k < 0.96:
            return before + [r.choice(['if (6 / l) o1 = 2;', 'switch (5 %% (l - 1)) { case 0: o0 = 3; default: ; }',
                'while (8 >> (l + 30)) { o2 = 1; break; }', 'own = o0 + 3 / l; %s = own;'])
                             .replace('%s', self.out()).replace('%%', '%')]
        v = self.name('v')
        return before + r.choice([['if (l == 1) __builtin_unreachable();'], ['int %s[2] = {4, 5};' % v, '%s[l + 1] = 6;' % v,
            '%s = %s[1];' % (self.out(), v)],
                                  ['a_[l + 2] = 1;'], ['%s = a_[l - 1];' % self.out()]])

    def finish(self):
        """The process, or the thread, ends; often right after a write."""
        before = self.assign() if self.chance(0.7) else []
        self.cost += 1
        end = self.r.choice(ENDS + ['pthread_exit(0);', 'return 0;', 'return 0;'])
        if self.chance(0.1):
            return ['__VERIFIER_atomic_begin();'] + before + ['if (%s) %s' % (self.condition(), self.r.choice(ENDS)), '__VERIFIER_atomic_end();']
        if self.chance(0.25):
            return before + ['__VERIFIER_assume(%s);' % self.condition()]
        if self.chance(0.6):
            return before + ['if (%s) %s' % (self.condition(), end)]
        return before + [end]

    def locked(self):
        c = []
        if self.has('mutex'):
            c += [('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'), ('pthread_mutex_lock(&n);', 'pthread_mutex_unlock(&n);'),
                  ('if (pthread_mutex_trylock(&m) == 0) {', 'pthread_mutex_unlock(&m); }')]
        if self.has('recursive'):
            c += [('pthread_mutex_lock(&rec); pthread_mutex_lock(&rec);', 'pthread_mutex_unlock(&rec); pthread_mutex_unlock(&rec);'),
                  ('l = pthread_mutex_lock(&chk);', 'l = pthread_mutex_unlock(&chk);'), ('l = pthread_mutex_trylock(&rec);',
                      'l = pthread_mutex_unlock(&rec);')]
        if self.has('rwlock'):
            c += [('pthread_rwlock_wrlock(&rw);', 'pthread_rwlock_unlock(&rw);'), ('pthread_rwlock_rdlock(&rw);', 'pthread_rwlock_unlock(&rw);'),
                  ('if (pthread_rwlock_trywrlock(&rw) == 0) {', 'pthread_rwlock_unlock(&rw); }')]
        if self.has('atomic'):
            c += [('while (atomic_flag_test_and_set(&af)) ;', 'atomic_flag_clear(&af);')]
        if self.has('sem'):
            c += [('sem_wait(&sem);', 'sem_post(&sem);'), ('if (sem_trywait(&sem) == 0) {', 'sem_post(&sem); }')]
        c += [('__VERIFIER_atomic_begin();', '__VERIFIER_atomic_end();')]
        lock, unlock = self.r.choice(c)
        if lock[0] == '_':
            self.section, cost = True, self.cost
            body = [l for _ in range(2) for l in self.assign()]
            self.section, self.cost = False, cost + 1
            return [lock] + body + [unlock]
        self.cost += 2
        return [lock] + self.block(self.r.randint(1, 2), plain=True) + [unlock]

    def atomics(self):
        r = self.r
        self.cost += 2
        e = self.name('e')
        return r.choice([
            ['%s = atomic_fetch_%s(&at, %d);' % (self.out(), r.choice(['add', 'sub', 'or', 'xor', 'and']), r.randint(1, 3))],
            ['%s = atomic_exchange(&at, %d);' % (self.out(), r.randint(1, 3))], ['atomic_store(&at, %d);' % r.randint(1, 3)],
            ['int %s = %d;' % (e, r.randrange(2)), '%s = atomic_compare_exchange_%s(&at, &%s, 2) + 2 * %s;' % (self.out(), r.choice(['strong',
                'weak']), e, e)],
            ['%s = ++ac;' % self.out()], ['ac += 3;'], ['%s = at++;' % self.out()], ['at *= 2;'],
            ['__sync_fetch_and_add(&o0, 1);' if self.types[0] != '_Bool' else 'ac--;'],
            ['%s = atomic_load_explicit(&at, memory_order_relaxed);' % self.out()],
            ['__atomic_store_n(&o0, 1, __ATOMIC_RELEASE);'], ['%s = __sync_bool_compare_and_swap(&ready_, 0, 1);' % self.out()],
            ['%s = __sync_val_compare_and_swap(&ready_, 1, 2);' % self.out()], ['atomic_thread_fence(memory_order_seq_cst);', 'ready_ = l;']])

    def library(self):
        r, b = self.r, self.name('b')
        self.cost += 1
        lines = ['char %s[8] = "%s";' % (b, r.choice(['ab', 'abc', '', 'ba1', '42x'])), '%s[%d] = \'a\' + (l & 1);' % (b, r.randrange(2))]
        d = self.name('b')
        return lines + r.choice([
            ['%s = strlen(%s) + 3;' % (self.out(), b)], ['%s = strcmp(%s, "ab") < 0;' % (self.out(),
                b)], ['%s = strncmp(%s, "abd", 2) == 0;' % (self.out(), b)],
            ['%s = memcmp(%s, "aa", 2) > 0;' % (self.out(), b)], ['%s = strchr(%s, \'b\') ? 1 : 2;' % (self.out(), b)],
            ['char %s[8] = {0};' % d, 'strcpy(%s, %s);' % (d, b), '%s = %s[0] + %s[1];' % (self.out(), d, d)],
            ['char %s[8] = {0};' % d, 'memcpy(%s, %s, l & 3);' % (d, b), '%s = %s[0] + %s[1];' % (self.out(), d, d)],
            ['memset(%s + 1, 7, 3);' % b, '%s = %s[0] + %s[3];' % (self.out(), b, b)], ['%s[7] = 0;' % b, 'memmove(%s + 1, %s, 3);' % (b, b),
                '%s = %s[1] * 3 + %s[2];' % (self.out(), b, b)],
            ['%s = atoi("%d") + l;' % (self.out(), r.randint(-3,
                30))], ['%s = abs(l - 3);' % self.out()], ['%s = strtol("%s", 0, %d);' % (self.out(), r.choice(['12', ' -7z', '0x1f',
                '']), r.choice([0, 10, 16]))],
            ['strcat(%s, "z");' % b, '%s = strlen(%s) * 2;' % (self.out(), b)], ['%s = strspn(%s, "ab") + strcspn(%s, "1");' % (self.out(), b, b)],
            ['%s = (char *)memchr("xyab", %s[0], 4) - 0 != 0;' % (self.out(), b)], ['strncpy(%s, "qrstu", 3);' % b,
                '%s = %s[2] + %s[3];' % (self.out(), b, b)]])

    def lifetime(self):
        """A local of a function that is given away; the function often ends with a write to it."""
        f, k = self.name('f'), self.r.random()
        target = 'p' if self.has('local') else 'tp'
        self.cost += 3
        if k < 0.45:
            end = self.r.choice(['mine = 7;', 'mine += 2;', 'o%d = 1;' % self.r.randrange(3), '%s = mine;' % self.out(), 'o0 = mine;'])
            late = ['o1 = 2;'] if self.chance(0.3) else []
            self.functions += ['void %s(int l) {' % f, '  int mine = l + 5;', '  %s = &mine;' % target] + ['  ' + x for x in late + [end]] + ['}']
            return ['%s(l);' % f]
        if self.has('threadlocal') and k < 0.6:
            return ['tp = &tl;', self.r.choice(['tl = 8;', 'tl++;', 'o0 = tl;'])]
        if k < 0.7:
            return ['%s = &own;' % target, self.r.choice(['own = 9;', 'own++;'])]
        v = self.name('q')
        return ['int *%s = %s;' % (v, target)] + self.r.choice([['if (%s) %s = *%s;' % (v, self.out(), v)], ['if (%s) *%s = 3;' % (v, v)],
            ['%s = *%s;' % (self.out(), v)]])

    def waiting(self):
        self.cost += 4
        if self.chance(0.5):
            return ['pthread_mutex_lock(&cm);', 'ready = %d;' % self.r.randint(1, 2), self.r.choice(['pthread_cond_signal(&cv);',
                'pthread_cond_broadcast(&cv);']), 'pthread_mutex_unlock(&cm);']
        return ['pthread_mutex_lock(&cm);', 'while (!ready) pthread_cond_wait(&cv, &cm);', '%s = ready + o0;' % self.out(),
            'pthread_mutex_unlock(&cm);']

    def copying(self):
        r = self.r
        self.cost += 5
        c = []
        if self.has('struct'):
            v = self.name('s')
            c += [['t = s;'], ['s = t;'], ['struct S %s = s;' % v, '%s = %s.i + %s.h;' % (self.out(), v, v)], ['struct S %s = {l, 2, 3};' % v,
                't = %s;' % v], ['s = (struct S){.i = l};']]
        if self.has('nested'):
            v = self.name('n')
            c += [['na[1] = na[0];'], ['struct N %s = na[l & 1];' % v, '%s = %s.l + %s.in.b[1];' % (self.out(), v, v)]]
        if self.has('pair'):
            c += [['%s = total(pair(l, 2));' % self.out()], ['struct P %s = pair(1, l);' % self.name('r'), 'r%d.a += l;' % self.names,
                '%s = total(r%d);' % (self.out(), self.names)]]
        return r.choice(c)

    def odd(self):
        """What is special to a feature."""
        r, c = self.r, []
        self.cost += 2
        if self.has('once'):
            c += [['pthread_once(&once, routine);']]
        if self.has('sem'):
            c += [['sem_post(&sem);'], ['sem_wait(&sem);']]
        if self.has('heap'):
            c += [['if (h) %s = *h;' % self.out()], ['*h = 2;'], ['free(h);'], ['int *%s = h;' % self.name('q'), 'free(q%d);' % self.names, 'h = 0;']]
        if self.has('table'):
            c += [['%s = table[l & 1](o0);' % self.out()], ['table[0] = twice;']]
        if self.has('static'):
            c += [['%s = count();' % self.out()]]
        if self.has('pointer'):
            c += [['q0 = l ? &pa : &pb;'], ['q0 = *qq == &pa ? &pb : &pa;'], ['%s = &a_[2] - &a_[l & 1];' % self.out()]]
        if self.has('whole'):
            w = self.name('w')
            c += [['struct W %s = aw;' % w, '%s = %s.a * 2 + %s.b;' % (self.out(), w, w)], ['struct W %s = {l, 3};' % w, 'aw = %s;' % w]] * 2
        if self.has('float'):
            c += [['gd = gd * 2 + l;'], ['%s = (long long)gd;' % self.out()], ['gf = l + 0.5f;', '%s = (long long)(gf * 4);' % self.out()]] * 2
        if self.has('constant'):
            c += [['text[l] = 1;'], ['%s = fixed[o0 & 3];' % self.out()], ['text = "z" + l;']]
        if self.has('helper'):
            c += [['set(&cell, l + 2);'], ['set(&own, 3);'], ['set(l ? &cell : &own, 4);', '%s = own;' % self.out()],
                ['o1 = get(l ? &cell : 0);']] * 2
        if self.has('leave'):
            c += [['leave(l);']] * 3 + [['int *%s = p2;' % self.name('q'), 'if (q%d) %s = *q%d;' % (self.names, self.out(), self.names)]] * 3
        if self.has('array'):
            c += [['memcpy(a, a_, sizeof a);'], ['memset(a, 0, sizeof a);'], ['memmove(a_, a, sizeof a);']]
        if self.has('struct'):
            c += [['memset(&s, 0, sizeof s);'], ['memcpy(&s, &t, sizeof s);'], ['%s = &s.i == (int *)((char *)&s + 4);' % self.out()]]
        if self.has('atomic'):
            e = self.name('e')
            c += [['int %s = atomic_load(&at);' % e, 'while (!atomic_compare_exchange_%s(&at, &%s, %s + 1)) ;' % (r.choice(['weak', 'strong']),
                e, e)]] * 2
        if self.has('mutex'):
            c += [['%s = pthread_mutex_trylock(&n);' % self.out()], ['pthread_mutex_lock(&n);']]
        if self.has('bytes'):
            c += [['memset(buf, 65, 2);'], ['%s = buf[0] * 2 + buf[1];' % self.out()]]
        c += [['l = __VERIFIER_nondet_bool();'], ['switch (l) { case 0: o0 = 1; break; case 1: %s = 4; default: o1 = 2; }' % self.out()],
              ['double %s = l / 2.0;' % self.name('d'), '%s = (long long)(d%d * 3 + 7);' % (self.out(),
                  self.names)] if not self.section else ['o0 = 1;'],
              ['if (%s) reach_error();' % self.condition()], ['while (%s) { o2 = 1; break; }' % self.condition()], ['for (int i = 0; i < 2; i++) o%d += i;' % r.randrange(3)],
              ['while (!o0) ;'], ['{ int vla[l & 1 ? 2 : 3]; vla[1] = l; %s = vla[1]; }' % self.out()], ['do l++; while (l < 3);'], ['goto out;' if self.chance(0.2) else 'l ^= 1;']]
        return r.choice(c)

    def branch(self):
        lines = ['if (%s) {' % self.condition()] + self.block(1)
        return lines + (['} else {'] + self.block(1) if self.chance(0.4) else []) + ['}']

    def statement(self, plain=False):
        kinds = [(self.assign, 5), (self.observe, 5)]
        if not plain:
            kinds += [(self.locked, 2), (self.branch, 1.5), (self.faulty, 2.2), (self.finish, 2.4), (self.library, 0.7), (self.odd, 2)]
            if self.has('atomic'):
                kinds += [(self.atomics, 4)]
            if self.has('local') or self.has('threadlocal'):
                kinds += [(self.lifetime, 7)]
            if self.has('cond'):
                kinds += [(self.waiting, 3)]
            if self.features & {'struct', 'nested', 'pair'}:
                kinds += [(self.copying, 2)]
        return self.r.choices([k for k, _ in kinds], [w for _, w in kinds])[0]()

    def block(self, n, plain=False):
        return ['  ' + l for _ in range(n) for l in self.statement(plain)]

    def body(self, most):
        """Statements of at most so many visible steps, and one more."""
        self.cost, lines = 0, []
        for _ in range(self.r.randint(1, 4)):
            if self.cost < most:
                lines += self.block(1)
        return lines

    def worker(self, w, room, creates):
        """(its lines, whether it takes an argument)"""
        r = self.r
        self.who = 1 + w
        argument = self.chance(0.2)
        lines = ['  int own = 1, l = %s;' % ('*(int *)argument' if argument else r.choice(['0', '0', '1', 'o0', 'o1']))]
        if creates:
            lines += ['  pthread_t other;', '  pthread_create(&other, 0, w0, &own);']
        lines += self.body(room) + (['  pthread_join(other, 0);'] if creates and self.chance(0.5) else [])
        return lines + ['  goto out;', 'out:', '  return %s;' % r.choice(['0', '0', '(%s)(long)l' % ('int' if self.c11 else 'void *')])], argument

    def start(self, w, argument):
        given = '&own' if argument else '0'
        return ['  thrd_create(&id[%d], w%d, %s);' % (w, w, given) if self.c11 else '  pthread_create(&id[%d], 0, w%d, %s);' % (w, w, given)]

    def join(self, w):
        keeps = self.chance(0.5)
        got = '&got' if keeps else '0'
        lines = ['  thrd_join(id[%d], %s);' % (w, got) if self.c11 else '  pthread_join(id[%d], %s);' % (w, got)]
        return lines + (['  o3 = (unsigned)(long)got + 1;'] if keeps else []) + (self.block(1) if self.chance(0.4) else [])

    def program(self):
        r = self.r
        workers = 1 if self.chance(0.55) else 2
        self.c11 = self.chance(0.1)
        nested = workers == 2 and not self.c11 and self.chance(0.25)  # the second creates the first
        room = 7 if workers == 1 else 4
        bodies = [self.worker(w, room, nested and w == 1) for w in range(workers)]
        mine = [1] if nested else range(workers)
        self.who = 0
        main = ['  int own = %d, l = 0;' % r.randrange(3), '  pthread_t id[2];', '  int got;' if self.c11 else '  void *got;']
        if self.has('sem'):
            main += ['  sem_init(&sem, 0, %d);' % r.randrange(2)]
        if self.has('heap'):
            main += ['  h = malloc(sizeof *h);', '  *h = 1;']
        main += [l for w in mine for l in self.start(w, bodies[w][1])] + self.body(room)
        main += [l for w in mine if self.chance(0.4) for l in self.join(w)]
        if self.chance(0.6):
            main += ['  ' + l for l in (self.assign() if self.chance(0.6) else self.observe())]
        main += ['  goto out;', 'out:', r.choice(['  return 0;'] * 5 + ['  exit(0);', '  pthread_exit(0);', '  return l ? 7 / (l - 1) : 0;'])]
        text = [HEAD] + ['%s o%d%s;' % (t, i, r.choice(['', '', ' = 1'])) for i, t in enumerate(self.types)]
        text += ['unsigned o3, o4, o5;', 'int ready_, a_[3];', 'int *p2;'] + [GLOBALS[f] for f in GLOBALS if f in self.features] + self.functions
        for w, (lines, _) in enumerate(bodies):
            text += ['%sw%d(void *argument) {' % ('int ' if self.c11 else 'void *', w)] + lines + ['}']
        return '\n'.join(text + ['int main(void) {'] + main + ['}', '']), [LAYOUTS[f] for f in LAYOUTS if f in self.features]


def make(seed):
    return Maker(seed).program()
