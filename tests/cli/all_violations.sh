# --all-violations: one story for each place, and whether there may be more.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
told() { grep '^[a-z]*\.c:\|^note: \|^UN\|^SAFE'; }
cat >races.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *thread(void *unused) {
    x++;
    y++;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    assert(y == 2);
    return 0;
}
C
"$HEDDLE" --all-violations -p unreach-call races.c | told | sort
"$HEDDLE" --all-violations -p no-data-race --json j races.c | told | sort | sed 's/thread [23]/thread N/g; s/reads\|writes/touches/g; s/^\(races.c:[0-9]*\):[0-9]*/\1/'
python3 -c 'import json; print([r["verdict"] for r in json.load(open("j"))])'
cat >memory.c <<'C'
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int() & 3, *p = malloc(4);
    if (!p) return 0;
    if (n == 1) p[1] = 1;
    if (n == 2) free(p);
    if (n == 3) return p[-1];
    free(p);
    return 0;
}
C
"$HEDDLE" --all-violations -p valid-memsafety memory.c | told | sort
"$HEDDLE" --all-violations -p valid-memsafety -e redcomp memory.c | told | sort
cat >waits.c <<'C'
#include <pthread.h>
int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_int()) pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}
C
"$HEDDLE" --all-violations -p no-deadlock waits.c | told | sort
"$HEDDLE" -q --all-violations -p no-deadlock waits.c
# stdout is JSON, and the note is in it
"$HEDDLE" --all-violations -p no-deadlock --json - waits.c | python3 -c 'import json, sys; print([r["notes"][-1:] for r in json.load(sys.stdin)])'
"$HEDDLE" --all-violations -p no-deadlock --sarif - waits.c | head -1
