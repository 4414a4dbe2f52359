// expect: SAFE
// flags: -p no-overflow
/* Unsigned numbers wrap around. */
int main(void) {
    unsigned n = 0;
    n--;
    return n != 0;
}
