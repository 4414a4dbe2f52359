// expect: UNSAFE
/* Memory of any contents. */
#include <assert.h>
#include <stddef.h>

extern void __VERIFIER_nondet_memory(void *memory, size_t size);

int main(void) {
    int x = 0;
    __VERIFIER_nondet_memory(&x, sizeof x);
    assert(x != 70000);
    return 0;
}
