# Notes that weaken a verdict are there with -q, too, and only where they are due.
for program in asserts_in_parts never_asserts never_asserts_one no_assertion deadlock_seen weak_atomics_noted vacuous_in_part vacuous; do
    echo "# $program"
    "$HEDDLE" -p unreach-call -q "$(find ../c -name $program.c)" | sed 's/  [0-9.]* s/  N s/'
done
