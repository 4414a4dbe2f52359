/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the inside of ir/step: the form of a compiled program and of a state in memory. Private to the files compile.c,
   compile_expr.c, evaluate.c, memory.c, heap.c, footprint.c, origins.c, pending.c, rc11.c, state.c, step.c, together.c, undefined.c and
   wait.c.

   A state consists of segments of bytes. Segment 0 has the global variables and the small global objects. Each large global object has
   its own segment. A thread has one segment with its location, locals and small objects, and one for each large object of its own. Heap
   objects are blocks, each with a segment, sorted by address.

   Invariants: A local that is dead at the location of its thread is 0. Every byte of an object that is not alive is 0. Every undefined
   byte is 0, and its shadow bit, or the bit in the mask of its variable, is 1. Thus equal situations have equal bytes. */
#pragma once
#include "ir/layout.h"
#include "ir/step.h"
#include "ir/weak.h"

/* ---- states ---- */
typedef struct Seg {
    uint8_t *data;
    uint32_t size; /* a multiple of 8 */
    uint32_t id;   /* its number in the component store; 0: it has changed since */
} Seg;

typedef struct Block {
    uint64_t granule; /* first one; absolute */
    uint64_t size;    /* of the object, in bytes; 0 when dead */
    uint32_t granules;
    uint32_t site; /* object index */
    bool alive;
    Seg seg; /* data, then shadow bits; empty when dead */
} Block;

typedef struct CompiledInstr CompiledInstr;
typedef struct Pending { /* a store that waits in its thread's buffer */
    unsigned thread;
    bool barrier; /* not a store: the stores behind it wait for those before it */
    const CompiledInstr *op;
    const Action *action;
    const Variable *variable; /* or NULL: memory */
    uint64_t address, size;
    Value value;
} Pending;

struct State {
    Seg *segs;       /* vecs; data are malloced */
    uint32_t *first; /* by thread number - 1: its main segment */
    Block *blocks;
    unsigned dead_blocks;
    Pending *pending;  /* a vec, oldest first; empty without weak memory. Encodings of states leave it out */
    unsigned stopping; /* the number of threads at locations where other threads may not move: HALT, or atomic */
};

/* Checks the invariants: threads follow one another in segs, behind the global segments, each at a location of its template; blocks are
   sorted; the counters are right. */
bool state_valid(const Machine *, const State *);

/* A reference to a segment of a state is an index in segs, or HEAP_SEG + an index in blocks. */
enum { HEAP_SEG = 1u << 31 };
static inline Seg *seg_of(State *s, uint32_t ref) { return ref & HEAP_SEG ? &s->blocks[ref & ~HEAP_SEG].seg : &s->segs[ref]; }

/* The main segment of a thread starts with this head. */
typedef struct ThreadHead {
    uint32_t location;
    uint16_t template_;
    uint16_t joined; /* 1: the thread was joined (machine_join_together) */
} ThreadHead;
static inline ThreadHead *thread_head(const State *s, unsigned thread) { return (ThreadHead *)(void *)s->segs[s->first[thread - 1]].data; }

/* ---- places of variables and objects ---- */
typedef enum Rep { REP_NARROW, REP_WIDE, REP_ARRAY } Rep; /* bool and bv up to 64; 128 bits; an ArrayValue pointer */
typedef struct Slot {
    Rep rep;
    bool global;
    uint8_t size; /* 1 2 4 8 16 */
    uint32_t offset;
    uint32_t mask; /* the offset of 16 bits, which mark its undefined bytes; 0: always defined */
} Slot;

enum { NO_PLACE = ~0u };
typedef struct Place { /* of a static object */
    uint32_t seg;      /* of GLOBAL: in segs; else relative to the thread's main segment */
    uint32_t offset;
    uint32_t shadow; /* offset of its shadow bits in the same segment, or NO_PLACE */
    uint32_t alive;  /* offset of its life byte in the thread's main segment, or NO_PLACE: always alive */
} Place;

