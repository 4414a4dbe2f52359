# SPDX-License-Identifier: Apache-2.0
# --suite a second time: what changed, what ended in an error and what cannot be read is run again; what is no task is skipped.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c ../../examples/locked_counter.c "$dir" && cd "$dir" && mkdir tasks
for t in lost lack; do printf 'input_files: ../%s.c\nproperties:\n  - property_file: unreach-call.prp\n' $t >tasks/$t.yml; done
printf 'on: push\n' >tasks/foreign.yml; printf 'a: [' >tasks/broken.yml
printf '#include "it.h"\n' >lost.c; printf '#include "lost_update.c"\n' >it.h
suite() { "$HEDDLE" --suite --jobs 1 --results res "${@:-tasks}"; echo "exit $?"; }
suite 2>&1; cat res/lack*; tail -n +2 res/results.csv | cut -d, -f 1-4,6-; grep -o '<td>tasks/lack.*' res/results.html
echo "# a header changes, and what was missing is there"; printf '#include "locked_counter.c"\n' >it.h; cp lost_update.c lack.c; suite 2>/dev/null
echo "# nothing changes"; touch -d 2001-01-01 res/*.json; suite 2>/dev/null; find res -name '*.json' -newermt 2002-01-01
echo "# results that cannot be read"; for f in res/*.json; do : >"$f"; done; suite 2>/dev/null
printf 'tasks/lost.yml\ntasks/foreign.yml\nnone*.yml\n' >all.set; suite all.set 2>&1
rm lack.c; mkfifo lack.c # the second task waits for it
"$HEDDLE" --suite --jobs 1 --results int tasks/lost.yml tasks/lack.yml &
exec 5>lack.c # somebody has it open now
kill -INT $!; wait $!; echo "exit $?"
