/* SPDX-License-Identifier: Apache-2.0 */
/* Models <string.h>. Each byte of memory is accessed in a step of its own, and undefined bytes stay undefined in a copy. Comparisons
   return any number of the right sign. */
#include "heddle.h"

/* ---- memory ---- */
static void copy_byte(u8 *to, const u8 *from) { /* two steps: other threads may step between reading and writing */
    u8 byte;
    __heddle_copy(&byte, from, 1);
    __heddle_copy(to, &byte, 1);
}
MODEL void *memcpy(void *to, const void *from, size_t size) {
    for (size_t i = 0; i < size; i++) copy_byte((u8 *)to + i, (const u8 *)from + i);
    return to;
}
MODEL void *mempcpy(void *to, const void *from, size_t size) { return (u8 *)memcpy(to, from, size) + size; }
MODEL void *memmove(void *to, const void *from, size_t size) {
    if ((size_t)to <= (size_t)from)
        for (size_t i = 0; i < size; i++) copy_byte((u8 *)to + i, (const u8 *)from + i);
    else
        for (size_t i = size; i > 0; i--) copy_byte((u8 *)to + i - 1, (const u8 *)from + i - 1);
    return to;
}
MODEL void *memset(void *to, int byte, size_t size) {
    for (size_t i = 0; i < size; i++) ((u8 *)to)[i] = (u8)byte;
    return to;
}
MODEL void bzero(void *to, size_t size) { memset(to, 0, size); }
static int compare(const void *a, const void *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        int difference = ((const u8 *)a)[i] - ((const u8 *)b)[i];
        if (difference != 0) return difference;
    }
    return 0;
}
MODEL int memcmp(const void *a, const void *b, size_t size) { return ANY_LIKE(compare(a, b, size)); }
MODEL int bcmp(const void *a, const void *b, size_t size) {
    int difference = compare(a, b, size);
    if (__heddle_use() != MATTERS || difference == 0) return difference;
    return any_like(__heddle_choose() ? 1 : -1);
}
MODEL void *memchr(const void *memory, int byte, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (((const u8 *)memory)[i] == (u8)byte) return (u8 *)memory + i;
    return NULL;
}

/* ---- length and comparison ---- */
MODEL size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length] != 0) length++;
    return length;
}
MODEL size_t strnlen(const char *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length] != 0) length++;
    return length;
}
static int compare_text(const char *a, const char *b, size_t most) {
    for (size_t i = 0; i < most; i++) {
        u8 x = (u8)a[i], y = (u8)b[i];
        if (x != y) return x - y;
        if (x == 0) break;
    }
    return 0;
}
MODEL int strncmp(const char *a, const char *b, size_t most) { return ANY_LIKE(compare_text(a, b, most)); }
MODEL int strcmp(const char *a, const char *b) { return ANY_LIKE(compare_text(a, b, (size_t)-1)); }
static u8 lower(char c) { return (u8)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }
static int compare_letters(const char *a, const char *b, size_t most) {
    for (size_t i = 0; i < most; i++) {
        u8 x = lower(a[i]), y = lower(b[i]);
        if (x != y) return x - y;
        if (x == 0) break;
    }
    return 0;
}
MODEL int strncasecmp(const char *a, const char *b, size_t most) { return ANY_LIKE(compare_letters(a, b, most)); }
MODEL int strcasecmp(const char *a, const char *b) { return ANY_LIKE(compare_letters(a, b, (size_t)-1)); }

/* ---- copying ---- */
MODEL char *stpcpy(char *to, const char *from) {
    size_t i = 0;
    for (char c; (c = from[i]) != 0; i++) to[i] = c;
    to[i] = 0;
    return to + i;
}
MODEL char *strcpy(char *to, const char *from) {
    stpcpy(to, from);
    return to;
}
MODEL char *strncpy(char *to, const char *from, size_t size) {
    size_t i = 0;
    for (char c; i < size && (c = from[i]) != 0; i++) to[i] = c;
    for (; i < size; i++) to[i] = 0;
    return to;
}
MODEL char *strcat(char *to, const char *from) {
    stpcpy(to + strlen(to), from);
    return to;
}
MODEL char *strncat(char *to, const char *from, size_t most) {
    size_t end = strlen(to), i = 0;
    for (char c; i < most && (c = from[i]) != 0; i++) to[end + i] = c;
    to[end + i] = 0;
    return to;
}
MODEL char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    MAY_LACK_MEMORY();
    MAY_SET_ERRNO();
    char *copy = __heddle_alloc(length + 1, 0);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}
MODEL char *strdup(const char *text) { return strndup(text, (size_t)-1); }

/* ---- searching ---- */
MODEL char *strchrnul(const char *text, int c) {
    for (char at; (at = *text) != 0 && at != (char)c;) text++;
    return (char *)text;
}
MODEL char *strchr(const char *text, int c) {
    for (;; text++) {
        char at = *text;
        if (at == (char)c) return (char *)text;
        if (at == 0) return NULL;
    }
}
MODEL char *strrchr(const char *text, int c) {
    const char *found = NULL;
    for (;; text++) {
        char at = *text;
        if (at == (char)c) found = text;
        if (at == 0) return (char *)found;
    }
}
static _Bool among(char c, const char *set) {
    for (char at; (at = *set) != 0; set++)
        if (at == c) return 1;
    return 0;
}
MODEL size_t strspn(const char *text, const char *set) {
    size_t length = 0;
    for (char c; (c = text[length]) != 0 && among(c, set);) length++;
    return length;
}
MODEL size_t strcspn(const char *text, const char *set) {
    size_t length = 0;
    for (char c; (c = text[length]) != 0 && !among(c, set);) length++;
    return length;
}
MODEL char *strpbrk(const char *text, const char *set) {
    for (char c; (c = *text) != 0; text++)
        if (among(c, set)) return (char *)text;
    return NULL;
}
MODEL char *strstr(const char *text, const char *part) {
    for (;; text++) {
        size_t i = 0;
        for (char c; (c = part[i]) != 0 && text[i] == c;) i++;
        if (part[i] == 0) return (char *)text;
        if (*text == 0) return NULL;
    }
}
MODEL char *strtok_r(char *text, const char *set, char **rest) {
    if (text == NULL) text = *rest;
    text += strspn(text, set);
    if (*text == 0) {
        *rest = text;
        return NULL;
    }
    char *end = text + strcspn(text, set);
    *rest = end;
    if (*end != 0) {
        *end = 0;
        *rest = end + 1;
    }
    return text;
}
MODEL char *strtok(char *text, const char *set) {
    static char *rest;
    return strtok_r(text, set, &rest);
}
MODEL char *__strtok_r(char *text, const char *set, char **rest) { return strtok_r(text, set, rest); }

static char message[] = "an error";
MODEL char *strerror(int number) {
    (void)number;
    __heddle_over("the text of strerror");
    return message;
}
