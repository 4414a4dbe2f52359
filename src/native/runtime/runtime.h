/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the files of the runtime use of each other. */
#pragma once
#include "native.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

enum { EXIT_DIVERGED = 111, MOST_THREADS = 32768, NO_TURN = ~0u, ROUNDS = 3, PATIENCE = 20 /* seconds */ };

typedef struct Thread {
    sem_t go;
    unsigned number, next; /* the thread's next turn, or NO_TURN */
    unsigned next_input, next_variable;
    bool ended, stopped, blocked; /* stopped: permanently; blocked: stopped since it waits */
    bool copies;                  /* it copies in pieces */
    unsigned waiter;              /* the thread that joins it, which waits until it has run to its end */
    void *(*start)(void *);
    void *argument, *result;
    pthread_t thread;
} Thread;

/* ---- turns.c ---- */
extern const HeddleSchedule *const schedule;
extern Thread *threads[MOST_THREADS];
extern unsigned nthreads, now; /* the turn that comes next */
extern unsigned rounds;        /* finished rounds of an endless run */
extern unsigned *following;    /* for each turn, the thread's next turn */
extern bool quiet, points;
extern _Thread_local Thread *self;
extern _Thread_local uint64_t context;  /* a hash of the calls that lead here */
extern _Thread_local unsigned origin;   /* the origin of the primitive that is called */
extern _Thread_local unsigned sections; /* number of atomic sections that the thread is in */

unsigned step_now(void);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define DIVERGED(...)                                     \
    do {                                                  \
        say("heddle: diverged at step %u: ", step_now()); \
        say(__VA_ARGS__);                                 \
        say("\n");                                        \
        _exit(EXIT_DIVERGED);                             \
    } while (0)
void report_end(void);
_Noreturn void end_as_in_trace(void);

void sleep_until_called(void);
void call(unsigned thread);
bool ends(unsigned thread);
void pass_on(void); /* passes the token to the thread of the next turn */
_Noreturn void stop(void);
void park(void); /* stops a thread without turns; in a deadlock it later runs to where it waits */
void take_turn(void);
void await_end(void);   /* lets other threads take all turns */
void yield_token(void); /* after a turn: returns when the thread may run on to its next turn */
void describe(const HeddleTurn *);
/* The thread has arrived at a point. Returns its turn when that comes next; NULL: the point has no turn. by_pieces: the caller takes the
   turn. */
const HeddleTurn *arrive_at(unsigned origin, void *address, size_t size, unsigned flags, bool by_pieces);
const HeddleTurn *arrive(unsigned origin, void *address, size_t size, unsigned flags);
_Noreturn void wait_for_ever(const char *what);
void over(const HeddleTurn *); /* ends a turn; NULL: there was no turn */
void after_race(void);         /* called after one of the two accesses that race */
bool meet(const HeddleTurn *, void *address, size_t size, unsigned flags);

/* ---- watcher.c: reports to ThreadSanitizer, which it cannot see by itself; no effect without it ---- */
#ifdef THREAD_SANITIZER
enum { WATCHED = true };
#define sem_wait watch_wait
#define sem_post watch_post
int watch_wait(sem_t *);
int watch_post(sem_t *);
void watch_acquire(void *);
void watch_release(void *);
void watch_library(unsigned flags, void *address); /* an access of a library function, which synchronises */
void watch_access(void *address, size_t size, unsigned flags, void *where);
#else
enum { WATCHED = false };
static inline void watch_acquire(void *at) { (void)at; }
static inline void watch_release(void *at) { (void)at; }
static inline void watch_library(unsigned flags, void *address) { (void)flags, (void)address; }
static inline void watch_access(void *address, size_t size, unsigned flags, void *where) {
    (void)address, (void)size, (void)flags, (void)where;
}
#endif

/* The two accesses that race. With ThreadSanitizer the second one is executed, too. */
typedef struct Racer {
    unsigned thread;
    char *address;
    size_t size; /* 0: unknown */
    unsigned flags;
} Racer;
extern Racer racers[2];
extern unsigned nracers;
extern bool reported;             /* ThreadSanitizer has reported the race */
extern _Thread_local bool racing; /* the thread is about to execute one of these accesses, or just has */

/* ---- points.c ---- */
void call_hook(void (*hook)(void), unsigned origin);
extern int __heddle_main(int, char **, char **);
extern void __heddle_hook_thread_end(void), __heddle_hook_exit(void), __heddle_hook_quick_exit(void);
extern void __heddle_hook_constructors(void), __heddle_hook_destructors(void);
uint64_t __heddle_input(unsigned origin);
/* by: the model of the function, for contexts in which it was lowered; 0: none. */
void __heddle_set(unsigned origin, void *to, uint64_t byte, uint64_t size, void *(*by)(void *, int, size_t));
void __heddle_move(unsigned origin, void *to, const void *from, uint64_t size, void *(*by)(void *, const void *, size_t));
uint64_t __heddle_enter(unsigned origin);
void __heddle_leave(uint64_t outer);
uint64_t __heddle_answer(unsigned origin);
_Noreturn void __heddle_halt(void);
_Noreturn void __heddle_finish(int quick);

/* ---- primitives.c ---- */
unsigned first_turn(unsigned thread);
Thread *new_thread(void);
unsigned lost_blocks(void);
