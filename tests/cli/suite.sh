# SPDX-License-Identifier: Apache-2.0
# --suite: tasks of .yml files, lists and folders; a table, CSV, scores; what is done is not run again; errors.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c ../../examples/locked_counter.c "$dir" && cd "$dir" && mkdir more
task() { # file, program, property=expected …
    local file=$1 program=$2; shift 2
    printf 'format_version: "2.0"\ninput_files: %s\nproperties:\n' "$program"
    for p; do printf '  - property_file: ../properties/%s.prp\n    expected_verdict: %s\n' "${p%=*}" "${p#*=}"; done
    printf 'options: {language: C, data_model: ILP32}\n'
} >"$1"
task lost.yml lost_update.c unreach-call=false no-data-race=false coverage-branches=true
task more/locked.yml '["../locked_counter.c"]' unreach-call=true
printf '# a list\nlost.yml\n*/lock*.yml # and more\nnothing*.yml\n' >all.set
"$HEDDLE" --suite --jobs 2 all.set; echo "exit $?"
sed 's/,[0-9.]*,\(-*[0-9]*,\)$/,T,\1/' heddle-results/results.csv
rm heddle-results/lost.yml.unreach-call.*; ls heddle-results | sed 's/\.[0-9a-f]\{16\}//' | LC_ALL=C sort
touch -d 2001-01-01 heddle-results/*.json
"$HEDDLE" --suite -p unreach-call . | tail -1; find heddle-results -name '*.json' -newermt 2002-01-01 | sed 's/\.[0-9a-f]\{16\}//' | LC_ALL=C sort
task wrong.yml lost_update.c no-data-race=true
"$HEDDLE" --suite --results other wrong.yml; echo "exit $?"
task missing.yml nowhere.c unreach-call=true
"$HEDDLE" --suite --results other missing.yml; echo "exit $?"
echo 'properties: []' >bad.yml; "$HEDDLE" --suite bad.yml; echo "exit $?"
"$HEDDLE" --suite --results nowhere/x lost.yml; echo "exit $?"
"$HEDDLE" --suite --results lost.yml lost.yml; echo "exit $?"
"$HEDDLE" --suite nowhere.set; echo "exit $?"
# killed half-way, it goes on where it was: the second task waits for its program, a pipe
task 1.yml lost_update.c unreach-call=false; task 2.yml pipe.c unreach-call=true; task 3.yml locked_counter.c valid-memcleanup=true no-overflow=true
suite=("$HEDDLE" --suite --jobs 1 --results killed 1.yml 2.yml 3.yml)
for signal in KILL INT; do
    rm -f pipe.c; mkfifo pipe.c
    "${suite[@]}" & runner=$!
    for i in $(seq 200); do [ -e killed/1.* ] && children=$(pgrep -P $runner) && break; sleep 0.05; done
    kill -$signal $runner; wait $runner; echo "exit $?"
    for i in $(seq 100); do kill -0 $children 2>/dev/null || break; sleep 0.05; done; kill -0 $children 2>/dev/null && echo "$children is still there"
    ls -A killed | sed 's/\.[0-9a-f]\{16\}//'
done 2>/dev/null
rm pipe.c; cp locked_counter.c pipe.c
touch -d 2001-01-01 killed/*.json; "${suite[@]}" >resumed; cat resumed
find killed -name '*.json' -newermt 2002-01-01 | sed 's/\.[0-9a-f]\{16\}//' | LC_ALL=C sort
"$HEDDLE" --suite --jobs 2 --results whole 1.yml 2.yml 3.yml | cmp - resumed
"$HEDDLE" --suite --html x 1.yml; echo "exit $?"
"$HEDDLE" --suite --results other 1.yml -- -include nothing.h | tail -1
