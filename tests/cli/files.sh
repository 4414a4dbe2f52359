# SPDX-License-Identifier: Apache-2.0
# C++ is refused by name; flags behind further -- are for one file.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo 'int main(void) { return 0; }' >x.c
for name in x.cpp x.cc x.cxx x.C; do cp x.c $name; "$HEDDLE" -p unreach-call -q $name 2>&1; echo "exit $?"; done
"$HEDDLE" -p unreach-call -q x.c x.cc 2>&1; echo "exit $?"
cat >a.c <<'C'
#include <assert.h>
int other(void);
int main(void) { assert(A == 1 && B == 2 && other() == 3); return 0; }
C
cat >b.c <<'C'
#ifdef B
#error "not for this one"
#endif
int other(void) { return A + C; }
C
"$HEDDLE" -p unreach-call -q a.c b.c -- -DA=1 -- a.c -DB=2 -- b.c -DC=1 -UC -DC=2; echo "exit $?"
"$HEDDLE" -p unreach-call -q a.c b.c -- -DA=1 -- c.c -DB=2 2>&1; echo "exit $?"
"$HEDDLE" -p unreach-call -q a.c b.c -- -DA=1 -- 2>&1; echo "exit $?"
