// expect: SAFE
// flags: -e impact
/* Structs of a local array are copied one by one, at places known when it happens. */
#include <assert.h>

struct node {
    char tag;
    int value;
    int *pointer;
};

int main(void) {
    int x = 5;
    struct node a[3], b[3];
    for (int i = 0; i < 3; i++) a[i].tag = (char)i, a[i].value = 7, a[i].pointer = &x;
    for (int i = 0; i < 3; i++) b[i] = a[2 - i];
    for (int i = 0; i < 3; i++) assert(b[i].value == 7 && *b[i].pointer == 5);
    assert(b[0].tag == 2);
    return 0;
}
