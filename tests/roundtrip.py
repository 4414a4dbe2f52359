#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program is what its text says: the verdict of a program's --dump-ir text is that of the program.

usage: roundtrip.py [--build DIR] [--jobs N] [--timeout S] [--own] [-v] [WORD…]

All programs of tests/c (or those whose name contains a WORD), for the property of the test, with its flags, and (unless --own) for all others, with
the engine auto. It fails where one is SAFE and the other UNSAFE, or where one is UNKNOWN and the program was answered in less than half of the time.
"""
import argparse, concurrent.futures as cf, glob, os, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
import programs

PROPERTIES = 'unreach-call', 'no-data-race', 'no-deadlock', 'valid-memsafety', 'no-overflow', 'termination'
LOADING = {'--may-fail': 0, '--no-spurious-wakeups': 0, '--zero-memory': 0, '--args': 1, '--pure': 1, '--undefined': 1, '--recursion': 1, '--unwind': 1,
           '--data-model': 1}  # what only loading C knows, and how many words follow
ENGINES = {'-e': 1, '--engine': 1, '--rule': 1, '--arith': 1, '--context-bound': 1, '--reduction': 1, '--impact-por': 1, '--impact-constants': 1}
ASKS = {'-p': 1, '--property': 1}
LIMITS = {'-t': 1, '--timeout': 1, '--second-solver': 0, '-v': 0}


def without(flags, *tables):
    """The flags without those that the tables name."""
    kept, skip = [], 0
    for f in flags:
        skip = next((t[f] + 1 for t in tables if f in t), skip) if not skip else skip
        if skip:
            skip -= 1
        else:
            kept.append(f)
    return kept


def verdict(heddle, flags, path, clang=()):
    """SAFE, UNSAFE, UNKNOWN or what else happened, and how long it took."""
    start = time.time()
    p = subprocess.run([heddle, '-q', *flags, path, *(['--', *clang] if clang else [])], stdin=subprocess.DEVNULL, capture_output=True, timeout=150)
    said = p.stdout.decode(errors='replace').partition(' ')[0]
    return said if p.returncode < 3 else 'exit code %d: %s' % (p.returncode, p.stderr.decode(errors='replace')[:500]), time.time() - start


def differs(first, seconds, again, limit):
    return first != again and ('UNKNOWN' not in (first, again) or seconds < limit / 2)


def compare(heddle, path, scratch, limit, asked=None, first=None):
    """None, or how the verdict of the text differs. asked: a property, instead of the test's. first: the verdict, where it is known."""
    own, clang = programs.flags(path)
    flags = without(own, LIMITS)
    if asked:
        flags = without(flags, ENGINES, ASKS) + ['-p', asked]
    text = os.path.join(scratch, '%s-%s.hir' % (os.path.basename(path)[:-2], asked))
    dump = subprocess.run([heddle, '--dump-ir', *flags, path, *(['--', *clang] if clang else [])], stdin=subprocess.DEVNULL, capture_output=True, timeout=150)
    if dump.returncode:
        return 'no text: ' + dump.stderr.decode(errors='replace')[:500]
    with open(text, 'wb') as f:
        f.write(dump.stdout)
    timed = ['--timeout', str(limit)]
    again = verdict(heddle, without(flags, LOADING) + timed, text)[0]
    os.remove(text)
    if again == first:
        return None
    first, seconds = verdict(heddle, flags + timed, path, clang)
    return 'it is %s (%.1f s), its text is %s' % (first, seconds, again) if differs(first, seconds, again, limit) else None


def asked_of(path):
    flags = programs.flags(path)[0]
    return next(b for a, b in zip(flags, flags[1:]) if a in ASKS)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', default='build')
    ap.add_argument('--jobs', type=int, default=os.cpu_count())
    ap.add_argument('--timeout', type=int, default=10)
    ap.add_argument('--own', action='store_true')
    ap.add_argument('words', nargs='*')
    args = ap.parse_args()
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    heddle = os.path.abspath(os.path.join(args.build, 'heddle'))
    paths = [p for p in sorted(glob.glob('tests/c/**/*.c', recursive=True)) if not args.words or any(w in p for w in args.words)]
    tasks = [(p, None) for p in paths]
    if not args.own:
        tasks += [(p, asked) for p in paths for asked in PROPERTIES if asked not in asked_of(p).split(',') and asked != 'termination']
    failed = 0
    with tempfile.TemporaryDirectory(prefix='heddle-roundtrip-') as scratch, cf.ThreadPoolExecutor(args.jobs) as pool:
        work = [(t, pool.submit(compare, heddle, t[0], scratch, args.timeout, t[1])) for t in tasks]
        for (path, asked), result in work:
            problem = result.result()
            if problem:
                failed += 1
                print('%s  %s: %s' % (path, asked or ' '.join(programs.flags(path)[0]), problem), flush=True)
    print('%d texts, %d differ' % (len(tasks), failed))
    return 1 if failed or not tasks else 0


if __name__ == '__main__':
    sys.exit(main())
