/* SPDX-License-Identifier: Apache-2.0 */
/* native [--states N] [--layout SIZE:OFFSET,SIZE,…]… FILE.bc: every outcome of every order of visible steps of a program, run natively.
   A line for each: what it is, and the values of the program's globals o0, o1 … at that time.
     R  a state that can be reached     H  the process ends     D  nobody can go on
     F kind  what happens next is undefined     X (no values)  reach_error is called
   In small letters: or perhaps not, since an object was looked at that was about to die.
   The last line counts states and steps. Exit code 3: the program needs what is not there; 4: more states than N. */
#include "native.h"
#include <ctype.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/ExecutionEngine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets of byte strings ---- */
typedef struct Set {
    char **items; /* each: its size, then its bytes */
    uint32_t *slots;
    size_t n, room;
} Set;

static uint64_t hash(const char *bytes, size_t size) {
    uint64_t h = 0x9e3779b97f4a7c15u ^ size;
    for (size_t i = 0; i < size; i++) {
        h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
        h ^= h >> 29;
    }
    return h;
}

static size_t item_size(const char *item) {
    size_t size;
    memcpy(&size, item, sizeof size);
    return size;
}

static uint32_t *slot_of(Set *s, const char *bytes, size_t size) {
    size_t i = hash(bytes, size) & (s->room - 1);
    for (; s->slots[i]; i = (i + 1) & (s->room - 1)) {
        const char *item = s->items[s->slots[i] - 1];
        if (item_size(item) == size && !memcmp(item + sizeof size, bytes, size)) break;
    }
    return &s->slots[i];
}

static void *must(void *p) {
    if (p) return p;
    fprintf(stderr, "native: out of memory\n");
    exit(3);
}

static void grow(Set *s) {
    s->room = s->room ? 2 * s->room : 1024;
    free(s->slots);
    s->slots = must(calloc(s->room, sizeof *s->slots));
    s->items = must(realloc(s->items, s->room / 2 * sizeof *s->items));
    for (size_t i = 0; i < s->n; i++) *slot_of(s, s->items[i] + sizeof(size_t), item_size(s->items[i])) = (uint32_t)i + 1;
}

static bool set_add(Set *s, const char *bytes, size_t size) {
    if (s->n >= s->room / 2) grow(s);
    uint32_t *slot = slot_of(s, bytes, size);
    if (*slot) return false;
    char *item = must(malloc(sizeof size + size));
    memcpy(item, &size, sizeof size);
    memcpy(item + sizeof size, bytes, size);
    s->items[s->n++] = item;
    *slot = (uint32_t)s->n;
    return true;
}

/* ---- states ---- */
typedef struct Range {
    char *from;
    size_t size;
} Range;
enum { MAX_RANGES = 300, MAX_OUTS = 16, MAX_STATE = 1 << 20 };
static Range ranges[MAX_RANGES], outs[MAX_OUTS];
static unsigned nranges, nouts;

typedef void (*Move)(char **cursor, void *memory, size_t size);
static void save(char **cursor, void *memory, size_t size) {
    memcpy(*cursor, memory, size);
    *cursor += size;
}
static void load(char **cursor, void *memory, size_t size) {
    memcpy(memory, *cursor, size);
    *cursor += size;
}

/* All that a state is: the runtime's data, globals, and of each thread its stack and its arena. */
static void move_state(char **cursor, Move move) {
    move(cursor, &runtime, offsetof(Runtime, thread));
    for (unsigned t = 0; t < runtime.threads; t++) {
        Thread *thread = &runtime.thread[t];
        move(cursor, thread, offsetof(Thread, objects));
        move(cursor, thread->objects, thread->nobjects * sizeof *thread->objects);
        move(cursor, thread_arena(t), thread->used);
        if (thread->status == 1) move(cursor, thread->sp, (size_t)(thread_stack(t) + STACK_SIZE - (char *)thread->sp));
    }
    for (unsigned i = 0; i < nranges; i++) move(cursor, ranges[i].from, ranges[i].size);
}

static char state[MAX_STATE];
static Set states, outcomes;
static size_t steps;

static bool remember(void) {
    char *cursor = state;
    for (unsigned t = 0; t < runtime.threads; t++)
        if (runtime.thread[t].status == 2) runtime.thread[t].sp = NULL;
    move_state(&cursor, save);
    return set_add(&states, state, (size_t)(cursor - state));
}

static void recall(size_t i) {
    char *cursor = states.items[i] + sizeof(size_t);
    move_state(&cursor, load);
}

/* ---- outcomes ---- */

void outcome(const char *what) {
    char line[600];
    int n = snprintf(line, sizeof line, "%s", what);
    if (runtime.doubtful) line[0] = (char)tolower(line[0]);
    for (unsigned i = 0; i < nouts && *what != 'X'; i++) {
        uint64_t value = 0;
        memcpy(&value, outs[i].from, outs[i].size);
        n += snprintf(line + n, sizeof line - (size_t)n, " %llu", (unsigned long long)value);
    }
    set_add(&outcomes, line, (size_t)n + 1);
}

static void record_end(void) {
    static const char *const faults[] = {"F DIVISION", "F OVERFLOW", "F SHIFT", "F NULL", "F MEMORY", "F THREAD"};
    if (runtime.end == END_LIMIT) {
        fprintf(stderr, "native: too much: %s\n", limit);
        exit(3);
    }
    outcome(runtime.end == END_HALT ? "H" : runtime.end == END_ERROR ? "X" : faults[runtime.fault]);
    if (runtime.end == END_HALT) outcome("R");
}