/* ---- code ---- */
typedef enum CodeOp {
    CODE_CONST,
    CODE_LOCAL,
    CODE_GLOBAL,
    CODE_SELF,
    CODE_ADDRESS, /* dst := … */
    CODE_WIDE_CONST,
    CODE_WIDE_LOCAL,
    CODE_WIDE_GLOBAL, /* wide dst := … */
    CODE_DEFINE,      /* if the mask at offset imm >> 32 is not 0: chooses a value for the local at index imm */
    CODE_MOVE,
    CODE_WIDE_MOVE,
    CODE_EQ,
    CODE_NOT,
    CODE_ADD,
    CODE_SUB,
    CODE_MUL,
    CODE_UDIV,
    CODE_SDIV,
    CODE_UREM,
    CODE_SREM,
    CODE_SHL,
    CODE_LSHR,
    CODE_ASHR,
    CODE_BAND,
    CODE_BOR,
    CODE_BXOR,
    CODE_ULT,
    CODE_ULE,
    CODE_SLT,
    CODE_SLE,
    CODE_SEXT,
    CODE_EXTRACT,
    CODE_CONCAT,
    CODE_GENERIC, /* imm: index in Machine.generics */
    CODE_JUMP,
    CODE_UNLESS,
    CODE_IF, /* to imm, always, if a is 0, if a is not 0 */
    CODE_END /* the value is in register a */
} CodeOp;
typedef struct Code {
    uint8_t op, width, flags; /* width: of the operands */
    bool b_imm;               /* the second operand is imm */
    uint16_t dst, a, b, size; /* size: of a slot; low of EXTRACT */
    uint64_t imm;
} Code;
typedef struct Generic {
    const Expr *expr;
    uint16_t *args; /* registers, a vec; narrow or wide by the operand's sort */
} Generic;

typedef enum OperandKind { OPERAND_NONE, OPERAND_CONST, OPERAND_SLOT, OPERAND_CODE } OperandKind;
typedef struct Operand {
    OperandKind kind;
    Rep rep;
    Slot slot;
    uint32_t code;
    uint64_t imm;
    u128 reads;               /* the footprint of the globals that it mentions */
    const Variable **globals; /* the same globals, a vec */
    const Expr *expr;         /* NULL for OPERAND_NONE */
} Operand;

struct CompiledInstr {
    const Instr *instr;
    InstrKind kind;
    bool visible;
    bool has_target, has_cell;
    Slot target, cell;
    bool moves;   /* ASSIGN, STORE: moves a local that is dead afterwards; undefined bytes stay undefined */
    bool carries; /* LOAD: undefined bytes stay undefined */
    Slot moved;   /* that local */
    Operand address, value, size;
    uint64_t bytes;       /* LOAD, STORE, mutex words: how many are accessed */
    const Object *object; /* the address is this static object's (the thread's own copy) plus offset, in bounds; or NULL */
    uint64_t offset;
    u128 target_bit; /* of a global target */
};

typedef struct CompiledAction {
    const Action *action;
    Operand guard;
    CompiledInstr *ops; /* a vec */
    Slot *clear;        /* a vec: the locals that die */
    u128 kills;         /* if the thread ends here: the footprint of the objects that end with it */
    bool visible;
    WeakAction weak;
} CompiledAction;

typedef struct CompiledTemplate {
    const Template *template_;
    CompiledAction *actions; /* by index */
    Slot *slots;             /* by local index */
    uint32_t *seg_sizes;     /* a vec: main segment and large objects */
    Slot result, argument;   /* size 0: none, or not used */
    uint32_t end_variables;  /* in the main segment: variables before, … */
    uint32_t end_masks;      /* … their masks up to here, objects after */
    struct Liveness *live;   /* while it is compiled */
    bool *undefined;         /* by local index: it may hold undefined bytes */
    bool *conduit;           /* by local index: its value is only moved on, in the end to memory (undefined.c) */
} CompiledTemplate;

typedef struct Undo {
    enum { UNDO_BYTES, UNDO_THREAD, UNDO_BLOCK_NEW, UNDO_BLOCK_REVIVE, UNDO_BLOCK_DIE } kind;
    uint32_t seg, offset, size, id;
    size_t at;   /* in undo_bytes */
    Block block; /* its contents before the step */
} Undo;

typedef struct Origins Origins;

typedef struct Span { /* bytes of an object in a state */
    uint32_t seg;
    uint32_t shadow; /* NO_PLACE: all defined */
    uint64_t base;   /* of the object in the segment */
    uint64_t offset; /* in the object */
    const Object *object;
    unsigned instance;
    u128 bits; /* footprint; 0 if no other thread sees the bytes */
} Span;

/* Records a place that shows a store from the thread's own buffer while the thread takes a step. */
typedef struct Overlay {
    const Variable *variable; /* or NULL: memory */
    Span span;
    uint64_t size;
    Value old;
    unsigned mask; /* the bytes of `old` that were undefined */
} Overlay;

/* Names a word that was used as a mutex: a variable, or bytes of an object (of a heap site: of any instance). */
typedef struct LockSite {
    const Variable *cell;
    const Object *object;
    uint64_t offset;
} LockSite;

