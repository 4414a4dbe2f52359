# SPDX-License-Identifier: Apache-2.0
# gdb -x bug.gdb: stops at each step of the story, and in the end. `continue` goes on, `info threads` shows the others.
file bug
set pagination off
set debuginfod enabled off
set environment HEDDLE_QUIET 1
handle SIGPROF nostop noprint pass
break heddle_step
commands
silent
printf "%s\n", story
eval "frame function %s", function
end
break heddle_end
commands
silent
printf "%s\n", what
end
run
