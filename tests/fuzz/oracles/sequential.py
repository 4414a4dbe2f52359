# SPDX-License-Identifier: Apache-2.0
"""Random expressions of C: what they are is found by running them, compiled, with all their inputs. What may be undefined goes through macros:
natively they notice it (fault), and the input is not judged; for Heddle they are C's operators."""
import os, subprocess

PLAIN = '''#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define REM(a, b) ((a) % (b))
#define SHL(a, b) ((a) << (b))
#define SHR(a, b) ((a) >> (b))
#define INT(a) ((int)(a))
#define LONG(a) ((long)(a))
#define UNSIGNED(a) ((unsigned)(a))
'''
WATCHED = '''#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf fault;
#define BITS(a) ((int)sizeof(a) * 8)
#define SAFELY(name, a, b) ({ __typeof__((a) + (b)) r_; if (__builtin_##name##_overflow(a, b, &r_) && is_signed(r_)) longjmp(fault, 1); r_; })
#define is_signed(a) ((__typeof__(a))-1 < 0)
#define ADD(a, b) SAFELY(add, a, b)
#define SUB(a, b) SAFELY(sub, a, b)
#define MUL(a, b) SAFELY(mul, a, b)
#define CHECKED(a, b, op) ({ __typeof__((a) + (b)) a_ = (a), b_ = (b); if (!b_ || (is_signed(a_) && b_ == (__typeof__(a_))-1 && a_ == (__typeof__(a_))((__typeof__(a_))1 << (BITS(a_) - 1)))) longjmp(fault, 1); a_ op b_; })
#define DIV(a, b) CHECKED(a, b, /)
#define REM(a, b) CHECKED(a, b, %)
#define SHIFTED(a, b, op) ({ __typeof__(+(a)) a_ = (a); long b_ = (long)(b); if (b_ < 0 || b_ >= BITS(a_)) longjmp(fault, 1); a_ op b_; })
#define SHL(a, b) SHIFTED(a, b, <<)
#define SHR(a, b) SHIFTED(a, b, >>)
#define WITHIN(type, a, lo, hi) ({ long double f_ = (a); if (!(f_ > (lo) - 1.0L && f_ < (hi) + 1.0L)) longjmp(fault, 1); (type)(a); })
#define INT(a) WITHIN(int, a, -2147483648.0L, 2147483647.0L)
#define LONG(a) WITHIN(long, a, -9223372036854775808.0L, 9223372036854775807.0L)
#define UNSIGNED(a) WITHIN(unsigned, a, 0.0L, 4294967295.0L)
'''
DECLARATIONS = '''#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
'''


def native(folder, text, compiler=('gcc', '-w', '-O1', '-fwrapv')):
    """The lines that the program prints."""
    path = os.path.join(folder, 'native')
    with open(path + '.c', 'w') as f:
        f.write(WATCHED + text)
    subprocess.run([*compiler, '-o', path, path + '.c'], check=True)
    return subprocess.run([path], capture_output=True, text=True, check=True).stdout.splitlines()


# ---- integers: one expression of a byte without and one with sign ----

UNSIGNED = ['unsigned', 'unsigned long']
NARROW = ['unsigned char', 'unsigned short', 'unsigned', 'unsigned long', 'signed char', 'short', 'int', 'long']
BITS = {'unsigned': 32, 'unsigned long': 64}


