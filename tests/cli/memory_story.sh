# The story of a memory error says who allocated the memory, and who freed it.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >use.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *thread(void *p) {
    free(p);
    return NULL;
}
int main(void) {
    pthread_t t;
    char *p = calloc(2, 1);
    pthread_create(&t, NULL, thread, p);
    pthread_join(t, NULL);
    return p[1];
}
C
"$HEDDLE" --property valid-memsafety use.c | sed -n '/^use.c/,$p'
sed 's/free(p);//; s/p\[1\]/p[2]/' use.c >beyond.c
"$HEDDLE" --property valid-memsafety beyond.c | sed -n '/^beyond.c/,$p'
