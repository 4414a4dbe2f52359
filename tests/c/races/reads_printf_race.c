// expect: UNSAFE
// flags: -p no-data-race
// Output reads its arguments.
#include <pthread.h>
#include <stdio.h>
char text[4] = "abc";
static void *thread(void *unused) {
    text[1] = 'x';
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    printf("%s\n", text);
    pthread_join(t, NULL);
    return 0;
}
