# SPDX-License-Identifier: Apache-2.0
# --html with several properties: violations first, as in the text.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printf '#include <assert.h>\nint f(int);\nint main(void) {\n    assert(0);\n    return f(1);\n}\n' >"$dir/a.c"; cd "$dir"
"$HEDDLE" -p no-overflow,unreach-call --html p.html a.c | grep '^[A-Z][A-Z]* '
grep -o '"verdict":"[A-Z]*","property":"[a-z-]*"' p.html
