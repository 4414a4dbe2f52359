// expect: SAFE
/* Comparisons of texts and memory have the right sign. */
#include <assert.h>
#include <string.h>

int main(void) {
    char apple[] = "apple", b[] = "b";
    int order = strcmp(apple, "banana");
    assert(order < 0);
    assert(strcmp(b, "a") > 0);
    assert(memcmp(apple, "ap", 2) == 0);
    assert(strncmp(apple, "apt", 2) == 0);
    return 0;
}
