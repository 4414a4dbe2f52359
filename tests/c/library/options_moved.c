// expect: UNKNOWN getopt with options behind other arguments
// flags: --args "file -v"
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv) {
    while (getopt(argc, argv, "v") != -1) {}
    assert(optind == 2);
    return 0;
}
