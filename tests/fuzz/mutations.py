# SPDX-License-Identifier: Apache-2.0
"""Removes the reason for an omission from a C program: each mutation changes one place, and names the kinds of omissions
(src/result/omissions.def) that it attacks. MUTATIONS has them all."""
import re

ARGS = r'\s*\(((?:[^()]|\([^()]*\))*)\)'
PAIRS = {'lock': 'unlock', 'rdlock': 'unlock', 'wrlock': 'unlock'}


def calls(text, names):
    """Statements that only call one of the functions: matches with the arguments in group 1."""
    return list(re.finditer(r'(?<![\w=(!,] )\b(?:%s)%s\s*;' % (names, ARGS), text))


def without(text, *spans):
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + ';' + text[end:]
    return text


def put(text, at, more):
    return text[:at] + more + text[at:]


def function_end(text, at):
    end = text.find('\n}', at)
    return len(text) if end < 0 else end


def bodies(text):
    """(name, start, end) of the functions' bodies."""
    for m in re.finditer(r'^(?!#|typedef|struct|union|enum)[A-Za-z_][^;{}\n]*?\b(\w+)\s*\([^;{}]*\)\s*\{', text, re.M):
        yield m.group(1), m.end(), function_end(text, m.end())


def threads(text):
    started = set(re.findall(r'(?:pthread_create|thrd_create)\s*\([^;]*?,\s*&?(?:\([^()]*\)\s*)?(\w+)\s*,\s*[^,;]*\)', text))
    started |= set(re.findall(r'thrd_create\s*\([^,;]*,\s*&?(?:\([^()]*\)\s*)?(\w+)', text))
    return [b for b in bodies(text) if b[0] in started]


def declare(text, line):
    """Puts a declaration behind the last #include."""
    includes = list(re.finditer(r'^\s*#\s*include[^\n]*\n', text, re.M))
    return put(text, includes[-1].end() if includes else 0, line + '\n')


# ---- each returns the mutants of a program ----

def drop_lock(text):
    for m in calls(text, r'(?:pthread_(?:mutex|spin|rwlock)_(?:rd|wr)?|mtx_)lock'):
        for u in calls(text, r'(?:pthread_(?:mutex|spin|rwlock)_|mtx_)unlock'):
            if m.end() <= u.start() < function_end(text, m.end()) and u.group(1) == m.group(1):
                yield without(text, m.span(), u.span())
                break


def drop_unlock(text):
    for m in calls(text, r'(?:pthread_(?:mutex|spin|rwlock)_|mtx_)unlock'):
        yield without(text, m.span())


def lock_later(text):
    """The first statement behind a lock comes before it; the last statement before an unlock comes behind it."""
    for m in calls(text, r'(?:pthread_(?:mutex|spin|rwlock)_(?:rd|wr)?|mtx_)lock'):
        n = re.compile(r'\s*[^;{}]*;').match(text, m.end())
        if n:
            yield text[:m.start()] + n.group(0).strip() + ' ' + m.group(0) + text[n.end():]
    for m in calls(text, r'(?:pthread_(?:mutex|spin|rwlock)_|mtx_)unlock'):
        before = re.search(r'[;{}]\s*([^;{}]*;)\s*$', text[:m.start()])
        if before:
            yield text[:before.start(1)] + m.group(0) + ' ' + before.group(1) + text[m.end():]


def swap_locks(text):
    found = calls(text, r'pthread_mutex_lock')
    for a, b in zip(found, found[1:]):
        if not text[a.end():b.start()].strip():
            yield text[:a.start()] + b.group(0) + text[a.end():b.start()] + a.group(0) + text[b.end():]


def other_lock(text):
    """A thread takes another lock than the others."""
    names = re.findall(r'\bpthread_mutex_t\s+(\w+)\s*=', text)
    for m in calls(text, r'pthread_mutex_lock'):
        for name in names:
            u = next((u for u in calls(text, r'pthread_mutex_unlock') if u.start() > m.end() and u.group(1) == m.group(1)), None)
            if u and m.group(1).strip() != '&' + name and u.start() < function_end(text, m.end()):
                yield text[:m.start(1)] + '&' + name + text[m.end(1):u.start(1)] + '&' + name + text[u.end(1):]


