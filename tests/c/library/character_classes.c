// expect: SAFE
/* <ctype.h> and tokens of a text. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

int main(void) {
    char text[] = "x1, Yz";
    int letters = 0, digits = 0, others = 0;
    for (char *c = text; *c != 0; c++) {
        if (isalpha((unsigned char)*c)) letters++;
        else if (isdigit((unsigned char)*c)) digits++;
        else others++;
    }
    assert(letters == 3 && digits == 1 && others == 2);
    assert(toupper('q') == 'Q' && tolower('Q') == 'q' && !isspace('.') && isspace('\n'));
    char *first = strtok(text, ", "), *second = strtok(NULL, ", ");
    assert(strcmp(first, "x1") == 0 && strcmp(second, "Yz") == 0 && strtok(NULL, ", ") == NULL);
    return 0;
}
