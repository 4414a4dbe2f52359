# SPDX-License-Identifier: Apache-2.0
"""Runs C programs natively with sanitizers, random inputs and random delays (fuzz/native/sanitized.c), and says which properties the runs violate.

What a run shows is a fact about one execution under sequential consistency: the program has no optimisations, and where weak memory
could matter, it runs on one processor."""
import os, re, resource, signal, subprocess, time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLANG = ['clang-19', '-g', '-O0', '-w', '-fsanitize-coverage=trace-pc-guard,trace-loads,trace-stores']
VARIANTS = {
    'plain': [],
    'thread': ['-fsanitize=thread'],
    'address': ['-fsanitize=address,undefined', '-fno-sanitize=alignment,function,vptr,nonnull-attribute', '-fsanitize-address-use-after-return=always'],
}
DEREF, FREE, TRACK, CLEANUP = 'valid-deref', 'valid-free', 'valid-memtrack', 'valid-memcleanup'
MEMORY = {DEREF, FREE, TRACK}
# Which variants can show that a property is violated.
SHOWN_BY = {'unreach-call': ['plain'], 'no-deadlock': ['plain'], 'termination': ['plain'], 'no-data-race': ['thread'], 'no-overflow': ['address'],
            DEREF: ['address', 'thread'], FREE: ['address'], TRACK: ['address'], CLEANUP: ['address']}
# What the sanitizers report, and the property that this violates.
REPORTS = [
    (None, r'ERROR: AddressSanitizer: [a-z-]*param-overlap[^\n]*'),  # undefined, and no violation of a property
    ('no-data-race', r'WARNING: ThreadSanitizer: data race[^\n]*'),
    (DEREF, r'WARNING: ThreadSanitizer: (?:unlock of an unlocked mutex|double lock of a mutex|destroy of a locked mutex|use of an invalid mutex|mutex is already destroyed)[^\n]*'),
    (FREE, r'ERROR: AddressSanitizer: (?:attempting double-free|attempting free)[^\n]*'),
    (DEREF, r'ERROR: AddressSanitizer: (?:[a-z-]*(?:overflow|underflow|after-free|after-return|after-scope|poison)|SEGV|BUS)(?<!stack-overflow)[^\n]*'),
    ('no-overflow', r'ERROR: AddressSanitizer: FPE[^\n]*'),
    (TRACK, r'ERROR: LeakSanitizer: detected memory leaks'),
    ('no-overflow', r'[^\n]*runtime error: (?:signed integer overflow|negation of|division by zero|shift exponent|left shift of)[^\n]*'),
    (DEREF, r'[^\n]*runtime error: (?:[a-z ]*null pointer|index \S+ out of bounds|[a-z ]*with insufficient space|variable length array)[^\n]*'),
]
LATER = {'unreach-call', 'no-data-race', 'no-deadlock', 'termination'}  # undefined behaviour before them ends the execution that counts
FAILED_ASSERTION = 97
LIMIT = 10  # seconds for a run that must end
PATIENCE = 1.5  # seconds for a run that need not end

