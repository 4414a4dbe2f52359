/* SPDX-License-Identifier: Apache-2.0 */
/* Parses declarations and statements of .wvr. Derived statements are translated to the basic ones as they are read:
   - (while e s…)       (seq (loop (assume e) s…) (assume (not e)))
   - (if e s t)         (cond (seq (assume e) s) (seq (assume (not e)) t))
   - (declare (x S) s…) (seq s…), with a variable x of its own
   - (replicate N s…)   a par of N times (seq s…), each read anew so that each declares its own variables */
#include "expr/messages.h"
#include "front/messages.h"
#include "front/wvr/wvr.h"
#include <string.h>

static Stmt *statement(Wvr *);

/* ---- the tree ---- */

static Stmt *new_stmt(Wvr *r, StmtKind kind, Position position) {
    Stmt *s = arena_new_of(r->lexer.arena, Stmt);
    s->kind = kind;
    s->position = position;
    return s;
}

/* Returns a statement with these bodies; frees the vec. */
static Stmt *compose(Wvr *r, StmtKind kind, Position position, Stmt **list) {
    Stmt *s = new_stmt(r, kind, position);
    s->n = (unsigned)vec_len(list);
    s->body = arena_copy(r->lexer.arena, list, sizeof *list * s->n);
    vec_free(list);
    return s;
}

static Stmt *simple(Wvr *r, Position position, Part *parts, bool divides) {
    Stmt *s = new_stmt(r, STMT_SIMPLE, position);
    s->n = (unsigned)vec_len(parts);
    s->parts = arena_copy(r->lexer.arena, parts, sizeof *parts * s->n);
    s->divides = divides;
    vec_free(parts);
    return s;
}

static Stmt *assume(Wvr *r, Position position, const Expr *e, bool divides) {
    Part *parts = NULL, part = {.value = e, .position = position};
    vec_push(parts, part);
    return simple(r, position, parts, divides);
}

static Stmt *pair(Wvr *r, StmtKind kind, Position position, Stmt *a, Stmt *b) {
    Stmt **list = NULL;
    vec_push(list, a);
    vec_push(list, b);
    return compose(r, kind, position, list);
}

/* ---- simple statements ---- */

static const Name *assigned(Wvr *r, const char *how) {
    LexerPlace place = lexer_place(&r->lexer);
    const char *name = wvr_symbol(r, MSG_FRONT_WVR_VARIABLE_NAME);
    const Name *n = name ? map_find(r->names, name) : NULL;
    if (name && !n) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_UNDECLARED, name);
    else if (n && n->nparams) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_FUNCTION_ASSIGNED, name, how);
    return r->lexer.failed ? NULL : n;
}

static bool read_set(Wvr *r, Part *part) {
    const Name *n = assigned(r, "set!");
    if (!n) return false;
    part->target = n->variable;
    part->value = wvr_expr(r, n->variable->sort);
    return part->value;
}

static bool read_store(Wvr *r, Part *part) {
    LexerPlace place = lexer_place(&r->lexer);
    const Name *n = assigned(r, "store!");
    const Sort *sort = n ? n->variable->sort : NULL;
    if (sort && sort->kind != SORT_ARRAY) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_NO_ARRAY);
    const Expr *index = sort && !r->lexer.failed ? wvr_expr(r, sort->index) : NULL, *element = index ? wvr_expr(r, sort->element) : NULL;
    if (!element) return false;
    const Expr *args[] = {variable_expr(r->program, n->variable), index, element};
    part->target = n->variable;
    part->value = expr_make(r->program->exprs, OP_STORE, 0, 3, args);
    return true;
}

/* Reads the rest of a simple statement behind its first word, and appends its parts. False if the word begins no simple statement; then
   nothing was read. */
static bool read_simple(Wvr *r, LexerPlace place, const char *word, Part **parts) {
    Part part = {.position = wvr_position(r, place)};
    if (!strcmp(word, "assume")) part.value = wvr_expr(r, sort_bool(r->program->exprs));
    else if (!strcmp(word, "set!")) read_set(r, &part);
    else if (!strcmp(word, "store!")) read_store(r, &part);
    else if (strcmp(word, "atomic")) return false;
    if (part.value) vec_push(*parts, part);
    if (vec_len(*parts) > WVR_DEPTH) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_ATOMIC_LONG, WVR_DEPTH);
    while (!strcmp(word, "atomic") && wvr_is(r, "(") && wvr_enter(r)) {
        LexerPlace inner = lexer_place(&r->lexer);
        wvr_next(r);
        const char *what = wvr_symbol(r, MSG_FRONT_WVR_ATOMIC_PARTS);
        if (what && !read_simple(r, inner, what, parts)) lexer_error_at(&r->lexer, inner, MSG_FRONT_WVR_ATOMIC_OTHER);
        wvr_close(r, inner);
        wvr_leave(r);
    }
    return true;
}

/* ---- composed statements ---- */

