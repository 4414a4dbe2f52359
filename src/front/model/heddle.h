/* SPDX-License-Identifier: Apache-2.0 */
/* The primitives that the library models are written in. Models are C, compiled to bitcode for both data models when
   Heddle is built, linked to the user's program and inlined like any function; the front end turns a call of a primitive into
   IR. Models include no system header, only this. Each model function is weak: a definition in the program wins.
   A model never touches more than the C standard or POSIX lets the function touch. */
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef __UINT8_TYPE__ u8;
typedef __UINT32_TYPE__ u32;
#define NULL ((void *)0)
#define MODEL __attribute__((weak))

/* Nothing interleaves between begin and end; they nest. */
void __heddle_atomic_begin(void);
void __heddle_atomic_end(void);
/* Wait until condition holds. Inside an atomic section: the section is entered only if the condition will hold. */
void __heddle_await(_Bool condition);
void __heddle_await_of(_Bool condition, u32 thread); /* … which the thread makes true by releasing a lock; 0: it is not known who */
/* Executions where it is false do not exist. */
void __heddle_assume(_Bool condition);
_Bool __heddle_choose(void); /* any truth value */
unsigned __heddle_any(void); /* any value */
unsigned long __heddle_any_long(void);

/* With --may-fail, what may fail sometimes does. */
_Bool __heddle_may_fail(void); /* known when the program is translated */
_Bool __heddle_spurious(void); /* may a wait end by itself? Not with --no-spurious-wakeups. Likewise */
_Bool __heddle_progress(void); /* does it matter whether a wait ends at all? Likewise */
_Bool __heddle_ends(void);     /* does it matter whether executions end? Likewise */
_Bool __heddle_order(void);    /* does it matter what orders accesses? Likewise */
_Bool __heddle_c11(void);      /* are memory orders those of C11, and not stronger? Likewise */
_Bool __heddle_buffered(
    void);                  /* do stores wait in buffers, as under TSO and PSO? Likewise. An atomic section that only reads empties none */
_Bool __heddle_reads(void); /* does it matter what is read, though nobody can tell by results? Likewise */
#define MAY_RETURN(value)    \
    if (__heddle_may_fail()) \
        if (__heddle_choose()) return (value)

/* What the program does with the result of the model's function that this is called in: not used; only compared with zero; anything else.
   Known when the program is translated, like those below. */
int __heddle_use(void);
enum { UNUSED, SIGN, MATTERS };
_Bool __heddle_unread(void); /* is its first argument a local variable that is not looked at, but to print it? */
/* Of the format of scanf or its kin, in whose model this is called: the number of conversions, or -1; that one stores what it reads. */
int __heddle_conversions(void);
void __heddle_convert(int conversion);
_Bool __heddle_more_threads(u32 n);         /* may there be more than n? n is a constant */
_Bool __heddle_calls(const char *function); /* does the program itself use the function? The argument is a string literal */
_Bool __heddle_pure(void *function);        /* is it known, and changes nothing but its own variables? */
_Bool __heddle_private(const void *);       /* is this the address of something that no other thread can get at? */
_Bool __heddle_relocks(void);               /* may a thread ask for a read-write lock that it holds for writing? */
_Bool __heddle_destroys(void);              /* does it matter that a mutex was destroyed, and does the program destroy any? */
_Bool __heddle_joins_in_vain(void);         /* may a thread wait for the end of one that is detached, or was joined? */
_Bool __heddle_lives(void);                 /* is it asked whether what is used is alive: memory, mutexes, threads? */
_Bool __heddle_cancellable(void);           /* may the thread be asked to end, and is it not ending? */
int __heddle_awaits_main(void);             /* if others may wait for the end of main: is this main, or does it end its thread? */
enum { IS_MAIN = 1, MAIN_LEAVES };

/* Where C says no more of a result than its sign: some value of that sign. */
static inline int any_like(int value) {
    int other = (int)__heddle_any();
    __heddle_assume((other < 0) == (value < 0) && (other == 0) == (value == 0));
    return other;
}
#define ANY_LIKE(value) (__heddle_use() == MATTERS ? any_like(value) : (value))

/* A thread ends before its function returns: handlers run, and a routine of pthread_once has not run (cancel.c, threads.c). */
_Noreturn void leave_thread(void *result) __asm__("__heddle_leave_thread");
u32 cleanups(void) __asm__("__heddle_cleanups"); /* handlers that were pushed */
void run_cleanups(u32 until) __asm__("__heddle_run_cleanups");
void leave_once(void) __asm__("__heddle_leave_once");

