// expect: SAFE
// flags: --args "-v -n 12 -x file"
// Options and their arguments, in order.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int verbose = 0, n = 0, bad = 0;
    for (int c; (c = getopt(argc, argv, "vn:")) != -1;) {
        if (c == 'v') verbose = 1;
        else if (c == 'n') n = atoi(optarg);
        else bad = optopt;
    }
    assert(verbose == 1 && n == 12 && bad == 'x');
    assert(optind == argc - 1);
    return 0;
}
