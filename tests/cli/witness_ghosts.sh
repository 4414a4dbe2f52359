# SPDX-License-Identifier: Apache-2.0
# Invariants in the witness of a proof: what does not hold inside a critical section is said with a ghost variable; all of it is confirmed.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
schema=$PWD/../schema/schema.py
cd "$dir" || exit
cat >pair.c <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *both(void *a) {
    pthread_mutex_lock(&m);
    x++;
    y++;
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, both, 0);
    pthread_mutex_lock(&m);
    assert(x == y);
    pthread_mutex_unlock(&m);
    return 0;
}
C
"$HEDDLE" -q -p unreach-call -e redcomp --witness w.yml pair.c | sed 's/  [0-9.]* s/  T s/'
python3 "$schema" witness w.yml
grep -E 'entry_type|line:|value:|name: "m|variable' w.yml
check() { "$HEDDLE" -q --check-witness "$1" pair.c | sed 's/  [0-9.]* s/  T s/'; echo "exit ${PIPESTATUS[0]}"; }
check w.yml
sed 's/m_locked || //' w.yml >broken.yml; check broken.yml          # not without the ghost
sed 's/"m_locked"/"x"/' w.yml >broken.yml; check broken.yml          # a ghost is not a variable of the program
sed 's/line: 9/line: 7/' w.yml >broken.yml; check broken.yml         # it is freed too early
