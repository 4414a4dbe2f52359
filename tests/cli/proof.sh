# What a proof reads like: threads and their variables told apart, mutexes free or held, arrays and pointers as in C, sums without negative
# factors, what holds everywhere said once; what is said of threads in any number holds of those that run.
for file in locked_counter.c producer_consumer.c double_checked.c readers_writer.c warehouse.wvr; do
    echo "$file"
    "$HEDDLE" -e redcomp ../../examples/$file | sed 1,4d | head -12
done
echo car_park.c
"$HEDDLE" -e redcomp ../../examples/car_park.c | sed -n '/every car at its start/{n;p}' | grep -o 'cars <'
