# Functions without a body: all of them are listed, with what to do; what is said of them is repeated.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
cat >a.c <<'END'
#include <assert.h>
int n;
void bump(void);
int probe(int *);
int main(void) {
    int k = 1;
    bump();
    if (probe(&k) == 3) bump();
    assert(n == 0 && k == 1);
    return 0;
}
END
echo 'extern int n; void bump(void) { n++; } int probe(int *k) { return *k; }' >b.c
seconds() { sed 's/  [0-9.]* s/  N s/'; }
"$HEDDLE" -p unreach-call a.c | seconds
"$HEDDLE" -p unreach-call -q a.c | seconds
"$HEDDLE" -p unreach-call -q a.c b.c | seconds
"$HEDDLE" -p unreach-call --pure bump a.c | seconds
"$HEDDLE" -p unreach-call -q --pure bump,probe a.c | seconds
"$HEDDLE" -p unreach-call -q --undefined pure a.c | seconds
"$HEDDLE" -p unreach-call -q --undefined pure --json - a.c | grep -E 'assum|"function"'
"$HEDDLE" -p unreach-call --undefined never a.c; echo "exit $?"
