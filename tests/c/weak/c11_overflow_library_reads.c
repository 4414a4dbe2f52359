// expect: UNKNOWN no-overflow is supported under C11 only if no two accesses race, except seq_cst atomics: this access races with the access in line 10, and they are not both seq_cst atomics [H1109]
// flags: -p no-overflow --memory-model c11
// What puts reads races with the write, though its value does not matter to overflows: then nothing is defined.
#include <pthread.h>
#include <stdio.h>

static char text[4] = "ab";

static void *change(void *unused) {
    text[1] = 'c';
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    puts(text);
    pthread_join(t, 0);
    return 0;
}
