# The engine auto on one, two and more processors: the same answers. With --jobs 1 no more than one is used.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
verdict() { "$HEDDLE" -p unreach-call -q "$@" | sed -E 's/  .*//'; }
for jobs in 1 2 4; do
    echo "# $jobs"
    verdict -j $jobs ../../examples/locked_counter.c # SAFE, by all states
    verdict -j $jobs ../bench/protocols/lock_bit_count.c # SAFE, by a proof: there are too many states
    verdict -j $jobs ../bench/protocols/bluetooth2_bug.c # UNSAFE
done
cat >"$dir/long.c" <<'END'
#include <pthread.h>
#include <assert.h>
unsigned a, b = 1, c = 2;
void *f(void *p) { for (;;) { a += 1; b += a * c; c ^= b; } }
void *g(void *p) { for (;;) { a += 3; c += a * b; b ^= c; } }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, f, 0);
    pthread_create(&t, 0, g, 0);
    for (;;) assert(a * b != 77 || c * b != 99 || a != 1234567);
}
END
for jobs in 1 4; do
    TIMEFORMAT='%R %U %S'
    { time "$HEDDLE" -p unreach-call -t 3 --jobs $jobs "$dir/long.c" >"$dir/out"; } 2>"$dir/time"
    sed -En '1s/  .*//p' "$dir/out"
    awk -v jobs=$jobs '{ if (jobs == 1 && $2 + $3 > 1.3 * $1) print "more than one processor was used: " $0 }' "$dir/time"
done
"$HEDDLE" -p unreach-call --jobs x "$dir/long.c"; echo "exit $?"
