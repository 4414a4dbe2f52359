/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a local object lives, if that is less than its function: from the entry of its block to its end.

   clang without optimisation does not mark lives, and elsewhere it counts them from the declaration. Instead, debug information has the
   block of each variable and of each instruction. An object is alive at the instructions of its block, and of blocks inside it. Jumps
   belong to no block, as those of an if lie outside of the code that they guard. A cleanup, which runs where the block is left and names
   one of its variables, still belongs to it, with all that leads there.

   A too long life only hides late uses. So an object with an uncertain life lives from the entry of the function to its return:
   - an object whose address is not kept;
   - an object of optimised code, whose instructions were moved;
   - except for FOR_MEMORY, an object that other threads can reach and whose life begins again in a loop. Its next life is at the same
     place, and a thread that still reads the last one must not find it uninitialised.

   If a pointer to a local may be kept longer than it lives, each of its lives is an object of its own for FOR_MEMORY. The beginning of a
   life allocates it and the end frees it. So a pointer to one life does not point to the next. */
#include "front/lower.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MAX_BLOCKS = 64 }; /* in one function: they are bits of a mask */

/* ---- blocks of C ---- */

/* True if `at` is the block or inside it. */
static bool lies_in(Front *f, DebugBlock at, DebugBlock block) {
    for (; at.scope; at = debug_outer(f, at))
        if (at.scope == block.scope && at.inlined == block.inlined) return true;
    return false;
}

static bool is_compound_literal(LLVMValueRef alloca) { return !strncmp(LLVMGetValueName(alloca), ".compoundliteral", 16); }

/* Returns the block of an alloca; its scope is NULL for the whole function. A compound literal has no declaration, but the block that it
   is written in. */
static DebugBlock block_of(Front *f, const AllocaInfo *a, LLVMValueRef *declaration) {
    DebugBlock none = {0}, found = {0};
    *declaration = a->declare;
    if (a->declare) {
        found = debug_block_of_variable(f, a->declare);
    } else if (is_compound_literal(a->value)) {
        for (LLVMUseRef u = LLVMGetFirstUse(a->value); u; u = LLVMGetNextUse(u)) {
            DebugBlock at = debug_block(f, LLVMGetUser(u));
            if (!at.scope || (found.scope && !lies_in(f, found, at))) continue;
            found = at; /* the outermost one, if there are several */
            *declaration = LLVMGetUser(u);
        }
    }
    return found.scope && debug_outer(f, found).scope ? found : none;
}

/* ---- instructions that name a variable ---- */

static void note_users(Map *users, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user) || map_get(users, map_key(user), NULL)) continue;
        map_put(users, map_key(user), 1);
        if (LLVMIsAGetElementPtrInst(user) || LLVMIsACastInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
            note_users(users, user);
    }
}

/* ---- one block ---- */

typedef enum Belongs { INSIDE, OUTSIDE, EITHER } Belongs;

/* The blocks of a function's instructions, each once. */
typedef struct Blocks {
    DebugBlock *list; /* a vec */
    Map *of;          /* instruction → index in the list + 1; no entry: it may belong to any block */
} Blocks;

typedef struct Life {
    FunctionInfo *info;
    const Blocks *blocks;
    bool *inside; /* a vec, by block: whether it is this block or inside it */
    bool memory;  /* whether the lives are those for FOR_MEMORY */
    uint64_t bit;
    Map *users;  /* users of its variables, as keys */
    Map *needed; /* LLVM's block → 1 if code outside at its beginning still leads to a user */
} Life;

static uint64_t alive_at(const Map *lives, LLVMValueRef i) {
    uint64_t alive = 0;
    if (i) map_get(lives, map_key(i), &alive);
    return alive;
}

static bool is_alive(const Life *life, LLVMValueRef i) { return alive_at(life->info->lives[life->memory], i) & life->bit; }

static void set_alive(Life *life, LLVMValueRef i) {
    Map *lives = life->info->lives[life->memory];
    map_put(lives, map_key(i), alive_at(lives, i) | life->bit);
}

