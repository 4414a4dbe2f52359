# Properties by name and from .prp files.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c "$dir" && cd "$dir"
prp() { printf '%s\n' "$2" >"$1.prp"; "$HEDDLE" -q --property "$1.prp" lost_update.c 2>&1; echo "exit $?"; }
prp unreach-call 'CHECK( init(main()), LTL(G ! call(reach_error())) )'
prp no-data-race 'CHECK( init(main()), LTL(G ! data-race) )'
prp no-overflow 'CHECK( init(main()), LTL(G ! overflow) )'
prp valid-memsafety 'CHECK( init(main()), LTL(G valid-free) )
CHECK( init(main()), LTL(G valid-deref) )
CHECK( init(main()), LTL(G valid-memtrack) )'
prp termination 'CHECK( init(main()), LTL(F end) )'
prp parts 'CHECK( init(main()), LTL(G valid-deref) )
CHECK( init(main()), LTL(G valid-memcleanup) )'
prp strange 'CHECK( init(main()), LTL(G F happiness) )'
prp empty ''
prp mixed 'CHECK( init(main()), LTL(G ! overflow) )
CHECK( init(main()), LTL(F end) )'
"$HEDDLE" -q --property no-deadlock lost_update.c; echo "exit $?"
echo 'int main(void) {' >broken.c
"$HEDDLE" --property no-deadlock broken.c 2>/dev/null; echo "exit $?"
