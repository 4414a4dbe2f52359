// A flag says who may go, a structure holds bit-fields and a pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct state {
    unsigned ready : 1, kind : 3;
    int depth : 4;
    int *to;
} s;
int data;
long big;
atomic_int flag;
THREADS(writer, reader)

void *writer(void *arg) {
    START(writer)
    data = 42;
    AT s.kind = 5;
    AT s.depth = -3;
    AT s.to = &data;
    AT big = 10000000000;
    AT flag = 1;
    END
    return arg;
}

void *reader(void *arg) {
    START(reader)
    if (flag) {
        AT assert(data == 42 && s.kind == 5 && s.depth == -3 && s.to == &data && big > 1000);
    }
    END
    return arg;
}

int main(void) {
    pthread_t t, u;
    START(main)
    pthread_create(&t, NULL, writer, NULL);
    pthread_create(&u, NULL, reader, NULL);
    END
    return 0;
}
