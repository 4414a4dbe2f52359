# SPDX-License-Identifier: Apache-2.0
# The bug for real: made, run, made to diverge; nothing where there is nothing to run; places that cannot be written.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c ../../examples/locked_counter.c ../ir/lock.hir "$dir" && cd "$dir"
cat >three.c <<'END'
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct pair { int a, b; } whole, copy;
static void *set(void *argument) {
    whole.a = 7;
    whole.b = 7;
    return argument;
}
int main(void) {
    pthread_t thread;
    int k = __VERIFIER_nondet_int(), *p = malloc(sizeof *p), junk;
    pthread_create(&thread, NULL, set, NULL);
    copy = whole;
    if (copy.a != copy.b && k == 1234567 && *p == 5 && junk == 6) reach_error();
    return 0;
}
END
run() {
    python3 -c 'import subprocess, sys
p = subprocess.run(sys.argv[1:], stderr=subprocess.PIPE)
print(p.stderr.decode(), end="")
print("exit", p.returncode)' "$@"
}
verify() { "$HEDDLE" -q -e explicit "$@" | sed 's/  [0-9.]* s$//'; }
verify -p unreach-call --trace trace --native bug lost_update.c; ls bug
run bug/bug
for i in 1 2 3; do HEDDLE_QUIET=1 run bug/bug; done
sed -i 's/, 0x1u, 0x0u, "main", "main at lost_update.c:21/, 0x2u, 0x0u, "main", "main at lost_update.c:21/' bug/schedule.c
sh bug/build.sh; HEDDLE_QUIET=1 run bug/bug
"$HEDDLE" -q -p unreach-call --data-model ILP32 --native three three.c | sed 's/  [0-9.]* s$//'; HEDDLE_QUIET=1 run three/bug
verify -p no-data-race --native race lost_update.c; HEDDLE_QUIET=1 run race/bug
verify -p unreach-call --native none locked_counter.c; ls none 2>&1
"$HEDDLE" -q -p unreach-call --replay trace --native nowhere/x lost_update.c >/dev/null; echo "exit $?"
"$HEDDLE" -q --native none lock.hir; echo "exit $?"
(ulimit -f 8; "$HEDDLE" -q -p unreach-call --replay trace --native bug lost_update.c 2>&1 | grep -v UNSAFE; echo "exit ${PIPESTATUS[0]}"); ls -A bug | wc -l
(ulimit -f 8; "$HEDDLE" -q -p unreach-call --replay trace --native fresh lost_update.c >/dev/null 2>&1; echo "exit $?"); ls fresh 2>&1