/* Reads statements up to the closing parenthesis or the end of the text. */
static Stmt *sequence(Wvr *r, Position position) {
    Stmt **list = NULL;
    while (!r->lexer.failed && r->lexer.token != TOKEN_END && !wvr_is(r, ")")) vec_push(list, statement(r));
    return compose(r, STMT_SEQ, position, list);
}

/* Reads one statement as a SEQ. */
static Stmt *branch(Wvr *r) {
    Stmt **list = NULL;
    Position position = wvr_position(r, lexer_place(&r->lexer));
    vec_push(list, statement(r));
    return compose(r, STMT_SEQ, position, list);
}

/* Reads a condition and builds assumptions of it and of its negation, which are steps of their own. */
static void condition(Wvr *r, Stmt **yes, Stmt **no) {
    Position position = wvr_position(r, lexer_place(&r->lexer));
    r->divides = false;
    const Expr *e = wvr_expr(r, sort_bool(r->program->exprs));
    *yes = *no = NULL;
    if (!e) return;
    *yes = assume(r, position, e, r->divides);
    *no = assume(r, position, expr_not(r->program->exprs, e), r->divides);
}

static Stmt *read_if(Wvr *r, Position position) {
    Stmt *yes, *no, **list = NULL;
    condition(r, &yes, &no);
    Stmt *then = pair(r, STMT_SEQ, position, yes, branch(r));
    vec_push(list, no);
    if (!wvr_is(r, ")")) vec_push(list, branch(r));
    return pair(r, STMT_COND, position, then, compose(r, STMT_SEQ, position, list));
}

static Stmt *loop_of(Wvr *r, Position position, Stmt *body) {
    Stmt **list = NULL;
    vec_push(list, body);
    return compose(r, STMT_LOOP, position, list);
}

static Stmt *read_loop(Wvr *r, Position position) {
    r->loops++;
    Stmt *body = sequence(r, position);
    r->loops--;
    return loop_of(r, position, body);
}

static Stmt *read_while(Wvr *r, Position position) {
    Stmt *yes, *no;
    condition(r, &yes, &no);
    r->loops++;
    Stmt *body = pair(r, STMT_SEQ, position, yes, sequence(r, position));
    r->loops--;
    return pair(r, STMT_SEQ, position, loop_of(r, position, body), no);
}

static Stmt *read_cond(Wvr *r, Position position) {
    Stmt **list = NULL;
    while (!r->lexer.failed && wvr_is(r, "(")) vec_push(list, branch(r));
    return compose(r, STMT_COND, position, list);
}

/* Appends a branch of a par. The branches of a par inside it become branches of the outer one. */
static void add_branch(Wvr *r, Stmt ***list, Stmt *s) {
    const Stmt *inner = s->n == 1 && s->body[0] && s->body[0]->kind == STMT_PAR && s->body[0]->n ? s->body[0] : NULL;
    for (unsigned i = 0; inner && i < inner->n; i++) vec_push(*list, inner->body[i]);
    if (inner) return;
    vec_push(*list, s);
    if (++r->threads > WVR_THREADS) lexer_error(&r->lexer, MSG_FRONT_WVR_THREADS, WVR_THREADS);
}

static Stmt *par_of(Wvr *r, Position position, Stmt **list) {
    Stmt *s = compose(r, STMT_PAR, position, list);
    s->repeated = r->loops > 0;
    return s;
}

static Stmt *read_par(Wvr *r, Position position) {
    Stmt **list = NULL;
    while (!r->lexer.failed && wvr_is(r, "(")) add_branch(r, &list, branch(r));
    return par_of(r, position, list);
}

static Stmt *read_replicate(Wvr *r, Position position) {
    Lexer *l = &r->lexer;
    Stmt **list = NULL;
    unsigned threads = r->threads;
    if (l->token != TOKEN_NUMBER || l->number >= WVR_THREADS) lexer_error(l, MSG_FRONT_WVR_HOW_MANY, WVR_THREADS - 1);
    unsigned n = l->failed ? 0 : (unsigned)l->number;
    wvr_next(r);
    Lexer start = *l;
    for (unsigned i = 0; i < n && !l->failed; i++) {
        *l = start;
        add_branch(r, &list, sequence(r, position));
    }
    if (!n) sequence(r, position); /* it must be correct even if it is not used */
    if (!n) r->threads = threads;
    return par_of(r, position, list);
}

static Stmt *read_declare(Wvr *r, Position position) {
    wvr_expect(r, "(");
    LexerPlace place = lexer_place(&r->lexer);
    const char *name = wvr_symbol(r, MSG_FRONT_WVR_VARIABLE_NAME);
    const Sort *sort = name ? wvr_sort(r) : NULL;
    wvr_expect(r, ")");
    if (r->lexer.failed) return NULL;
    Name *outer = map_find(r->names, name);
    wvr_declare(r, place, name, program_global(r->program, name, sort, NULL), 0);
    Stmt *s = sequence(r, position);
    map_set(r->names, name, outer);
    return s;
}

