# Rely-guarantee proofs as people read them: by themselves, of any number of threads; where others are; and as fields.
"$HEDDLE" -p unreach-call -e threader --reduction no rely/many.c
"$HEDDLE" -p unreach-call -e threader ../bench/rely/fig2_fixed.c
"$HEDDLE" -p unreach-call -e threader ../bench/rely/lock_bit_once.c
"$HEDDLE" -q -p unreach-call -e threader --json out.json rely/many.c
python3 -c 'import json; print(json.dumps(json.load(open("out.json"))["proof"], indent=1))'
