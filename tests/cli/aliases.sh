# The old names of options still work. --help shows the new names only, and messages use them.
"$HEDDLE" --help | grep -cE -e '--(all-pairs|switches|recheck|no-spurious) '
"$HEDDLE" -p unreach-call --switches 0 ../../examples/lost_update.c | sed 's/  [0-9.]* s$//'
"$HEDDLE" -p no-data-race --all-pairs ../../examples/locked_counter.c | sed 's/  [0-9.]* s$//; s/all [0-9]* relevant states/all N relevant states/'
"$HEDDLE" -p unreach-call -q -e redcomp --recheck ../ir/red_p1_1.hir | sed 's/  [0-9.]* s$//'
"$HEDDLE" -q ../c/library/spurious_not_safe.c -p unreach-call --no-spurious | sed 's/  [0-9.]* s$//'
"$HEDDLE" --switches many x.c; echo "exit $?"
"$HEDDLE" --no-spuriou x.c; echo "exit $?"
