// expect: UNSAFE
// flags: -p valid-memsafety
// The local of one round is dead, though that of the next round has its name.
#include <pthread.h>
static void *writer(void *place) {
    *(int *)place = 1;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        int local = 0;
        pthread_create(&t[i], 0, writer, &local);
        if (i == 1) pthread_join(t[1], 0);
    }
    pthread_join(t[0], 0);
}
