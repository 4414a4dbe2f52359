#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Certificates of SAFE programs: the answer counts what the certificate has, --check-certificate accepts it, and refuses it after a change.

usage: certificates.py [--build DIR] [--jobs N] [N [START]]

Takes N programs (all without N) of tests/c that are expected to be SAFE, evenly spread, from number START on. A failure is a line; the last line counts.
"""
import argparse, concurrent.futures as cf, glob, json, os, re, subprocess, sys, tempfile

sys.dont_write_bytecode = True
from programs import flags, head

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TIME = '30'


def programs(n, start):
    every = [f for f in sorted(glob.glob('tests/c/*/*.c')) if head(f).get('expect', '').startswith('SAFE')]
    return every if not n else [every[(start + i * len(every) // n) % len(every)] for i in range(n)]


def run(command):
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    return p.returncode, p.stdout.decode(errors='replace')


def command(build, path, *options):
    own, clang = flags(path)
    own = [w for w in own if not w.startswith(('--json', '--html', '-q'))]
    return [os.path.join(build, 'heddle'), '-t', TIME, *own, *options, path, *(['--', *clang] if clang else [])]


def counted_in(answer):
    """The obligations of the verdicts and of the lemmas, which notes count."""
    with open(answer) as f:
        results = json.load(f)
    n = 0
    for r in results if isinstance(results, list) else [results]:
        n += r.get('obligations', 0) + sum(int(k) for note in r['notes'] for k in re.findall(r'; (\d+) proof obligations hold', note))
    return n


def without_last_query(text):
    """The certificate without its last query; None if it has none."""
    at = text.rfind('(check-sat)\n')
    if at >= 0:
        return text[:at] + text[at + len('(check-sat)\n'):]
    return None


def examine(build, path):
    """What is wrong, or '' if nothing is, or None without a SAFE."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, 'certificate.smt2')
        answer = os.path.join(folder, 'answer.json')
        code, said = run(command(build, path, '--certificate', file, '--json', answer))
        if code:
            return None
        if not os.path.exists(file):
            return 'no certificate'
        text = open(file).read()
        counted = counted_in(answer)
        written = len(re.findall(r'^(?:\(check-sat\)|; checked: )', text, re.M))
        if counted != written:
            return '%d obligations are counted, %d are written' % (counted, written)
        code, said = run(command(build, path, '--check-certificate', file))
        if code:
            return 'refused: ' + said
        changed = without_last_query(text)
        if changed:
            open(file, 'w').write(changed)
            code, said = run(command(build, path, '--check-certificate', file))
            if code != 1:
                return 'accepted without an obligation'
    return ''


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', default='build')
    ap.add_argument('--jobs', type=int, default=os.cpu_count())
    ap.add_argument('n', type=int, nargs='?', default=0)
    ap.add_argument('start', type=int, nargs='?', default=0)
    args = ap.parse_args()
    os.chdir(ROOT)
    build = os.path.abspath(args.build)
    paths = programs(args.n, args.start)
    with cf.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda p: examine(build, p), paths))
    bad = [(p, r) for p, r in zip(paths, results) if r]
    for p, r in bad:
        print('%s: %s' % (p, r))
    print('%d certificates, %d failures, %d programs without a SAFE' % (len([r for r in results if r is not None]), len(bad), results.count(None)))
    return 1 if bad or results.count(None) > len(paths) // 10 else 0


if __name__ == '__main__':
    sys.exit(main())