static Belongs belongs(const Life *life, LLVMValueRef i) {
    uint64_t at;
    if (!map_get(life->blocks->of, map_key(i), &at)) return EITHER;
    return life->inside[at - 1] ? INSIDE : OUTSIDE;
}

/* Marks, backwards, the code that leads to a user without passing through the block. True if something changed. */
static bool need_users(Life *life, LLVMBasicBlockRef b) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
    bool needed = false;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++) needed |= map_get(life->needed, map_key(LLVMGetSuccessor(last, k)), NULL);
    for (LLVMValueRef i = last; i; i = LLVMGetPreviousInstruction(i)) {
        if (belongs(life, i) == INSIDE) needed = false;
        else needed |= map_get(life->users, map_key(i), NULL);
        if (needed) set_alive(life, i);
    }
    if (!needed || map_get(life->needed, map_key(b), NULL)) return false;
    map_put(life->needed, map_key(b), 1);
    return true;
}

/* Assigns instructions that may belong to any block to the block of the instruction before them or, at the beginning of a block, after
   them. False if no instruction has a known block. */
static bool mark_block(Life *life, LLVMBasicBlockRef b) {
    LLVMValueRef first = LLVMGetFirstInstruction(b), sure = first;
    while (sure && belongs(life, sure) == EITHER && !is_alive(life, sure)) sure = LLVMGetNextInstruction(sure);
    if (!sure) return false;
    bool inside = belongs(life, sure) == INSIDE || is_alive(life, sure);
    for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i)) {
        Belongs here = belongs(life, i);
        if (here == INSIDE || is_alive(life, i)) inside = true;
        else if (here == OUTSIDE) inside = false;
        if (inside) set_alive(life, i);
    }
    return true;
}

/* Blocks without known instructions, which only jump, are inside if they lead from inside to inside. */
enum { FROM_INSIDE = 1, TO_INSIDE = 2 };

static uint64_t way_of(const Map *ways, LLVMBasicBlockRef b) {
    uint64_t way = 0;
    map_get(ways, map_key(b), &way);
    return way;
}

static uint64_t next_way(const Life *life, const Map *ways, LLVMBasicBlockRef b) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
    uint64_t way = way_of(ways, b);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(last, k);
        if (is_alive(life, LLVMGetFirstInstruction(to)) || (way_of(ways, to) & TO_INSIDE)) way |= TO_INSIDE;
    }
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user)) way |= FROM_INSIDE; /* &&label */
        else if (is_alive(life, user) || (way_of(ways, LLVMGetInstructionParent(user)) & FROM_INSIDE)) way |= FROM_INSIDE;
    }
    return way;
}

static void mark_between(Life *life, LLVMBasicBlockRef *open) {
    Map *ways = map_new();
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < vec_len(open); i++) {
            uint64_t way = next_way(life, ways, open[i]);
            changed |= way != way_of(ways, open[i]);
            map_put(ways, map_key(open[i]), way);
        }
    }
    for (size_t i = 0; i < vec_len(open); i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(open[i]); v && way_of(ways, open[i]) == (FROM_INSIDE | TO_INSIDE);
             v = LLVMGetNextInstruction(v))
            set_alive(life, v);
    map_free(ways);
}

static void mark_life(Life *life) {
    LLVMBasicBlockRef *open = NULL;
    LLVMValueRef function = life->info->function;
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(function); b; b = LLVMGetPreviousBasicBlock(b)) changed |= need_users(life, b);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        if (!mark_block(life, b)) vec_push(open, b);
    mark_between(life, open);
    vec_free(open);
}

/* ---- a function ---- */

uint64_t lives_at(const Frame *f, LLVMValueRef i) { return alive_at(f->info->lives[f->lives], i); }

static bool is_candidate(Front *f, const AllocaInfo *a, LLVMValueRef declaration, bool memory) {
    if (!a->static_ || a->sort || !pointer_kept(f, a->value)) return false;
    return a->private_ || memory || !in_loop(LLVMGetInstructionParent(declaration));
}

