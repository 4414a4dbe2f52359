// expect: UNSAFE use of a synchronisation object that was destroyed or never initialised
// flags: -p valid-memsafety
#include <semaphore.h>
int main(void) {
    sem_t s;
    sem_init(&s, 0, 1);
    sem_destroy(&s);
    sem_post(&s);
}
