// expect: SAFE
/* The string functions, on a shared buffer under a lock. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[12] = "a";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *appender(void *word) {
    pthread_mutex_lock(&mutex);
    strcat(text, word);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, appender, "bc");
    pthread_create(&second, NULL, appender, "de");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(strlen(text) == 5);
    assert(strcmp(text, "abcde") == 0 || strcmp(text, "adebc") == 0);
    assert(strncmp(text, "ab", 1) == 0);
    assert(*strchr(text, 'd') == 'd' && strrchr(text, 'x') == NULL);
    assert(strstr(text, "bc") != NULL);
    char copy[12];
    memcpy(copy, text, sizeof copy);
    assert(memcmp(copy, text, sizeof copy) == 0);
    memmove(copy + 1, copy, 5);
    assert(copy[0] == 'a' && copy[1] == 'a' && copy[6] == 0);
    memset(copy, 'z', 3);
    assert(copy[2] == 'z' && copy[3] == text[2]);
    return 0;
}