class Expression:
    def __init__(self, r):
        self.r = r
        if r.random() < .6:
            self.type = r.choice(UNSIGNED)
            self.text = self.unsigned(self.type, r.choice([2, 3, 3, 4]))
        else:
            self.type, self.text = 'int', self.signed(r.choice([2, 3, 3]))

    def leaf(self):
        k = self.r.random()
        return 'a' if k < .45 else 'b' if k < .9 else '%du' % self.r.choice([0, 1, 3, 12, 255, 1 << self.r.randrange(32), self.r.getrandbits(32)])

    def unsigned(self, t, d):
        r, k = self.r, self.r.random()
        if d <= 0 or r.random() < .1:
            return '(%s)%s' % (t, self.leaf())
        if k < .42:
            return '(%s %s %s)' % (self.unsigned(t, d - 1), r.choice('+-*+-'), self.unsigned(t, d - 1))
        if k < .56:
            ones = (1 << BITS[t]) - 1
            mask = r.choice([(1 << r.randint(1, 8)) - 1, ones ^ ((1 << r.randint(1, 6)) - 1), ones ^ ((1 << r.randint(1, 6)) - 1), r.randrange(256)])
            return '(%s & (%s)%dul)' % (self.unsigned(t, d - 1), t, mask)
        if k < .60:
            return '(~%s)' % self.unsigned(t, d - 1)
        if k < .72:
            return '(%s %s %d)' % (self.unsigned(t, d - 1), r.choice(['<<', '>>']), r.randrange(BITS[t]))
        if k < .80:
            return '(%s %s %du)' % (self.unsigned(t, d - 1), r.choice('/%'), r.randint(1, 20))
        if k < .84:
            return '%s(%s, %s)' % (r.choice(['DIV', 'REM']), self.unsigned(t, d - 1), self.unsigned(t, d - 1))
        if k < .90:
            return '(%s ? %s : %s)' % (self.condition(d - 1), self.unsigned(t, d - 1), self.unsigned(t, d - 1))
        return '(%s)(%s)%s' % (t, r.choice(NARROW), self.unsigned(r.choice(UNSIGNED), d - 1)) if r.random() < .6 else '(%s)%s' % (t, self.signed(d - 1))

    def signed(self, d):
        r, k = self.r, self.r.random()
        if d <= 0:
            return '(int)(signed char)(%s)' % self.leaf()
        if k < .35:
            return '%s(%s, %s)' % (r.choice(['ADD', 'SUB', 'MUL']), self.signed(d - 1), self.signed(d - 1))
        if k < .5:
            return '%s(%s, %s)' % (r.choice(['DIV', 'REM']), self.signed(d - 1), r.choice(['2', '3', '8', '-3', '-4', self.signed(d - 1)]))
        if k < .6:
            return 'SHR(%s, %s)' % (self.signed(d - 1), r.choice(['%d' % r.randrange(32), self.signed(d - 1)]))
        if k < .8:
            return '(int)%s' % self.unsigned('unsigned', d - 1)
        return '(%s ? %s : %s)' % (self.condition(d - 1), self.signed(d - 1), self.signed(d - 1))

    def condition(self, d):
        compare = self.r.choice(['<', '<=', '==', '!=', '>'])
        if self.r.random() < .5:
            t = self.r.choice(UNSIGNED)
            return '(%s %s %s)' % (self.unsigned(t, d), compare, self.unsigned(t, d))
        return '(%s %s %s)' % (self.signed(d), compare, self.signed(d))


MEASURE = '''static int signed_order(const void *x, const void *y) { long a = *(long *)x, b = *(long *)y; return a < b ? -1 : a > b; }
static int unsigned_order(const void *x, const void *y) { unsigned long a = *(unsigned long *)x, b = *(unsigned long *)y; return a < b ? -1 : a > b; }
static long v[65536];
static void measure(int i, volatile int n, int is_signed) {
    long rare = 0;
    qsort(v, n, 8, is_signed ? signed_order : unsigned_order);
    for (int p = 0, q, least = 65537; p < n; p = q) {
        for (q = p; q < n && v[q] == v[p]; q++) ;
        if (q - p < least) least = q - p, rare = v[p];
    }
    printf("%d %d %ld %ld %ld\\n", i, n, n ? v[0] : 0, n ? v[n - 1] : 0, rare);
}
'''


def literal(t, v):
    return '%dul' % (v % (1 << BITS[t])) if t in BITS else '(%dl)' % v


