# The blocks of the paper's program: Out locations of the threads are 0 6 11, 0 3 and 0 3.
"$HEDDLE" --dump-blocks ../ir/red_p1_1.hir | sed -n '/^thread one/,$p'