static Stmt *compound(Wvr *r) {
    LexerPlace place = lexer_place(&r->lexer);
    Position position = wvr_position(r, place);
    wvr_expect(r, "(");
    const char *word = wvr_symbol(r, "a statement");
    Part *parts = NULL;
    Stmt *s = NULL;
    r->divides = false;
    if (!word) return NULL;
    if (!strcmp(word, "seq")) s = sequence(r, position);
    else if (!strcmp(word, "par")) s = read_par(r, position);
    else if (!strcmp(word, "cond")) s = read_cond(r, position);
    else if (!strcmp(word, "loop")) s = read_loop(r, position);
    else if (!strcmp(word, "while")) s = read_while(r, position);
    else if (!strcmp(word, "if")) s = read_if(r, position);
    else if (!strcmp(word, "declare")) s = read_declare(r, position);
    else if (!strcmp(word, "replicate")) s = read_replicate(r, position);
    else if (read_simple(r, place, word, &parts)) s = simple(r, position, parts, r->divides);
    else if (!strcmp(word, "var") || !strcmp(word, "use")) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_LATE, word);
    else lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_STATEMENT_UNKNOWN, word);
    return wvr_close(r, place) ? s : NULL;
}

static Stmt *statement(Wvr *r) {
    if (!wvr_is(r, "("))
        lexer_error(&r->lexer, r->lexer.token == TOKEN_END ? MSG_FRONT_WVR_END_STATEMENT : MSG_EXPR_EXPECTED, MSG_FRONT_WVR_STATEMENT);
    Stmt *s = !r->lexer.failed && wvr_enter(r) ? compound(r) : NULL;
    wvr_leave(r);
    return s;
}

/* ---- declarations ---- */

static const Sort *function_sort(Exprs *p, const Sort *const *params, const Sort *result) {
    for (size_t i = vec_len(params); i-- > 0;) result = sort_array(p, params[i], result);
    return result;
}

/* Reads the parameters of (var NAME… (PARAMETER…) SORT). A list that starts with Array is the sort of (var NAME… SORT), which has no
   parameters. */
static const Sort **read_parameters(Wvr *r) {
    const Sort **params = NULL;
    Lexer start = r->lexer;
    wvr_next(r);
    bool array = wvr_is(r, "Array");
    if (array) r->lexer = start;
    while (!array && !r->lexer.failed && !wvr_is(r, ")")) vec_push(params, wvr_sort(r));
    if (!array) wvr_expect(r, ")");
    if (vec_len(params) > WVR_DEPTH) lexer_error(&r->lexer, MSG_FRONT_WVR_PARAMETERS, WVR_DEPTH);
    return params;
}

typedef struct Declared {
    const char *name;
    LexerPlace place;
} Declared;

static bool is_sort_name(const Wvr *r) { return wvr_is(r, "Int") || wvr_is(r, "Bool"); }

static void read_var(Wvr *r) {
    Declared *list = NULL;
    const Sort **params = NULL;
    while (!r->lexer.failed && r->lexer.token == TOKEN_NAME && !is_sort_name(r)) {
        Declared d = {.place = lexer_place(&r->lexer)};
        d.name = wvr_symbol(r, "a name");
        vec_push(list, d);
    }
    if (!vec_len(list)) lexer_error(&r->lexer, MSG_EXPR_EXPECTED, MSG_FRONT_WVR_NAME);
    if (wvr_is(r, "(")) params = read_parameters(r);
    const Sort *result = r->lexer.failed ? NULL : wvr_sort(r), *sort = result ? function_sort(r->program->exprs, params, result) : NULL;
    for (size_t i = 0; i < vec_len(list) && sort && !r->lexer.failed; i++) {
        if (map_find(r->names, list[i].name)) lexer_error_at(&r->lexer, list[i].place, MSG_FRONT_WVR_TWICE, list[i].name);
        else wvr_declare(r, list[i].place, list[i].name, program_global(r->program, list[i].name, sort, NULL), (unsigned)vec_len(params));
    }
    vec_free(list);
    vec_free(params);
}

/* Reads hints for Weaver's proofs, so that their errors are reported, and ignores them. */
static void read_use(Wvr *r) {
    while (!r->lexer.failed && r->lexer.token != TOKEN_END && !wvr_is(r, ")")) wvr_expr(r, sort_bool(r->program->exprs));
}

/* Reads a var or use; false at any other text. */
static bool declaration(Wvr *r) {
    if (!wvr_is(r, "(")) return false;
    Lexer start = r->lexer;
    LexerPlace place = lexer_place(&r->lexer);
    wvr_next(r);
    bool var = wvr_is(r, "var"), use = wvr_is(r, "use");
    if (!var && !use) {
        if (!r->lexer.failed) r->lexer = start;
        return false;
    }
    wvr_next(r);
    if (var) read_var(r);
    else read_use(r);
    return wvr_close(r, place);
}

const Stmt *wvr_program(Wvr *r) {
    wvr_next(r);
    while (declaration(r)) continue;
    r->threads = 1;
    const Stmt *s = sequence(r, wvr_position(r, lexer_place(&r->lexer)));
    if (wvr_is(r, ")")) lexer_error(&r->lexer, MSG_FRONT_WVR_CLOSED);
    return r->lexer.failed ? NULL : s;
}
