/* SPDX-License-Identifier: Apache-2.0 */
/* Models strings of wide characters like those of <string.h>. */
#include "heddle.h"

typedef __WCHAR_TYPE__ Wide;

MODEL size_t wcslen(const Wide *text) {
    size_t length = 0;
    while (text[length] != 0) length++;
    return length;
}
static int compare(const Wide *a, const Wide *b, size_t most) {
    for (size_t i = 0; i < most; i++) {
        Wide x = a[i], y = b[i];
        if (x != y) return x < y ? -1 : 1;
        if (x == 0) break;
    }
    return 0;
}
MODEL int wcsncmp(const Wide *a, const Wide *b, size_t most) { return ANY_LIKE(compare(a, b, most)); }
MODEL int wcscmp(const Wide *a, const Wide *b) { return ANY_LIKE(compare(a, b, (size_t)-1)); }
MODEL Wide *wcscpy(Wide *to, const Wide *from) {
    size_t i = 0;
    for (Wide c; (c = from[i]) != 0; i++) to[i] = c;
    to[i] = 0;
    return to;
}
MODEL Wide *wcsncpy(Wide *to, const Wide *from, size_t size) {
    size_t i = 0;
    for (Wide c; i < size && (c = from[i]) != 0; i++) to[i] = c;
    for (; i < size; i++) to[i] = 0;
    return to;
}
MODEL Wide *wcscat(Wide *to, const Wide *from) {
    wcscpy(to + wcslen(to), from);
    return to;
}
MODEL Wide *wcschr(const Wide *text, Wide c) {
    for (;; text++) {
        Wide at = *text;
        if (at == c) return (Wide *)text;
        if (at == 0) return NULL;
    }
}
MODEL Wide *wmemset(Wide *to, Wide c, size_t size) {
    for (size_t i = 0; i < size; i++) to[i] = c;
    return to;
}
MODEL Wide *wmemcpy(Wide *to, const Wide *from, size_t size) {
    for (size_t i = 0; i < size; i++) {
        Wide c;
        __heddle_copy(&c, from + i, sizeof c);
        __heddle_copy(to + i, &c, sizeof c);
    }
    return to;
}
MODEL int wmemcmp(const Wide *a, const Wide *b, size_t size) {
    int difference = 0;
    for (size_t i = 0; i < size && difference == 0; i++) difference = (a[i] > b[i]) - (a[i] < b[i]);
    return ANY_LIKE(difference);
}
