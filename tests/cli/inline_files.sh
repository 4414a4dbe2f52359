# An inline definition in one file, its external definition in another; the former alone is enough.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf '#include <assert.h>\ninline int twice(int x) { return 2 * x; }\nint main(void) { assert(twice(3) == 6); }\n' >a.c
printf 'inline int twice(int x) { return 2 * x; }\nextern inline int twice(int x);\n' >b.c
for files in 'a.c b.c' 'b.c a.c' a.c; do
    "$HEDDLE" -p unreach-call $files | sed -E '1s/  .*//;1q'
done