typedef struct Scope {
    Front *front;
    FunctionInfo *info;
    DebugBlock block; /* scope NULL: the whole function */
} Scope;

/* True if the variable dies with the block. */
static bool dies_with(void *context, LLVMValueRef variable) {
    const Scope *s = context;
    const AllocaInfo *a = map_find(s->info->alloca_of, variable);
    LLVMValueRef declaration;
    if (!s->block.scope) return true;
    return a && a->declare && lies_in(s->front, block_of(s->front, a, &declaration), s->block);
}

static void find_outlived(Front *f, FunctionInfo *info) {
    vec_each(AllocaInfo *, a, info->allocas) {
        LLVMValueRef declaration;
        if (!a->static_ || a->sort) continue;
        Scope whole = {f, info, {0}}, block = {f, info, block_of(f, a, &declaration)};
        a->outlived = pointer_outlives(f, a->value, dies_with, &whole);
        bool again = a->life[true] && in_loop(LLVMGetInstructionParent(declaration));
        a->anew = again && (a->outlived || pointer_outlives(f, a->value, dies_with, &block));
    }
}

/* True if the call may run again in an activation that has not returned yet. */
static bool is_called_again(const Frame *caller, LLVMValueRef call) {
    for (; caller && call; call = caller->call, caller = caller->caller)
        if (in_loop(LLVMGetInstructionParent(call))) return true;
    return false;
}

static bool begins_anew(const Frame *caller, const AllocaInfo *a, LLVMValueRef call) {
    return a->anew || (a->outlived && is_called_again(caller, call));
}

bool lives_anew(const Frame *f, const AllocaInfo *a) { return f->lives && begins_anew(f->caller, a, f->call); }

bool lives_differ(const Frame *caller, const FunctionInfo *info, LLVMValueRef call) {
    vec_each(const AllocaInfo *, a, info->allocas)
        if (a->life[true] != a->life[false] || begins_anew(caller, a, call)) return true;
    return false;
}

/* ---- objects that live less long than their function ---- */

static uint64_t index_of(Blocks *blocks, DebugBlock b) {
    for (size_t i = vec_len(blocks->list); i-- > 0;)
        if (blocks->list[i].scope == b.scope && blocks->list[i].inlined == b.inlined) return i;
    vec_push(blocks->list, b);
    return vec_len(blocks->list) - 1;
}

static void find_blocks(Front *f, const FunctionInfo *info, Blocks *blocks) {
    blocks->of = map_new();
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(info->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            DebugBlock at = LLVMIsATerminatorInst(i) ? (DebugBlock){0} : debug_block(f, i);
            if (at.scope) map_put(blocks->of, map_key(i), index_of(blocks, at) + 1);
        }
}

/* Marks the life of one block. All variables of a block live together. */
static void find_life(Front *f, FunctionInfo *info, const Blocks *blocks, DebugBlock block, unsigned index, bool memory) {
    Life life = {.info = info, .blocks = blocks, .memory = memory, .bit = UINT64_C(1) << index, .users = map_new(), .needed = map_new()};
    for (size_t i = 0; i < vec_len(blocks->list); i++) vec_push(life.inside, lies_in(f, blocks->list[i], block));
    vec_each(AllocaInfo *, a, info->allocas) {
        LLVMValueRef declaration;
        DebugBlock of = block_of(f, a, &declaration);
        if (of.scope != block.scope || of.inlined != block.inlined) continue;
        note_users(life.users, a->value);
        if (is_candidate(f, a, declaration, memory)) a->life[memory] = life.bit;
    }
    mark_life(&life);
    vec_free(life.inside);
    map_free(life.users);
    map_free(life.needed);
}

