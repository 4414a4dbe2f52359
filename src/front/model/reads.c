/* SPDX-License-Identifier: Apache-2.0 */
/* Reads memory without a use for it. For properties about accesses, the front end calls these for reads of a library function that the
   rest of its model does not need (reads.c of the front end). */
#include "heddle.h"

MODEL void __heddle_read_text(const char *text) {
    while (*text != 0) text++;
}
/* Reads at most `most` bytes. */
MODEL void __heddle_read_most(const char *text, size_t most) {
    for (size_t i = 0; i < most && text[i] != 0; i++) {
    }
}
MODEL void __heddle_read_bytes(const void *memory, size_t size) {
    for (size_t i = 0; i < size; i++) (void)((const u8 *)memory)[i];
}
/* Reads the only argument of printf, which therefore must not ask for more arguments. */
MODEL void __heddle_read_format(const char *format) {
    for (char c; (c = *format) != 0; format++)
        if (c == '%' && *++format != '%') __heddle_unsupported("a format that is not a constant, with conversions");
}
