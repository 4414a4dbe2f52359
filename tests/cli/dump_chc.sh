# Horn clauses as SMT-LIB: product for a fixed number of threads, modular for any number.
"$HEDDLE" --dump-chc ../ir/red_p1_1.hir | head -4
"$HEDDLE" --dump-chc ../ir/red_workers.hir | head -8
"$HEDDLE" --dump-chc ../ir/red_workers.hir | grep -o '^; [a-z]*' | sort -u
