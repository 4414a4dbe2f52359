// expect: SAFE
// flags: -p valid-memsafety -e impact --second-solver
#include <stdlib.h>
static struct Node { struct Node *next; int value; } *head;
int main(void) {
    head = malloc(sizeof *head);
    head->value = 1;
    head->next = malloc(sizeof *head);
    head->next->next = 0;
    head->next->value = 2;
}
