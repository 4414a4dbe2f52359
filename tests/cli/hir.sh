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
# The memory model is that of the text, unless an option gives another.
printf 'program pointer 64 memory tso;\nthread main { l0 halt; }\n' >weak.hir
for flags in '' '--memory-model pso' '--memory-model sc'; do
    "$HEDDLE" -q $flags --json - weak.hir | grep -o '"memory_model": *"[a-z0-9]*"\|"verdict": *"[A-Z]*"'
done
