/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the tree to threads.

   A location of a thread is a Rest: a place in a SEQ, from which work remains to be done, and the rest behind that SEQ. Equal rests are
   one location, so a thread has at most one location more than simple statements. A step does nothing only where the thread may end or
   continue, in a loop at its end.

   main executes what is outside of any par. At a par a thread creates a thread for each branch, in one step each, and then joins them,
   in one step each. Only complete executions count, so the error location is where main is done. */
#include "front/front.h"
#include "front/messages.h"
#include "front/wvr/wvr.h"

typedef struct Rest Rest;
struct Rest {
    const Stmt *stmt; /* a SEQ, or a PAR that is partly done */
    unsigned at;      /* the progress: parts of the SEQ, or threads of the PAR that were created and then joined */
    Rest *next;       /* the rest behind it; NULL: the end of the thread */
    Rest *same_hash;
    unsigned location; /* its location + 1; 0: none yet */
    unsigned seen;     /* the number of the last expansion that it was in */
};

/* The threads of a PAR. */
typedef struct Crew {
    Template **templates;
    Variable **numbers; /* locals of the thread that creates them */
} Crew;

typedef struct ThreadBody {
    Template *template_;
    const Stmt *body;
} ThreadBody;

typedef struct Compiler {
    Program *program;
    Arena *arena;
    Map *rests;       /* hash → Rest */
    Map *crews;       /* PAR → Crew */
    ThreadBody *jobs; /* a vec: threads still to be compiled */
    /* The following describe the present thread. */
    Template *template_;
    Rest **places; /* a vec, by location except the last ones: the rest that it stands for */
    unsigned end;  /* its last location + 1; 0: none yet */
    unsigned expansion;
} Compiler;

/* ---- rests ---- */

static Rest *rest(Compiler *c, const Stmt *stmt, unsigned at, Rest *next) {
    uint64_t key = hash_word(hash_word(hash_word(map_key(stmt)) + at) + map_key(next));
    Rest *first = map_find(c->rests, (void *)(uintptr_t)key);
    for (Rest *r = first; r; r = r->same_hash)
        if (r->stmt == stmt && r->at == at && r->next == next) return r;
    Rest *r = arena_new_of(c->arena, Rest);
    *r = (Rest){.stmt = stmt, .at = at, .next = next, .same_hash = first};
    map_set(c->rests, (void *)(uintptr_t)key, r);
    return r;
}

/* Returns the SEQ from its part `at` on, followed by `next`, such that the part at the front has a step. */
static Rest *behind(Compiler *c, const Stmt *seq, unsigned at, Rest *next) {
    for (; at < seq->n; at++) {
        const Stmt *s = seq->body[at];
        if (s->kind == STMT_SEQ) return behind(c, s, 0, behind(c, seq, at + 1, next));
        if (s->kind != STMT_PAR || s->n) return rest(c, seq, at, next);
    }
    return next;
}

static Position position_of(const Rest *r) { return r->stmt->kind == STMT_PAR ? r->stmt->position : r->stmt->body[r->at]->position; }

static unsigned location_of(Compiler *c, Rest *r) {
    Template *t = c->template_;
    bool main = t->index == 0;
    if (!r && !c->end) {
        c->end = template_location(c->program, t, main ? LOCATION_ERROR : LOCATION_END, (Position){0}) + 1;
        if (main) t->locations[c->end - 1].text = MSG_FRONT_WVR_END_REACHED;
        vec_push(c->places, NULL);
    }
    if (!r) return c->end - 1;
    if (!r->location) {
        r->location = template_location(c->program, t, LOCATION_PLAIN, position_of(r)) + 1;
        vec_push(c->places, r);
    }
    return r->location - 1;
}

/* ---- steps ---- */

static unsigned stop_at_division(Compiler *c, Position position) {
    unsigned l = template_location(c->program, c->template_, LOCATION_STOP, position);
    vec_push(c->places, NULL);
    c->template_->locations[l].approximation = program_approximation(c->program, APPROX_UNSUPPORTED, position, MSG_FRONT_WVR_DIVISION);
    return l;
}

/* Assumptions at the front become the guard. */
static void add_simple(Compiler *c, unsigned source, const Stmt *s, Rest *next) {
    Exprs *p = c->program->exprs;
    const Expr *guard = expr_bool(p, true);
    unsigned i = 0, target = s->divides ? stop_at_division(c, s->position) : location_of(c, next);
    for (; i < s->n && !s->parts[i].target && !s->divides; i++) guard = expr_and(p, guard, s->parts[i].value);
    Action *a = template_action(c->program, c->template_, source, target, guard, s->position);
    for (; i < s->n && !s->divides; i++) {
        Instr *instr = action_instr(a, s->parts[i].target ? INSTR_ASSIGN : INSTR_ASSUME, s->parts[i].position);
        instr->target = s->parts[i].target;
        instr->value = s->parts[i].value;
    }
}

static const char *branch_name(Compiler *c, unsigned i) {
    const Template *t = c->template_;
    return t->index ? arena_printf(c->arena, "%s.%u", t->name, i + 1) : arena_printf(c->arena, "branch%u", i + 1);
}

