// expect: SAFE
// flags: --memory-model tso
// Any number of messages, one after the other; no fence is needed.
#include <assert.h>
#include <pthread.h>

int data, full;

void *sender(void *p) {
    for (int n = 0;;) {
        if (full) continue;
        n = n < 1000000 ? n + 1 : 0;
        data = n;
        full = 1;
    }
    return p;
}
void *receiver(void *p) {
    for (int last = 0;;) {
        if (!full) continue;
        assert(data == (last < 1000000 ? last + 1 : 0));
        last = data;
        full = 0;
    }
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, sender, 0);
    pthread_create(&t, 0, receiver, 0);
    pthread_join(s, 0);
    return 0;
}
