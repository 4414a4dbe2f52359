# SPDX-License-Identifier: Apache-2.0
# --harness: a thread for each function, any arguments, shared objects; what is printed can be verified. --compile-commands: each file its own flags.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" && mkdir -p src include build other
cat >include/queue.h <<'C'
struct queue { int n; pthread_mutex_t m; };
typedef unsigned int word;
C
cat >src/queue.c <<'C'
#include <pthread.h>
#include PLACE
static int push(struct queue *q, int v, word w, double d, const char *text) {
    pthread_mutex_lock(&q->m);
    q->n += SIZE;
    pthread_mutex_unlock(&q->m);
    return v + (int)w + (d > 0) + !text;
}
int pop(struct queue *, void (*)(int), struct queue);
int pop(struct queue *q, void (*done)(int), struct queue by_value) {
    if (done) done(by_value.n);
    return q->n += push(q, 1, 2, 3, "");
}
int main(void) { return 0; }
C
cat >build/compile_commands.json <<'J'
[
 {"directory": "DIR/build", "command": "cc -O2 -Wall -I../include '-DPLACE=\"queue.h\"' -D SIZE=2 -o x.o -c ../src/queue.c", "file": "../src/queue.c"},
 {"directory": "DIR/other", "arguments": ["cc", "-DNEEDED=1", "-c", "use.c"], "file": "use.c"}
]
J
sed -i "s|DIR|$dir|" build/compile_commands.json
"$HEDDLE" --harness push,pop --compile-commands build src/queue.c >harness.c; echo "exit $?"; cat harness.c
"$HEDDLE" -q harness.c -- -Iinclude -DPLACE='"queue.h"' -DSIZE=2; echo "exit $?"
"$HEDDLE" --harness push,nothing src/queue.c -- -Iinclude -DPLACE='"queue.h"' -DSIZE=2; echo "exit $?"
"$HEDDLE" --harness push src/queue.c 2>&1 | head -1
"$HEDDLE" -q --compile-commands build src/queue.c; echo "exit $?"
echo 'int f(void) { return NEEDED; }' >other/use.c
"$HEDDLE" -q --compile-commands build/compile_commands.json; echo "exit $?"
echo 'int f(void) { return MISSING; }' >other/use.c
"$HEDDLE" -q --compile-commands build 2>&1 | sed "s|$dir/||"; echo "exit ${PIPESTATUS[0]}"
"$HEDDLE" -q --compile-commands nowhere src/queue.c; echo "exit $?"
echo '{}' >bad.json; "$HEDDLE" -q --compile-commands bad.json src/queue.c; echo "exit $?"
echo '[' >bad.json; "$HEDDLE" -q --compile-commands bad.json src/queue.c; echo "exit $?"
echo '[]' >bad.json; "$HEDDLE" -q --compile-commands bad.json; echo "exit $?"
"$HEDDLE" --harness push --compile-commands build src/queue.c >/dev/full; echo "exit $?"
# types without an object here: not complete, or without a name; arrays
cat >odd.c <<'C'
struct opaque;
typedef struct opaque hidden;
typedef struct { int a; } named;
int odd(struct opaque *o, hidden *h, union { int a; } *u, int three[static 3], const long four[ 4 ], int n, int open[n], named *t) { return o && h && u && t && three[0] + four[0] + open[n]; }
int worse(int n, struct { int z; } s, hidden *h) { return n + s.z + !h; }
C
"$HEDDLE" --harness odd,worse odd.c >odd_harness.c; echo "exit $?"; sed -n '/^static/,/^int main/p' odd_harness.c
"$HEDDLE" -q -p no-deadlock odd_harness.c; echo "exit $?"
"$HEDDLE" --harness '' odd.c; echo "exit $?"
