/* SPDX-License-Identifier: Apache-2.0 */
/* Native runs, one visible step at a time. A C program is compiled to machine code, with a call of the runtime before each
   access that another thread could see; its threads are coroutines of one process. At such a call a thread stops, and the
   explorer decides who goes on. The whole state (globals, stacks, heap, the runtime's own data) is bytes that can be put back, so
   that every order of steps is tried; a state seen before is not tried again. Nothing here is shared with the verifier. */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_THREADS = 8, MAX_OBJECTS = 48, STACK_SIZE = 1 << 16, ARENA_SIZE = 1 << 13, MAX_OWN = 16 };

/* ---- what a thread waits for before it goes on ---- */
typedef enum WaitKind {
    WAIT_NOT,   /* it can go on */
    WAIT_MUTEX, /* object: the mutex */
    WAIT_SEM,   /* object: a semaphore with a value above 0 */
    WAIT_READ,  /* object: a read-write lock, to read */
    WAIT_WRITE,
    WAIT_ONCE,   /* object: the control of pthread_once, while another is in the routine */
    WAIT_JOIN,   /* number: the thread to join */
    WAIT_CHOOSE, /* number: how many choices it has */
    WAIT_NEVER   /* it goes no further */
} WaitKind;

/* A local dies when its function returns: between the thread's last step before that and the next one that others can tell. When exactly nobody
   knows, except that who looks at it then has no defined behaviour. So in between it is DYING: such an access may be a fault. */
enum { DEAD, ALIVE, DYING };
typedef struct Life {
    uint64_t base, size;
    unsigned char state;
    bool heap;
} Life;

typedef struct Thread {
    unsigned status; /* 0: none, 1: runs, 2: has ended */
    unsigned dying;  /* it has objects that are */
    unsigned wait, number;
    uint64_t object;
    void *sp;
    void *(*start)(void *);
    void *argument, *result;
    uint64_t used;      /* of its arena */
    uint64_t locals;    /* bits for thread-local variables that it has … */
    void *own[MAX_OWN]; /* … and where they are */
    unsigned nobjects;
    Life objects[MAX_OBJECTS]; /* its locals, thread-locals and allocations */
} Thread;

typedef enum EndKind { END_NOT, END_HALT, END_ERROR, END_FAULT, END_LIMIT } EndKind;
typedef enum NativeFault { FAULT_DIVISION, FAULT_OVERFLOW, FAULT_SHIFT, FAULT_NULL, FAULT_MEMORY, FAULT_THREAD, NATIVE_FAULTS } NativeFault;

typedef struct Runtime {
    unsigned threads;        /* created so far */
    unsigned section, depth; /* the thread in an atomic section, and how deep it is */
    unsigned doubtful;       /* an object that was about to die was looked at: whether it was dead is not settled */
    unsigned end, fault;     /* how the execution ended */
    unsigned choice;
    Thread thread[MAX_THREADS];
} Runtime;

void outcome(const char *what); /* notes one, with the values of the moment */

extern Runtime runtime;
extern const char *limit;            /* why END_LIMIT */
char *thread_stack(unsigned thread); /* its lowest byte */
char *thread_arena(unsigned thread);
void runtime_init(void);
void runtime_start(int (*main)(void));
void runtime_global(uint64_t base, uint64_t size, bool constant);
void runtime_layout(uint64_t size, const uint16_t *pieces, unsigned n); /* a struct of that size: offset, size, … */
bool runtime_enabled(unsigned thread);
void runtime_run(unsigned thread, unsigned choice); /* until its next step */

/* ---- instrumentation ---- */
void instrument(LLVMModuleRef);
/* Flags of __native_access */
enum { ACCESS_WRITES = 1, ACCESS_PRIVATE = 2 };
typedef struct Function {
    const char *name;
    void *address;
} Function;
extern const Function runtime_functions[]; /* ends with a NULL name */
