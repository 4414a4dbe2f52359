// expect: UNKNOWN the characters that scanf reads
// A word that fits, of letters that are no spaces.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char word[4];
    if (scanf("%3s", word) != 1) return 0;
    assert(word[0] != 'x' || word[1] != 0);
    return 0;
}