def drop_join(text):
    for m in calls(text, r'pthread_join|thrd_join'):
        yield without(text, m.span())


def join_twice(text):
    for m in calls(text, r'pthread_join|thrd_join'):
        yield put(text, m.end(), ' ' + m.group(0))
        yield put(text, m.start(), re.sub(r'(pthread|thrd)_join' + ARGS, lambda j: '%s_detach(%s)' % (j.group(1), j.group(2).split(',')[0]), m.group(0)) + ' ')


def create_twice(text):
    for m in calls(text, r'pthread_create|thrd_create'):
        yield put(text, m.start(), '{ pthread_t heddle_other; %s }\n' % re.sub(r'\(\s*[^,]*,', '(&heddle_other,', m.group(0), count=1))


def create_earlier(text):
    """What main does before it creates a thread comes behind."""
    for m in calls(text, r'pthread_create|thrd_create'):
        before = re.search(r'[;{}]\s*([^;{}]*;)\s*$', text[:m.start()])
        if before and not re.match(r'(?:return|const|struct|unsigned|int|long|char|pthread_t|static|void)\b', before.group(1)):
            yield text[:before.start(1)] + m.group(0) + ' ' + before.group(1) + text[m.end():]


def access_after_create(text):
    """Main accesses a global while the threads run."""
    for m in calls(text, r'pthread_create|thrd_create'):
        for name in globals_of(text)[:3]:
            yield put(text, m.end(), ' %s++;' % name)


def globals_of(text):
    return re.findall(r'^(?:static\s+)?(?:volatile\s+)?(?:unsigned|int|long|char|short)(?:\s+int)?\s+(\w+)\s*(?:=[^;,]*)?;', text, re.M)


PUBLISHED = 'static void *_Atomic heddle_published;'


def publish(text):
    """The address of a local, or of memory from malloc, goes to a global, through which a thread of the program writes."""
    users = threads(text)
    places = [(m.end(), '&' + m.group(1)) for m in re.finditer(r'^\s+(?:unsigned|int|long|char|short)\s+(\w+)\s*(?:=[^;,]*)?;', text, re.M)]
    places += [(m.end(), m.group(1)) for m in re.finditer(r'\b(\w+)\s*=\s*(?:\([^()]*\)\s*)?(?:malloc|calloc)%s\s*;' % ARGS, text)]
    for at, address in places:
        inside = [b for b in bodies(text) if b[1] <= at <= b[2]]
        for name, start, _ in users:
            if not inside:
                continue
            use = ' { char *heddle_p = heddle_published; if (heddle_p) *heddle_p = 1; }'
            store = ' heddle_published = (void *)%s;' % address
            changed = put(put(text, max(at, start), store if at >= start else use), min(at, start), use if at >= start else store)
            yield declare(changed, PUBLISHED)


def weaken_order(text):
    for m in re.finditer(r'\bmemory_order_(acquire|release|acq_rel|seq_cst|consume)\b|\b__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)\b', text):
        yield text[:m.start()] + ('memory_order_relaxed' if m.group(1) else '__ATOMIC_RELAXED') + text[m.end():]
    for m in re.finditer(r'\batomic_(store|load|exchange|fetch_\w+)\s*\(((?:[^()]|\([^()]*\))*)\)', text):
        if not m.group(1).endswith('_explicit'):
            yield text[:m.start()] + 'atomic_%s_explicit(%s, memory_order_relaxed)' % (m.group(1), m.group(2)) + text[m.end():]


