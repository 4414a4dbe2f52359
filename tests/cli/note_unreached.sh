# An assertion that a thread gets past because the step before decides it is not said to be out of reach.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
cat >strings.c <<'END'
#include <assert.h>
#include <string.h>
int main(void) {
    char b[] = "a\0b";
    assert(memchr(b, 'b', 4) == b + 2);
    assert(strchr(b, 'b') == NULL);
}
END
"$HEDDLE" --property unreach-call strings.c | grep -v '^SAFE'
