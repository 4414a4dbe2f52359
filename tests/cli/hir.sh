# What --dump-ir prints of a C program is itself an input, with the same verdict.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for f in lost_update locked_counter; do
    "$HEDDLE" --dump-ir ../../examples/$f.c >"$dir/$f.hir"; echo "exit $?"
    "$HEDDLE" -q "$dir/$f.hir"; echo "exit $?"
done
# A condition that is too deep.
cd "$dir"
{ printf 'global b : bool;\nthread main {\n  l0 { when\n'; yes '(not' | head -100000; printf b; yes ')' | head -100000 | tr -d '\n'; printf ' goto l0; }\n}\n'; } >deep.hir
"$HEDDLE" deep.hir; echo "exit $?"
