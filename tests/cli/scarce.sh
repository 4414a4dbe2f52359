# What the machine does not give, and what is missing: UNKNOWN with the reason, or a message and exit code 4; never "bad input".
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/locked_counter.c "$dir/safe.c"
cp ../ir/counter.hir "$dir"
cd "$dir"
mkdir bin tmp part
export TMPDIR=$dir/tmp
asan=$(grep -c __asan_init "$HEDDLE") # it needs more of everything
clang=$(command -v clang-19)
try() { "$HEDDLE" -p unreach-call "$@" 2>&1 | sed -E '1s/  .*//'; echo "exit ${PIPESTATUS[0]}"; }
fake() { printf '#!/bin/bash\n%s\n' "$1" >bin/clang-19; chmod +x bin/clang-19; echo "# clang: $2"; PATH=$dir/bin:$PATH try safe.c; }

fake "ulimit -v 100000; exec $clang"' "$@"' 'no memory to start'
printf '#define A(x) x x x x x x x x x x\nint f(int x) { A(A(A(A(A(A(x++;)))))) }\n' >big.c
fake "ulimit -v 400000; exec $clang"' "$@" -include big.c' 'no memory to go on'
fake 'echo "LLVM ERROR: out of memory" >&2; kill -ABRT $$' 'no memory, as it says'
fake 'kill -KILL $$' 'killed'
fake 'kill -SEGV $$' 'crashes'
fake 'exit 139' 'crashed below'
fake 'exit 70' 'gives up'
fake 'echo "safe.c:1:1: fatal error: cannot open file x.h: Too many open files" >&2; exit 1' 'too many open files'
fake 'echo "safe.c:1:1: error: out of memory is a word" >&2; exit 1' 'an error of the input'
printf '#pragma clang __debug crash\n' >crash.h
fake "exec $clang"' "$@" -include crash.h' 'crashes on the input' | sed 's/crashed: .* (/crashed: … (/'
ls tmp # nothing is left of it

echo '# clang is missing'
PATH=$dir/tmp "$HEDDLE" -p unreach-call safe.c 2>&1; echo "exit $?"
echo '# parts of Heddle are missing'
cp "$HEDDLE" part/heddle
whole=${HEDDLE%/*}
part() { part/heddle -p unreach-call -q "$@" 2>&1 | sed -E 's|/[^ ]*/||g; s/(skip to bit) [0-9]+/\1 N/'; echo "exit ${PIPESTATUS[0]}"; }
part counter.hir
part safe.c
ln -s "$whole/model-LP64.bc" part
part safe.c
ln -s "$whole/heddle-c.so" part
part safe.c
part --data-model ILP32 safe.c
rm part/model-LP64.bc
head -c 1000 "$whole/model-LP64.bc" >part/model-LP64.bc
part safe.c
rm part/heddle-c.so
echo text >part/heddle-c.so
part safe.c

echo '# few open files'
for n in 6 7; do
    (ulimit -n $n; "$HEDDLE" counter.hir >text; echo "exit $?") 2>&1
    grep -o 'UNKNOWN\|Too many open files' text | uniq
done
echo '# a small stack'
for n in 64 96; do # whoever it is too small for, there is a verdict
    ((asan)) || (ulimit -s $n; "$HEDDLE" -p unreach-call safe.c >text; echo $?) 2>&1 | grep -vx '0\|2'
    ((asan)) || grep -q '^SAFE\|the stack was reached' text || cat text
done
