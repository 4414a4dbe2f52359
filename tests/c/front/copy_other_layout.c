// expect: SAFE
/* Bytes are copied whatever struct the program has elsewhere with that size. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct mixed {
    int x;
    char c;
} mixed;
struct reversed {
    char c;
    int x;
} reversed;
struct bytes {
    char b[8];
} bytes;

int main(void) {
    char *p = malloc(8), *q = malloc(8);
    if (!p || !q) return 0;
    for (int i = 0; i < 8; i++) p[i] = (char)i, q[i] = 0, bytes.b[i] = (char)i;
    *(struct bytes *)q = *(struct bytes *)p;
    assert(q[7] == 7 && q[5] == 5);
    memcpy(&mixed, &bytes, 8);
    memcpy(&reversed, &mixed, 8);
    assert(((char *)&mixed)[6] == 6 && ((char *)&reversed)[2] == 2 && reversed.c == 0);
    return 0;
}
