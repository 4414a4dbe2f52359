# SPDX-License-Identifier: Apache-2.0
# An endless execution: its story, the trace with its loop, replayed; one whose loop is another is refused.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >spin.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, rounds;
void *waiter(void *arg) {
    while (!flag)
        rounds = 1 - rounds;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    flag = 1;
    pthread_join(t, 0);
    return 0;
}
C
"$HEDDLE" -p termination --trace spin.trace spin.c; echo "exit $?"
sed 's/^heddle-trace 1 .*/heddle-trace 1 F/' spin.trace
"$HEDDLE" -p termination --replay spin.trace spin.c | tail -n 4; echo "exit $?"
sed 's/^loop .*/loop 1/' spin.trace >other.trace
"$HEDDLE" -p termination --replay other.trace spin.c; echo "exit $?"
"$HEDDLE" -p unreach-call --replay spin.trace spin.c; echo "exit $?"
"$HEDDLE" -p termination --json - spin.c | grep -c '"loop"'
cat >ends.c <<'C'
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int n;
void *one(void *arg) {
    for (int i = 0; i < n; i++) ;
    return 0;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
C
"$HEDDLE" -p termination --second-solver --certificate ends.smt2 ends.c; echo "exit $?"
grep -c 'decrease' ends.smt2
