// expect: SAFE
// flags: --timeout 20
// Fields of structs hold functions of one type that call through the fields of others: told apart, there are few ways; else each calls all, six levels deep.
#include <assert.h>
#include <pthread.h>
struct work { void (*work)(void *); void (*done)(void *); struct work *next; };
struct timer { void (*fires)(void *); };
struct stream { void (*reads)(void *); void (*writes)(void *); };
static struct timer timer;
static struct stream stream;
static int worked, finished, fired, read_, written;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void on_write(void *a) { (void)a; written++; }
static void on_read(void *a) { read_++; stream.writes(a); }
static void on_timer(void *a) { fired++; stream.reads(a); }
static void on_done(void *a) { finished++; timer.fires(a); }
static void on_work(void *a) { struct work *w = a; worked++; w->done(w->next); }
static void *run(void *a) {
    struct work *w = a;
    pthread_mutex_lock(&m);
    w->work(w);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    static struct work first = {on_work, on_done, 0}, second;
    pthread_t a, b;
    timer.fires = on_timer;
    stream.reads = on_read;
    stream.writes = on_write;
    second = first;
    pthread_create(&a, 0, run, &first);
    pthread_create(&b, 0, run, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(worked == 2 && finished == 2 && fired == 2 && read_ == 2 && written == 2);
}
