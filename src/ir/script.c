/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/script.h"

static u128 read_choice(void *context, const Choice *c) {
    Script *s = context;
    (void)c;
    if (s->next < vec_len(s->choices)) return s->choices[s->next++];
    s->missing = true;
    return 0;
}

Chooser script_chooser(Script *s) { return (Chooser){read_choice, s}; }

bool script_is_used_up(const Script *s) { return !s->missing && s->next == vec_len(s->choices); }
