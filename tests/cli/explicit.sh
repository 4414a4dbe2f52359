# Who visits all states has obligations to show where these are few: cvc5 answers them, and SAFE is not said if it disagrees.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
"$HEDDLE" -p unreach-call -q -e explicit --certificate "$dir/c.smt2" ../../examples/producer_consumer.c; echo "exit $?"
timeout 60 cvc5 --incremental --lang=smt2 "$dir/c.smt2" | sort -u
for group in init step; do grep -q "^; $group" "$dir/c.smt2" && echo "$group"; done
"$HEDDLE" -p unreach-call -q -e explicit --second-solver ../../examples/peterson.c; echo "exit $?"
printf '#!/bin/sh\necho unsat\necho sat\n' >"$dir/cvc5"
chmod +x "$dir/cvc5"
PATH=$dir:$PATH "$HEDDLE" -p unreach-call -e explicit --second-solver ../../examples/peterson.c | sed 's/ of [0-9]* with/ of N with/'
cat >"$dir/long.hir" <<'END'
global x : bv32 = 0:32;
thread main {
  l0 { when (ult x 20000:32) do x := (add x 1:32); goto l0; when (ult 20000:32 x) goto bad; when (= x 20000:32) goto e; }
  e end;
  bad error;
}
END
"$HEDDLE" -p unreach-call -e explicit --second-solver "$dir/long.hir" | sed 's/all [0-9]* relevant states/all N relevant states/'