# Programs that are run, and whose reports do not contradict: path, property, why.
UNDEFINED = 'undefined behaviour comes before the violation'
FENCES = 'ThreadSanitizer does not know fences'
BARRIERS = 'ThreadSanitizer wants an order between the leaving of a barrier and its end'
CHECKED = 'ThreadSanitizer does not know that some mutexes check who unlocks them'
FALSE_ALARMS = {
    ('races/race_fences.c', 'no-data-race'): FENCES,
    ('weak/c11_race_fences.c', 'no-data-race'): FENCES,
    ('weak/c11_message_fences.c', 'no-data-race'): FENCES,
    ('weak/c11_spin_fence.c', 'no-data-race'): FENCES,
    ('races/exchange_fails_reads.c', 'no-data-race'): 'ThreadSanitizer takes a compare-exchange that fails for a write',
    ('races/race_barrier_destroyed_by_last.c', 'no-data-race'): BARRIERS,
    ('misuse/barrier_destroyed_by_last.c', 'no-data-race'): BARRIERS,
    ('memory/leak_tagged_pointer.c', 'valid-memtrack'): 'LeakSanitizer does not follow a pointer with a mark in its lowest bit',
    ('memory/mutex_unlock_checked.c', 'valid-deref'): CHECKED,
    ('library/mutex_errorcheck.c', 'valid-deref'): CHECKED,
    ('library/mutex_recursive.c', 'valid-deref'): CHECKED,
    ('library/flockfile_recursive.c', 'no-data-race'): 'ThreadSanitizer does not know the locks of streams',
    ('races/race_mutex_as_rwlock.c', 'no-deadlock'): 'the library does not define what a mutex is that is taken for a read-write lock',
    ('library/character_out_of_range.c', 'unreach-call'): UNDEFINED,
    ('front/block_left.c', 'unreach-call'): UNDEFINED,
    ('front/assumed_by_builtin.c', 'unreach-call'): UNDEFINED,
    ('front/arguments_too_few.c', 'unreach-call'): UNDEFINED,
}
# Why a program is not run, by its flags or its text.
FLAGS = [
    ('ILP32', 'a native program has 64 bits here'),
    ('--unwind', 'the SAFE is about a few rounds of loops'),
    ('--zero-memory', 'the SAFE assumes that memory is zero at first'),
    ('--pure', 'a function has no body'),
    ('--undefined', 'a function has no body'),
]
TEXTS = [
    (r'\b__VERIFIER_atomic_(?!begin|end)\w+', 'a section excludes only other sections natively'),
    (r'\b(?:fork|exec[lv]p?e?)\s*\(', 'it starts processes'),
]


def left_out(expect, flags, text, properties):
    """Why a program with these flags and this text is not run, or ''."""
    for flag, why in FLAGS:
        if flag in flags:
            return why
    if 'undefined behaviour' in expect:
        return UNDEFINED
    for pattern, why in TEXTS:
        if re.search(pattern, text):
            return why
    if '__VERIFIER_atomic_begin' in text and properties != {'no-data-race'}:
        return TEXTS[0][1]
    if re.search(r'\breach_error\s*\([^;{]*\)\s*\{', text):
        return 'it has its own reach_error'
    return ''


def parts(properties):
    """The properties, with the parts of those that have parts."""
    return {p for q in properties for p in (MEMORY if q == 'valid-memsafety' else {q})}


def call(command, seconds, env=None, cwd=None):
    """The exit code, the output, and what the threads did when the time was up: None, 'waiting' or 'busy'."""
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, cwd=cwd,
                         start_new_session=True, preexec_fn=limit)
    state = None
    try:
        out = p.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        state = 'waiting' if all_wait(p.pid) else 'busy'
        os.killpg(p.pid, signal.SIGKILL)
        out = p.communicate()[0]
    return p.returncode, out.decode(errors='replace'), state


def limit():
    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))  # the shadows of sanitizers are large
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))


FUTEX = '202'


def ticks(pid):
    """The processor time of each thread, and whether all of them wait for another."""
    times, wait = [], True
    for task in os.listdir('/proc/%d/task' % pid):
        of = '/proc/%d/task/%s/' % (pid, task)
        fields = open(of + 'stat').read().rsplit(')', 1)[1].split()
        wait &= fields[0] == 'S' and open(of + 'syscall').read().split()[0] == FUTEX
        times.append((task, fields[11], fields[12]))
    return sorted(times), wait


def all_wait(pid):
    """True if all threads wait for each other for half a second."""
    try:
        before = ticks(pid)
        for _ in range(5):
            time.sleep(0.1)
            if ticks(pid) != before or not before[1]:
                return False
        return True
    except OSError:
        return False


