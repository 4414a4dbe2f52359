/* SPDX-License-Identifier: Apache-2.0 */
#include "app/message_list.h"
#include <stdlib.h>
#include <string.h>

typedef struct Message {
    const char *code, *text;
} Message;

#define PHRASE(name, text)
#define MESSAGE(code, name, text) {#code, text},
static const Message messages[] = {
#include "base/messages.def"
#include "options/messages.def"
#include "app/messages.def"
#include "front/messages.def"
#include "ir/messages.def"
#include "expr/messages.def"
#include "system/messages.def"
#include "smt/messages.def"
#include "passes/messages.def"
#include "engine/messages.def"
#include "result/messages.def"
#include "check/messages.def"
#include "strategy/messages.def"
#include "process/messages.def"
#include "output/messages.def"
#include "explain/messages.def"
#include "native/messages.def"
#include "witness/messages.def"
};
#undef PHRASE
#undef MESSAGE

enum { NMESSAGES = sizeof messages / sizeof *messages };

static int by_code(const void *a, const void *b) { return strcmp(((const Message *)a)->code, ((const Message *)b)->code); }

void messages_list(Buf *out) {
    Message sorted[NMESSAGES];
    memcpy(sorted, messages, sizeof sorted);
    qsort(sorted, NMESSAGES, sizeof *sorted, by_code);
    for (size_t i = 0; i < NMESSAGES; i++) buf_printf(out, "%s  %s\n", sorted[i].code, sorted[i].text);
}
