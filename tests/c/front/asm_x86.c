// expect: SAFE
/* The instructions of x86 that locks are made of, and what they do to registers, memory and flags. (It runs natively too, with -mcx16.) */
#include <assert.h>
#include <stdint.h>
#include <string.h>
typedef struct { volatile int counter; } atomic_t;
static inline void inc(atomic_t *v) { __asm__ __volatile__("lock; incl %0" : "=m"(v->counter) : "m"(v->counter)); }
static inline void inc2(atomic_t *v) { __asm__ __volatile__("lock\n\tincl %0" : "+m"(v->counter)); }
static inline int xadd(int i, atomic_t *v) { int r=i; __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(r), "+m"(v->counter) : : "memory"); return r+i; }
static inline int cas(volatile int *p, int o, int n) { int r; __asm__ __volatile__("lock; cmpxchgl %2, %1" : "=a"(r), "+m"(*p) : "r"(n), "0"(o) : "memory"); return r; }
static inline _Bool casz(int *p, int o, int n) { _Bool z; __asm__ __volatile__("lock cmpxchgl %3, %0; setz %1" : "+m"(*p), "=a"(z) : "a"(o), "q"(n) : "memory","cc"); return z; }
static inline _Bool casf(int *p, int *o, int n) { _Bool z; __asm__ __volatile__("lock; cmpxchgl %3, %0" : "+m"(*p), "=@ccz"(z), "+a"(*o) : "q"(n) : "memory"); return z; }
static inline int xchg(int *p, int n) { __asm__ __volatile__("xchgl %0, %1" : "=r"(n) : "m"(*p), "0"(n) : "memory"); return n; }
static inline _Bool cas16(uint64_t t[2], uint64_t c[2], uint64_t s[2]) { _Bool z; __asm__ __volatile__("movq 0(%4), %%rax;" "movq 8(%4), %%rdx;" "lock cmpxchg16b %0; setz %1" : "+m"(*(__int128*)t), "=q"(z) : "b"(s[0]), "c"(s[1]), "q"(c) : "memory","cc","%rax","%rdx"); return z; }
static inline void ld16(const uint64_t target[2], uint64_t v[2]) { __asm__ __volatile__("movq %%rdx, %%rcx;" "movq %%rax, %%rbx;" "lock cmpxchg16b %2;" : "=a"(v[0]), "=d"(v[1]) : "m"(*(const uint64_t *)target) : "rbx", "rcx", "memory", "cc"); }
static inline int dec(atomic_t *v) { unsigned char c; __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(v->counter), "=qm"(c) : : "memory"); return c; }
static inline int neg(int i, atomic_t *v) { unsigned char c; __asm__ __volatile__("lock; addl %2,%0; sets %1" : "+m"(v->counter), "=qm"(c) : "ir"(i) : "memory"); return c; }
static inline int ld(int *p) { int r; __asm__ __volatile__("movl %1, %0" : "=q"(r) : "m"(*p) : "memory"); return r; }
static inline void st(int *p,int v) { __asm__ __volatile__("movl %1, %0" : "=m"(*p) : "iq"(v) : "memory"); }
static inline uint8_t xb(uint8_t *p, uint8_t v) { __asm__ __volatile__("xchgb %b0, %1" : "+q"(v), "+m"(*p)); return v; }
static inline unsigned short not16(unsigned short *p) { __asm__ __volatile__("lock; notw %0" : "+m"(*p)); return *p; }
int main(void) { atomic_t a={0}; int x=0, o; _Alignas(16) uint64_t t[2]={1,2}, c[2]={1,2}, s[2]={3,4}, v[2];
 inc(&a); inc2(&a); assert(a.counter==2); assert(xadd(5,&a)==7 && a.counter==7);
 assert(cas(&x,0,1)==0 && x==1); assert(cas(&x,0,9)==1 && x==1);
 assert(casz(&x,1,2) && x==2); assert(!casz(&x,1,3) && x==2);
 o=7; assert(!casf(&x,&o,3) && o==2 && x==2); assert(casf(&x,&o,3) && x==3 && o==2);
 assert(xchg(&x,1)==3 && x==1);
 assert(cas16(t,c,s) && t[0]==3 && t[1]==4); assert(!cas16(t,c,s) && t[0]==3); ld16(t,v); assert(v[0]==3 && v[1]==4 && t[0]==3 && t[1]==4);
 a.counter=2; assert(!dec(&a)); assert(dec(&a) && a.counter==0); assert(neg(-3,&a) && a.counter==-3); assert(!neg(3,&a));
 assert(ld(&x)==1); st(&x,3); assert(x==3);
 uint8_t b=200; assert(xb(&b,7)==200 && b==7); unsigned short h=0xf0f0; assert(not16(&h)==0x0f0f);
 __asm__ volatile("movl $1, (%0)"::"r"(&x):"memory"); assert(x==1);
 __asm__ volatile("movl $-5, %0":"=r"(x)); assert(x==-5);
 long q; __asm__ ("movq %1, %0; addq $0x10, %0; negq %0":"=r"(q):"r"(5L)); assert(q==-21);
 return 0; }
