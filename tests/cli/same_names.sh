# SPDX-License-Identifier: Apache-2.0
# Functions and variables of one name: people see the names of the source, and which is meant.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
tell() { sed 's/  [0-9.]* s$/  T s/; /^note/d'; }
echo '# static functions of two files'
cat >one.c <<'C'
#include <assert.h>
#include <pthread.h>
int x;
void go(pthread_t *);
static void *work(void *a) {
    x++;
    return a;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    go(&u);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 3);
}
C
cat >two.c <<'C'
#include <pthread.h>
extern int x;
static void *work(void *a) {
    x += 2;
    return a;
}
void go(pthread_t *t) { pthread_create(t, 0, work, 0); }
C
"$HEDDLE" -p unreach-call one.c two.c --witness w.yml --json w.json --sarif w.sarif --html w.html | tell
grep -c 'function: "work"' w.yml
grep -l 'work[.#]' w.yml w.json w.sarif w.html
for files in 'one.c two.c' 'two.c one.c'; do "$HEDDLE" --check-witness w.yml $files | tell | head -1; done
