// expect: SAFE
/* Double-checked initialisation as it should be: the published pointer is atomic, and it is stored after what it points
   to is ready. Whoever sees the pointer sees the whole object, and there is only one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct Settings {
    int width, height;
} Settings;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Settings storage;
static _Atomic(Settings *) settings;
static int initialised;

static Settings *get_settings(void) {
    Settings *result = atomic_load(&settings);
    if (result == NULL) {
        pthread_mutex_lock(&mutex);
        result = atomic_load(&settings);
        if (result == NULL) {
            initialised++;
            storage.width = 80;
            storage.height = 25;
            result = &storage;
            atomic_store(&settings, result);
        }
        pthread_mutex_unlock(&mutex);
    }
    return result;
}

static void *user(void *unused) {
    (void)unused;
    Settings *seen = get_settings();
    assert(seen->width * seen->height == 2000);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, user, NULL);
    pthread_create(&second, NULL, user, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(initialised == 1);
    return 0;
}