/* Cancellation (cancel.c). A function that waits is a cancellation point: if the thread is asked to end when it is called, the thread ends; if it is asked
   while it waits, it ends too, unless what it waits for happens, or its time is over: then either. */
_Bool asked_to_end(void) __asm__("__heddle_asked_to_end"); /* when the function is called */
_Bool is_requested(void) __asm__("__heddle_is_requested"); /* while it waits; in one step, without branches */
void cancel_point(void) __asm__("__heddle_cancel_point");
_Noreturn void leave_cancelled(void) __asm__("__heddle_leave_cancelled");
void note_result(void *result) __asm__("__heddle_note_result");   /* of main */
void *await_end(u32 thread) __asm__("__heddle_await_end");        /* its result */
void join_or_leave(u32 thread) __asm__("__heddle_join_or_leave"); /* before a join */
void note_end(void) __asm__("__heddle_note_end");                 /* the thread is about to end */

/* To wait for the end of a thread that is detached, or was waited for, is undefined. Threads are marked so in programs that may do it. */
void let_go(unsigned long thread) __asm__("__heddle_let_go");
void require_held(unsigned long thread) __asm__("__heddle_require_held");
void take_thread(unsigned long thread) __asm__("__heddle_take_thread"); /* by a join or a detach: a fault if that was done already */
void detach_thread(unsigned long thread) __asm__("__heddle_detach_thread");

/* struct timespec: seconds, nanoseconds */
static inline _Bool is_no_time(const long *time) { return (unsigned long)time[1] >= 1000000000ul; }

#define MAY_LACK_MEMORY()                          \
    if (__heddle_may_fail())                       \
        if (__heddle_choose()) {                   \
            *__errno_location() = 12; /* ENOMEM */ \
            return NULL;                           \
        }

/* What a program does where a thread could not be created may race with those that were. It matters only if the program looks at the result. */
#define MAY_LACK_THREADS(value)       \
    if (__heddle_order())             \
        if (__heddle_use() != UNUSED) \
            if (__heddle_choose()) return (value)

/* A call that succeeds may leave any number but zero in errno, unless it is said not to. */
#define MAY_SET_ERRNO() \
    if (__heddle_calls("__errno_location")) disturb_errno()
void disturb_errno(void) __asm__("__heddle_disturb_errno");
int *__errno_location(void);

/* Mutex words (32 bits at the address): INSTR_LOCK, TRYLOCK, UNLOCK of the IR; the result is an errno value.
   Kind (bits 28 and up): 0 normal, 1 recursive, 2 error-checking. Zero is an unlocked normal mutex. */
int __heddle_lock(void *word);
int __heddle_trylock(void *word);
int __heddle_unlock(void *word);
#define DESTROYED 0xf0000000u /* kind 15: to lock or unlock it is undefined */
void destroy_mutex(u32 *mutex) __asm__("__heddle_destroy_mutex");

u32 __heddle_self(void);
u32 __heddle_create(void *(*start)(void *), void *argument); /* the new thread's number */
void *__heddle_join(u32 thread);                             /* waits for its end */
#define NOBODY (~0u)                                         /* to wait for the end of no thread is undefined */
_Noreturn void __heddle_exit_thread(void *result);
_Noreturn void __heddle_halt(void);              /* the process ends, without error */
_Noreturn void __heddle_error(const char *text); /* the property unreach-call is violated */

void *__heddle_alloc(size_t size, _Bool zeroed);
void *__heddle_alloc_spare(size_t size);                     /* an object of the library's own, which display do not see */
void *__heddle_alloc_aligned(size_t size, size_t alignment); /* a power of two */
void __heddle_free(void *);
size_t __heddle_size(const void *); /* of the heap object that starts there */
/* One step each, whatever the size; undefined bytes stay undefined. */
void __heddle_copy(void *to, const void *from, size_t size);
void __heddle_fill(void *to, u8 byte, size_t size);

/* Execution reached what is not modelled: the text says what. The argument is a string literal. */
_Noreturn void __heddle_unsupported(const char *text);
/* From here on there may be more behaviours than the program has. */
void __heddle_over(const char *text);
/* That a lock or semaphore was not to be had orders nothing: who looks at what is ordered must not take it for a sign that others had it. */
static inline _Bool turned_down(void) {
    if (!__heddle_order() && !__heddle_c11()) return 0;
    if (!__heddle_choose()) return 0;
    __heddle_over("an attempt to take what is free fails, since one that fails orders nothing");
    return 1;
}