static const Crew *crew_of(Compiler *c, const Stmt *par) {
    Crew *crew = map_find(c->crews, par);
    if (crew) return crew;
    crew = arena_new_of(c->arena, Crew);
    crew->templates = arena_array(c->arena, Template *, par->n);
    crew->numbers = arena_array(c->arena, Variable *, par->n);
    for (unsigned i = 0; i < par->n; i++) {
        const char *name = branch_name(c, i);
        crew->templates[i] = program_template(c->program, name, par->repeated ? 0 : 1);
        crew->numbers[i] = template_local(c->program, c->template_, name, sort_bv(c->program->exprs, 32));
        crew->numbers[i]->temporary = true;
        ThreadBody job = {crew->templates[i], par->body[i]};
        vec_push(c->jobs, job);
    }
    map_set(c->crews, par, crew);
    return crew;
}

/* Adds the next step of a PAR: a creation or a join. */
static void add_crew_step(Compiler *c, unsigned source, const Stmt *par, unsigned at, Rest *next) {
    const Crew *crew = crew_of(c, par);
    bool creates = at < par->n;
    unsigned i = creates ? at : at - par->n, target = location_of(c, at + 1 < 2 * par->n ? rest(c, par, at + 1, next) : next);
    Position position = par->body[i]->position;
    Action *a = template_action(c->program, c->template_, source, target, NULL, position);
    Instr *instr = action_instr(a, creates ? INSTR_CREATE : INSTR_JOIN, position);
    if (creates) {
        instr->template_ = crew->templates[i]->index;
        instr->value = expr_bv(c->program->exprs, c->program->pointer_width, 0);
        instr->target = crew->numbers[i];
    } else {
        instr->address = variable_expr(c->program, crew->numbers[i]);
    }
}

/* Adds the first steps of r, or pushes the rests to expand instead, the last one first. */
static void expand(Compiler *c, unsigned source, Rest *r, Rest ***work) {
    if (r->stmt->kind == STMT_PAR) {
        add_crew_step(c, source, r->stmt, r->at, r->next);
        return;
    }
    const Stmt *s = r->stmt->body[r->at];
    Rest *next = behind(c, r->stmt, r->at + 1, r->next);
    if (s->kind == STMT_SIMPLE) {
        add_simple(c, source, s, next);
    } else if (s->kind == STMT_PAR) {
        add_crew_step(c, source, s, 0, next);
    } else if (s->kind == STMT_LOOP) {
        vec_push(*work, next);
        vec_push(*work, behind(c, s->body[0], 0, r));
    } else {
        for (unsigned i = s->n; i-- > 0;) vec_push(*work, behind(c, s->body[i], 0, next));
    }
}

static void add_steps(Compiler *c, unsigned location, Rest *from) {
    Rest **work = NULL;
    bool may_end = false;
    c->expansion++;
    vec_push(work, from);
    while (vec_len(work)) {
        Rest *r = vec_pop(work);
        may_end |= !r;
        if (!r || r->seen == c->expansion) continue;
        r->seen = c->expansion;
        expand(c, location, r, &work);
    }
    vec_free(work);
    if (may_end) template_action(c->program, c->template_, location, location_of(c, NULL), NULL, position_of(from));
}

/* ---- threads ---- */

/* Adds a step to the end of an empty program, since the entry must not be the error location. */
static void enter_empty_main(Compiler *c) {
    unsigned entry = template_location(c->program, c->template_, LOCATION_PLAIN, (Position){0});
    vec_push(c->places, NULL);
    template_action(c->program, c->template_, entry, location_of(c, NULL), NULL, (Position){0});
}

static void compile_thread(Compiler *c, ThreadBody job) {
    c->template_ = job.template_;
    c->end = 0;
    vec_clear(c->places);
    Rest *start = behind(c, job.body, 0, NULL);
    if (!start && c->template_->index == 0) enter_empty_main(c);
    else location_of(c, start);
    for (unsigned l = 0; l < vec_len(c->places); l++)
        if (c->places[l]) add_steps(c, l, c->places[l]);
    template_mark_loops(c->template_);
}

void wvr_compile(Program *p, const Stmt *program) {
    Compiler c = {.program = p, .arena = arena_new(), .rests = map_new(), .crews = map_new()};
    ThreadBody main = {program_template(p, "main", 1), program};
    compile_thread(&c, main);
    for (size_t i = 0; i < vec_len(c.jobs); i++) compile_thread(&c, c.jobs[i]);
    vec_free(c.jobs);
    vec_free(c.places);
    map_free(c.rests);
    map_free(c.crews);
    arena_free(c.arena);
}

Program *front_wvr(const char *file, const char *text, Buf *error) {
    Wvr r = {.program = program_new(64), .names = map_new()};
    lexer_open(&r.lexer, arena_new(), file, text);
    const Stmt *program = wvr_program(&r);
    if (program) wvr_compile(r.program, program);
    else buf_text(error, buf_string(&r.lexer.error));
    map_free(r.names);
    arena_free(r.lexer.arena);
    lexer_done(&r.lexer);
    if (program) return r.program;
    program_free(r.program);
    return NULL;
}
