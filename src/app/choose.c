/* SPDX-License-Identifier: Apache-2.0 */
#include "app/choose.h"
#include "witness/check_witness.h"
#include "load.h"
#include "result/property.h"
#include <math.h>
#include <unistd.h>

static bool dumps(const Options *o) { return o->dump_after || o->dump_ir || o->dump_blocks || o->dump_chc; }

/* A property's file may be a pipe that nobody writes to: the time limit holds for it, too. */
static bool find_properties(const Options *o, unsigned *set, Buf *error) {
    alarm((unsigned)fmin(o->timeout + 1, 1e9));
    bool found = properties_find(o->property, set, error);
    alarm(0);
    if (dumps(o)) *set &= -*set; /* one is shown, the first */
    return found;
}

/* What nobody named: all for C. What is to be seen of a program, and what can be read only once, is for one property. */
static unsigned usual_properties(const Options *o) {
    Buf none = {0};
    unsigned set = 1u << PROPERTY_UNREACH_CALL;
    if (load_is_c(o) && !dumps(o) && !load_once_only(o)) properties_find("all", &set, &none);
    buf_free(&none);
    return set;
}

/* Where it is told how memory is to be safe, a trace or a witness that says less does not change it. */
static void split_parts(unsigned asked, unsigned *set, unsigned *parts) {
    unsigned all = asked ? asked : *set;
    *parts = *set >> PROPERTY_VALID_MEMSAFETY & 1 ? all >> PARTS_SHIFT : 0;
    *set &= (1u << PARTS_SHIFT) - 1;
}

bool choose_properties(const Options *o, const Witnesses *witnesses, unsigned *set, unsigned *parts, Buf *error) {
    *set = o->property ? 0 : usual_properties(o);
    unsigned claimed, asked;
    if (o->property && !find_properties(o, set, error)) return false;
    asked = o->property ? *set : 0;
    if (o->replay && !o->property) *set = 1u << PROPERTY_UNREACH_CALL;
    if (o->replay && load_claimed(o->replay, &claimed) && (!o->property || *set & claimed & ((1u << PARTS_SHIFT) - 1))) *set = claimed;
    if (witnesses && !check_witness_properties(witnesses, o->property, set, error)) return false;
    split_parts(asked, set, parts);
    const char *once = *set & (*set - 1) ? load_once_only(o) : NULL;
    if (once) buf_printf(error, "%s can be read only once: give it as a file, or ask for one property", once);
    return !once;
}
