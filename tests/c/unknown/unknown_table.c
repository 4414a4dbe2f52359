// expect: UNKNOWN call of the unknown function install, which gets a pointer
/* A constant table leads to a function, which may be called. */
#include <assert.h>

struct Operations {
    const char *name;
    void (*run)(void);
};
extern void install(const struct Operations *operations);

static void run(void) { assert(0); }
static const struct Operations operations = {"run", run};

int main(void) {
    install(&operations);
    return 0;
}
