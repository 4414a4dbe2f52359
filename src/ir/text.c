/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/text.h"
#include <string.h>

const char *const approximation_words[] = {"over", "under", "unsupported", "assumed"};
const char *const object_words[5] = {"global", "thread", "local", "heap", "function"};
const char *const location_words[5] = {"", "end", "halt", "error", "stop"};
const char *const order_words[5] = {"seq_cst", "relaxed", "acquire", "release", "acq_rel"};

/* Words that may stand where a name may: a name that is spelt like one is written |quoted|. */
static const char *const reserved[] = {"acq_rel", "acquire", "alive", "alloc",  "any",  "assume", "atomic", "await", "copy",   "create",
                                       "dead",  "fence", "fill",   "free", "goto",   "invalid", "join",   "load",   "local",
                                       "lock",  "lost", "object", "relaxed", "release", "sizeof", "store", "trylock", "undefined", "unlock"};
enum { NRESERVED = sizeof reserved / sizeof *reserved };

unsigned text_word(const char *const *words, unsigned n, const char *name) {
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(words[i], name)) return i;
    return n;
}

bool text_is_reserved(const char *name) { return text_word(reserved, NRESERVED, name) < NRESERVED; }
