// expect: SAFE
// Operators of vectors work element by element.
#include <assert.h>
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char c16 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
typedef long l2 __attribute__((vector_size(16)));
int main(void) {
    v4 a = {1, -2, 3, 2147483647}, b = {10, 20, -30, 1};
    v4 s = a + b, d = a - b, m = a * b, q = b / a, r = b % a;
    assert(s[0] == 11 && s[1] == 18 && s[2] == -27 && s[3] == -2147483647 - 1);
    assert(d[0] == -9 && d[1] == -22 && d[2] == 33 && d[3] == 2147483646);
    assert(m[0] == 10 && m[1] == -40 && m[2] == -90 && m[3] == 2147483647);
    assert(q[0] == 10 && q[1] == -10 && q[2] == -10 && q[3] == 0);
    assert(r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 1);
    v4 e = a == b, g = a > b, l = a <= b;
    assert(e[0] == 0 && g[0] == 0 && g[2] == -1 && g[3] == -1 && l[0] == -1 && l[3] == 0);
    v4 sh = a << 1, sr = a >> 1;
    assert(sh[0] == 2 && sh[1] == -4 && sr[1] == -1 && sr[2] == 1);
    c16 x = {250, 1, 2, 255}, y = {10, 255, 3, 1};
    c16 z = x + y, w = x >> 1, n = ~x, lt = x < y;
    assert(z[0] == 4 && z[1] == 0 && z[2] == 5 && z[3] == 0 && z[15] == 0 && w[0] == 125 && w[3] == 127 && n[0] == 5 && n[15] == 255);
    assert(lt[0] == 0 && lt[1] == 255 && lt[15] == 0);
    f4 f = {1.5f, 2.0f, -1.0f, 0.0f}, p = f * f, h = p + f;
    assert(h[0] == 3.75f && h[1] == 6.0f && h[2] == 0.0f);
    s8 k = {32767, -32768, 5}; k = k + 1;
    assert(k[0] == -32768 && k[1] == -32767 && k[7] == 1);
    l2 u = {1, -1}; u = -u;
    assert(u[0] == -1 && u[1] == 1);
    v4 cv = __builtin_convertvector((s8){1, -1, 2, 3} , s8)[0] + a;
    assert(cv[0] == 2);
    v4 rev = __builtin_shufflevector(a, b, 3, 2, 5, 4);
    assert(rev[0] == a[3] && rev[1] == 3 && rev[2] == 20 && rev[3] == 10);
    typedef short s4 __attribute__((vector_size(8)));
    s4 small = __builtin_convertvector(a, s4); v4 back = __builtin_convertvector(small, v4);
    assert(small[1] == -2 && small[3] == -1 && back[1] == -2 && back[3] == -1);
    typedef unsigned short us4 __attribute__((vector_size(8)));
    us4 us = {65535, 1, 2, 3}; v4 wide = __builtin_convertvector(us, v4);
    assert(wide[0] == 65535 && wide[1] == 1);
    return 0;
}
