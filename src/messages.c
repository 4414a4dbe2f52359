/* SPDX-License-Identifier: Apache-2.0 */
#include "messages.h"
#include <stdlib.h>
#include <string.h>

typedef struct Message {
    const char *code, *text;
} Message;

#define MESSAGE(code, name, text) {#code, text},
static const Message messages[] = {
#if __has_include("base/messages.def")
#include "base/messages.def"
#endif
#if __has_include("options/messages.def")
#include "options/messages.def"
#endif
#if __has_include("app/messages.def")
#include "app/messages.def"
#endif
#if __has_include("front/messages.def")
#include "front/messages.def"
#endif
#if __has_include("ir/messages.def")
#include "ir/messages.def"
#endif
#if __has_include("system/messages.def")
#include "system/messages.def"
#endif
#if __has_include("expr/messages.def")
#include "expr/messages.def"
#endif
#if __has_include("smt/messages.def")
#include "smt/messages.def"
#endif
#if __has_include("analysis/messages.def")
#include "analysis/messages.def"
#endif
#if __has_include("interpolation/messages.def")
#include "interpolation/messages.def"
#endif
#if __has_include("passes/messages.def")
#include "passes/messages.def"
#endif
#if __has_include("engine/messages.def")
#include "engine/messages.def"
#endif
#if __has_include("result/messages.def")
#include "result/messages.def"
#endif
#if __has_include("check/messages.def")
#include "check/messages.def"
#endif
#if __has_include("explain/messages.def")
#include "explain/messages.def"
#endif
#if __has_include("process/messages.def")
#include "process/messages.def"
#endif
#if __has_include("strategy/messages.def")
#include "strategy/messages.def"
#endif
#if __has_include("witness/messages.def")
#include "witness/messages.def"
#endif
#if __has_include("native/messages.def")
#include "native/messages.def"
#endif
#if __has_include("output/messages.def")
#include "output/messages.def"
#endif
};
#undef MESSAGE

enum { NMESSAGES = sizeof messages / sizeof *messages };

static int by_code(const void *a, const void *b) { return strcmp(((const Message *)a)->code, ((const Message *)b)->code); }

void messages_list(Buf *out) {
    Message sorted[NMESSAGES];
    memcpy(sorted, messages, sizeof sorted);
    qsort(sorted, NMESSAGES, sizeof *sorted, by_code);
    for (size_t i = 0; i < NMESSAGES; i++) buf_printf(out, "%s  %s\n", sorted[i].code, sorted[i].text);
}
