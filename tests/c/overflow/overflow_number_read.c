// expect: UNSAFE signed integer overflow
// flags: --property no-overflow --timeout 20
// A line of input is text: some text is the largest number.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[14] = "";
    if (fgets(line, sizeof line, stdin) == NULL) return 0;
    int number = atoi(line);
    return number + 1 < 0;
}
