# Threads that have nothing in common cost about as much as if they ran one after the other: no more questions to the solver, and nodes at most as the
# square of their number, whether they are straight or loop, and whether an assertion concerns one of them, two, or none.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT

# One thread after the other (sequence), or all at once.
main() {
    echo 'thread main {'
    for t in $(seq 1 "$1"); do
        echo "  local h$t : bv32;"
        if [ "$2" = sequence ]; then echo "  c$t { do h$t := create w$t (0:64); goto j$t; } j$t { do join (h$t); goto c$((t + 1)); }"
        else echo "  c$t { do h$t := create w$t (0:64); goto c$((t + 1)); } j$t { do join (h$t); goto j$((t + 1)); }"; fi
    done
    if [ "$2" = sequence ]; then echo "  c$(($1 + 1)) { goto test; }"
    else echo "  c$(($1 + 1)) { goto j1; } j$(($1 + 1)) { goto test; }"; fi
    echo "  test { when $3 goto bad; when (not $3) goto done; } bad error \"too small\"; done end; }"
}

worker() {
    echo "thread w$1 {"
    if [ "$2" = loop ]; then
        echo "  l0 loop { when (slt x$1 5) do x$1 := (add x$1 1); goto l0; when (not (slt x$1 5)) goto l5; }"
    else
        echo "  l0 { when (sle 0 x$1) do x$1 := (add x$1 1); goto l1; }"
        for i in 1 2 3 4; do echo "  l$i { do x$1 := (add x$1 1); goto l$((i + 1)); }"; done
    fi
    echo '  l5 end; }'
}

program() {
    for t in $(seq 1 "$2"); do echo "global x$t : int;"; done
    main "$2" "$3" "$4"
    for t in $(seq 1 "$2"); do worker "$t" "$1"; done
}

count() { sed -n "s/^ *\([0-9]*\)  $1\$/\1/p" "$dir/out"; }

for kind in straight loop; do
    for test in false '(slt x1 5)' '(or (slt x1 5) (slt x8 5))'; do
        program $kind 8 sequence "$test" > "$dir/p.hir"
        "$HEDDLE" -p unreach-call -e weave --reduction sc --stats "$dir/p.hir" > "$dir/out"; code=$?
        asked=$(count 'abstract posts decided by the solver')
        program $kind 8 parallel "$test" > "$dir/p.hir"
        "$HEDDLE" -p unreach-call -e weave --reduction sc --stats "$dir/p.hir" > "$dir/out"; code=$code$?
        echo "$kind, $test: exit $code" \
            "$([ "$(count 'nodes of the product')" -le 128 ] && echo 'few nodes')" \
            "$([ "$(count 'abstract posts decided by the solver')" -le $((asked * 2)) ] && echo 'few questions')"
    done
done
