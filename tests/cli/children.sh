# What the solver says when it fails does not stand beside the verdict: a reason does. Whoever is killed leaves nothing behind.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/locked_counter.c "$dir/safe.c"
cd "$dir"
mkdir bin tmp
export TMPDIR=$dir/tmp ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
try() { "$HEDDLE" -p unreach-call "$@" 2>&1 | sed -E '1s/  .*//'; echo "exit ${PIPESTATUS[0]}"; }
instead() { # of the solver
    echo "# $1"
    printf '#include <stdio.h>\n#include <stdlib.h>\nvoid *Z3_mk_config(void) { %s }\n' "$2" | clang-19 -w -shared -fPIC -o other.so -xc -
    shift 2
    LD_PRELOAD=$dir/other.so try "$@"
}
assertion='fputs("ASSERTION VIOLATION\nFile: ../src/some.cpp\nLine: 1\nFailed to verify: x\nPlease file an issue\n", stderr); exit(114);'
instead 'an assertion of its own' "$assertion" -e redcomp safe.c
instead 'the same, and another engine answers' "$assertion" -q safe.c
instead 'an abort' 'fputs("terminate called\n", stderr); abort();' -e redcomp safe.c
instead 'no memory' 'fputs("terminate called after throwing std::bad_alloc\n", stderr); abort();' -e redcomp safe.c
instead 'an exit' 'exit(1);' -e redcomp safe.c
instead 'many words' 'for (int i = 0; i < 100000; i++) fputs("it goes on and on\n", stderr); exit(77);' -e redcomp safe.c
echo '# with --verbose it is shown'
LD_PRELOAD=$dir/other.so "$HEDDLE" -p unreach-call -v -e redcomp safe.c 2>&1 >/dev/null | grep -c 'on and on' | sed 's/....*/many/' # (all that was said within the time)
LD_PRELOAD= "$HEDDLE" -p unreach-call -v -q safe.c 2>&1 >/dev/null | sed 's/.* s  //'

# Programs of ours and those below that still run here.
running() {
    for p in /proc/[0-9]*; do
        [[ $(readlink "$p/cwd") == "$dir" && $(cat "$p/comm") =~ heddle|sleep ]] && cat "$p/comm"
    done 2>/dev/null
}
# Kill heddle once the program below it (bin/$1) is at work.
interrupt() {
    echo "# $2 while $1 is at work"
    rm -f started
    PATH=$dir/bin:$PATH "$HEDDLE" -p unreach-call "${@:3}" >text 2>&1 &
    for ((i = 0; i < 300; i++)); do [[ -e started ]] && break || sleep 0.1; done
    kill -$2 $!
    { wait $!; } 2>/dev/null
    echo "exit $?, $(grep -o 'UNKNOWN' text)"
    for ((i = 0; i < 100; i++)); do [[ $(running) ]] && sleep 0.1 || break; done
    running
    ls tmp
}
for name in clang-19 cvc5; do
    printf '#!/bin/bash\ntouch started\nexec sleep 1000\n' >bin/$name
    chmod +x bin/$name
done
interrupt clang-19 TERM safe.c
interrupt clang-19 HUP safe.c
interrupt clang-19 KILL safe.c
rm bin/clang-19
interrupt cvc5 TERM -e redcomp --second-solver safe.c
interrupt cvc5 KILL -e redcomp --second-solver safe.c
