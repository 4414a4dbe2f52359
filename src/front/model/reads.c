/* SPDX-License-Identifier: Apache-2.0 */
/* Reading without a use for it. Where the property is about accesses, the front end calls these for what a library function looks at while the
   rest of its model has no need to (reads.c of the front end). */
#include "heddle.h"

MODEL void __heddle_read_text(const char *text) {
    while (*text != 0) text++;
}
/* No more than that of it. */
MODEL void __heddle_read_most(const char *text, size_t most) {
    for (size_t i = 0; i < most && text[i] != 0; i++) {
    }
}
MODEL void __heddle_read_bytes(const void *memory, size_t size) {
    for (size_t i = 0; i < size; i++) (void)((const u8 *)memory)[i];
}
/* As printf does with the only argument it has: it may ask for no more. */
MODEL void __heddle_read_format(const char *format) {
    for (char c; (c = *format) != 0; format++)
        if (c == '%' && *++format != '%') __heddle_unsupported("a format that is not a constant, with conversions");
}
