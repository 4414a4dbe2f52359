# SPDX-License-Identifier: Apache-2.0
# The page: well-formed, small, loads nothing (make test-html opens it in a browser); one for several properties; odd names and texts in the source.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
check=$PWD/../html/check
cp ../../examples/lost_update.c ../../examples/locked_counter.c ../../examples/reservation.wvr ../ir/lock.hir "$dir" && cd "$dir"
data() {
    python3 - "$1" <<'END'
import json, sys
text = open(sys.argv[1]).read()
start = text.index('id="data">') + 10
data = json.loads(text[start:text.index('</script>', start)])
for v in data['verdicts']:
    print(v['verdict'], v['property'], len(v.get('trace', {}).get('steps', [])), sorted(v.get('proof', {})))
print({f: sum(len(s[1]) for s in parts) for f, parts in data['sources'].items()})
END
}
"$HEDDLE" -p unreach-call -q --html unsafe.html lost_update.c; data unsafe.html
"$HEDDLE" -p unreach-call -q -e redcomp --html proof.html locked_counter.c; data proof.html
"$HEDDLE" -p unreach-call -q -e weave --html reduced.html locked_counter.c; data reduced.html
"$HEDDLE" -q -p unreach-call,no-data-race,no-deadlock --html several.html lost_update.c; data several.html
"$HEDDLE" -p unreach-call -q --timeout 0 --html unknown.html lost_update.c; data unknown.html
"$HEDDLE" -q --html wvr.html reservation.wvr; data wvr.html
"$HEDDLE" --html - lock.hir >hir.html; data hir.html
mkdir -p '</script><b>'; sed 's|^int main|/* </script><script>alert(1)</script> <!-- @data@ \xff */ int main|' lost_update.c >'</script><b>/ä&"x.c'
"$HEDDLE" -p unreach-call -q --html odd.html '</script><b>/ä&"x.c'; data odd.html
python3 "$check" ./*.html
for place in nowhere/x.html . /dev/full; do "$HEDDLE" -q --html $place lock.hir; echo "exit $?"; done
