// expect: SAFE
// Members beside an array of pointers, and the bytes of a text beside a pointer, are no parts of addresses.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct queue {
    int *items[4];
    unsigned head, tail;
} q;
static struct node {
    struct node *next;
    char name[8];
} first = {0, "first"}, second = {&first, "second"};

int main(void) {
    int n;
    for (int i = 0; i < 3; i++) q.items[q.tail++] = &n;
    q.head++;
    assert(q.tail - q.head == 2);
    assert(strcmp(second.name, first.name) > 0 && strlen(second.next->name) == 5);
    return 0;
}