def make_plain(text):
    for m in re.finditer(r'\b_Atomic\b(?!\s*\()\s*|\batomic_(?=int|bool|uint|long)\b', text):
        yield text[:m.start()] + text[m.end():]
    for m in re.finditer(r'\batomic_(int|uint|long)\b|\b_Atomic\s*\(([^()]*)\)', text):
        yield text[:m.start()] + {'int': 'int', 'uint': 'unsigned', 'long': 'long'}.get(m.group(1), m.group(2)) + text[m.end():]


def drop_fence(text):
    for m in calls(text, r'atomic_thread_fence|__sync_synchronize|__atomic_thread_fence'):
        yield without(text, m.span())


def drop_wait(text):
    for m in calls(text, r'sem_wait|sem_post|pthread_cond_wait|cnd_wait|pthread_barrier_wait|pthread_cond_signal|pthread_cond_broadcast'):
        yield without(text, m.span())
    for m in re.finditer(r'\bwhile%s\s*(?:;|pthread_cond_wait[^;]*;|\{\s*\})' % ARGS, text):
        yield without(text, m.span())


def drop_section(text):
    for m in calls(text, r'__VERIFIER_atomic_begin'):
        for e in calls(text, r'__VERIFIER_atomic_end'):
            if e.start() > m.end():
                yield without(text, m.span(), e.span())
                break


def other_index(text):
    for m in re.finditer(r'(?<=[\w\])])\[(\w+)\](?!\s*[=;]\s*\{)', text):
        if m.group(1) != '0' and not re.search(r'\b(?:int|char|long|unsigned|short|pthread_t|double|_t)\s+\**\w+$', text[:m.start()]):
            yield text[:m.start()] + '[0]' + text[m.end():]
            yield text[:m.start()] + '[%s + 1]' % m.group(1) + text[m.end():]


PARTS = [
    '{ int heddle_l; unsigned char heddle_b[sizeof(void *)]; void *heddle_a = &heddle_l; __builtin_memcpy(heddle_b, &heddle_a, sizeof heddle_a); if (heddle_b[1] & 32) %s; }',
    '{ int heddle_l; union { void *p; unsigned short h[4]; } heddle_u; heddle_u.p = &heddle_l; if (heddle_u.h[1] & 1) %s; }',
    '{ int heddle_l; if ((unsigned long)&heddle_l >> 13 & 1) %s; }',
    '{ void *heddle_a = __builtin_malloc(1); if ((unsigned long)heddle_a >> 14 & 1) { __builtin_free(heddle_a); %s; } else __builtin_free(heddle_a); }',
]


def part_of_address(text):
    """A failure depends on a bit of an address."""
    for name, start, _ in bodies(text):
        for part in PARTS if name == 'main' else PARTS[:1]:
            yield declare(put(text, start, ' ' + part % '__assert_fail("bit", "", 1, "")'), 'extern void __assert_fail(const char *, const char *, unsigned, const char *);')


def drop_condition(text):
    for m in re.finditer(r'\bif%s' % ARGS, text):
        yield text[:m.start(1)] + '1' + text[m.end(1):]
    for m in re.finditer(r'&&[^&|;(){}]*', text):
        yield text[:m.start()] + text[m.end():]


def drop_assumption(text):
    for m in calls(text, r'__VERIFIER_assume|assume_abort_if_not|__builtin_assume'):
        yield without(text, m.span())


def drop_assignment(text):
    for m in re.finditer(r'(?<=[;{}\n])\s*[\w*.>\[\]-]+\s*(?:[-+*|&^]?=(?!=)[^;{}]*|\+\+|--);', text):
        if not re.match(r'\s*(?:return|int|unsigned|char)\b', m.group(0)):
            yield without(text, m.span())


def other_number(text):
    for m in re.finditer(r'(?<![\w.#"\'])(\d+)(?![\w.*"\'])(?=[^\n"]*(?:;|\)|\{))', text):
        line = text[text.rfind('\n', 0, m.start()) + 1:m.start()]
        if not line.lstrip().startswith(('#', '//', '*')):
            yield text[:m.start()] + str(int(m.group(1)) + 1) + text[m.end():]


