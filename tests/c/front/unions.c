// expect: SAFE
/* A union read through another member shows the bytes. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint16_t half[2];
    uint8_t byte[4];
} shared;

static void *worker(void *argument) {
    shared.byte[*(int *)argument] = 0xab;
    return NULL;
}

int main(void) {
    int places[2] = {1, 2};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &places[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(shared.word == 0x00abab00);
    assert(shared.half[0] == 0xab00 && shared.half[1] == 0x00ab);
    return 0;
}