struct Machine {
    const Program *program;
    MachineRules rules;
    Layout *layout;
    Values *values;
    unsigned granule_bits, pointer_bytes;
    uint64_t skew;              /* of addresses */
    uint64_t heap_granule;      /* the first of the heap */
    uint64_t thread_stride;     /* from the address of a thread's own object to the next thread's copy */
    bool *shared;               /* by object index; a vec */
    bool copies;                /* some action copies undefined bytes: any object may hold them */
    const Sort *byte_sorts[17]; /* by number of bytes */

    Slot *globals;       /* by global index; vecs */
    Place *places;       /* by object index */
    uint32_t *seg_sizes; /* of the global segments */
    CompiledTemplate *templates;

    uint32_t end_variables; /* as in CompiledTemplate, of segment 0 */
    Code *code;             /* a vec */
    Generic *generics;
    Value *wide_consts;
    uint64_t *regs;
    Value *wide;
    unsigned nregs;

    u128 *global_bits; /* footprint bits: by global index; and below, by object index, the first bit and the number of bits */
    struct {
        uint8_t first, count;
    } *object_bits;
    u128 memory_bits;   /* of everything that an unknown address may point to */
    unsigned bits_used; /* by globals and global objects */
    bool unsure;        /* machine_skipped_choices (wait.h) */
    Footprint *track;
    Origins *origins;     /* NULL: copies are not watched */
    const bool *together; /* by template: its threads are joined together; NULL: no template's are */
    LockSite *lock_sites; /* a vec: where mutexes were taken since machine_join_together */

    /* the step being taken */
    State *state;
    unsigned thread;
    uint8_t *global_data, *local_data;
    const Chooser *chooser;
    Accesses *accesses;
    const CompiledInstr *op;
    unsigned blocker;
    uint64_t fault_address;       /* the address of the access at fault */
    bool no_choices;              /* an expression is evaluated outside of a step: no choice is possible */
    const CompiledAction *action; /* weak memory: the action that is executed … */
    Overlay *overlays;            /* … the stores that it sees in the buffer, a vec … */
    bool store_is_delayed;        /* … and true if its store goes to the buffer */
    Undo *undo;                   /* vecs */
    uint8_t *undo_bytes;
    Buf scratch;
};

static inline uint64_t granule_of(const Machine *m, uint64_t address) {
    return address < m->skew ? 0 : (address - m->skew) >> m->granule_bits;
}
static inline uint64_t granule_address(const Machine *m, uint64_t granule) { return (granule << m->granule_bits) + m->skew; }

/* ---- footprint.c ---- */
void footprint_assign(Machine *);
u128 footprint_object(const Machine *, const Object *, uint64_t offset, uint64_t size);
u128 footprint_heap(uint64_t granule, uint64_t offset, uint64_t size);
u128 footprint_thread(unsigned thread);
extern const u128 footprint_heap_order, footprint_threads, footprint_all_heap, footprint_all_ends;

/* ---- undefined.c ---- */
void undefined_find(Machine *);
/* Returns the local whose value instruction k of the action, an ASSIGN or STORE, moves: the local is not read afterwards. NULL: it moves
   none. */
const Variable *undefined_moved(const CompiledTemplate *, const Action *, size_t k);
/* Returns the mask of all bytes of the sort. */
static inline unsigned undefined_mask(const Sort *s) { return s->kind == SORT_BV ? (1u << (s->width + 7) / 8) - 1 : 1; }

/* ---- compile.c, compile_expr.c ---- */
Operand compile_operand(Machine *, const CompiledTemplate *, const Expr *);

/* ---- evaluate.c ---- */
Fault evaluate_narrow(Machine *, const Operand *, uint64_t *result);
Fault evaluate_value(Machine *, const Operand *, Value *result);
static inline uint64_t slot_read_narrow(const uint8_t *base, const Slot *s) {
    const uint8_t *p = base + s->offset;
    switch (s->size) {
    case 1: return *p;
    case 2: return *(const uint16_t *)(const void *)p;
    case 4: return *(const uint32_t *)(const void *)p;
    default: return *(const uint64_t *)(const void *)p;
    }
}
Value slot_read(const uint8_t *base, const Slot *);
void slot_write(uint8_t *base, const Slot *, Value);

