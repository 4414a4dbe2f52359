# SPDX-License-Identifier: Apache-2.0
# --check-witness: each fault in the text of a witness has a message, and each claim that Heddle cannot check, too.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
cat >a.c <<'END'
#include <assert.h>
int x, y;
static int next(void) { return ++y; }
int main(void) {
    do x++; while (x < 3);
    if (x == 3) y = 1; else y = 2;
    for (int i = 0; i < 2; i++) { y++; }
    assert(x == 3);
    return next();
}
END
check() { "$HEDDLE" -q -p unreach-call --check-witness "$@" a.c 2>&1 | sed 's/  [0-9.]* s$//'; }
reason() { "$HEDDLE" -p unreach-call --check-witness "$1" a.c 2>&1 | sed '1d; /^$/,$d; /^note/d; /^ /d'; }
entry() { echo "- {entry_type: $1, metadata: {format_version: \"2.1\", task: {specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\", language: C}}, content: $2}"; }
violation() { entry violation_sequence "[$1]" >w.yml; "${2:-check}" w.yml; }
target='{segment: [{waypoint: {type: target, action: follow, location: {file_name: a.c, line: 8}}}]}'
waypoint() { violation "{segment: [{waypoint: {$1}}]}, $target"; }
echo '# waypoints'
waypoint 'type: assumption, action: follow, constraint: {value: x}, location: {line: one}'
waypoint 'type: assumption, action: follow, constraint: {value: x}'
waypoint 'type: assumption, action: follow, constraint: {value: x}, location: {file_name: a.c}'
waypoint 'type: assumption, action: avoid, constraint: {value: x}, location: {line: 6}'
waypoint 'type: guess, action: follow, location: {line: 6}'
waypoint 'type: assumption, action: follow, location: {line: 6}'
violation '{segments: []}'
violation '{segment: [{waypoint: {type: function_enter, action: follow, location: {line: 6}}}]}'
violation "$target, $target"
echo '# invariants'
proof() { entry invariant_set "[$1]" >w.yml; "${2:-check}" w.yml; }
proof '{invariants: []}'
proof '{invariant: {type: loop_invariant, format: acsl, value: x < 4, location: {line: 5}}}'
proof '{invariant: {type: wish, value: x < 4, location: {line: 5}}}'
echo '# ghost variables'
ghosts() { { entry ghost_instrumentation "$1"; entry invariant_set '[{invariant: {type: location_invariant, value: "1", location: {file_name: a.c, line: 9}}}]'; } >w.yml; "${2:-check}" w.yml; }
ghosts '{ghost_variables: [{name: g, type: int, initial: {value: "0"}}], ghost_updates: [{location: {line: 6}, updates: [{variable: g}]}]}'
ghosts '{ghost_variables: [{name: g, type: int}]}'
echo '# entries'
echo '- {entry_type: invariant_set}' >w.yml; check w.yml
echo '- {entry_type: invariant_set, metadata: {task: {language: C}}, content: []}' >w.yml; check w.yml
{ entry violation_sequence "[$target]"; entry violation_sequence "[$target]"; } >w.yml; check w.yml
entry remark '[]' >w.yml; check w.yml
echo '- {' >w.yml; check w.yml
echo '<graphml></graphml>' >w.graphml; check w.graphml
echo '# invariants that Heddle cannot insert'
at() { proof "{invariant: {type: $1, value: \"$2\", location: {file_name: a.c, line: $3}}}" reason; }
at loop_invariant 'x < 4' 5
at location_invariant 'next() > 0' 9
at location_invariant 'x == 7' 9
at location_invariant "$(printf '1 + %.0s' {1..40000})1" 9
declared() { ghosts "{ghost_variables: [{name: $1, type: $2, initial: {value: \"$3\"}}], ghost_updates: [{location: {file_name: a.c, line: ${5:-9}}, updates: [{variable: $1, value: \"$4\"}]}]}" reason; }
declared next int 0 1
declared g 'int *' 0 1
declared g-h int 0 1
declared g int 'next()' 1
declared g int 0 'next(); 1'
declared g int 0 1 7
declared g int 0 1 5
echo '# invariants of a proof of another property'
other() { proof "{invariant: {type: location_invariant, value: \"$1\", location: {file_name: a.c, line: 9}}}" true; sed -i 's/call(reach_error())/overflow/' w.yml; "$HEDDLE" -p "$2" --check-witness w.yml a.c 2>&1 | sed '1d; /^note/d'; }
other 'x == 7' no-overflow
other 'x > 0' no-data-race
at location_invariant 'x == 7' 9
cat >w.graphml <<'END'
<graphml><graph><data key="witness-type">correctness_witness</data><data key="specification">CHECK( init(main()), LTL(G ! overflow) )</data>
<node id="N0"><data key="entry">true</data><data key="invariant">x == 0</data></node></graph></graphml>
END
"$HEDDLE" -p no-overflow --check-witness w.graphml a.c 2>&1 | sed 1d
sed -i 's/assert(x == 3)/assert(x == 4)/' a.c
other 'x == 4' no-overflow
