// expect: SAFE undefined behaviour that the property does not cover was not checked; use --property all
// flags: -p no-data-race
// A proof from the text alone; what is out of bounds here is no race.
int main(void) {
    int a[4], n = 4;
    for (int i = 0; i <= n; i++) a[i] = i;
    return a[0];
}
