# The certificate of a proof is SMT-LIB; cvc5 answers unsat to all of it. No proof, no certificate.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for f in ../../examples/car_park.c ../ir/red_p1_1.hir; do
    "$HEDDLE" -p unreach-call -q --engine redcomp --certificate "$dir/c.smt2" $f; echo "exit $?"
    head -1 "$dir/c.smt2"
    timeout 60 cvc5 --incremental --lang=smt2 "$dir/c.smt2" | sort -u
    for group in fact-init fact-step fact-stable right left; do grep -q "^; $group " "$dir/c.smt2" && echo "$group"; done
    rm "$dir/c.smt2"
done
"$HEDDLE" -p unreach-call -q --engine redcomp --certificate "$dir/c.smt2" ../../examples/lost_update.c 2>&1 | sed "s|$dir|DIR|"; echo "exit ${PIPESTATUS[0]}"
ls "$dir"
