// expect: UNKNOWN more than 16 stores wait in a store buffer: such executions are omitted
// flags: --memory-model tso
// So many bytes that may be late are more than is followed.
#include <assert.h>
#include <pthread.h>
#include <string.h>

char buffer[100];
int flag, a, b;

void *first(void *p) {
    memset(buffer, 1, sizeof buffer);
    a = flag;
    return p;
}
void *second(void *p) {
    flag = 1;
    __sync_synchronize();
    b = buffer[50];
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a == 1 || b == 1);
    return 0;
}
