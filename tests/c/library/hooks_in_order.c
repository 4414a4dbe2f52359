// expect: SAFE
/* Constructors by priority, those without one last; destructors the other way round, behind the functions of atexit; exit runs them, too. */
#include <assert.h>
#include <stdlib.h>
static int n;
static void next(int k) { assert(n == k); n++; }
__attribute__((constructor)) static void c3(void) { next(2); }
__attribute__((constructor(202))) static void c2(void) { next(1); }
__attribute__((constructor(101))) static void c1(void) { next(0); }
__attribute__((constructor)) static void c4(void) { next(3); }
__attribute__((destructor)) static void d2(void) { next(7); }
__attribute__((destructor(101))) static void d4(void) { next(9); }
__attribute__((destructor(202))) static void d3(void) { next(8); }
__attribute__((destructor)) static void d1(void) { next(6); }
static void last(void) { next(5); }
int main(void) {
  next(4);
  atexit(last);
  exit(0);
}