/* ---- memory.c, heap.c ---- */
Fault memory_find(Machine *, const CompiledInstr *, uint64_t address, uint64_t size, bool write, Span *);
/* Returns the mask of the undefined bytes among up to 16. */
unsigned memory_mask(const Machine *, const Span *, uint64_t size);
Fault memory_written(Machine *, const CompiledInstr *); /* executes a WRITTEN */
u128 memory_load(Machine *, const Span *, uint64_t size);
/* Chooses values for the bytes of the mask, and stores them in memory, too. Returns all bits. */
u128 memory_settle(Machine *, const Span *, u128 bits, unsigned mask, const Sort *, uint64_t size);
void memory_store(Machine *, const Span *, u128 bits, unsigned mask, uint64_t size);
Fault memory_copy(Machine *, const CompiledInstr *);
Fault memory_fill(Machine *, const CompiledInstr *);
void memory_begin_life(Machine *, const Object *, bool alive);
Block *heap_find(const State *, uint64_t granule);
Fault heap_alloc(Machine *, const CompiledInstr *);
Fault heap_free(Machine *, const CompiledInstr *);
/* Returns true if the access or FREE of an INVALID would fault. *f becomes the fault of evaluating its operands, or FAULT_NONE. */
bool memory_is_invalid(Machine *, const CompiledInstr *, Fault *f);
bool heap_may_free(const Machine *, uint64_t address); /* the address is null, or the start of a live heap object */
Fault heap_size(Machine *, const CompiledInstr *);
void heap_tidy(Machine *, State *);
static inline uint64_t block_shadow(const Block *b) { return (b->size + 7) & ~UINT64_C(7); }

/* ---- origins.c: no effect before machine_watch_copies ---- */
typedef struct OriginPlace { /* a place with undefined bytes */
    uint64_t where, kind, offset;
} OriginPlace;
OriginPlace origin_memory(const Machine *, const Span *);
OriginPlace origin_local(const Machine *, const Slot *);                                /* of the thread that takes the step */
void origins_forget(Machine *, OriginPlace, uint64_t size);                             /* the bytes become undefined again */
void origins_copy(Machine *, OriginPlace to, uint64_t i, OriginPlace from, uint64_t k); /* copies the undefined byte k to byte i */
void origins_copy_mask(Machine *, OriginPlace to, OriginPlace from, unsigned mask);
void origins_settle(Machine *, OriginPlace, unsigned mask, u128 bits); /* the bytes of the mask get their values */
void origins_free(Origins *);

/* ---- together.c ---- */
/* Returns a running thread for which a join of `thread` has to wait, or 0. */
unsigned join_group_awaits(const Machine *, const State *, unsigned thread);
void join_group_mark_joined(Machine *, unsigned thread);
void machine_record_lock_site(Machine *, const CompiledInstr *, const Span *);

/* ---- pending.c: weak memory ---- */
bool store_buffer_any(const State *, unsigned thread);
/* Write the waiting stores of the thread to memory, so that its step reads them; and restore memory. */
void store_buffer_show(Machine *);
void store_buffer_hide(Machine *);
/* Returns true if the thread reads the variable from its own store buffer. */
bool store_buffer_forwards(const Machine *, const Variable *);
/* Returns true if a load must wait, since the youngest overlapping store in the buffer has only some of its bytes. *buffered becomes
   true if such a store exists. */
bool store_buffer_blocks_load(const Machine *, const Span *, uint64_t size, bool *buffered);
void store_buffer_add_barrier(Machine *);
void store_buffer_add(Machine *, const CompiledInstr *, const Span *, Value); /* without span: a store to its target */

/* ---- state.c ---- */
unsigned state_add_thread(Machine *, State *, unsigned template_, uint64_t argument);
void state_drop_thread(Machine *, State *);
void state_move_thread(const Machine *, State *, unsigned thread, unsigned location);
Seg seg_new(uint64_t size);

/* ---- step.c ---- */
/* Returns bytes of a segment for writing. Their old contents are kept until the step is done. */
uint8_t *step_writable(Machine *, uint32_t seg, uint64_t offset, uint64_t size);
u128 step_choose(Machine *, const Choice *);
/* Chooses a value of the sort, which may be an array. */
Value step_choose_value(Machine *, const Sort *, const Choice *about);
/* Chooses values for the bytes of `bits` in the mask. sort is that of the whole value. Returns all bits. */
u128 step_choose_bytes(Machine *, u128 bits, unsigned mask, const Sort *, const Variable *);
/* Chooses the undefined bytes of a local that is about to be read. */
Fault step_define(Machine *, unsigned local);
void step_write_global(Machine *, const Variable *, Value);
bool step_may_move(Machine *, const State *, unsigned thread, unsigned *blocker);
void step_begin(Machine *, State *, unsigned thread, const Chooser *, Accesses *);
void step_forget_undo(Machine *);
void step_set_target(Machine *, const CompiledInstr *, Value);
uint64_t step_address(const Machine *, const Span *);
void step_note_access(Machine *, AccessKind, const CompiledInstr *, const Span *, uint64_t address, uint64_t size, Value);
