# SPDX-License-Identifier: Apache-2.0
# Witnesses: waypoints of a violation, with threads; two targets of a race; a set of invariants; GraphML; what there is none of.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
schema=$PWD/../schema/schema.py
cp ../../examples/lost_update.c ../../examples/locked_counter.c ../ir/lock.hir "$dir" && cd "$dir"
cat >inputs.c <<'C'
#include <pthread.h>
void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int x, y;
void *writer(void *a) {
    x = __VERIFIER_nondet_int() + 1;
    y = 2;
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    unsigned char k = __VERIFIER_nondet_uchar();
    if (x == -3 && y == 2 && k == 200) {
        reach_error();
    }
    return 0;
}
C
show() {
    python3 "$schema" witness "$1" && python3 - "$1" <<'END'
import hashlib, sys, yaml
for e in yaml.safe_load(open(sys.argv[1])):
    task = e['metadata']['task']
    good = all(hashlib.sha256(open(f, 'rb').read()).hexdigest() == h for f, h in task['input_file_hashes'].items())
    print(e['entry_type'], e['metadata']['format_version'], task['input_files'], good, task['data_model'], task['specification'])
    for c in e['content']:
        for w in [w['waypoint'] for w in c.get('segment', [])]:
            l = w['location']
            print('  ', w['type'], w['thread_id'], l['file_name'], l['line'], l['function'], w.get('constraint', {}).get('value', ''))
        print('   -') if 'segment' in c else print('  ', c)
END
}
"$HEDDLE" -p unreach-call -q --witness w.yml inputs.c; show w.yml
"$HEDDLE" -p unreach-call -q --witness w.yml lost_update.c; show w.yml
"$HEDDLE" -q -p no-data-race --data-model ILP32 --witness w.yml lost_update.c; show w.yml
"$HEDDLE" -p unreach-call -q --witness safe.yml locked_counter.c; show safe.yml
"$HEDDLE" -q -p no-data-race,no-deadlock --witness both.yml lost_update.c; show both.yml
rm w.yml; "$HEDDLE" -p unreach-call -q --timeout 0 --witness w.yml lost_update.c; [[ -e w.yml ]] || echo 'no witness'
"$HEDDLE" -q --witness w.yml lock.hir; echo "exit $?"
"$HEDDLE" -p unreach-call -q --witness nowhere/w.yml lost_update.c; echo "exit $?"
"$HEDDLE" -p unreach-call --witness-format graphml --witness - lost_update.c >w.graphml
python3 - <<'END'
import xml.etree.ElementTree as x
n = '{http://graphml.graphdrawing.org/xmlns}'
r = x.parse('w.graphml').getroot()
keys = {k.get('id') for k in r.iter(n + 'key')}
print(all(d.get('key') in keys for d in r.iter(n + 'data')))
for e in r.iter(n + 'edge'):
    print(e.get('source'), e.get('target'), {d.get('key'): d.text for d in e})
END