static void try(size_t from, unsigned thread, unsigned choice) {
    recall(from);
    runtime_run(thread, choice);
    steps++;
    if (runtime.end != END_NOT) record_end();
    else if (remember() && runtime.depth == 0) outcome("R");
}

static void explore(size_t most) {
    remember();
    outcome("R");
    for (size_t i = 0; i < states.n; i++) {
        if (states.n > most) {
            fprintf(stderr, "native: more than %zu states\n", most);
            exit(4);
        }
        recall(i);
        unsigned n = runtime.threads, choices[MAX_THREADS] = {0};
        bool stuck = true;
        for (unsigned t = 0; t < n; t++) {
            if (runtime_enabled(t)) choices[t] = runtime.thread[t].wait == WAIT_CHOOSE ? runtime.thread[t].number : 1;
            stuck = stuck && !choices[t];
        }
        if (stuck) outcome("D");
        for (unsigned t = 0; t < n; t++)
            for (unsigned c = 0; c < choices[t]; c++) try(i, t, c);
    }
}

/* ---- the program ---- */

static _Noreturn void refuse(const char *what, const char *why) {
    fprintf(stderr, "native: %s: %s\n", what, why);
    exit(3);
}

static LLVMModuleRef read_module(const char *file) {
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *error;
    if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &error)) refuse(file, error);
    if (LLVMParseBitcode2(buffer, &module)) refuse(file, "this is no bitcode");
    return module;
}

static LLVMExecutionEngineRef compile(LLVMModuleRef module) {
    struct LLVMMCJITCompilerOptions options;
    LLVMExecutionEngineRef engine;
    char *error;
    LLVMLinkInMCJIT();
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &error)) refuse("instrumentation", error);
    LLVMInitializeMCJITCompilerOptions(&options, sizeof options);
    options.OptLevel = 0;
    if (LLVMCreateMCJITCompilerForModule(&engine, module, &options, sizeof options, &error)) refuse("compilation", error);
    return engine;
}

static void bind_functions(LLVMModuleRef module, LLVMExecutionEngineRef engine) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        if (!LLVMIsDeclaration(f) || !LLVMGetFirstUse(f) || !strncmp(name, "llvm.", 5)) continue;
        const Function *known = runtime_functions;
        while (known->name && strcmp(known->name, name)) known++;
        if (!known->name) refuse(name, "not known to the runtime");
        LLVMAddGlobalMapping(engine, f, known->address);
    }
}

static void bind_globals(LLVMModuleRef module, LLVMExecutionEngineRef engine) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        const char *name = LLVMGetValueName(g);
        if (!strncmp(name, "llvm.", 5)) continue;
        uint64_t size = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g)), address = LLVMGetGlobalValueAddress(engine, name);
        bool constant = LLVMIsGlobalConstant(g);
        if (!address) refuse(name, "not defined");
        runtime_global(address, size, constant);
        if (constant) continue;
        if (nranges == MAX_RANGES) refuse(name, "too many globals");
        ranges[nranges++] = (Range){(char *)address, size};
    }
    char name[8];
    for (nouts = 0; nouts < MAX_OUTS; nouts++) {
        snprintf(name, sizeof name, "o%u", nouts);
        LLVMValueRef g = LLVMGetNamedGlobal(module, name);
        if (!g) break;
        outs[nouts] = (Range){(char *)LLVMGetGlobalValueAddress(engine, name), LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g))};
    }
}

static void read_layout(char *text) {
    uint16_t *pieces = must(calloc(64, sizeof *pieces));
    unsigned n = 0;
    uint64_t size = strtoull(text, &text, 10);
    while (*text && n < 64) pieces[n++] = (uint16_t)strtoul(text + 1, &text, 10);
    runtime_layout(size, pieces, n / 2);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a + sizeof(size_t), *(char *const *)b + sizeof(size_t)); }

int main(int argc, char **argv) {
    size_t most = 20000;
    int a = 1;
    for (; a + 1 < argc && argv[a][0] == '-'; a += 2) {
        if (!strcmp(argv[a], "--states")) most = strtoul(argv[a + 1], NULL, 10);
        else if (!strcmp(argv[a], "--layout")) read_layout(argv[a + 1]);
    }
    if (a >= argc) refuse("usage", "native [--states N] [--layout SIZE:OFFSET,SIZE,…] FILE.bc");
    LLVMModuleRef module = read_module(argv[a]);
    instrument(module);
    LLVMExecutionEngineRef engine = compile(module);
    bind_functions(module, engine);
    bind_globals(module, engine);
    runtime_init();
    uint64_t start = LLVMGetFunctionAddress(engine, "main");
    if (!start) refuse("main", "not defined");
    runtime_start((int (*)(void))(void *)start);
    explore(most);
    qsort(outcomes.items, outcomes.n, sizeof *outcomes.items, by_text);
    for (size_t i = 0; i < outcomes.n; i++) puts(outcomes.items[i] + sizeof(size_t));
    printf("%zu states, %zu steps\n", states.n, steps);
    fflush(stdout);
    _Exit(0); /* nothing is taken apart */
}