def integers(r, folder):
    """Assertions about the least, greatest and rarest value of an expression."""
    expressions = [Expression(r) for _ in range(40)]
    text = ''.join('static %s f%d(unsigned char a, signed char b) { return %s; }\n' % (e.type, i, e.text) for i, e in enumerate(expressions)) + MEASURE
    text += 'int main(void) {\n'
    for i, e in enumerate(expressions):
        text += '{ volatile int n = 0; for (volatile int a = 0; a < 256; a++) for (volatile int b = -128; b < 128; b++) if (!setjmp(fault)) { long r = (long)f%d(a, b); v[n++] = r; } measure(%d, n, %d); }\n' % (i, i, e.type == 'int')
    for line in native(folder, text + '}\n'):
        i, n, lo, hi, rare = map(int, line.split())
        e = expressions[i]
        lo, hi, rare = (literal(e.type, x) for x in (lo, hi, rare))
        if not n:
            cases = [('SAFE', '0 * r != 0')]
        else:
            cases = [('SAFE', 'r >= %s && r <= %s' % (lo, hi)), ('UNSAFE', 'r != %s' % rare)]
            if lo != hi:
                cases.append(('UNSAFE', r.choice(['r < %s' % hi, 'r > %s' % lo])))
        for truth, condition in cases:
            assign = 'seen = r; ' if r.random() < .3 else ''
            body = '%s r = %s; %sassert(%s);' % (e.type, e.text, assign, condition)
            if r.random() < .5:
                body = 'assert(%s);' % condition.replace('r ', '(%s) ' % e.text)
            yield truth, DECLARATIONS + PLAIN + 'volatile long seen;\nint main(void) {\n  unsigned char a = __VERIFIER_nondet_uchar();\n  signed char b = __VERIFIER_nondet_char();\n  %s\n}\n' % body


# ---- offsets: where a write goes ----

ARRAYS = 'struct element { int x; char y; short z; int w; };\nstatic int words[8];\nstatic char bytes[32];\nstatic struct element elements[4];\n'


class Offset(Expression):
    """A write to an element that is computed, in bounds, perhaps by arithmetic that wraps around; and a look at another."""

    def __init__(self, r):
        self.r = r
        t = r.choice(UNSIGNED)
        factor = r.choice([1, 1, 2, 3, 3, 4, 6, 12, 1 << 30, 0xAAAAAAAB, 0x55555556] + ([1 << 62, 0xAAAAAAAAAAAAAAAB] if t == 'unsigned long' else []))
        start = r.choice(['a', 'b', '(%s)a' % t, '(%s)b' % t, self.unsigned(t, 1), self.unsigned(t, 2)])
        index = '((%s)(%s) * %du%s%s)' % (t, start, factor, 'l' if t == 'unsigned long' else '', r.choice(['', '', ' + 1u', ' - 2u']))
        signed = '((int)(signed char)(%s) * %d)' % (self.leaf(), r.choice([1, 2, 4, 4]))
        at = r.randrange(8)
        self.body, self.seen = r.choice([
            ('if ({i} < 8) words[{i}] = 1;', 'words[%d] != 0' % at),
            ('if ({i} < 29 && {i} % 4 == 0) *(int *)((char *)words + {i}) = 1;', 'words[%d] != 0' % at),
            ('if ({i} < 32) bytes[{i}] = 1;', 'bytes[%d] != 0' % (at * 4 + r.randrange(4))),
            ('if ({i} < 32) { char *p = bytes; p += {i}; *p = 1; }', 'bytes[%d] != 0' % (at * 4)),
            ('if ({i} < 4) elements[{i}].w = 1;', 'elements[%d].%s != 0' % (at % 4, r.choice('wxz'))),
            ('if ({i} < 4) { struct element *p = elements; p += {i}; p->x = 1; }', 'elements[%d].%s != 0' % (at % 4, r.choice('wx'))),
            ('if ({s} >= -4 && {s} < 4) { int *p = words + 4; p += {s}; *p = 1; }', 'words[%d] != 0' % at),
            ('if ({s} >= -16 && {s} < 16 && {s} % 4 == 0) *(int *)((char *)words + {s} + 16) = 1;', 'words[%d] != 0' % at),
            ('if ({s} >= -16 && {s} < 16 && {s} % 4 == 0) *(int *)((char *)words + ({s} + 16)) = 1;', 'words[%d] != 0' % at),
            ('if ({s} >= -16 && {s} < 16) bytes[{s} + 16] = 1;', 'bytes[%d] != 0' % (at * 4))])
        self.body = self.body.replace('{i}', index).replace('{s}', signed)
        if r.random() < .5:
            self.seen += ' && ' + r.choice(['a != 0', 'a > 3', 'b < 0', 'b != 1'])


