// expect: UNKNOWN it may go on for ever
// flags: --property termination
_Noreturn void leave(void);
int main(void) {
    leave();
}
