/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the primitives that the library models are written in.

   When Heddle is built, the models are compiled from C to bitcode for both data models. The front end links them to the user's program
   and inlines them like any function. The front end turns a call of a primitive into IR.

   Models include no system header, only this one. Each model function is weak: a definition in the program wins. A model never touches
   more than the C standard or POSIX lets the function touch. */
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef __UINT8_TYPE__ u8;
typedef __UINT32_TYPE__ u32;
#define NULL ((void *)0)
#define MODEL __attribute__((weak))

/* No other thread steps between begin and end. Sections nest. */
void __heddle_atomic_begin(void);
void __heddle_atomic_end(void);
/* Waits until the condition holds. In an atomic section, the section is entered only if the condition will hold. */
void __heddle_await(_Bool condition);
/* … and the thread with this number makes it true by releasing a lock; 0: the thread is unknown */
void __heddle_await_of(_Bool condition, u32 thread);
/* Excludes executions in which the condition is false. */
void __heddle_assume(_Bool condition);
_Bool __heddle_choose(void); /* returns any truth value */
unsigned __heddle_any(void); /* returns any value */
unsigned long __heddle_any_long(void);

/* With --may-fail, these calls fail in some executions. Each of the following answers is known when the program is translated. */
_Bool __heddle_may_fail(void); /* true with --may-fail */
_Bool __heddle_spurious(void); /* true if a wait may end by itself, unless --no-spurious-wakeups */
_Bool __heddle_progress(void); /* true if it matters whether a wait ends at all */
_Bool __heddle_ends(void);     /* true if it matters whether executions end */
_Bool __heddle_order(void);    /* true if it matters how accesses are ordered */
_Bool __heddle_c11(void);      /* true if memory orders are exactly those of C11 */
_Bool __heddle_buffered(
    void);                   /* true if stores wait in buffers, as under TSO and PSO; an atomic section that only reads empties no buffer */
_Bool __heddle_reads(void);  /* true if it matters what is read, even if it affects no result */
_Bool __heddle_faults(void); /* true if it matters whether a call is at fault, races or does not end, even if its result affects nothing */
#define MAY_RETURN(value)    \
    if (__heddle_may_fail()) \
        if (__heddle_choose()) return (value)

/* Returns how the program uses the result of the model function that calls this: UNUSED, SIGN (only compared with zero) or MATTERS. The
   front end knows this answer, and those below, when it translates the program. */
int __heddle_use(void);
enum { UNUSED, SIGN, MATTERS };
_Bool __heddle_unread(void); /* true if its first argument is a local variable that is only printed */
/* For the format of the scanf-like function whose model calls these: the first returns the number of conversions, or -1; the second
   stores what one conversion reads. */
int __heddle_conversions(void);
void __heddle_convert(int conversion);
_Bool __heddle_more_threads(u32 n);         /* true if there may be more than n threads; n is a constant */
_Bool __heddle_calls(const char *function); /* true if the program itself uses the function; the argument is a string literal */
_Bool __heddle_pure(void *function);        /* true if it is known and changes nothing but its own variables */
_Bool __heddle_private(const void *);       /* true if no other thread can reach what the address points to */
_Bool __heddle_relocks(void);               /* true if a thread may lock a read-write lock that it holds for writing */
_Bool __heddle_destroys(void);              /* true if it matters that a mutex was destroyed, and the program destroys one */
_Bool __heddle_joins_in_vain(void);         /* true if a thread may wait for the end of a thread that is detached or was joined */
_Bool __heddle_lives(void);                 /* true if it is asked whether memory, mutexes and threads are alive when used */
_Bool __heddle_cancellable(void);           /* true if the thread may be cancelled and is not ending */
/* IS_MAIN, or MAIN_LEAVES (main ends its thread), if other threads may wait for main's end; else 0 */
int __heddle_awaits_main(void);
enum { IS_MAIN = 1, MAIN_LEAVES };

/* Returns any value with the sign of `value`. C specifies only the sign of some results. */
static inline int any_like(int value) {
    int other = (int)__heddle_any();
    __heddle_assume((other < 0) == (value < 0) && (other == 0) == (value == 0));
    return other;
}
#define ANY_LIKE(value) (__heddle_use() == MATTERS ? any_like(value) : (value))

