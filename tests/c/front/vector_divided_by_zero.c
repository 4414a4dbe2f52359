// expect: UNSAFE
// flags: -p no-overflow
// One of several divisors is zero.
typedef int v4 __attribute__((vector_size(16)));
int z; int main(void) { v4 a = {1, 1, z, 3}; v4 b = 6 / a; return b[0]; }