def negate_assertion(text):
    for m in calls(text, r'assert|__VERIFIER_assert'):
        yield text[:m.start(1)] + '!(' + m.group(1) + ')' + text[m.end(1):]


def other_comparison(text):
    for m in re.finditer(r'(?<=[\w\])]) (<=|>=|<|>|==|!=) (?=[\w(-])', text):
        other = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}[m.group(1)]
        yield text[:m.start(1)] + other + text[m.end(1):]


def drop_free(text):
    for m in calls(text, 'free'):
        yield without(text, m.span())
        yield put(text, m.end(), ' ' + m.group(0))
        yield put(text, m.end(), ' *(volatile char *)(%s);' % m.group(1))


def other_type(text):
    for old, new in (('unsigned', 'signed'), ('long', 'int'), ('int', 'unsigned'), ('int', 'signed char')):
        for m in re.finditer(r'^(\s*(?:static\s+)?)%s(?=\s+\w+\s*[=;,])' % old, text, re.M):
            yield text[:m.end(1)] + new + text[m.end():]


def other_mutex(text):
    for m in re.finditer(r'PTHREAD_MUTEX_(RECURSIVE|ERRORCHECK|NORMAL|DEFAULT)\b|PTHREAD_(?:RECURSIVE|ERRORCHECK)_MUTEX_INITIALIZER_NP', text):
        for kind in ('RECURSIVE', 'ERRORCHECK', 'NORMAL'):
            if m.group(1) and kind != m.group(1):
                yield text[:m.start()] + 'PTHREAD_MUTEX_' + kind + text[m.end():]
        if not m.group(1):
            yield text[:m.start()] + 'PTHREAD_MUTEX_INITIALIZER' + text[m.end():]


def write_constant(text):
    """A local that is const is written all the same."""
    for m in re.finditer(r'^(\s+)const\s+(\w+)\s+(\w+)\s*=[^;,]*;', text, re.M):
        yield put(text, m.end(), ' *(volatile %s *)&%s = 0;' % (m.group(2), m.group(3)))


def leave_block(text):
    """The address of a local is used behind its block."""
    for name, start, _ in bodies(text):
        for m in list(re.finditer(r'^ {4}(\w+\s*[-+]?=[^;{}]*;|\w+\+\+;)$', text[start:function_end(text, start)], re.M))[:3]:
            yield put(text, start + m.end(), ' { volatile int *heddle_q; { volatile int heddle_l = 1; heddle_q = &heddle_l; } *heddle_q; }')


def repeat(text):
    """A thread does what it does twice."""
    for name, start, end in threads(text):
        body = text[start:end]
        if not re.search(r'\breturn\b(?![^;]*;\s*$)|\b\w+:', body) and 'return' in body:
            inner, last = body.rsplit('return', 1)
            yield text[:start] + ' for (int heddle_i = 0; heddle_i < 2; heddle_i++) {' + inner + '}\n    return' + last + text[end:]


def print_shared(text):
    """A library function reads what threads write."""
    for name, start, _ in threads(text):
        for variable in globals_of(text)[:2]:
            yield declare(put(text, start, ' char heddle_t[40]; __builtin_snprintf(heddle_t, 40, "%.*s", 1, (char *)&{0});'.replace('{0}', variable)), '')


RACES = ('RACE_PAIRS', 'INTERLEAVINGS', 'PREEMPTIONS', 'WEAK_ATOMICS', 'WEAK_ORDERS')
ORDER = ('INTERLEAVINGS', 'PREEMPTIONS', 'PREEMPTIONS_OF_SECTIONS', 'FINAL_VALUES', 'EXCLUDED_ERRORS', 'GRAPHS', 'EQUAL_STATES')
VALUES = ('CONSTANTS', 'CONSTANTS_AGAIN', 'BRANCHES', 'DEAD_CODE', 'DEAD_CODE_AGAIN', 'INPUTS', 'EXCLUDED_ERRORS', 'TAILS', 'STUCK_STEPS', 'SUBSUMED', 'SIGNS_OF_CONDITIONS', 'STUTTERS', 'FINAL_VALUES', 'FOCUS',
          'ASSERTIONS', 'FAULTS_AND_END', 'FAULTS_AND_END_BITS')
