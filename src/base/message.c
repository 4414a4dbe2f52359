/* SPDX-License-Identifier: Apache-2.0 */
#include "base/message.h"
#include <stdbool.h>
#include <string.h>

enum { DIGITS = 4, TAIL = sizeof " [H0123]" - 1 };

/* True if these bytes are a code in brackets behind a blank. */
static bool is_tail(const char *tail) {
    return !strncmp(tail, " [H", 3) && strspn(tail + 3, "0123456789") == DIGITS && tail[TAIL - 1] == ']';
}

size_t message_length(const char *text) {
    size_t n = strlen(text), end = n;
    while (end && text[end - 1] == '\n') end--;
    return end >= TAIL && is_tail(text + end - TAIL) ? end - TAIL : n;
}

const char *message_code(char buffer[MESSAGE_CODE], const char *text) {
    size_t n = message_length(text);
    if (!is_tail(text + n)) return NULL;
    memcpy(buffer, text + n + 2, DIGITS + 1);
    buffer[DIGITS + 1] = 0;
    return buffer;
}
