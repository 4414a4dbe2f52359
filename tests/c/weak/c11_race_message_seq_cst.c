// expect: SAFE
// flags: -p no-data-race --memory-model c11
// A message whose flag is seq_cst.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data, got;

void *first(void *p) {
    data = 1;
    atomic_store(&flag, 1);
    return p;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, 0, first, 0);
    if (atomic_load(&flag)) got = data;
    pthread_join(s, 0);
    return got;
}
