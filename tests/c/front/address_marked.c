// expect: SAFE
// A mark in the low bit makes a pointer different from every other node, freed or not: those are aligned.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct node { struct node *next; int data; };

static struct node *marked(struct node *n) { return (struct node *)((uintptr_t)n | 1); }

int main(void) {
    struct node *nodes[3];
    for (int i = 0; i < 3; i++) nodes[i] = malloc(sizeof **nodes);
    nodes[0]->next = nodes[1];
    nodes[1]->next = marked(nodes[2]);
    assert(nodes[1]->next != nodes[0]->next);
    free(nodes[2]);
    nodes[2] = malloc(sizeof **nodes);
    assert(nodes[1]->next != nodes[2]);
    return 0;
}
