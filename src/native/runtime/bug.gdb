# SPDX-License-Identifier: Apache-2.0
# gdb -x bug.gdb: stops at each step of the counterexample, and at the end. `continue` runs to the next step, `info threads` shows all threads.
file bug
set pagination off
set debuginfod enabled off
set environment HEDDLE_QUIET 1
handle SIGPROF nostop noprint pass
break heddle_step
commands
silent
printf "%s\n", counterexample
eval "frame function %s", function
end
break heddle_end
commands
silent
printf "%s\n", what
end
run
