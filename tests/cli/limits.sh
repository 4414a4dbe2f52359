# Time, memory and signals: UNKNOWN with the reason, soon, and nothing left behind.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >big.c <<'END'
#include <pthread.h>
#include <assert.h>
unsigned a, b, c;
void *f(void *p) { for (;;) { a += 1; b += a; c ^= b; } }
void *g(void *p) { for (;;) { a += 3; c += a; b ^= c; } }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, f, 0);
    pthread_create(&t, 0, g, 0);
    pthread_join(s, 0);
    assert(0);
}
END
start=$SECONDS
"$HEDDLE" -p unreach-call --engine explicit --timeout 2 -q big.c; echo "exit $?"
((SECONDS - start <= 4)) || echo "took too long: $((SECONDS - start)) s"
yes 'int x;' | head -c 30000000 >slow.c
start=$SECONDS
"$HEDDLE" -p unreach-call --timeout 1 slow.c | sed 1d; echo "exit ${PIPESTATUS[0]}"
((SECONDS - start <= 4)) || echo "took too long: $((SECONDS - start)) s"
for signal in INT TERM; do
    timeout --foreground -s $signal --preserve-status 1 "$HEDDLE" -p unreach-call --engine explicit -q big.c; echo "$signal: exit $?"
done
sleep 0.2
for process in /proc/[0-9]*; do # what still runs here
    [[ $(readlink "$process/cwd") == "$dir" && $(cat "$process/comm") =~ heddle|clang ]] && tr '\0' ' ' <"$process/cmdline"
done 2>/dev/null
ls | sort
