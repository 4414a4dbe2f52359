// expect: UNKNOWN call of the unknown function read_options, which gets a pointer
/* A constant table leads to a variable, which may be changed. */
#include <assert.h>

static int verbose;
struct Option {
    const char *name;
    int *value;
};
extern void read_options(const struct Option *options);

int main(void) {
    static const struct Option options[] = {{"verbose", &verbose}, {0, 0}};
    read_options(options);
    assert(verbose == 0);
    return 0;
}
