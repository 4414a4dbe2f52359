# Rely-guarantee proofs as people read them: by themselves, of any number of threads; where others are.
"$HEDDLE" -p unreach-call -e threader --reduction no rely/many.c
"$HEDDLE" -p unreach-call -e threader ../bench/rely/fig2_fixed.c
"$HEDDLE" -p unreach-call -e threader ../bench/rely/lock_bit_once.c
