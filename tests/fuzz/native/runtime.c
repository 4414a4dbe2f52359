/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime that instrumented programs call. A thread is a coroutine: `await` gives control to the explorer, which lets a thread go on
   when what it waits for is there. Locks are kept in the program's own objects, so that they are part of the state; nothing ever blocks. */
#include "native.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>

Runtime runtime;
const char *limit;

enum { MAX_GLOBALS = 256, MAX_LAYOUTS = 16, MAX_PIECES = 32, NULL_ZONE = 4096 };
typedef struct Global {
    uint64_t base, size;
    bool constant;
} Global;
static Global globals[MAX_GLOBALS];
static unsigned nglobals;
typedef struct Layout {
    uint64_t size;
    unsigned n;
    const uint16_t *pieces;
} Layout;
static Layout layouts[MAX_LAYOUTS];
static unsigned nlayouts;
static const void *own[MAX_OWN]; /* thread-local variables, in the order in which they are first met */
static unsigned nown;
static char *memory; /* of all threads: stack and arena of each */
static unsigned current;
static void *explorer;

static Thread *self(void) { return &runtime.thread[current]; }
char *thread_stack(unsigned t) { return memory + t * (STACK_SIZE + ARENA_SIZE); }
char *thread_arena(unsigned t) { return thread_stack(t) + STACK_SIZE; }

/* ---- coroutines ---- */

