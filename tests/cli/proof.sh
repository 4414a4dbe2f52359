# What a proof reads like: threads and their variables told apart, mutexes free or held, arrays and pointers as in C, sums without negative
# factors, what holds everywhere said once; what is said of threads in any number holds of those that run; which lines are one block.
for file in locked_counter.c producer_consumer.c double_checked.c readers_writer.c warehouse.wvr; do
    echo "$file"
    "$HEDDLE" -p unreach-call -e redcomp ../../examples/$file | sed 1,3d | awk '/^Blocks/ { after = 1 } NR <= 13 || after'
done
echo car_park.c
"$HEDDLE" -p unreach-call -e redcomp ../../examples/car_park.c | sed -n '/every car at its start/{n;p}' | grep -o 'cars <'
# Numbers that only Heddle knows are not said: integers that are congruent to the value, bits of floating numbers.
echo wrap_sums_agree.c
"$HEDDLE" -p unreach-call -e weave ../c/engines/weave/wrap_sums_agree.c | grep 'mod 2'
echo typed_values.c
"$HEDDLE" -p unreach-call -e redcomp ../c/front/typed_values.c | sed 1,3d