static void find_lives(Front *f, FunctionInfo *info, Blocks *blocks, bool memory) {
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(info->allocas) && n < MAX_BLOCKS; i++) {
        LLVMValueRef declaration;
        AllocaInfo *a = info->allocas[i];
        DebugBlock block = a->life[memory] ? (DebugBlock){0} : block_of(f, a, &declaration);
        if (!block.scope || !is_candidate(f, a, declaration, memory)) continue;
        if (!blocks->of) find_blocks(f, info, blocks);
        find_life(f, info, blocks, block, n++, memory);
    }
}

void lives_find(Front *f, FunctionInfo *info) {
    Blocks blocks = {0};
    if (info->model || info->optimised || !LLVMGetSubprogram(info->function)) return;
    for (int memory = 0; memory < 2; memory++) find_lives(f, info, &blocks, memory);
    find_outlived(f, info);
    if (blocks.of) map_free(blocks.of);
    vec_free(blocks.list);
}

/* ---- lowering ---- */

static Object *object_of(Lower *l, const AllocaInfo *a) {
    Object *o = program_object(l->program, OBJECT_HEAP, a->name, 0);
    o->template_ = l->template_->index;
    o->ctype = a->ctype;
    o->shape = a->shape;
    o->position = a->position;
    o->stack = true;
    return o;
}

static void begin(Lower *l, const AllocaInfo *a, Variable *v) {
    assign_local(l, v, pointer_const(l->front, 0));
    Instr *alloc = emit_visible(l, INSTR_ALLOC);
    alloc->object = object_of(l, a);
    alloc->target = v;
    alloc->zeroed = l->front->options->zero_memory;
    alloc->size = pointer_const(l->front, a->size);
}

static void finish(Lower *l, Variable *v) {
    emit_visible(l, INSTR_FREE)->address = variable_expr(l->program, v);
    assign_local(l, v, pointer_const(l->front, 0));
}

void lives_enter(Lower *l, Frame *f, const AllocaInfo *a) {
    Variable *v = emit_temporary(l, sort_bv(l->pool, l->front->pointer_width));
    const Expr **address = arena_array(l->front->scratch, const Expr *, 1);
    address[0] = variable_expr(l->program, v);
    map_set(l->front->assigned, v, v);
    map_set(f->variables, a->value, v);
    map_set(f->values, a->value, address);
    if (!a->life[f->lives]) vec_push(f->stack, v);
    if (!a->life[f->lives] || (a->life[f->lives] & lives_at(f, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->info->function)))))
        begin(l, a, v);
    else emit_assign(l, v, pointer_const(l->front, 0));
}

static void change(Lower *l, const AllocaInfo *a, InstrKind kind) {
    Object *o;
    uint64_t offset;
    Variable *v = map_find(l->frame->variables, a->value);
    if (v && kind == INSTR_ALIVE) begin(l, a, v);
    else if (v) finish(l, v);
    if (v) return;
    if (!address_split(l->front, value_of(l, a->value), &o, &offset)) return;
    emit_life(l, kind, o);
    if (kind == INSTR_ALIVE) clear_object(l, l->frame, o);
}

void lives_change(Lower *l, LLVMValueRef from, LLVMValueRef to) {
    const FunctionInfo *info = l->frame->info;
    bool memory = l->frame->lives;
    if (!map_size(info->lives[memory])) return;
    uint64_t before = lives_at(l->frame, from), behind = lives_at(l->frame, to);
    for (size_t i = 0; i < vec_len(info->allocas) && before & ~behind; i++)
        if (info->allocas[i]->life[memory] & before & ~behind) change(l, info->allocas[i], INSTR_DEAD);
    for (size_t i = 0; i < vec_len(info->allocas) && behind & ~before; i++)
        if (info->allocas[i]->life[memory] & behind & ~before) change(l, info->allocas[i], INSTR_ALIVE);
}

void lives_end(Lower *l, const Frame *f) {
    for (size_t i = 0; i < vec_len(f->objects); i++) emit_life(l, INSTR_DEAD, f->objects[i]);
    for (size_t i = 0; i < vec_len(f->stack); i++) emit_visible(l, INSTR_FREE)->address = variable_expr(l->program, f->stack[i]);
}