def offsets(r, folder):
    """Can the element be hit?"""
    programs = [Offset(r) for _ in range(40)]
    text = ARRAYS
    for i, p in enumerate(programs):
        text += 'static int f%d(unsigned char a, signed char b) { memset(words, 0, sizeof words); memset(bytes, 0, sizeof bytes); memset(elements, 0, sizeof elements); %s return %s; }\n' % (i, p.body, p.seen)
    text += 'int main(void) {\n'
    for i, p in enumerate(programs):
        text += '{ volatile int n = 0; for (volatile int a = 0; a < 256; a++) for (volatile int b = -128; b < 128; b++) if (!setjmp(fault)) { int h = f%d(a, b); n = n + h; } printf("%%d\\n", n); }\n' % i
    for p, line in zip(programs, native(folder, text + '}\n', ('gcc', '-w', '-O1', '-fwrapv', '-fno-strict-aliasing'))):
        source = DECLARATIONS + PLAIN + ARRAYS + 'int main(void) {\n  unsigned char a = __VERIFIER_nondet_uchar();\n  signed char b = __VERIFIER_nondet_char();\n  %s\n  assert(!(%s));\n  return 0;\n}\n' % (p.body, p.seen)
        yield 'UNSAFE' if int(line) else 'SAFE', source


# ---- inputs: a few statements with one input of 16 bits ----

INPUT_TYPES = ['short', 'unsigned short', 'int', 'unsigned', 'long', 'unsigned long', 'signed char', 'unsigned char']
CONSTANTS = [0, 1, 2, 5, -1, -2, -5, 100, 127, 128, 255, 256, -128, -129, 32767, -32768, 32766, 65535, 65536, 40000, -40000]


class Steps:
    def __init__(self, r):
        self.r, self.type, self.names, self.out = r, r.choice(['short', 'unsigned short']), ['x'], []
        style = r.choice(['copies', 'remainders', 'mixed'])
        for i in range(r.randint(1, 4)):
            self.statement('v%d' % i, style)
        conditions = [self.condition(style) for _ in range(r.randint(1, 4))]
        if r.random() < .5 and len(conditions) > 1:
            self.out.append('if (!(%s)) %s' % (conditions.pop(), r.choice(['END(return 0);', 'END(exit(0));', 'END(abort());', 'END(__VERIFIER_assume(0));'])))
        self.bad = r.choice([' && ', ' || ']).join(conditions)

    def value(self, style):
        r, s = self.r, self.r.choice(self.names)
        k = r.random()
        if style != 'copies' and k < .45:
            return '%s %% %s' % (s, r.choice(['2', '3', '7', '10', '64u', '100', '127', '200', '255u', '1000']))
        if style == 'mixed' and k < .65:
            return '%s %s %d' % (s, r.choice('+-*/&|^'), r.choice([1, 2, 3, 7, 15, 255]))
        if style == 'mixed' and k < .8:
            return '%s((int)(short)%s, (int)(short)%s)' % (r.choice(['DIV', 'REM']), s, r.choice(self.names))
        return '(%s)%s' % (r.choice(INPUT_TYPES), s) if r.random() < .5 else s

    def statement(self, name, style):
        r, t, e = self.r, self.r.choice(INPUT_TYPES), self.value(style)
        k = r.random()
        if k < .25:
            at = r.randrange(3)
            self.out += ['array[%d] = %s;' % (at, e), '%s %s = array[%d];' % (t, name, at)]
        elif k < .4:
            self.out += ['global = %s;' % e, '%s %s = global;' % (t, name)]
        else:
            self.out.append('%s %s = %s;' % (t, name, e))
        self.names.append(name)

    def condition(self, style):
        r, left = self.r, self.r.choice(self.names)
        c = r.choice(CONSTANTS + [r.randint(-40000, 70000), r.randint(-20, 20)])
        right = r.choice(self.names) if r.random() < .15 else '(%d)' % c if r.random() < .7 else '%du' % abs(c)
        left = '%s %% %d' % (left, r.choice([3, 4, 7, 10])) if style == 'remainders' and r.random() < .5 else left
        return '%s %s %s' % (left, r.choice(['<', '<=', '>', '>=', '==', '!=']), right)


def inputs(r, folder):
    """Is there an input with which a condition holds?"""
    programs = [Steps(r) for _ in range(40)]
    text = '#define END(how) return 0\nstatic long array[3], global;\n'
    text += ''.join('static int f%d(%s x) { %s return !!(%s); }\n' % (i, p.type, ' '.join(p.out), p.bad) for i, p in enumerate(programs)) + 'int main(void) {\n'
    for i, p in enumerate(programs):
        text += '{ volatile int bad = 0; for (volatile int k = 0; k < 65536; k++) if (!setjmp(fault)) { int b = f%d((%s)k); bad = bad + b; } printf("%%d\\n", bad); }\n' % (i, p.type)
    for p, line in zip(programs, native(folder, text + '}\n')):
        source = DECLARATIONS + PLAIN + '#define END(how) how\nextern void __VERIFIER_assume(int);\nlong array[3], global;\nint main(void) {\n'
        source += '  %s x = __VERIFIER_nondet_%s();\n  %s\n' % (p.type, 'short' if p.type == 'short' else 'ushort', '\n  '.join(p.out))
        yield 'UNSAFE' if int(line) else 'SAFE', source + '  assert(!(%s));\n  return 0;\n}\n' % p.bad


