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
sed 's/,[0-9.]*,\(-*[0-9]*\)$/,T,\1/' heddle-results/results.csv
rm heddle-results/lost.yml.unreach-call.*; ls heddle-results | sed 's/\.[0-9a-f]\{16\}//' | LC_ALL=C sort
touch -d 2001-01-01 heddle-results/*.json
"$HEDDLE" --suite -p unreach-call . | tail -1; find heddle-results -name '*.json' -newermt 2002-01-01 | sed 's/\.[0-9a-f]\{16\}//' | LC_ALL=C sort
task wrong.yml lost_update.c no-data-race=true
"$HEDDLE" --suite --results other wrong.yml; echo "exit $?"
task missing.yml nowhere.c unreach-call=true
"$HEDDLE" --suite --results other missing.yml; echo "exit $?"
echo 'properties: []' >bad.yml; "$HEDDLE" --suite bad.yml; echo "exit $?"
"$HEDDLE" --suite --results nowhere/x lost.yml; echo "exit $?"
"$HEDDLE" --suite nowhere.set; echo "exit $?"
