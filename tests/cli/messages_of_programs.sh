# SPDX-License-Identifier: Apache-2.0
# Messages about programs that an engine cannot decide, and the advice that follows: the first message, or the first that matches a pattern.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
c=$PWD/../c examples=$PWD/../../examples ir=$PWD/../ir
cd "$dir" || exit
messages() { "$HEDDLE" --timeout 5 "$@" 2>&1 | grep '\[H[0-9]*\]$' | sed "s:$c/::g; s:$examples/::g; s:$ir/::g"; }
first() { messages "$@" | head -1; }
advice() { messages "$@" | grep ' to try: '; }
picked() { local pattern=$1; shift; messages "$@" | grep "$pattern" | sort -u; }
head='#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);'
program() { printf '%s\n%s\n' "$head" "$2" >"$1.c"; }
program many 'int x; void *f(void *p) { x = 1; return p; }
int main(void) { pthread_t t[40]; for (int i = 0; i < 40; i++) pthread_create(&t[i], 0, f, 0); for (int i = 0; i < 40; i++) pthread_join(t[i], 0); assert(x); }'
program ends 'int main(void) { void *p = malloc(4); free(p); pthread_exit(0); }'
program creates 'void *f(void *p) { return p; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }'
program exits 'static void f(void) { int *p = malloc(4); *p = 1; exit(0); }
int main(void) { f(); }'
program asserts 'int x;
int main(void) { if (x) { assert(x == 3); assert(x == 4); assert(x > 1); assert(x < 7); assert(x); } assert(x == 0); }'
program bits 'int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); assert((x ^ y) != 7); }'
program own 'static __thread int x; int *p; void *f(void *a) { x = 1; p = &x; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(p != 0); }'
program local 'int *p; void *f(void *a) { int x = 1; p = &x; x = 2; assert(*p > 0); return a; }
int main(void) { pthread_t t; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0); }'
program sites 'int *g; void *f(void *a) { int *p = malloc(4); *p = 1; g = p; return a; }
int main(void) { pthread_t t; int *q = malloc(4); *q = 1; g = q; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0); *g = 3; assert(*g > 0); }'
echo '# memory as variables'
first -p unreach-call -e redcomp $c/engines/redcomp/sites_compared.c
first -p unreach-call -e redcomp $c/front/address_parts_compared.c
first -p unreach-call -e redcomp own.c
first -p unreach-call -e redcomp local.c
first -p unreach-call -e redcomp sites.c
echo '# properties'
first -p valid-memcleanup -e redcomp ends.c
first -p valid-memsafety ends.c
picked H0808 -p valid-memsafety -e explicit exits.c
first -p no-overflow -e explicit creates.c
picked more -p unreach-call asserts.c
first -p no-data-race -e race-free $examples/lost_update.c
echo '# engines that find no proof'
first -p unreach-call -e weave --arith int bits.c
first -p unreach-call -e redcomp --rule modular $c/engines/redcomp/asm_many.c
picked H0852 -p unreach-call -e redcomp --rule modular $c/engines/redcomp/asm_many.c
first -p termination -e redcomp --rule product $c/termination/termination_noreturn.c
first --memory-model c11 -e rc11 -p unreach-call many.c
first --memory-model c11 -e rc11 -p unreach-call $examples/car_park.c
echo '# advice'
advice -p unreach-call -e explicit $c/engines/explicit/inputs_equal_sum.c
advice -p unreach-call -e redcomp local.c
advice -p no-overflow -e explicit creates.c
advice -p no-data-race $c/races/race_acquire_both_miss.c
advice -p unreach-call --memory-model tso $c/weak/tso_filled.c
advice -p no-deadlock $c/deadlock/deadlock_rwlock_open.c
advice -p valid-memsafety -e redcomp exits.c
advice -p termination -e explicit --timeout 1 --memory-model tso $examples/car_park.c