/* Ends the thread before its function returns: handlers run, and a routine of pthread_once that was running counts as not called
   (cancel.c, threads.c). */
_Noreturn void leave_thread(void *result) __asm__("__heddle_leave_thread");
u32 cleanups(void) __asm__("__heddle_cleanups"); /* number of handlers that are pushed */
void run_cleanups(u32 until) __asm__("__heddle_run_cleanups");
void leave_once(void) __asm__("__heddle_leave_once");

/* Cancellation (cancel.c). A function that waits is a cancellation point. If the thread is asked to end before the call, it ends. If it
   is asked while it waits, it ends too; if the event it waits for or its deadline comes as well, either may happen. */
_Bool asked_to_end(void) __asm__("__heddle_asked_to_end"); /* when the function is called */
_Bool is_requested(void) __asm__("__heddle_is_requested"); /* while the function waits; in one step, without branches */
void cancel_point(void) __asm__("__heddle_cancel_point");
_Noreturn void leave_cancelled(void) __asm__("__heddle_leave_cancelled");
void note_result(void *result) __asm__("__heddle_note_result");   /* of main */
void *await_end(u32 thread) __asm__("__heddle_await_end");        /* returns the thread's result */
void join_or_leave(u32 thread) __asm__("__heddle_join_or_leave"); /* before a join */
void note_end(void) __asm__("__heddle_note_end");                 /* the thread is about to end */

/* Signals that are blocked (signals.c). A thread is made in one step with the gift of its mask. */
void give_mask(u32 thread) __asm__("__heddle_give_mask");
#define BLOCKS_SIGNALS (__heddle_calls("pthread_sigmask") || __heddle_calls("sigprocmask"))
#define GIVES_MASK (__heddle_calls("raise") || BLOCKS_SIGNALS)

/* Waiting for the end of a thread that is detached or was joined is undefined. Programs that may do so mark their threads with these. */
void let_go(unsigned long thread) __asm__("__heddle_let_go");
void require_held(unsigned long thread) __asm__("__heddle_require_held");
void take_thread(unsigned long thread) __asm__("__heddle_take_thread"); /* by a join or a detach; reports a fault if it was taken before */
void require_life(unsigned long thread) __asm__("__heddle_require_life"); /* before another use of its number */
void detach_thread(unsigned long thread) __asm__("__heddle_detach_thread");

/* True if the struct timespec (seconds, nanoseconds) is not a time. */
static inline _Bool is_no_time(const long *time) { return (unsigned long)time[1] >= 1000000000ul; }

#define MAY_LACK_MEMORY()                          \
    if (__heddle_may_fail())                       \
        if (__heddle_choose()) {                   \
            *__errno_location() = 12; /* ENOMEM */ \
            return NULL;                           \
        }

/* After a failed creation, the program may do something that races with the threads that it did create. This matters only if the program
   uses the result. A fault counts only if it happens without such a failure (strategy/lemmas.c finds this function by its name). */
static inline _Bool lacks_threads(void) { return __heddle_choose(); }
#define MAY_LACK_THREADS(value)       \
    if (__heddle_order())             \
        if (__heddle_use() != UNUSED) \
            if (lacks_threads()) return (value)

/* A call that succeeds may leave any number but zero in errno, unless the standard forbids it. */
#define MAY_SET_ERRNO() \
    if (__heddle_calls("__errno_location")) disturb_errno()
void disturb_errno(void) __asm__("__heddle_disturb_errno");
int *__errno_location(void);

/* Lock, try to lock and unlock a mutex word, the 32 bits at the address; see INSTR_LOCK, INSTR_TRYLOCK and INSTR_UNLOCK in the IR. The
   result is an errno value. The kind of the mutex is in bits 28 and up: 0 normal, 1 recursive, 2 error-checking. Zero is an unlocked
   normal mutex. */
