// expect: SAFE
#include <assert.h>
#include <strings.h>
#include <wchar.h>

int main(void) {
    wchar_t a[8], b[8];
    wcscpy(a, L"ab");
    wcscat(a, L"c");
    assert(wcslen(a) == 3 && a[2] == L'c' && a[3] == 0);
    wmemset(b, L'x', 8);
    wmemcpy(b, a, 4);
    assert(wcscmp(a, b) == 0 && wcscmp(a, L"abd") < 0 && wcsncmp(a, L"abd", 2) == 0);
    assert(wcschr(a, L'b') == a + 1 && !wcschr(a, L'z'));
    assert(ffs(0) == 0 && ffs(8) == 4);
    return 0;
}
