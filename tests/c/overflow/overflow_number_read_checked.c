// expect: SAFE
// flags: --property no-overflow --timeout 60
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[4] = "";
    if (fgets(line, sizeof line, stdin) == NULL) return 0;
    int number = atoi(line);
    if (number == INT_MAX) return 0;
    return number + 1 < 0;
}
