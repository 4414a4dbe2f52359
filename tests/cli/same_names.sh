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
echo '# static variables of two files'
cat >one.c <<'C'
#include <assert.h>
#include <pthread.h>
static int count;
int get(void);
void *other(void *);
static void *work(void *a) {
    count += 3;
    return a;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(count + get() != 8);
}
C
cat >two.c <<'C'
static int count;
void *other(void *a) {
    count += 5;
    return a;
}
int get(void) { return count; }
C
"$HEDDLE" -p unreach-call one.c two.c --html w.html | grep -o '[^ ]* count (.*'
grep -oE 'count \((one|two).c\)' w.html | sort -u
echo '# locals of two threads, and statics of two functions'
cat >one.c <<'C'
#include <assert.h>
#include <pthread.h>
int *first, *second;
static void *work(void *a) {
    int v = (int)(long)a;
    *(v == 3 ? &first : &second) = &v;
    for (;;)
        ;
}
static int up(void) {
    static int n;
    return n += 1;
}
static int down(void) {
    static int n;
    return n -= 1;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, (void *)3);
    pthread_create(&u, 0, work, (void *)4);
    if (first && second) {
        up();
        assert(*first + *second + down() != 6);
    }
}
C
"$HEDDLE" -p unreach-call one.c | grep -oE '(reads )?&?[vn] \(.*'
