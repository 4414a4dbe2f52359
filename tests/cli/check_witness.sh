# SPDX-License-Identifier: Apache-2.0
# --check-witness: what Heddle writes is confirmed, what was broken is refused; what is no witness is bad input.
schema=$PWD/../schema/schema.py
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for f in lost_update locked_counter opposite_locks counter_overflow; do cp ../../examples/$f.c "$dir"; done
cp ../c/races/unordered_semaphore.c "$dir"
cd "$dir" || exit
check() { "$HEDDLE" --check-witness "$@" | sed 's/  [0-9.]* s/  T s/; /^note/d' | head -${LINES:-2}; echo "exit ${PIPESTATUS[0]}"; }
write() { "$HEDDLE" -q --witness "$@" >/dev/null; }
echo '# violations'
write race.yml -p no-data-race lost_update.c;   LINES=1 check race.yml lost_update.c
write lost.yml -p unreach-call lost_update.c;   LINES=1 check lost.yml lost_update.c
write dead.yml -p no-deadlock opposite_locks.c; LINES=1 check dead.yml opposite_locks.c
write over.yml -p no-overflow counter_overflow.c; LINES=1 check over.yml counter_overflow.c
write lost.graphml --witness-format graphml -p unreach-call lost_update.c; LINES=1 check lost.graphml lost_update.c
write unordered.yml -p no-data-race unordered_semaphore.c; grep -c 'type: target' unordered.yml; LINES=1 check unordered.yml unordered_semaphore.c
echo '# inputs and threads of one line, in their order'
printf '#include <pthread.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint x;\nvoid *f(void *p) {\n    x = *(int *)p;\n    return 0;\n}\nint main(void) {\n    pthread_t t, u;\n    int a = __VERIFIER_nondet_int(), b; pthread_create(&t, 0, f, &a); b = __VERIFIER_nondet_int(); pthread_create(&u, 0, f, &b);\n    pthread_join(t, 0);\n    pthread_join(u, 0);\n    assert(x != 5);\n}\n' >line.c
write line.yml -p unreach-call line.c; grep -o 'type: function.*' line.yml; LINES=1 check line.yml line.c
echo '# broken ones'
broken() { sed "$1" lost.yml >broken.yml; cmp -s lost.yml broken.yml && echo "$1 changes nothing"; check broken.yml "${2:-lost_update.c}"; }
broken 's/counter == 0/counter == 7/'
broken 's/line: 11/line: 10/'
broken 's/line: 21/line: 22/'
broken 's/thread_id: 2/thread_id: 3/'
broken 's/thread_id: 1/thread_id: 2/'
broken 's/function: "increment"/function: "main"/'
broken 's/counter == 0/nothing == 0/'
broken 's/counter == 0/counter == /'
broken 's/LP64/ILP32/'
broken 's/[0-9a-f]\{64\}/0000000000000000000000000000000000000000000000000000000000000000/'
check lost.yml locked_counter.c
sed 's/line: 11/line: 19/' race.yml >broken.yml; check broken.yml lost_update.c
echo '# the column of a target is in its statement'
printf '#include <assert.h>\nint x;\nint main(void) {\n    if (x == 0) { assert(x != 0); } else { assert(x != 1); }\n}\n' >column.c
write column.yml -p unreach-call column.c
for column in 19 26 44 200; do (cat column.yml; echo "          column: $column") >w.yml; check w.yml column.c | grep .; done
for change in 's/"2.2"/"3.0"/' 's/language: C/language: Java/'; do sed "$change" column.yml >w.yml; check w.yml column.c; done
echo '# for machines'
sed 's/counter == 0/counter == 7/' lost.yml >broken.yml
for w in lost broken; do
    "$HEDDLE" --check-witness $w.yml lost_update.c --json w.json --sarif w.sarif >/dev/null
    python3 "$schema" report w.json; python3 "$schema" sarif w.sarif
    grep -oE '"(verdict|witness)": "[A-Z]*"' w.json w.sarif; grep -oE '"text": "[A-Z]{5,} ' w.sarif
done
echo '# proofs'
write safe.yml -p unreach-call -e redcomp locked_counter.c; LINES=1 check safe.yml locked_counter.c
claim() { # type, line, formula
    sed '/^  content/,$d; s/violation_sequence/invariant_set/; s/"2.2"/"2.1"/' safe.yml
    printf '  content:\n  - invariant:\n      type: %s\n      location: {file_name: locked_counter.c, line: %s}\n      value: "%s"\n      format: c_expression\n' "$@"
}
claim location_invariant 21 '0 <= counter && counter <= 2' | sed '/ghost/,/^- entry_type: inv/{/^- entry_type: inv/!d}' >w.yml; LINES=1 check w.yml locked_counter.c
claim location_invariant 21 'counter <= 1' >w.yml; LINES=1 check w.yml locked_counter.c
claim location_invariant 21 'nothing == 0' >w.yml; check w.yml locked_counter.c
claim location_invariant 21 'counter = 0' >w.yml; check w.yml locked_counter.c
claim location_invariant 7 'counter == 0' >w.yml; check w.yml locked_counter.c
claim loop_invariant 21 'counter == 0' >w.yml; check w.yml locked_counter.c
echo '# what is undefined does not hold, and text of the witness does nothing'
printf '#include <assert.h>\n#include <stdlib.h>\n#define QUIT (exit(0), 1)\nint x, y, *p;\nint main(void) {\n    y = 1;\n    assert(x);\n    return 0;\n}\n' >undefined.c
for formula in '1 / x < 2' 'x + 2147483647 + y != 0' '*p == 0' '(1 << (x + 40)) != 1' QUIT 'y == 1'; do
    claim location_invariant 7 "$formula" | sed '/input_file/,/undefined\|[0-9a-f]\{64\}/d; s/locked_counter/undefined/' >w.yml
    LINES=20 check w.yml undefined.c | grep -E '^[A-Z]|error:|^line|exit'
done
claim location_invariant 21 'counter == 9' | sed 's/file_name: locked_counter.c/file_name: other.h/' >w.yml; check w.yml locked_counter.c
echo '# no witnesses'
echo 'nothing: 1' >w.yml; check w.yml lost_update.c
sed '/type: target/d' lost.yml >w.yml; check w.yml lost_update.c
check lost.yml -p no-overflow lost_update.c
check nowhere.yml lost_update.c
check lost.yml ../nowhere.hir
