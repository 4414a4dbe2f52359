/* SPDX-License-Identifier: Apache-2.0 */
/* The words of .hir text, shared by its printer and its parser. */
#ifndef HEDDLE_IR_TEXT_H
#define HEDDLE_IR_TEXT_H
#include <stdbool.h>

extern const char *const approximation_words[]; /* by ApproximationKind */
extern const char *const object_words[5];        /* by ObjectKind */
extern const char *const location_words[5];      /* by LocationKind; "" for PLAIN */
extern const char *const order_words[5];         /* by MemoryOrder; the first is not written */
bool text_is_reserved(const char *name);
/* Which of the n words name is; n if none. */
unsigned text_word(const char *const *words, unsigned n, const char *name);

#endif