class Builder:
    """Makes programs in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.served = os.path.join(folder, 'served.o')
        code, out, _ = call(['gcc', '-O1', '-c', os.path.join(root, 'tests', 'fuzz', 'native', 'sanitized.c'), '-o', self.served], 120)
        if code:
            raise Exception('sanitized.c: ' + out)

    def build(self, path, variant, clang=()):
        """The program, or None and why there is none."""
        program = os.path.join(self.folder, os.path.basename(path)[:-2] + '-' + variant)
        code, out, _ = call(CLANG + VARIANTS[variant] + ['-std=gnu11', '-I', os.path.dirname(os.path.abspath(path)), *clang, path, self.served, '-o', program, '-lpthread', '-lm', '-latomic'], 120)
        return (None, out) if code else (program, '')


def run(program, variant, seed, args=(), must_end=False):
    """What a run violates: a list of pairs (property, text). And whether the run came to its end. A run that must end has small inputs."""
    seconds = LIMIT if must_end else PATIENCE
    env = {'PATH': '/usr/bin:/bin', 'SANITIZED_SEED': str(seed), 'TSAN_OPTIONS': 'exitcode=66:report_thread_leaks=0:report_signal_unsafe=0:report_bugs=1:history_size=4',
           'ASAN_OPTIONS': 'exitcode=66:allocator_may_return_null=1:detect_stack_use_after_return=1:detect_leaks=1:handle_abort=0',
           'UBSAN_OPTIONS': 'print_stacktrace=0', 'LSAN_OPTIONS': 'exitcode=66'}
    if variant != 'thread':
        env['SANITIZED_PINNED'] = '1'
    if must_end:
        env['SANITIZED_SMALL'] = '1'
    code, out, state = call([program, *args], seconds, env, os.path.dirname(program))
    shown = [(p, m.group(0).strip()) for p, pattern in REPORTS for m in [re.search(pattern, out)] if m]
    if any(p == TRACK for p, _ in shown):
        shown.append((CLEANUP, 'detected memory leaks'))
    if variant == 'plain':
        if code == FAILED_ASSERTION:
            shown.append(('unreach-call', out.strip().split('\n')[-1]))
        if state == 'busy':  # threads that wait for ever take no steps
            shown.append(('termination', 'no end after %d s' % seconds))
        if state == 'waiting':
            shown.append(('no-deadlock', 'all threads wait'))
    return shown, state is None


def is_undefined(builder, path, clang, seed, args):
    """True if a run with these inputs has undefined behaviour: then it shows nothing about what comes later."""
    program, _ = builder.build(path, 'address', clang)
    shown = program and run(program, 'address', seed, args)[0]
    return any(p not in (TRACK, CLEANUP) for p, _ in shown or [])


def contradictions(builder, path, properties, runs, seed, clang=(), args=lambda seed: ()):
    """Runs the program. Returns (property, text) for each property that is violated, in which a run showed it first; the number of runs;
    and why no program could be made, or ''."""
    wanted, found, done = parts(properties), {}, 0
    for variant in sorted({v for p in wanted for v in SHOWN_BY[p]}):
        program, why = builder.build(path, variant, clang)
        if not program:
            return found, done, why
        stuck = 0
        for i in range(runs):
            shown, end = run(program, variant, seed + i, args(seed + i), 'termination' in wanted)
            done += 1
            stuck += not end
            for p, text in shown:
                if p in wanted and not (p in LATER and is_undefined(builder, path, clang, seed + i, args(seed + i))):
                    found.setdefault(p, '%s, seed %d: %s' % (variant, seed + i, text))
            if found or stuck == 2:
                break
        os.unlink(program)
    return found, done, ''


def works(folder):
    """Which sanitizers are there: they must notice a fault."""
    faults = {'thread': 'int x; void *f(void *a) { x++; return a; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x++; pthread_join(t, 0); return 0; }',
              'address': 'int main(void) { int *p = malloc(4); free(p); return *p; }'}
    builder = Builder(folder)
    for variant, text in faults.items():
        path = os.path.join(folder, 'fault.c')
        open(path, 'w').write('#include <pthread.h>\n#include <stdlib.h>\n' + text + '\n')
        program, why = builder.build(path, variant)
        if not program or not run(program, variant, 1)[0]:
            return 'the sanitizer `%s` of clang-19 does not notice a fault (Debian: libclang-rt-19-dev): %s' % (variant, why[-300:])
    return ''