MUTATIONS = {
    drop_lock: RACES + ORDER + ('PROMOTE_AGAIN',),
    drop_unlock: ('LOCK_ERRORS', 'FOCUS', 'TAILS', 'INTERLEAVINGS', 'FRONT_SECTIONS'),
    lock_later: RACES + ORDER,
    swap_locks: ('INTERLEAVINGS', 'FOCUS', 'PREEMPTIONS', 'TAILS'),
    other_lock: RACES + ORDER,
    drop_join: RACES + ORDER + ('FRONT_JOINS', 'FRONT_LIVES'),
    join_twice: ('FRONT_JOINS',),
    create_twice: RACES + ('THREADS', 'TEMPLATES', 'FRONT_CREATIONS', 'PERMUTATIONS', 'ROUNDS_OF_CREATION', 'FRONT_JOINS', 'FINAL_VALUES'),
    create_earlier: RACES + ('FINAL_VALUES', 'FRONT_READS', 'CONSTANTS'),
    access_after_create: RACES + ('FRONT_READS', 'FINAL_VALUES'),
    publish: ('FRONT_ESCAPE', 'PROMOTE', 'PROMOTE_AGAIN', 'RACE_PAIRS', 'DELAYS', 'SHORT_DELAYS', 'FRONT_LIVES', 'WILD_ADDRESSES', 'INTERLEAVINGS', 'DEAD_CODE'),
    weaken_order: ('RACE_PAIRS', 'WEAK_ATOMICS', 'WEAK_ORDERS', 'DELAYS', 'SHORT_DELAYS', 'ROBUSTNESS', 'GRAPHS', 'EQUAL_STATES'),
    make_plain: RACES + ('DELAYS', 'SHORT_DELAYS', 'ROBUSTNESS'),
    drop_fence: ('DELAYS', 'SHORT_DELAYS', 'ROBUSTNESS', 'WEAK_ATOMICS', 'WEAK_ORDERS', 'GRAPHS'),
    drop_wait: RACES + ORDER + ('FRONT_SECTIONS',),
    drop_section: ('PREEMPTIONS_OF_SECTIONS', 'FRONT_SECTIONS') + RACES,
    other_index: ('RACE_PAIRS', 'WILD_ADDRESSES', 'EXCLUDED_ERRORS', 'FRONT_JOINS', 'PROMOTE'),
    part_of_address: ('WILD_ADDRESSES', 'SUBSUMED', 'INPUTS', 'CONSTANTS'),
    drop_condition: VALUES,
    drop_assumption: VALUES,
    drop_assignment: VALUES,
    other_number: VALUES + ('THREADS', 'ROUNDS_OF_LOOPS'),
    negate_assertion: VALUES + ORDER,
    other_comparison: VALUES + ('FRONT_JOINS',),
    drop_free: ('FOCUS', 'DEAD_CODE', 'FRONT_PURE', 'FRONT_LIVES', 'WILD_ADDRESSES'),
    other_type: ('SIGNS_OF_CONDITIONS',) + VALUES,
    other_mutex: ('MUTEX_KINDS', 'LOCK_ERRORS'),
    write_constant: ('FRONT_CONST',),
    leave_block: ('FRONT_LIVES', 'FRONT_ESCAPE'),
    repeat: RACES + ('THREADS', 'FINAL_VALUES', 'FRONT_JOINS', 'INTERLEAVINGS'),
    print_shared: ('FRONT_READS', 'FRONT_PURE'),
}


def mutants(text, kinds=None):
    """(mutation, mutant) for each change of the program; kinds: only by mutations that attack one of these."""
    for mutation, attacked in MUTATIONS.items():
        if kinds and not set(kinds) & set(attacked):
            continue
        for mutant in dict.fromkeys(mutation(text)):
            if mutant != text:
                yield mutation.__name__, mutant
