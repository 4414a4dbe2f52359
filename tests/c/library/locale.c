// expect: UNKNOWN setlocale
/* Which characters are letters depends on the locale. */
#include <assert.h>
#include <ctype.h>
#include <locale.h>

int main(void) {
    setlocale(LC_ALL, "");
    assert(!isalpha(0xe9));
    return 0;
}
