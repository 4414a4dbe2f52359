// expect: SAFE
#include <arpa/inet.h>
#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short x = __VERIFIER_nondet_ushort();
    assert(ntohs(htons(x)) == x && ntohl(htonl(x)) == x);
    assert(htonl(1) == 0x01000000 && htons(0x1234) == 0x3412);
    return 0;
}