# ---- floats: bit by bit ----

FLOATS = ['0.1', '1.5', '-2.25', '3.0', '1e10', '-1e-5', '7.0', '0.3333', '123456.789', '1e-30', '-0.0', '16777217.0', '0.5', '9007199254740993.0', '1e300']


class Floats:
    def __init__(self, r):
        self.r = r

    def expression(self, d):
        r, k = self.r, self.r.random()
        if d == 0: # integers come as floats: their arithmetic is not meant
            return r.choice('abcde') if r.random() < .6 else '((%s)%s)' % (r.choice(['float', 'double', 'long double']), r.choice('ijku'))
        if k < .5:
            return '(%s %s %s)' % (self.expression(d - 1), r.choice('+-*/'), self.expression(d - 1)) if r.random() < .8 else '(-%s)' % self.expression(d - 1)
        if k < .7:
            return '((%s)%s)' % (r.choice(['float', 'double', 'long double']), self.expression(d - 1))
        if k < .8:
            return '((double)%s((double)%s))' % (r.choice(['INT', 'LONG', 'UNSIGNED']), self.expression(d - 1))
        if k < .9:
            return '(%s %s %s ? %s : %s)' % (self.expression(d - 1), r.choice(['<', '<=', '==', '!=']), self.expression(d - 1), self.expression(d - 1), self.expression(d - 1))
        return '((double)%s)' % self.expression(d - 1)

    def variables(self):
        f = [self.r.choice(FLOATS) for _ in range(5)]
        i, j, k, u = self.r.choice([1, -3, 7, 16777217, 2147483647]), self.r.choice([1, -3, 9007199254740993, -2**62]), self.r.choice([1, 3, 4294967295]), self.r.choice([1, 3, 2**63, 2**64 - 1])
        return ('volatile float a = %s, e = %s; volatile double b = %s, d = %s; volatile long double c = %sL;\n' % (*f[:4], f[4]) +
                'volatile int i = %d; volatile long j = %d; volatile unsigned k = %du; volatile unsigned long u = %dul;\n' % (i, j, k, u))


def floats(r, folder):
    """Is each expression what it is natively? Or, one bit flipped, is it noticed?"""
    maker = Floats(r)
    variables, expressions = maker.variables(), [maker.expression(r.choice([1, 2, 3])) for _ in range(6)]
    types = [r.choice(['float', 'double']) for _ in expressions]
    compute = '{ %s r = (%s)%s; unsigned long w = 0; memcpy(&w, &r, sizeof r); '
    text = variables + 'int main(void) {\n'
    for e, t in zip(expressions, types):
        text += 'if (setjmp(fault)) { puts("fault 0"); return 0; }\n' + compute % (t, t, e) + 'printf("%lx %d\\n", w, r != r); }\n'
    seen = [line.split() for line in native(folder, text + '}\n', ('clang-19', '-w', '-O0', '-ffp-contract=off'))]
    flipped, truth = r.choice([None] + list(range(len(expressions)))), 'SAFE'
    source = DECLARATIONS + PLAIN + variables + 'int main(void) {\n'
    for n, (e, t) in enumerate(zip(expressions, types)):
        bits, nan = seen[n] if n < len(seen) else ('fault', '0')
        if bits == 'fault':
            source += compute % (t, t, e) + '(void)w; }\n  assert(0);\n' # … which is not reached
            break
        if nan == '1':
            source += compute % (t, t, e) + 'assert(r != r); }\n'
            continue
        wrong = n == flipped
        truth = 'UNSAFE' if wrong else truth
        source += compute % (t, t, e) + 'assert(w == 0x%xul); }\n' % (int(bits, 16) ^ (1 << r.randrange(32) if wrong else 0))
    yield truth, source + '}\n'
