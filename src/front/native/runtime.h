/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the runtime share. */
#ifndef HEDDLE_NATIVE_RUNTIME_H
#define HEDDLE_NATIVE_RUNTIME_H
#include "native.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

enum { EXIT_DIVERGED = 111, MOST_THREADS = 32768, NO_TURN = ~0u, ROUNDS = 3, PATIENCE = 20 /* seconds */ };

typedef struct Thread {
    sem_t go;
    unsigned number, next; /* its next turn, or NO_TURN */
    unsigned next_input, next_variable;
    bool ended, stopped, blocked; /* stopped: for good; blocked: … since it waits */
    bool copies;                  /* piece by piece */
    unsigned waiter;              /* who runs it to its end, to join it */
    void *(*start)(void *);
    void *argument, *result;
    pthread_t thread;
} Thread;

/* ---- turns.c ---- */
extern const HeddleSchedule *const schedule;
extern Thread *threads[MOST_THREADS];
extern unsigned nthreads, now; /* the turn to be taken */
extern unsigned rounds;        /* of what does not end */
extern unsigned *following;    /* for each turn, the thread's next one */
extern bool quiet, points;
extern _Thread_local Thread *self;
extern _Thread_local uint64_t context; /* of the calls that lead here */
extern _Thread_local unsigned origin;  /* of the primitive that is called */

unsigned step_now(void);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define DIVERGED(...)                                     \
    do {                                                  \
        say("heddle: diverged at step %u: ", step_now()); \
        say(__VA_ARGS__);                                 \
        say("\n");                                        \
        _exit(EXIT_DIVERGED);                             \
    } while (0)
void tell_end(void);
_Noreturn void fail_as_told(void);

void sleep_until_called(void);
void call(unsigned thread);
bool ends(unsigned thread);
void pass_on(void); /* to whom it is the turn of */
_Noreturn void stop(void);
void rest(void); /* a thread without turns. Of a deadlock it goes on when all turns were taken, to where it waits */
void take_turn(void);
void await_end(void); /* others first */
void go_on(void);     /* a turn is over: the thread goes no further before it is to take the next one */
void describe(const HeddleTurn *);
/* The thread is at a point. Its turn, once it is; NULL: it has none here. by_pieces: the caller takes it. */
const HeddleTurn *arrive_at(unsigned origin, void *address, size_t size, unsigned flags, bool by_pieces);
const HeddleTurn *arrive(unsigned origin, void *address, size_t size, unsigned flags);
_Noreturn void wait_for_ever(const char *what);

/* ---- points.c ---- */
void call_hook(void (*hook)(void), unsigned origin);
extern int __heddle_main(int, char **, char **);
extern void __heddle_hook_thread_end(void), __heddle_hook_exit(void), __heddle_hook_quick_exit(void);
extern void __heddle_hook_constructors(void), __heddle_hook_destructors(void);
uint64_t __heddle_input(unsigned origin);
void __heddle_set(unsigned origin, void *to, uint64_t byte, uint64_t size);
void __heddle_move(unsigned origin, void *to, const void *from, uint64_t size);
_Noreturn void __heddle_halt(void);
_Noreturn void __heddle_finish(int quick);

/* ---- primitives.c ---- */
unsigned first_turn(unsigned thread);
Thread *new_thread(void);
unsigned lost_blocks(void);

#endif
