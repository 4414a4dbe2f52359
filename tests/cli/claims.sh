# What proofs say of the program's values is true whenever no thread is inside a block (claims/check says how this is checked); it is more than
# they say that it holds always.
for file in two_locks flag wrapping; do
    python3 claims/check "$HEDDLE" claims/$file.c -e redcomp
    python3 claims/check "$HEDDLE" claims/$file.c -e redcomp --rule redsafety
done
for file in two_locks wrapping; do python3 claims/check "$HEDDLE" claims/$file.c -e threader; done
python3 claims/check "$HEDDLE" claims/two_locks.c -e redcomp --arith bv
CLAIMS=always python3 claims/check "$HEDDLE" claims/two_locks.c -e redcomp
