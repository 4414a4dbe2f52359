# --second-solver: SAFE only if cvc5 agrees. One that disagrees, or none, makes it UNKNOWN.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
"$HEDDLE" -p unreach-call -q --engine redcomp --second-solver ../ir/red_p1_1.hir
printf '#!/bin/sh\necho unsat\necho sat\n' >"$dir/cvc5"
chmod +x "$dir/cvc5"
PATH=$dir:$PATH "$HEDDLE" -p unreach-call --engine redcomp --second-solver ../ir/red_workers.hir | sed 's/ of [0-9]* with/ of N with/'
printf '#!/bin/sh\nexit 1\n' >"$dir/cvc5"
PATH=$dir:$PATH "$HEDDLE" -p unreach-call --engine redcomp --second-solver ../ir/red_workers.hir | sed 's/of [0-9]* with/of N with/'
"$HEDDLE" -p unreach-call -q --engine redcomp --second-solver ../../examples/lost_update.c
