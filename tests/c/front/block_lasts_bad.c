// expect: UNSAFE
/* The variable of the outer block is alive; another thread has changed it. */
#include <assert.h>
#include <pthread.h>

static void *change(void *a) {
    *(int *)a = 2;
    return 0;
}

int main(void) {
    int *p;
    {
        int x = 1;
        pthread_t t;
        {
            int z = 3;
            p = z ? &x : &z;
            pthread_create(&t, 0, change, p);
        }
        pthread_join(t, 0);
        assert(*p == 1);
    }
    return 0;
}
