// expect: SAFE
/* Through a constant table of texts, a null pointer or a number nothing of the program can be reached. */
#include <assert.h>
#include <stddef.h>

extern int choose(const char *const *names, void *nothing, long number);
static const char *const names[] = {"first", "second", NULL};
static int x = 1;

int main(void) {
    int chosen = choose(names, NULL, x * 3L);
    assert(x == 1 || chosen == 0);
    return 0;
}
