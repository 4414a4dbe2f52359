// expect: SAFE
// flags: -p no-data-race
#include <pthread.h>
#include <stdio.h>
char text[4] = "abc";
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *unused) {
    pthread_mutex_lock(&lock);
    text[1] = 'x';
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    printf("%.1s %s\n", text, "constant");
    pthread_mutex_lock(&lock);
    puts(text);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