int __heddle_lock(void *word);
int __heddle_trylock(void *word);
int __heddle_unlock(void *word);
#define DESTROYED 0xf0000000u /* kind 15: locking or unlocking it is undefined */
void destroy_mutex(u32 *mutex) __asm__("__heddle_destroy_mutex");
void begin_mutex(u32 *mutex) __asm__("__heddle_begin_mutex");
int lock_checked(u32 *mutex) __asm__("__heddle_lock_checked");
int unlock_checked(u32 *mutex) __asm__("__heddle_unlock_checked");
void check_mutex(u32 *mutex) __asm__("__heddle_check_mutex"); /* before each use */

/* ---- misuse that POSIX leaves undefined, where that is asked (__heddle_lives) ---- */
enum { HELD, AGAIN, AWAITED, GONE, COPY, RWLOCK, SELF, LIFE }; /* the faults that special.c lists */
_Noreturn void __heddle_misuse(int fault);
_Bool __heddle_written(const void *word); /* true if no byte of these 32 bits is undefined */
_Bool __heddle_copies(void);              /* true if the program may copy a mutex, and it matters */

/* An object of the library has a mark, in addition to its state. A static initialiser leaves it zero. */
#define OBJECT_MADE 0x4d414445u
#define OBJECT_ENDED 0x454e4445u
/* Marks an object as initialised. Undefined bytes were never a mark. */
static inline void make(u32 *mark) {
    if (__heddle_written(mark))
        if (*mark == OBJECT_MADE) __heddle_misuse(AGAIN);
    *mark = OBJECT_MADE;
}
static inline void require_alive(const u32 *mark) {
    if (!__heddle_written(mark)) __heddle_misuse(GONE);
    if (*mark == OBJECT_ENDED) __heddle_misuse(GONE);
}
/* Requires that an object which has no static initialiser was initialised. */
static inline void require_made(const u32 *mark) {
    if (!__heddle_written(mark)) __heddle_misuse(GONE);
    if (*mark != OBJECT_MADE) __heddle_misuse(GONE);
}
/* To initialise and to destroy an object are plain accesses to it, which race with those that nothing orders. */
#define TOUCH(word) \
    if (__heddle_order()) *(word) = 0
#define TOUCH_MUTEX(word) \
    if (__heddle_order()) __heddle_life(), *(word) = 0

u32 __heddle_self(void);
u32 __heddle_create(void *(*start)(void *), void *argument); /* returns the number of the new thread */
void *__heddle_join(u32 thread);                             /* waits for its end and returns its result */
#define NOBODY (~0u)                                         /* the number of no thread; waiting for its end is undefined */
_Noreturn void __heddle_exit_thread(void *result);
_Noreturn void __heddle_halt(void);              /* ends the process without an error */
_Noreturn void __heddle_error(const char *text); /* violates the property unreach-call */

void *__heddle_alloc(size_t size, _Bool zeroed);
void *__heddle_alloc_spare(size_t size);                     /* an object of the library itself, which counterexamples do not show */
void *__heddle_alloc_aligned(size_t size, size_t alignment); /* the alignment is a power of two */
void __heddle_free(void *);
size_t __heddle_size(const void *); /* returns the size of the heap object that starts at the address */
/* Copy or fill memory in one step, whatever the size. Copied undefined bytes stay undefined. */
void __heddle_copy(void *to, const void *from, size_t size);
void __heddle_fill(void *to, u8 byte, size_t size);

/* Stops the execution: it reached behaviour that is not modelled, which the text names. The argument is a string literal. */
_Noreturn void __heddle_unsupported(const char *text);
/* Records that from here on there may be more behaviours than the program has. */
void __heddle_over(const char *text);
/* Records what every verdict of the program assumes. */
void __heddle_assumption(const char *text);
/* The next store begins or ends the life of a mutex. */
void __heddle_life(void);
/* True if an attempt to take a lock or semaphore fails although it is free. A failed attempt orders nothing, so where order matters it
   must not show that another thread had the lock. */
static inline _Bool turned_down(void) {
    if (!__heddle_order() && !__heddle_c11()) return 0;
    if (!__heddle_choose()) return 0;
    __heddle_over("an attempt to take what is free fails, since one that fails orders nothing");
    return 1;
}
