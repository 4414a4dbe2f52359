// expect: UNSAFE 86400000 * 1000 does not fit into 32 bits
// flags: --property no-overflow
/* The compiler computes it, and it is executed all the same. */
int main(void) {
  long microseconds = 24 * 60 * 60 * 1000 * 1000;
  return microseconds > 0;
}
