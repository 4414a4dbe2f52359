# C is asked for all properties: a line for each, then the violations, the worst first, then the rest. Other inputs are asked for one.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
ir=$PWD/../ir
cp ../../examples/lost_update.c ../../examples/freed_too_early.c "$dir"; cd "$dir"
"$HEDDLE" --trace t --json j freed_too_early.c | grep -v ' starts \|^- - -\|^$'; echo "exit ${PIPESTATUS[0]}"
head -2 t | tail -1
python3 -c 'import json; print([r["verdict"] + " " + r["property"] for r in json.load(open("j"))])'
"$HEDDLE" -q --replay t freed_too_early.c; echo "exit $?"
"$HEDDLE" -q -p all --replay t freed_too_early.c; echo "exit $?"
"$HEDDLE" -q "$ir/alive_again.hir"; echo "exit $?"

echo '# undefined behaviour that another property reports'
cat >divide.c <<'END'
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int() & 3;
    assert(12 / n <= 12);
    return 0;
}
END
"$HEDDLE" -q divide.c; echo "exit $?"
"$HEDDLE" -q -p unreach-call divide.c; echo "exit $?"
"$HEDDLE" -q -p unreach-call,no-overflow divide.c; echo "exit $?"
"$HEDDLE" -q -p unreach-call,no-deadlock divide.c; echo "exit $?"

echo '# a pipe, bad input, output that fails'
"$HEDDLE" -q <(echo 'int main(void) { return 0; }'); echo "exit $?"
mkfifo pipe.c
"$HEDDLE" -q -p all pipe.c; echo "exit $?"
echo 'int main(void) {' >broken.c
"$HEDDLE" broken.c 2>&1 | head -1; echo "exit ${PIPESTATUS[0]}"
"$HEDDLE" lost_update.c >/dev/full; echo "exit $?"

echo '# clang reads the program once, for all properties'
mkdir bin
printf '#!/bin/sh\ncase $* in *-emit-llvm*) echo >>"%s/asked" ;; esac\nPATH=${PATH#*:} exec clang-19 "$@"\n' "$dir" >bin/clang-19; chmod +x bin/clang-19
for flags in '' '--native bug'; do
    rm -f asked
    PATH=$dir/bin:$PATH "$HEDDLE" -q -p all $flags divide.c; echo "exit $?, $(wc -l <asked) time"
done
