# SPDX-License-Identifier: Apache-2.0
# SARIF: a result for each property, two code flows for a violation; places as URIs; fingerprints that survive moved lines; written whole or not.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
schema=$PWD/../schema/schema.py
cp ../../examples/lost_update.c ../ir/lock.hir "$dir" && cd "$dir"
show() {
    python3 "$schema" sarif "$1" && python3 - "$1" <<'END'
import json, sys
for r in json.load(open(sys.argv[1]))['runs'][0]['results']:
    place = r['locations'][0].get('physicalLocation', {})
    region = place.get('region', {})
    print(r['kind'], r['level'], r['ruleId'], place['artifactLocation']['uri'], region.get('startLine'), region.get('startColumn'))
    for c in r.get('codeFlows', []):
        print('  ', [(f['id'], [l['executionOrder'] for l in f['locations']]) for f in c['threadFlows']])
END
}
print_of() { python3 -c "import json; print(json.load(open('$1'))['runs'][0]['results'][0]['partialFingerprints'])"; }
"$HEDDLE" -p unreach-call -q --sarif one.sarif lost_update.c; echo "exit $?"; show one.sarif
"$HEDDLE" -q -p unreach-call,no-data-race,no-deadlock --sarif all.sarif lost_update.c >/dev/null; echo "exit $?"; show all.sarif
"$HEDDLE" -p unreach-call -q --timeout 0 --sarif unknown.sarif lost_update.c; echo "exit $?"; show unknown.sarif
"$HEDDLE" --sarif - lock.hir >stdout; echo "exit $?"; show stdout
mkdir 'ä b'; { echo; echo; cat lost_update.c; } >'ä b/50%.c'
"$HEDDLE" -p unreach-call -q --sarif odd.sarif 'ä b/50%.c'; show odd.sarif
(cd 'ä b' && mv 50%.c lost_update.c && "$HEDDLE" -p unreach-call -q --sarif ../moved.sarif lost_update.c)
[[ $(print_of one.sarif) == "$(print_of moved.sarif)" ]] && echo 'the same fingerprint'
for place in nowhere/x.sarif . /dev/full; do "$HEDDLE" -q --sarif $place lock.hir; echo "exit $?"; done
"$HEDDLE" -p unreach-call -q --sarif bad.sarif nowhere.c; echo "exit $?"; [[ -e bad.sarif ]] || echo 'no file'
# long lines, tabs and characters of several bytes; a long execution
printf 'extern void abort(void);\nvoid reach_error(void) { abort(); }\nint main(void) {\n\t/* \303\251\t */ reach_error();\n}\n' >tab.c
{ printf 'extern void abort(void);\nvoid reach_error(void) { abort(); }\nint main(void) { /*'; printf '\303\251%.0s' $(seq 300); printf '*/ reach_error(); }\n'; } >long.c
printf 'extern void abort(void);\nvoid reach_error(void) { abort(); }\nvolatile int x;\nint main(void) {\n  for (int i = 0; i < 3000; i++) {\n    x = i;\n    x = -i;\n  }\n  reach_error();\n}\n' >steps.c
for f in tab long steps; do
    "$HEDDLE" -p unreach-call -q --sarif $f.sarif $f.c >/dev/null; python3 - $f.sarif <<'END'
import json, sys
r = json.load(open(sys.argv[1]))['runs'][0]['results'][0]
flow = r['codeFlows'][0]
print(r['message']['text'].split(', in ')[1], r['properties'].get('stepsLeftOut'), len(flow['threadFlows'][0]['locations']), flow['message']['text'])
region = flow['threadFlows'][0]['locations'][-1]['location']['physicalLocation']['region']
print(region['startLine'], region['startColumn'], repr(region.get('snippet')))
END
done
