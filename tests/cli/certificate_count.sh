# The number of obligations is the number of those that the certificate has.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for flags in "-p unreach-call -e redcomp" "-p no-data-race -e redcomp --no-static-race-check"; do
    said=$("$HEDDLE" $flags --certificate "$dir/c.smt2" ../../examples/car_park.c | sed -n 's/.*; \([0-9]*\) proof obligations hold.*/\1/p')
    [ "$said" = "$(grep -c '^(check-sat)' "$dir/c.smt2")" ] && echo "as many as said"
done
