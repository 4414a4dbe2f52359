/* SPDX-License-Identifier: Apache-2.0 */
/* Prints expressions with names for shared parts. expr/parse.c reads them. */
#include "expr/named.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_TREE = 8 }; /* the smallest expression that gets a name */

typedef struct Part {
    unsigned uses;   /* number of uses as an operand or a whole expression */
    unsigned number; /* the number in its name; 0: no name (yet) */
    bool visited;
} Part;

struct Names {
    Map *index; /* Expr -> index in parts */
    Part *parts;
    unsigned count, quotes; /* number of names given; number of quotes that make them differ from taken names */
    const Expr *now;        /* the expression that is being defined */
    char text[64];
};

Names *names_new(void) {
    Names *n = zeroed(1, sizeof *n);
    n->index = map_new();
    return n;
}

void names_free(Names *n) {
    if (!n) return;
    map_free(n->index);
    vec_free(n->parts);
    free(n);
}

/* Names are let.1, let.2, … Quotes are added, let'.1, if a taken name begins with `let.`. */
void names_avoid(Names *n, const char *taken) {
    if (strncmp(taken, "let", 3)) return;
    unsigned quotes = (unsigned)strspn(taken + 3, "'");
    if (taken[3 + quotes] == '.' && quotes >= n->quotes) n->quotes = quotes + 1;
}

static Part *part_of(const Names *n, const Expr *e) {
    uint64_t i;
    return e->tree >= NAMED_TREE && map_get(n->index, map_key(e), &i) ? &n->parts[i] : NULL;
}

void names_count(Names *n, const Expr *e) {
    if (e->tree < NAMED_TREE) return;
    Part *known = part_of(n, e);
    if (known) {
        known->uses++;
        return;
    }
    map_put(n->index, map_key(e), vec_len(n->parts));
    vec_push(n->parts, ((Part){.uses = 1}));
    for (unsigned i = 0; i < e->nargs; i++) names_count(n, e->args[i]);
}

static const char *name_of(void *context, const Expr *e) {
    Names *n = context;
    const Part *part = e == n->now ? NULL : part_of(n, e);
    if (!part || !part->number) return NULL;
    snprintf(n->text, sizeof n->text, "let%.*s.%u", (int)n->quotes, "''''''''''''''''", part->number);
    return n->text;
}

bool names_print_definitions(Names *n, Buf *out, const Expr *e, const char *before) {
    Part *part = part_of(n, e);
    bool some = false;
    if (!part || part->visited) return false;
    part->visited = true;
    for (unsigned i = 0; i < e->nargs; i++) some |= names_print_definitions(n, out, e->args[i], before);
    if (part->uses < 2) return some;
    part->number = ++n->count;
    buf_printf(out, "%slet %s = ", before, name_of(n, e));
    n->now = e;
    expr_print_named(out, e, name_of, n);
    n->now = NULL;
    buf_char(out, ';');
    return true;
}

void names_print(Names *n, Buf *out, const Expr *e) { expr_print_named(out, e, n ? name_of : NULL, n); }
