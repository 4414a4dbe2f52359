// expect: SAFE assuming that the optimiser left every loop in the program
// flags: --property termination -- -O1
int main(void) {
    return 0;
}