void native_switch(void **save, void *load);
__asm__(".text\n.globl native_switch\nnative_switch:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

static void leave_to_explorer(void) { native_switch(&self()->sp, explorer); }

static void bury(Thread *t) {
    for (unsigned i = 0; i < t->nobjects && t->dying; i++)
        if (t->objects[i].state == DYING) t->objects[i].state = DEAD;
    t->dying = 0;
}

static void pause_for(WaitKind kind, const volatile void *object, unsigned n) {
    Thread *t = self();
    if (runtime.depth > 0 && kind == WAIT_NOT) return; /* an atomic section is one step */
    t->wait = kind;
    t->object = (uint64_t)object;
    t->number = n;
    leave_to_explorer();
}

static void await(WaitKind kind, const volatile void *object, unsigned n) {
    pause_for(kind, object, n);
    bury(self());
}

static void step(void) { await(WAIT_NOT, NULL, 0); }

/* Before an access. Reading, and writing to its own locals, a thread does nothing that tells others where it is. */
static void step_to(uint64_t address, bool writes) {
    uint64_t arena = (uint64_t)thread_arena(current);
    pause_for(WAIT_NOT, NULL, 0);
    if (writes && (address < arena || address >= arena + ARENA_SIZE)) bury(self());
}

static _Noreturn void end(EndKind kind, unsigned fault) {
    runtime.end = kind;
    runtime.fault = fault;
    leave_to_explorer();
    abort();
}

/* Everybody may move once more before it happens. */
static _Noreturn void fault(NativeFault kind) {
    step();
    end(END_FAULT, kind);
}

static _Noreturn void too_much(const char *what) {
    limit = what;
    end(END_LIMIT, 0);
}

static unsigned choose(unsigned n) {
    pause_for(WAIT_CHOOSE, NULL, n);
    return runtime.choice;
}

/* ---- lives ---- */

void runtime_init(void) {
    memory = mmap(NULL, MAX_THREADS * (STACK_SIZE + ARENA_SIZE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
}

void runtime_global(uint64_t base, uint64_t size, bool constant) {
    if (nglobals < MAX_GLOBALS) globals[nglobals++] = (Global){base, size, constant};
}

void runtime_layout(uint64_t size, const uint16_t *pieces, unsigned n) {
    if (nlayouts < MAX_LAYOUTS) layouts[nlayouts++] = (Layout){size, n, pieces};
}

static bool inside(uint64_t address, uint64_t size, uint64_t base, uint64_t room) {
    return address >= base && address - base <= room && size <= room - (address - base);
}

static Life *life_of(uint64_t address, uint64_t size) {
    for (unsigned t = 0; t < runtime.threads; t++)
        for (unsigned i = 0; i < runtime.thread[t].nobjects; i++) {
            Life *o = &runtime.thread[t].objects[i];
            if (inside(address, size, o->base, o->size)) return o;
        }
    return NULL;
}

/* Is it memory that may be accessed, all of one object, the one that base points into? */
static Life *accessible_life(uint64_t base, uint64_t address, uint64_t size) {
    Life *o = life_of(address, size);
    bool mine = o && o >= self()->objects && o < self()->objects + MAX_OBJECTS; /* it knows that it has left the function */
    return o && o->state != DEAD && !(mine && o->state == DYING) && inside(base, 1, o->base, o->size) ? o : NULL;
}

static bool accessible(uint64_t base, uint64_t address, uint64_t size, bool writes) {
    for (unsigned i = 0; i < nglobals; i++)
        if (inside(address, size, globals[i].base, globals[i].size))
            return inside(base, 1, globals[i].base, globals[i].size) && !(writes && globals[i].constant);
    return accessible_life(base, address, size) != NULL;
}

static void check(uint64_t base, uint64_t address, uint64_t size, bool writes) {
    if (address < NULL_ZONE) fault(FAULT_NULL);
    if (!accessible(base, address, size, writes)) fault(FAULT_MEMORY);
    const Life *o = accessible_life(base, address, size);
    if (!o || o->state != DYING || runtime.depth > 0) return;
    outcome("f MEMORY");
    runtime.doubtful = 1;
}

/* Memory is never used twice, so that what dangles is noticed. */
static void *fresh(uint64_t size, bool heap) {
    Thread *t = self();
    enum { ALIGN = 16, GAP = 16 };
    uint64_t room = (size + GAP + ALIGN - 1) / ALIGN * ALIGN;
    if (room > ARENA_SIZE - t->used || t->nobjects == MAX_OBJECTS) too_much("memory");
    char *base = thread_arena(current) + t->used;
    t->used += room;
    Life *o = &t->objects[t->nobjects++];
    o->base = (uint64_t)base;
    o->size = size;
    o->state = ALIVE;
    o->heap = heap;
    return base;
}

static void *native_local(uint64_t size) { return fresh(size, false); }
static uint64_t native_enter(void) { return self()->nobjects; }

static void kill_locals(uint64_t from) {
    for (uint64_t i = from; i < self()->nobjects; i++)
        if (!self()->objects[i].heap) self()->objects[i].state = DEAD;
}

/* Thread-locals that were met meanwhile stay. */
static void native_leave(uint64_t mark, uint64_t shared) {
    if (shared) pause_for(WAIT_NOT, NULL, 0);
    Thread *t = self();
    for (uint64_t i = mark; i < t->nobjects; i++) {
        bool thread_local_ = false;
        for (unsigned k = 0; k < nown; k++) thread_local_ |= (t->locals >> k & 1) && (uint64_t)t->own[k] == t->objects[i].base;
        if (!t->objects[i].heap && !thread_local_ && t->objects[i].state == ALIVE) t->objects[i].state = DYING;
    }
    t->dying = 1;
}

static void *native_thread_local(const void *variable, uint64_t size) {
    unsigned k = 0;
    Thread *t = self();
    while (k < nown && own[k] != variable) k++;
    if (k == MAX_OWN) too_much("thread-local variables");
    if (k == nown) own[nown++] = variable;
    if (!(t->locals >> k & 1)) {
        t->locals |= (uint64_t)1 << k;
        t->own[k] = fresh(size, false);
        memcpy(t->own[k], variable, size);
    }
    return t->own[k];
}

/* ---- accesses ---- */

static void native_access(const void *base, const void *address, uint64_t size, uint64_t flags) {
    if (!(flags & ACCESS_PRIVATE)) step_to((uint64_t)address, flags & ACCESS_WRITES);
    check((uint64_t)base, (uint64_t)address, size, flags & ACCESS_WRITES);
}

static const Layout *layout_of(uint64_t size) {
    for (unsigned i = 0; i < nlayouts; i++)
        if (layouts[i].size == size) return &layouts[i];
    return NULL;
}

static void touch(uint64_t base, uint64_t address, uint64_t size, bool writes, bool hidden) {
    if (!hidden) step_to(address, writes);
    check(base, address, size, writes);
}

typedef struct Piece {
    uint64_t offset, size;
} Piece;

/* Field by field, or byte by byte. Bytes between fields go with the field before. */
static unsigned pieces_of(uint64_t size, Piece *pieces) {
    const Layout *l = layout_of(size);
    unsigned n = l ? l->n : (unsigned)size;
    if (n > MAX_PIECES) too_much("a copy of many pieces");
    for (unsigned i = 0; i < n; i++) pieces[i] = l ? (Piece){l->pieces[2 * i], l->pieces[2 * i + 1]} : (Piece){i, 1};
    return n;
}

static uint64_t with_gap(const Piece *pieces, unsigned n, unsigned i, uint64_t size) {
    return (i + 1 < n ? pieces[i + 1].offset : size) - pieces[i].offset;
}

static void native_copy(char *to, const char *from, uint64_t size, uint64_t flags) {
    Piece pieces[MAX_PIECES];
    char value[256];
    bool move = flags & 1, hidden = flags & 2;
    unsigned n = pieces_of(size, pieces);
    if (size > sizeof value) too_much("a large copy");
    for (unsigned i = 0; i < n; i++) {
        uint64_t at = pieces[i].offset, whole = with_gap(pieces, n, i, size);
        touch((uint64_t)from, (uint64_t)from + at, whole, false, hidden);
        memcpy(value + at, from + at, whole);
        if (move) continue;
        touch((uint64_t)to, (uint64_t)to + at, whole, true, hidden);
        memcpy(to + at, value + at, whole);
    }
    for (unsigned i = 0; i < n && move; i++) {
        uint64_t at = pieces[i].offset, whole = with_gap(pieces, n, i, size);
        touch((uint64_t)to, (uint64_t)to + at, whole, true, hidden);
        memcpy(to + at, value + at, whole);
    }
    memset(value, 0, size); /* nothing is left behind that tells states apart */
}

static void native_fill(char *to, uint64_t byte, uint64_t size, uint64_t flags) {
    Piece pieces[MAX_PIECES];
    unsigned n = pieces_of(size, pieces);
    for (unsigned i = 0; i < n; i++) {
        uint64_t whole = with_gap(pieces, n, i, size);
        touch((uint64_t)to, (uint64_t)to + pieces[i].offset, whole, true, flags & 2);
        memset(to + pieces[i].offset, (int)byte, whole);
    }
}

/* ---- arithmetic ---- */

static void native_arithmetic(uint64_t op, int64_t a, int64_t b, uint64_t width) {
    __int128 result = op == '+' ? (__int128)a + b : op == '-' ? (__int128)a - b : op == '*' ? (__int128)a * b : 0;
    int64_t smallest = (int64_t)((uint64_t)-1 << (width - 1)), largest = ~smallest;
    if ((op == 's' || op == 'u') && b == 0) fault(FAULT_DIVISION);
    if (op == 's' && a == smallest && b == -1) fault(FAULT_DIVISION);
    if (op == '<' && (uint64_t)b >= width) fault(FAULT_SHIFT);
    if (result < smallest || result > largest) fault(FAULT_OVERFLOW);
}

/* What comes here has no defined behaviour. Nothing more is said of it. */
static void native_unreachable(void) {
    runtime.depth = 0;
    await(WAIT_NEVER, NULL, 0);
}
static unsigned native_choose(void) { return choose(2); }

/* ---- threads ---- */

static _Noreturn void finish(void *result) {
    step();
    kill_locals(0);
    self()->result = result;
    self()->status = 2;
    leave_to_explorer();
    abort();
}

static _Noreturn void halt(void) {
    step();
    end(END_HALT, 0);
}
static _Noreturn void halt_with(int code) {
    (void)code;
    halt();
}

/* main has returned: its value is the process's. */
static void run(void) {
    Thread *t = self();
    if (current == 0) {
        ((int (*)(void))(void *)t->start)();
        halt();
    }
    finish(t->start(t->argument));
}

static unsigned new_thread(void *(*start)(void *), void *argument) {
    if (runtime.threads == MAX_THREADS) too_much("threads");
    unsigned number = runtime.threads++;
    Thread *t = &runtime.thread[number];
    memset(t, 0, sizeof *t);
    memset(thread_stack(number), 0, STACK_SIZE + ARENA_SIZE);
    t->status = 1;
    t->start = start;
    t->argument = argument;
    uint64_t *sp = (uint64_t *)(void *)(thread_stack(number) + STACK_SIZE) - 1; /* as if called */
    *--sp = (uint64_t)run;
    sp -= 6;
    t->sp = sp;
    return number;
}

void runtime_start(int (*main)(void)) { new_thread((void *(*)(void *))(void *)main, NULL); }

static int create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *argument) {
    (void)attributes;
    step();
    check((uint64_t)thread, (uint64_t)thread, sizeof *thread, true);
    *thread = new_thread(start, argument) + 1;
    return 0;
}
static int create11(pthread_t *thread, void *(*start)(void *), void *argument) { return create(thread, NULL, start, argument); }

static void *join_thread(pthread_t thread) {
    if (thread == 0 || thread > runtime.threads) fault(FAULT_THREAD);
    await(WAIT_JOIN, NULL, (unsigned)thread - 1);
    return runtime.thread[thread - 1].result;
}

static int join(pthread_t thread, void **result) {
    void *value = join_thread(thread);
    if (result) {
        touch((uint64_t)result, (uint64_t)result, sizeof *result, true, false);
        *result = value;
    }
    return 0;
}

static int join11(pthread_t thread, int *result) {
    int value = (int)(long)join_thread(thread);
    if (result) {
        touch((uint64_t)result, (uint64_t)result, sizeof *result, true, false);
        *result = value;
    }
    return thrd_success;
}

static _Noreturn void exit_thread(void *result) { finish(result); }
static _Noreturn void exit_thread11(int result) { finish((void *)(long)result); }
static pthread_t this_thread(void) { return current + 1; }
static int same_thread(pthread_t a, pthread_t b) { return a == b; }

/* ---- locks ---- */

static struct __pthread_mutex_s *mutex_data(const volatile void *m) { return &((pthread_mutex_t *)(uintptr_t)m)->__data; }

static bool mutex_takes(unsigned thread, const void *mutex) { /* lock returns at once */
    const struct __pthread_mutex_s *m = mutex_data(mutex);
    return m->__owner == 0 || (m->__owner == (int)thread + 1 && m->__kind != PTHREAD_MUTEX_NORMAL);
}

static int take_mutex(pthread_mutex_t *mutex, int busy) {
    struct __pthread_mutex_s *m = mutex_data(mutex);
    if (m->__owner == 0) m->__owner = (int)current + 1;
    else if (m->__owner == (int)current + 1 && m->__kind == PTHREAD_MUTEX_RECURSIVE) m->__count++;
    else return busy;
    return 0;
}

static int mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    touch((uint64_t)mutex, (uint64_t)mutex, sizeof *mutex, true, false);
    int kind = PTHREAD_MUTEX_NORMAL;
    if (attributes) (pthread_mutexattr_gettype)(attributes, &kind);
    memset(mutex, 0, sizeof *mutex);
    mutex_data(mutex)->__kind = kind;
    return 0;
}

static int mutex_lock(pthread_mutex_t *mutex) {
    await(WAIT_MUTEX, mutex, 0);
    check((uint64_t)mutex, (uint64_t)mutex, sizeof(int), true);
    return take_mutex(mutex, EDEADLK);
}

static int mutex_trylock(pthread_mutex_t *mutex) {
    touch((uint64_t)mutex, (uint64_t)mutex, sizeof(int), true, false);
    return take_mutex(mutex, EBUSY);
}

static int mutex_unlock(pthread_mutex_t *mutex) {
    touch((uint64_t)mutex, (uint64_t)mutex, sizeof(int), true, false);
    struct __pthread_mutex_s *m = mutex_data(mutex);
    if (m->__owner != (int)current + 1 && m->__kind != PTHREAD_MUTEX_NORMAL) return EPERM;
    if (m->__count) m->__count--;
    else m->__owner = 0;
    return 0;
}

/* A wait may end at any time. */
static int cond_wait(void *condition, pthread_mutex_t *mutex) {
    (void)condition;
    int error = mutex_unlock(mutex);
    return error ? error : mutex_lock(mutex);
}

static int read_lock(int *lock) {
    await(WAIT_READ, lock, 0);
    check((uint64_t)lock, (uint64_t)lock, sizeof *lock, true);
    ++*lock;
    return 0;
}
static int write_lock(int *lock) {
    await(WAIT_WRITE, lock, 0);
    check((uint64_t)lock, (uint64_t)lock, sizeof *lock, true);
    *lock = -1;
    return 0;
}
static int try_read(int *lock) {
    touch((uint64_t)lock, (uint64_t)lock, sizeof *lock, true, false);
    if (*lock < 0) return EBUSY;
    ++*lock;
    return 0;
}
static int try_write(int *lock) {
    touch((uint64_t)lock, (uint64_t)lock, sizeof *lock, true, false);
    if (*lock != 0) return EBUSY;
    *lock = -1;
    return 0;
}
static int rw_unlock(int *lock) {
    touch((uint64_t)lock, (uint64_t)lock, sizeof *lock, true, false);
    *lock = *lock < 0 ? 0 : *lock - 1;
    return 0;
}

static int semaphore_init(int *semaphore, int shared, unsigned value) {
    (void)shared;
    touch((uint64_t)semaphore, (uint64_t)semaphore, sizeof *semaphore, true, false);
    *semaphore = (int)value;
    return 0;
}
static int semaphore_wait(int *semaphore) {
    await(WAIT_SEM, semaphore, 0);
    check((uint64_t)semaphore, (uint64_t)semaphore, sizeof *semaphore, true);
    --*semaphore;
    return 0;
}
static int semaphore_try(int *semaphore) {
    touch((uint64_t)semaphore, (uint64_t)semaphore, sizeof *semaphore, true, false);
    if (*semaphore == 0) return -1;
    --*semaphore;
    return 0;
}
static int semaphore_post(int *semaphore) {
    touch((uint64_t)semaphore, (uint64_t)semaphore, sizeof *semaphore, true, false);
    ++*semaphore;
    return 0;
}
static int semaphore_value(int *semaphore, int *value) {
    touch((uint64_t)semaphore, (uint64_t)semaphore, sizeof *semaphore, false, false);
    int now = *semaphore;
    touch((uint64_t)value, (uint64_t)value, sizeof *value, true, false);
    *value = now;
    return 0;
}

static int once(int *control, void (*routine)(void)) {
    await(WAIT_ONCE, control, 0);
    if (*control) return 0;
    *control = 1;
    routine();
    step();
    *control = 2;
    return 0;
}

static int nothing(void) { return 0; }

bool runtime_enabled(unsigned number) {
    const Thread *t = &runtime.thread[number];
    if (t->status != 1 || (runtime.depth > 0 && runtime.section != number)) return false;
    const int *word = (const int *)(uintptr_t)t->object;
    if (t->wait == WAIT_NOT || t->wait == WAIT_CHOOSE) return true;
    if (t->wait == WAIT_NEVER) return false;
    if (t->wait == WAIT_JOIN) return runtime.thread[t->number].status == 2;
    if (!accessible(t->object, t->object, sizeof *word, false)) return true; /* it will find out */
    switch (t->wait) {
    case WAIT_MUTEX: return mutex_takes(number, word);
    case WAIT_SEM: return *word > 0;
    case WAIT_READ: return *word >= 0;
    case WAIT_WRITE: return *word == 0;
    default: return *word != 1; /* WAIT_ONCE */
    }
}

void runtime_run(unsigned thread, unsigned choice) {
    current = thread;
    runtime.choice = choice;
    native_switch(&explorer, runtime.thread[thread].sp);
    runtime.choice = 0;
}

/* ---- memory ---- */

static void *allocate(size_t size) {
    step();
    return fresh(size, true);
}
static void *allocate_cleared(size_t n, size_t size) {
    step();
    return memset(fresh(n * size, true), 0, n * size);
}
static void release(void *p) {
    step();
    if (!p) return;
    Life *o = life_of((uint64_t)p, 0);
    if (!o || !o->heap || o->state == DEAD || o->base != (uint64_t)p) fault(FAULT_MEMORY);
    o->state = DEAD;
}

/* ---- what verification tasks call ---- */

static void assume(int condition) {
    if (!condition) halt();
}
static void section_begin(void) {
    pause_for(WAIT_NOT, NULL, 0);
    runtime.section = current;
    runtime.depth++;
}
static void section_end(void) {
    if (runtime.depth && !--runtime.depth) runtime.section = 0;
}
static bool any_bool(void) { return choose(2); }
static _Noreturn void error(void) {
    step();
    end(END_ERROR, 0);
}

#define F(name, function) {name, (void *)(uintptr_t)(function)}
const Function runtime_functions[] = {F("__native_access", native_access),
                                      F("__native_copy", native_copy),
                                      F("__native_fill", native_fill),
                                      F("__native_arithmetic", native_arithmetic),
                                      F("__native_local", native_local),
                                      F("__native_enter", native_enter),
                                      F("__native_leave", native_leave),
                                      F("__native_thread_local", native_thread_local),
                                      F("__native_unreachable", native_unreachable),
                                      F("__native_choose", native_choose),
                                      F("pthread_create", create),
                                      F("pthread_join", join),
                                      F("pthread_exit", exit_thread),
                                      F("pthread_self", this_thread),
                                      F("pthread_equal", same_thread),
                                      F("pthread_detach", nothing),
                                      F("pthread_once", once),
                                      F("sched_yield", nothing),
                                      F("thrd_create", create11),
                                      F("thrd_join", join11),
                                      F("thrd_exit", exit_thread11),
                                      F("thrd_yield", nothing),
                                      F("pthread_mutex_init", mutex_init),
                                      F("pthread_mutex_destroy", nothing),
                                      F("pthread_mutex_lock", mutex_lock),
                                      F("pthread_mutex_trylock", mutex_trylock),
                                      F("pthread_mutex_unlock", mutex_unlock),
                                      F("mtx_lock", mutex_lock),
                                      F("mtx_unlock", mutex_unlock),
                                      F("pthread_mutexattr_init", pthread_mutexattr_init),
                                      F("pthread_mutexattr_settype", pthread_mutexattr_settype),
                                      F("pthread_cond_wait", cond_wait),
                                      F("pthread_cond_signal", nothing),
                                      F("pthread_cond_broadcast", nothing),
                                      F("pthread_cond_init", nothing),
                                      F("pthread_cond_destroy", nothing),
                                      F("pthread_rwlock_rdlock", read_lock),
                                      F("pthread_rwlock_wrlock", write_lock),
                                      F("pthread_rwlock_unlock", rw_unlock),
                                      F("pthread_rwlock_tryrdlock", try_read),
                                      F("pthread_rwlock_trywrlock", try_write),
                                      F("sem_init", semaphore_init),
                                      F("sem_wait", semaphore_wait),
                                      F("sem_trywait", semaphore_try),
                                      F("sem_post", semaphore_post),
                                      F("sem_getvalue", semaphore_value),
                                      F("sem_destroy", nothing),
                                      F("malloc", allocate),
                                      F("calloc", allocate_cleared),
                                      F("free", release),
                                      F("exit", halt_with),
                                      F("_exit", halt_with),
                                      F("_Exit", halt_with),
                                      F("quick_exit", halt_with),
                                      F("abort", halt),
                                      F("llvm.trap", halt),
                                      F("reach_error", error),
                                      F("__assert_fail", error),
                                      F("__VERIFIER_error", error),
                                      F("__VERIFIER_assume", assume),
                                      F("assume_abort_if_not", assume),
                                      F("__VERIFIER_atomic_begin", section_begin),
                                      F("__VERIFIER_atomic_end", section_end),
                                      F("__VERIFIER_nondet_bool", any_bool),
                                      /* the C library's own, within a step: what they are given is nobody else's meanwhile */
                                      F("strlen", strlen),
                                      F("strcmp", strcmp),
                                      F("strncmp", strncmp),
                                      F("memcmp", memcmp),
                                      F("strcpy", strcpy),
                                      F("strncpy", strncpy),
                                      F("strcat", strcat),
                                      F("strchr", strchr),
                                      F("strrchr", strrchr),
                                      F("memchr", memchr),
                                      F("strstr", strstr),
                                      F("strspn", strspn),
                                      F("strcspn", strcspn),
                                      F("strnlen", strnlen),
                                      F("strtol", strtol),
                                      F("strtoul", strtoul),
                                      F("atoi", atoi),
                                      F("abs", abs),
                                      F("labs", labs),
                                      {NULL, NULL}};
