// expect: UNKNOWN a function with arguments that runs before main
/* The C library hands main's arguments to constructors. */
#include <assert.h>
static int n;
__attribute__((constructor)) static void start(int argc, char **argv) { (void)argv; n = argc; }
int main(void) { assert(n == 1); }
