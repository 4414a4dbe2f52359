// expect: UNSAFE assertion variables[0][0] != 'H' fails
// The environment is any, too.
#include <assert.h>

int main(int argc, char **argv, char **variables) {
    if (variables[0]) assert(variables[0][0] != 'H');
    return 0;
}
